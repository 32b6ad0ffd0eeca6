"""The middle of the window: a page, and what went wrong or is to be known, wherever the user is."""

from __future__ import annotations

from PySide6.QtCore import Qt, Slot
from PySide6.QtWidgets import QVBoxLayout, QWidget

from desktop_rag.gui.chat.chat_pane import ChatPane
from desktop_rag.gui.mode_rail import Mode
from desktop_rag.gui.page_stack import PageStack


class MessageColumn(QWidget):
    """Shows the messages of the conversation's pane below whichever other page is shown."""

    def __init__(self, pages: PageStack, chat: ChatPane, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("desk")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self._chat = chat
        self._strip = QVBoxLayout()
        self._strip.setContentsMargins(20, 0, 20, 0)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(pages, 1)
        column.addLayout(self._strip)
        pages.mode_changed.connect(self._place)
        self._place(pages.mode)

    @Slot(object)
    def _place(self, mode: Mode) -> None:
        """Show the messages where the user is."""
        messages = (self._chat.complaint, self._chat.notice)
        if mode is Mode.ASK:
            self._chat.take_back_messages()
            return
        for message in messages:
            self._strip.addWidget(message)
