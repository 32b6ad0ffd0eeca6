"""The drawing of a long document's tree: all levels opened, scrolled through, nodes closed."""

from __future__ import annotations

from pathlib import Path

from benchmarks.result_table import Measurement
from benchmarks.window_process import NOBODY, in_window

_FRAME = "≤ 16 ms"
_ACTS = {
    "as it is shown first": "a frame as it is shown first",
    "scrolled": "a frame with all levels opened, scrolled",
    "under the mouse": "to say what is under the mouse",
}


def measure(leaves: int, folder: Path) -> list[Measurement]:
    """Show a made-up tree over so many passages in the real window."""
    given = {"host": NOBODY, "data_dir": str(folder / "data"), "leaves": leaves}
    made = in_window("tree", given)
    name, floor = f"a tree over {leaves:,} passages", "an empty drawing"
    rows = [
        Measurement(f"{name}: {text}, {key}", made[act][key], "ms", made["empty"][key], floor, gate)
        for act, text in _ACTS.items()
        for key, gate in (("p50", ""), ("p99", _FRAME), ("max", ""))
    ]
    opened = made["opened wholly"]["max"]
    return [
        *rows,
        Measurement(f"{name}: all levels opened at once", opened, "ms", gate="≤ 100 ms"),
        Measurement(
            f"{name}: a node of the highest level opened or closed",
            made["opened and closed"]["max"],
            "ms",
            gate="≤ 100 ms",
        ),
    ]
