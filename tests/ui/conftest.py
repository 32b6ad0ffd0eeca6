"""What the tests of the window share."""

from __future__ import annotations

import pytest
from PySide6.QtWidgets import QApplication

from desktop_rag.ui.theme import Theme


@pytest.fixture
def theme(qapp: QApplication):
    made = Theme(qapp)
    yield made
    made.deleteLater()
