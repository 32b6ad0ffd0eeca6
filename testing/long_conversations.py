"""Long conversations for tests and benchmarks; what the GUI thread does: its stalls, its paints."""

from __future__ import annotations

import time
from pathlib import Path
from typing import NamedTuple

from PySide6.QtCore import QEvent, QObject, QTimer, Slot

from desktop_rag.gui.controllers.transcript import Transcript, fold
from testing.sample_answers import answer

ANSWER = """Fuel for the ferries cost **12 % less** in 2024 than the year before [1]. Crews were
trained to sail slower [2]. The report names three reasons and gives figures for each of them.

| Year | Passengers | Fuel (t) | Cost |
|---|---:|---:|---:|
| 2022 | 812,000 | 5,210 | 4.1 m |
| 2023 | 864,000 | 5,120 | 4.0 m |
| 2024 | 901,000 | 4,480 | 3.5 m |

- The *Ingrid* was refitted in March [3].
- The **Solveig** runs on shore power in port [1].

```python
rows = [row for row in table if row.year == 2024]
```

See `fuel.csv` for the months [2]. 二〇二四年燃料费用下降了百分之十二，因为两艘新船更省油 [1]。
"""


def long_conversation(turns: int = 500) -> Transcript:
    """Return a conversation of so many questions with answers: tables, code, lists, citations."""
    made = Transcript(chat_id=1)
    for number in range(turns):
        begun = made.begun(
            f"Question {number}: why did the ferries' fuel cost less?", "single_pass"
        )
        made = fold(begun, answer(ANSWER + "\n\nSo much for that." * (number % 5), 1, 2, 1, 3))
    return made


class StallTimes(NamedTuple):
    """The longest stall, and the 99th percentile of those from 1 ms on.

    `worked` is the longest in the thread's own time, without what other processes took of the
    machine. `held` is the longest in which it worked or waited for anything but its turn on a
    processor: a lock, a disk, another thread. All in seconds.
    """

    longest: float
    usual: float
    worked: float
    held: float


class Stalls(QObject):
    """Notes how late a timer comes: for so long the GUI thread did something else."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._last = (0.0, 0.0, 0.0)
        self._felt: list[tuple[float, float, float]] = []
        self._timer = QTimer(self)
        self._timer.setInterval(1)
        self._timer.timeout.connect(self._tick)

    def start(self) -> None:
        """Begin anew."""
        self._felt = []
        self._last = _now()
        self._timer.start()

    def stop(self) -> StallTimes:
        """Return what was felt since the start."""
        self._timer.stop()
        self._tick()
        walls = sorted(wall for wall, _, _ in self._felt if wall >= 0.001)
        worked = max(work for _, work, _ in self._felt)
        held = max(wall - starved for wall, _, starved in self._felt)
        if not walls:
            return StallTimes(0, 0, 0, 0)
        return StallTimes(walls[-1], walls[int(len(walls) * 0.99)], worked, held)

    @Slot()
    def _tick(self) -> None:
        now = _now()
        wall, work, starved = (b - a for a, b in zip(self._last, now, strict=True))
        self._felt.append((wall, work, starved))
        self._last = now


def _now() -> tuple[float, float, float]:
    """Return the time, how long this thread worked, and how long it stood ready in vain."""
    return time.perf_counter(), time.thread_time(), _starved()


def _starved() -> float:
    """Return for how long this thread might have run and had no processor; 0 where none tells."""
    try:
        told = Path("/proc/thread-self/schedstat").read_bytes()
    except OSError:
        return 0.0
    return int(told.split()[1]) / 1e9


class Paints(QObject):
    """Counts how often a widget is painted."""

    count = 0

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:  # noqa: N802 - Qt's
        """Count, and let it pass."""
        self.count += event.type() == QEvent.Type.Paint
        return super().eventFilter(watched, event)
