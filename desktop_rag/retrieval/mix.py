"""What the first stage says and what the reranker says, made one score."""

from __future__ import annotations

import math
from collections.abc import Sequence


def interpolate_scores(
    before: Sequence[float], scores: Sequence[float], weight: float
) -> list[float]:
    """Mix the first stage's scores and the second's, each scaled to [0, 1]."""
    return [
        (1.0 - weight) * first + weight * second
        for first, second in zip(_scaled(before), _scaled(scores), strict=True)
    ]


def subtract_log_ranks(
    before: Sequence[float], scores: Sequence[float], weight: float
) -> list[float]:
    """Take from each score the logarithm of its rank in the first stage, as training did."""
    ranks = tied_ranks(before)
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
