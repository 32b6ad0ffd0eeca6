"""Doing something often asked for only so often."""

from __future__ import annotations

import time

from PySide6.QtCore import QObject, QTimer, Signal, Slot


class Throttle(QObject):
    """`due` comes at most every `interval_ms`, and once more after the last `ask()`.

    When what is done at `due` is slow, the pause grows with it: it may take a third of the time.
    """

    due = Signal()

    def __init__(self, interval_ms: int, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._interval = self._pause = interval_ms
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.timeout.connect(self._fire)

    def ask(self) -> None:
        """Want it done soon."""
        if not self._timer.isActive():
            self._timer.start(self._pause)

    def now(self) -> None:
        """Do it at once."""
        self._timer.stop()
        self._fire()

    @Slot()
    def _fire(self) -> None:
        began = time.perf_counter()
        self.due.emit()
        took_ms = (time.perf_counter() - began) * 1000
        self._pause = max(self._interval, int(took_ms * 2))
