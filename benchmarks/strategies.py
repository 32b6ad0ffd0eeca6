"""Compare the ways to research a question on the multi-hop dev sets, and write a page for docs/.

    python -m benchmarks.strategies DATA [--limit 60] [--data-dir DIR] [--untimed]
        [--prepare WAY]… [--out docs/compared.md]

DATA is a folder with `hotpotqa`, `2wiki` and `musique`, each with `corpus.jsonl.gz` and
`dev.jsonl.gz`. What needs no language model runs as it is. The others ask a simulated reader
(`simulated_reader.py`), over the first search stage alone: with the built-in reader in between the
thousands of searches would take hours. `--prepare` prepares the documents first, without a
language model, for strategies that need it. Nothing here tells how well a real model answers.
"""

from __future__ import annotations

import argparse
import tempfile
import time
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from benchmarks import comparison_page
from benchmarks.comparison_page import StrategyMeasurement
from benchmarks.strategy_run import RunSetup, open_exam
from desktop_rag.evaluation.retrieval_methods import BM25
from desktop_rag.evaluation.retrieval_run import QuestionRanking
from testing.question_hops import plans
from testing.simulated_reader import InProcess, SimulatedReader

SETS = ("hotpotqa", "2wiki", "musique")
SIMULATED = ("2wiki", "musique")  # whose questions' hops are known
SINGLE = "single_pass"
WITHOUT = (SINGLE, "linked_hops", "efficient_rag")
WITH = (
    "iter_retgen", "ircot", "self_ask", "react", "dsp", "dsp:version=v2", "flare_direct",
    "flare_instruct", "previous_sentence", "previous_window", "self_rag", "crag", "adaptive",
    "single_pass_cot", "direct", "chain_of_thought",
)  # fmt: skip
NOISES = (0.0, 0.2, 0.5)
FIRST_STAGE = "none, first stage"
_SHOWN = 10  # passages of a row without a reader
UNMOVED = ("crag", "single_pass_cot")  # by noise: no sentence of the reader's is searched with


def main() -> None:
    asked = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    asked.add_argument("data", type=Path)
    asked.add_argument("--limit", type=int, default=60, help="questions of each set; 0: all")
    asked.add_argument("--data-dir", type=Path, help="keeps the indexes for the next run")
    asked.add_argument("--without", default=" ".join(WITHOUT), help="strategies without a model")
    asked.add_argument("--with", default=" ".join(WITH), dest="asking")
    asked.add_argument("--split", choices=("dev", "train"), default="dev")
    asked.add_argument("--prepare", action="append", default=[], metavar="WAY")
    asked.add_argument("--untimed", action="store_true", help="leave the milliseconds out")
    asked.add_argument("--out", type=Path)
    given = asked.parse_args()
    with tempfile.TemporaryDirectory(prefix="desktop-rag-strategies-") as scratch:
        place = RunSetup(given.data, given.data_dir or Path(scratch), given.limit)
        place = replace(place, prepared=tuple(given.prepare), split=given.split)
        for name in SETS:
            with open_exam(place, name):
                print(f"{name} is indexed", flush=True)
        begun, rows = time.monotonic(), []
        for row in measured(place, given.without.split(), given.asking.split()):
            print(comparison_page.line(row), flush=True)
            rows.append(row)
    run = comparison_page.Run(rows, time.monotonic() - begun, timed=not given.untimed)
    if given.out:
        given.out.write_text(run.page(), encoding="utf-8")


def measured(
    place: RunSetup, without: Sequence[str], asking: Sequence[str]
) -> Iterator[StrategyMeasurement]:
    """Yield what was measured, way by way: first without a model, then with the simulated one."""
    for name in SETS if without else ():
        yield from found_without_a_model(place, name, without)
    for name in SIMULATED if asking else ():
        yield from simulated(place, name, asking)


def found_without_a_model(
    place: RunSetup, name: str, strategies: Sequence[str]
) -> Iterator[StrategyMeasurement]:
    """Yield the rows of one question set; a strategy is written like `raptor:mode=traversal`."""
    with open_exam(place, name) as whole:
        replace(whole, items=whole.items[:1]).asked(SINGLE)  # loading is no question's time
        exam = replace(whole, items=whole.items[: place.limit or None])
        single = exam.asked(SINGLE)
        for each in (BM25, *strategies):
            found = single if each == SINGLE else exam.asked(each)
            yield StrategyMeasurement(name, each, "none", found, single)


def simulated(
    place: RunSetup, name: str, strategies: Sequence[str]
) -> Iterator[StrategyMeasurement]:
    """Yield the rows of strategies on the questions whose hops are known."""
    known = plans(place.data / name, place.limit or None)
    with open_exam(place, name, first_stage=True) as whole:
        hops = {plan.question for plan in known}
        items = [item for item in whole.items if item.question.strip() in hops]
        exam = replace(whole, items=items)
        single = exam.asked(SINGLE)
        for each, found in ((BM25, exam.asked(BM25)), (SINGLE, single)):
            yield StrategyMeasurement(name, each, FIRST_STAGE, [_cut(one) for one in found], single)
        for noise, blind in (*((noise, False) for noise in NOISES), (0.0, True)):
            model = InProcess(SimulatedReader(known, noise=noise, blind=blind))
            told = "blind" if blind else f"noise {noise}"
            for each in strategies if noise == 0.0 else [s for s in strategies if s not in UNMOVED]:
                yield StrategyMeasurement(name, each, told, exam.asked(each, model), single)


def _cut(outcome: QuestionRanking) -> QuestionRanking:
    return replace(outcome, found=replace(outcome.found, ids=outcome.found.ids[:_SHOWN]))


if __name__ == "__main__":
    main()
