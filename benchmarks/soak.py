"""What the window holds at the end of hours of use, beside its first minutes, and its errors."""

from __future__ import annotations

from pathlib import Path

from benchmarks.result_table import Measurement
from benchmarks.window_process import in_window, language_model

_ANSWER = "Boats sail **on the hour** [1].\n\n| Boat | Hour |\n|---|---|\n| Sula | six |\n\n" * 4
_TOKENS_A_SECOND = 200


def measure(minutes: float, folder: Path) -> list[Measurement]:
    """Use a window for so long; return what its processes held and how much went wrong."""
    with language_model(_ANSWER, 1 / _TOKENS_A_SECOND) as host:
        given = {
            "data_dir": str(folder / "data"),
            "documents": str(folder / "documents"),
            "host": host,
            "seconds": minutes * 60,
        }
        made = in_window("soak", given)
    step = max(1, len(made["held"]) // 20)
    for seconds, window, everything in made["held"][::step]:
        print(f"{seconds:6.0f} s: window {window:.0f} MiB, all {everything:.0f} MiB", flush=True)
    for trouble in made["troubles"]:
        print(f"went wrong: {trouble}", flush=True)
    name = f"{minutes:g} minutes of use"
    rows = [
        Measurement(
            f"{name}: {what}",
            made[f"{what} late"],
            "MiB",
            made[f"{what} early"],
            "early on",
            "≤ 1.05 ×",
        )
        for what in ("window", "all")
    ]
    return [
        Measurement(f"{name}: rounds", made["rounds"], "rounds"),
        *rows,
        Measurement(f"{name}: errors", len(made["troubles"]), "errors", gate="0"),
    ]
