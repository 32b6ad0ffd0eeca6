"""Small parts of the settings' pages: a card with lines, a label that breaks its text."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFrame, QLabel, QSizePolicy, QVBoxLayout, QWidget


class TitledCard(QFrame):
    """A framed part of a page with a heading."""

    def __init__(self, heading: str = "", parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("card")
        self.column = QVBoxLayout(self)
        self.column.setContentsMargins(14, 12, 14, 12)
        self.column.setSpacing(8)
        if heading:
            title = QLabel(heading)
            title.setObjectName("heading")
            self.column.addWidget(title)


def text_label(text: str = "", name: str = "") -> QLabel:
    """Return a label of plain text that breaks its lines and can be copied from."""
    label = QLabel(text)
    if name:
        label.setObjectName(name)
    label.setWordWrap(True)
    label.setTextFormat(Qt.TextFormat.PlainText)
    label.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
    label.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Minimum)
    return label


def heading_label(text: str) -> QLabel:
    """Return the heading of a part of a page."""
    label = QLabel(text)
    label.setObjectName("heading")
    label.setContentsMargins(0, 14, 0, 4)
    return label


def byte_text(size: float) -> str:
    """Return a size as people say it."""
    return f"{size / 1e9:.1f} GB" if size >= 1e8 else f"{size / 1e6:.0f} MB"
