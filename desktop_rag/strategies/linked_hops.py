"""Linked hops: follow what the best passages name, and judge chains of two passages, by no LLM.

A question over several passages finds the first of them; what the second one needs stands in the
first. So chains of a first passage a and a second one b are judged as in beam search over paths
(Asai et al. 2020), all scores being the built-in reader's:

    prior       p(a): how likely a chain begins with a; the softmax of how well a fits the question
    beam        the likeliest a are followed
    candidates  b: what a names, what BM25 finds with question and a, the best other first passages
    transition  p(b | a): the softmax of how well b fits the question with what a says of b
    posterior   p(a) + the sum of p(a') p(b | a') over the chains in which the passage is second

The answer rests on the passages of the highest posterior.
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

_FIRST_AGAIN = 6  # the best first passages may be second ones too, up to half of what is read
_DIGITS = 4  # of a probability, as it is printed and kept
_SHOWN, _LEAST_SHOWN = 3, 0.05  # second passages that are shown, and how likely they must be
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
        prior = self._prior(found)
        passages = {_key(each): each for each in found}
        posterior = dict.fromkeys(passages, 0.0) | prior
        likeliest = sorted(prior, key=lambda each: -prior[each])
        for key in self._beam(likeliest, prior):
            near = passages[key]
            others = [passages[each] for each in likeliest[:_FIRST_AGAIN] if each != key]
            linked, candidates = yield from self._candidates(near, others, tools)
            transition = _transition(question, near, candidates, tools)
            for each, probability in transition.items():
                posterior[each] = posterior.get(each, 0.0) + prior[key] * probability
            passages = candidates | passages
            if transition:
                shown = _shown(near, transition, passages, linked, tools)
                yield Chain(near.chunk_id, near.title, round(prior[key], _DIGITS), shown)
        best = sorted(posterior, key=lambda each: -posterior[each])[:k]
        return (yield from tools.answer([passages[each] for each in best]))

    def _prior(self, found: Sequence[Passage]) -> dict[PassageKey, float]:
        """Return p(a) of each passage that was reranked: the better its first rank, the likelier.

        Where dated material is to be recent, its weight by age is a factor.
        """
        read = [each for each in found if each.rerank_score is not None and each.fused_rank]
        scores = [
            (each.rerank_score or 0.0) - self.rank_weight * math.log(each.fused_rank or 1)
            for each in read
        ]
        ages = [1.0 if each.age_weight is None else each.age_weight for each in read]
        shares = [share * age for share, age in zip(_softmax(scores), ages, strict=True)]
        return dict(zip(map(_key, read), shares, strict=True))

    def _beam(
        self, likeliest: Sequence[PassageKey], prior: Mapping[PassageKey, float]
    ) -> list[PassageKey]:
        """Return the first passages that are followed: the best, and those that may matter."""
        others = [each for each in likeliest[1 : self.beam] if prior[each] >= self.least]
        return [*likeliest[:1], *others]

    def _candidates(
        self, near: Passage, others: Sequence[Passage], tools: StrategyTools
    ) -> Steps[tuple[Sequence[Passage], dict[PassageKey, Passage]]]:
        """Return what a first passage leads to, and all that may be second after it."""
        room = max(1, self.pairs // self.beam)
        why = Phrase("what “{0}” leads to", SourceName(near.title, near.chunk_id))
        linked = yield from tools.beyond(near, why, room)
        candidates = (*others[: room // 2], *linked)[:room]
        return linked, {_key(each): each for each in candidates}


def _transition(
    question: Question,
    near: Passage,
    candidates: Mapping[PassageKey, Passage],
    tools: StrategyTools,
) -> dict[PassageKey, float]:
    """Return p(b | a) of each candidate; all alike where the reader cannot read them."""
    pairs = [
        (f"{question.text} {tools.excerpt_about(near, far)}", reader_text(far))
        for far in candidates.values()
    ]
    scores = tools.score(pairs) or [0.0] * len(pairs)
    return dict(zip(candidates, _softmax(scores), strict=True))


def _shown(
    near: Passage,
    transition: Mapping[PassageKey, float],
    passages: Mapping[PassageKey, Passage],
    linked: Sequence[Passage],
    tools: StrategyTools,
) -> tuple[LinkedPassage, ...]:
    """Return the likeliest second passages as they are shown: one at least, and what led there."""
    by_words = {_key(each) for each in linked}
    shown: list[LinkedPassage] = []
    for key in sorted(transition, key=lambda each: -transition[each])[:_SHOWN]:
        if not shown or transition[key] >= _LEAST_SHOWN:
            far, name = passages[key], tools.name_of(near, passages[key])
            by = "name" if name else "words" if key in by_words else "question"
            probability = round(transition[key], _DIGITS)
            shown.append(LinkedPassage(far.chunk_id, far.title, by, name, probability))
    return tuple(shown)


def _key(passage: Passage) -> PassageKey:
    return passage.document_id, passage.locator.start


def _softmax(scores: Sequence[float]) -> Sequence[float]:
    if not scores:
        return ()
    shares = np.exp(np.asarray(scores) - max(scores))
    return [float(each) for each in shares / shares.sum()]
