"""What is asked for often is done now and then; the slower it is, the more seldom."""

from __future__ import annotations

import pytest
from PySide6.QtWidgets import QApplication

from desktop_rag.gui.widgets import throttle
from desktop_rag.gui.widgets.throttle import Throttle
from testing.qt_wait import wait_for


class _Clock:
    """A clock that stands until it is told how long something took."""

    def __init__(self) -> None:
        self.now = 0.0
        self.took = 0.0

    def perf_counter(self) -> float:
        return self.now

    def work(self) -> None:
        self.now += self.took


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> _Clock:
    clock = _Clock()
    monkeypatch.setattr(throttle, "time", clock)
    return clock


def _pause_ms(throttled: Throttle) -> int:
    throttled.ask()
    return throttled._timer.interval()


@pytest.mark.parametrize(("took", "pause"), [(0.002, 36), (0.25, 500)], ids=["quick", "slow"])
def test_what_is_done_takes_a_third_of_the_time_at_most(
    qapp: QApplication, clock: _Clock, took: float, pause: int
) -> None:
    throttled = Throttle(36)
    throttled.due.connect(clock.work)
    clock.took = took
    throttled.now()
    assert _pause_ms(throttled) == pause


def test_the_pause_shrinks_again_when_the_work_does(qapp: QApplication, clock: _Clock) -> None:
    throttled = Throttle(5)
    throttled.due.connect(clock.work)
    clock.took = 0.02
    throttled.now()
    clock.took = 0.001
    throttled.ask()
    wait_for(lambda: clock.now > 0.02)
    assert _pause_ms(throttled) == 5
