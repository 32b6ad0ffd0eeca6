"""From Stop to its effect: an answer at any moment, a file that is read, and a command's Ctrl-C."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

from benchmarks.result_table import Measurement, quantiles
from desktop_rag.bootstrap import open_workspace
from desktop_rag.commands.dispatch import perform
from desktop_rag.core.cancel import CancelToken
from desktop_rag.core.errors import Cancelled
from desktop_rag.core.events import FileDone
from desktop_rag.core.requests import IndexRequest
from desktop_rag.core.settings import Ollama, Settings
from desktop_rag.models.ollama import OllamaChat
from desktop_rag.models.protocols import GenerationOptions, Message
from desktop_rag.parsing.sandbox.parser_pool import ParserPool
from testing import misbehaving_parser
from testing.ollama_double import OllamaDouble, Script

ROOT = Path(__file__).resolve().parent.parent
_TIMES = 20
_LONG = 60.0  # seconds that what is stopped would go on for
_MOMENTS = {
    "before the headers": Script("one two", wait=_LONG),
    "before the first token": Script("one two", wait=_LONG, early_headers=True),
    "in mid-stream": Script("one two", pace=_LONG),
}


def measure(folder: Path) -> list[Measurement]:
    """Stop each kind of work some times."""
    rows: list[Measurement] = []
    for moment, script in _MOMENTS.items():
        taken = [_stopped_answer(script) for _ in range(_TIMES)]
        rows += quantiles(f"an answer is stopped {moment}", taken, "≤ 500 ms")
    pool = ParserPool(1, _LONG, 400, misbehaving_parser.answer)
    try:
        list(pool.run([Path("warm")], CancelToken()))
        taken = [_stopped(lambda token: list(pool.run([Path("hang")], token))) for _ in range(5)]
    finally:
        pool.close()
    rows += quantiles("a file that is read is stopped", taken, "≤ 500 ms")
    rows += quantiles("reading a folder is stopped", [_stopped_reading(folder)], "≤ 2 s")
    if os.name == "posix":
        rows += quantiles("Ctrl-C ends a command that watches", [_ctrl_c(folder)], "≤ 4 s")
    return rows


def _stopped_answer(script: Script) -> float:
    with OllamaDouble() as double:
        double.say(script)
        chat = OllamaChat(double.url, "llama3.2:3b", Ollama())
        asked = [Message("user", "Where is Paris?")]
        return _stopped(lambda token: list(chat.chat(asked, GenerationOptions(), token)))


def _stopped(work: Callable[[CancelToken], object]) -> float:
    """Cancel work after a moment; return the seconds until it ends."""
    token, at = CancelToken(), [0.0]

    def cancel() -> None:
        at[0] = time.perf_counter()
        token.cancel()

    timer = threading.Timer(0.3, cancel)
    timer.start()
    try:
        work(token)
    except Cancelled:
        return time.perf_counter() - at[0]
    finally:
        timer.join()
    message = "it ended by itself"
    raise RuntimeError(message)


def _stopped_reading(folder: Path) -> float:
    """Index many files and stop at the first that is ready; return the seconds until it ends."""
    documents = folder / "many"
    documents.mkdir(parents=True)
    for number in range(150):
        said = f"Boat number {number} sails to harbour {number} every morning. " * 200
        (documents / f"{number}.md").write_text(f"# Note {number}\n\n{said}", "utf-8")
    workspace, token = open_workspace(folder / "reading", Settings()), CancelToken()
    began = 0.0
    with closing(workspace):
        try:
            for event in perform(workspace, IndexRequest("default", (str(documents),)), token):
                if isinstance(event, FileDone) and not began:
                    began = time.perf_counter()
                    token.cancel()
        except Cancelled:
            return time.perf_counter() - began
    message = "it ended by itself"
    raise RuntimeError(message)


def _ctrl_c(folder: Path) -> float:
    documents = folder / "documents"
    documents.mkdir(parents=True)
    (documents / "note.md").write_text("The harbour was built in 1802.\n", "utf-8")
    words = ["--data-dir", str(folder / "data"), "--json", "index", str(documents), "--watch"]
    with subprocess.Popen(
        [sys.executable, "-m", "desktop_rag", *words], stdout=subprocess.PIPE, cwd=ROOT
    ) as process:
        assert process.stdout is not None
        while b'"done"' not in process.stdout.readline():
            continue
        began = time.perf_counter()
        process.send_signal(signal.SIGINT)
        process.communicate()
        return time.perf_counter() - began
