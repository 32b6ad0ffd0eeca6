"""Distils a reranker's scores into a linear map of query vectors (ITER-RETGEN, section 3.4).

Shao et al. 2023 move the query encoder so that its softmaxed scores of a question's candidates come
near the reranker's, by their Kullback-Leibler divergence. Here the encoder stays, and its vector
`q` becomes `q + Mq`, scaled to length one: `dimensions²` numbers, trained in seconds without a
framework. `M` begins at zero, so that what is not learnt leaves a query as it was.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from desktop_rag.catalog.retriever_adaptations import QueryMap
from desktop_rag.core.cancel import CancelToken
from desktop_rag.models.protocols import Vectors

_TEMPERATURE = 0.05  # of cosines, beside the reranker's scores as they are
_RATE = 1e-3
_BATCH = 32  # questions, as in the paper
_MOST_STEPS = 1000  # as in the paper
_LOOK_EVERY = 10  # steps between two looks at the questions that are not trained on
_PATIENCE = 10  # looks without a better one
_DECAYS = 0.9, 0.999  # Adam's (Kingma & Ba 2015)
_SMALL = 1e-8


@dataclass(frozen=True, slots=True)
class RankedCandidates:
    """A question's vector, its candidates' and the reranker's scores of these.

    Shapes `(dimensions,)`, `(candidates, dimensions)` and `(candidates,)`.
    """

    query: Vectors
    passages: Vectors
    scores: Vectors


@dataclass(frozen=True, slots=True)
class TrainedMap:
    """A map, and the mean divergence on the validation questions without it and with it."""

    query_map: QueryMap
    before: float
    after: float


@dataclass(frozen=True, slots=True)
class _Batch:
    """Questions together: shapes `(n, d)`, `(n, c, d)`, `(n, c)` and `(n, c)`.

    A question with fewer candidates has rows of zeros, which `absent` marks by minus infinity.
    """

    queries: Vectors
    passages: Vectors
    wanted: Vectors
    absent: Vectors

    def part(self, rows: npt.NDArray[np.int64]) -> _Batch:
        return _Batch(self.queries[rows], self.passages[rows], self.wanted[rows], self.absent[rows])


def train_query_map(
    trained: Sequence[RankedCandidates],
    validation: Sequence[RankedCandidates],
    token: CancelToken,
) -> TrainedMap:
    """Return the map that is best on the validation questions; the same at every run."""
    learning, looking = _joined(trained), _joined(validation)
    size = learning.queries.shape[1]
    weights = np.zeros((size, size), np.float32)
    before = best = _divergence(weights, looking)
    chosen, behind = weights, 0
    for step, now in enumerate(_adam(weights, learning), 1):
        token.check()
        if step % _LOOK_EVERY:
            continue
        reached = _divergence(now, looking)
        behind += 1
        if reached < best:
            best, chosen, behind = reached, now.copy(), 0
        if behind == _PATIENCE:
            break
    return TrainedMap(chosen.astype(np.float16), before, best)


def _adam(weights: Vectors, learning: _Batch) -> Iterator[Vectors]:
    """Change the weights step by step, and yield them after each."""
    random = np.random.default_rng(0)
    mean, square = np.zeros_like(weights), np.zeros_like(weights)
    count = len(learning.queries)
    for step in range(1, _MOST_STEPS + 1):
        rows = random.choice(count, min(_BATCH, count), replace=False)
        slope = _slope(weights, learning.part(rows))
        mean += (1 - _DECAYS[0]) * (slope - mean)
        square += (1 - _DECAYS[1]) * (slope * slope - square)
        scaled = np.sqrt(square / (1 - _DECAYS[1] ** step)) + _SMALL
        weights -= _RATE * (mean / (1 - _DECAYS[0] ** step)) / scaled
        yield weights


def _divergence(weights: Vectors, some: _Batch) -> float:
    """Return the mean Kullback-Leibler divergence of the cosines from the reranker's scores."""
    scores = _cosines(weights, some)[0] / _TEMPERATURE + some.absent
    scores -= scores.max(axis=1, keepdims=True)
    given = scores - np.log(np.exp(scores).sum(axis=1, keepdims=True))
    is_wanted = some.wanted > 0
    ratio = np.log(some.wanted, where=is_wanted, out=np.zeros_like(some.wanted))
    ratio -= np.where(is_wanted, given, 0)
    return float((some.wanted * ratio).sum(axis=1).mean())


def _slope(weights: Vectors, some: _Batch) -> Vectors:
    """Return the gradient of the mean divergence by the weights."""
    cosines, moved, lengths = _cosines(weights, some)
    given = _softmax(cosines / _TEMPERATURE + some.absent)
    pull = np.einsum("nc,ncd->nd", given - some.wanted, some.passages) / _TEMPERATURE
    along = (pull * moved).sum(axis=1, keepdims=True)
    by_query = (pull - along * moved) / lengths
    slope: Vectors = by_query.T @ some.queries / len(some.queries)
    return slope


def _cosines(weights: Vectors, some: _Batch) -> tuple[Vectors, Vectors, Vectors]:
    """Return cosines, moved queries of length one, and how long these were: `(n, 1)`."""
    moved = some.queries + some.queries @ weights.T
    lengths = np.maximum(np.linalg.norm(moved, axis=1, keepdims=True), _SMALL)
    moved = moved / lengths
    return np.einsum("nd,ncd->nc", moved, some.passages), moved, lengths


def _softmax(scores: Vectors) -> Vectors:
    raised = np.exp(scores - scores.max(axis=1, keepdims=True))
    made: Vectors = raised / raised.sum(axis=1, keepdims=True)
    return made


def _joined(some: Sequence[RankedCandidates]) -> _Batch:
    size, most = len(some[0].query), max(len(each.scores) for each in some)
    passages = np.zeros((len(some), most, size), np.float32)
    scores = np.full((len(some), most), -np.inf, np.float32)
    for at, each in enumerate(some):
        passages[at, : len(each.scores)] = each.passages
        scores[at, : len(each.scores)] = each.scores
    absent = np.where(np.isneginf(scores), scores, np.float32(0))
    return _Batch(np.stack([each.query for each in some]), passages, _softmax(scores), absent)
