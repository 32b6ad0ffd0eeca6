"""Run parsers in child processes: a hang, a crash or a hunger for memory costs one file.

A worker is a spawned process and the pipe to it. It reads file after file; when one takes too
long, takes too much memory or is no longer wanted, the process is killed and started anew.
"""

from __future__ import annotations

import json
import multiprocessing
import queue
import time
from collections.abc import Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
from pathlib import Path

import psutil

from desktop_rag.core.cancel import CancelToken
from desktop_rag.core.errors import Cancelled, FileProblem
from desktop_rag.core.types import FileStatus
from desktop_rag.engine.ingest import reader
from desktop_rag.engine.ingest.parse import problems
from desktop_rag.engine.ingest.parse.blocks import ParsedDocument

Outcome = ParsedDocument | FileProblem
Result = tuple[Path, Outcome, float]

_LOOK_SECONDS = 0.05
_MEGABYTE = 1024 * 1024


class ParserPool:
    """A few parser processes, started when first needed and kept until `close`.

    `seconds` and `megabytes` bound what one file may take. One `run` at a time.
    """

    def __init__(self, workers: int, seconds: float, megabytes: int) -> None:
        self._size = max(1, workers)
        self._idle: queue.SimpleQueue[_Worker] = queue.SimpleQueue()
        self._workers = [_Worker(seconds, megabytes) for _ in range(self._size)]
        for worker in self._workers:
            self._idle.put(worker)
        self._threads = ThreadPoolExecutor(self._size, thread_name_prefix="parser")

    def run(self, paths: Iterable[Path], token: CancelToken) -> Iterator[Result]:
        """Yield each file's outcome and seconds as it is done.

        The next path is only taken when a worker is free. Raises `Cancelled` within 0.5 s of
        the token's cancel; the files under way are given up.
        """
        ending = CancelToken()
        waiting = iter(paths)
        running: set[Future[Result]] = set()
        try:
            with token.waking(ending.cancel):
                while True:
                    self._fill(running, waiting, ending)
                    if not running:
                        return
                    done, running = wait(running, return_when=FIRST_COMPLETED)
                    for future in done:
                        token.check()
                        yield future.result()
        finally:
            ending.cancel()
            wait(running)

    def close(self) -> None:
        """End the processes; harmless when called again."""
        self._threads.shutdown(wait=True, cancel_futures=True)
        for worker in self._workers:
            worker.stop()

    def _fill(
        self, running: set[Future[Result]], waiting: Iterator[Path], ending: CancelToken
    ) -> None:
        while len(running) < self._size:
            ending.check()
            path = next(waiting, None)
            if path is None:
                return
            running.add(self._threads.submit(self._read, path, ending))

    def _read(self, path: Path, ending: CancelToken) -> Result:
        worker = self._idle.get()
        began = time.monotonic()
        try:
            outcome = worker.read(path, ending)
        finally:
            self._idle.put(worker)
        return path, outcome, time.monotonic() - began


class _Worker:
    """One child process; not running until it is asked for something."""

    def __init__(self, seconds: float, megabytes: int) -> None:
        self._seconds = seconds
        self._megabytes = megabytes
        self._process: BaseProcess | None = None
        self._pipe: Connection | None = None

    def read(self, path: Path, ending: CancelToken) -> Outcome:
        """Return what became of a file; `Cancelled` when it is no longer wanted."""
        process, pipe = self._running()
        try:
            pipe.send_bytes(json.dumps(str(path)).encode())
            problem = self._watch(process, pipe, ending)
            if problem is None:
                return _outcome(pipe.recv_bytes())
        except (EOFError, OSError):
            problem = problems.crashed(_epitaph(process))
        except Cancelled:
            self.stop()
            raise
        self.stop()
        return problem

    def stop(self) -> None:
        """Kill the process, if there is one, and close the pipe to it."""
        process, pipe, self._process, self._pipe = self._process, self._pipe, None, None
        if process is None or pipe is None:
            return
        process.kill()
        process.join()
        process.close()
        pipe.close()

    def _running(self) -> tuple[BaseProcess, Connection]:
        if self._process is not None and self._pipe is not None and self._process.is_alive():
            return self._process, self._pipe
        self.stop()
        context = multiprocessing.get_context("spawn")
        self._pipe, theirs = context.Pipe()
        self._process = context.Process(
            target=reader.serve, args=(theirs, self._megabytes), name="parser", daemon=True
        )
        self._process.start()
        theirs.close()
        return self._process, self._pipe

    def _watch(
        self, process: BaseProcess, pipe: Connection, ending: CancelToken
    ) -> FileProblem | None:
        """Wait for the reply; return why there will be none."""
        deadline = time.monotonic() + self._seconds
        look = psutil.Process(process.pid)
        while not pipe.poll(_LOOK_SECONDS):
            ending.check()
            if time.monotonic() > deadline:
                return problems.timed_out(self._seconds)
            try:
                used = look.memory_info().rss // _MEGABYTE
            except psutil.Error as error:
                raise EOFError from error
            if used > self._megabytes:
                return problems.too_large(
                    f"Reading the file takes more than {self._megabytes} MB of memory."
                )
        ending.check()
        return None


def _outcome(raw: bytes) -> Outcome:
    """Return a child's reply; a child that says something else has been broken into or is ours."""
    try:
        if raw.startswith(b'{"ok":'):
            return ParsedDocument.from_bytes(raw[len(b'{"ok":') : -1])
        status, what, remedy = json.loads(raw)["problem"]
        return FileProblem(FileStatus(status), str(what), str(remedy))
    except (ValueError, KeyError, TypeError):
        return problems.crashed("its reader gave no sense")


def _epitaph(process: BaseProcess) -> str:
    process.join(1.0)
    code = process.exitcode
    return f"its reader ended with {code}" if code is not None else "its reader fell silent"
