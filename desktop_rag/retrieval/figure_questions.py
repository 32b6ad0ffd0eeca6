"""Questions that ask for figures: tables answer them, so those on pages count more.

A reader of passages was taught by sentences, and judges a page of figures by the few words on it.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from desktop_rag.core.types import BlockKind, LocatorKind
from desktop_rag.retrieval.query import RankedChunk

_WEIGHT = 0.2
"""What being a table counts beside the second stage's score; measured."""
_FIGURES = re.compile(
    r"\bhow (?:much|many)\b|\b(?:amount|total|ratio|percentage|margin|rate|average)s?\b"
    r"|\b(?:percent|growth|(?:increase|decrease|change)[sd]?|(?:thousand|million|billion)s?)\b"
    r"|[%$€£¥]"
    r"|\b(?:USD|EUR|GBP|CNY|RMB|JPY)\b|\bFY ?\d|\bfiscal\b|\b(?:19|20)\d\d\b"
    r"|多少|几[个家人次年]|金额|总额|合计|比率|比例|占比|增长|下降|同比|百分|年度"
    r"|[12]\d{3} ?年",
    re.IGNORECASE,
)
_REASONS = re.compile(r"\b(?:why|reasons?)\b|为什么|为何|原因", re.IGNORECASE)


def asks_for_figures(question: str) -> bool:
    """Say whether a question names an amount, a share, a currency or a year, and asks no reason."""
    return _FIGURES.search(question) is not None and _REASONS.search(question) is None


def prefer_tables(reranked: Sequence[RankedChunk], question: str) -> list[RankedChunk]:
    """Return reranked candidates, tables on pages further up where the question asks for figures.

    Scores stay in [0, 1]. Where no page has a rank by its meaning, nothing changes.
    """
    is_ranked = any(each.candidate.page_rank is not None for each in reranked)
    if not is_ranked or not asks_for_figures(question):
        return list(reranked)
    counted = [_with_preference(each) for each in reranked]
    return sorted(counted, key=lambda each: -each.candidate.score)


def _with_preference(each: RankedChunk) -> RankedChunk:
    is_table = each.chunk.kind is BlockKind.TABLE and each.chunk.locator.kind is LocatorKind.PAGE
    score = (each.candidate.score + _WEIGHT * is_table) / (1.0 + _WEIGHT)
    return replace(each, candidate=replace(each.candidate, score=score))
