"""How good a ranking is: recall, all-gold, reciprocal rank, and how sure the mean of it is."""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Sequence

import numpy as np

_RESAMPLES = 2000


def recall(ranking: Sequence[str], gold: Collection[str], k: int) -> float:
    """Return the share of the gold that stands among the first k; 0 where there is no gold."""
    return len(set(ranking[:k]) & set(gold)) / len(gold) if gold else 0.0


def all_found(ranking: Sequence[str], gold: Collection[str], k: int) -> float:
    """Return 1 if all of the gold stands among the first k, else 0."""
    return float(bool(gold) and set(gold) <= set(ranking[:k]))


def reciprocal_rank(ranking: Sequence[str], gold: Collection[str], k: int) -> float:
    """Return 1 / rank of the first gold among the first k, else 0."""
    return next((1.0 / rank for rank, each in _first(ranking, k) if each in gold), 0.0)


def ndcg(ranking: Sequence[str], gold: Collection[str], k: int) -> float:
    """Return the discounted gain of the gold among the first k, as a share of the best possible.

    Järvelin & Kekäläinen 2002, each gold worth 1; what trec_eval calls ndcg_cut.
    """
    wanted = set(gold)
    found = sum(1 / math.log2(rank + 1) for rank, each in _first(ranking, k) if each in wanted)
    best = sum(1 / math.log2(rank + 1) for rank in range(1, min(k, len(wanted)) + 1))
    return found / best if best else 0.0


def percent(values: Sequence[float]) -> float:
    """Return the mean in percent, to a tenth."""
    return round(100.0 * float(np.mean(values)), 1) if len(values) else 0.0


def interval(values: Sequence[float]) -> list[float]:
    """Return the bootstrap 95 % interval of the mean, in percent; the same at every run."""
    if not len(values):
        return [0.0, 0.0]
    drawn = np.random.default_rng(0).choice(np.asarray(values), (_RESAMPLES, len(values)))
    low, high = np.percentile(drawn.mean(axis=1), [2.5, 97.5])
    return [round(100.0 * float(low), 1), round(100.0 * float(high), 1)]


def percentile(values: Sequence[float], share: float) -> float:
    """Return the value under which `share` percent of the values lie, to a tenth."""
    return round(float(np.percentile(values, share)), 1) if len(values) else 0.0


def _first(ranking: Sequence[str], k: int) -> Iterable[tuple[int, str]]:
    return enumerate(ranking[:k], start=1)
