"""What went wrong, or is to be known: told wherever the user is, not in the conversation alone."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QVBoxLayout, QWidget

from desktop_rag.gui.chat.chat_pane import ChatPane


class MessageStrip(QWidget):
    """Shows the messages of the conversation's pane while that is not in sight."""

    def __init__(self, chat: ChatPane, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("desk")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self._chat = chat
        self._has_them = False
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(20, 0, 20, 0)

    def show_messages(self, *, shown: bool) -> None:
        """Show them here, or let the conversation's pane show them."""
        if shown == self._has_them:
            return
        self._has_them = shown
        if not shown:
            self._chat.take_back_messages()
            return
        for message in (self._chat.complaint, self._chat.notice):
            self._column.addWidget(message)
