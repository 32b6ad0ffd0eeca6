"""Buttons of several lines: a knowledge base with its progress, a conversation with its day."""

from __future__ import annotations

from PySide6.QtCore import QSize, Qt
from PySide6.QtWidgets import QLabel, QProgressBar, QPushButton, QSizePolicy, QVBoxLayout, QWidget

from desktop_rag.core.events import IndexProgress
from desktop_rag.gui.widgets.elided_label import ElidedLabel

_LEAST = 120  # pixels


class HomeTile(QPushButton):
    """A button with a title, a quiet second line, and perhaps a bar below them."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("tile")
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.title = ElidedLabel(Qt.TextElideMode.ElideRight)
        self.title.setObjectName("heading")
        self.detail = ElidedLabel(Qt.TextElideMode.ElideRight)
        self.detail.setObjectName("small")
        self.bar = QProgressBar()
        self.bar.setTextVisible(False)
        self.bar.hide()
        column = QVBoxLayout(self)
        column.setContentsMargins(14, 10, 14, 10)
        column.setSpacing(4)
        for widget in (self.title, self.detail, self.bar):
            widget.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
            column.addWidget(widget)

    def show_texts(self, title: str, detail: str) -> None:
        """Show a title and what is said of it."""
        self.title.set_text(title)
        self.detail.set_text(detail)
        self.setAccessibleName(f"{title}, {detail}")

    def show_progress(self, progress: IndexProgress | None) -> None:
        """Show how far something has come; None takes the bar away."""
        self.bar.setVisible(progress is not None)
        if progress is not None:
            self.bar.setRange(0, progress.total)
            self.bar.setValue(progress.done)

    def sizeHint(self) -> QSize:  # noqa: N802 - Qt's
        """Ask for the room of the lines."""
        layout = self.layout()
        high = layout.sizeHint().height() if layout is not None else 0
        return QSize(_LEAST, high)

    def minimumSizeHint(self) -> QSize:  # noqa: N802 - Qt's
        """Ask for the same."""
        return self.sizeHint()


def part_heading(text: str) -> QLabel:
    """Return the heading of a part of the page."""
    label = QLabel(text)
    label.setObjectName("small")
    return label
