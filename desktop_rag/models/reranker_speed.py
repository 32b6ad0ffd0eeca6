"""How much a model reads in a given time on this machine."""

from __future__ import annotations

import json
import logging
import os
import platform
import threading
from collections.abc import Sequence
from pathlib import Path
from statistics import median

FILE_NAME = "reranker-speed-{}.json"
"""Of a model, in the data folder."""
_MEASURED = 8  # runs, after the first, which also loads what it needs
_LEAST = 1e-6  # seconds of a run: a clock may be too coarse for it

_LOGGER = logging.getLogger(__name__)


class RerankerSpeed:
    """Measured by a model's first runs, each in one thread: their processor time for each byte.

    The median counts, and it stays: what else the machine does later changes nothing. A
    byte tells about as much in every script: a token has four to five. With a file it is measured
    once on a machine, so that the next process reads as many as this one; a file that cannot be
    read or written is done without. Safe to use from several threads.
    """

    def __init__(self, threads: int, name: str = "", kept: Path | None = None) -> None:
        self._threads = threads
        self._key = {"model": name, "machine": f"{platform.node()} {os.cpu_count()}"}
        self._kept = kept
        self._lock = threading.Lock()
        self._measured: list[float] = []
        self._is_first = True
        self._seconds_a_byte = _read(kept, self._key)

    def note(self, size: int, seconds: float) -> None:
        """Take in a run over so many bytes."""
        with self._lock:
            if self._seconds_a_byte:
                return
            if not self._is_first:
                self._measured.append(max(seconds, _LEAST) / max(size, 1))
            self._is_first = False
            if len(self._measured) == _MEASURED:
                self._seconds_a_byte = median(self._measured)
                if self._kept is not None:
                    _write(self._kept, self._key | {"seconds_a_byte": self._seconds_a_byte})

    def count_in(self, seconds: float, sizes: Sequence[int]) -> int | None:
        """Return how many inputs, the first of these, are read in a time; None: not measured.

        No thread ends before the others: as many more are read as they take along meanwhile.
        """
        if not self._seconds_a_byte:
            return None
        left = seconds * self._threads / self._seconds_a_byte
        for count, size in enumerate(sizes):
            left -= size
            if left < 0:
                return min(len(sizes), -(-count // self._threads) * self._threads)
        return len(sizes)


def _read(path: Path | None, key: dict[str, str]) -> float:
    """Return the seconds a byte that a file has for a model on this machine; 0: none."""
    try:
        said = json.loads(path.read_text("utf-8")) if path is not None else {}
        if key.items() <= said.items() and 0 < said["seconds_a_byte"] < 1:
            return float(said["seconds_a_byte"])
    except (OSError, ValueError, TypeError, AttributeError, KeyError) as problem:
        if not isinstance(problem, FileNotFoundError):
            _LOGGER.warning("%s cannot be read: the speed is measured anew", path, exc_info=True)
    return 0.0


def _write(path: Path, said: dict[str, object]) -> None:
    draft = path.with_name(f"{path.name}.{os.getpid()}")
    try:
        draft.write_text(json.dumps(said), "utf-8")
        draft.replace(path)
    except OSError:
        draft.unlink(missing_ok=True)
        _LOGGER.warning("%s cannot be written: the speed is not kept", path, exc_info=True)
