"""What the tests of the window share."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from PySide6.QtWidgets import QApplication

from desktop_rag.ui import language
from desktop_rag.ui.theme import Theme
from tests.ollama_double import OllamaDouble


@pytest.fixture(autouse=True)
def english(qapp: QApplication):
    """Let every test begin in English, whatever the one before left."""
    language.speak(qapp, "en")


@pytest.fixture
def theme(qapp: QApplication):
    made = Theme(qapp)
    yield made
    made.deleteLater()


@pytest.fixture(scope="module")
def ollama() -> Iterator[OllamaDouble]:
    """A model for the window of a whole module."""
    with OllamaDouble() as running:
        yield running
