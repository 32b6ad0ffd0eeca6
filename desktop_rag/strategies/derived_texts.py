"""Searching by what was derived from documents, and what is told where that is not prepared."""

from __future__ import annotations

from desktop_rag.core.events import Notice, NoticeCode
from desktop_rag.core.phrases import Phrase
from desktop_rag.core.types import Passage
from desktop_rag.strategies.base import Question, SearchOverrides, Steps, Strategy, StrategyTools


def search_derived(
    strategy: Strategy, question: Question, tools: StrategyTools, k: int
) -> Steps[tuple[Passage, ...]]:
    """Return the k best passages, found by their own text and by what was derived from them."""
    yield from tell_unprepared(strategy, tools)
    aim = SearchOverrides(derived=strategy.name)
    return (yield from tools.search(question.text, "the question", k, aim))


def tell_unprepared(strategy: Strategy, tools: StrategyTools) -> Steps[None]:
    """Say so where documents that are asked are not prepared for a strategy."""
    prepared, total = tools.prepared(strategy.name)
    if not prepared:
        yield Notice(
            Phrase(
                "Nothing is prepared for “{0}” yet: passages are found by their own text alone. "
                "Prepare the knowledge base in its menu, or by `desktop-rag prepare {1}`.",
                strategy.title,
                strategy.name,
                code=NoticeCode.UNPREPARED,
            )
        )
    elif prepared < total:
        yield Notice(
            Phrase(
                "{0} of {1} documents are prepared for “{2}”; the others are found by their text.",
                f"{prepared:,}",
                f"{total:,}",
                strategy.title,
                code=NoticeCode.PARTLY_PREPARED,
            )
        )
