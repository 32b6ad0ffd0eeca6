"""The second stage of retrieval: a reranker puts the first candidates in order.

Its scores are combined with those of the first stage.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

from desktop_rag.core.errors import ModelUnavailable
from desktop_rag.core.phrases import Phrase
from desktop_rag.core.search_text import search_text
from desktop_rag.core.settings import Retrieval
from desktop_rag.models.protocols import LanguageSupport, Reranker, TimedReranker
from desktop_rag.retrieval.figure_questions import prefer_tables
from desktop_rag.retrieval.page_scores import add_page_support
from desktop_rag.retrieval.query import Query, RankedChunk
from desktop_rag.retrieval.stage_timer import StageTimer

_FEWEST = 10  # that are read whatever it takes: enough to measure the speed by


def interpolate_scores(
    before: Sequence[float], scores: Sequence[float], weight: float
) -> list[float]:
    """Mix the first stage's scores and the second's, each scaled to [0, 1]."""
    return [
        (1.0 - weight) * first + weight * second
        for first, second in zip(_scaled(before), _scaled(scores), strict=True)
    ]


def subtract_log_ranks(ranks: Sequence[int], scores: Sequence[float], weight: float) -> list[float]:
    """Take from each score the logarithm of its rank in the first stage, as training did."""
    return _scaled(
        [score - weight * math.log(rank) for score, rank in zip(scores, ranks, strict=True)]
    )


def tied_ranks(before: Sequence[float]) -> list[int]:
    """Return the ranks of scores that stand best first; unlike in training, equal ones share one.

    So no chunk's number decides.
    """
    return [before.index(score) + 1 for score in before]


def _scaled(scores: Sequence[float]) -> list[float]:
    """Bring scores to [0, 1]; all alike are 1."""
    low, high = min(scores), max(scores)
    span = high - low
    return [(score - low) / span if span else 1.0 for score in scores]


@dataclass(frozen=True, slots=True)
class RerankStage:
    """Rerankers, best first: the first that reads a query, and does not fail, has the say.

    A passage in a language that it does not read stays at its place.
    """

    rerankers: tuple[Reranker, ...]
    rules: Retrieval

    def ordered(
        self, query: Query, ranked: list[RankedChunk], watch: StageTimer
    ) -> list[RankedChunk]:
        """Return candidates with the first of them reordered, and the others below those."""
        most = self.rules.rerank_candidates
        count = _with_equals(ranked, most if query.reads is None else min(most, query.reads))
        read = self._reordered(query, ranked[:count], watch)
        if not read:
            return ranked
        first = prefer_tables(add_page_support(read, ranked), query.asked or query.text)
        floor = first[-1].candidate.score
        return [*first, *(each.at_most(floor) for each in ranked[len(read) :])]

    def _reordered(
        self, query: Query, ranked: Sequence[RankedChunk], watch: StageTimer
    ) -> list[RankedChunk]:
        """Return candidates as the first reranker orders them that reads the query, and any of
        them; or none.
        """
        readers = [each for each in self.rerankers if _reads(each, query.text)]
        for reranker in readers if ranked else ():
            try:
                with watch.stage("rerank"):
                    if read := self._reranked(query, ranked, reranker):
                        return read
            except ModelUnavailable as problem:
                watch.problems.append(_without(problem, is_last=reranker is readers[-1]))
        return []

    def _reranked(
        self, query: Query, ranked: Sequence[RankedChunk], reranker: Reranker
    ) -> list[RankedChunk]:
        told = [search_text(each.chunk.context, each.chunk.text) for each in ranked]
        places = [at for at, text in enumerate(told) if _reads(reranker, text)]
        if not places:
            return []
        scores = self._scores(query, [told[at] for at in places], reranker)
        if len(scores) < len(places):  # what comes after them is not among the reranked
            places = places[: len(scores)]
            ranked = ranked[: places[-1] + 1]
        texts = [told[at] for at in places]
        asked = query.question if self.rules.rerank_with_question else None
        if asked and _reads(reranker, asked):
            scores = list(map(max, scores, reranker.score(asked, texts)))
        before = [each.candidate.score for each in ranked]
        ranks = tied_ranks(before)
        if reranker.rank_weight is None:
            first = [before[at] for at in places]
            whole = interpolate_scores(first, scores, self.rules.rerank_weight)
        else:
            whole = subtract_log_ranks([ranks[at] for at in places], scores, reranker.rank_weight)
        kept = [_with_rank(each, rank) for each, rank in zip(ranked, ranks, strict=True)]
        read = [
            replace(kept[at], candidate=replace(kept[at].candidate, rerank_score=s, score=both))
            for at, s, both in zip(places, scores, whole, strict=True)
        ]
        read.sort(key=lambda each: -each.candidate.score)
        return _at_their_places(kept, places, read)

    def _scores(self, query: Query, texts: Sequence[str], reranker: Reranker) -> list[float]:
        """Return the scores of the first texts: of as many as the time allows.

        Of all where a strategy has said how many it needs.
        """
        seconds = self.rules.rerank_milliseconds / 1000
        if not seconds or query.reads is not None or not isinstance(reranker, TimedReranker):
            return reranker.score(query.text, texts)
        scores: list[float] = []
        count = reranker.count_in(seconds, query.text, texts)
        if count is None:
            scores = reranker.score(query.text, texts[:_FEWEST])
            count = reranker.count_in(seconds, query.text, texts) or len(texts)
        rest = texts[len(scores) : max(count, _FEWEST)]
        return [*scores, *(reranker.score(query.text, rest) if rest else ())]


def _reads(reranker: Reranker, text: str) -> bool:
    return reranker.trust(text) is not LanguageSupport.NONE


def _with_rank(each: RankedChunk, rank: int) -> RankedChunk:
    return replace(each, candidate=replace(each.candidate, fused_rank=rank))


def _at_their_places(
    kept: Sequence[RankedChunk], places: Sequence[int], read: Sequence[RankedChunk]
) -> list[RankedChunk]:
    """Return what was read, best first, at these places of what stays where it is.

    What stays gets the score of what comes before it: its own is of another kind.
    """
    ordered = list(kept)
    for at, each in zip(places, read, strict=True):
        ordered[at] = each
    score = read[0].candidate.score
    for at, each in enumerate(ordered):
        if each.candidate.rerank_score is None:
            ordered[at] = replace(each, candidate=replace(each.candidate, score=score))
        score = ordered[at].candidate.score
    return ordered


def _without(problem: ModelUnavailable, *, is_last: bool) -> str:
    """Return what is told of a reranker that failed."""
    if is_last:
        return Phrase("{0} Passages stay as the first searches order them.", problem.sentence)
    return Phrase("{0} Passages are compared in a simpler way.", problem.sentence)


def _with_equals(ranked: Sequence[RankedChunk], count: int) -> int:
    """Return how many candidates are reranked: those equal to the last as well, up to twice."""
    most = min(2 * count, len(ranked))
    while 0 < count < most and ranked[count].candidate.score == ranked[count - 1].candidate.score:
        count += 1
    return min(count, len(ranked))
