"""Gaussian mixtures with full covariances, their number of components chosen by BIC.

Expectation maximisation from k-means++ (Arthur & Vassilvitskii 2007); all of it from a fixed seed,
so that the same points always give the same clusters.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

Points = npt.NDArray[np.float64]
Check = Callable[[], None]
"""Raises where the work is to be stopped."""

_ROUNDS = 60  # of expectation maximisation, at most
_MEANS_ROUNDS = 20  # of k-means before that, at most
_LEAST_GAIN = 1e-3  # of the mean log likelihood, in a round
_RIDGE = 0.02  # of a component's covariance, as a share of the points' own: few points have none
_STEPS = (1, 2, 3, 4, 6, 8, 11, 15, 20, 27, 36, 50)  # components that are tried first


@dataclass(frozen=True, slots=True)
class Mixture:
    """A fitted mixture: how likely a point is each component's, shape `(n, k)`; and its BIC."""

    shares: Points
    bic: float

    @property
    def components(self) -> int:
        """How many components it has."""
        return int(self.shares.shape[1])


def best_mixture(points: Points, most: int, seed: int, check: Check, least: int = 1) -> Mixture:
    """Return the mixture of the lowest BIC with `least` to `most` components.

    `points` have shape `(n, d)`. Not every number is tried: first steps that grow by a third, then
    the numbers around the best of them.
    """
    least = max(1, min(least, len(points) - 1))
    most = max(least, min(most, len(points) - 1))
    known: dict[int, Mixture] = {}

    def tried(count: int) -> float:
        check()
        if count not in known:
            known[count] = fit_mixture(points, count, seed)
        return known[count].bic

    steps = [each for each in _STEPS if least <= each <= most] or [least]
    at = steps.index(min(steps, key=tried))
    low, high = steps[max(0, at - 1)], steps[min(len(steps) - 1, at + 1)]
    while high - low > 2:
        third = max(1, (high - low) // 3)
        if tried(low + third) <= tried(high - third):
            high -= third
        else:
            low += third
    for count in range(low, high + 1):
        tried(count)
    return min(known.values(), key=lambda each: (each.bic, each.components))


def fit_mixture(points: Points, count: int, seed: int) -> Mixture:
    """Fit a mixture of `count` components to points of shape `(n, d)`."""
    size, width = points.shape
    ridge = _RIDGE * max(float(points.var()), 1e-12) * np.eye(width)
    shares = _nearest(points, count, seed)
    before = -np.inf
    for _ in range(_ROUNDS):
        weights, means, roots = _maximised(points, shares, ridge)
        logs = _log_densities(points, means, roots) + np.log(weights)
        top = logs.max(axis=1, keepdims=True)
        each = top[:, 0] + np.log(np.exp(logs - top).sum(axis=1))
        shares = np.exp(logs - each[:, None])
        likelihood = float(each.mean())
        if likelihood - before < _LEAST_GAIN:
            break
        before = likelihood
    free = count * (width + width * (width + 1) / 2) + count - 1
    return Mixture(shares, free * np.log(size) - 2.0 * size * likelihood)


def _nearest(points: Points, count: int, seed: int) -> Points:
    """Return which of `count` means each point is nearest to, 1 or 0, by k-means."""
    centres = _seeds(points, count, np.random.default_rng(seed))
    for _ in range(_MEANS_ROUNDS):
        apart = (centres**2).sum(axis=1) - 2.0 * points @ centres.T
        shares = np.eye(count)[apart.argmin(axis=1)]
        counts = shares.sum(axis=0)[:, None]
        moved = np.where(counts > 0.0, shares.T @ points / np.maximum(counts, 1.0), centres)
        if np.array_equal(moved, centres):
            break
        centres = moved
    return np.asarray(shares)


def _seeds(points: Points, count: int, chance: np.random.Generator) -> Points:
    """Return points that lie far from each other, by k-means++."""
    chosen = [points[int(chance.integers(len(points)))]]
    far = ((points - chosen[0]) ** 2).sum(axis=1)
    while len(chosen) < count:
        total = float(far.sum())
        odds = far / total if total > 0.0 else None
        chosen.append(points[int(chance.choice(len(points), p=odds))])
        far = np.minimum(far, ((points - chosen[-1]) ** 2).sum(axis=1))
    return np.stack(chosen)


def _maximised(points: Points, shares: Points, ridge: Points) -> tuple[Points, Points, Points]:
    """Return weights `(k,)`, means `(k, d)`, and the roots of the precisions `(k, d, d)`."""
    counts = shares.sum(axis=0) + 10.0 * np.finfo(np.float64).eps
    means = shares.T @ points / counts[:, None]
    spread = np.empty((len(counts), points.shape[1], points.shape[1]))
    for at, mean in enumerate(means):
        apart = points - mean
        spread[at] = (shares[:, at, None] * apart).T @ apart / counts[at] + ridge
    roots = np.linalg.inv(np.linalg.cholesky(spread))
    return counts / counts.sum(), means, roots


def _log_densities(points: Points, means: Points, roots: Points) -> Points:
    """Return the logarithm of each component's density at each point, shape `(n, k)`."""
    width = points.shape[1]
    logs = np.empty((len(points), len(means)))
    for at, (mean, root) in enumerate(zip(means, roots, strict=True)):
        apart = (points - mean) @ root.T
        logs[:, at] = np.log(np.diag(root)).sum() - 0.5 * (apart**2).sum(axis=1)
    return np.asarray(logs - 0.5 * width * np.log(2.0 * np.pi))
