"""The program's commands, typed one after the other into one data folder, and what they print."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from testing.ollama_double.recorded import Recorded
from testing.ollama_double.server import OllamaDouble
from tests.goldens.normalize import plain, without_numbers

QUESTIONS = ("Why did fuel and power cost less in 2024?", "一线城市每晚的住宿标准是多少？")
_SEARCHES = (*QUESTIONS, "monthly rent", "Who ordered the water tank?", "delivery delayed")
_SECONDS = 900.0

Plain = Callable[[str], str]


@dataclass(frozen=True, slots=True)
class Program:
    """Types commands; `folder` holds the documents, the data folder and what was printed."""

    folder: Path
    home: Path
    double: OllamaDouble

    def type(self, *words: str | Path, plainly: Plain = plain) -> list[str]:
        """Return the lines of `--json`, plain, and how the command ended."""
        ended = subprocess.run(
            [sys.executable, "-m", "desktop_rag", *words, "--json"],
            capture_output=True,
            stdin=subprocess.DEVNULL,
            env=os.environ | {"DESKTOP_RAG_HOME": str(self.home), "OLLAMA_HOST": self.double.url},
            timeout=_SECONDS,
            check=False,
        )
        printed = self._placeless(ended.stdout).splitlines()
        lines = [plainly(line) for line in printed]
        said = self._placeless(ended.stderr).strip() if not lines else ""
        return [*lines, json.dumps({"status": ended.returncode, "said": said})]

    def _placeless(self, printed: bytes) -> str:
        """Return what was printed without where the data folder and the documents lie."""
        told = printed.decode().replace(str(self.home), "~/home")
        return told.replace(str(self.folder), "~")


def reading(program: Program, documents: Sequence[Path]) -> Iterator[tuple[str, list[str]]]:
    """Read the documents, in one order and one at a time, so that ids stay; then export them."""
    for number, path in enumerate(documents):
        yield f"index {number:02} {path.name}", program.type("index", path)
    yield "index again", program.type("index", *documents)
    target = program.folder / "export.ragkb"
    yield "kb export", program.type("kb", "export", "default", target)


def asking(program: Program, documents: Sequence[Path]) -> Iterator[tuple[str, list[str]]]:
    """Ask for everything that changes nothing."""
    yield "kb list", program.type("kb", "list")
    for number, path in enumerate(documents):
        yield f"show {number:02} {path.name}", program.type("show", path)
    for number, query in enumerate(_SEARCHES):
        yield f"search {number}", program.type("search", query)
        yield f"explain {number}", program.type("explain", query, "--path", documents[0])
    yield "search where", program.type("search", QUESTIONS[0], "--where", "ext:pdf", "-k", "3")
    for number, question in enumerate(QUESTIONS):
        for kind, name, _ in _ways(program):
            asked = program.type("ask", question, f"--{kind}", name, "--model", "llama3.2:3b")
            yield f"ask {number} {kind} {name}", asked + _sent(program.double.requests)
            program.double.requests.clear()
    yield "strategies", program.type("strategies")
    yield "models", program.type("models", plainly=without_numbers)
    yield "doctor", program.type("doctor", plainly=without_numbers)


def changing(program: Program, documents: Sequence[Path]) -> Iterator[tuple[str, list[str]]]:
    """Take out, bring in, make anew: what changes the data folder, last."""
    yield "kb import", program.type("kb", "import", "brought", program.folder / "export.ragkb")
    yield "search brought", program.type("search", QUESTIONS[0], "--kb", "brought")
    yield "remove", program.type("remove", documents[0])
    yield "search removed", program.type("search", QUESTIONS[0])
    yield "kb rebuild", program.type("kb", "rebuild", "default")
    yield "search rebuilt", program.type("search", QUESTIONS[1])
    yield "kb delete", program.type("kb", "delete", "brought")
    yield "kb list at the end", program.type("kb", "list")


def _ways(program: Program) -> list[tuple[str, str, str]]:
    rows = map(json.loads, program.type("strategies")[:-1])
    return [(row["kind"], row["name"], row["title"]) for row in rows]


def _sent(requests: Sequence[Recorded]) -> list[str]:
    """Return what the language model was asked, word by word."""
    chats = [each for each in requests if each.path == "/api/chat"]
    return [json.dumps(each.body, ensure_ascii=False, sort_keys=True) for each in chats]
