"""Reads the files of a folder in a confined child, as the program does, for the attacks.

`python -m tests.attacks.confined_reading FOLDER` prints a JSON line a file.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

import psutil

from desktop_rag.core.errors import FileProblem
from desktop_rag.parsing.parsed_document import ParsedDocument
from desktop_rag.parsing.sandbox.parser_pool import ParseOutcome
from tests.attacks.memory import measured
from tests.attacks.report import Report


@dataclass(frozen=True)
class Read:
    """What became of one file."""

    name: str
    status: str
    seconds: float
    text: str
    notes: tuple[str, ...]


def read_files(
    report: Report, files: Mapping[str, bytes], folder: Path, seconds: float = 120
) -> dict[str, Read]:
    """Read files in a confined child, one after another; note the memory that it took."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, content in files.items():
        (folder / name).write_bytes(content)
    made = measured(
        [sys.executable, "-m", "tests.attacks.confined_reading", str(folder)],
        seconds,
        most_megabytes=3000,
        environment={**os.environ, "PYTHONUTF8": "1"},
        folder=Path(__file__).parents[2],
    )
    report.note_peaks(made.peaks)
    report.expect(made.status == 0, f"the reading ended with {made.status}: {made.errors[-300:]}")
    told = [json.loads(line) for line in made.output.splitlines()]
    return {each["name"]: Read(**{**each, "notes": tuple(each["notes"])}) for each in told}


def _used() -> float:
    """Return the processor seconds of the child: a busy machine does not lengthen them."""
    times = [each.cpu_times() for each in psutil.Process().children()]
    return sum(each.user + each.system for each in times)


def _serve(folder: Path) -> None:
    """Read the files of a folder in one confined child and print what became of each."""
    from desktop_rag.core.cancel import CancelToken
    from desktop_rag.parsing.sandbox.parser_pool import ParserPool, ParseTask

    pool = ParserPool(1, 120.0, 2048)
    before = 0.0
    try:
        tasks = [ParseTask(path, {}, opens_archives=True) for path in sorted(folder.iterdir())]
        for path, outcome, wall in pool.run(tasks, CancelToken()):
            used = _used()
            # Of a child that was killed there is only how long it was waited for.
            seconds = used - before if used > before else wall
            before = used
            status, text, notes = _told(outcome)
            line = {
                "name": path.name,
                "status": status,
                "seconds": round(seconds, 2),
                "text": text,
                "notes": notes,
            }
            sys.stdout.write(json.dumps(line) + "\n")
            sys.stdout.flush()
    finally:
        pool.close()


def _told(outcome: ParseOutcome) -> tuple[str, str, Sequence[str]]:
    """Return what became of a file: the state, the beginning of its text, what is said of it."""
    if isinstance(outcome, FileProblem):
        return str(outcome.status), "", [outcome.what]
    if isinstance(outcome, ParsedDocument):
        blocks, notes = iter(outcome.blocks), outcome.notes
    else:
        blocks, notes = outcome.blocks(), outcome.head.notes
    return "ready", "\n".join(block.text for block in islice(blocks, 200))[:4000], notes


if __name__ == "__main__":
    _serve(Path(sys.argv[1]))
