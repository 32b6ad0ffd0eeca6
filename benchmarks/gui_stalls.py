"""How late the GUI thread's timers come: for so long it could neither paint nor take a key."""

from __future__ import annotations

import ctypes
import os
import sys
import threading
import time
import traceback
from collections import Counter
from contextlib import suppress

import numpy as np
from PySide6.QtCore import QObject, Qt, QTimer, Slot

_EVERY = 0.004  # seconds: four looks in a frame
_LONG = 0.016
_DEPTH = 6


class Stalls(QObject):
    """Looks at the clock every four milliseconds, from the event loop.

    With `where`, another thread notes what the GUI thread is at while it is late.
    """

    def __init__(self, *, where: bool = False) -> None:
        super().__init__()
        self.late: list[float] = []
        self.work: list[float] = []
        self.unserved: list[float] = []
        self.places: Counter[str] = Counter()
        self._last = self._worked = self._waited = 0.0
        self._ended = threading.Event()
        self._waiting = _Waiting()
        self._gui = threading.get_ident()
        self._timer = QTimer(self)
        self._timer.setTimerType(Qt.TimerType.PreciseTimer)
        self._timer.setInterval(int(_EVERY * 1000))
        self._timer.timeout.connect(self._tick)
        self._where = where

    def start(self) -> None:
        """Begin to look."""
        self.late.clear()
        self.work.clear()
        self.unserved.clear()
        self.places.clear()
        self._last, self._worked = time.perf_counter(), time.thread_time()
        self._waiting.open()
        self._waited = self._waiting.seconds()
        self._timer.start()
        if self._where:
            threading.Thread(target=self._spy, daemon=True).start()

    def stop(self) -> dict[str, float]:
        """Return p50, p99 and the longest, in milliseconds.

        `work` is the most that the thread itself computed in one turn of its loop: the rest of a
        stall was spent waiting, for Python's lock or for a processor. `served` is the longest
        lateness without what other programs and threads took of the processors (on Linux).
        """
        self._timer.stop()
        self._waiting.close()
        self._ended.set()
        middle, high, longest = np.percentile(np.array(self.late) * 1000, [50, 99, 100])
        over = sum(each > _LONG for each in self.late)
        work = dict(
            zip(("work p99", "work"), np.percentile(self.work, [99, 100]) * 1000, strict=True)
        )
        served = max(np.array(self.late) - np.array(self.unserved)) * 1000
        lateness = {"p50": middle, "p99": high, "max": longest, "served": float(served)}
        return lateness | work | {"over": over, "looks": len(self.late)}

    @Slot()
    def _tick(self) -> None:
        now, worked, waited = time.perf_counter(), time.thread_time(), self._waiting.seconds()
        self.late.append(max(0.0, now - self._last - _EVERY))
        self.work.append(worked - self._worked)
        self.unserved.append(waited - self._waited)
        self._last, self._worked, self._waited = now, worked, waited

    def _spy(self) -> None:
        while not self._ended.wait(_EVERY):
            if time.perf_counter() - self._last > _LONG + _EVERY:
                frame = sys._current_frames().get(self._gui)  # noqa: SLF001 - the one way to look
                told = traceback.extract_stack(frame)[-_DEPTH:]
                self.places[" < ".join(_name(each) for each in reversed(told))] += 1


class _Waiting:
    """How long this thread was ready to run and did not; 0 where nobody counts.

    Linux tells it in a file. A look must not give Python's lock away: it would wait for it anew,
    and be counted as late itself. So the file stays open, and is read by a call that keeps it.
    """

    def __init__(self) -> None:
        self._file: int | None = None
        self._told = ctypes.create_string_buffer(128)

    def open(self) -> None:
        """Begin to ask about the thread that calls this."""
        place = f"/proc/self/task/{threading.get_native_id()}/schedstat"
        with suppress(OSError):
            self._file = os.open(place, os.O_RDONLY)

    def close(self) -> None:
        """Ask no more."""
        if self._file is not None:
            os.close(self._file)
        self._file = None

    def seconds(self) -> float:
        """Return the seconds since the thread began."""
        if self._file is None:
            return 0.0
        read = ctypes.PyDLL(None).pread
        count = read(self._file, self._told, len(self._told), ctypes.c_long(0))
        return int(self._told.raw[:count].split()[1]) / 1e9 if count > 0 else 0.0


def _name(at: traceback.FrameSummary) -> str:
    return f"{'/'.join(at.filename.split('/')[-2:])}:{at.lineno} {at.name}"
