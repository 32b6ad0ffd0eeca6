"""Question sets and the runs over them: what is known of them, and the run that is under way."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any

from PySide6.QtCore import QObject, Signal, Slot

from desktop_rag.core.cancel import CancelToken
from desktop_rag.core.errors import UserError
from desktop_rag.core.evaluation_records import EvaluationRun
from desktop_rag.core.events import Event, IndexProgress, ListingRow, Notice
from desktop_rag.core.requests import EvalRequest, SetsRequest
from desktop_rag.gui.controllers.data_folder import DataFolder
from desktop_rag.gui.controllers.jobs import Job, Jobs, Lane, Operation
from desktop_rag.gui.lab import evaluation_jobs
from desktop_rag.gui.lab.evaluation_jobs import QuestionSets, QuestionSource, RunHistory
from desktop_rag.gui.lab.question_form import QuestionForm


@dataclass(frozen=True, slots=True)
class RunningEvaluation:
    """A run: its request, the last progress, the figures that are there, and what was noticed."""

    request: EvalRequest
    progress: IndexProgress | None = None
    rows: tuple[ListingRow, ...] = ()
    notices: tuple[str, ...] = ()

    @property
    def keeps_answers(self) -> bool:
        """Whether what was answered is kept when the run is stopped."""
        return self.request.builtin or self.request.task == "crud"


class EvaluationController(QObject):
    """Holds the sets, the runs over the chosen one, and the run that is under way.

    `known_changed` carries the `QuestionSets` sets, `record_changed` the `RunHistory` of the chosen
    set, `underway_changed` a `RunningEvaluation` or None, `measured` the `RunningEvaluation` of a
    run that ended, `saved` the name of the set that questions came into, `listed` a set's
    `QuestionForm`s, `written` the path of a file, `complained` a `UserError`.
    """

    known_changed = Signal(object)
    record_changed = Signal(object)
    underway_changed = Signal(object)
    measured = Signal(object)
    saved = Signal(object)
    listed = Signal(object)
    written = Signal(object)
    complained = Signal(object)

    def __init__(self, jobs: Jobs, folder: DataFolder, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._jobs = jobs
        self._folder = folder
        self._running: Job | None = None
        self._reading: Job | None = None
        self.known = QuestionSets()
        self.record = RunHistory(QuestionSource(), "retrieval", (), {})
        self.underway: RunningEvaluation | None = None

    @Slot()
    def refresh(self) -> None:
        """Read the sets again, and the runs over the chosen one."""
        reading = Operation(partial(evaluation_jobs.read_sets, self._folder))
        reading.on_success(self._learn).on_user_error(self.complained)
        reading.start(self._jobs, Lane.READ)
        if self.record.chosen != QuestionSource():
            self.choose(self.record.chosen, self.record.task)

    def choose(self, chosen: QuestionSource, task: str) -> None:
        """Show the runs of a task over a set."""
        if (chosen, task) != (self.record.chosen, self.record.task):
            self.record = RunHistory(chosen, task, (), {})
        reading = Operation(partial(evaluation_jobs.load_history, self._folder, chosen, task))
        reading.on_success(self._recall).on_user_error(self.complained)
        self._reading = reading.start(self._jobs, Lane.READ, instead_of=self._reading)

    def measure(self, request: EvalRequest) -> None:
        """Begin a run; ignored while one is under way."""
        if self.underway is not None:
            return
        self._show(RunningEvaluation(request))
        measuring = Operation(partial(evaluation_jobs.measure, self._folder, request))
        measuring.on_value(self._follow).on_success(self._finish)
        measuring.on_user_error(self._fail).on_bug(self._over)
        self._running = measuring.start(self._jobs, Lane.MEASURE)

    def stop(self) -> None:
        """End the run that is under way; see `RunningEvaluation.keeps_answers`."""
        if self._running is not None:
            self._running.cancel()
            self._over()

    def save(self, forms: Sequence[QuestionForm]) -> None:
        """Save questions, all of one set."""
        if forms:
            saving = Operation(partial(evaluation_jobs.save_questions, self._folder, forms))
            self._change(saving.on_success(self.saved))

    def drop(self, ids: Sequence[int]) -> None:
        """Delete questions."""
        self._change(Operation(partial(evaluation_jobs.drop_questions, self._folder, tuple(ids))))

    def arrange(self, request: SetsRequest) -> None:
        """Delete or import a set."""
        arranging = Operation(partial(evaluation_jobs.arrange_sets, self._folder, request))
        self._change(arranging.on_value(self._arranged))

    def _change(self, operation: Operation[Any]) -> None:
        """Change sets, and read them again."""
        operation.on_success(self.refresh).on_user_error(self.complained)
        operation.start(self._jobs, Lane.HAND)

    def list_questions(self, name: str) -> None:
        """Read a set's questions; `listed` carries them."""
        reading = Operation(partial(evaluation_jobs.list_questions, self._folder, name))
        reading.on_success(self.listed).on_user_error(self.complained)
        reading.start(self._jobs, Lane.READ)

    def look_for(self, question: str, kbs: tuple[str, ...]) -> Job:
        """Look for passages that may answer a question; the job tells the `PassageChoice`s."""
        looking = Operation(partial(evaluation_jobs.find_passages, self._folder, question, kbs))
        return looking.on_user_error(self.complained).start(self._jobs, Lane.CHAT)

    def propose(self, set_name: str, request: SetsRequest) -> Job:
        """Make questions up; the job yields `QuestionForm`s among progress and notices."""
        work = partial(evaluation_jobs.propose_questions, self._folder, set_name, request)
        return Operation(work).start(self._jobs, Lane.MEASURE)

    def write_set(self, name: str, path: Path) -> None:
        """Write a set to a file, in the place of one that is there."""
        self._write(partial(evaluation_jobs.write_set, self._folder, name, path))

    def write_table(self, run: EvaluationRun, path: Path) -> None:
        """Write a run's figures to a file."""
        self._write(partial(evaluation_jobs.write_table, self._folder, run, path))

    def _write(self, work: Callable[[CancelToken], Path]) -> None:
        writing = Operation(work).on_success(self.written).on_user_error(self.complained)
        writing.start(self._jobs, Lane.CARRY)

    def _show(self, underway: RunningEvaluation | None) -> None:
        self.underway = underway
        self.underway_changed.emit(underway)

    @Slot()
    def _over(self) -> None:
        self._running = None
        self._show(None)
        self.refresh()

    @Slot(object)
    def _learn(self, known: QuestionSets) -> None:
        if known != self.known:
            self.known = known
            self.known_changed.emit(known)

    @Slot(object)
    def _recall(self, record: RunHistory) -> None:
        self._reading = None
        self.record = record
        self.record_changed.emit(record)

    @Slot(object)
    def _follow(self, event: Event) -> None:
        now = self.underway
        if now is None:
            return
        if isinstance(event, IndexProgress):
            self._show(replace(now, progress=event))
        elif isinstance(event, ListingRow):
            self._show(replace(now, rows=(*now.rows, event)))
        elif isinstance(event, Notice):
            self._show(replace(now, notices=(*now.notices, event.text)))

    @Slot()
    def _finish(self) -> None:
        ended = self.underway
        self._over()
        self.measured.emit(ended)

    @Slot(object)
    def _fail(self, error: UserError) -> None:
        self._over()
        self.complained.emit(error)

    @Slot(object)
    def _arranged(self, row: ListingRow) -> None:
        if not row.values.get("deleted"):
            self.saved.emit(str(row.values["name"]))
