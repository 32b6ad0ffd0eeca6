"""What a drill found, and the table of all drills."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

HEADINGS = ("drill", "rounds", "lost", "doubled", "hangs", "wrong searches", "faults", "seconds")


@dataclass(slots=True)
class Score:
    """A drill's rounds and findings, each finding a line to read.

    `lost` and `doubled` are about files, chunks, vectors and words, `wrong` about searches that a
    fresh index answers otherwise; `faults` is all else: a crash, a missing sentence, an orphan.
    """

    drill: str
    rounds: int = 0
    lost: list[str] = field(default_factory=list)
    doubled: list[str] = field(default_factory=list)
    hangs: list[str] = field(default_factory=list)
    wrong: list[str] = field(default_factory=list)
    faults: list[str] = field(default_factory=list)
    seconds: float = 0.0
    skipped: str = ""
    aloud: bool = False

    @property
    def findings(self) -> list[str]:
        """Every finding, with its kind."""
        kinds = {
            "fault": self.faults,
            "hang": self.hangs,
            "lost": self.lost,
            "doubled": self.doubled,
            "wrong": self.wrong,
        }
        return [f"{kind}: {each}" for kind, found in kinds.items() for each in found]

    @contextmanager
    def round(self, name: str) -> Iterator[None]:
        """Count a round; what it finds is told with its name."""
        before = {id(found): len(found) for found in self._lists()}
        self.rounds += 1
        try:
            yield
        finally:
            for found in self._lists():
                at = before[id(found)]
                found[at:] = [f"round {self.rounds} ({name}): {each}" for each in found[at:]]
            if self.aloud:
                sys.stderr.write(f"{self.drill}, round {self.rounds}: {name}\n")
                for found in self._lists():
                    sys.stderr.writelines(f"  {each}\n" for each in found[before[id(found)] :][:3])

    @contextmanager
    def timed(self) -> Iterator[None]:
        """Count the seconds that the drill takes."""
        began = time.monotonic()
        try:
            yield
        finally:
            self.seconds += time.monotonic() - began

    def expect(self, holds: object, fault: str) -> None:
        """Note a fault where something does not hold."""
        if not holds:
            self.faults.append(fault)

    def row(self) -> tuple[str, ...]:
        """Return the drill's row of the table."""
        numbers = (self.lost, self.doubled, self.hangs, self.wrong, self.faults)
        told = [str(len(found)) for found in numbers]
        return (self.drill, str(self.rounds), *told, f"{self.seconds:.0f}")

    def _lists(self) -> tuple[list[str], ...]:
        return (self.lost, self.doubled, self.hangs, self.wrong, self.faults)


def table(scores: Iterable[Score]) -> str:
    """Return the scores as lines in columns, with what was skipped and why below."""
    made = list(scores)
    rows = [HEADINGS, *(score.row() for score in made)]
    widths = [max(len(row[at]) for row in rows) for at in range(len(HEADINGS))]
    lines = [
        "  ".join(
            cell.ljust(width) if at == 0 else cell.rjust(width)
            for at, (cell, width) in enumerate(zip(row, widths, strict=True))
        )
        for row in rows
    ]
    return "\n".join([*lines, *(f"{s.drill}: not run. {s.skipped}" for s in made if s.skipped)])
