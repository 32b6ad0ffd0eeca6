"""Compare the ways that knowledge bases are prepared for, and write a page for docs/.

    python -m benchmarks.prepared_ways DATA DOCUMENTS QUESTIONS --data-dir KEPT
        [--sets musique,2wiki,hotpotqa] [--limit 60] [--out docs/prepared-ways.md]

DATA holds multi-hop question sets, as `benchmarks.strategies` reads them; DOCUMENTS real files by
format; QUESTIONS `manifest.jsonl` with its documents, as `benchmarks.questions_on_documents` reads
it. All are indexed and prepared in KEPT, once, without a language model: a run that is stopped
goes on there. The second stage reads all candidates however long that takes, so that no figure
depends on the machine; times are `python -m benchmarks --only preparing`'s.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from pathlib import Path

from benchmarks import questions_on_documents
from benchmarks.comparison_page import StrategyMeasurement
from benchmarks.prepared_ways_page import (
    CitedWay,
    PlacesOfWay,
    PreparedWays,
    RowsOfWay,
    TablesOfWay,
    recalls_at_5,
)
from benchmarks.questions_on_documents import Way, found_places, grouped
from benchmarks.strategies import found_without_a_model
from benchmarks.strategy_run import RunSetup
from benchmarks.table_questions import measurement as table_questions
from benchmarks.table_questions.originals import Originals
from benchmarks.whole_document_questions import __main__ as whole
from benchmarks.whole_document_questions.originals import questions_of_mails, questions_of_one
from desktop_rag.bootstrap import open_workspace
from desktop_rag.core.settings_file import load
from desktop_rag.evaluation.metrics import percent
from desktop_rag.workspace import Workspace

SETS = ("musique", "2wiki", "hotpotqa")
FLOORS = ("single_pass", "linked_hops")
PREPARED = ("hypothetical_questions", "propositions", "raptor", "entity_graph", "multi_head")
WAYS = (*FLOORS, "prompt_rag", *PREPARED, "raptor:mode=traversal")
WHOLE = ("each", *FLOORS)
TABLES = ("tables", *FLOORS)
CITED = ("raptor", "raptor:mode=traversal")
_SETTINGS = {"retrieval.rerank_milliseconds": "0", "ollama.host": "http://127.0.0.1:9"}
_PLACES = "default"


def main() -> None:
    given = _given()
    workspace = open_workspace(given.data_dir, load(given.data_dir, _SETTINGS))
    try:
        places = list(_places(workspace, given.questions.resolve()))
        tables = list(_tables(workspace, given.documents.resolve(), given.questions.resolve()))
        rows, cited = _whole(workspace, given.documents.resolve(), given.questions.resolve())
    finally:
        workspace.close()
    setup = RunSetup(given.data, given.data_dir, given.limit, PREPARED, settings=_SETTINGS)
    found: list[StrategyMeasurement] = []
    for name in ("", *given.sets.split(",")):
        found += _hops(setup, name) if name else ()
        page = PreparedWays(found, places, tables, rows, cited).text()
        if given.out:  # after each set: a run of hours may be stopped
            given.out.write_text(page, encoding="utf-8")
    print(page)


def _given() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.prepared_ways",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("data", type=Path)
    parser.add_argument("documents", type=Path)
    parser.add_argument("questions", type=Path)
    parser.add_argument("--data-dir", type=Path, required=True)
    parser.add_argument("--sets", default=",".join(SETS))
    parser.add_argument("--limit", type=int, default=60, help="questions of each set; 0: all")
    parser.add_argument("--out", type=Path)
    return parser.parse_args()


def _places(workspace: Workspace, folder: Path) -> Iterator[PlacesOfWay]:
    """Search the places of real documents' questions."""
    questions = questions_on_documents.read(folder / "manifest.jsonl")
    questions_on_documents.fill(workspace, _PLACES, [folder])
    for way in PREPARED:
        questions_on_documents.prepare_for(workspace, _PLACES, way)
    for name in WAYS:
        for kind, some in grouped(questions, lambda each: each.kind).items():
            found = found_places(Way(workspace, name), folder, some)
            print(name, kind, f"{found.first:.1f} {found.five:.1f}", flush=True)
            yield PlacesOfWay(name, kind, found)


def _tables(workspace: Workspace, documents: Path, questions: Path) -> Iterator[TablesOfWay]:
    """Ask over whole tables."""
    table_questions.index(workspace, documents, questions)
    files = Originals(documents, questions / "zh_csv")
    for name in TABLES:
        row = TablesOfWay(name, list(table_questions.answered_items(workspace, name, files)))
        print(name, "tables", f"{row.exact}", flush=True)
        yield row


def _whole(
    workspace: Workspace, documents: Path, questions: Path
) -> tuple[list[RowsOfWay], list[CitedWay]]:
    """Ask each document, sum up and compare, and follow the citations of what trees lead to."""
    whole.index(workspace, documents, questions)
    questions_on_documents.prepare_for(workspace, whole.KB, "raptor")
    to_one = [*questions_of_one(questions)]
    asked = [*to_one, *questions_of_mails(documents)]
    rows = []
    for kind in dict.fromkeys(each.kind for each in asked):
        some = [each for each in asked if each.kind == kind]
        for name in WHOLE:
            count = whole.asked_in_a_way(workspace, name, some, show_misses=False)
            print(name, kind, count, flush=True)
            rows.append(RowsOfWay(name, kind, len(some), count))
    cited = [
        CitedWay(action, len(groups), whole.cited_in(workspace, action, groups))
        for action, groups in whole.documents_of_actions(questions).items()
    ]
    cited += [
        CitedWay(name, len(to_one), whole.cited_in_answers(workspace, name, to_one))
        for name in CITED
    ]
    return rows, cited


def _hops(setup: RunSetup, name: str) -> Iterator[StrategyMeasurement]:
    """Search a multi-hop set in each way, and say each row as it comes."""
    for row in found_without_a_model(setup, name, WAYS):
        print(name, row.strategy, f"{percent(recalls_at_5(row)):.1f}", flush=True)
        yield row


if __name__ == "__main__":
    main()
