"""Work over question sets: reading, saving, measuring, and writing figures to a file."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from desktop_rag.catalog.evaluation_questions import set_source
from desktop_rag.catalog.evaluation_runs import file_source
from desktop_rag.core.cancel import CancelToken
from desktop_rag.core.errors import UserError
from desktop_rag.core.evaluation_records import EvaluationRun, QuestionSet
from desktop_rag.core.formula_escape import escape_formula
from desktop_rag.core.requests import AskRequest, EvalRequest, SearchRequest, SetsRequest
from desktop_rag.gui.controllers.conversation_export import write_atomically
from desktop_rag.gui.controllers.data_folder import DataFolder
from desktop_rag.gui.controllers.jobs import Work
from desktop_rag.gui.lab.question_form import (
    QuestionForm,
    choice_of,
    gold_of,
    proposed_form,
    saved_form,
)

if TYPE_CHECKING:
    from desktop_rag.workspace import Workspace


@dataclass(frozen=True, slots=True)
class QuestionSource:
    """The questions that are measured: a set of one's own, or one in files."""

    saved: str = ""
    corpus: str = ""
    questions: str = ""


@dataclass(frozen=True, slots=True)
class QuestionSets:
    """The question sets there are."""

    own: tuple[QuestionSet, ...] = ()
    files: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True)
class RunHistory:
    """The runs of a task over a set, the newest first, and its questions' texts by their ids."""

    chosen: QuestionSource
    task: str
    runs: tuple[EvaluationRun, ...]
    texts: Mapping[str, str]


def knowing(folder: DataFolder) -> Work:
    """Return the work that reads which sets there are."""

    def work(token: CancelToken) -> Iterator[object]:
        catalog = folder.get(token).catalog
        yield QuestionSets(tuple(catalog.questions.sets()), tuple(catalog.measured.files()))

    return work


def recalling(folder: DataFolder, chosen: QuestionSource, task: str) -> Work:
    """Return the work that reads the runs over a set."""

    def work(token: CancelToken) -> Iterator[object]:
        yield load_history(folder.get(token), chosen, task)

    return work


def load_history(workspace: Workspace, chosen: QuestionSource, task: str) -> RunHistory:
    """Read the runs over a set; one that is gone has none."""
    from desktop_rag.evaluation.datasets import read_questions

    catalog = workspace.catalog
    if not chosen.saved:
        runs = catalog.measured.of(file_source(chosen.corpus, chosen.questions), task)
        try:
            texts = {each.id: each.question for each in read_questions(Path(chosen.questions))}
        except UserError:
            texts = {}  # the file is away; its figures are still there
        return RunHistory(chosen, task, tuple(runs), texts)
    if chosen.saved not in {each.name for each in catalog.questions.sets()}:
        return RunHistory(chosen, task, (), {})
    runs = catalog.measured.of(set_source(catalog.questions.get(chosen.saved)), task)
    texts = {str(each.id): each.question for each in catalog.questions.all(chosen.saved)}
    return RunHistory(chosen, task, tuple(runs), texts)


def measuring(folder: DataFolder, request: EvalRequest) -> Work:
    """Return the work that measures; consent that it needs is asked for first."""

    def work(token: CancelToken) -> Iterator[object]:
        from desktop_rag.commands.dispatch import perform

        workspace = folder.get(token)
        kbs = _bases(workspace, request)
        if kbs:
            folder.before_asking(workspace, AskRequest(kbs, "", model=request.model), token)
        yield from perform(workspace, request, token)

    return work


def listing(folder: DataFolder, name: str) -> Work:
    """Return the work that reads a set's questions, each with its passages."""

    def work(token: CancelToken) -> Iterator[object]:
        workspace = folder.get(token)
        yield tuple(
            saved_form(workspace, name, each) for each in workspace.catalog.questions.all(name)
        )

    return work


def searching(folder: DataFolder, question: str, kbs: tuple[str, ...]) -> Work:
    """Return the work that looks for passages that may answer a question."""

    def work(token: CancelToken) -> Iterator[object]:
        from desktop_rag.retrieval.query import Query

        workspace = folder.get(token)
        named = SearchRequest(kbs, question)
        bases = tuple(workspace.catalog.kbs.get(name).id for name in named.kbs)
        found = workspace.retriever.search(Query(question, bases, named.k))
        yield tuple(replace(choice_of(each), is_gold=False) for each in found.passages)

    return work


def saving(folder: DataFolder, forms: Sequence[QuestionForm]) -> Work:
    """Return the work that saves questions, and yields the numbers of them all."""

    def work(token: CancelToken) -> Iterator[object]:
        catalog = folder.get(token).catalog
        numbers: list[int] = []
        for each in forms:
            golds = tuple(
                gold_of(folder.get(token), piece) for piece in each.pieces if piece.is_gold
            )
            question = replace(each.question, passages=golds)
            numbers += catalog.questions.save(each.set_name, [question])
        yield tuple(numbers)

    return work


def proposing(folder: DataFolder, set_name: str, request: SetsRequest) -> Work:
    """Return the work that makes questions up; yields `QuestionForm`s, progress and notices."""

    def work(token: CancelToken) -> Iterator[object]:
        from desktop_rag.commands.propose_questions import ProposedQuestion, run

        workspace = folder.get(token)
        folder.before_asking(workspace, AskRequest(request.kbs, "", model=request.model), token)
        for event in run(workspace, request, token):
            if isinstance(event, ProposedQuestion):
                yield proposed_form(workspace, set_name, event)
            else:
                yield event

    return work


def dropping(folder: DataFolder, ids: Sequence[int]) -> Work:
    """Return the work that deletes questions."""

    def work(token: CancelToken) -> Iterator[object]:
        folder.get(token).catalog.questions.drop(ids)
        yield from ()

    return work


def arranging(folder: DataFolder, request: SetsRequest) -> Work:
    """Return the work that deletes or imports a set."""

    def work(token: CancelToken) -> Iterator[object]:
        from desktop_rag.commands.dispatch import perform

        yield from perform(folder.get(token), request, token)

    return work


def exporting_set(folder: DataFolder, name: str, path: Path) -> Work:
    """Return the work that writes a set to a file, whole or not at all."""

    def work(token: CancelToken) -> Iterator[object]:
        from desktop_rag.evaluation.saved_question_set import lines_of

        workspace = folder.get(token)
        lines = lines_of(workspace.catalog.questions.all(name))
        write_atomically(path, "".join(f"{line}\n" for line in lines), workspace.data_dir)
        yield path

    return work


def tabling(folder: DataFolder, run: EvaluationRun, path: Path) -> Work:
    """Return the work that writes a run's figures as a table."""

    def work(token: CancelToken) -> Iterator[object]:
        write_atomically(
            path, csv_of([each.figures for each in run.ways]), folder.get(token).data_dir
        )
        yield path

    return work


def csv_of(rows: Sequence[Mapping[str, Any]]) -> str:
    """Return figures as comma-separated values, an interval as two of them."""
    flat = [_flat(row) for row in rows]  # of which ways and models have names that are not ours
    heads = list(dict.fromkeys(key for row in flat for key in row))
    out = io.StringIO()
    writer = csv.DictWriter(out, heads, lineterminator="\r\n")
    writer.writerow({head: escape_formula(head) for head in heads})
    writer.writerows({head: _cell(value) for head, value in row.items()} for row in flat)
    return out.getvalue()


def _cell(value: Any) -> Any:
    return value if value is None or isinstance(value, (int, float)) else escape_formula(str(value))


def _flat(row: Mapping[str, Any]) -> dict[str, Any]:
    made = {key: value for key, value in row.items() if key != "interval"}
    low, high = row.get("interval", (None, None))
    return made if low is None else made | {"interval_low": low, "interval_high": high}


def _bases(workspace: Workspace, request: EvalRequest) -> tuple[str, ...]:
    """Return the knowledge bases whose passages a run may send to a model."""
    if not request.saved:
        return ()
    known = workspace.catalog.kbs.names()
    asked = workspace.catalog.questions.all(request.saved)
    named = dict.fromkeys(kb for each in asked for kb in request.kbs or each.kbs)
    return tuple(kb for kb in named if kb in known)
