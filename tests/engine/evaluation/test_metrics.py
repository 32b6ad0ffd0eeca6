from __future__ import annotations

import pytest

from desktop_rag.engine.evaluation import metrics

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
