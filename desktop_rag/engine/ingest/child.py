"""Child processes that work on files which may be hostile: no network, little memory, no trust.

A child answers requests, bytes for bytes, and what it says is never unpickled. When it hangs,
crashes or takes too much, it is killed and the next request starts a new one.
"""

from __future__ import annotations

import contextlib
import json
import multiprocessing
import os
import secrets
import shutil
import signal
import sys
import tempfile
import time
from collections.abc import Callable
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
from pathlib import Path

import psutil

from desktop_rag.core.cancel import CancelToken
from desktop_rag.core.errors import Cancelled, FileProblem
from desktop_rag.core.types import FileStatus
from desktop_rag.engine.ingest.confine import Bounds, confine
from desktop_rag.engine.ingest.parse import problems

# Turns a request into a reply, in the child: a function of a module, so that it can be found there.
Answer = Callable[[bytes], bytes]

_READY, _DONE, _PROBLEM = b"r", b"d", b"p"
_LOOK_SECONDS = 0.05
_START_SECONDS = 60.0
_END_SECONDS = 1.0
_MOST_THREADS = 64 + 4 * (os.cpu_count() or 1)
_MEGABYTE = 1024 * 1024


class Child:
    """One child process; started by the first request, and anew after a kill or a crash.

    For one thread at a time. `seconds` and `megabytes` bound what one request may take; the
    folders `shut` can't be looked into.
    """

    def __init__(
        self, answer: Answer, seconds: float, megabytes: int, shut: tuple[str, ...] = ()
    ) -> None:
        self._answer = answer
        self._seconds = seconds
        self._megabytes = megabytes
        self._shut = shut
        self._process: BaseProcess | None = None
        self._pipe: Connection | None = None
        self._scratch = ""

    def ask(self, request: bytes, token: CancelToken) -> bytes:
        """Return the child's reply; `FileProblem` when there is none, `Cancelled` when stopped.

        A request that is stopped, or that takes too much, is given up with the child's process.
        """
        try:
            process, pipe = self._running(token)
            pipe.send_bytes(request)
            self._wait(process, pipe, self._seconds, token)
            reply = pipe.recv_bytes()
        except (EOFError, OSError) as error:
            reason = self._epitaph()
            self.stop()
            raise problems.crashed(reason) from error
        except (FileProblem, Cancelled):
            self.stop()
            raise
        if reply.startswith(_DONE):
            return reply[len(_DONE) :]
        raise _problem(reply[len(_PROBLEM) :])

    @property
    def is_started(self) -> bool:
        """Whether there is a process, or one is being started."""
        return self._process is not None

    def get_ready(self, token: CancelToken) -> None:
        """Start the process before there is anything to ask; what goes wrong shows when asked."""
        try:
            self._running(token)
        except (EOFError, OSError, FileProblem, Cancelled):
            self.stop()

    def stop(self) -> None:
        """Kill the process, if there is one, close the pipe to it and delete what it left.

        Its folder goes first: if this process is killed in between, nobody is left to delete it.
        """
        process, pipe, self._process, self._pipe = self._process, self._pipe, None, None
        if process is None or pipe is None:
            return
        shutil.rmtree(self._scratch, ignore_errors=True)
        _kill(process)
        process.join()
        process.close()
        pipe.close()
        shutil.rmtree(self._scratch, ignore_errors=True)

    def _running(self, token: CancelToken) -> tuple[BaseProcess, Connection]:
        """Return the process and its pipe; its start does not count against a request's time."""
        if self._process is not None and self._pipe is not None and self._process.is_alive():
            return self._process, self._pipe
        self.stop()
        context = multiprocessing.get_context("spawn")
        ours, theirs = context.Pipe()
        self._scratch = str(Path(tempfile.gettempdir(), f"desktop-rag-{secrets.token_hex(8)}"))
        bounds = Bounds(self._megabytes, self._scratch, self._shut)
        process = context.Process(target=serve, args=(theirs, self._answer, bounds), daemon=True)
        try:
            process.start()
        except BaseException:
            ours.close()
            raise
        finally:
            theirs.close()
        self._process, self._pipe = process, ours
        self._wait(process, ours, _START_SECONDS, token)
        if ours.recv_bytes() != _READY:
            raise EOFError
        return process, ours

    def _wait(
        self, process: BaseProcess, pipe: Connection, seconds: float, token: CancelToken
    ) -> None:
        """Return when there is a reply; raise why there will be none."""
        deadline = time.monotonic() + seconds
        look = psutil.Process(process.pid)
        while not pipe.poll(_LOOK_SECONDS):
            token.check()
            if time.monotonic() > deadline:
                raise problems.timed_out(seconds)
            if _memory(look) > self._megabytes:
                raise problems.too_large(
                    f"Reading the file takes more than {self._megabytes} MB of memory."
                )
        token.check()

    def _epitaph(self) -> str:
        if self._process is None:
            return "its reader did not start"
        give_up = time.monotonic() + _END_SECONDS
        # Not `join`: it trusts a pipe that the process could write to, and then waits for ever.
        while (code := self._process.exitcode) is None and time.monotonic() < give_up:
            time.sleep(_LOOK_SECONDS / 5)
        return "its reader fell silent" if code is None else f"its reader ended with {code}"


def serve(pipe: Connection, answer: Answer, bounds: Bounds) -> None:
    """Answer requests until the parent closes its end of the pipe or dies.

    Temporary files go to the scratch folder, which does not outlive the process, however it ends.
    It is made here: of a parent that is killed while it starts a child nothing would remove it.
    """
    tempfile.tempdir = bounds.scratch
    with contextlib.suppress(OSError):  # a full disk costs those their files who write any
        Path(bounds.scratch).mkdir(mode=0o700)
    confine(bounds, pipe.fileno())
    try:
        pipe.send_bytes(_READY)
        while True:
            pipe.send_bytes(_reply(answer, pipe.recv_bytes()))
    except (EOFError, OSError):
        return  # the parent has gone, or has had enough
    finally:
        shutil.rmtree(bounds.scratch, ignore_errors=True)


def _reply(answer: Answer, request: bytes) -> bytes:
    try:
        return _DONE + answer(request)
    except FileProblem as problem:
        told = problem
    except MemoryError:
        told = problems.too_large("Reading the file takes more memory than it may.")
    except Exception as error:  # noqa: BLE001 - one file's trouble is not the next one's
        told = problems.crashed(type(error).__name__)
    return _PROBLEM + json.dumps([told.status, told.what, told.remedy]).encode()


def _problem(raw: bytes) -> FileProblem:
    try:
        status, what, remedy = json.loads(raw)
        return FileProblem(FileStatus(status), str(what), str(remedy))
    except (ValueError, TypeError, RecursionError):
        return problems.crashed("its reader made no sense")


def _kill(process: BaseProcess) -> None:
    """Kill a process and, where it leads a group of its own, whatever is in that."""
    if sys.platform != "win32" and process.pid is not None:
        with contextlib.suppress(OSError):  # it had no time to leave this process's group
            os.killpg(process.pid, signal.SIGKILL)
    process.kill()


def _memory(look: psutil.Process) -> int:
    """Return the MiB that a process holds; EOFError when it is no more, or far too many threads."""
    try:
        if look.num_threads() > _MOST_THREADS:  # each costs memory that counts as nobody's
            raise EOFError
        return look.memory_info().rss // _MEGABYTE
    except psutil.Error as error:
        raise EOFError from error
