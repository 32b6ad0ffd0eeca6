"""Starts of the program without its engine: owners that do what a test scripts."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from pathlib import Path

from desktop_rag.core.cancel import CancelToken
from desktop_rag.core.errors import UsageError, UserError
from desktop_rag.core.events import Event, FileDone, IndexDone, Notice
from desktop_rag.core.requests import IndexRequest, SearchRequest
from desktop_rag.core.types import FileStatus
from desktop_rag.ipc import call_routing, client, ownership
from desktop_rag.ipc.owner import OnOpenRequest, Owner
from desktop_rag.ipc.wire import Call, Frame, Line

SEARCH = Call(SearchRequest(("default",), "hello"))
INDEX = Call(IndexRequest("default", ("/docs",)))


def search(query: str) -> Call:
    return Call(SearchRequest(("default",), query))


class Panic(BaseException):
    """What a library in Rust raises: no `Exception`."""


class Work:
    """What an owner does here. A search says its query back; the queries `wait`, `fail`, `usage`,
    `bug` and `panic` do that. Indexing does one file after another, for as long as `files` lasts.
    """

    def __init__(self, files: int = 1_000_000, done: set[str] | None = None) -> None:
        self.files = files
        self.done = done if done is not None else set()
        self.began = threading.Event()
        self.go_on = threading.Event()
        self.stopped = threading.Event()
        self.closed = threading.Event()

    def perform(self, call: Call, token: CancelToken) -> Iterator[Event]:
        self.began.set()
        if isinstance(call.request, IndexRequest):
            yield from self._index(token)
        elif isinstance(call.request, SearchRequest):
            yield from self._search(call.request.query, token)

    def _search(self, query: str, token: CancelToken) -> Iterator[Event]:
        if query == "fail":
            raise UserError("It is broken.", "Mend it.")
        if query == "usage":
            raise UsageError("It is wrong.", "Say it differently.")
        if query == "bug":
            message = "a fault of ours"
            raise ZeroDivisionError(message)
        if query == "panic":
            raise Panic
        yield Notice(query)
        while query == "wait" and not self.go_on.wait(0.01):
            if token.cancelled:
                self.stopped.set()
            token.check()

    def _index(self, token: CancelToken) -> Iterator[Event]:
        counts = {"ready": 0, "unchanged": 0}
        for number in range(self.files):
            token.check()
            path = f"/docs/{number}"
            status = FileStatus.UNCHANGED if path in self.done else FileStatus.READY
            self.done.add(path)
            counts[status.value] += 1
            yield FileDone(path, status)
            if status is FileStatus.READY:
                token.wait(0.01)
        yield IndexDone(counts, 0, 0.0)

    def close(self) -> None:
        self.closed.set()


def owner(data_dir: Path, work: Work, opened: OnOpenRequest | None = None) -> Owner:
    """Start an owner of a folder that nobody owns."""
    lock = ownership.FolderLock(data_dir)
    assert lock.acquire()
    made = Owner(lock, work.perform, work.close, opened)
    made.start()
    return made


def sent(data_dir: Path, call: Call) -> list[Frame]:
    """Send a call as a client and return every frame."""
    return list(client.call_frames(client.connect(data_dir), call))


class Start:
    """A command that runs in a thread: owner or client, as it turns out."""

    def __init__(self, data_dir: Path, call: Call, work: Work) -> None:
        self.lines: list[Line] = []
        self.error: Exception | None = None
        self.owned = threading.Event()
        self._data_dir, self._call, self._work = data_dir, call, work
        self._thread = threading.Thread(target=self._run)
        self._thread.start()

    def join(self, seconds: float = 20.0) -> None:
        self._thread.join(seconds)
        assert not self._thread.is_alive(), "the start did not end"

    def _run(self) -> None:
        try:
            self.lines.extend(
                call_routing.execute_call(
                    ownership.FolderLock(self._data_dir), self._call, self._own
                )
            )
        except Exception as error:  # noqa: BLE001  (the test looks at it)
            self.error = error

    def _own(self, lock: ownership.FolderLock) -> Owner:
        made = Owner(lock, self._work.perform, self._work.close)
        made.start()
        self.owned.set()
        return made
