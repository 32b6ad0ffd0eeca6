"""A search with the question itself, where those of a model found nothing to answer from."""

from __future__ import annotations

from collections.abc import Sequence

from desktop_rag.core.types import Passage
from desktop_rag.strategies.base import Question, Steps, StrategyTools
from desktop_rag.strategies.passage_merge import interleave_by_rank


def enough_or_by_question(
    searches: Sequence[Sequence[Passage]],
    most: int,
    k: int,
    question: Question,
    tools: StrategyTools,
) -> Steps[tuple[Passage, ...]]:
    """Return at most `most` of what the searches found, interleaved by rank.

    Where that is nothing, or too little to answer the question from, the question is searched with,
    for `k` passages, which come first.
    """
    found = interleave_by_rank(searches, most)
    if found and tools.enough(found):
        return found
    by_question = yield from tools.search(question.text, "the question", k)
    return interleave_by_rank([by_question, *searches], most)
