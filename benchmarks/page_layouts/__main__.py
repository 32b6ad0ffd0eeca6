"""Measure how well pages of many layouts are read.

python -m benchmarks.page_layouts [--kinds KIND…] [--misses] [--scans] [--rivals ENVIRONMENTS]
    [--keep FOLDER] [--out docs/reading-order.md]

The table is put between two marks of the page that `--out` names.
"""

from __future__ import annotations

import argparse
import difflib
import json
import re
import subprocess
import tempfile
from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from pathlib import Path

from benchmarks.page_layouts.layout_table import layout_table
from benchmarks.page_layouts.made_document import MadeDocument
from benchmarks.page_layouts.page_set import KINDS, write_page_set
from benchmarks.page_layouts.readings import Reading, own_reading, rival_reading
from benchmarks.page_layouts.rival_reader import RIVALS
from benchmarks.page_layouts.scans import ScanReader
from benchmarks.page_layouts.scores import Score, expected_cells, score_of
from benchmarks.peers import environments

_TABLE = re.compile(r"(?<=<!-- measured -->\n).*?(?=<!-- end -->)", re.DOTALL)
_GOOD = 0.95
_UNKNOWN_TO_RECOGNITION = {"he"}
Reader = Callable[[MadeDocument], Reading]


def main() -> None:
    asked = _asked()
    with tempfile.TemporaryDirectory() as folder:
        kept = asked.keep or Path(folder)
        kept.mkdir(parents=True, exist_ok=True)
        scores = _measured(asked, kept)
    table = layout_table(scores)
    pages = sum(score.pages for score in scores["text"])
    told = f"{pages} pages, {datetime.now(UTC).date().isoformat()}.\n\n{table}"
    print(table)
    if asked.out is not None:
        page = asked.out.read_text(encoding="utf-8")
        asked.out.write_text(_TABLE.sub(lambda _: told, page), encoding="utf-8")


def _asked() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.page_layouts")
    parser.add_argument("--kinds", nargs="+", default=KINDS, choices=KINDS, metavar="KIND",
                        help=f"of: {'; '.join(KINDS)}")  # fmt: skip
    parser.add_argument("--misses", action="store_true", help="show what is read amiss")
    parser.add_argument("--scans", action="store_true", help="read scans of the pages as well")
    parser.add_argument("--rivals", type=Path, metavar="ENVIRONMENTS",
                        help="read with other libraries, too, installed there")  # fmt: skip
    parser.add_argument("--keep", type=Path, metavar="FOLDER",
                        help="for the PDFs and what was recognised, to be used again")  # fmt: skip
    parser.add_argument("--out", type=Path, help="the page that holds the table")
    return parser.parse_args()


def _measured(asked: argparse.Namespace, folder: Path) -> dict[str, list[Score]]:
    """Return the scores of each program that is asked for."""
    every = list(write_page_set(folder, asked.kinds))
    found = {"text": [_scored(made, own_reading(made.path(folder)), asked) for made in every]}
    if asked.scans:
        with ScanReader(folder) as scans:
            found["scans"] = [
                _scored(made, scans.reading(made.path(folder)), asked)
                for made in every
                if made.language not in _UNKNOWN_TO_RECOGNITION
            ]
    if asked.rivals:
        for name, read in _rival_readers(asked.rivals, folder).items():
            found[name] = [score_of(made, read(made)) for made in every]
    return found


def _rival_readers(kept: Path, folder: Path) -> dict[str, Reader]:
    """Return what gives each rival's readings of the folder's PDFs."""
    python = environments.python_of("layout_rivals", kept)
    command = [str(python), "-m", "benchmarks.page_layouts.rival_reader", str(folder.resolve())]
    subprocess.run(command, check=True, cwd=environments.ROOT)
    return {name: _rival_reader(folder / f"{name}.json") for name in RIVALS}


def _rival_reader(path: Path) -> Reader:
    found = json.loads(path.read_text(encoding="utf-8"))

    def read(made: MadeDocument) -> Reading:
        head_rows = len(made.tables[0].heads) if made.tables else 1
        return rival_reading(found[made.name], head_rows)

    return read


def _scored(made: MadeDocument, reading: Reading, asked: argparse.Namespace) -> Score:
    score = score_of(made, reading)
    if asked.misses:
        _show_misses(made, reading, score)
    return score


def _show_misses(made: MadeDocument, reading: Reading, score: Score) -> None:
    print(f"== {made.name}: text {score.text:.3f}, cells {score.cells}")
    if score.text < _GOOD:
        _show_difference(made.texts[0].splitlines(), reading.lines)
    if score.cells is not None and score.cells < _GOOD:
        wanted = {cell for each in made.tables for cell in expected_cells(each)}
        for cell in sorted(wanted.difference(reading.cells), key=str):
            print(f"missed: {cell}")
        for cell in sorted(set(reading.cells).difference(wanted), key=str):
            print(f"too many: {cell}")


def _show_difference(wanted: Sequence[str], read: Sequence[str]) -> None:
    print("\n".join(difflib.unified_diff(wanted, read, "wanted", "read", lineterm="", n=0)))


if __name__ == "__main__":
    main()
