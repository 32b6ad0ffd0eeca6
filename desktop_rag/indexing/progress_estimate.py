"""How far an indexing run has come: outcomes counted, speed and time left estimated."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

from desktop_rag.core.events import FileDone, IndexDone, IndexProgress
from desktop_rag.core.types import FileStatus

_RATED_FROM = 1.0  # seconds; before, an estimate would jump
_RELIABLE_FROM = 10.0  # seconds after which a rate says something of other folders
_RELIABLE_BYTES = 200_000


class ProgressEstimator:
    """Counts a run's outcomes.

    Time left is estimated by bytes, which `sizes` tells of paths: files differ too much in size to
    count them alike.
    """

    def __init__(self, sizes: Callable[[Sequence[str]], list[int]]) -> None:
        self._sizes_of = sizes
        self._began = time.monotonic()
        self._sizes: dict[str, int] = {}
        self._read = self._left = 0
        self._statuses: Counter[str] = Counter()
        self._done = 0
        self.chunks = 0

    def expect(self, waiting: Sequence[str]) -> None:
        """Say which files there are still to read."""
        self._sizes = dict(zip(waiting, self._sizes_of(waiting), strict=True))
        self._left = sum(self._sizes.values())

    def expect_also(self, path: str) -> None:
        """Expect a file that came to the queue later; one that is expected already counts once."""
        if path not in self._sizes:
            (self._sizes[path],) = self._sizes_of([path])
            self._left += self._sizes[path]

    @property
    def rate(self) -> float | None:
        """Bytes read in a second, None when too little was read to tell."""
        elapsed = time.monotonic() - self._began
        if elapsed < _RELIABLE_FROM or self._read < _RELIABLE_BYTES:
            return None
        return self._read / elapsed

    def count(self, done: FileDone) -> None:
        """Take a file's outcome in."""
        self._statuses[done.status.value] += 1
        self._done += 1
        size = self._sizes.pop(done.path, 0)
        self._read += size
        self._left -= size
        if done.status is FileStatus.READY:
            self.chunks += done.chunks

    def progress(self, stage: str, current: str = "", ahead: int = 0) -> IndexProgress:
        """Return the state of things; `ahead` chunks are embedded but not stored yet."""
        elapsed = time.monotonic() - self._began
        chunks = self.chunks + ahead
        known = elapsed >= _RATED_FROM and self._read > 0
        return IndexProgress(
            done=self._done,
            total=self._done + len(self._sizes),
            current=current,
            stage=stage,
            chunks=chunks,
            chunks_per_second=chunks / elapsed if elapsed > 0 else 0.0,
            eta=elapsed * self._left / self._read if known else None,
        )

    def recognizing(self, current: str, page: int, pages: int) -> IndexProgress:
        """Return the state of things while the text of a file's pages is recognised."""
        return replace(self.progress("recognize", current), page=page, pages=pages, eta=None)

    def finished(self) -> IndexDone:
        """Return the run's last event."""
        return IndexDone(dict(self._statuses), self.chunks, time.monotonic() - self._began)


def embedding_anew(done: int, total: int, elapsed: float) -> IndexProgress:
    """Return the state of things while chunks get vectors of another model."""
    rate = done / elapsed if elapsed > 0 else 0.0
    left = max(total - done, 0)
    eta = left / rate if rate and elapsed >= _RATED_FROM else None
    return IndexProgress(done, max(done, total), "", "reembed", done, rate, eta)


def name_of(path: str) -> str:
    """Return a file's name for a line of progress."""
    return Path(path).name
