"""The left pane: documents or conversations, whichever tab is chosen."""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtWidgets import (
    QButtonGroup,
    QHBoxLayout,
    QStackedWidget,
    QVBoxLayout,
    QWidget,
)

from desktop_rag.gui.chat.conversations_pane import ConversationsPane
from desktop_rag.gui.controllers.conversations import ConversationsController
from desktop_rag.gui.controllers.library import LibraryController
from desktop_rag.gui.library.library_pane import LibraryPane
from desktop_rag.gui.theme import Theme
from desktop_rag.gui.widgets.buttons import IconButton, Tab


@dataclass(frozen=True, slots=True)
class SideState:
    """Which page is chosen, and which folders of the tree are open and which closed."""

    has_conversations: bool
    folders: dict[tuple[bool, str], bool]


class SidePane(QWidget):
    """Two pages under two tabs; the signals are the buttons beside them."""

    help_wanted = Signal()
    settings_wanted = Signal()

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
        self.library = LibraryPane(theme, library)
        self.conversations = ConversationsPane(theme, conversations)
        self._stack = QStackedWidget()
        self._stack.addWidget(self.library)
        self._stack.addWidget(self.conversations)
        self._documents_tab = Tab(self.tr("Documents"))
        self._conversations_tab = Tab(self.tr("Conversations"))
        self._tabs = QButtonGroup(self)
        self._tabs.addButton(self._documents_tab)
        self._tabs.addButton(self._conversations_tab)
        self._documents_tab.setChecked(True)
        self._help = IconButton(theme, "keyboard", self.tr("Keyboard shortcuts (F1)"))
        self._settings = IconButton(theme, "settings", self.tr("Settings (Ctrl+,)"))
        self._lay_out()
        self._documents_tab.clicked.connect(self.show_documents)
        self._conversations_tab.clicked.connect(self.show_conversations)
        self._help.clicked.connect(self.help_wanted)
        self._settings.clicked.connect(self.settings_wanted)

    @Slot()
    def show_documents(self) -> None:
        """Show knowledge base, folders and files."""
        self._documents_tab.setChecked(True)
        self._stack.setCurrentWidget(self.library)
        self.show()

    @Slot()
    def show_conversations(self) -> None:
        """Show the kept conversations."""
        self._conversations_tab.setChecked(True)
        self._stack.setCurrentWidget(self.conversations)
        self.show()

    def save_state(self) -> SideState:
        """Return what is shown."""
        return SideState(self.shows_conversations, self.library.tree.opened)

    def restore_state(self, before: SideState) -> None:
        """Show what another pane showed."""
        if before.has_conversations:
            self.show_conversations()
        self.library.tree.open_as(before.folders)

    @property
    def shows_conversations(self) -> bool:
        """Whether the page of conversations is chosen."""
        return self._stack.currentWidget() is self.conversations

    @Slot()
    def search_conversations(self) -> None:
        """Let all conversations be searched."""
        self.show_conversations()
        self.conversations.go_to_search()

    def _lay_out(self) -> None:
        row = QHBoxLayout()
        row.setContentsMargins(8, 8, 6, 2)
        row.setSpacing(2)
        row.addWidget(self._documents_tab)
        row.addWidget(self._conversations_tab)
        row.addStretch(1)
        row.addWidget(self._settings)
        row.addWidget(self._help)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addLayout(row)
        column.addWidget(self._stack, 1)
