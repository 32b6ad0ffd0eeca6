"""The page that compares strategies: its figures, the control's verdict, and what it says first."""

from __future__ import annotations

import pytest

from benchmarks.comparison_page import Run, StrategyMeasurement, line
from desktop_rag.evaluation.datasets import EvalQuestion
from desktop_rag.evaluation.retrieval_run import QuestionRanking, Ranking

GOLD = frozenset({"a", "b"})


def outcomes(*rankings: str) -> list[QuestionRanking]:
    """Return what questions brought whose gold is a and b; each letter is a passage."""
    item = EvalQuestion("1", "Who?", (), GOLD)
    return [QuestionRanking(item, Ranking(tuple(each), 2), 10.0) for each in rankings]


def measured(
    found: list[QuestionRanking], single: list[QuestionRanking], reader: str = "noise 0.0"
) -> StrategyMeasurement:
    return StrategyMeasurement("made-up", "ircot", reader, found, single)


def cells(row: StrategyMeasurement, *, timed: bool = True) -> dict[str, str]:
    page = Run([row], 60.0, timed=timed).page()
    title = next(each for each in page.splitlines() if each.startswith("| questions"))
    names = [each.strip() for each in title.strip("|").split("|")]
    values = [each.strip() for each in line(row, timed=timed).strip("|").split("|")]
    return dict(zip(names, values, strict=True))


def test_its_first_lines_say_that_it_is_a_simulation() -> None:
    page = Run([], 60.0).page()
    assert "**This is a simulation" in "\n".join(page.splitlines()[:6])
    assert "What the papers say" in page


def test_what_is_collected_late_counts_at_its_own_count() -> None:
    row = measured(outcomes("axxxxxxb"), outcomes("axxxxxxxb"))
    told = cells(row)
    assert (told["R@5"], told["R@own"], told["over one search"]) == ("50.0", "100.0", "+50.0")
    assert told["passages"] == "8.0"
    assert told["calls"] == "2.0"


def test_a_strategy_is_held_against_as_many_passages_of_one_search() -> None:
    row = measured(outcomes("ab", "ax"), outcomes("axb", "abx"))
    assert row.gains == [0.5, -0.5]
    assert row.gains_at_5 == [0.0, -0.5]


def test_times_are_left_out_where_nothing_was_timed() -> None:
    row = measured(outcomes("ab"), outcomes("ab"))
    assert cells(row)["ms"] == "10"
    assert cells(row, timed=False)["ms"] == "–"
    assert "Times were not taken" in Run([row], 60.0, timed=False).page()
    assert "minutes" not in Run([row], 60.0, timed=False).page().splitlines()[-1]


@pytest.mark.parametrize(("found", "verdict"), [("ax", "yes"), ("ab", "**no**")])
def test_a_control_that_gains_more_than_a_point_is_told(found: str, verdict: str) -> None:
    page = Run([measured(outcomes(found), outcomes("ax"), "blind")], 60.0).page()
    assert f"| {verdict} |" in page.partition("## The control")[2]


def test_who_does_not_beat_one_search_is_named() -> None:
    better = StrategyMeasurement("made-up", "react", "noise 0.0", outcomes("ab"), outcomes("ax"))
    equal = StrategyMeasurement("made-up", "crag", "noise 0.0", outcomes("ax"), outcomes("ax"))
    page = Run([better, equal], 60.0).page()
    assert "- **noise 0.0**: made-up: `react`.\n  Not: made-up: `crag`.\n" in page
