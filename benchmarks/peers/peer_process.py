"""The driver's side of a pipeline: its process, what is asked of it, and the memory it takes."""

from __future__ import annotations

import json
import os
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Any, Self

import psutil

from benchmarks.memory_sampler import MemorySampler
from benchmarks.peers.environments import ROOT
from benchmarks.peers.protocol import FoundPassage

_GRACE = 60  # seconds to close
# Nothing is fetched and nothing is reported; the rest is as each library has it.
_OFFLINE = {
    "HF_HUB_OFFLINE": "1",
    "TRANSFORMERS_OFFLINE": "1",
    "HF_HUB_DISABLE_TELEMETRY": "1",
    "HAYSTACK_TELEMETRY_ENABLED": "False",
    "ANONYMIZED_TELEMETRY": "False",
    "DO_NOT_TRACK": "true",
    "PYTHONUTF8": "1",
}


@dataclass(frozen=True, slots=True)
class SearchReply:
    """The places found, best first, and the seconds that it took."""

    seconds: float
    found: tuple[FoundPassage, ...]


class PipelineFailed(Exception):
    """A pipeline ended before it had answered; holds the end of what it wrote."""


class PeerProcess:
    """A running pipeline. As a context it is closed at its end, so that all is written."""

    def __init__(self, command: Sequence[str | Path], log: Path) -> None:
        self._log = log
        with log.open("wb") as errors:
            self._process = subprocess.Popen(
                command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=errors,
                cwd=ROOT, env=os.environ | _OFFLINE, text=True, encoding="utf-8",
            )  # fmt: skip
        self._memory = MemorySampler(self._process.pid)
        self.versions: dict[str, str] = {}

    def __enter__(self) -> Self:
        try:
            self.versions = self._read()["versions"]
        except PipelineFailed:
            self._end()
            raise
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._end()

    def index(self, paths: Sequence[Path]) -> tuple[float, int]:
        """Let it index these files; return the seconds and the number of passages."""
        reply = self._asked({"index": [str(path) for path in paths]})
        return float(reply["seconds"]), int(reply["passages"])

    def search(self, question: str, count: int) -> SearchReply:
        """Let it search; return what it found."""
        reply = self._asked({"search": question, "count": count})
        found = tuple(FoundPassage(**each) for each in reply["found"])
        return SearchReply(float(reply["seconds"]), found)

    def take_peak(self) -> float:
        """Return the most MiB that it and its children held since the last call."""
        return self._memory.take_peak()

    def _asked(self, asked: dict[str, Any]) -> dict[str, Any]:
        assert self._process.stdin is not None
        try:
            self._process.stdin.write(json.dumps(asked) + "\n")
            self._process.stdin.flush()
        except BrokenPipeError:
            pass  # why it ended is said where its reply is read
        return self._read()

    def _read(self) -> dict[str, Any]:
        assert self._process.stdout is not None
        line = self._process.stdout.readline()
        if not line:
            told = self._log.read_text(encoding="utf-8", errors="replace")[-3000:]
            raise PipelineFailed(f"{self._process.args!r} ended:\n{told}")
        reply: dict[str, Any] = json.loads(line)
        return reply

    def _end(self) -> None:
        self._memory.stop()
        try:
            self._process.communicate(timeout=_GRACE)
        except subprocess.TimeoutExpired:
            for each in psutil.Process(self._process.pid).children(recursive=True):
                each.kill()
            self._process.kill()
            self._process.communicate()
