"""What the tests of the window share."""

from __future__ import annotations

import pytest
from PySide6.QtWidgets import QApplication

from desktop_rag.ui import language
from desktop_rag.ui.theme import Theme


@pytest.fixture(autouse=True)
def english(qapp: QApplication):
    """Let every test begin in English, whatever the one before left."""
    language.speak(qapp, "en")


@pytest.fixture
def theme(qapp: QApplication):
    made = Theme(qapp)
    yield made
    made.deleteLater()
