"""A line to find words in the conversation, or in a document's text."""

from __future__ import annotations

from PySide6.QtCore import Slot
from PySide6.QtGui import QTextCursor, QTextDocument
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLineEdit, QTextEdit, QWidget

from desktop_rag.gui.theme import Theme
from desktop_rag.gui.widgets.buttons import IconButton


class FindBar(QFrame):
    """Hidden until `search_in`; Enter goes to the next place."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("card")
        self._target: QTextEdit | None = None
        self.edit = QLineEdit()
        self.edit.setPlaceholderText(self.tr("Find"))
        self.edit.setAccessibleName(self.tr("Find"))
        previous = IconButton(theme, "up", self.tr("Previous"))
        following = IconButton(theme, "down", self.tr("Next (Enter)"))
        close = IconButton(theme, "close", self.tr("Close (Esc)"))
        row = QHBoxLayout(self)
        row.setContentsMargins(8, 4, 4, 4)
        row.addWidget(self.edit, 1)
        for button in (previous, following, close):
            row.addWidget(button)
        self.edit.returnPressed.connect(self.find_next)
        self.edit.textEdited.connect(self._from_start)
        previous.clicked.connect(self.find_previous)
        following.clicked.connect(self.find_next)
        close.clicked.connect(self.leave)
        self.hide()

    def search_in(self, target: QTextEdit) -> None:
        """Show the bar for a text."""
        self._target = target
        self.show()
        self.edit.setFocus()
        self.edit.selectAll()

    @Slot()
    def find_next(self) -> None:
        """Go to the next place, from the top again at the end."""
        self._find(QTextDocument.FindFlag(0), QTextCursor.MoveOperation.Start)

    @Slot()
    def find_previous(self) -> None:
        """Go to the place before, from the end again at the top."""
        self._find(QTextDocument.FindFlag.FindBackward, QTextCursor.MoveOperation.End)

    @Slot()
    def leave(self) -> None:
        """Hide the bar."""
        self.hide()
        if self._target is not None:
            self._target.setFocus()

    @Slot(str)
    def _from_start(self, text: str) -> None:
        if self._target is not None and text:
            self._target.moveCursor(QTextCursor.MoveOperation.Start)
            self.find_next()

    def _find(self, flags: QTextDocument.FindFlag, restart: QTextCursor.MoveOperation) -> None:
        text = self.edit.text()
        if self._target is None or not text or self._target.find(text, flags):
            return
        self._target.moveCursor(restart)
        self._target.find(text, flags)
