"""One question, answered in several ways one after the other, for looking at them side by side.

Nothing of it is kept. The ways take turns: on one computer with one language model, answers that
were written at the same time would slow each other down, and no time would tell anything.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from functools import partial

from PySide6.QtCore import QObject, Signal, Slot

from desktop_rag.core.cancel import CancelToken
from desktop_rag.core.events import Event
from desktop_rag.core.requests import AskRequest
from desktop_rag.gui.controllers.data_folder import DataFolder
from desktop_rag.gui.controllers.jobs import Job, Jobs, Lane, Operation
from desktop_rag.gui.controllers.transcript import (
    Answered,
    Stopped,
    Transcript,
    Turn,
    failure,
    fold,
)

FEWEST, MOST = 2, 3


@dataclass(frozen=True, slots=True)
class AnswerMethod:
    """How a question is answered: a preset or a strategy, transforms, a model ("": the usual)."""

    name: str
    transforms: tuple[str, ...] = ()
    model: str = ""


@dataclass(frozen=True, slots=True)
class ComparisonColumn:
    """A way, and what came of it: nothing yet, or a transcript of one turn."""

    way: AnswerMethod
    shown: Transcript = field(default_factory=Transcript)

    @property
    def turn(self) -> Turn | None:
        """What came of it, None before its turn."""
        return self.shown.turns[0] if self.shown.turns else None

    @property
    def is_answered(self) -> bool:
        """Whether the answer is whole."""
        return self.turn is not None and isinstance(self.turn.outcome, Answered)


@dataclass(frozen=True, slots=True)
class Comparison:
    """What is compared: the question that was asked of knowledge bases, and the columns.

    `question` is empty until one was asked; `running` is the column that is being answered, -1 for
    none; those in `waiting` follow it.
    """

    columns: tuple[ComparisonColumn, ...]
    question: str = ""
    kbs: tuple[str, ...] = ()
    running: int = -1
    waiting: tuple[int, ...] = ()

    @property
    def is_running(self) -> bool:
        """Whether something is being answered."""
        return self.running >= 0

    def with_column(self, number: int, column: ComparisonColumn) -> Comparison:
        """Return it with another column in the place of one."""
        columns = (*self.columns[:number], column, *self.columns[number + 1 :])
        return replace(self, columns=columns)


class CompareController(QObject):
    """Holds the comparison; `changed` carries it, new.

    `draft` is the question as it is typed: it outlives the page that it is typed on.
    """

    changed = Signal(object)

    def __init__(self, jobs: Jobs, folder: DataFolder, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._jobs = jobs
        self._folder = folder
        self._job: Job | None = None
        self.draft = ""
        self.comparison = Comparison(
            (ComparisonColumn(AnswerMethod("fast")), ComparisonColumn(AnswerMethod("balanced")))
        )

    def compare(self, question: str, kbs: tuple[str, ...]) -> None:
        """Answer a question in every way; those that answered the same one stay, unless all did."""
        now = self.comparison
        if now.is_running or not question.strip() or not kbs:
            return
        same = (question.strip(), kbs) == (now.question, now.kbs)
        left = [n for n, each in enumerate(now.columns) if not (same and each.is_answered)]
        numbers = tuple(left or range(len(now.columns)))
        columns = tuple(
            ComparisonColumn(each.way) if n in numbers else each
            for n, each in enumerate(now.columns)
        )
        self._go_on(Comparison(columns, question.strip(), kbs, waiting=numbers))

    def stop(self) -> None:
        """End the answer that is being made, and begin no other; what has come of it stays."""
        now = self.comparison
        if now.is_running:
            self._cancel()
            self._put(replace(_ended(now), running=-1, waiting=()))

    def skip(self) -> None:
        """End the answer that is being made, and go on with the next."""
        now = self.comparison
        if now.is_running:
            self._cancel()
            self._go_on(_ended(now))

    def choose(self, number: int, way: AnswerMethod) -> None:
        """Change a column's way; what its old one answered goes, as it is not this one's."""
        now = self.comparison
        if not now.is_running and now.columns[number].way != way:
            self._put(now.with_column(number, ComparisonColumn(way)))

    def add(self, way: AnswerMethod) -> None:
        """Put one more column at the end."""
        now = self.comparison
        if not now.is_running and len(now.columns) < MOST:
            self._put(replace(now, columns=(*now.columns, ComparisonColumn(way))))

    def remove(self, number: int) -> None:
        """Take a column away."""
        now = self.comparison
        if not now.is_running and len(now.columns) > FEWEST:
            columns = (*now.columns[:number], *now.columns[number + 1 :])
            self._put(replace(now, columns=columns))

    def _go_on(self, now: Comparison) -> None:
        """Answer in the next way that waits."""
        if not now.waiting:
            self._put(replace(now, running=-1))
            return
        number, *rest = now.waiting
        way = now.columns[number].way
        begun = ComparisonColumn(way, Transcript().begun(now.question, way.name))
        now = replace(now.with_column(number, begun), running=number, waiting=tuple(rest))
        request = AskRequest(
            now.kbs, now.question, way.name, transforms=way.transforms, model=way.model
        )
        answering = Operation(partial(answer, self._folder, request)).on_value(self._fold)
        answering.on_success(self._finish).on_user_error(self._fail).on_bug(self._fail)
        self._job = answering.start(self._jobs, Lane.COMPARE)
        self._put(now)

    def _cancel(self) -> None:
        job, self._job = self._job, None
        if job is not None:
            job.cancel()

    @Slot(object)
    def _fold(self, event: Event) -> None:
        now = self.comparison
        column = now.columns[now.running]
        self._put(now.with_column(now.running, replace(column, shown=fold(column.shown, event))))

    @Slot(object)
    def _fail(self, error: Exception) -> None:
        """Tell in its column what went wrong, and go on with the next."""
        self._job = None
        now = self.comparison
        column = now.columns[now.running]
        failed = replace(column, shown=column.shown.ended(failure(error)))
        self._go_on(now.with_column(now.running, failed))

    @Slot()
    def _finish(self) -> None:
        if self.sender() is self._job:
            self._job = None
            self._go_on(self.comparison)

    def _put(self, comparison: Comparison) -> None:
        self.comparison = comparison
        self.changed.emit(comparison)


def answer(folder: DataFolder, request: AskRequest, token: CancelToken) -> Iterator[Event]:
    """Answer a question, and keep nothing of it."""
    from desktop_rag.commands.dispatch import perform

    workspace = folder.get(token)
    folder.before_asking(workspace, request, token)
    yield from perform(workspace, request, token)


def _ended(now: Comparison) -> Comparison:
    """Return a comparison whose running column was stopped."""
    column = now.columns[now.running]
    return now.with_column(now.running, replace(column, shown=column.shown.ended(Stopped())))
