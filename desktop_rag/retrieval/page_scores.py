"""A page as a unit of retrieval: how well it matches is told by its two best pieces.

Many pages of a long report hold one piece that resembles the question, few hold two. So the pages
are a third ranking beside those by meaning and by words, and once the pieces are reranked, each
counts how near the second nearest one on its page is. Of what has no pages the big range is the
unit; a piece that is all there is to read in its unit needs no other.

Where nothing that was found stands on a page, nothing changes.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from desktop_rag.core.types import DocumentId, LocatorKind
from desktop_rag.retrieval.query import RankedChunk

_WEIGHT = 0.25
"""What a page's rank counts beside the piece itself in the first stage; measured."""
_SUPPORT = 0.2
"""What its second nearest piece counts in the second stage; measured."""
_WHOLE = 0.9  # of a big range: a piece of this share is all there is to read

Unit = tuple[DocumentId, LocatorKind, int | str]
"""A page of a document, or where there are none a big range by its beginning."""


@dataclass(frozen=True, slots=True)
class UnitScore:
    """The best score in a unit, and the second: the least of all where there is none."""

    best: float
    second: float


def add_page_ranks(fused: Sequence[RankedChunk], constant: int) -> list[RankedChunk]:
    """Return fused candidates by scores that also count the rank of their page by its meaning.

    Scores stay in [0, 1]; `constant` is that of reciprocal rank fusion.
    """
    cosines = _cosines(fused)
    if not _have_pages(fused) or not cosines:
        return list(fused)
    scores = {unit: score.best + score.second for unit, score in unit_scores(cosines).items()}
    order = sorted(scores.values(), reverse=True)
    ranks = {unit: order.index(score) + 1 for unit, score in scores.items()}
    return _by_score(_with_rank(each, ranks.get(unit_of(each)), constant) for each in fused)


def add_page_support(
    reranked: Sequence[RankedChunk], fused: Sequence[RankedChunk]
) -> list[RankedChunk]:
    """Return reranked candidates by scores that also count the second nearest piece of their page.

    `fused` are all candidates; where none of their pages has a rank, nothing changes.
    """
    if all(each.candidate.page_rank is None for each in fused):
        return list(reranked)
    seconds = {unit: score.second for unit, score in unit_scores(_cosines(fused)).items()}
    least = min(seconds.values())
    told = [seconds.get(unit_of(each), least) for each in reranked]
    low, high = min(told, default=0.0), max(told, default=0.0)
    span = (high - low) or 1.0
    return _by_score(
        _with_score(each, each.candidate.score + _SUPPORT * (second - low) / span, _SUPPORT)
        for each, second in zip(reranked, told, strict=True)
    )


def unit_of(each: RankedChunk) -> Unit:
    """Return the page that a piece stands on; of what has no pages, the range that is read."""
    chunk = each.chunk
    is_page = chunk.locator.kind is LocatorKind.PAGE
    return chunk.document_id, chunk.locator.kind, chunk.locator.value if is_page else chunk.big[0]


def unit_scores(scored: Sequence[tuple[RankedChunk, float]]) -> dict[Unit, UnitScore]:
    """Return what the pieces of each unit got; one that is alone in its unit counts twice."""
    least = min(score for _, score in scored)
    found: dict[Unit, list[float]] = defaultdict(list)
    for each, score in scored:
        unit = unit_of(each)
        found[unit].append(score)
        if _is_alone(each):
            found[unit].append(score)
    best = {unit: sorted([*scores, least], reverse=True) for unit, scores in found.items()}
    return {unit: UnitScore(scores[0], scores[1]) for unit, scores in best.items()}


def _cosines(ranked: Iterable[RankedChunk]) -> list[tuple[RankedChunk, float]]:
    scores = ((each, each.candidate.dense_score) for each in ranked)
    return [(each, score) for each, score in scores if score is not None]


def _have_pages(ranked: Iterable[RankedChunk]) -> bool:
    return any(each.chunk.locator.kind is LocatorKind.PAGE for each in ranked)


def _is_alone(each: RankedChunk) -> bool:
    start, end = each.chunk.big
    return len(each.chunk.text) >= _WHOLE * (end - start)


def _with_rank(each: RankedChunk, rank: int | None, constant: int) -> RankedChunk:
    share = 0.0 if rank is None else (constant + 1) / (constant + rank)
    made = _with_score(each, each.candidate.score + _WEIGHT * share, _WEIGHT)
    return replace(made, candidate=replace(made.candidate, page_rank=rank))


def _with_score(each: RankedChunk, score: float, added: float) -> RankedChunk:
    return replace(each, candidate=replace(each.candidate, score=score / (1.0 + added)))


def _by_score(ranked: Iterable[RankedChunk]) -> list[RankedChunk]:
    return sorted(ranked, key=lambda each: -each.candidate.score)
