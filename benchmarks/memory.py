"""What the window's process holds over a base of a given size, and all processes while indexing."""

from __future__ import annotations

from pathlib import Path

from benchmarks import bases, trees
from benchmarks.opening import NOBODY, ROOT, in_window
from benchmarks.table import Row

_SAMPLES = ROOT / "resources" / "samples"
_SETTLING = 5  # seconds
_LONGEST = 90
_GATES = {10_000: "≤ 400 MiB", 100_000: "≤ 700 MiB"}


def measure(given: list[bases.Base], folder: Path) -> list[Row]:
    """Open the window over an empty base and bases of these sizes; index; return the rows."""
    common = {"host": NOBODY, "seconds": _SETTLING}
    floor = in_window("idle", common | {"data_dir": str(folder / "empty")})["idle"]
    rows = []
    for base in given:
        data_dir = folder / f"{base.chunks}"
        bases.made(base, data_dir)
        held = in_window("idle", common | {"data_dir": str(data_dir)})
        gate, name = _GATES.get(base.chunks, ""), f"memory, {base.chunks:,} chunks"
        rows += [
            Row(f"{name}: window idle", held["idle"], "MiB", floor, "an empty base", gate),
            Row(f"{name}: after a question", held["asked"], "MiB", floor, "an empty base"),
        ]
    return rows + _indexing(folder, floor)


def _indexing(folder: Path, floor: float) -> list[Row]:
    """Index all formats and many texts; children are parsers, nothing else."""
    documents = folder / "documents"
    trees.write(documents / "notes", 1000, words=300)
    for path in _SAMPLES.iterdir():
        (documents / path.name).write_bytes(path.read_bytes())
    given = {"host": NOBODY, "data_dir": str(folder / "indexing"), "documents": str(documents)}
    most = in_window("indexing", given | {"seconds": _LONGEST})
    name = f"memory, indexing with {most['parsers']:.0f} child processes"
    return [
        Row(f"{name}: all processes at most", most["all"], "MiB", floor, "idle", "≤ 2048 MiB"),
        Row(f"{name}: the window at most", most["window"], "MiB", floor, "idle"),
    ]
