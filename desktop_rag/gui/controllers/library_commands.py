"""What the user decides of files and knowledge bases, done beside a run that reads for hours.

Short decisions have a lane of their own; knowledge bases that go into a file or come from one have
another, with progress and a stop.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from PySide6.QtCore import QObject, Signal, Slot

from desktop_rag.core.cancel import CancelToken
from desktop_rag.core.errors import UserError
from desktop_rag.core.events import FileDone, IndexProgress, ListingRow, Notice
from desktop_rag.core.requests import FilesRequest, IndexRequest, KbRequest, RemoveRequest
from desktop_rag.gui.controllers.data_folder import DataFolder
from desktop_rag.gui.controllers.jobs import Job, Jobs, Lane, Work
from desktop_rag.gui.controllers.library_previews import (
    RemovalPreview,
    previewing_import,
    previewing_removal,
)

LibraryRequest = IndexRequest | RemoveRequest | FilesRequest | KbRequest
_CARRIED = ("export", "import", "rebuild")
_TOLD_EVERY = 0.1


@dataclass(frozen=True, slots=True)
class CommandDone:
    """A decision was carried out on so many files; `name` is the knowledge base that it made.

    `singles` are the files, not folders, among what was added.
    """

    decision: LibraryRequest
    files: int
    notices: tuple[str, ...] = ()
    name: str = ""
    singles: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class RunningCommand:
    """A decision is being carried out; `progress` is None until there is any."""

    decision: LibraryRequest
    progress: IndexProgress | None = None


class LibraryCommands(QObject):
    """Carries out decisions, in their order.

    `done` carries a `CommandDone`, `complained` a `UserError`, `weighed` a `RemovalPreview` that
    was counted, `examined` the `ImportPreview` of a file to import; `underway_changed` says that
    `underway` changed.
    """

    done = Signal(object)
    weighed = Signal(object)
    examined = Signal(object)
    complained = Signal(object)
    underway_changed = Signal()

    def __init__(self, jobs: Jobs, folder: DataFolder, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._jobs = jobs
        self._folder = folder
        self._running: dict[Job, RunningCommand] = {}

    @property
    def underway(self) -> tuple[RunningCommand, ...]:
        """What is being carried out, or waits for it."""
        return tuple(self._running.values())

    def carry_out(self, decision: LibraryRequest) -> None:
        """Carry a decision out after those before it."""
        job = self._jobs.start(_lane(decision), _work(self._folder, decision))
        self._running[job] = RunningCommand(decision)
        job.yielded.connect(self._hear)
        job.failed.connect(self._fail)
        job.finished.connect(self._end)
        self.underway_changed.emit()

    def weigh(self, removal: RemovalPreview) -> None:
        """Count what would go; `weighed` carries it."""
        job = self._jobs.start(Lane.HAND, previewing_removal(self._folder, removal))
        job.yielded.connect(self.weighed)
        job.failed.connect(self._fail)

    def examine(self, file: str) -> None:
        """Find out what a file to import would follow here; `examined` carries it."""
        job = self._jobs.start(Lane.LOOK, previewing_import(self._folder, file))
        job.yielded.connect(self.examined)
        job.failed.connect(self._fail)

    def stop(self, decision: LibraryRequest) -> None:
        """Stop a decision that is being carried out; an import leaves nothing behind."""
        for job, each in list(self._running.items()):
            if each.decision == decision:
                job.cancel()
                del self._running[job]
        self.underway_changed.emit()

    @Slot(object)
    def _hear(self, fact: CommandDone | RunningCommand) -> None:
        if isinstance(fact, CommandDone):
            self.done.emit(fact)
            return
        job = self._job_of(fact.decision)
        if job is not None:
            self._running[job] = fact
            self.underway_changed.emit()

    @Slot(object)
    def _fail(self, error: Exception) -> None:
        self._end()
        if not isinstance(error, UserError):
            raise error
        self.complained.emit(error)

    @Slot()
    def _end(self) -> None:
        job = self.sender()
        if isinstance(job, Job):
            self._running.pop(job, None)
        self.underway_changed.emit()

    def _job_of(self, decision: LibraryRequest) -> Job | None:
        return next((job for job, each in self._running.items() if each.decision == decision), None)


def _lane(decision: LibraryRequest) -> Lane:
    if isinstance(decision, IndexRequest):
        return Lane.LOOK
    is_carried = isinstance(decision, KbRequest) and decision.action in _CARRIED
    return Lane.CARRY if is_carried else Lane.HAND


def _work(folder: DataFolder, decision: LibraryRequest) -> Work:
    """Return the work that carries a decision out and says at the end what came of it."""

    def work(token: CancelToken) -> Iterator[object]:
        from desktop_rag.commands.dispatch import perform

        workspace = folder.get(token)
        done = CommandDone(decision, 0)
        told = 0.0
        for event in perform(workspace, decision, token):
            if isinstance(event, FileDone):
                done = replace(done, files=done.files + 1)
            elif isinstance(event, Notice):
                done = replace(done, notices=(*done.notices, event.text))
            elif isinstance(event, ListingRow):
                done = replace(done, name=str(event.values.get("name", "")))
            elif isinstance(event, IndexProgress) and time.monotonic() - told > _TOLD_EVERY:
                told = time.monotonic()
                yield RunningCommand(decision, event)
        if isinstance(decision, IndexRequest):
            singles = tuple(path for path in decision.paths if Path(path).is_file())
            done = replace(done, singles=singles)
        yield done

    return work


def saving_figure(folder: DataFolder, name: str, value: float) -> Work:
    """Return the work that keeps a figure."""

    def work(token: CancelToken) -> Iterator[object]:
        folder.get(token).catalog.choices.note(name, value)
        yield from ()

    return work
