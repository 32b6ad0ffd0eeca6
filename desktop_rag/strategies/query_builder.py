"""What is asked of the index for a query: put as it is meant, and short enough for the embedder.

A query that is too long is cut from its middle, never from the question.
"""

from __future__ import annotations

import re

from desktop_rag.generation import citation_markers
from desktop_rag.models.protocols import Embedder
from desktop_rag.retrieval.query import Query
from desktop_rag.strategies.base import Question, SearchOverrides

_GAP = " … "
_QUOTES = "\"'“”「」*` "
_LABEL = re.compile(
    r"^(?:(?:search |next )?(?:query|question)(?: \d+)?|(?:检索词|搜索词|查询|问题)\d*)"
    r"\s*[:：]\s*(?=\S)",
    re.IGNORECASE,
)


def clean_query(text: str) -> str:
    """Return a generated text as a query: one line, without a label, sources' numbers or quotes."""
    return _LABEL.sub("", one_line(text).strip(_QUOTES)).strip(_QUOTES)


def one_line(text: str) -> str:
    """Return a generated text on one line, without the numbers of its sources."""
    return " ".join(citation_markers.normalised(text, 0).split())


def build_query(query: str, question: Question, k: int, aim: SearchOverrides) -> Query:
    """Return a search for a query of this question; what a model put behind it is no evidence."""
    text = question.text
    opening = aim.instead or text
    meant = f"{opening}{query[len(text) :]}" if query.startswith(text) else query
    meant = f"{meant} {aim.behind}".strip()
    return Query(
        meant,
        aim.kbs or question.kbs,
        k,
        question=text if meant != text else None,
        where=f"{aim.where} {question.where}".strip(),
        alike=aim.alike,
        asked=opening if aim.behind else "",
        reads=aim.reads,
        derived=aim.derived,
        by_heads=aim.by_heads,
        chunks=aim.chunks,
        only_chunks=aim.only_chunks,
    )


def fit_to_embedder(query: str, question: str, embedder: Embedder | None) -> str:
    """Return the query, or its beginning and end, so that the embedder reads all of it.

    The question, where the query begins with it, is kept whole, even if it is too long by itself.
    """
    if embedder is None or _fits(query, embedder):
        return query
    kept = question if query.startswith(question) else ""
    rest = query[len(kept) :].strip()
    fewest, most = 0, len(rest)
    while fewest < most:  # the most characters of the rest that fit
        middle = (fewest + most + 1) // 2
        if _fits(_joined(kept, rest, middle), embedder):
            fewest = middle
        else:
            most = middle - 1
    return _joined(kept, rest, fewest)


def _fits(text: str, embedder: Embedder) -> bool:
    return embedder.count_tokens([text])[0] <= embedder.max_tokens


def _joined(kept: str, rest: str, length: int) -> str:
    """Return the kept text with `length` characters of the rest, half from each end."""
    head = rest[: (length + 1) // 2]
    tail = rest[len(rest) - length // 2 :]
    if " " in rest:  # whole words
        head, tail = head.rpartition(" ")[0], tail.partition(" ")[2]
    return f"{kept} {head}{_GAP}{tail}".strip(_GAP)
