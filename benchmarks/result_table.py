"""One row a measurement: ours, the floor or rival of the same run, and their ratio."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True, slots=True)
class Measurement:
    """A measurement; `floor` is what the bare part takes in the same run, `gate` the promise."""

    what: str
    ours: float
    unit: str
    floor: float | None = None
    floor_name: str = ""
    gate: str = ""


def quantiles(what: str, seconds: Sequence[float], gate: str = "") -> list[Measurement]:
    """Return p50 and p95 of a stage in milliseconds."""
    middle, high = np.percentile(np.array(seconds) * 1000, [50, 95])
    return [
        Measurement(f"{what}, p50", float(middle), "ms"),
        Measurement(f"{what}, p95", float(high), "ms", gate=gate),
    ]


def print_table(rows: Sequence[Measurement]) -> None:
    """Print the rows as Markdown."""
    print("| what | ours | floor | ratio | promise |\n|---|---:|---:|---:|---|")
    for row in rows:
        floor = f"{row.floor:.4g} {row.unit} ({row.floor_name})" if row.floor else ""
        ratio = f"{row.ours / row.floor:.2f}" if row.floor else ""
        print(f"| {row.what} | {row.ours:.4g} {row.unit} | {floor} | {ratio} | {row.gate} |")
