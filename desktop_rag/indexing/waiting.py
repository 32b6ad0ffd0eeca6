"""The files that a run still has to read, in an order that the user may change meanwhile."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable, Iterator, Sequence

_ASK_AGAIN = 0.5  # seconds between looks at what is wanted first


class FileQueue:
    """Gives each path once; what `first` names, asked every half second, before all others.

    `first` may also name files that came to the queue after the run began.
    """

    def __init__(self, paths: Sequence[str], first: Callable[[], list[str]]) -> None:
        self._order = deque(paths)
        self._given: set[str] = set()
        self._first = first
        self._ahead: deque[str] = deque()
        self._asked = -_ASK_AGAIN

    def __iter__(self) -> Iterator[str]:
        while True:
            path = self._next()
            if path is None:
                return
            self._given.add(path)
            yield path

    def _next(self) -> str | None:
        now = time.monotonic()
        if now - self._asked >= _ASK_AGAIN:
            self._asked = now
            self._ahead = deque(self._first())
        for line in (self._ahead, self._order):
            while line:
                path = line.popleft()
                if path not in self._given:
                    return path
        return None
