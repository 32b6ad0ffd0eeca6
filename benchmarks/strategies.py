"""Compare the ways to research a question on the multi-hop dev sets, and print a table for docs/.

    python -m benchmarks.strategies DATA [--limit 60] [--data-dir DIR] [--out docs/compared.md]

DATA is a folder with `hotpotqa`, `2wiki` and `musique`, each with `corpus.jsonl.gz` and
`dev.jsonl.gz`. What needs no language model runs as it is. The others ask a simulated reader
(`simulated_reader.py`) through a double of Ollama, over the first search stage alone: with the
built-in reader in between the thousands of searches would take hours. Nothing here tells how well
a real model answers.
"""

from __future__ import annotations

import argparse
import gzip
import json
import os
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from benchmarks.simulated_reader import Plan, SimulatedReader, plans
from desktop_rag.bootstrap import open_workspace
from desktop_rag.core.cancel import CancelToken
from desktop_rag.core.events import Row
from desktop_rag.core.requests import EvalRequest
from desktop_rag.engine.operations import evaluate
from desktop_rag.store.settings import load
from tests.ollama_double import OllamaDouble

SETS = ("hotpotqa", "2wiki", "musique")
SIMULATED = ("2wiki", "musique")  # whose questions' hops are known
WITHOUT = ("single_pass", "linked_hops", "efficient_rag")
WITH = ("iter_retgen", "ircot", "self_ask", "flare_direct", "previous_sentence")
NOISES = (0.0, 0.2, 0.5)
MODEL = "llama3.2:3b"
_FIELDS = (
    "questions", "recall@2", "recall@5", "recall@10", "all@5", "interval", "passages",
    "llm_calls", "ms_p50",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Place:
    """Where the question sets lie, where their indexes are kept, how many questions are asked."""

    data: Path
    data_dir: Path
    limit: int


def main() -> None:
    asked = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    asked.add_argument("data", type=Path)
    asked.add_argument("--limit", type=int, default=60, help="questions of each set; 0: all")
    asked.add_argument("--data-dir", type=Path, help="keeps the indexes for the next run")
    asked.add_argument("--without", default=",".join(WITHOUT), help="strategies without a model")
    asked.add_argument("--with", default=",".join(WITH), dest="simulated")
    asked.add_argument("--out", type=Path)
    given = asked.parse_args()
    with tempfile.TemporaryDirectory(prefix="desktop-rag-strategies-") as scratch:
        place = Place(given.data, given.data_dir or Path(scratch), given.limit)
        lines = list(_table(place, _names(given.without), _names(given.simulated)))
    if given.out:
        given.out.write_text("\n".join(lines) + "\n", encoding="utf-8")


def _names(written: str) -> tuple[str, ...]:
    return tuple(filter(None, written.split(",")))


def _table(place: Place, without: Sequence[str], simulated: Sequence[str]) -> Iterator[str]:
    for name in SETS if without else ():
        for row in _rows(place, name, without, {}):
            yield _line(name, "none", row)
    for name in SIMULATED if simulated else ():
        known = plans(place.data / name, place.limit or None)
        for noise, blind in (*((noise, False) for noise in NOISES), (0.0, True)):
            with OllamaDouble() as double:
                double.otherwise = SimulatedReader(known, noise=noise, blind=blind)
                os.environ["OLLAMA_HOST"] = double.url
                for row in _simulated(place, name, simulated, known):
                    yield _line(name, "blind" if blind else f"noise {noise}", row)


def _simulated(
    place: Place, name: str, strategies: Sequence[str], known: Sequence[Plan]
) -> Iterator[dict[str, Any]]:
    """Yield the rows of strategies on the questions whose hops are known."""
    asked = {plan.question for plan in known}
    with tempfile.TemporaryDirectory() as folder:
        questions = Path(folder) / "dev.jsonl"
        rows = [row for row in _questions(place.data / name) if row["question"].strip() in asked]
        questions.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
        first_stage = {"retrieval.rerank_candidates": "0"}
        yield from _rows(place, name, ("single_pass", *strategies), first_stage, questions)


def _rows(
    place: Place,
    name: str,
    strategies: Sequence[str],
    changed: dict[str, str],
    questions: Path | None = None,
) -> Iterator[dict[str, Any]]:
    folder = place.data / name
    request = EvalRequest(
        "retrieval",
        str(folder / "corpus.jsonl.gz"),
        str(questions or folder / "dev.jsonl.gz"),
        tuple(strategies),
        limit=place.limit or None,
        model=MODEL,
    )
    workspace = open_workspace(place.data_dir, load(place.data_dir, changed))
    try:
        for event in evaluate.run(workspace, request, CancelToken()):
            if isinstance(event, Row):
                yield event.values
    finally:
        workspace.close()


def _questions(folder: Path) -> Iterator[dict[str, Any]]:
    with gzip.open(folder / "dev.jsonl.gz", "rt", encoding="utf-8") as lines:
        yield from map(json.loads, lines)


def _line(name: str, reader: str, row: dict[str, Any]) -> str:
    cells = [name, row["strategy"], reader, *(str(row[field]) for field in _FIELDS)]
    line = f"| {' | '.join(cells)} |"
    print(line, flush=True)
    return line


if __name__ == "__main__":
    main()
