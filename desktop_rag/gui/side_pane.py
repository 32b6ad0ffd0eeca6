"""The left pane: conversations beside a conversation, folders beside the files."""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtWidgets import QStackedWidget, QVBoxLayout, QWidget

from desktop_rag.gui.chat.conversations_pane import ConversationsPane
from desktop_rag.gui.controllers.conversations import ConversationsController
from desktop_rag.gui.controllers.library import LibraryController
from desktop_rag.gui.library.library_pane import LibraryPane
from desktop_rag.gui.mode_rail import Mode
from desktop_rag.gui.theme import Theme


@dataclass(frozen=True, slots=True)
class SideState:
    """Which folders of the tree are open and which closed."""

    folders: dict[str, bool]


class SidePane(QWidget):
    """A page for each mode that has one; `filled` says that there is something in it, or not."""

    filled = Signal()

    def __init__(
        self,
        theme: Theme,
        library: LibraryController,
        conversations: ConversationsController,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self.setObjectName("pane")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self._mode = Mode.ASK
        self._had_content = False
        self._kept = conversations
        self.library = LibraryPane(theme, library)
        self.conversations = ConversationsPane(theme, conversations)
        self._stack = QStackedWidget()
        self._stack.addWidget(self.library)
        self._stack.addWidget(self.conversations)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 4, 0, 0)
        column.addWidget(self._stack)
        conversations.listed.connect(self._notice)
        conversations.undoable.connect(self._notice)

    def show_page_of(self, mode: Mode) -> None:
        """Show what belongs beside a mode's page."""
        self._mode = mode
        page = self.library if mode is Mode.LIBRARY else self.conversations
        self._stack.setCurrentWidget(page)
        self._had_content = self.has_content

    def save_state(self) -> SideState:
        """Return what is shown."""
        return SideState(self.library.tree.opened)

    def restore_state(self, before: SideState) -> None:
        """Show what another pane showed."""
        self.library.tree.open_as(before.folders)

    @property
    def shows_conversations(self) -> bool:
        """Whether the page of conversations is chosen."""
        return self._stack.currentWidget() is self.conversations

    @property
    def has_content(self) -> bool:
        """Whether the mode has a page here, and anything stands in it."""
        if self._mode is Mode.ASK:
            return bool(self._kept.rows or self._kept.deleted)
        return self._mode is Mode.LIBRARY

    @Slot()
    def _notice(self) -> None:
        if self.has_content != self._had_content:
            self._had_content = self.has_content
            self.filled.emit()
