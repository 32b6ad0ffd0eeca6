"""What stands over the question field while an earlier question is changed in it."""

from __future__ import annotations

from PySide6.QtCore import QSize, Signal
from PySide6.QtWidgets import QHBoxLayout, QLabel, QWidget

from desktop_rag.gui.theme import Theme
from desktop_rag.gui.widgets.buttons import IconButton


class EditingRow(QWidget):
    """Hidden until a question is edited. `left` is Cancel."""

    left = Signal()

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.words = QLabel(self.tr("Editing an earlier question. The one before is kept."))
        self.words.setObjectName("small")
        self.words.setWordWrap(True)
        self.cancel = IconButton(theme, "close", self.tr("Cancel editing (Esc)"))
        row = QHBoxLayout(self)
        row.setContentsMargins(2, 0, 0, 0)
        self.cancel.setIconSize(QSize(14, 14))
        row.addWidget(self.words, 1)
        row.addWidget(self.cancel)
        self.cancel.clicked.connect(self.left)
        self.hide()
