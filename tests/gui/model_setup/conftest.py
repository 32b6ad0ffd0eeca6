"""The dialog in which a language model is set up, with Ollama and without."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtWidgets import QApplication

from testing.ollama_double import OllamaDouble, refused_url
from testing.ollama_double.models import CHAT, EMBEDDING
from tests.gui.model_setup.ollama_program import OllamaProgram, only_on_the_path
from tests.gui.model_setup.setup_driver import CLOUD, SetupDriver


@pytest.fixture
def ollama() -> Iterator[OllamaDouble]:
    with OllamaDouble(CHAT, EMBEDDING, CLOUD) as double:
        yield double


@pytest.fixture
def program(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[OllamaProgram]:
    if sys.platform == "win32":
        pytest.skip("the program is a script of the shell")
    with only_on_the_path(tmp_path / "bin", monkeypatch) as made:
        yield made


@pytest.fixture
def hands(qapp: QApplication, tmp_path: Path, ollama: OllamaDouble) -> Iterator[SetupDriver]:
    made = SetupDriver(qapp, tmp_path / "home", ollama.url)
    made.wait_until_found()
    yield made
    made.driver.close()


@pytest.fixture
def without(qapp: QApplication, tmp_path: Path, program: OllamaProgram) -> Iterator[SetupDriver]:
    """A window without Ollama; `program` may be put on the path."""
    made = SetupDriver(qapp, tmp_path / "home", refused_url())
    yield made
    made.driver.close()
