"""What the window's process holds over a base of a given size, and all processes while indexing."""

from __future__ import annotations

from pathlib import Path

from benchmarks import synthetic_bases, synthetic_folders
from benchmarks.result_table import Measurement
from benchmarks.window_process import NOBODY, ROOT, in_window

_SAMPLES = ROOT / "resources" / "samples"
_SETTLING = 5  # seconds
_LONGEST = 90
_GATES = {10_000: "≤ 400 MiB", 100_000: "≤ 700 MiB"}


def measure(given: list[synthetic_bases.Base], folder: Path) -> list[Measurement]:
    """Open the window over an empty base and bases of these sizes; index; return the rows."""
    common = {"host": NOBODY, "seconds": _SETTLING}
    floor = in_window("idle", common | {"data_dir": str(folder / "empty")})["idle"]
    rows = []
    for base in given:
        data_dir = folder / f"{base.chunks}"
        synthetic_bases.made(base, data_dir)
        held = in_window("idle", common | {"data_dir": str(data_dir)})
        gate, name = _GATES.get(base.chunks, ""), f"memory, {base.chunks:,} chunks"
        rows += [
            Measurement(f"{name}: window idle", held["idle"], "MiB", floor, "an empty base", gate),
            Measurement(f"{name}: after a question", held["asked"], "MiB", floor, "an empty base"),
        ]
    return rows + _indexing(folder, floor)


def _indexing(folder: Path, floor: float) -> list[Measurement]:
    """Index all formats and many texts; children are parsers, nothing else."""
    documents = folder / "documents"
    synthetic_folders.write(documents / "notes", 1000, words=300)
    for path in _SAMPLES.iterdir():
        (documents / path.name).write_bytes(path.read_bytes())
    given = {"host": NOBODY, "data_dir": str(folder / "indexing"), "documents": str(documents)}
    most = in_window("indexing", given | {"seconds": _LONGEST})
    name = f"memory, indexing with {most['parsers']:.0f} child processes"
    return [
        Measurement(
            f"{name}: all processes at most", most["all"], "MiB", floor, "idle", "≤ 2048 MiB"
        ),
        Measurement(f"{name}: the window at most", most["window"], "MiB", floor, "idle"),
    ]
