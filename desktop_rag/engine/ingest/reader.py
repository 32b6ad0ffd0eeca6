"""The child process that reads files for a `ParserPool`: it has no network and low priority.

A request is a path as JSON; a reply is `{"ok": document}` or `{"problem": [status, what, remedy]}`.
Documents may be hostile, so nothing here is trusted by the parent, and nothing is a pickle.
"""

from __future__ import annotations

import json
import logging
import os
import signal
import sys
import threading
from multiprocessing import parent_process
from multiprocessing.connection import Connection, wait
from pathlib import Path
from typing import Any

from desktop_rag.core.errors import FileProblem
from desktop_rag.engine.ingest.parse import problems

# Address space beyond the memory limit: libraries that are mapped, not used.
_MAPPED_MEGABYTES = 4096
_FORBIDDEN = frozenset({
    "socket.connect", "socket.sendto", "socket.sendmsg", "socket.getaddrinfo", "socket.bind",
    "socket.gethostbyname", "subprocess.Popen", "os.system", "os.exec", "os.posix_spawn",
})  # fmt: skip


def serve(pipe: Connection, megabytes: int) -> None:
    """Answer requests until the parent closes its end of the pipe or dies."""
    confine(megabytes)
    from desktop_rag.engine.ingest.parse.registry import parse

    while True:
        try:
            path = Path(json.loads(pipe.recv_bytes()))
        except (EOFError, OSError):
            return
        try:
            reply = b'{"ok":' + parse(path).to_bytes() + b"}"
        except FileProblem as problem:
            reply = _problem(problem)
        except MemoryError:
            reply = _problem(problems.too_large("Reading the file takes more memory than allowed."))
        except Exception as error:  # noqa: BLE001 - one file's trouble is not the next one's
            reply = _problem(problems.crashed(type(error).__name__))
        pipe.send_bytes(reply)


def confine(megabytes: int) -> None:
    """Take from this process what a parser has no need of; it dies with its parent."""
    threading.Thread(target=_follow_parent, daemon=True).start()
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is the parent's to answer
    _be_quiet()
    _be_modest(megabytes)
    sys.addaudithook(_refuse)


def _problem(problem: FileProblem) -> bytes:
    return json.dumps({"problem": [problem.status, problem.what, problem.remedy]}).encode()


def _follow_parent() -> None:
    parent = parent_process()
    if parent is not None:
        wait([parent.sentinel])
        os._exit(1)


def _be_quiet() -> None:
    """Send what libraries print, from C too, nowhere: it may hold text of the user's."""
    logging.disable(logging.CRITICAL)
    nowhere = os.open(os.devnull, os.O_WRONLY)
    for stream in (1, 2):
        os.dup2(nowhere, stream)
    os.close(nowhere)


def _be_modest(megabytes: int) -> None:
    """Lower the priority and, where the system can, bound the address space."""
    if sys.platform == "win32":
        import psutil

        psutil.Process().nice(psutil.BELOW_NORMAL_PRIORITY_CLASS)
        return
    import resource

    os.nice(10)
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    if sys.platform == "linux":
        most = (megabytes + _MAPPED_MEGABYTES) * 1024 * 1024
        resource.setrlimit(resource.RLIMIT_AS, (most, most))


def _refuse(event: str, _arguments: tuple[Any, ...]) -> None:
    """Refuse every way out to a network or to another program; a hook can't be removed again."""
    if event in _FORBIDDEN:
        raise PermissionError(event)
