"""The program as it is typed: a process of its own, with a data folder of its own.

A command that is typed is forked with the program loaded where that is safe (see
`testing.forked_commands`), and started from nothing where a test is about how the process starts,
ends or is bounded.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from testing import forked_commands

_SECONDS = 90.0
_NOBODY = "http://127.0.0.1:9"  # nothing listens on the discard port


@dataclass(frozen=True, slots=True)
class Typed:
    """What came of a command."""

    status: int
    out: str
    err: str

    @property
    def lines(self) -> list[dict[str, Any]]:
        return [json.loads(line) for line in self.out.splitlines()]


@dataclass(frozen=True, slots=True)
class Terminal:
    """Types commands; Ollama is where `ollama` says, by default nowhere.

    `is_forked` says whether commands may be forked; `env`, `cwd` and the like are given to
    processes that are started.
    """

    home: Path
    ollama: str = _NOBODY
    is_forked: bool = sys.platform == "linux"

    def type(self, *words: str | bytes | Path, seconds: float = _SECONDS, **more: Any) -> Typed:
        if self.is_forked and not more:
            done = forked_commands.run([os.fsdecode(each) for each in words], self._env, seconds)
            return Typed(done.returncode, done.stdout.decode(), done.stderr.decode())
        process = self.start(*words, **more)
        out, err = process.communicate(timeout=seconds)
        return Typed(process.returncode, out.decode(), err.decode())

    @property
    def _env(self) -> dict[str, str]:
        return os.environ | {"DESKTOP_RAG_HOME": str(self.home), "OLLAMA_HOST": self.ollama}

    def start(self, *words: str | bytes | Path, **more: Any) -> subprocess.Popen[bytes]:
        environment = self._env | more.pop("env", {})
        return subprocess.Popen(
            [sys.executable, "-m", "desktop_rag", *words],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            stdin=subprocess.DEVNULL,
            env=environment,
            **more,
        )
