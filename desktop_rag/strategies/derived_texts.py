"""Searching by what was derived from documents, and what is told where that is not prepared."""

from __future__ import annotations

from desktop_rag.core.events import Notice
from desktop_rag.core.phrases import Phrase
from desktop_rag.core.types import Passage
from desktop_rag.strategies.base import Question, SearchOverrides, Steps, StrategyTools


def search_derived(
    question: Question, tools: StrategyTools, way: str, k: int
) -> Steps[tuple[Passage, ...]]:
    """Return the k best passages, found by their own text and by what was derived from them."""
    yield from tell_unprepared(tools, way)
    return (yield from tools.search(question.text, "the question", k, SearchOverrides(derived=way)))


def tell_unprepared(tools: StrategyTools, way: str) -> Steps[None]:
    """Say so where documents that are asked are not prepared for a way."""
    prepared, total = tools.prepared(way)
    if not prepared:
        yield Notice(
            Phrase(
                "Nothing is prepared for {0} yet, so passages are found by their own text alone. "
                "Prepare the knowledge base for it first.",
                way,
            )
        )
    elif prepared < total:
        yield Notice(
            Phrase(
                "{0} of {1} documents are prepared for {2}; the others are found by their text.",
                f"{prepared:,}",
                f"{total:,}",
                way,
            )
        )
