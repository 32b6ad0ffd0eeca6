"""Below the table: what the chosen file is, why it is not read, and the buttons that mend it."""

from __future__ import annotations

from pathlib import PurePath

from PySide6.QtCore import Qt, Slot
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QFrame, QHBoxLayout, QPushButton, QVBoxLayout, QWidget

from desktop_rag.core.catalog_records import FileRow
from desktop_rag.gui.controllers.library_snapshot import is_ready
from desktop_rag.gui.display_text import join_details
from desktop_rag.gui.library import library_text
from desktop_rag.gui.library.file_menu import FileActions, FileTarget
from desktop_rag.gui.message_translation import translate_message
from desktop_rag.gui.widgets.cards import text_label
from desktop_rag.gui.widgets.elided_label import ElidedLabel
from desktop_rag.gui.widgets.tooltips import tip


class FileDetails(QFrame):
    """Hidden unless one file is chosen; its buttons do what the menu's actions do."""

    def __init__(self, actions: FileActions, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("card")
        self._actions = actions
        self.name = ElidedLabel(Qt.TextElideMode.ElideMiddle)
        self.name.setObjectName("heading")
        self.state = text_label("", "muted")
        mending = [actions.password, actions.archives, actions.retry]
        using = [actions.read, actions.only, actions.summarise, actions.open]
        self.buttons = [ActionButton(each) for each in mending + using]
        row = QHBoxLayout()
        row.setSpacing(8)
        for button in self.buttons:
            row.addWidget(button)
        row.addStretch(1)
        column = QVBoxLayout(self)
        column.setContentsMargins(14, 10, 14, 10)
        column.setSpacing(6)
        column.addWidget(self.name)
        column.addWidget(self.state)
        column.addLayout(row)
        self.hide()

    def show_chosen(self, chosen: tuple[FileTarget, ...]) -> None:
        """Show the one file that is chosen; of none, and of several, nothing."""
        row = chosen[0].row if len(chosen) == 1 else None
        self.setVisible(row is not None)
        if row is None:
            return
        self._actions.refresh()
        self.name.set_text(PurePath(row.path).name)
        self.name.setToolTip(tip(row.path))
        self.state.setText(_told(row))
        for button in self.buttons:
            button.follow()


class ActionButton(QPushButton):
    """A button that does what an action does, and is there while that makes sense."""

    def __init__(self, action: QAction, parent: QWidget | None = None) -> None:
        super().__init__(action.text(), parent)
        self.action_done = action
        self.clicked.connect(self._act)

    def follow(self) -> None:
        """Be there while the action can be done."""
        self.setVisible(self.action_done.isVisible() and self.action_done.isEnabled())

    @Slot()
    def _act(self) -> None:
        self.action_done.trigger()


def _told(row: FileRow) -> str:
    """Return a file's state, and its extent, or why it is not read and what mends it."""
    state = library_text.state_label(row)
    if is_ready(row):
        return join_details(state, library_text.extent(row))
    reason = translate_message(row.reason) if row.reason else ""
    return f"{state}: {reason}" if reason else state
