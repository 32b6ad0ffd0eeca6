"""What a child process that reads hostile files may not do, and the limits it runs under.

It may not reach a network, start a program, write outside its scratch folder, or look into the data
folder. Python's audit events see what libraries do as well, as far as they do it through Python.
What C code does is the system's to refuse: Linux does (`linux_confinement`), but for looking into
the data folder, whence nothing could be carried off. Elsewhere C code is only given the one path to
open. What else came from the parent is closed, and what the process may take is bounded.
"""

from __future__ import annotations

import contextlib
import logging
import multiprocessing
import os
import shutil
import signal
import sys
import threading
from dataclasses import dataclass
from multiprocessing import resource_tracker
from pathlib import Path
from typing import Any

import psutil

from desktop_rag.parsing.sandbox import linux_confinement

_MEGABYTE = 1024 * 1024
# Address space beyond the memory limit: libraries that are mapped, not used.
_MAPPED_MEGABYTES = 4096
_MOST_OPEN = 256
_FORBIDDEN = frozenset({
    "socket.connect", "socket.sendto", "socket.sendmsg", "socket.getaddrinfo", "socket.bind",
    "socket.gethostbyname", "subprocess.Popen", "os.system", "os.exec", "os.posix_spawn",
    "sqlite3.connect", "os.symlink", "os.link",
})  # fmt: skip
# What changes a file: which arguments are its paths, and which the open folders they start from.
_CHANGING = {
    "os.remove": ((0, 1),), "os.rmdir": ((0, 1),), "os.mkdir": ((0, 2),), "os.chmod": ((0, 2),),
    "os.truncate": ((0, None),), "os.rename": ((0, 2), (1, 3)),
}  # fmt: skip
_LISTING = frozenset({"os.listdir", "os.scandir"})
_WRITING = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_APPEND


@dataclass(frozen=True, slots=True)
class ProcessLimits:
    """What one child process may use: MiB of memory, a folder to write to, folders shut to it.

    Without `may_landlock` the kernel counts as one that has no Landlock: tests ask for it.
    """

    megabytes: int
    scratch: str
    shut: tuple[str, ...] = ()
    may_landlock: bool = True

    def refuses(self, event: str, arguments: tuple[Any, ...]) -> bool:
        """Say whether an audit event is one that the process has no need of."""
        if event in _FORBIDDEN:
            return True
        if event == "open":
            return self._refuses_open(*arguments)
        if event in _CHANGING:
            changed = [
                _place(arguments[path], -1 if folder is None else arguments[folder])
                for path, folder in _CHANGING[event]
            ]
            return not all(map(self._is_own, changed))
        return event in _LISTING and self._is_shut(_place(arguments[0]))

    def _refuses_open(self, path: Any, _mode: Any, flags: Any) -> bool:
        if isinstance(path, int):
            return False  # already open: a pipe, a stream
        place = _place(path)
        writes = isinstance(flags, int) and bool(flags & _WRITING)
        return (writes and not self._is_own(place)) or self._is_shut(place)

    def _is_own(self, place: str) -> bool:
        """Say whether a place may be written: it lies in the scratch folder, or is nowhere."""
        return place == os.devnull or _is_in(place, os.path.realpath(self.scratch))

    def _is_shut(self, place: str) -> bool:
        return any(_is_in(place, each) for each in self.shut)


def confine(bounds: ProcessLimits, pipe: int) -> None:
    """Take from this process what it has no need of; it dies with its parent.

    `pipe` leads to the parent. Priority and limits come first, the kernel then refuses to set them.
    """
    if sys.platform != "win32":
        _close_inherited(pipe)
        with contextlib.suppress(PermissionError):  # who leads a session already has none to leave
            os.setsid()  # away from the terminal: nothing can be typed into the shell that it is in
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is the parent's to answer
    sys.dont_write_bytecode = True
    _be_quiet()
    _be_modest(bounds.megabytes)
    linux_confinement.restrict(bounds.scratch, may_landlock=bounds.may_landlock)
    threading.Thread(target=_follow_parent, args=(bounds.scratch,), daemon=True).start()

    def refuse(event: str, arguments: tuple[Any, ...]) -> None:
        """Refuse by an error; a hook can't be removed again."""
        if bounds.refuses(event, arguments):
            raise PermissionError(event)

    sys.addaudithook(refuse)


def _place(path: Any, folder: int = -1) -> str:
    """Return where a path leads, its links resolved, from an open folder or the working one."""
    if isinstance(path, int):
        return os.path.realpath(f"/proc/self/fd/{path}")
    named = "" if path is None else os.fsdecode(path)
    if folder >= 0:
        named = os.path.join(f"/proc/self/fd/{folder}", named)  # noqa: PTH118 - a string
    return os.path.realpath(named)


def _is_in(place: str, folder: str) -> bool:
    return place == folder or place.startswith(folder.rstrip(os.sep) + os.sep)


def _close_inherited(pipe: int) -> None:
    """Close what is open in this process but its standard streams, its pipe and its parent's end.

    The pipe to the resource tracker is among it: through it, shared memory of anybody's could be
    unlinked, as the tracker does what it is told. Elsewhere than on Linux that is all that is
    closed: a handle of the system's own could be among the others.
    """
    tracker: Any = resource_tracker._resource_tracker  # noqa: SLF001
    opened, tracker._fd = {tracker._fd}, None  # noqa: SLF001
    if sys.platform == "linux":
        opened = {int(entry.name) for entry in Path("/proc/self/fd").iterdir()}
    parent = multiprocessing.parent_process()
    needed = {0, 1, 2, pipe, pipe if parent is None else parent.sentinel}
    for each in opened - needed - {None}:
        with contextlib.suppress(OSError):  # the listing's own, closed already
            os.close(each)


def _follow_parent(scratch: str) -> None:
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        shutil.rmtree(scratch, ignore_errors=True)
        os._exit(1)


def _be_quiet() -> None:
    """Send what libraries print, from C too, nowhere: it may hold text of the user's."""
    logging.disable(logging.CRITICAL)
    nowhere = os.open(os.devnull, os.O_RDWR)
    for stream in (0, 1, 2):
        os.dup2(nowhere, stream)
    os.close(nowhere)


def _be_modest(megabytes: int) -> None:
    """Lower the priority and, where the system can, bound memory, files and what is open."""
    if sys.platform == "win32":
        psutil.Process().nice(psutil.BELOW_NORMAL_PRIORITY_CLASS)
        return
    import resource

    os.nice(10)
    limits = {"CORE": 0, "MEMLOCK": 0, "NOFILE": _MOST_OPEN, "FSIZE": megabytes * _MEGABYTE}
    if sys.platform == "linux":
        limits |= {"AS": (megabytes + _MAPPED_MEGABYTES) * _MEGABYTE, "MSGQUEUE": 0, "RTPRIO": 0}
    for name, most in limits.items():
        limit = getattr(resource, f"RLIMIT_{name}")
        hard = resource.getrlimit(limit)[1]
        bound = most if hard == resource.RLIM_INFINITY else min(most, hard)
        resource.setrlimit(limit, (bound, bound))
