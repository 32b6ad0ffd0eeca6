"""Letting the event loop run, for a while or until something is so."""

from __future__ import annotations

import time
from collections.abc import Callable

from PySide6.QtCore import QEventLoop, QTimer


def pause(milliseconds: int) -> None:
    """Let the event loop run for a while. (QTest.qWait keeps other threads from running.)"""
    loop = QEventLoop()
    QTimer.singleShot(milliseconds, loop.quit)
    loop.exec()


def wait_for(
    what: Callable[[], object],
    seconds: float = 150.0,
    state: Callable[[], object] | None = None,
) -> None:
    """Let the event loop run until something is so; `state` is what a failure tells."""
    until = time.monotonic() + seconds
    while not what():
        if time.monotonic() > until:
            told = "" if state is None else f": {state()}"
            raise AssertionError(f"it did not come to pass within {seconds} s{told}")
        pause(20)
