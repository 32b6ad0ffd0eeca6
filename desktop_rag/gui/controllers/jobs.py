"""The thread boundary: work runs in lanes, what comes of it arrives in the GUI thread.

Work is a function, or a generator that yields values on its way. Whatever comes of it crosses by
one queued signal; when its token is cancelled nothing more is delivered, neither values nor errors.
This module knows nothing of documents.
"""

from __future__ import annotations

import logging
import queue
import threading
import time
from collections.abc import Callable, Generator
from contextlib import closing
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Generic, Protocol, Self, TypeVar, overload

from PySide6.QtCore import SIGNAL, QObject, Qt, QTimer, Signal, SignalInstance, Slot

from desktop_rag.core.cancel import CancelToken, use_token
from desktop_rag.core.errors import Cancelled, UserError, full_disk

_log = logging.getLogger(__name__)

T = TypeVar("T")
Work = Callable[[CancelToken], object]
Callback = Callable[[T], object] | Callable[[], object] | SignalInstance
Post = Callable[["JobMessage"], None]
_LAST_SECONDS = 2.0
_AHEAD = 16  # values of a job that wait for the window: it paints between so many
_LOOK_SECONDS = 0.05
_REFUSED = SIGNAL("refused(PyObject)")  # as Qt knows it


class Lane(StrEnum):
    """A queue with one worker thread.

    `READ` is for short reads of the catalog, `PAGES` for what a child process does with a page,
    `LOOK` for counting what lies in folders, `HAND` for what the user decides of files, `CARRY` for
    what goes into a file or comes from one, `FETCH` for downloads, `MEASURE` for runs over question
    sets, `TRY` for searches and language models that are tried, `COMPARE` for answers that are
    compared, `AGAIN` for questions that are asked again by themselves.
    """

    CHAT = "chat"
    INGEST = "ingest"
    PROBE = "probe"
    READ = "read"
    FETCH = "fetch"
    PAGES = "pages"
    LOOK = "look"
    HAND = "hand"
    CARRY = "carry"
    MEASURE = "measure"
    TRY = "try"
    COMPARE = "compare"
    AGAIN = "again"


class Job(QObject):
    """One piece of work, as it runs; after cancel it is silent.

    It lives in the GUI thread; only `work` and `token` are touched by the lane. `yielded` carries
    each value of a generator. At the end comes `ended`, then `succeeded` with what was returned, or
    `refused` with a `UserError`, or `broke` with any other error: that one is raised after it, as a
    `UserError` is that nobody listens for, for the one hook that shows what went wrong.
    """

    yielded = Signal(object)
    succeeded = Signal(object)
    refused = Signal(object)
    broke = Signal(object)
    ended = Signal()

    def __init__(self, work: Work, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.work = work
        self.token = CancelToken()
        self.room = threading.Semaphore(_AHEAD)

    def succeed(self, result: object) -> None:
        """Tell what the work returned."""
        self.ended.emit()
        if not self.token.cancelled:
            self.succeeded.emit(result)

    def fail(self, error: Exception) -> None:
        """Tell of an error, or raise it where it is not the user's to mend; a stop is none."""
        self.ended.emit()
        if isinstance(error, UserError) and self.receivers(_REFUSED):
            self.refused.emit(error)
            return
        self.broke.emit(error)
        if not isinstance(error, Cancelled):
            raise error

    def cancel(self) -> None:
        """Stop the work; from now on this job is silent."""
        self.token.cancel()


class Jobs(Protocol):
    """What controllers need of a runner."""

    def start(self, lane: Lane, work: Work) -> Job:
        """Queue work; connect to the returned job before going back to the event loop."""
        ...


class Operation(Generic[T]):
    """Work, and who hears what comes of it; nothing happens before `start`.

    A callback is a slot or a signal of an object of Qt: it is not called when that one is gone.
    """

    @overload
    def __init__(self, work: Callable[[CancelToken], Generator[object, None, T]]) -> None: ...
    @overload
    def __init__(self, work: Callable[[CancelToken], T]) -> None: ...
    def __init__(self, work: Work) -> None:
        self._work = work
        self._callbacks: list[tuple[str, object]] = []

    def on_value(self, callback: Callback[Any]) -> Self:
        """Tell each value that a generator yields."""
        return self._on("yielded", callback)

    def on_success(self, callback: Callback[T]) -> Self:
        """Tell what the work returned."""
        return self._on("succeeded", callback)

    def on_user_error(self, callback: Callback[UserError]) -> Self:
        """Tell an error that the user can mend; without this it is shown as a bug is."""
        return self._on("refused", callback)

    def on_bug(self, callback: Callback[Exception]) -> Self:
        """Tell any other error, before it goes where all bugs are shown."""
        return self._on("broke", callback)

    def on_end(self, callback: Callable[[], object] | SignalInstance) -> Self:
        """Tell that the work is over, well or not, before what came of it; not after a cancel."""
        return self._on("ended", callback)

    def start(self, jobs: Jobs, lane: Lane, instead_of: Job | None = None) -> Job:
        """Queue the work in a lane, in the place of a job that is no longer wanted."""
        if instead_of is not None:
            instead_of.cancel()
        job = jobs.start(lane, self._work)
        for signal, callback in self._callbacks:
            getattr(job, signal).connect(callback)
        return job

    def _on(self, signal: str, callback: object) -> Self:
        self._callbacks.append((signal, callback))
        return self


@dataclass(frozen=True, slots=True)
class JobValue:
    """The work yielded something."""

    value: object


@dataclass(frozen=True, slots=True)
class JobFailure:
    """The work raised."""

    error: Exception


@dataclass(frozen=True, slots=True)
class JobEnd:
    """The work is over, in whatever way: the last fact of every job."""

    complete: bool
    result: object = None


@dataclass(frozen=True, slots=True)
class JobMessage:
    """What crosses the thread boundary."""

    job: Job
    news: JobValue | JobFailure | JobEnd


def run_to_end(job: Job, post: Post) -> None:
    """Run a job's work in the calling thread and post every fact of it."""
    end = JobEnd(complete=False)
    try:
        if not job.token.cancelled:
            with use_token(job.token):
                end = JobEnd(complete=True, result=_run(job, post))
    except Exception as error:  # noqa: BLE001 - delivered to the GUI thread, which shows or raises it
        if not job.token.cancelled:
            post(JobMessage(job, JobFailure(full_disk(error) or error)))
    post(JobMessage(job, end))


def _run(job: Job, post: Post) -> object:
    """Return what the work returns, after posting what it yields."""
    values = job.work(job.token)
    if not isinstance(values, Generator):
        return values
    with closing(values):
        while True:
            try:
                value = next(values)
            except StopIteration as end:
                return end.value
            if job.token.cancelled:
                return None
            post(JobMessage(job, JobValue(value)))


def deliver(fact: JobMessage) -> None:
    """Turn a fact into the job's signals, in the GUI thread."""
    job, news = fact.job, fact.news
    silent = job.token.cancelled
    if isinstance(news, JobEnd):
        if news.complete and not silent:
            job.succeed(news.result)
        job.deleteLater()
    elif silent:
        return
    elif isinstance(news, JobFailure):
        job.fail(news.error)
    else:
        job.yielded.emit(news.value)


class JobRunner(QObject):
    """Runs jobs in their lanes' threads, each started when its first job comes.

    Work that yields faster than the window can take it in waits for the window. `broke` carries
    the error of every job, before the job itself tells it.
    """

    broke = Signal(object)
    _fact = Signal(object)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._fact.connect(self._deliver, Qt.ConnectionType.QueuedConnection)
        self._taken: list[threading.Semaphore] = []
        self._between = QTimer(self)
        self._between.setInterval(0)
        self._between.setSingleShot(True)
        self._between.timeout.connect(self._make_room)
        self._lanes: dict[Lane, _LaneThread] = {}
        self._gate = threading.Lock()
        self._closed = False

    def start(self, lane: Lane, work: Work) -> Job:
        """Queue work in a lane."""
        job = Job(work, self)
        if not self._closed:
            self._thread(lane).put(job)
        return job

    def close(self, last: Callable[[], bool] | None = None, seconds: float = 3.0) -> bool:
        """Cancel everything, run `last` in the ingest lane, wait; say whether all lanes ended.

        A lane that does not end in time takes no time from `last`.
        """
        until = time.monotonic() + seconds
        with self._gate:
            self._closed = True
        for lane in self._lanes.values():
            lane.cancel()
        others = [lane for name, lane in self._lanes.items() if name is not Lane.INGEST]
        ended = [lane.join(until) for lane in others]
        ingest = self._lanes.get(Lane.INGEST)
        if ingest is not None:
            ended.append(ingest.join(max(until, time.monotonic() + _LAST_SECONDS), last))
        return all(ended)

    def _thread(self, lane: Lane) -> _LaneThread:
        if lane not in self._lanes:
            self._lanes[lane] = _LaneThread(lane, self._post)
        return self._lanes[lane]

    def _post(self, fact: JobMessage) -> None:
        if isinstance(fact.news, JobValue) and not _has_room(fact.job):
            return
        with self._gate:
            if not self._closed:
                self._fact.emit(fact)

    @Slot(object)
    def _deliver(self, fact: JobMessage) -> None:
        if self._closed:
            return
        if isinstance(fact.news, JobValue):
            self._taken.append(fact.job.room)
            self._between.start()
        elif isinstance(fact.news, JobFailure) and not fact.job.token.cancelled:
            self.broke.emit(fact.news.error)
        deliver(fact)

    @Slot()
    def _make_room(self) -> None:
        """Let the lanes go on: what was posted is delivered, and the event loop had its turn."""
        taken, self._taken = self._taken, []
        for room in taken:
            room.release()


def _has_room(job: Job) -> bool:
    """Wait until a job may post another value; False when it is cancelled meanwhile."""
    while not job.room.acquire(timeout=_LOOK_SECONDS):
        if job.token.cancelled:
            return False
    return True


class _LaneThread:
    """One worker thread and its queue; None in the queue ends it."""

    def __init__(self, lane: Lane, post: Post) -> None:
        self._queue: queue.SimpleQueue[Job | None] = queue.SimpleQueue()
        self._post = post
        self._jobs: list[Job] = []
        self._ended_well = True
        self._last: Callable[[], bool] | None = None
        self._thread = threading.Thread(target=self._loop, name=f"lane-{lane.value}", daemon=True)
        self._thread.start()

    def put(self, job: Job) -> None:
        self._jobs.append(job)
        self._queue.put(job)

    def cancel(self) -> None:
        for job in list(self._jobs):
            job.token.cancel()

    def join(self, until: float, last: Callable[[], bool] | None = None) -> bool:
        self._last = last
        self._queue.put(None)
        self._thread.join(max(0.0, until - time.monotonic()))
        return self._ended_well and not self._thread.is_alive()

    def _loop(self) -> None:
        while (job := self._queue.get()) is not None:
            run_to_end(job, self._post)
            self._jobs.remove(job)
        if self._last is not None:
            try:
                self._ended_well = self._last()
            except Exception:  # noqa: BLE001 - nobody waits for it any more; the log keeps it
                _log.exception("closing the data folder failed")


class InlineRunner(QObject):
    """A runner without threads: jobs wait until `drain()` runs them in the calling thread."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._waiting: list[Job] = []

    def start(self, lane: Lane, work: Work) -> Job:
        """Keep work for the next `drain()`; the lane says nothing here."""
        del lane
        job = Job(work, self)
        self._waiting.append(job)
        return job

    def drain(self) -> None:
        """Run everything that waits, and what that starts in turn, delivering as it goes."""
        while self._waiting:
            run_to_end(self._waiting.pop(0), deliver)
