"""Run parsers in a few child processes: a hang, a crash or a hunger for memory costs one file."""

from __future__ import annotations

import json
import queue
import threading
import time
from collections.abc import Iterable, Iterator, Mapping
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Protocol

from desktop_rag.core.cancel import CancelToken
from desktop_rag.core.errors import FileProblem
from desktop_rag.core.secret import NO_PASSWORD, Secret
from desktop_rag.core.settings import Ingest
from desktop_rag.core.types import FileStatus
from desktop_rag.parsing import file_problems, format_registry
from desktop_rag.parsing.ocr.recognized_page import RecognizedPage, page_of, plain_page
from desktop_rag.parsing.parsed_document import ParsedDocument
from desktop_rag.parsing.sandbox.child_process import ChildProcess, RequestHandler
from desktop_rag.parsing.sandbox.document_stream import (
    LONGEST_FRAME,
    DocumentReceiver,
    LongDocument,
    encode_frames,
)
from desktop_rag.parsing.sandbox.isolated_filesystem import IsolatedFileSystem

ParseOutcome = ParsedDocument | LongDocument | FileProblem
TimedOutcome = tuple[Path, ParseOutcome, float]

_LOOK_SECONDS = 0.05
_OPENED = (FileStatus.EMPTY, FileStatus.NEEDS_OCR)
_CHARACTERS = Ingest().max_characters
_SILENCE = Ingest().answer_seconds


@dataclass(frozen=True, slots=True)
class PasswordCandidate:
    """A password that may open a file; `is_own` where the user entered it for this very file."""

    password: Secret
    is_own: bool = False


class PasswordCandidates(Protocol):
    """What may open one file that has a password: asked for only when it has one."""

    def __iter__(self) -> Iterator[PasswordCandidate]: ...

    def confirm(self, candidate: PasswordCandidate) -> None:
        """Hear which one opened the file."""
        ...


@dataclass(frozen=True, slots=True)
class ParseTask:
    """A file to parse with what was recognised on its pages, by their numbers.

    An archive is only read where somebody `opens_archives`.
    """

    path: Path
    pages: Mapping[int, RecognizedPage]
    password: Secret = NO_PASSWORD
    candidates: PasswordCandidates | None = None
    opens_archives: bool = False

    def request(self) -> bytes:
        """Return what a child is asked: the path alone where nothing else is to be said."""
        if not (self.pages or self.password or self.opens_archives):
            return json.dumps(str(self.path)).encode()
        pages = {number: plain_page(page) for number, page in self.pages.items()}
        asked = {
            "path": str(self.path),
            "recognized": pages,
            "password": self.password.text,
            "archives": self.opens_archives,
        }
        return json.dumps(asked).encode()

    @classmethod
    def of(cls, request: bytes) -> ParseTask:
        """Read `request`'s form."""
        asked = json.loads(request)
        if isinstance(asked, str):
            return cls(Path(asked), {})
        pages = {int(number): page_of(page) for number, page in asked["recognized"].items()}
        password = Secret(asked["password"])
        return cls(Path(asked["path"]), pages, password, opens_archives=asked["archives"])


def parse_request(most: int, request: bytes) -> Iterator[bytes]:
    """Parse the file that a request names: what the children do."""
    asked = ParseTask.of(request)
    reading = format_registry.read(
        asked.path, most, asked.pages, asked.password, opens_archives=asked.opens_archives
    )
    return encode_frames(reading, most)


class ParserPool:
    """A few parser processes, started when first needed and kept until `close`.

    `seconds`, `megabytes` and `characters` (of text) bound what one file may take. One `run` at a
    time; `answer` is what the children do with a request, a file as JSON. They can't look into the
    folders `shut`, and in the first of those the text of a long file waits until it is cut.
    `reach` looks at files in another such process, for which `silence` seconds are the limit.
    """

    def __init__(
        self,
        workers: int,
        seconds: float,
        megabytes: int,
        answer: RequestHandler | None = None,
        *,
        characters: int = _CHARACTERS,
        silence: float = _SILENCE,
        shut: tuple[str, ...] = (),
    ) -> None:
        self._size = max(1, workers)
        self._characters = characters
        self.reach = IsolatedFileSystem(silence, shut)
        self._folder = Path(shut[0]) if shut else None
        answer = answer or partial(parse_request, characters)
        self._children = [ChildProcess(answer, seconds, megabytes, shut) for _ in range(self._size)]
        # The last to rest is taken first: it runs already, and others need not be started.
        self._idle: queue.LifoQueue[ChildProcess] = queue.LifoQueue()
        for child in self._children:
            self._idle.put(child)
        self._threads = ThreadPoolExecutor(self._size, thread_name_prefix="parser")
        self._starting = threading.Lock()
        self._end = CancelToken()

    def get_ready(self) -> None:
        """Start a process, unless one runs: something is going to be read. Returns at once."""
        if not self._is_ready():
            threading.Thread(target=self._start_one, name="parser-start", daemon=True).start()

    def run(self, files: Iterable[Path | ParseTask], token: CancelToken) -> Iterator[TimedOutcome]:
        """Yield each file's path, outcome and seconds as it is done.

        The next file is only taken when a worker is free. Raises `Cancelled` within 0.5 s of
        the token's cancel; the files under way are given up.
        """
        ending = CancelToken()
        waiting = iter(files)
        running: set[Future[TimedOutcome]] = set()
        try:
            with token.waking(ending.cancel):
                while True:
                    self._fill(running, waiting, ending)
                    if not running:
                        return
                    done, running = wait(running, return_when=FIRST_COMPLETED)
                    for future in done:
                        ending.check()
                        yield future.result()
        finally:
            ending.cancel()
            wait(running)

    def close(self) -> None:
        """End the processes; harmless when called again."""
        self._end.cancel()
        with self._starting:
            pass  # it ends soon, and none begins any more
        self._threads.shutdown(wait=True, cancel_futures=True)
        for child in self._children:
            child.stop()
        self.reach.close()

    def _fill(
        self,
        running: set[Future[TimedOutcome]],
        waiting: Iterator[Path | ParseTask],
        ending: CancelToken,
    ) -> None:
        while len(running) < self._size:
            ending.check()
            file = next(waiting, None)
            if file is None:
                return
            asked = file if isinstance(file, ParseTask) else ParseTask(file, {})
            running.add(self._threads.submit(self._read, asked, ending))

    def _read(self, file: ParseTask, ending: CancelToken) -> TimedOutcome:
        child = self._next(ending)
        began = time.monotonic()
        try:
            outcome = self._outcome(child, file, ending)
        finally:
            self._idle.put(child)
        return file.path, outcome, time.monotonic() - began

    def _outcome(self, child: ChildProcess, file: ParseTask, ending: CancelToken) -> ParseOutcome:
        """Return what became of a file, after a few passwords if it has one.

        That one of them is wrong is only told of one that was entered for this file.
        """
        told = self._answered(child, file, ending)
        for candidate in (file.candidates or ()) if _is_locked(told) else ():
            tried = self._answered(child, replace(file, password=candidate.password), ending)
            if not _is_locked(tried):
                if file.candidates is not None and _is_read(tried):
                    file.candidates.confirm(candidate)
                return tried
            told = tried if candidate.is_own else told
        return told

    def _answered(self, child: ChildProcess, file: ParseTask, ending: CancelToken) -> ParseOutcome:
        """Return what a child makes of a file; a reply that is none says that it is unsound."""
        received = DocumentReceiver(self._characters, self._folder)
        try:
            for frame in child.parts(file.request(), ending, most=LONGEST_FRAME):
                if frame:
                    received.take(frame)
            return received.document()
        except FileProblem as problem:
            return problem
        except ValueError:
            child.stop()
            return file_problems.crashed("its reader made no sense")

    def _next(self, ending: CancelToken) -> ChildProcess:
        """Return a child that rests, once none is just being started ahead."""
        while not self._starting.acquire(timeout=_LOOK_SECONDS):
            ending.check()
        self._starting.release()
        return self._idle.get()

    def _is_ready(self) -> bool:
        return self._end.cancelled or any(child.is_started for child in self._children)

    def _start_one(self) -> None:
        with self._starting:
            if self._is_ready():
                return
            child = self._idle.get()
            try:
                child.get_ready(self._end)
            finally:
                self._idle.put(child)


def _is_locked(outcome: ParseOutcome) -> bool:
    return isinstance(outcome, FileProblem) and outcome.status is FileStatus.ENCRYPTED


def _is_read(outcome: ParseOutcome) -> bool:
    """Say whether a file was opened, and its content is what it should be."""
    return not isinstance(outcome, FileProblem) or outcome.status in _OPENED
