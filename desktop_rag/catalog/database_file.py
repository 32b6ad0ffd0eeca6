"""A database's file as bytes, read beside SQLite without taking its locks away.

POSIX drops all locks that a process holds on a file when it closes any descriptor of it
(sqlite.org/howtocorrupt.html, 2.2). Another process that closes the database then thinks itself
the last and deletes the log of one that is still written. So what is read here stays open, to be
read again, until this process has no connection to the file.
"""

from __future__ import annotations

import contextlib
import io
import os
import sqlite3
import threading
from collections import Counter, defaultdict
from pathlib import Path

_lock = threading.Lock()
_connections: Counter[tuple[int, int]] = Counter()
_unused: defaultdict[tuple[int, int], list[io.FileIO]] = defaultdict(list)


class FileBytes:
    """A file's bytes as they are when asked for, as many as when it was opened. Close it.

    Zeros stand where the file was cut meanwhile.
    """

    def __init__(self, path: Path) -> None:
        self._raw = _opened(path)
        self._reader = io.BufferedReader(self._raw)
        found = os.fstat(self._raw.fileno())
        self._key = (found.st_dev, found.st_ino)
        self._size = found.st_size

    def __len__(self) -> int:
        return self._size

    def __getitem__(self, part: slice) -> bytes:
        """Return the bytes from one place to another, fewer at the file's end."""
        start, stop, _ = part.indices(self._size)
        wanted = max(0, stop - start)
        self._reader.seek(start)
        return self._reader.read(wanted).ljust(wanted, b"\0")

    def close(self) -> None:
        """Let go of the file, which may stay open."""
        self._reader.detach()
        with _lock:
            if _connections[self._key]:
                _unused[self._key].append(self._raw)
            else:
                self._raw.close()


class Connection(sqlite3.Connection):
    """A connection that is counted while it is open, by the file it was opened for."""

    _key: tuple[int, int] | None = None

    def count(self, path: Path) -> None:
        """Let what else is opened of the file stay open as long as this is."""
        with contextlib.suppress(OSError):
            found = path.stat()
            with _lock:
                self._key = (found.st_dev, found.st_ino)
                _connections[self._key] += 1

    def close(self) -> None:
        """Close it; harmless when called again."""
        super().close()
        key, self._key = self._key, None
        if key is None:
            return
        with _lock:
            _connections[key] -= 1
            if _connections[key]:
                return
            del _connections[key]
            for raw in _unused.pop(key, ()):
                raw.close()


def _opened(path: Path) -> io.FileIO:
    """Return the file, opened before if it can be."""
    found = path.stat()
    with _lock:
        if unused := _unused.get((found.st_dev, found.st_ino)):
            return unused.pop()
    return io.FileIO(path)
