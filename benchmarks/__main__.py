"""Measure everything in one command and print one table.

python -m benchmarks                              on the sample documents, 10,000 chunks
python -m benchmarks --documents FOLDER           index these instead
python -m benchmarks --passages FILE --sizes 10000,100000
                                                  search bases filled from a JSON-lines corpus
python -m benchmarks --only window,search
"""

from __future__ import annotations

import argparse
import tempfile
from pathlib import Path

from benchmarks import indexing, searching, window
from benchmarks.table import Row, print_table

ROOT = Path(__file__).resolve().parent.parent
PARTS = ("window", "indexing", "search")


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.add_argument("--documents", type=Path, default=ROOT / "resources" / "samples")
    parser.add_argument("--passages", type=Path, help="JSON lines with `text`, gzip or not")
    parser.add_argument("--sizes", default="10000", help="chunks in the search bases")
    parser.add_argument("--queries", type=int, default=200)
    parser.add_argument("--only", default=",".join(PARTS))
    given = parser.parse_args()
    wanted = given.only.split(",")
    rows: list[Row] = []
    with tempfile.TemporaryDirectory(prefix="desktop-rag-bench-") as folder:
        if "window" in wanted:
            rows += window.measure(Path(folder) / "window")
        if "indexing" in wanted:
            rows += indexing.measure(given.documents, Path(folder) / "indexing")
        if "search" in wanted:
            for size in map(int, given.sizes.split(",")):
                base = searching.Base(size, given.passages, given.queries)
                rows += searching.measure(base, Path(folder) / f"search-{size}")
    print_table(rows)


if __name__ == "__main__":
    main()
