"""Lists, shows, deletes, exports and imports question sets of the user's own."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from desktop_rag.commands import propose_questions
from desktop_rag.core.cancel import CancelToken
from desktop_rag.core.errors import UsageError, UserError
from desktop_rag.core.evaluation_records import QuestionSet, SavedQuestion
from desktop_rag.core.events import Event, ListingRow, Notice
from desktop_rag.core.phrases import Phrase
from desktop_rag.core.requests import SetsRequest
from desktop_rag.evaluation import saved_question_set
from desktop_rag.evaluation.datasets import read_questions
from desktop_rag.workspace import Workspace


def run(workspace: Workspace, request: SetsRequest, token: CancelToken) -> Iterator[Event]:
    """Yield a row for each set, or each question, that the action is about."""
    token.check()
    if request.action == "propose":
        yield from propose_questions.run(workspace, request, token)
        return
    action = _ACTIONS.get(request.action)
    if action is None:
        raise UsageError(
            Phrase("There is no eval {0}.", request.action), "See `desktop-rag eval --help`."
        )
    yield from action(workspace, request)


def _figures(found: QuestionSet, **more: str) -> ListingRow:
    return ListingRow(
        {"name": found.name, "questions": found.questions, "created": found.created} | more
    )


def _list(workspace: Workspace, _request: SetsRequest) -> Iterator[Event]:
    for each in workspace.catalog.questions.sets():
        yield _figures(each)


def _show(workspace: Workspace, request: SetsRequest) -> Iterator[Event]:
    for each in workspace.catalog.questions.all(request.name):
        yield ListingRow(saved_question_set.row_of(each))


def _delete(workspace: Workspace, request: SetsRequest) -> Iterator[Event]:
    found = workspace.catalog.questions.get(request.name)
    workspace.catalog.questions.delete(request.name)
    yield _figures(found, deleted="yes")


def _export(workspace: Workspace, request: SetsRequest) -> Iterator[Event]:
    """Write a new file that only its user may read; one that is there is left as it is."""
    found = workspace.catalog.questions.get(request.name)
    lines = saved_question_set.lines_of(workspace.catalog.questions.all(request.name))
    try:
        path = Path(request.file)
        path.touch(mode=0o600, exist_ok=False)
        path.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    except OSError as error:
        raise UserError(
            Phrase("{0} could not be written: {1}.", request.file, error.strerror or error),
            "Choose another place, or another name.",
        ) from error
    yield _figures(found, file=request.file)


def _import(workspace: Workspace, request: SetsRequest) -> Iterator[Event]:
    """Add a file's questions to the set that has its name, or the one that is named.

    Those that are there already are left as they are, and how many is told.
    """
    path, catalog = Path(request.file), workspace.catalog
    items = read_questions(path)
    name = request.name or path.name.split(".")[0]
    made = saved_question_set.imported(catalog, items, request.kbs)
    name = catalog.questions.ensure(name).name
    known = {_asked(each) for each in catalog.questions.all(name)}
    new = [each for each in made if _asked(each) not in known]
    catalog.questions.save(name, new)
    if len(new) < len(made):
        yield Notice(Phrase("Questions that were in the set already: {0}.", len(made) - len(new)))
    yield _figures(catalog.questions.get(name))


def _asked(question: SavedQuestion) -> tuple[object, ...]:
    """Return what makes two questions the same one."""
    gold = frozenset(saved_question_set.gold_name(passage) for passage in question.passages)
    return question.question.strip(), question.answers, gold, question.kbs


_ACTIONS = {
    "list": _list,
    "show": _show,
    "delete": _delete,
    "export": _export,
    "import": _import,
}
