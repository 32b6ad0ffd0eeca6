"""Averages the weights of runs that differ in their seed alone: one model, better than each.

    python -m training.average OUT OUT_1 OUT_2 …

Wortsman et al. 2022, section 2: fine-tuned from one beginning, they lie in one valley.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path

import torch


def main() -> None:
    asked = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    asked.add_argument("out", type=Path)
    asked.add_argument("runs", type=Path, nargs="+")
    asked.add_argument("--half", action="store_true", help="keep half precision: half the size")
    given = asked.parse_args()
    model = averaged([_kept(run) for run in given.runs])
    if given.half:
        model = {name: weight.half() for name, weight in model.items()}
    given.out.mkdir(parents=True, exist_ok=True)
    torch.save({"model": model}, given.out / "reached.pt")


def averaged(models: Sequence[dict[str, torch.Tensor]]) -> dict[str, torch.Tensor]:
    """Return the mean of each weight."""
    return {name: torch.stack([m[name].float() for m in models]).mean(0) for name in models[0]}


def _kept(run: Path) -> dict[str, torch.Tensor]:
    kept = torch.load(run / "reached.pt", weights_only=True, map_location="cpu")
    return dict(kept["model"])


if __name__ == "__main__":
    main()
