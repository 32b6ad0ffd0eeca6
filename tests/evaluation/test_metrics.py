from __future__ import annotations

import math
import random

import ir_measures
import pytest
from ir_measures import RR, Qrel, R, ScoredDoc, nDCG

from desktop_rag.evaluation import metrics

RANKING = ["a", "b", "c", "d"]


@pytest.mark.parametrize(("k", "share"), [(1, 0.0), (2, 0.5), (4, 1.0), (10, 1.0)])
def test_recall_is_the_share_of_gold_among_the_first(k: int, share: float) -> None:
    assert metrics.recall(RANKING, {"b", "d"}, k) == share


def test_all_found_wants_every_gold() -> None:
    assert metrics.all_found(RANKING, {"a", "b"}, 2) == 1.0
    assert metrics.all_found(RANKING, {"a", "d"}, 2) == 0.0


def test_reciprocal_rank_looks_at_the_first_gold() -> None:
    assert metrics.reciprocal_rank(RANKING, {"c", "d"}, 10) == pytest.approx(1 / 3)
    assert metrics.reciprocal_rank(RANKING, {"c"}, 2) == 0.0


def test_ndcg_discounts_what_comes_late() -> None:
    assert metrics.ndcg(RANKING, {"a", "b"}, 10) == 1.0
    assert metrics.ndcg(RANKING, {"b"}, 10) == pytest.approx(1 / math.log2(3))
    assert metrics.ndcg(RANKING, {"d"}, 3) == 0.0
    assert metrics.ndcg(RANKING, set(), 3) == 0.0


@pytest.mark.parametrize("seed", range(20))
def test_the_figures_are_those_of_trec_eval(seed: int) -> None:
    dice = random.Random(seed)
    known = [f"d{n}" for n in range(40)]
    ranking = dice.sample(known, dice.randint(1, 30))
    gold = dice.sample(known, dice.randint(1, 6))
    run = [ScoredDoc("q", each, float(-at)) for at, each in enumerate(ranking)]
    told = ir_measures.calc_aggregate(
        [R @ 5, RR @ 10, nDCG @ 10], [Qrel("q", each, 1) for each in gold], run
    )
    assert metrics.recall(ranking, gold, 5) == pytest.approx(told[R @ 5])
    assert metrics.reciprocal_rank(ranking, gold, 10) == pytest.approx(told[RR @ 10])
    assert metrics.ndcg(ranking, gold, 10) == pytest.approx(told[nDCG @ 10])


def test_the_interval_holds_the_mean_and_is_the_same_again() -> None:
    values = [0.0, 1.0] * 50
    low, high = metrics.interval(values)
    assert 35 < low < 50 < high < 65
    assert metrics.interval(values) == [low, high]


def test_no_questions_give_zeros() -> None:
    assert metrics.percent([]) == 0.0
    assert metrics.interval([]) == [0.0, 0.0]
    assert metrics.percentile([], 95) == 0.0
    assert metrics.recall(RANKING, set(), 5) == 0.0
