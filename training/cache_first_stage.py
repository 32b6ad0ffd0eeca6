"""Asks the first stage all that measuring will ask, and keeps its answers.

python -m training.cache_first_stage DATA WORK
"""

from __future__ import annotations

import argparse
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path

from training import question_sets
from training.chains import Neighbourhood
from training.first_stage import FirstStage
from training.first_stage_cache import Listener, kept_at
from training.question_sets import MULTIHOP

_FIRST = 30  # of the first stage: what is reranked, and followed
SETS = (*MULTIHOP, "covidqa")


def main() -> None:
    asked = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    asked.add_argument("data", type=Path)
    asked.add_argument("work", type=Path)
    given = asked.parse_args()
    for name in SETS:
        stage = FirstStage(question_sets.corpus(given.data, name), given.work / name)
        listener = Listener(stage)
        near = Neighbourhood.of(given.data, name, listener)
        questions = question_sets.training_questions(given.data, name, held_out=True)
        if near.chained:
            questions += question_sets.measured_questions(given.data, name)
        with ThreadPoolExecutor(2) as pool:
            list(pool.map(partial(_ask, near), [each.text for each in questions]))
        count = question_sets.write_rows(kept_at(given.work, name), sorted_rows(listener))
        print(f"{name}: {len(questions)} questions, {count} answers", flush=True)


def _ask(near: Neighbourhood, question: str) -> None:
    hits = near.stage.search(question, _FIRST)
    for hit in hits if near.chained else ():
        near.beyond(question, hit.id)


def sorted_rows(listener: Listener) -> list[dict[str, object]]:
    """Return what was heard, the same whichever thread was first."""
    return sorted(listener.rows, key=lambda row: str(row["key"]))


if __name__ == "__main__":
    main()
