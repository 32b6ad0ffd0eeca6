"""Child processes that work on files which may be hostile: no network, little memory, no trust.

A child answers requests, bytes for bytes, and what it says is never unpickled. A long reply comes
in parts of bounded size. When it hangs, crashes or takes too much, it is killed and the next
request starts a new one.
"""

from __future__ import annotations

import array
import contextlib
import json
import multiprocessing
import os
import secrets
import shutil
import signal
import socket
import struct
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
from pathlib import Path
from typing import Literal

import psutil
from msgspec import Struct

from desktop_rag.core import codec
from desktop_rag.core.cancel import CancelToken
from desktop_rag.core.errors import Cancelled, FileProblem
from desktop_rag.core.phrases import Phrase, dump, load
from desktop_rag.core.types import FileStatus
from desktop_rag.parsing import file_problems
from desktop_rag.parsing.parsed_document import MOST_UNREAD_PAGES, PageNumbers
from desktop_rag.parsing.sandbox.confinement import ProcessLimits, confine

# Turns a request into a reply, or the parts of one, in the child: a function of a module, so that
# it can be found there.
RequestHandler = Callable[[bytes], bytes | Iterator[bytes]]

_READY, _DONE, _PROBLEM, _PART = b"r", b"d", b"p", b"m"
_LONGEST = 256 * 1024 * 1024  # bytes of one message: what claims to be longer is not taken in
_HEAD = struct.Struct("!i")
_LOOK_SECONDS = 0.05
_START_METHOD: Literal["spawn"] = (
    "spawn"  # a fork would have this process's memory, and its threads' locks
)
_START_SECONDS = 60.0
_MOST_THREADS = 64 + 4 * (os.cpu_count() or 1)
_END_SECONDS = 2.0  # a killed process that takes longer waits for a drive
_MOST_LEFT = 8
_MEGABYTE = 1024 * 1024
_LEFT: list[BaseProcess] = []  # processes that could not be ended


@dataclass(frozen=True, slots=True)
class _Limit:
    """So many seconds from now."""

    seconds: float
    began: float = field(default_factory=time.monotonic)

    def is_over(self) -> bool:
        """Say whether they have passed."""
        return time.monotonic() - self.began > self.seconds


class ChildProcess:
    """One child process; started by the first request, and anew after a kill or a crash.

    For one thread at a time. `seconds` and `megabytes` bound what one request may take; the
    folders `shut` can't be looked into.
    """

    def __init__(
        self, answer: RequestHandler, seconds: float, megabytes: int, shut: tuple[str, ...] = ()
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
        return b"".join(self.parts(request, token))

    def parts(
        self, request: bytes, token: CancelToken, *, silence: float = 0.0, most: int = _LONGEST
    ) -> Iterator[bytes]:
        """Yield the parts of the child's reply as they come; else as `ask`.

        `silence` bounds the seconds without a part, as the child's own limit bounds them all; a
        part of more than `most` bytes is refused. Take all parts before the next request.
        """
        is_over = False
        try:
            with self._failing():
                process, pipe = self._running(token)
                pipe.send_bytes(request)
            whole = _Limit(self._seconds)
            while not is_over:
                with self._failing():
                    limits = (whole, _Limit(silence or self._seconds))
                    self._wait(process, pipe, limits, token)
                    guard = self._watched(process, limits, token)
                    with contextlib.nullcontext() if _has_come(pipe) else guard:
                        reply = pipe.recv_bytes(most)
                is_over = not reply.startswith(_PART)
                if reply.startswith(_PROBLEM):
                    raise _problem(reply[len(_PROBLEM) :])
                yield reply[1:]
        finally:
            if not is_over:  # what it still says would be taken for the next reply
                self.stop()

    @contextlib.contextmanager
    def _failing(self) -> Iterator[None]:
        """Say why there is no reply, where the pipe only says that there is none."""
        try:
            yield
        except (EOFError, OSError, psutil.Error) as error:
            raise file_problems.crashed(self._epitaph()) from error

    @property
    def is_started(self) -> bool:
        """Whether there is a process, or one is being started."""
        return self._process is not None

    def get_ready(self, token: CancelToken) -> None:
        """Start the process before there is anything to ask; what goes wrong shows when asked."""
        try:
            self._running(token)
        except (EOFError, OSError, psutil.Error, FileProblem, Cancelled):
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
        _await_end(process)
        pipe.close()
        if process.exitcode is None:
            _leave(process)
        else:
            process.close()
        shutil.rmtree(self._scratch, ignore_errors=True)

    def _running(self, token: CancelToken) -> tuple[BaseProcess, Connection]:
        """Return the process and its pipe; its start does not count against a request's time."""
        if self._process is not None and self._pipe is not None and self._process.is_alive():
            return self._process, self._pipe
        self.stop()
        _require_few_left()
        context = multiprocessing.get_context(_START_METHOD)
        ours, theirs = context.Pipe()
        self._scratch = str(Path(tempfile.gettempdir(), f"desktop-rag-{secrets.token_hex(8)}"))
        bounds = ProcessLimits(self._megabytes, self._scratch, self._shut)
        process = context.Process(target=serve, args=(theirs, self._answer, bounds), daemon=True)
        try:
            process.start()
        except BaseException:
            ours.close()
            raise
        finally:
            theirs.close()
        self._process, self._pipe = process, ours
        self._wait(process, ours, (_Limit(_START_SECONDS),), token)
        if ours.recv_bytes() != _READY:
            raise EOFError
        return process, ours

    def _wait(
        self, process: BaseProcess, pipe: Connection, limits: tuple[_Limit, ...], token: CancelToken
    ) -> None:
        """Return when there is a reply; raise why there will be none."""
        if pipe.poll(_LOOK_SECONDS):
            token.check()
            return
        look = psutil.Process(process.pid)
        while not pipe.poll(_LOOK_SECONDS):
            self._check(look, limits, token)
        token.check()

    def _check(self, look: psutil.Process, limits: tuple[_Limit, ...], token: CancelToken) -> None:
        """Raise why there is nothing to wait for any more."""
        token.check()
        if over := [limit for limit in limits if limit.is_over()]:
            raise file_problems.timed_out(over[0].seconds)
        if _memory(look) > self._megabytes:
            raise file_problems.too_large(
                Phrase("Reading the file takes more than {0} MB of memory.", self._megabytes)
            )

    @contextlib.contextmanager
    def _watched(
        self, process: BaseProcess, limits: tuple[_Limit, ...], token: CancelToken
    ) -> Iterator[None]:
        """Kill the process when its time is over while it is in the middle of a message.

        To take one in blocks until all of it has come, and whoever sends it need not go on.
        """
        came, why = threading.Event(), list[Exception]()
        look = psutil.Process(process.pid)

        def watch() -> None:
            while not came.wait(_LOOK_SECONDS):
                try:
                    self._check(look, limits, token)
                except (EOFError, FileProblem, Cancelled) as error:
                    why.append(error)
                    _kill(process)
                    return

        watcher = threading.Thread(target=watch, name="parser-watch", daemon=True)
        watcher.start()
        try:
            yield
        except (EOFError, OSError):
            if why:
                raise why[0] from None
            raise
        finally:
            came.set()
            watcher.join()

    def _epitaph(self) -> str:
        if self._process is None:
            return "its reader did not start"
        code = _await_end(self._process)
        return (
            "its reader fell silent" if code is None else Phrase("its reader ended with {0}", code)
        )


def _has_come(pipe: Connection) -> bool:
    """Say whether all of the next message is there, so that taking it in can't block.

    Its form is that of `multiprocessing.connection`: 4 bytes of length, then as many bytes.
    """
    if sys.platform != "linux":
        return False
    import fcntl
    import termios

    waiting = array.array("i", [0])
    fcntl.ioctl(pipe.fileno(), termios.FIONREAD, waiting)
    if waiting[0] < _HEAD.size:
        return False
    with socket.socket(fileno=os.dup(pipe.fileno())) as looked_at:
        length: int = _HEAD.unpack(looked_at.recv(_HEAD.size, socket.MSG_PEEK))[0]
    return 0 <= length <= waiting[0] - _HEAD.size


def _leave(process: BaseProcess) -> None:
    """Leave a process behind that waits for a drive: not even a kill ends it before that answers.

    Nor does this one wait for it at its own end, as `multiprocessing` would.
    """
    _LEFT.append(process)
    multiprocessing.process._children.discard(process)  # type: ignore[attr-defined]  # noqa: SLF001


def _require_few_left() -> None:
    """Raise a `FileProblem` while many processes wait for drives: one more might, too."""
    _LEFT[:] = [each for each in _LEFT if each.exitcode is None]
    if len(_LEFT) >= _MOST_LEFT:
        raise file_problems.too_many_silent_drives(len(_LEFT))


def serve(pipe: Connection, answer: RequestHandler, bounds: ProcessLimits) -> None:
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
            for message in _messages(answer, pipe.recv_bytes()):
                pipe.send_bytes(message)
    except (EOFError, OSError):
        return  # the parent has gone, or has had enough
    finally:
        shutil.rmtree(bounds.scratch, ignore_errors=True)


def _messages(answer: RequestHandler, request: bytes) -> Iterator[bytes]:
    """Yield the parts of a reply, or what went wrong over them, each marked as what it is."""
    try:
        reply = answer(request)
        if isinstance(reply, bytes):
            yield _DONE + reply
            return
        for part in reply:
            yield _PART + part
        yield _DONE
    except FileProblem as problem:
        yield _told(problem)
    except MemoryError:
        yield _told(file_problems.too_large("Reading the file takes more memory than it may."))
    except Exception as error:  # noqa: BLE001 - one file's trouble is not the next one's
        yield _told(file_problems.crashed(type(error).__name__))


def _told(problem: FileProblem) -> bytes:
    unread = problem.unread_pages[:MOST_UNREAD_PAGES]
    told = [problem.status, dump(problem.what), dump(problem.remedy), unread]
    return _PROBLEM + json.dumps(told).encode()


class _ToldProblem(Struct, array_like=True):
    """A problem as `_told` writes it."""

    status: FileStatus
    what: str
    remedy: str
    unread_pages: PageNumbers


def _problem(raw: bytes) -> FileProblem:
    try:
        told = codec.decode(json.loads(raw), _ToldProblem)
        what, remedy = load(told.what), load(told.remedy)
        return FileProblem(told.status, what, remedy, unread_pages=told.unread_pages)
    except (ValueError, RecursionError):
        return file_problems.crashed("its reader made no sense")


def _await_end(process: BaseProcess) -> int | None:
    """Return how a process ended, None if it has not by some time.

    Not `join`: it trusts a pipe that the process could write to, and then waits for ever.
    """
    limit, never = _Limit(_END_SECONDS), threading.Event()
    while (code := process.exitcode) is None and not limit.is_over():
        never.wait(_LOOK_SECONDS / 5)  # `time.sleep` fails where a drill sets the clock back
    return code


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
