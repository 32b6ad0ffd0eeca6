"""What an attack found, and the table of all attacks."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

HEADINGS = ("attack", "tried", "held", "not held", "peak MiB", "seconds")


@dataclass(slots=True)
class Report:
    """One attack's tries, what did not hold (each a line to read), and the memory that it cost.

    `peaks` is the most resident memory of each process, in MiB, by what the process is ("main",
    "parser"); `peaks_by_try` has them for each try by itself. `notes` are lines that stand below
    the table: what came of the tries, in figures. `skipped` says why the attack could not be tried
    here.
    """

    attack: str
    tried: int = 0
    findings: list[str] = field(default_factory=list)
    failed: int = 0
    peaks: dict[str, float] = field(default_factory=dict)
    peaks_by_try: dict[str, dict[str, float]] = field(default_factory=dict)
    seconds: float = 0.0
    skipped: str = ""
    notes: list[str] = field(default_factory=list)
    _trying: str = ""

    @contextmanager
    def attempt(self, name: str) -> Iterator[None]:
        """Count one try; it held unless it adds a finding or raises."""
        before = len(self.findings)
        self.tried += 1
        self._trying = name
        try:
            yield
        except Exception as error:  # noqa: BLE001 - the other tries go on
            self.findings.append(f"{type(error).__name__}: {error}"[:400])
        finally:
            self._trying = ""
        found = self.findings[before:]
        self.failed += bool(found)
        self.findings[before:] = [f"{name}: {each}" for each in found]

    def expect(self, holds: object, finding: str) -> None:
        """Note a finding where something does not hold; outside an attempt it is one by itself."""
        if not self._trying:
            self.tried += 1
            self.failed += not holds
        if not holds:
            self.findings.append(finding)

    def broke(self, trace: str) -> None:
        """Count what ended the attack before its time as a try that did not hold."""
        self.tried += 1
        self.failed += 1
        self.findings.append(trace)

    def note_peaks(self, peaks: Mapping[str, float]) -> None:
        """Keep the highest of each process's peaks, of all tries and of this one."""
        kept = [self.peaks]
        if self._trying:
            kept.append(self.peaks_by_try.setdefault(self._trying, {}))
        for highest in kept:
            for name, peak in peaks.items():
                highest[name] = max(peak, highest.get(name, 0.0))

    @contextmanager
    def timed(self) -> Iterator[None]:
        """Count the seconds that the attack takes."""
        began = time.monotonic()
        try:
            yield
        finally:
            self.seconds += time.monotonic() - began

    def row(self) -> tuple[str, ...]:
        """Return the attack's row of the table."""
        peaks = _listed(self.peaks)
        numbers = (self.tried, self.tried - self.failed, self.failed)
        return (self.attack, *map(str, numbers), peaks or "-", f"{self.seconds:.0f}")


@dataclass(frozen=True, slots=True)
class Attack:
    """An attack by its name, as the table shows it."""

    name: str
    run: Callable[[Report, Task], None]


@dataclass(frozen=True, slots=True)
class Task:
    """What an attack is run with: an empty folder of its own, a seed, and whether to be quick."""

    folder: Path
    seed: int
    is_quick: bool


def table(reports: Iterable[Report]) -> str:
    """Return the reports as lines in columns; below, their notes, and why some were not run."""
    made = list(reports)
    rows = [HEADINGS, *(each.row() for each in made)]
    widths = [max(len(row[at]) for row in rows) for at in range(len(HEADINGS))]
    lines = [
        "  ".join(
            cell.ljust(width) if at in (0, 4) else cell.rjust(width)
            for at, (cell, width) in enumerate(zip(row, widths, strict=True))
        ).rstrip()
        for row in rows
    ]
    skipped = [f"{each.attack}: not run. {each.skipped}" for each in made if each.skipped]
    notes = [f"{each.attack}: {note}" for each in made for note in each.notes]
    each_peak = [
        f"{each.attack}, {name}: {_listed(peaks)}"
        for each in made
        for name, peaks in each.peaks_by_try.items()
    ]
    if each_peak:
        each_peak.insert(0, "\nThe peaks of each try, MiB:")
    return "\n".join([*lines, *notes, *skipped, *each_peak])


def _listed(peaks: Mapping[str, float]) -> str:
    return ", ".join(f"{name} {peak:.0f}" for name, peak in sorted(peaks.items()))


def tell(report: Report) -> None:
    """Say on standard error how an attack went: a run that is cut off has told what it found."""
    sys.stderr.write(f"{table([report])}\n")
    sys.stderr.writelines(f"  {each}\n" for each in report.findings[:10])
