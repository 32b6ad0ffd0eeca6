"""The knowledge bases of the window: what is in them, what is being done, what went wrong."""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import dataclass

from PySide6.QtCore import QObject, QTimer, Signal, Slot

from desktop_rag.app.folder import DataFolder
from desktop_rag.app.inbox import Inbox
from desktop_rag.app.jobs import Job, Jobs, Lane, Work
from desktop_rag.app.keeping import DEFAULT_KB, Begun, Over, keeping
from desktop_rag.app.shelf import Shelf, shelf_of
from desktop_rag.core.cancel import CancelToken
from desktop_rag.core.errors import UserError
from desktop_rag.core.events import FileDone, IndexDone, IndexProgress
from desktop_rag.core.requests import IndexRequest, KbRequest, RemoveRequest
from desktop_rag.engine.workspace import Workspace

_REFRESH_MS = 400
_SHARE_OF_TIME = 10


@dataclass(frozen=True, slots=True)
class Resting:
    """Nothing is being indexed."""


@dataclass(frozen=True, slots=True)
class Working:
    """A request is being done in `kb`; `progress` is None until the first is known."""

    kb: str
    progress: IndexProgress | None = None


Activity = Resting | Working


class LibraryController(QObject):
    """Holds the shelf that is shown and what the ingest lane does.

    `shelf_changed` carries a `Shelf`, `activity_changed` an `Activity`, `complained` a `UserError`,
    `indexed` the `IndexDone` of a finished request.
    """

    shelf_changed = Signal(object)
    activity_changed = Signal(object)
    complained = Signal(object)
    indexed = Signal(object)

    def __init__(self, jobs: Jobs, folder: DataFolder, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._jobs = jobs
        self._folder = folder
        self.inbox = Inbox()
        self._reading: Job | None = None
        self._stale = False
        self._settled = False
        self._asked_at = 0.0
        self._again = QTimer(self)
        self._again.setSingleShot(True)
        self._again.setInterval(_REFRESH_MS)
        self._again.timeout.connect(self.refresh)
        self.shelf = Shelf((), DEFAULT_KB)
        self.activity: Activity = Resting()

    def start_with(self, name: str) -> None:
        """Show a knowledge base first, if it is still there when the shelf is read."""
        if name:
            self.shelf = Shelf((), name)

    def follow(self) -> Job:
        """Start the long job of the ingest lane and read the shelf."""
        job = self._jobs.start(Lane.INGEST, keeping(self._folder, self.inbox))
        job.yielded.connect(self._hear)
        job.failed.connect(self._fail)
        self.refresh()
        return job

    def add(self, paths: tuple[str, ...]) -> None:
        """Add files and folders to the current knowledge base."""
        if paths:
            self.inbox.put(IndexRequest(self.shelf.current, paths))

    def retry(self) -> None:
        """Take up every failed file of the current knowledge base again."""
        self.inbox.put(IndexRequest(self.shelf.current, retry=True))

    def update_all(self) -> None:
        """Look through the current knowledge base's folders for changes now."""
        self.inbox.put(IndexRequest(self.shelf.current))

    def remove(self, paths: tuple[str, ...]) -> None:
        """Take files or folders out of the current knowledge base, never from the disk."""
        if paths:
            self.inbox.put(RemoveRequest(self.shelf.current, paths))

    def create(self, name: str) -> None:
        """Create a knowledge base and show it."""
        self._settled = True
        self.inbox.put(KbRequest("create", name))
        self.switch(name)

    def delete(self, name: str) -> None:
        """Delete a knowledge base with every trace of its text; the files stay where they are."""
        self.inbox.put(KbRequest("delete", name))
        if name == self.shelf.current:
            self.switch(DEFAULT_KB)

    def switch(self, name: str) -> None:
        """Show another knowledge base."""
        self.shelf = Shelf(self.shelf.kbs, name)
        self.shelf_changed.emit(self.shelf)
        self.refresh()

    def stop(self) -> None:
        """Stop indexing; what is done stays, the rest is taken up at the next update."""
        self.inbox.stop_current()

    @Slot()
    def refresh(self) -> None:
        """Read the shelf from the catalog; while one reading runs, the next one waits."""
        self._again.stop()
        if self._reading is not None:
            self._stale = True
            return
        self._stale = False
        self._asked_at = time.monotonic()
        self._reading = self._jobs.start(Lane.READ, reading(self._folder, self.shelf.current))
        self._reading.yielded.connect(self._take)
        self._reading.failed.connect(self._fail)

    @Slot()
    def refresh_soon(self) -> None:
        """Read the shelf before long; many wishes become one reading."""
        if not self._again.isActive():
            self._again.start()

    @Slot(object)
    def _take(self, shelf: Shelf) -> None:
        self._reading = None
        took_ms = int((time.monotonic() - self._asked_at) * 1000)
        self._again.setInterval(max(_REFRESH_MS, took_ms * _SHARE_OF_TIME))
        if not self._settled and shelf.kbs:
            self._settle(shelf)
        elif shelf.current == self.shelf.current:
            self.shelf = shelf
            self.shelf_changed.emit(shelf)
        if self._stale:
            self._again.start()

    def _settle(self, shelf: Shelf) -> None:
        """Show, once at the start, a knowledge base that is there, rather a filled one."""
        self._settled = True
        filled = [kb.name for kb in shelf.kbs if kb.files]
        names = [kb.name for kb in shelf.kbs]
        if shelf.branches or (shelf.current in names and not filled):
            self.shelf = shelf
            self.shelf_changed.emit(shelf)
        else:
            self.switch((filled or names)[0])

    @Slot(object)
    def _hear(self, event: object) -> None:
        if isinstance(event, IndexProgress) and isinstance(self.activity, Working):
            self._be(Working(self.activity.kb, event))
        elif isinstance(event, FileDone):
            self.refresh_soon()
        elif isinstance(event, IndexDone):
            self.indexed.emit(event)
        elif isinstance(event, Begun):
            kb = event.chore.name if isinstance(event.chore, KbRequest) else event.chore.kb
            self._be(Working(kb))
        elif isinstance(event, Over):
            self._end(event)

    def _end(self, over: Over) -> None:
        self._be(Resting())
        self.refresh()
        if isinstance(over.error, UserError):
            self.complained.emit(over.error)
        elif over.error is not None:
            raise over.error

    def _be(self, activity: Activity) -> None:
        self.activity = activity
        self.activity_changed.emit(activity)

    @Slot(object)
    def _fail(self, error: Exception) -> None:
        self._reading = None
        if not isinstance(error, UserError):
            raise error
        self.complained.emit(error)


def reading(folder: DataFolder, current: str) -> Work:
    """Return the work that reads a shelf."""

    def work(token: CancelToken) -> Iterator[object]:
        yield read_shelf(folder.get(token), current)

    return work


def read_shelf(workspace: Workspace, current: str) -> Shelf:
    """Read a knowledge base's sources and files; one that is not there yet is empty."""
    catalog = workspace.catalog
    kbs = tuple(catalog.kbs.all())
    found = next((kb for kb in kbs if kb.name == current), None)
    if found is None:
        return Shelf(kbs, current)
    return shelf_of(kbs, current, catalog.kbs.sources(found.id), catalog.files.under(found.id))
