"""Work over question sets: reading, saving, measuring, and writing figures to a file."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from desktop_rag.catalog.evaluation_questions import set_source
from desktop_rag.catalog.evaluation_runs import file_source, tasks_source
from desktop_rag.core.cancel import CancelToken
from desktop_rag.core.errors import UserError
from desktop_rag.core.evaluation_records import BUILTIN, EvaluationRun, QuestionSet
from desktop_rag.core.events import Event
from desktop_rag.core.formula_escape import escape_formula
from desktop_rag.core.requests import AskRequest, EvalRequest, SearchRequest, SetsRequest
from desktop_rag.gui.controllers.conversation_export import write_atomically
from desktop_rag.gui.controllers.data_folder import DataFolder
from desktop_rag.gui.lab.question_form import (
    PassageChoice,
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
    """The questions that are measured: a set of one's own, one in files, or the built-in ones.

    `tasks_of` names a knowledge base of whose documents tasks are made.
    """

    saved: str = ""
    corpus: str = ""
    questions: str = ""
    builtin: bool = False
    tasks_of: str = ""


@dataclass(frozen=True, slots=True)
class QuestionSets:
    """The question sets there are, and the knowledge bases that hold documents."""

    own: tuple[QuestionSet, ...] = ()
    files: tuple[tuple[str, str], ...] = ()
    kbs: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class RunHistory:
    """The runs of a task over a set, the newest first, and its questions' texts by their ids."""

    chosen: QuestionSource
    task: str
    runs: tuple[EvaluationRun, ...]
    texts: Mapping[str, str]


def read_sets(folder: DataFolder, token: CancelToken) -> QuestionSets:
    """Read which sets there are."""
    catalog = folder.get(token).catalog
    held = (each.name for each in catalog.kbs.all() if each.chunks)
    own, files = catalog.questions.sets(), catalog.measured.files()
    return QuestionSets(tuple(own), tuple(files), tuple(held))


def load_history(
    folder: DataFolder, chosen: QuestionSource, task: str, token: CancelToken
) -> RunHistory:
    """Read the runs over a set; one that is gone has none."""
    from desktop_rag.evaluation.builtin_questions import builtin_questions
    from desktop_rag.evaluation.datasets import read_questions

    catalog = folder.get(token).catalog
    if chosen.builtin:
        runs = catalog.measured.of(BUILTIN, task)
        texts = {each.id: each.question for each in builtin_questions()}
        return RunHistory(chosen, task, tuple(runs), texts)
    if chosen.tasks_of:
        kb = catalog.kbs.names().get(chosen.tasks_of)
        made = () if kb is None else catalog.measured.of(tasks_source([kb]), task)
        return RunHistory(chosen, task, tuple(made), {})
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


def measure(folder: DataFolder, request: EvalRequest, token: CancelToken) -> Iterator[Event]:
    """Measure; consent that it needs is asked for first."""
    from desktop_rag.commands.dispatch import perform

    workspace = folder.get(token)
    kbs = _bases(workspace, request)
    if kbs:
        folder.before_asking(workspace, AskRequest(kbs, "", model=request.model), token)
    yield from perform(workspace, request, token)


def list_questions(folder: DataFolder, name: str, token: CancelToken) -> tuple[QuestionForm, ...]:
    """Read a set's questions, each with its passages."""
    workspace = folder.get(token)
    questions = workspace.catalog.questions.all(name)
    return tuple(saved_form(workspace, name, each) for each in questions)


def find_passages(
    folder: DataFolder, question: str, kbs: tuple[str, ...], token: CancelToken
) -> tuple[PassageChoice, ...]:
    """Look for passages that may answer a question."""
    from desktop_rag.retrieval.query import Query

    workspace = folder.get(token)
    named = SearchRequest(kbs, question)
    bases = tuple(workspace.catalog.kbs.get(name).id for name in named.kbs)
    found = workspace.retriever.search(Query(question, bases, named.k))
    return tuple(replace(choice_of(each), is_gold=False) for each in found.passages)


def save_questions(folder: DataFolder, forms: Sequence[QuestionForm], token: CancelToken) -> str:
    """Save questions, all of one set; return its name."""
    workspace = folder.get(token)
    for each in forms:
        golds = tuple(gold_of(workspace, piece) for piece in each.pieces if piece.is_gold)
        question = replace(each.question, passages=golds)
        workspace.catalog.questions.save(each.set_name, [question])
    return forms[0].set_name


def propose_questions(
    folder: DataFolder, set_name: str, request: SetsRequest, token: CancelToken
) -> Iterator[QuestionForm | Event]:
    """Make questions up; yields `QuestionForm`s, progress and notices."""
    from desktop_rag.commands.propose_questions import ProposedQuestion, run

    workspace = folder.get(token)
    folder.before_asking(workspace, AskRequest(request.kbs, "", model=request.model), token)
    for event in run(workspace, request, token):
        if isinstance(event, ProposedQuestion):
            yield proposed_form(workspace, set_name, event)
        else:
            yield event


def drop_questions(folder: DataFolder, ids: Sequence[int], token: CancelToken) -> None:
    """Delete questions."""
    folder.get(token).catalog.questions.drop(ids)


def arrange_sets(folder: DataFolder, request: SetsRequest, token: CancelToken) -> Iterator[Event]:
    """Delete or import a set."""
    from desktop_rag.commands.dispatch import perform

    yield from perform(folder.get(token), request, token)


def write_set(folder: DataFolder, name: str, path: Path, token: CancelToken) -> Path:
    """Write a set to a file, whole or not at all."""
    from desktop_rag.evaluation.saved_question_set import lines_of

    workspace = folder.get(token)
    lines = lines_of(workspace.catalog.questions.all(name))
    write_atomically(path, "".join(f"{line}\n" for line in lines), workspace.data_dir)
    return path


def write_table(folder: DataFolder, run: EvaluationRun, path: Path, token: CancelToken) -> Path:
    """Write a run's figures as a table."""
    text = csv_of([each.figures for each in run.ways])
    write_atomically(path, text, folder.get(token).data_dir)
    return path


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
    made = {key: value for key, value in row.items() if key not in ("interval", "setup")}
    made |= {f"setup_{key}": value for key, value in row.get("setup", {}).items()}
    low, high = row.get("interval", (None, None))
    return made if low is None else made | {"interval_low": low, "interval_high": high}


def _bases(workspace: Workspace, request: EvalRequest) -> tuple[str, ...]:
    """Return the knowledge bases whose passages a run may send to a model."""
    if request.task == "crud":
        return request.kbs
    if not request.saved:
        return ()
    known = workspace.catalog.kbs.names()
    asked = workspace.catalog.questions.all(request.saved)
    named = dict.fromkeys(kb for each in asked for kb in request.kbs or each.kbs)
    return tuple(kb for kb in named if kb in known)
