"""The long job of the ingest lane: does what the ingest queue brings, and follows the folders.

One request after the other. Files that change while the window is open come in through the watcher
as requests like any other.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from desktop_rag.catalog.file_rules import PAUSED
from desktop_rag.commands.dispatch import perform
from desktop_rag.core.cancel import CancelToken
from desktop_rag.core.errors import Cancelled, UserError
from desktop_rag.core.events import FileDone, IndexProgress
from desktop_rag.core.requests import (
    IndexRequest,
    PrepareRequest,
    SuggestedQuestionsRequest,
)
from desktop_rag.core.types import FileStatus, KbId
from desktop_rag.gui.controllers.data_folder import DataFolder
from desktop_rag.gui.controllers.ingest_queue import IngestQueue, Pause, QueuedRequest

if TYPE_CHECKING:
    from desktop_rag.gui.controllers.folder_watch import FolderWatch
    from desktop_rag.workspace import Workspace

DEFAULT_KB = "default"
_TOLD_EVERY = 0.1
_LEFT_ALONE = 60.0  # seconds
_LONGEST_REST = 2.0


@dataclass(frozen=True, slots=True)
class WorkerReady:
    """The lane is ready; `pause` is what was kept from the last time."""

    pause: Pause


@dataclass(frozen=True, slots=True)
class RequestStarted:
    """A request is being done."""

    chore: QueuedRequest


@dataclass(frozen=True, slots=True)
class RequestDone:
    """A request is done; `error` says why it could not be: a `UserError`, or a bug of ours."""

    chore: QueuedRequest
    error: Exception | None = None
    stopped: bool = False


def ingest(folder: DataFolder, ingest_queue: IngestQueue, token: CancelToken) -> Iterator[object]:
    """Bring every knowledge base up to date, then follow the ingest queue and folders."""
    from desktop_rag.gui.controllers.folder_watch import FolderWatch

    workspace = folder.get(token)
    if workspace.catalog.choices.figure(PAUSED):
        ingest_queue.set_pause(Pause.USER)
    yield WorkerReady(ingest_queue.pause)
    if not workspace.catalog.kbs.names():
        workspace.catalog.kbs.create(DEFAULT_KB)
    with closing(FolderWatch(workspace, ingest_queue)) as following:
        following.refresh()  # before the first look, so that nothing falls between
        for name in workspace.catalog.kbs.names():
            ingest_queue.put(IndexRequest(name, only_known=True))
        idle = _IdleWork()
        while True:
            workspace = folder.get(token)
            following.use(workspace)
            chore = idle.next(workspace, ingest_queue) or _next(ingest_queue, following, token)
            if chore is None:
                continue
            yield from run_request(
                folder.for_indexing(token), chore, ingest_queue, token, following
            )
            idle.note_end(chore, ingest_queue)


def run_request(
    workspace: Workspace,
    chore: QueuedRequest,
    ingest_queue: IngestQueue,
    token: CancelToken,
    following: FolderWatch | None = None,
) -> Iterator[object]:
    """Do one request; an error ends it, not the lane.

    What it adds is listened to before it is looked at: what changes while it is read comes after.
    Of suggested questions nothing is told: their making is no work that anybody waits for.
    """
    if isinstance(chore, SuggestedQuestionsRequest):
        yield from _unseen(workspace, chore, ingest_queue, token, following)
        return
    yield RequestStarted(chore)
    current = ingest_queue.begin(chore)
    is_queued = False
    rein = _Rein()
    try:
        with token.waking(current.cancel):
            for event in perform(workspace, _in_background(chore), current):
                if following is not None and _is_before_looking(event):
                    _listen(following, ingest_queue, chore)
                is_queued = is_queued or _is_past_looking(event)
                if rein.lets_pass(event):
                    yield event
                if following is not None and _gives_way(chore, ingest_queue, following, current):
                    break
    except Cancelled:
        token.check()
        if ingest_queue.pause and not is_queued:
            ingest_queue.put_back(chore)  # what it was to find is still to be queued
        yield RequestDone(chore, stopped=True)
    except Exception as error:  # noqa: BLE001 - the controller shows it, or raises it there
        token.check()
        yield RequestDone(chore, error)
    else:
        yield RequestDone(chore)


def _unseen(
    workspace: Workspace,
    chore: QueuedRequest,
    ingest_queue: IngestQueue,
    token: CancelToken,
    following: FolderWatch | None,
) -> Iterator[object]:
    """Do what nobody waits for, until something else is to be done; tell of bugs only.

    It rests as long as it works: a question that is asked meanwhile goes before it.
    """
    current = ingest_queue.begin(chore)
    try:
        with token.waking(current.cancel):
            began = time.monotonic()
            for _ in perform(workspace, chore, current):
                if following is not None and not _is_left_alone(
                    ingest_queue, following, current, time.monotonic() - began
                ):
                    return
                began = time.monotonic()
    except (Cancelled, UserError):
        token.check()
    except Exception as error:  # noqa: BLE001 - the controller raises it there
        token.check()
        yield RequestDone(chore, error)


def _is_left_alone(
    ingest_queue: IngestQueue, following: FolderWatch, token: CancelToken, seconds: float
) -> bool:
    """Wait so long; say whether nothing came meanwhile that is to be done."""
    sleep = ingest_queue.sleep()
    with token.waking(sleep.cancel):
        for found in following.changes(sleep, min(seconds, _LONGEST_REST)):
            ingest_queue.put(found)
    token.check()
    return ingest_queue.is_empty


def _in_background(chore: QueuedRequest) -> QueuedRequest:
    return replace(chore, in_background=True) if isinstance(chore, IndexRequest) else chore


def _gives_way(
    chore: QueuedRequest, ingest_queue: IngestQueue, following: FolderWatch, token: CancelToken
) -> bool:
    """Say whether something waits or has changed, which goes before what may wait."""
    if not _is_idle_work(chore):
        return False
    for found in following.changes(token, 0.0):
        ingest_queue.put(found)
    return not ingest_queue.is_empty


class _IdleWork:
    """Gives what may wait when nothing else does: recognising pages, preparing documents, and last
    making questions of them.

    What still waits after it (on a drive that is away, for a language model that is not there) is
    left alone for a while, but not where it gave way to something else.
    """

    def __init__(self) -> None:
        self._ended: dict[QueuedRequest, float] = {}
        self._looked_through: dict[KbId, int] = {}

    def next(self, workspace: Workspace, ingest_queue: IngestQueue) -> QueuedRequest | None:
        """Return a request for what waits in some knowledge base, None where nothing does."""
        if ingest_queue.pause or not ingest_queue.is_empty:
            return None
        from desktop_rag.commands.prepare import waiting

        catalog = workspace.catalog
        default = workspace.settings.ingest.recognize_text
        names = catalog.kbs.names().items()
        for name, kb in names:
            pages = IndexRequest(name, only_recognize=True)
            is_on = self._is_rested(pages) and catalog.kbs.recognizes_text(kb, default=default)
            if is_on and catalog.recognized.waiting(kb):
                return pages
        for name, kb in names:
            documents = PrepareRequest(name, action="resume")
            is_asked_for = self._is_rested(documents) and catalog.preparations.all(kb)
            if is_asked_for and waiting(workspace, kb):
                return documents
        return self._questions(workspace)

    def _questions(self, workspace: Workspace) -> QueuedRequest | None:
        """Return a request to make questions of documents that nobody looked at for that."""
        from desktop_rag.commands.suggested_questions import has_waiting

        if not workspace.settings.ingest.suggest_questions:
            return None
        for name, kb in workspace.catalog.kbs.names().items():
            questions = SuggestedQuestionsRequest(name, action="make")
            revision = workspace.catalog.preparations.changes(kb)
            if self._looked_through.get(kb) == revision or not self._is_rested(questions):
                continue
            if has_waiting(workspace, kb):
                return questions
            self._looked_through[kb] = revision  # of 100,000 files the newest are not found at once
        return None

    def note_end(self, chore: QueuedRequest, ingest_queue: IngestQueue) -> None:
        """Note that a request was done, whichever it was."""
        if _is_idle_work(chore) and ingest_queue.is_empty:
            self._ended[chore] = time.monotonic()

    def _is_rested(self, chore: QueuedRequest) -> bool:
        return time.monotonic() - self._ended.get(chore, -_LEFT_ALONE) >= _LEFT_ALONE


def _is_idle_work(chore: QueuedRequest) -> bool:
    if isinstance(chore, IndexRequest):
        return chore.only_recognize
    if isinstance(chore, SuggestedQuestionsRequest):
        return True
    return isinstance(chore, PrepareRequest) and chore.action == "resume"


class _Rein:
    """Lets progress and outcomes pass ten times a second: the snapshot is read, not told.

    Of 100,000 unchanged files the window would otherwise hear one by one, all at once.
    """

    def __init__(self) -> None:
        self._last: dict[str, float] = {}

    def lets_pass(self, event: object) -> bool:
        if not isinstance(event, (FileDone, IndexProgress)):
            return True
        now, kind = time.monotonic(), event.stage if isinstance(event, IndexProgress) else "file"
        if now - self._last.get(kind, 0.0) < _TOLD_EVERY:
            return False
        self._last[kind] = now
        return True


def _is_before_looking(event: object) -> bool:
    """Say whether a run has settled what it looks at, and looks at nothing before it goes on."""
    return isinstance(event, IndexProgress) and event.stage == "scan" and not event.current


def _is_past_looking(event: object) -> bool:
    """Say whether an event shows that every file to be read stands in the queue."""
    if isinstance(event, IndexProgress):
        return event.stage != "scan"
    return isinstance(event, FileDone) and event.status is not FileStatus.FAILED


def _listen(
    following: FolderWatch, ingest_queue: IngestQueue, begun: QueuedRequest | None = None
) -> None:
    """Listen to what is followed newly; let what no run that has begun looks at be looked at."""
    for found in following.refresh(begun):
        ingest_queue.put(found)


def _next(
    ingest_queue: IngestQueue, following: FolderWatch, token: CancelToken
) -> QueuedRequest | None:
    """Return the next request, from the ingest queue or the folders; None after some seconds."""
    token.check()
    chore = ingest_queue.take()
    if chore is not None:
        return chore
    _listen(following, ingest_queue)  # a command, or an import, may have added or removed folders
    sleep = ingest_queue.sleep()
    with token.waking(sleep.cancel):
        for found in following.changes(sleep):
            ingest_queue.put(found)
    return ingest_queue.take()
