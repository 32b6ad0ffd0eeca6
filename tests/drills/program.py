"""The program as it is typed, in processes of its own, with a limit on how long each may take."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import psutil

from desktop_rag.core.settings import VERSION
from tests.conftest import REPOSITORY
from tests.drills.report import Score

NOBODY = "http://127.0.0.1:9"  # nothing listens on the discard port
PATIENCE = 180.0
"""Seconds after which a process hangs, on however busy a machine."""

_CHILDREN_SECONDS = 10.0


@dataclass(frozen=True, slots=True)
class Typed:
    """What came of a command; a hang has the status None."""

    words: tuple[str, ...]
    status: int | None
    out: str
    err: str

    @property
    def lines(self) -> list[dict[str, Any]]:
        """The lines of `--json`."""
        return [json.loads(line) for line in self.out.splitlines()]

    @property
    def statuses(self) -> dict[str, str]:
        """The files' outcomes, by path."""
        return {e["path"]: e["status"] for e in self.lines if e.get("event") == "file"}


@dataclass(slots=True)
class Program:
    """Types commands on one data folder and notes in a score what hangs or crashes."""

    home: Path
    score: Score
    environment: dict[str, str] = field(default_factory=dict)
    ollama: str = NOBODY
    inside: tuple[str, ...] = ()
    """What stands before each command: it runs in another network, say."""
    patience: float = PATIENCE
    """Seconds after which a command hangs."""

    def let_chroma_hold(self, upto: int = 0) -> None:
        """Let Chroma hold the vectors of so many chunks and more; of more than so many it is asked.

        Where nothing is said it does so from 20,000 on, and no drill's documents are so many.
        """
        self.home.mkdir(parents=True, exist_ok=True)
        kept = {"version": VERSION, "retrieval": {"exact_upto": upto}}
        (self.home / "settings.json").write_text(json.dumps(kept), encoding="utf-8")

    def type(self, *words: str | Path, seconds: float | None = None) -> Typed:
        """Run a command to its end; one that hangs is killed and noted, and so is a crash."""
        process = self.start(*words)
        named = tuple(map(str, words))
        try:
            out, err = process.communicate(timeout=seconds or self.patience)
        except subprocess.TimeoutExpired:
            said = self.kill(process)
            self.score.hangs.append(f"{' '.join(named)} hung: {said[1][-300:]}")
            return Typed(named, None, *said)
        typed = Typed(named, process.returncode, out.decode(), err.decode())
        self._look_at(typed)
        return typed

    def must(self, *words: str | Path) -> Typed:
        """Run a command that has to succeed."""
        typed = self.type(*words)
        told = f"{' '.join(typed.words)} ended with {typed.status}: {typed.err[-300:]}"
        self.score.expect(typed.status in (0, None), told)
        return typed

    def start(self, *words: str | Path, **more: Any) -> subprocess.Popen[bytes]:
        """Start a command, in a group of its own."""
        return subprocess.Popen(
            [*self.inside, sys.executable, "-m", "desktop_rag", "--data-dir", self.home, *words],
            cwd=REPOSITORY,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            stdin=subprocess.DEVNULL,
            env=self.variables(),
            **more,
        )

    def variables(self) -> dict[str, str]:
        """Return the environment of what is started."""
        own = {"OLLAMA_HOST": self.ollama, "QT_QPA_PLATFORM": "offscreen", "PYTHONUTF8": "1"}
        return os.environ | own | self.environment

    def kill(self, process: subprocess.Popen[bytes]) -> tuple[str, str]:
        """End a process as `kill -9` does; what it had started must end by itself, and soon."""
        children = _below(process)
        process.kill()
        _, alive = psutil.wait_procs(children, _CHILDREN_SECONDS)
        for orphan in alive:
            self.score.faults.append(f"process {orphan.pid} outlived its parent")
            orphan.kill()
        out, err = process.communicate()  # last: who outlives it may hold its pipes
        return (out or b"").decode(), (err or b"").decode()

    def _look_at(self, typed: Typed) -> None:
        command = " ".join(typed.words)
        if typed.status not in (0, 1, 2, 130):
            self.score.faults.append(f"{command} crashed with {typed.status}: {typed.err[-300:]}")
        elif "Traceback" in typed.err or "itself went wrong" in typed.err:
            self.score.faults.append(f"{command} met a bug: {typed.err[-300:]} {self._log()}")

    def _log(self) -> str:
        log = self.home / "logs" / "desktop-rag.log"
        return log.read_text(encoding="utf-8")[-1500:] if log.is_file() else ""


def ready_in(out: str) -> set[str]:
    """Return the files that the output of `--json`, cut off anywhere, calls ready."""
    found = set()
    for line in out.splitlines():
        try:
            told = json.loads(line)
        except ValueError:
            continue  # the last line of a killed process
        if told.get("event") == "file" and told.get("status") in ("ready", "unchanged"):
            found.add(str(told["path"]))
    return found


def until(what: Any, seconds: float = PATIENCE) -> bool:
    """Wait until something is so; False when it did not come to pass."""
    give_up = time.monotonic() + seconds
    while not what():
        if time.monotonic() > give_up:
            return False
        time.sleep(0.05)
    return True


def _below(process: subprocess.Popen[bytes]) -> list[psutil.Process]:
    try:
        return psutil.Process(process.pid).children(recursive=True)
    except psutil.NoSuchProcess:
        return []
