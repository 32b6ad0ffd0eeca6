"""A measured run: every question asked once, and one row of figures."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from desktop_rag.core.cancel import CancelToken
from desktop_rag.core.events import ListingRow
from desktop_rag.evaluation import metrics
from desktop_rag.evaluation.datasets import EvalQuestion

_DEPTH = 10
"""The passages that the deepest figure of every row looks at."""


@dataclass(frozen=True, slots=True)
class Ranking:
    """What one question brought: corpus ids, best first, and how many model calls it took."""

    ids: tuple[str, ...]
    llm_calls: int = 0


Retrieve = Callable[[EvalQuestion], Ranking]


@dataclass(frozen=True, slots=True)
class QuestionRanking:
    """One question's ranking, and the milliseconds that it took."""

    item: EvalQuestion
    found: Ranking
    milliseconds: float


@dataclass(frozen=True, slots=True)
class ScoredRow(ListingRow):
    """A row of figures, with what each question scored in [0, 1], by its id; told in the window."""

    scores: Mapping[str, float] = field(default_factory=dict, repr=False)

    def as_json(self) -> dict[str, Any]:
        """Return the figures alone."""
        return dict(self.values)


def depth(ks: Sequence[int]) -> int:
    """Return how many passages a row's figures need: a recall at 2 alone is not all of them."""
    return max(_DEPTH, *ks)


def measure_questions(
    items: Sequence[EvalQuestion], retrieve: Retrieve, token: CancelToken
) -> Iterator[QuestionRanking]:
    """Ask every question that has gold; yield the outcomes as they come."""
    for item in items:
        token.check()
        if not item.gold:
            continue
        begun = time.perf_counter()
        found = retrieve(item)
        yield QuestionRanking(item, found, 1000.0 * (time.perf_counter() - begun))


def retrieval_row(
    dataset: str, strategy: str, outcomes: Sequence[QuestionRanking], ks: Sequence[int]
) -> dict[str, Any]:
    """Return the figures of a run, shares in percent; `interval` is that of recall@5."""
    made: dict[str, Any] = {
        "dataset": dataset,
        "strategy": strategy,
        "questions": len(outcomes),
    }
    for k in ks:
        made[f"recall@{k}"] = metrics.percent(_each(outcomes, metrics.recall, k))
    taken = [outcome.milliseconds for outcome in outcomes]
    made["all@5"] = metrics.percent(_each(outcomes, metrics.all_found, 5))
    made["mrr@10"] = metrics.percent(_each(outcomes, metrics.reciprocal_rank, _DEPTH))
    made["ndcg@10"] = metrics.percent(_each(outcomes, metrics.ndcg, _DEPTH))
    made["passages"] = _mean([len(outcome.found.ids) for outcome in outcomes])
    made["llm_calls"] = _mean([outcome.found.llm_calls for outcome in outcomes])
    made["ms_p50"] = metrics.percentile(taken, 50)
    made["ms_p95"] = metrics.percentile(taken, 95)
    made["interval"] = metrics.interval(_each(outcomes, metrics.recall, 5))
    return made


def scores(outcomes: Sequence[QuestionRanking]) -> dict[str, float]:
    """Return each question's recall@5."""
    return {each.item.id: metrics.recall(each.found.ids, each.item.gold, 5) for each in outcomes}


def _each(
    outcomes: Sequence[QuestionRanking], measure: Callable[[Sequence[str], Any, int], float], k: int
) -> list[float]:
    return [measure(outcome.found.ids, outcome.item.gold, k) for outcome in outcomes]


def _mean(counts: Sequence[int]) -> float:
    return round(sum(counts) / len(counts), 2) if counts else 0.0
