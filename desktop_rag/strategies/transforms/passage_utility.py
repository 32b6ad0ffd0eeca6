"""Utility (METRAG): beside the passages that are like the question, those that answer it.

Gan et al. 2024, "Similarity is Not All You Need", arXiv 2405.19893: a model of similarity and one
of utility each have their best passages, and the union of both is read. Theirs is trained on what a
language model makes of each passage; here the built-in reader says how surely an answer stands in
it. More passages are searched, read once more, and those whose answer is sure enough take the last
places of what was found, as many as are set aside for them. The reader reads English.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import ClassVar

from desktop_rag.core.events import Notice, PassagesFound, Step
from desktop_rag.core.phrases import Phrase
from desktop_rag.core.types import Passage
from desktop_rag.models.pair_reader import PairReading
from desktop_rag.retrieval.passage_links import reader_text
from desktop_rag.strategies.base import (
    Question,
    SearchOverrides,
    Steps,
    StrategyResult,
    StrategyTools,
    option,
)
from desktop_rag.strategies.transforms.base import Researcher
from desktop_rag.strategies.transforms.search_override import question_search


@dataclass(frozen=True, slots=True)
class Utility:
    """Hands over passages that answer the question beside those that are like it."""

    name: ClassVar[str] = "utility"
    title: ClassVar[str] = "Utility beside similarity (METRAG)"
    paper: ClassVar[str] = "METRAG: Gan et al. 2024, arXiv 2405.19893"
    needs: ClassVar[tuple[str, ...]] = ()

    useful: int = option(
        2, "Useful passages", "How many of the last places are for them.", low=1, high=10
    )
    candidates: int = option(
        15, "Candidates", "How many passages are read for their utility.", low=5, high=50
    )
    margin: float = option(
        0.0,
        "Sureness",
        "By how much an answer must beat “no answer”, in the reader's logits.",
        low=-10.0,
        high=10.0,
    )

    def run(
        self, question: Question, tools: StrategyTools, then: Researcher
    ) -> Steps[StrategyResult]:
        """Have every search for the question give the union of both."""

        def search(
            query: str, why: str, k: int, aim: SearchOverrides
        ) -> Steps[tuple[Passage, ...]]:
            found = yield from tools.search(query, why, max(k, self.candidates), aim)
            readings = tools.read(question.text, [reader_text(each) for each in found])
            if readings is None:
                yield Notice(
                    Phrase(
                        "{0}: the built-in reader does not read this question; passages stay as "
                        "they are found.",
                        self.title,
                    )
                )
                return (yield from _handed_over(query, found[:k]))
            best = self._union(found, [_margin(each) for each in readings], k)
            new = sum(each.rank > k for each in best)
            if new:
                yield Step("utility", Phrase("{0} of {1} passages answer best.", new, len(best)))
            return (yield from _handed_over(query, best))

        return (yield from then.run(question, question_search(tools, question, search)))

    def _union(
        self, found: Sequence[Passage], margins: Sequence[float], k: int
    ) -> tuple[Passage, ...]:
        """Return k passages: the first ones, and last the best of those that answer surely."""
        order = sorted(range(len(found)), key=lambda at: -margins[at])
        sure = [at for at in order if margins[at] > self.margin][:k]
        for similar in range(k, 0, -1):  # as few places as the best answers need
            kept = list(range(min(similar, len(found))))
            more = [at for at in sure[: self.useful] if at not in kept]
            if len(kept) + len(more) <= k:
                return tuple(found[at] for at in (*kept, *more))
        return tuple(found[:k])


def _margin(reading: PairReading) -> float:
    answer = reading.answer()
    return answer.margin if answer is not None else -float("inf")


def _handed_over(query: str, passages: Sequence[Passage]) -> Steps[tuple[Passage, ...]]:
    """Show passages as found, numbered anew, and return them."""
    best = tuple(replace(each, rank=n) for n, each in enumerate(passages, start=1))
    yield PassagesFound(query, best, frozenset(int(each.chunk_id) for each in best))
    return best
