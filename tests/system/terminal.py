"""The program as it is typed: a process of its own, with a data folder of its own."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

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
    """Types commands; Ollama is where `ollama` says, by default nowhere."""

    home: Path
    ollama: str = _NOBODY

    def type(self, *words: str | bytes | Path, seconds: float = _SECONDS, **more: Any) -> Typed:
        process = self.start(*words, **more)
        out, err = process.communicate(timeout=seconds)
        return Typed(process.returncode, out.decode(), err.decode())

    def start(self, *words: str | bytes | Path, **more: Any) -> subprocess.Popen[bytes]:
        settings = {"DESKTOP_RAG_HOME": str(self.home), "OLLAMA_HOST": self.ollama}
        environment = os.environ | settings | more.pop("env", {})
        return subprocess.Popen(
            [sys.executable, "-m", "desktop_rag", *words],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            stdin=subprocess.DEVNULL,
            env=environment,
            **more,
        )
