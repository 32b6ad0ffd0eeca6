"""Runs the drills and prints their table."""

from __future__ import annotations

import argparse
import random
import sys
import tempfile
import traceback
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from tests.drills import catalogs, clock, damage, disk, kills, ollama, owners, team
from tests.drills.report import Score, table


@dataclass(frozen=True, slots=True)
class Drill:
    """A drill by its name: `run(score, folder, kills, seed)`."""

    name: str
    run: Callable[[Score, Path, int, int], None]


_SHOWN = 40

DRILLS = (
    Drill("kill -9", kills.drill),
    Drill("Chroma damaged", damage.chroma),
    Drill("Chroma asked and damaged", damage.chroma_asked),
    Drill("tantivy damaged", damage.tantivy),
    Drill("catalogs", catalogs.drill),
    Drill("disk full", disk.drill),
    Drill("two owners", owners.drill),
    Drill("clock set back", clock.drill),
    Drill("Ollama", ollama.drill),
    Drill("team's server", team.drill),
)


def main(words: list[str]) -> int:
    """Run what was asked for; return 1 if anything was found."""
    parser = argparse.ArgumentParser(prog="python -m tests.drills")
    parser.add_argument("--kills", type=int, default=50, help="rounds of each drill that kills")
    parser.add_argument("--only", default="", help="the drills whose names hold this")
    parser.add_argument("--seed", type=int, default=random.SystemRandom().randrange(10**6))
    asked = parser.parse_args(words)
    scores = [run(each, asked.kills, asked.seed) for each in DRILLS if asked.only in each.name]
    for score in scores:
        for finding in score.findings[:_SHOWN]:
            sys.stdout.write(f"{score.drill}: {finding}\n")
        if more := score.findings[_SHOWN:]:
            sys.stdout.write(f"{score.drill}: … and {len(more)} more\n")
    sys.stdout.write(f"{table(scores)}\n(seed {asked.seed})\n")
    return int(any(score.findings for score in scores))


def run(drill: Drill, rounds: int, seed: int) -> Score:
    """Run one drill in a folder of its own; what breaks it is a fault, too."""
    score = Score(drill.name, aloud=True)
    with tempfile.TemporaryDirectory(prefix="drills-") as folder:
        try:
            drill.run(score, Path(folder), rounds, seed)
        except Exception:  # noqa: BLE001 - the other drills go on
            score.faults.append(traceback.format_exc())
    sys.stderr.write(f"{table([score])}\n")  # a run that is cut off has told what it found so far
    return score


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
