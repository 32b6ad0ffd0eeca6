"""An Ollama that dies in mid-stream, hangs, comes back, and has other models than before."""

from __future__ import annotations

import json
import signal
import socket
import sqlite3
import subprocess
import sys
import time
from contextlib import closing
from pathlib import Path
from typing import Any

from tests.conftest import REPOSITORY
from tests.drills.consistency_check import Checks
from tests.drills.documents import Documents
from tests.drills.program import PATIENCE, Program
from tests.drills.report import Score

_OLD, _NEW = "drill-one:latest", "drill-two:latest"
_STOPS_WITHIN = 10.0
_AS_ASKED = ("--set", "answering.condense=false")  # the double would condense to its one text
Process = subprocess.Popen[bytes]


def drill(score: Score, root: Path, kills: int, seed: int) -> None:
    """Let Ollama go through its troubles, between and during questions of one conversation."""
    with score.timed():
        made = _Talk(score, root, seed)
        with score.round("without Ollama"):
            made.ask("extracted", "--chat", "new")
        for _ in range(max(1, kills // 10)):
            with score.round("dies in mid-stream, and comes back"):
                made.dies()
        with score.round("hangs in mid-stream, and Ctrl-C"):
            made.hangs()
        with score.round("another model than before"):
            made.changes_models()
        with score.round("at the end"):
            made.look()


class _Talk:
    """One conversation with an Ollama that comes and goes at one address."""

    def __init__(self, score: Score, root: Path, seed: int) -> None:
        self._score, self._root = score, root
        self._documents = Documents(root / "documents", 8, seed)
        self._port = _free_port()
        self._program = Program(root / "home", score, ollama=f"http://127.0.0.1:{self._port}")
        self._question = self._documents.queries()[0]
        self._asked = 0
        self._program.must("index", self._documents.folder)

    def ask(self, mode: str, *words: str) -> dict[str, Any]:
        """Ask and expect an answer of a kind."""
        self._asked += 1
        done = self._program.must("ask", self._question, "--json", *_AS_ASKED, *words)
        lines = [line for line in done.lines if line.get("event") == "answer"]
        answer: dict[str, Any] = lines[-1] if lines else {}
        told = answer.get("mode")
        # Three made-up words may be too little to rest a quote on: that is an answer, too.
        is_right = told == mode or (mode, told) == ("extracted", "refused")
        self._score.expect(is_right, f"{told}, not {mode}")
        self._expect_kept()
        return answer

    def dies(self) -> None:
        """Kill Ollama while it answers: what came is kept, and the next question is answered."""
        ollama = self._ollama(_OLD, 0.03)
        asking = self._asking()
        written = _tokens(asking, 12)
        ollama.kill()
        ollama.communicate()
        try:
            _, err = asking.communicate(timeout=PATIENCE)
        except subprocess.TimeoutExpired:
            asking.kill()
            asking.communicate()
            self._score.hangs.append("an answer hung when Ollama died")
            return
        self._score.expect(asking.returncode == 0, f"it ended with {asking.returncode}: {err!r}")
        self._expect_kept(written[:20])
        ollama = self._ollama(_OLD, 0.0)
        self.ask("generated", "--chat", "1")
        ollama.kill()
        ollama.communicate()
        self.ask("extracted", "--chat", "1")

    def hangs(self) -> None:
        """Stop Ollama's process while it answers: Ctrl-C ends the answer, which is kept."""
        ollama = self._ollama(_OLD, 0.03)
        asking = self._asking()
        written = _tokens(asking, 12)
        ollama.send_signal(signal.SIGSTOP)
        time.sleep(0.5)
        began = time.monotonic()
        asking.send_signal(signal.SIGINT)
        asking.communicate(timeout=PATIENCE)
        ollama.kill()
        ollama.communicate()
        took = time.monotonic() - began
        if took > _STOPS_WITHIN:
            self._score.hangs.append(f"Ctrl-C took {took:.1f} s")
        self._score.expect(asking.returncode == 130, f"it ended with {asking.returncode}")
        self._expect_kept(written[:20])

    def changes_models(self) -> None:
        """Take the model away that the settings name; the one that is there answers unnamed."""
        ollama = self._ollama(_NEW, 0.0)
        answer = self.ask("generated", "--chat", "1")
        self._score.expect(answer.get("model") == _NEW, f"{answer.get('model')} answered")
        self._asked += 1
        named = ("--set", f"ollama.model={_OLD}", "--chat", "1", *_AS_ASKED)
        done = self._program.type("ask", self._question, "--json", *named)
        told = done.out + done.err
        self._score.expect("drill-one" in told, f"nothing was said of the model: {told[-300:]}")
        ollama.kill()
        ollama.communicate()

    def look(self) -> None:
        """Compare searches with a fresh index."""
        Checks(self._root).look(self._program, self._documents)

    def _asking(self) -> Process:
        self._asked += 1
        return self._program.start("ask", self._question, "--chat", "1", "--json", *_AS_ASKED)

    def _expect_kept(self, beginning: str = "") -> None:
        """Expect each question once, and the last answer as far as it was written."""
        with closing(sqlite3.connect(self._root / "home" / "catalog.sqlite")) as connection:
            rows = connection.execute("SELECT role, text FROM messages ORDER BY id").fetchall()
        asked = sum(role == "user" for role, _ in rows)
        if asked > self._asked:
            self._score.doubled.append(f"{asked} questions of {self._asked} asked")
        if asked < self._asked or rows[-1][0] != "assistant":
            self._score.lost.append(f"{asked} questions of {self._asked}, the last {rows[-1][0]}")
        if beginning and beginning not in rows[-1][1]:
            self._score.lost.append(f"what was written: {rows[-1][1]!r:.80}")

    def _ollama(self, model: str, pace: float) -> Process:
        command = [
            sys.executable,
            "-m",
            "tests.drills.ollama_process",
            str(self._port),
            model,
            str(pace),
        ]
        process = subprocess.Popen(command, cwd=REPOSITORY, stdout=subprocess.PIPE)
        assert process.stdout is not None
        process.stdout.readline()
        return process


def _tokens(asking: Process, count: int) -> str:
    """Read lines until so many tokens came; return what they say."""
    assert asking.stdout is not None
    written: list[str] = []
    for raw in asking.stdout:
        line = json.loads(raw)
        if line.get("event") == "token":
            written.append(str(line["text"]))
        if len(written) >= count:
            break
    return "".join(written)


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])
