"""How much memory a program and the processes that it starts have held at most."""

from __future__ import annotations

import subprocess
import sys
import threading
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

import psutil

_LOOK_SECONDS = 0.02
_MEGABYTE = 1024 * 1024


@dataclass(slots=True)
class Measured:
    """A command that has ended: its status (None: cut off), output, and peaks in MiB by process."""

    status: int | None
    output: str
    errors: str
    peaks: dict[str, float] = field(default_factory=dict)


def measured(
    command: list[str],
    seconds: float,
    *,
    most_megabytes: float = 6000,
    environment: Mapping[str, str] | None = None,
    folder: Path | None = None,
) -> Measured:
    """Run a command and watch its whole tree; kill it after `seconds` or above `most_megabytes`.

    The peaks are those of the resident set, as the system itself counts them ("main", and
    "child" for the processes below it, each by itself).
    """
    process = subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, encoding="utf-8",
        errors="replace", env=environment, cwd=folder, stdin=subprocess.DEVNULL,
    )  # fmt: skip
    done = threading.Event()
    made = Measured(None, "", "")
    watch = threading.Thread(target=_watch, args=(process.pid, made.peaks, most_megabytes, done))
    watch.start()
    try:
        made.output, made.errors = process.communicate(timeout=seconds)
        made.status = process.returncode
    except subprocess.TimeoutExpired:
        kill_tree(process.pid)
        made.output, made.errors = process.communicate()
    finally:
        done.set()
        watch.join()
    return made


def kill_tree(pid: int) -> None:
    """Kill a process and all below it."""
    try:
        top = psutil.Process(pid)
        family = [*top.children(recursive=True), top]
    except psutil.Error:
        return
    for each in family:
        try:
            each.kill()
        except psutil.Error:
            continue


def _watch(pid: int, peaks: dict[str, float], most: float, done: threading.Event) -> None:
    while not done.wait(_LOOK_SECONDS):
        try:
            top = psutil.Process(pid)
            family = {"main": [top], "child": top.children(recursive=True)}
        except psutil.Error:
            return
        for name, members in family.items():
            for each in members:
                peaks[name] = max(peaks.get(name, 0.0), _peak(each))
        if max(peaks.values(), default=0.0) > most:
            kill_tree(pid)


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
