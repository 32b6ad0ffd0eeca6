"""What figures are made of: how sure a mean is, shares of scores, how alike two answers are."""

from __future__ import annotations

import re
import string
from collections import Counter
from collections.abc import Iterable

import numpy as np


def interval(values: np.ndarray, draws: int = 2000) -> tuple[float, float]:
    """Return the bootstrap 95 % interval of a mean."""
    dice = np.random.default_rng(1)
    means = dice.choice(values, (draws, len(values))).mean(axis=1)
    low, high = np.quantile(means, (0.025, 0.975))
    return float(low), float(high)


def log_softmax(scores: np.ndarray) -> np.ndarray:
    """Return the logarithms of the shares that scores stand for."""
    if not len(scores):
        return scores
    shifted = scores - scores.max()
    return np.asarray(shifted - np.log(np.exp(shifted).sum()))


def plain(text: str) -> str:
    """Return an answer without case, marks and articles (Rajpurkar et al. 2016)."""
    bare = "".join(c for c in text.casefold() if c not in string.punctuation)
    return " ".join(re.sub(r"\b(a|an|the)\b", " ", bare).split())


def token_f1(said: str, wanted: str) -> float:
    """Return the F1 of two answers' words, as SQuAD counts it."""
    one, other = Counter(plain(said).split()), Counter(plain(wanted).split())
    hit = sum((one & other).values())
    return 2 * hit / (sum(one.values()) + sum(other.values())) if hit else 0.0


def precision_at(none: Iterable[float], some: Iterable[float], recall: float) -> float:
    """Return how often "no answer" is right at the margin that finds `recall` of `none`."""
    low = np.array(list(none))
    below = np.quantile(low, recall)
    wrong = int((np.array(list(some)) <= below).sum())
    hit = int((low <= below).sum())
    return round(hit / max(1, hit + wrong), 3)
