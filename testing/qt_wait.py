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


def wait_for(what: Callable[[], object], seconds: float = 150.0) -> None:
    """Let the event loop run until something is so."""
    until = time.monotonic() + seconds
    while not what():
        assert time.monotonic() < until, f"it did not come to pass within {seconds} s"
        pause(20)
