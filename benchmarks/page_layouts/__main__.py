"""Measure how well pages of many layouts are read.

python -m benchmarks.page_layouts [--kinds KIND…] [--misses] [--keep FOLDER]
"""

from __future__ import annotations

import argparse
import difflib
import tempfile
from pathlib import Path

from benchmarks.page_layouts.made_document import MadeDocument
from benchmarks.page_layouts.page_set import KINDS, write_page_set
from benchmarks.page_layouts.readings import Reading, own_reading
from benchmarks.page_layouts.scores import Score, by_kind, expected_cells, score_of

_GOOD = 0.95


def main() -> None:
    asked = _asked()
    if asked.keep is not None:
        asked.keep.mkdir(parents=True, exist_ok=True)
        return _measure(asked, asked.keep)
    with tempfile.TemporaryDirectory() as folder:
        return _measure(asked, Path(folder))


def _asked() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.page_layouts")
    parser.add_argument("--kinds", nargs="+", default=KINDS, choices=KINDS, metavar="KIND",
                        help=f"of: {'; '.join(KINDS)}")  # fmt: skip
    parser.add_argument("--misses", action="store_true", help="show what is read amiss")
    parser.add_argument("--keep", type=Path, help="a folder for the PDFs, to look at them")
    return parser.parse_args()


def _measure(asked: argparse.Namespace, folder: Path) -> None:
    scores: list[Score] = []
    for made in write_page_set(folder, asked.kinds):
        reading = own_reading(folder / f"{made.name}.pdf")
        scores.append(score_of(made, reading))
        if asked.misses:
            _show_misses(made, reading, scores[-1])
    print(table(scores))


def table(scores: list[Score]) -> str:
    """Return the means by kind as a table."""
    rows = [f"{'':36}{'pages':>6}{'text':>8}{'cells':>8}"]
    for kind in by_kind(scores):
        cells = f"{kind.cells:.3f}" if kind.cells is not None else "–"
        rows.append(f"{kind.kind:36}{kind.pages:>6}{kind.text:>8.3f}{cells:>8}")
    return "\n".join(rows)


def _show_misses(made: MadeDocument, reading: Reading, score: Score) -> None:
    print(f"== {made.name}: text {score.text:.3f}, cells {score.cells}")
    if score.text < _GOOD:
        wanted = made.texts[0].splitlines()
        print("\n".join(difflib.unified_diff(wanted, reading.lines, "wanted", "read", n=0)))
    if score.cells is not None and score.cells < _GOOD:
        wanted_cells = {cell for each in made.tables for cell in expected_cells(each)}
        missed = wanted_cells.difference(reading.cells)
        print("\n".join(f"cell missed: {cell}" for cell in sorted(missed, key=str)))
        extra = set(reading.cells).difference(wanted_cells)
        print("\n".join(f"cell too many: {cell}" for cell in sorted(extra, key=str)))


if __name__ == "__main__":
    main()
