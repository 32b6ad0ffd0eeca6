"""The pages of a SQLite file, with what its write-ahead log adds to them; nothing is written.

SQLite gives up a log at its first wrong frame. Each frame's sum starts from the one before it,
which that one states: so every other frame can be proved by itself, and is used.
"""

from __future__ import annotations

import contextlib
import struct
import sys
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from itertools import takewhile
from operator import attrgetter
from pathlib import Path
from typing import TYPE_CHECKING

from desktop_rag.catalog.database_file import FileBytes

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

HEADER = 100
_PAGE_SIZE = 4096  # SQLite's own choice, which the catalog leaves as it is
_SIZES = {512 << power for power in range(8)}
_KINDS = {b"\x02", b"\x05", b"\x0a", b"\x0d"}
_LOOKED_AT = 200  # pages by which a page size is judged
_WAL_HEADER, _FRAME_HEADER = 32, 24
_LITTLE_ENDIAN, _BIG_ENDIAN = 0x377F0682, 0x377F0683
_MASK = 0xFFFFFFFF
Bytes = FileBytes | bytes


class DatabasePages:
    """A database file as bytes, page by page; pages count from 1. Close it."""

    def __init__(self, path: Path) -> None:
        self._stack = contextlib.ExitStack()
        try:
            self._file = self._opened(path)
            log = self._opened(path.with_name(f"{path.name}-wal"))
            self.page_size = _page_size(self._file)
            frames = _frames(log, self.page_size)
        except BaseException:
            self._stack.close()
            raise
        self._log = log
        self._frames = frames
        held = -(-len(self._file) // self.page_size)
        self.pages = max([held, *frames])

    @property
    def log_is_whole(self) -> bool:
        """Whether SQLite would take from the log all that can be proved of it."""
        return _read_by_sqlite(self._log, self.page_size) == self._frames

    def close(self) -> None:
        """Let go of the files."""
        self._stack.close()

    def page(self, number: int) -> bytes:
        """Return a page, filled with zeros where the file was cut."""
        at = self._frames.get(number)
        if at is not None:
            return self._log[at : at + self.page_size]
        start = (number - 1) * self.page_size
        return self._file[start : start + self.page_size].ljust(self.page_size, b"\0")

    @property
    def header(self) -> bytes:
        """The file's first hundred bytes."""
        return self.page(1)[:HEADER]

    def _opened(self, path: Path) -> Bytes:
        """Return a file's bytes without reading them; none where there is no file."""
        with contextlib.suppress(FileNotFoundError):
            return self._stack.enter_context(contextlib.closing(FileBytes(path)))
        return b""


def _page_size(file: Bytes) -> int:
    """Return the size that the header states, unless SQLite's own choice fits the pages better."""
    stated = int.from_bytes(file[16:18], "big") if len(file) >= HEADER else 0
    stated = 65536 if stated == 1 else stated
    sizes = [size for size in (stated, _PAGE_SIZE) if size in _SIZES]
    return max(sizes, key=lambda size: _fits(file, size))


def _fits(file: Bytes, size: int) -> float:
    starts = range(size, min(len(file), size * _LOOKED_AT), size)
    kinds = [file[at : at + 1] in _KINDS for at in starts]
    return sum(kinds) / len(kinds) if kinds else 0.0


@dataclass(frozen=True, slots=True)
class _Frame:
    """A frame of the log: its page, the length after commit (0: none), where the page begins."""

    number: int
    committed: int
    at: int
    is_proved: bool


def _frames(log: Bytes, size: int) -> dict[int, int]:
    """Return where in the log each page's last committed form begins."""
    return _committed(each for each in _of_last_use(log, size) if each.is_proved)


def _read_by_sqlite(log: Bytes, size: int) -> dict[int, int]:
    """Return what SQLite takes: it ends at the first frame that does not fit."""
    if not _header_fits(log):
        return {}
    return _committed(takewhile(attrgetter("is_proved"), _of_last_use(log, size)))


def _committed(frames: Iterable[_Frame]) -> dict[int, int]:
    found: dict[int, int] = {}
    waiting: dict[int, int] = {}
    for frame in frames:
        waiting[frame.number] = frame.at
        if frame.committed:
            found |= waiting
            waiting = {}
    return found


def _of_last_use(log: Bytes, size: int) -> Iterator[_Frame]:
    """Yield the frames that were written since the log began anew; older ones lie behind them."""
    step = _FRAME_HEADER + size
    starts = range(_WAL_HEADER, len(log) - step + 1, step)
    if not starts:
        return
    salt = log[16:24]
    if not _header_fits(log):
        salt = Counter(log[at + 8 : at + 16] for at in starts).most_common(1)[0][0]
    order = _order(log)
    before = struct.unpack(">2I", log[24:32])
    for at in starts:
        number, committed = struct.unpack(">2I", log[at : at + 8])
        stated = struct.unpack(">2I", log[at + 16 : at + 24])
        body = log[at : at + 8] + log[at + _FRAME_HEADER : at + step]
        fits = log[at + 8 : at + 16] == salt and _sum(body, before, order) == stated
        yield _Frame(number, committed, at + _FRAME_HEADER, fits)
        before = stated


def _header_fits(log: Bytes) -> bool:
    if len(log) < _WAL_HEADER:
        return False
    return struct.unpack(">2I", log[24:32]) == _sum(log[:24], (0, 0), _order(log))


def _order(log: Bytes) -> str:
    """Return in which order of bytes the log is summed: this computer's, where it does not say."""
    magic = int.from_bytes(log[:4], "big")
    if magic in (_LITTLE_ENDIAN, _BIG_ENDIAN):
        return ">" if magic == _BIG_ENDIAN else "<"
    return "<" if sys.byteorder == "little" else ">"


def _sum(data: bytes, start: tuple[int, ...], order: str) -> tuple[int, int]:
    """Return SQLite's sum of a frame.

    Of each pair of words it adds the first and then the second sum to the first, and the other way
    round: so each word counts a fixed number of times, modulo 2 ** 32.
    (sqlite.org/fileformat2.html, "Checksum Algorithm")
    """
    import numpy as np

    words = np.frombuffer(data, f"{order}u4").astype(np.uint32)
    counts, before = _counts(len(words) // 2)
    one, two = (
        (first * start[0] + second * start[1] + int((count * words).sum(dtype=np.uint32))) & _MASK
        for count, (first, second) in zip(counts, before, strict=True)
    )
    return one, two


@lru_cache(maxsize=8)
def _counts(pairs: int) -> tuple[npt.NDArray[np.uint32], tuple[tuple[int, int], tuple[int, int]]]:
    """Return how often each word counts in the two sums, (2, 2 * pairs), and each sum before."""
    import numpy as np

    made = np.empty((2, 2 * pairs), np.uint32)
    one, two = (1, 0), (0, 1)
    for at in reversed(range(pairs)):
        for row, (first, second) in enumerate((one, two)):
            made[row, 2 * at : 2 * at + 2] = ((first + second) & _MASK, second)
        one, two = (
            ((first + second) & _MASK, (first + 2 * second) & _MASK) for first, second in (one, two)
        )
    return made, (one, two)
