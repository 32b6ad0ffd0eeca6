"""Linked hops: follow what the best passages name, and judge chains of two passages, by no LLM.

A question over several passages finds the first of them; what the second one needs stands in the
first. So the best are followed to what they name and to what BM25 finds with question and passage,
and the built-in reader reads each pair as question and first passage beside the second. A chain's
probability is that of its first passage times that of its second, as in beam search over paths
(Asai et al. 2020); a passage's is the sum over the chains that hold it.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from desktop_rag.core.events import Chain, LinkedPassage, Step
from desktop_rag.core.phrases import Phrase, SourceName
from desktop_rag.core.types import Passage
from desktop_rag.retrieval.passage_links import reader_text
from desktop_rag.strategies.base import (
    Question,
    SearchOverrides,
    Steps,
    StrategyResult,
    StrategyTools,
    option,
)

PassageKey = tuple[int, int | None]
"""The document of a passage, and where it begins."""

_ALSO = 6  # the best first passages may be second ones as well, up to half of what is read
_DIGITS = 4  # of a probability, as it is printed and kept
_TOLD, _LEAST_TOLD = 3, 0.05  # second passages that are shown, and how likely they must be
_UNREAD = "The built-in reader does not read this question: no passage is followed."


@dataclass(frozen=True, slots=True)
class LinkedHops:
    """Chains of passages by names and words, judged by the built-in reader before any answer."""

    name: ClassVar[str] = "linked_hops"
    title: ClassVar[str] = "Linked hops"
    paper: ClassVar[str] = "our own; beam search over paths: Asai et al. 2020, arXiv 1911.10470"
    needs: ClassVar[tuple[str, ...]] = ()

    k: int = option(5, "Passages", "How many passages the answer rests on.", low=1, high=50)
    first: int = option(15, "First passages", "How many a chain may begin with.", low=5, high=100)
    beam: int = option(3, "Beam", "How many of them are followed.", low=1, high=10)
    least: float = option(
        0.01,
        "Least probability",
        "A chain is followed from the likeliest first passage, and from others at least so likely.",
        low=0.0,
        high=1.0,
    )
    pairs: int = option(48, "Pairs", "How many second passages are read at most.", low=5, high=500)
    rank_weight: float = option(
        2.0,
        "Rank weight",
        "What the logarithm of its first rank takes from a first passage's score.",
        low=0.0,
        high=10.0,
    )

    def run(self, question: Question, tools: StrategyTools) -> Steps[StrategyResult]:
        """Find first passages, follow the best, answer from those in the likeliest chains."""
        k = question.k or self.k
        if tools.score(()) is None:
            found = yield from tools.search(question.text, "the question", k)
            yield Step("decision", _UNREAD)
            return (yield from tools.answer(found))
        width, first = max(k, self.first), SearchOverrides(reads=self.first)
        found = yield from tools.search(question.text, "the question", width, first)
        starts = self._starts(found)
        best = sorted(starts, key=lambda each: -starts[each])
        known = {_place(each): each for each in found}
        share = dict.fromkeys(known, 0.0) | starts
        for begin in self._followed(best, starts):
            near = known[begin]
            room = max(1, self.pairs // self.beam)
            led = yield from tools.beyond(
                near, Phrase("what “{0}” leads to", SourceName(near.title, near.chunk_id)), room
            )
            also = [known[each] for each in best[:_ALSO] if each != begin]
            ends = {_place(each): each for each in (*also[: room // 2], *led)[:room]}
            follows = self._follows(question, near, ends, tools)
            for end, probability in follows.items():
                share[end] = share.get(end, 0.0) + starts[begin] * probability
            known = ends | known
            if follows:
                told = _told(near, follows, known, led, tools)
                yield Chain(near.chunk_id, near.title, round(starts[begin], _DIGITS), told)
        likeliest = sorted(share, key=lambda each: -share[each])[:k]
        return (yield from tools.answer([known[each] for each in likeliest]))

    def _starts(self, found: Sequence[Passage]) -> dict[PassageKey, float]:
        """Return the probability that a chain begins with each passage that was reranked."""
        read = [each for each in found if each.rerank_score is not None and each.fused_rank]
        scores = [
            (each.rerank_score or 0.0) - self.rank_weight * math.log(each.fused_rank or 1)
            for each in read
        ]
        ages = [1.0 if each.age_weight is None else each.age_weight for each in read]
        shares = [share * age for share, age in zip(_softmax(scores), ages, strict=True)]
        return dict(zip(map(_place, read), shares, strict=True))

    def _followed(
        self, best: Sequence[PassageKey], starts: Mapping[PassageKey, float]
    ) -> list[PassageKey]:
        """Return the first passages that are followed: the best, and those that may matter."""
        likely = [each for each in best[1 : self.beam] if starts[each] >= self.least]
        return [*best[:1], *likely]

    def _follows(
        self,
        question: Question,
        near: Passage,
        ends: Mapping[PassageKey, Passage],
        tools: StrategyTools,
    ) -> dict[PassageKey, float]:
        """Return the probability that each passage follows on a first one."""
        pairs = [
            (f"{question.text} {tools.told(near, far)}", reader_text(far)) for far in ends.values()
        ]
        return dict(zip(ends, _softmax(tools.score(pairs) or [0.0] * len(pairs)), strict=True))


def _told(
    near: Passage,
    follows: Mapping[PassageKey, float],
    known: Mapping[PassageKey, Passage],
    led: Sequence[Passage],
    tools: StrategyTools,
) -> tuple[LinkedPassage, ...]:
    """Return what is shown of the passages after a first one; `led` are those it led to."""
    by_words = {_place(each) for each in led}
    return tuple(
        _follow(near, known[end], follows[end], by_words=end in by_words, tools=tools)
        for end in _likeliest(follows)
    )


def _likeliest(follows: Mapping[PassageKey, float]) -> list[PassageKey]:
    """Return the passages after a first one that are shown: the likeliest one in any case."""
    best = sorted(follows, key=lambda each: -follows[each])[:_TOLD]
    return [each for each in best if each == best[0] or follows[each] >= _LEAST_TOLD]


def _follow(
    near: Passage, far: Passage, probability: float, *, by_words: bool, tools: StrategyTools
) -> LinkedPassage:
    """Say how a passage came to stand behind a first one, and how likely it follows."""
    name = tools.name_of(near, far)
    by = "name" if name else "words" if by_words else "question"
    return LinkedPassage(far.chunk_id, far.title, by, name, round(probability, _DIGITS))


def _place(passage: Passage) -> PassageKey:
    return passage.document_id, passage.locator.start


def _softmax(scores: Sequence[float]) -> Sequence[float]:
    if not scores:
        return ()
    shares = np.exp(np.asarray(scores) - max(scores))
    return [float(each) for each in shares / shares.sum()]
