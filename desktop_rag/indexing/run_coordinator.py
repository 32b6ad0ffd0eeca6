"""Lets several indexing runs of one process share the machine without doing work twice."""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Iterable

from desktop_rag.core.types import KbId


class RunCoordinator:
    """One lock for the heavy steps, and a note of which files somebody is at work on.

    `step` is held for one batch of embedding or one file's storing, never longer; `recognition` for
    one page whose text is recognised.
    """

    def __init__(self) -> None:
        self.step = threading.Lock()
        self.recognition = threading.Lock()
        self._lock = threading.Lock()
        self._claimed: set[tuple[KbId, str]] = set()
        self._running: Counter[KbId] = Counter()

    def begin(self, kb: KbId) -> None:
        """Note a run of a knowledge base, until its `end`."""
        with self._lock:
            self._running[kb] += 1

    def end(self, kb: KbId, paths: Iterable[str]) -> None:
        """Note the end of a run, and give back what it has claimed."""
        self.release(kb, paths)
        with self._lock:
            self._running[kb] -= 1

    def is_shared(self, kb: KbId) -> bool:
        """Say whether several runs are at work on a knowledge base."""
        with self._lock:
            return self._running[kb] > 1

    def claim(self, kb: KbId, path: str) -> bool:
        """Take a file; False when another run has it."""
        with self._lock:
            is_free = (kb, path) not in self._claimed
            self._claimed.add((kb, path))
            return is_free

    def release(self, kb: KbId, paths: Iterable[str]) -> None:
        """Give files back, done or not."""
        with self._lock:
            self._claimed.difference_update((kb, path) for path in paths)

    def is_claimed(self, kb: KbId, path: str) -> bool:
        """Say whether some run is at work on a file."""
        with self._lock:
            return (kb, path) in self._claimed
