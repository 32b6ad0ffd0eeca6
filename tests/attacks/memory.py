"""How much memory a program and the processes that it starts have held at most."""

from __future__ import annotations

import subprocess
import sys
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path

import psutil

_LOOK_SECONDS = 0.02
_MEGABYTE = 1024 * 1024
# What the command lines of Python's own helper processes hold, and what they are here.
_KINDS = {"spawn_main": "parser", "resource_tracker": "tracker"}


@dataclass(slots=True)
class Measured:
    """A command that has ended: its status (None: out of time), output, and peaks in MiB.

    The peaks stand by what a process is: "main", "parser", "tracker", or another program's name,
    the highest of each. `grew_too_large` says that the tree was killed for its memory.
    """

    status: int | None
    output: str
    errors: str
    peaks: dict[str, float] = field(default_factory=dict)
    grew_too_large: bool = False


def measured(
    command: list[str],
    seconds: float,
    *,
    most_megabytes: float = 6000,
    environment: Mapping[str, str] | None = None,
    folder: Path | None = None,
) -> Measured:
    """Run a command and watch its whole tree; kill it after `seconds`, or above `most_megabytes`.

    The bound is that of each process by itself, and of the resident set, as the system counts it.
    """
    process = subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, encoding="utf-8",
        errors="replace", env=environment, cwd=folder, stdin=subprocess.DEVNULL,
    )  # fmt: skip
    with _watching(process.pid, most_megabytes) as watch:
        try:
            output, errors = process.communicate(timeout=seconds)
            status = process.returncode
        except subprocess.TimeoutExpired:
            watch.kill()
            output, errors = process.communicate(timeout=30)
            status = None
        finally:
            watch.kill()
    return Measured(status, output, errors, watch.peaks, watch.grew_too_large)


@contextmanager
def peaks_of(pid: int) -> Iterator[dict[str, float]]:
    """Yield the peaks in MiB of a running process and those below it, kept up to date.

    On Linux the kernel's mark of the process is set back first: what it held before does not count.
    """
    with suppress(OSError):
        Path(f"/proc/{pid}/clear_refs").write_text("5")
    with _watching(pid, float("inf")) as watch:
        yield watch.peaks


def kill_tree(pid: int) -> None:
    """Kill a process and all below it."""
    try:
        top = psutil.Process(pid)
    except psutil.Error:
        return
    for each in (*_below(top), top):
        _kill(each)


class _Watch:
    """Looks at a tree of processes again and again, from a thread of its own.

    A process whose parent has ended is not below it any more, so each that was seen is remembered.
    """

    def __init__(self, pid: int, most: float) -> None:
        self.peaks: dict[str, float] = {}
        self.grew_too_large = False
        self.done = threading.Event()
        self._top = psutil.Process(pid)
        self._most = most
        self._seen: set[psutil.Process] = set()

    def run(self) -> None:
        """Look until told that it is done."""
        while not self.done.wait(_LOOK_SECONDS):
            try:
                self._look()
            except psutil.Error:
                continue  # it has ended since it was listed

    def kill(self) -> None:
        """Kill the process and all that were ever seen below it."""
        for each in (*_below(self._top), *list(self._seen), self._top):
            _kill(each)

    def _look(self) -> None:
        below = self._top.children(recursive=True)
        begun = [each for each in below if each in self._seen or not _is_being_started(each)]
        self._seen.update(below)
        for each in (self._top, *begun):
            peak = _peak(each)
            if not peak:
                continue  # it has ended
            name = "main" if each is self._top else _kind(each)
            self.peaks[name] = max(peak, self.peaks.get(name, 0.0))
            if peak > self._most:
                self.grew_too_large = True
                self.kill()
                return


@contextmanager
def _watching(pid: int, most: float) -> Iterator[_Watch]:
    watch = _Watch(pid, most)
    thread = threading.Thread(target=watch.run, name="memory", daemon=True)
    thread.start()
    try:
        yield watch
    finally:
        watch.done.set()
        thread.join()


def _below(process: psutil.Process) -> list[psutil.Process]:
    try:
        return process.children(recursive=True)
    except psutil.Error:
        return []


def _kind(process: psutil.Process) -> str:
    """Return what a process is, by its command line."""
    try:
        words = " ".join(process.cmdline())
        return next((kind for word, kind in _KINDS.items() if word in words), process.name())
    except psutil.Error:
        return "child"  # it ended just now


def _is_being_started(process: psutil.Process) -> bool:
    """Say whether a process may be its parent's copy still: until it is another program."""
    try:
        parent = process.parent()
        return parent is not None and parent.cmdline() == process.cmdline()
    except psutil.Error:
        return True


def _kill(process: psutil.Process) -> None:
    try:
        process.kill()
    except psutil.Error:
        return


def _peak(process: psutil.Process) -> float:
    """Return the most that a process has held, in MiB: the kernel's own mark where it has one."""
    try:
        if sys.platform == "linux":
            for line in Path(f"/proc/{process.pid}/status").read_text().splitlines():
                if line.startswith("VmHWM:"):
                    return int(line.split()[1]) / 1024
        return process.memory_info().rss / _MEGABYTE
    except (psutil.Error, OSError):
        return 0.0
