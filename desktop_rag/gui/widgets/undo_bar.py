"""The strip that offers to bring back what was deleted."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QPushButton, QSizePolicy, QWidget

from desktop_rag.gui.theme import Theme
from desktop_rag.gui.widgets.announcements import announce
from desktop_rag.gui.widgets.buttons import IconButton


class UndoBar(QFrame):
    """Hidden while there is nothing to undo. `undone` is its button, `dismissed` its cross."""

    undone = Signal()
    dismissed = Signal()

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("card")
        self.words = QLabel()
        self.words.setTextFormat(Qt.TextFormat.PlainText)
        self.words.setWordWrap(True)
        self.words.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Minimum)
        self.button = QPushButton(self.tr("Undo"))
        self.button.setObjectName("quiet")
        self.button.setToolTip(self.tr("Bring back what was deleted (Ctrl+Z)"))
        self.dismiss = IconButton(theme, "close", self.tr("Delete for good now"))
        row = QHBoxLayout(self)
        row.setContentsMargins(10, 4, 4, 4)
        row.setSpacing(4)
        row.addWidget(self.words, 1)
        row.addWidget(self.button)
        row.addWidget(self.dismiss)
        self.button.clicked.connect(self.undone)
        self.dismiss.clicked.connect(self.dismissed)
        self.hide()

    @Slot(object)
    def offer(self, told: str) -> None:
        """Say what can be brought back; no text hides the bar."""
        self.setVisible(bool(told))
        if told:
            self.words.setText(told)
            announce(self, told)
