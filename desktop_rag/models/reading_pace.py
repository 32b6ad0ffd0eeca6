"""How much a model reads in a given time on this machine."""

from __future__ import annotations

import threading
from collections.abc import Sequence

_MEASURED = 8  # runs, after the first, which also loads what it needs
_STEP = 4  # counts are multiples, so that what is read hangs on no hair of the time


class ReadingPace:
    """Measured by a model's first runs, each in one thread: their processor time for each byte.

    The least counts, and it stays: what else the machine does then and later changes nothing. A
    byte tells about as much in every script: a token has four to five. Safe to use from several
    threads.
    """

    def __init__(self, threads: int) -> None:
        self._threads = threads
        self._lock = threading.Lock()
        self._runs = -1
        self._least = 0.0

    def note(self, size: int, seconds: float) -> None:
        """Take in a run over so many bytes."""
        if self._runs >= _MEASURED:
            return
        with self._lock:
            self._runs += 1
            if self._runs > 0 and size > 0:
                pace = seconds / size
                self._least = min(self._least, pace) if self._least else pace

    def count_in(self, seconds: float, sizes: Sequence[int]) -> int | None:
        """Return how many inputs, the first of these, are read in a time; None: not measured."""
        if self._runs < _MEASURED:
            return None
        left = seconds * self._threads / self._least
        for count, size in enumerate(sizes):
            left -= size
            if left < 0:
                return count - count % _STEP
        return len(sizes)
