"""What the tests of the window share."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtWidgets import QApplication

from desktop_rag.gui import language
from desktop_rag.gui.theme import Theme
from testing.ollama_double import OllamaDouble
from testing.window_driver import Driver


@pytest.fixture(autouse=True)
def english(qapp: QApplication) -> None:
    """Let every test begin in English, whatever the one before left."""
    language.speak(qapp, "en")


@pytest.fixture
def theme(qapp: QApplication) -> Iterator[Theme]:
    made = Theme(qapp, is_expert=True)
    yield made
    made.deleteLater()


@pytest.fixture(scope="module")
def ollama() -> Iterator[OllamaDouble]:
    """A model for the window of a whole module."""
    with OllamaDouble() as running:
        yield running


@pytest.fixture
def driver(qapp: QApplication, tmp_path: Path) -> Iterator[Driver]:
    """A window without a language model, opened on an empty data folder."""
    made = Driver(qapp, tmp_path / "data")
    made.open()
    yield made
    made.close()
