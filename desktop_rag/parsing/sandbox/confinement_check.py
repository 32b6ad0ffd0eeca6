"""Finds out what a reader's process is really held to here: one is started, and tries.

It tries from C, which Python's hooks don't see, each thing once and without harm: what went through
is what a document that takes a reader over could do on this system.
"""

from __future__ import annotations

import ctypes
import json
import os
import socket
import sys
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from desktop_rag.core.cancel import CancelToken
from desktop_rag.parsing.sandbox import linux_confinement
from desktop_rag.parsing.sandbox.child_process import ChildProcess

_SECONDS = 20.0
_MEGABYTES = 512


@dataclass(frozen=True, slots=True)
class Confinement:
    """What holds readers: Landlock's version (0: none), and what passed all the same.

    `passed` names the calls that should have been refused to it.
    `has_scratch` says whether it may write to a folder of its own.
    """

    landlock: int
    has_scratch: bool
    passed: tuple[str, ...]


def examine(token: CancelToken) -> Confinement:
    """Start a reader, let it try, and return what came of it; `FileProblem` if it does not start.

    On systems other than Linux nothing holds C code, so nothing is tried.
    """
    if sys.platform != "linux":
        return Confinement(0, has_scratch=True, passed=())
    with tempfile.TemporaryDirectory(prefix="desktop-rag-") as folder:
        beside = Path(folder) / "beside"
        beside.touch(mode=0o600)
        child = ChildProcess(attempts, _SECONDS, _MEGABYTES)
        try:
            told = json.loads(child.ask(str(beside).encode(), token))
        finally:
            child.stop()
    version = max(0, linux_confinement.landlock_version()) if told["scratch"] else 0
    passed = tuple(str(each) for each in told["passed"])
    return Confinement(version, bool(told["scratch"]), passed)


def attempts(request: bytes) -> bytes:
    """Try, in the reader, what it should be refused; `request` is a file that is not its own."""
    libc = ctypes.CDLL(None)
    memory = f"/proc/{os.getppid()}/mem".encode()
    ways: dict[str, Callable[[], int]] = {
        "socket": lambda: libc.socket(socket.AF_INET, socket.SOCK_STREAM, 0),
        "fork": lambda: _fork(libc),
        "kill": lambda: libc.kill(os.getppid(), 0),
        "/proc/PID/mem": lambda: libc.open(memory, os.O_RDWR),
        "open": lambda: libc.open(request, os.O_WRONLY),
        "chmod": lambda: libc.chmod(request, 0o600),
    }
    passed = [name for name, way in ways.items() if way() >= 0]
    return json.dumps({"passed": passed, "scratch": _has_scratch()}).encode()


def _fork(libc: ctypes.CDLL) -> int:
    made = int(libc.fork())
    if made == 0:
        os._exit(0)
    return made


def _has_scratch() -> bool:
    try:
        with tempfile.TemporaryFile() as file:
            file.write(b"x")
    except OSError:
        return False
    return True
