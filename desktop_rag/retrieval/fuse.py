"""One ranking of two: a sum of what cosine and words count, reciprocal ranks, or weighted scores.

The sum is of scores that mean the same for every question, which beats ranks (Bruch et al. 2023);
ranks are for embedders of which nothing is known (Cormack et al. 2009).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import pairwise, zip_longest

from desktop_rag.core.settings import Retrieval
from desktop_rag.core.types import ChunkId, KbId
from desktop_rag.retrieval.query import Candidate

Hits = list[tuple[ChunkId, float]]
_OF_ALL = 1.32
"""What BM25 gives a term that comes about twice in a text of usual length, in its idf."""
_WORDS_POWER = 1.5
"""Of the share of a question's words: some that are there by chance say less than their share."""
_SUMS = 1e-6  # of a score: more than the order of adding makes in single precision


@dataclass(frozen=True, slots=True)
class ScoreScale:
    """What makes the scores of both searches comparable.

    `cosine` is what a cosine of 1 counts beside all of the query's words; `words` the sum of the
    inverse document frequencies of the query's terms: what BM25 gives a passage of usual length
    that holds each once.
    """

    cosine: float
    words: float


def fuse(
    dense: Hits, lexical: Hits, rules: Retrieval, scale: ScoreScale | None = None
) -> list[Candidate]:
    """Join two rankings, each best first, into one with scores in [0, 1], best first.

    Without a `scale` the scores do not compare, and ranks decide.
    """
    if rules.fusion == "auto" and scale is not None:
        scores = _by_sums(dense, lexical, scale, rules.rrf_k)
    elif rules.fusion == "weighted":
        scores = _weighted(dense, lexical, rules.alpha)
    else:
        scores = _reciprocal(dense, lexical, rules.rrf_k)
    return _joined(scores, dense, lexical)


def interleave_models(rankings: Sequence[Hits]) -> Hits:
    """Join rankings of several models, each best first, by rank: their cosines do not compare."""
    found: dict[ChunkId, float] = {}
    for alike in zip_longest(*rankings):
        for hit in alike:
            if hit is not None:
                found.setdefault(*hit)
    return list(found.items())


def join_by_best(first: Hits, second: Hits) -> Hits:
    """Join two rankings by the same model: a chunk has the better of its scores; best first."""
    if not second:
        return first
    best = dict(first)
    for chunk_id, score in second:
        best[chunk_id] = max(score, best.get(chunk_id, score))
    return sorted(best.items(), key=lambda hit: (-hit[1], hit[0]))


def _joined(scores: dict[ChunkId, float], dense: Hits, lexical: Hits) -> list[Candidate]:
    by_dense, by_lexical = _ranks(dense), _ranks(lexical)
    dense_scores, lexical_scores = dict(dense), dict(lexical)
    joined = [
        Candidate(
            chunk_id=chunk_id,
            score=score,
            dense_rank=by_dense.get(chunk_id),
            lexical_rank=by_lexical.get(chunk_id),
            dense_score=dense_scores.get(chunk_id),
            lexical_score=lexical_scores.get(chunk_id),
        )
        for chunk_id, score in scores.items()
    ]
    return sorted(joined, key=_order)


def _order(candidate: Candidate) -> tuple[float, int]:
    """Best score first; equal ones in the order of their ids, so that runs agree."""
    return -candidate.score, candidate.chunk_id


def _ranks(hits: Hits) -> dict[ChunkId, int]:
    """Count from 1; equal scores share the rank of their first, whatever their chunks' numbers.

    Rows of a table often match a question equally well; what the other search says of them decides.
    """
    if not hits:
        return {}
    ranks = [1]
    for place, ((_, better), (_, score)) in enumerate(pairwise(hits), start=2):
        ranks.append(ranks[-1] if math.isclose(better, score, rel_tol=_SUMS) else place)
    return {chunk_id: rank for (chunk_id, _), rank in zip(hits, ranks, strict=True)}


def _reciprocal(dense: Hits, lexical: Hits, constant: int) -> dict[ChunkId, float]:
    """Sum `1 / (k + rank)`, scaled so that first in both is 1."""
    scores: dict[ChunkId, float] = {}
    rankings = [hits for hits in (dense, lexical) if hits]
    for hits in rankings:
        for chunk_id, rank in _ranks(hits).items():
            share = (constant + 1) / (constant + rank) / len(rankings)
            scores[chunk_id] = scores.get(chunk_id, 0.0) + share
    return scores


def _by_sums(dense: Hits, lexical: Hits, scale: ScoreScale, constant: int) -> dict[ChunkId, float]:
    """Order by cosine and words together; the scores are those of the ranks in that order.

    A passage whose cosine is not known has the least there is, and at most 0.
    """
    whole = _OF_ALL * scale.words or 1.0
    sums = {chunk_id: cosine * scale.cosine for chunk_id, cosine in dense}
    unknown = min([0.0, *sums.values()])
    for chunk_id, score in lexical:
        sums[chunk_id] = sums.get(chunk_id, unknown) + (score / whole) ** _WORDS_POWER
    hits = sorted(sums.items(), key=lambda each: (-each[1], each[0]))
    return _reciprocal(hits, [], constant)


def _weighted(dense: Hits, lexical: Hits, alpha: float) -> dict[ChunkId, float]:
    """Sum `alpha · dense + (1 - alpha) · lexical`, each scaled to [0, 1] over its list."""
    scores: dict[ChunkId, float] = {}
    for hits, weight in ((dense, alpha), (lexical, 1.0 - alpha)):
        for chunk_id, score in _scaled(hits):
            scores[chunk_id] = scores.get(chunk_id, 0.0) + weight * score
    return scores


def _scaled(hits: Hits) -> Hits:
    if not hits:
        return []
    scores = [score for _, score in hits]
    best, worst = max(scores), min(scores)
    span = best - worst
    return [(chunk_id, (score - worst) / span if span else 1.0) for chunk_id, score in hits]


def join_bases(kbs: Sequence[KbId], search: Callable[[KbId], Hits], most: int) -> Hits:
    """Join the hits of several knowledge bases; a chunk in two of them counts once."""
    best: dict[ChunkId, float] = {}
    for kb in kbs:
        for chunk_id, score in search(kb):
            best[chunk_id] = max(score, best.get(chunk_id, score))
    joined = sorted(best.items(), key=lambda hit: (-hit[1], hit[0]))
    return joined[:most]
