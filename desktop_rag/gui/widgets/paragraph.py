"""A label that breaks its text into lines: what dialogs say."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel


def paragraph(text: str, name: str) -> QLabel:
    """Return a label whose plain text is broken into lines; `name` is its role in the theme."""
    label = QLabel(text)
    label.setObjectName(name)
    label.setWordWrap(True)
    label.setTextFormat(Qt.TextFormat.PlainText)
    return label
