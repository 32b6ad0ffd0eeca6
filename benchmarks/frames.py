"""Stalls of the window while it indexes a folder and streams an answer, beside the window idle."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from benchmarks import synthetic_folders
from benchmarks.result_table import Measurement
from benchmarks.window_process import NOBODY, ROOT, in_window, language_model, screens

_SAMPLES = ROOT / "resources" / "samples"
_TOKENS_A_SECOND = 40
_MADE_FILES = 1500
_ANSWER = (
    "Fuel and power cost **30 % less** than the year before [1]. There are two reasons:\n\n"
    "1. The second electric ferry, *Sula*, which cut the fuel used on its route [2].\n"
    "2. Lower prices for diesel [1].\n\n"
    "| | 2024 | 2023 |\n|---|---|---|\n| Fuel and power | 41,300 | 58,700 |\n\n"
) * 8


@dataclass(frozen=True, slots=True)
class StallOptions:
    """How long to watch, which folder to index meanwhile (made texts when None)."""

    seconds: int
    documents: Path | None
    where: bool = False


def measure(wish: StallOptions, folder: Path) -> list[Measurement]:
    """Watch the event loop of the real window; return rows for each way to show it."""
    documents = wish.documents or folder / "documents"
    if wish.documents is None:
        synthetic_folders.write(documents, _MADE_FILES, words=300)
    rows: list[Measurement] = []
    for name, on_screen in screens():
        given = {
            "data_dir": str(folder / f"data {name}"),
            "host": NOBODY,
            "samples": str(_SAMPLES),
            "documents": "",
            "seconds": max(10, wish.seconds // 4),
            "where": False,
        }
        idle = in_window("frames", given, on_screen=on_screen)
        with language_model(_ANSWER, 1 / _TOKENS_A_SECOND) as host:
            more = {"host": host, "samples": "", "documents": str(documents.resolve())}
            given |= more | {"seconds": wish.seconds, "where": wish.where}
            busy = in_window("frames", given, on_screen=on_screen)
        rows += _rows(name, idle, busy)
        for place, times in busy["where"]:
            print(f"{times:5} × {place}", flush=True)
    return rows


def _rows(name: str, idle: dict[str, Any], busy: dict[str, Any]) -> list[Measurement]:
    floor = "the same window idle"
    what = f"frames, {name}, {busy['seconds']:.0f} s of indexing and streaming"
    gates = {"p50": "", "p99": "≤ 16 ms", "max": "≤ 100 ms"}
    rows = [
        Measurement(f"{what}: {key}", busy[key], "ms late", idle[key], floor, gate)
        for key, gate in gates.items()
    ]
    return [
        *rows,
        Measurement(
            f"frames, {name}: of which own work, p99",
            busy["work p99"],
            "ms",
            idle["work p99"],
            floor,
        ),
        Measurement(
            f"frames, {name}: of which own work, max", busy["work"], "ms", idle["work"], floor
        ),
        Measurement(
            f"frames, {name}: max without waiting for a processor",
            busy["served"],
            "ms late",
            idle["served"],
            floor,
        ),
        Measurement(f"frames, {name}: looks over 16 ms late", busy["over"], f"of {busy['looks']}"),
        Measurement(f"frames, {name}: chunks at the end", busy["chunks"], "chunks"),
    ]
