"""Several searches for one question, joined by reciprocal ranks (Cormack et al. 2009)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from desktop_rag.core.events import PassagesFound
from desktop_rag.core.types import DocumentId, Passage
from desktop_rag.strategies.base import Question, SearchOverrides, Steps, StrategyTools
from desktop_rag.strategies.transforms.search_override import question_search

_CONSTANT = 60  # of 1 / (60 + rank), as in the paper

_Place = tuple[DocumentId, str]


def search_variants(
    tools: StrategyTools, question: Question, others: Sequence[str], kind: str
) -> StrategyTools:
    """Return tools that search for the question and for other ones beside it, all joined."""

    def search(query: str, why: str, k: int, aim: SearchOverrides) -> Steps[tuple[Passage, ...]]:
        rankings = [(yield from tools.search(query, why, k, aim))]
        rest = query[len(question.text) :]
        there = SearchOverrides(where=aim.where, kbs=aim.kbs, reads=aim.reads)
        for n, other in enumerate(others, start=1):
            reason = f"{kind} {n}" if len(others) > 1 else kind
            rankings.append((yield from tools.search(other + rest, reason, k, there)))
        return (yield from fuse_rankings(query, rankings, k))

    return question_search(tools, question, search)


def fuse_rankings(
    query: str, rankings: Sequence[Sequence[Passage]], k: int
) -> Steps[tuple[Passage, ...]]:
    """Return the k passages whose reciprocal ranks sum up highest, and show them as found."""
    sums: dict[_Place, float] = {}
    first: dict[_Place, Passage] = {}
    for ranking in rankings:
        for rank, passage in enumerate(ranking, start=1):
            # Two queries find a passage by two of its pieces: its text tells that it is the same.
            place = passage.document_id, passage.text
            sums[place] = sums.get(place, 0.0) + 1.0 / (_CONSTANT + rank)
            first.setdefault(place, passage)
    order = sorted(sums, key=lambda place: -sums[place])[:k]
    best = tuple(replace(first[place], rank=n) for n, place in enumerate(order, start=1))
    yield PassagesFound(query, best, frozenset(int(each.chunk_id) for each in best))
    return best
