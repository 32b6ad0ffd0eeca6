"""An `ollama` on the path of a test: it starts the double, as the true one does its server."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from desktop_rag.models.ollama import installation
from tests.conftest import REPOSITORY

_SERVER = """
import os, sys, threading
sys.path.insert(0, {repository!r})
from testing.ollama_double import DoubleModel, OllamaDouble, Script
double = OllamaDouble(port=int(os.environ["OLLAMA_HOST"].rpartition(":")[2]))
double.models = {{each.name: each for each in [{models}]}}
double.pullable["qwen3:4b"] = DoubleModel("qwen3:4b", size=2_600_000_000)
double.otherwise = Script("Paris.")
double.pull_pace = {pace}
double.start()
threading.Event().wait()
"""


class OllamaProgram:
    """The folder on the path, empty at first."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self.path = folder / "ollama"

    def install(self, *models: str, pace: float = 0.0) -> None:
        """Put a program there that serves these models, and lets one be fetched."""
        named = ", ".join(f"DoubleModel({name!r})" for name in models)
        script = self._folder / "serve.py"
        code = _SERVER.format(repository=str(REPOSITORY), models=named, pace=pace)
        script.write_text(code, "utf-8")
        self.install_script(f'exec "{sys.executable}" "{script}"')

    def install_script(self, script: str) -> None:
        """Put a program there that does something else."""
        new = self._folder / "new"
        new.write_text(f"#!/bin/sh\n{script}\n", "utf-8")
        new.chmod(0o755)
        new.rename(self.path)


@contextmanager
def only_on_the_path(folder: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[OllamaProgram]:
    """Let no Ollama be found but one in this folder; what was started is ended."""
    folder.mkdir()
    monkeypatch.setenv("PATH", str(folder))
    monkeypatch.setattr(installation, "_PLACES", {})
    monkeypatch.setattr(installation, "_SERVICES", ())
    yield OllamaProgram(folder)
    while installation._STARTED:
        process = installation._STARTED.pop()
        process.kill()
        process.wait()
