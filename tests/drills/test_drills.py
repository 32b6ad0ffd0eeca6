"""The drills in the suite, among the slow tests."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.drills.__main__ import DRILLS, Drill
from tests.drills.consistency_check import differing
from tests.drills.report import HEADINGS, Score, table

SHORT = "Chroma damaged"
"""The drill of which one round is the shortest."""


@pytest.mark.slow
@pytest.mark.timeout(3600)
@pytest.mark.parametrize("drill", DRILLS, ids=lambda each: each.name)
def test_nothing_is_lost_or_doubled_and_searches_stay_right(drill: Drill, tmp_path: Path) -> None:
    score = Score(drill.name)
    drill.run(score, tmp_path, 50, 2026)
    if score.skipped:
        pytest.skip(score.skipped)
    assert score.findings == []


@pytest.mark.slow
def test_a_short_drill_finds_nothing(tmp_path: Path) -> None:
    score = Score(SHORT)
    (drill,) = (each for each in DRILLS if each.name == SHORT)
    drill.run(score, tmp_path, 1, 2026)
    if score.skipped:
        pytest.skip(score.skipped)
    assert score.rounds
    assert score.findings == []


def test_the_table_counts_what_was_found() -> None:
    score = Score("made up")
    with score.round("first"):
        score.lost.append("a.txt is missing")
        score.expect(False, "nothing was said")
    assert score.findings == [
        "fault: round 1 (first): nothing was said",
        "lost: round 1 (first): a.txt is missing",
    ]
    heading, row = table([score]).splitlines()
    assert heading.split() == ["drill", *" ".join(HEADINGS[1:]).split()]
    assert row.split() == ["made", "up", "1", "1", "0", "0", "0", "1", "0"]


def test_a_passage_that_is_missing_or_scored_otherwise_is_a_difference() -> None:
    def passage(path: str, score: float) -> dict[str, object]:
        more = {"dense_score": 0.5, "lexical_score": None, "rerank_score": None}
        return {"path": path, "other_paths": [], "text": "…", "score": score, **more}

    whole = [passage("a", 0.9), passage("b", 0.9), passage("c", 0.1)]
    assert differing(whole, whole) == ""
    assert differing([whole[1], whole[0], whole[2]], whole) == ""
    assert differing(whole[:2], whole)
    assert differing([passage("x", 0.9), *whole[1:]], whole)
    assert differing([passage("a", 0.8), *whole[1:]], whole)
