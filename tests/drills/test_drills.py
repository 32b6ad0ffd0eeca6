"""The drills in the suite: short ones among the quick tests, all of each among the slow ones."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.drills.__main__ import DRILLS, Drill
from tests.drills.score import Score

pytestmark = pytest.mark.timeout(3600)


@pytest.mark.slow
@pytest.mark.parametrize("drill", DRILLS, ids=lambda each: each.name)
def test_nothing_is_lost_or_doubled_and_searches_stay_right(drill: Drill, tmp_path: Path) -> None:
    score = Score(drill.name)
    drill.run(score, tmp_path, 50, 2026)
    assert score.findings == []


def test_two_kills_lose_nothing_and_double_nothing(tmp_path: Path) -> None:
    score = Score("kill -9")
    (drill,) = (each for each in DRILLS if each.name == "kill -9")
    drill.run(score, tmp_path, 2, 2026)
    assert score.findings == []
