"""The most memory that a running process and all its children hold."""

from __future__ import annotations

import threading

import psutil

_MEGABYTE = 1 << 20
_INTERVAL = 0.5  # seconds between two looks


class MemorySampler:
    """Notes the most memory that a process and its children hold, twice a second.

    What they share is counted once, where the system tells (proportional set size).
    """

    def __init__(self, pid: int) -> None:
        self._root = psutil.Process(pid)
        self._peak = 0.0
        self._stopped = threading.Event()
        self._thread = threading.Thread(target=self._watch, daemon=True)
        self._thread.start()

    def take_peak(self) -> float:
        """Return the most MiB since the last call."""
        self._look()
        peak, self._peak = self._peak, 0.0
        return peak

    def stop(self) -> None:
        """Look no more."""
        self._stopped.set()
        self._thread.join()

    def _watch(self) -> None:
        while not self._stopped.wait(_INTERVAL):
            self._look()

    def _look(self) -> None:
        try:
            tree = [self._root, *self._root.children(recursive=True)]
        except psutil.NoSuchProcess:
            return
        self._peak = max(self._peak, sum(_held(each) for each in tree))


def _held(process: psutil.Process) -> float:
    try:
        told = process.memory_full_info()
    except psutil.Error:  # it has ended meanwhile
        return 0.0
    return float(getattr(told, "pss", told.uss)) / _MEGABYTE
