"""Reading what is huge, what blocks, and what leads elsewhere, with the real command line.

A log, one endless line, a table, Markdown and a page, each far too long or (`max_characters`
raised) read for a while; the main process is compared with the same command over a tiny file. Then
pipes and devices in place of files, links to them and to elsewhere, and a drive that never answers.
"""

from __future__ import annotations

import itertools
import json
import os
import random
import signal
import sqlite3
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

from desktop_rag.core import filesystem
from desktop_rag.core.cancel import CancelToken
from desktop_rag.core.sentences import sentences
from tests.attacks import silent_drive
from tests.attacks.memory import Measured, kill_tree, measured
from tests.attacks.report import Attack, Report, Task

_MEGABYTE = 1024 * 1024
_OVER_IDLE = 64  # MiB that a file may cost the main process
_COMMAND = [sys.executable, "-m", "desktop_rag"]


def huge(report: Report, task: Task) -> None:
    """Index files that are far longer than documents are; count the main process's memory."""
    tiny = task.folder / "tiny.txt"
    tiny.write_text("A tiny file that holds a sentence to be read and found again.\n")
    idle = _indexed(task.folder / "idle", tiny, 60).peaks.get("main", 0.0)
    size = (8 if task.is_quick else 100) * _MEGABYTE
    for name, lines in _kinds(random.Random(task.seed)).items():
        if task.is_quick and name not in ("log.txt", "line.txt"):
            continue
        file = _written(task.folder / name, lines, size)
        for words, seconds in _ways(task):
            with report.attempt(f"{name} {' '.join(words)}"):
                made = _indexed(task.folder / f"home-{name}-{seconds}", file, seconds, *words)
                report.note_peaks(made.peaks)
                more = made.peaks.get("main", 0.0) - idle
                report.expect(more <= _OVER_IDLE, f"{more:.0f} MiB over idle")
                report.expect(made.status in (0, None), made.errors[-300:])
        file.unlink()


def _ways(task: Task) -> Iterator[tuple[tuple[str, ...], int]]:
    """Yield settings under which a file is refused, and is read for so many seconds."""
    most = 2_000_000 if task.is_quick else 40_000_000
    yield ("--set", f"ingest.max_characters={most}"), 130
    yield ("--set", "ingest.max_characters=1000000000"), 5 if task.is_quick else 40


def _kinds(dice: random.Random) -> dict[str, Iterator[str]]:
    word = ["".join(dice.choices("abcdefghijklmnopqrstuvwxyz", k=7)) for _ in range(2000)]
    count = itertools.count()

    def some(words: int) -> str:
        return " ".join(dice.choices(word, k=words))

    return {
        "log.txt": (f"2024-05-01 12:00:00 host service[{n}]: {some(9)}.\n" for n in count),
        "line.txt": (f"{some(20)} " for _ in count),
        "solid.txt": ("0123456789abcdef" * 64 for _ in count),
        "marks.txt": ("!?" * 500 + "x" for _ in count),
        "spaces.txt": (f"A.{' ' * 5000}B.{' ' * 5000}" for _ in count),
        "json.txt": (f'{{"k":{n},"v":"{some(2)}"}},' for n in count),
        "table.csv": (f"{n},{some(1)},{n % 97},{some(4)}\n" for n in count),
        "text.md": (f"# {some(2)}\n\n{some(60)}.\n\n" for _ in count),
        "page.html": (f"<p>{some(30)}.</p>\n" for _ in count),
    }


def _written(file: Path, pieces: Iterator[str], size: int) -> Path:
    held = [next(pieces) for _ in range(2000)]
    with file.open("w", encoding="utf-8") as out:
        for piece in itertools.cycle(held):
            out.write(piece)
            if out.tell() >= size:
                return file
    return file


def marks(report: Report, task: Task) -> None:
    """Cut runs of marks into sentences: no step may take the square of their length."""
    del task
    runs = {
        "exclamations": "!" * 100_000 + "x", "dots": "." * 100_000 + "x",
        "wide": "…!" * 50_000 + "x", "closers": "." + ")" * 100_000 + "x",
        "abbreviations": "e.g. " * 20_000, "citations": "." + " [1]" * 25_000 + "x",
    }  # fmt: skip
    for name, text in runs.items():
        with report.attempt(name):
            began = time.monotonic()
            sentences(text)
            report.expect(time.monotonic() - began < 3, f"{time.monotonic() - began:.0f} s")


def whole(report: Report, task: Task) -> None:
    """Kill a run while a long file is being stored: nothing of it may be left after a start."""
    file = _written(task.folder / "log.txt", _kinds(random.Random(task.seed))["log.txt"], 3_000_000)
    for number in range(0 if task.is_quick else 5):  # to embed the first chunks takes a while
        home = task.folder / f"killed-{number}"
        with report.attempt(f"kill {number}"):
            process = subprocess.Popen(
                [*_COMMAND, "--data-dir", str(home), "index", str(file)],
                stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
            )  # fmt: skip
            is_begun = _eventually(partial(_has_chunks, home, 100 * number), 60)
            os.kill(process.pid, signal.SIGKILL)
            kill_tree(process.pid)
            process.wait()
            report.expect(is_begun, "nothing was stored before the kill")
            subprocess.run(
                [*_COMMAND, "--data-dir", str(home), "kb", "list"], check=False,
                capture_output=True, timeout=60,
            )  # fmt: skip
            left = {name: _rows(home, name) for name in ("documents", "segments", "chunks")}
            report.expect(not any(left.values()), f"left after a start: {left}")


def _has_chunks(home: Path, more_than: int) -> bool:
    return _rows(home, "chunks") > more_than


def _rows(home: Path, table: str) -> int:
    try:
        with sqlite3.connect(f"file:{home / 'catalog.sqlite'}?mode=ro", uri=True) as read:
            return int(read.execute(f"SELECT count(*) FROM {table}").fetchone()[0])
    except sqlite3.Error:
        return 0


def _eventually(found: Callable[[], bool], seconds: float) -> bool:
    end = time.monotonic() + seconds
    while not found():
        if time.monotonic() > end:
            return False
        time.sleep(0.05)
    return True


def blocking(report: Report, task: Task) -> None:
    """Index a folder of what blocks or never ends; the files before and after it must be read."""
    if sys.platform == "win32":
        report.skipped = "Windows has no such files."
        return
    docs, secret = task.folder / "docs", task.folder / "secret.txt"
    docs.mkdir()
    secret.write_text("The secret file tells that the vault is under the old mill.\n")
    for name in ("aaa.txt", "zzz.txt"):
        (docs / name).write_text(f"The file {name} tells that the harbour was built long ago.\n")
    os.mkfifo(docs / "pipe.txt")
    targets: tuple[str | Path, ...] = (
        "/dev/zero",
        "/dev/random",
        "/dev/tty",
        "/dev/stdin",
        "/proc/self/fd/0",
        docs / "pipe.txt",
        docs,
        "loop.txt",
        secret,
    )
    for number, target in enumerate(targets):
        (docs / f"link{number}.txt").symlink_to(target)
    (docs / "loop.txt").symlink_to("loop.txt")
    for number, made in enumerate((_with_drive, _plain)):
        with report.attempt(made.__name__.strip("_")):
            lines = made(report, task.folder / f"home{number}", docs)
            states = {Path(each["path"]).name: each["status"] for each in lines if "path" in each}
            read = {name for name, status in states.items() if status in ("ready", "unchanged")}
            report.expect({"aaa.txt", "zzz.txt"} <= read, f"not all were read: {states}")
            report.expect(read <= {"aaa.txt", "zzz.txt", "good.txt"}, f"too much was read: {read}")


def _plain(report: Report, home: Path, docs: Path) -> list[dict[str, str]]:
    settings = ("--set", "ingest.answer_seconds=1")
    command = [*_COMMAND, "--json", "--data-dir", str(home), *settings, "index", str(docs)]
    made = measured(command, 90)
    report.note_peaks(made.peaks)
    report.expect(made.status == 0, f"status {made.status}: {made.errors[-300:]}")
    return [json.loads(line) for line in made.output.splitlines()]


def _with_drive(report: Report, home: Path, docs: Path) -> list[dict[str, str]]:
    """Index beside a drive that never answers, where one can be mounted."""
    drive = docs / "drive"
    drive.mkdir()
    server = subprocess.Popen(
        [sys.executable, "-m", "tests.attacks.silent_drive", str(drive)],
        stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
    )  # fmt: skip
    try:
        if server.stdout is None or server.stdout.readline() != b"mounted\n":
            report.skipped = "No file system of our own can be mounted here."
            return _plain(report, home, docs)
        gone = threading.Timer(25, server.kill)
        gone.start()  # whoever waits for it still holds this command's output
        lines = _plain(report, home, docs)
        gone.cancel()
        told = {Path(each["path"]).name for each in lines if each.get("status") == "timeout"}
        report.expect(told == {"dead.txt", "gone"}, f"told as not answering: {told}")
        return lines
    finally:
        server.kill()
        server.communicate()
        if report.skipped == "":
            silent_drive.unmount(str(drive))
        drive.rmdir()


def swapped(report: Report, task: Task) -> None:
    """Put a pipe, a device or a folder in a file's place between the look and the read."""
    if sys.platform == "win32":
        return
    file, token = task.folder / "file.txt", CancelToken()
    replacements: dict[str, Callable[[], None]] = {
        "pipe": lambda: os.mkfifo(file),
        "zero": lambda: file.symlink_to("/dev/zero"),
        "terminal": lambda: file.symlink_to("/dev/tty"),
        "folder": file.mkdir,
    }
    for name, put in replacements.items():
        with report.attempt(name):
            put()
            began = time.monotonic()
            try:
                filesystem.content_hash(str(file), token)
                report.expect(holds=False, finding="it was read")
            except OSError:
                pass
            report.expect(time.monotonic() - began < 2, "it was waited for")
            file.rmdir() if file.is_dir() and not file.is_symlink() else file.unlink()


def _indexed(home: Path, file: Path, seconds: float, *words: str) -> Measured:
    command = [*_COMMAND, "--data-dir", str(home), *words, "index", str(file)]
    return measured(command, seconds, most_megabytes=3000)


ATTACKS = (
    Attack("huge files", huge),
    Attack("runs of marks", marks),
    Attack("kills while a long file is stored", whole),
    Attack("what blocks and what leads elsewhere", blocking),
    Attack("swapped after the look", swapped),
)
