"""What the user decides of files and knowledge bases, done beside a run that reads for hours.

Short decisions have a lane of their own; knowledge bases that go into a file or come from one have
another, with progress and a stop.
"""

from __future__ import annotations

import time
from collections.abc import Generator
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import cast

from PySide6.QtCore import QObject, Signal, Slot

from desktop_rag.core.cancel import CancelToken
from desktop_rag.core.events import FileDone, IndexProgress, ListingRow, Notice
from desktop_rag.core.requests import FilesRequest, IndexRequest, KbRequest, RemoveRequest
from desktop_rag.gui.controllers.data_folder import DataFolder
from desktop_rag.gui.controllers.jobs import Job, Jobs, Lane, Operation
from desktop_rag.gui.controllers.library_previews import (
    RemovalPreview,
    joinable_bases,
    preview_import,
    preview_removal,
)

LibraryRequest = IndexRequest | RemoveRequest | FilesRequest | KbRequest
_CARRIED = ("export", "import", "rebuild", "share", "join")
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
    was counted, `examined` the `ImportPreview` of a file to import; `server_listed` the
    `JoinableBase`s on the server, `server_refused` the `UserError` that came instead;
    `underway_changed` says that `underway` changed.
    """

    done = Signal(object)
    weighed = Signal(object)
    examined = Signal(object)
    server_listed = Signal(object)
    server_refused = Signal(object)
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
        operation = Operation(partial(_perform, self._folder, decision))
        operation.on_value(self._follow).on_end(self._end)
        operation.on_success(self.done).on_user_error(self.complained)
        job = operation.start(self._jobs, _lane(decision))
        self._running[job] = RunningCommand(decision)
        self.underway_changed.emit()

    def weigh(self, removal: RemovalPreview) -> None:
        """Count what would go; `weighed` carries it."""
        counting = Operation(partial(preview_removal, self._folder, removal))
        counting.on_success(self.weighed).on_user_error(self.complained)
        counting.start(self._jobs, Lane.HAND)

    def examine(self, file: str) -> None:
        """Find out what a file to import would follow here; `examined` carries it."""
        reading = Operation(partial(preview_import, self._folder, file))
        reading.on_success(self.examined).on_user_error(self.complained)
        reading.start(self._jobs, Lane.LOOK)

    def list_server(self) -> None:
        """Find out what is shared on the server; `server_listed` carries it."""
        asking = Operation(partial(joinable_bases, self._folder))
        asking.on_success(self.server_listed).on_user_error(self.server_refused)
        asking.start(self._jobs, Lane.LOOK)

    def stop(self, decision: LibraryRequest) -> None:
        """Stop a decision that is being carried out; an import leaves nothing behind."""
        for job, each in list(self._running.items()):
            if each.decision == decision:
                job.cancel()
                del self._running[job]
        self.underway_changed.emit()

    @Slot(object)
    def _follow(self, running: RunningCommand) -> None:
        self._running[cast("Job", self.sender())] = running
        self.underway_changed.emit()

    @Slot()
    def _end(self) -> None:
        self._running.pop(cast("Job", self.sender()), None)
        self.underway_changed.emit()


def _lane(decision: LibraryRequest) -> Lane:
    if isinstance(decision, IndexRequest):
        return Lane.LOOK
    is_carried = isinstance(decision, KbRequest) and decision.action in _CARRIED
    return Lane.CARRY if is_carried else Lane.HAND


def _perform(
    folder: DataFolder, decision: LibraryRequest, token: CancelToken
) -> Generator[object, None, CommandDone]:
    """Carry a decision out, and return at the end what came of it."""
    from desktop_rag.commands.dispatch import perform

    done = CommandDone(decision, 0)
    told = 0.0
    for event in perform(folder.get(token), decision, token):
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
    return done


def save_figure(folder: DataFolder, name: str, value: float, token: CancelToken) -> None:
    """Keep a figure."""
    folder.get(token).catalog.choices.note(name, value)
