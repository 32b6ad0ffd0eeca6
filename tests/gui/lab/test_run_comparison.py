"""A run beside the one before."""

from __future__ import annotations

from desktop_rag.core.evaluation_records import EvaluationResult, EvaluationRun
from desktop_rag.gui.lab.evaluation_jobs import csv_of
from desktop_rag.gui.lab.run_comparison import changed_settings, previous_run, score_change


def way(**scores: float) -> EvaluationResult:
    return EvaluationResult({"strategy": "single_pass"}, scores)


def run(number: int, measured: EvaluationResult) -> EvaluationRun:
    return EvaluationRun("set:1", "retrieval", (measured,), made=100.0 + number, id=number)


def test_a_gain_names_the_questions_that_made_it() -> None:
    before = run(1, way(a=0.0, b=1.0, c=1.0, d=0.5))
    found = score_change(way(a=1.0, b=1.0, c=0.0, d=1.0), before)
    assert found is not None
    assert (found.points, found.since, found.asked, found.is_all) == (12.5, 101.0, 4, True)
    assert (found.found, found.lost) == (("a", "d"), ("c",))


def test_only_questions_of_both_runs_are_compared() -> None:
    found = score_change(way(a=1.0, new=0.0), run(1, way(a=0.0, gone=1.0)))
    assert found is not None
    assert (found.points, found.asked, found.is_all) == (100.0, 1, False)


def test_there_is_nothing_to_compare_with_at_first() -> None:
    other = EvaluationResult({"strategy": "bm25"}, {"a": 1.0})
    assert score_change(way(a=1.0), None) is None
    assert score_change(way(a=1.0), run(1, other)) is None
    assert score_change(way(a=1.0), run(1, way(b=1.0))) is None


def test_the_run_before_is_the_next_older_one_that_measured_the_way() -> None:
    ours, other = way(a=1.0), EvaluationResult({"strategy": "bm25"}, {"a": 1.0})
    runs = [run(7, ours), run(5, other), run(3, ours), run(2, ours)]
    assert previous_run(runs, runs[0], ours) is runs[2]
    assert previous_run(runs, runs[1], other) is None
    assert previous_run(runs, runs[3], ours) is None


def test_a_run_over_other_questions_is_passed_over() -> None:
    ours = way(a=1.0, b=0.0)
    runs = [run(7, ours), run(5, way(z=1.0)), run(3, way(b=1.0))]
    assert previous_run(runs, runs[0], ours) is runs[2]


def test_settings_that_differ_are_named() -> None:
    assert changed_settings({"a": "1", "b": "2", "new": "3"}, {"a": "1", "b": "1"}) == ("b",)


def test_figures_become_a_table_with_the_interval_in_two_columns() -> None:
    rows = [
        {"strategy": "bm25", "recall@5": 80.0, "interval": [70.0, 90.0]},
        {"strategy": "crag", "recall@5": 81.5, "refused_right": None},
    ]
    assert csv_of(rows).splitlines() == [
        "strategy,recall@5,interval_low,interval_high,refused_right",
        "bm25,80.0,70.0,90.0,",
        "crag,81.5,,,",
    ]
