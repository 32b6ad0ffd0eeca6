"""Question sets and the runs over them: what is known of them, and the run that is under way."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from PySide6.QtCore import QObject, Signal, Slot

from desktop_rag.core.errors import UserError
from desktop_rag.core.evaluation_records import EvaluationRun
from desktop_rag.core.events import Event, IndexProgress, ListingRow, Notice
from desktop_rag.core.requests import EvalRequest, SetsRequest
from desktop_rag.gui.controllers.data_folder import DataFolder
from desktop_rag.gui.controllers.jobs import Job, Jobs, Lane, Work
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
        self._set_names: dict[QObject, str] = {}
        self.known = QuestionSets()
        self.record = RunHistory(QuestionSource(), "retrieval", (), {})
        self.underway: RunningEvaluation | None = None

    @Slot()
    def refresh(self) -> None:
        """Read the sets again, and the runs over the chosen one."""
        self._start(Lane.READ, evaluation_jobs.knowing(self._folder)).yielded.connect(self._learn)
        if self.record.chosen != QuestionSource():
            self.choose(self.record.chosen, self.record.task)

    def choose(self, chosen: QuestionSource, task: str) -> None:
        """Show the runs of a task over a set."""
        if self._reading is not None:
            self._reading.cancel()
        if (chosen, task) != (self.record.chosen, self.record.task):
            self.record = RunHistory(chosen, task, (), {})
        self._reading = self._start(
            Lane.READ, evaluation_jobs.recalling(self._folder, chosen, task)
        )
        self._reading.yielded.connect(self._recall)

    def measure(self, request: EvalRequest) -> None:
        """Begin a run; ignored while one is under way."""
        if self.underway is not None:
            return
        self._show(RunningEvaluation(request))
        self._running = self._jobs.start(
            Lane.MEASURE, evaluation_jobs.measuring(self._folder, request)
        )
        self._running.yielded.connect(self._follow)
        self._running.failed.connect(self._fail)
        self._running.finished.connect(self._finish)

    def stop(self) -> None:
        """End the run that is under way; nothing of it is kept."""
        if self._running is not None:
            self._running.cancel()
            self._over()

    def save(self, forms: Sequence[QuestionForm]) -> None:
        """Save questions, all of one set."""
        if forms:
            job = self._start(Lane.HAND, evaluation_jobs.saving(self._folder, forms))
            self._set_names[job] = forms[0].set_name
            job.yielded.connect(self._tell_saved)
            job.finished.connect(self.refresh)

    def drop(self, ids: Sequence[int]) -> None:
        """Delete questions."""
        work = evaluation_jobs.dropping(self._folder, tuple(ids))
        self._start(Lane.HAND, work).finished.connect(self.refresh)

    def arrange(self, request: SetsRequest) -> None:
        """Delete or import a set."""
        job = self._start(Lane.HAND, evaluation_jobs.arranging(self._folder, request))
        job.yielded.connect(self._arranged)
        job.finished.connect(self.refresh)

    def list_questions(self, name: str) -> None:
        """Read a set's questions; `listed` carries them."""
        self._start(Lane.READ, evaluation_jobs.listing(self._folder, name)).yielded.connect(
            self.listed
        )

    def look_for(self, question: str, kbs: tuple[str, ...]) -> Job:
        """Look for passages that may answer a question; the job yields the `PassageChoice`s."""
        return self._start(Lane.CHAT, evaluation_jobs.searching(self._folder, question, kbs))

    def propose(self, set_name: str, request: SetsRequest) -> Job:
        """Make questions up; the job yields `QuestionForm`s among progress and notices."""
        return self._jobs.start(
            Lane.MEASURE, evaluation_jobs.proposing(self._folder, set_name, request)
        )

    def write_set(self, name: str, path: Path) -> None:
        """Write a set to a file, in the place of one that is there."""
        work = evaluation_jobs.exporting_set(self._folder, name, path)
        self._start(Lane.CARRY, work).yielded.connect(self.written)

    def write_table(self, run: EvaluationRun, path: Path) -> None:
        """Write a run's figures to a file."""
        work = evaluation_jobs.tabling(self._folder, run, path)
        self._start(Lane.CARRY, work).yielded.connect(self.written)

    def _start(self, lane: Lane, work: Work) -> Job:
        job = self._jobs.start(lane, work)
        job.failed.connect(self._complain)
        return job

    def _show(self, underway: RunningEvaluation | None) -> None:
        self.underway = underway
        self.underway_changed.emit(underway)

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
    def _fail(self, error: Exception) -> None:
        self._over()
        self._complain(error)

    @Slot(object)
    def _complain(self, error: Exception) -> None:
        if not isinstance(error, UserError):
            raise error
        self.complained.emit(error)

    @Slot(object)
    def _tell_saved(self, numbers: tuple[int, ...]) -> None:
        del numbers
        job = self.sender()
        if job is not None:
            self.saved.emit(self._set_names.pop(job, ""))

    @Slot(object)
    def _arranged(self, row: ListingRow) -> None:
        if not row.values.get("deleted"):
            self.saved.emit(str(row.values["name"]))
