"""The middle of the window: the conversation, or the table of all files."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import Slot
from PySide6.QtWidgets import QStackedWidget, QWidget

from desktop_rag.ui.chat.pane import ChatPane
from desktop_rag.ui.doors import Doors
from desktop_rag.ui.library.files_page import FilesPage
from desktop_rag.ui.library.pane import LibraryPane


class Middle(QStackedWidget):
    """Two pages; the conversation is the first."""

    def __init__(self, chat: ChatPane, files: FilesPage, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._chat = chat
        self.files = files
        self.addWidget(chat)
        self.addWidget(files)
        files.left.connect(self.show_chat)

    def serve(self, library: LibraryPane, doors: Doors, data_dir: Path) -> None:
        """Follow what the library pane asks for, and let the table's wishes out."""
        actions = self.files.actions_of_files
        library.table_wanted.connect(self.show_files)
        actions.open_asked.connect(doors.open_outside)
        actions.folder_asked.connect(doors.show_in_folder)
        actions.removal_asked.connect(library.weigh)
        self.files.restore(data_dir)

    @property
    def shows_files(self) -> bool:
        """Whether the table is shown."""
        return self.currentWidget() is self.files

    @Slot()
    def show_files(self) -> None:
        """Show the table of all files."""
        self.setCurrentWidget(self.files)

    @Slot()
    def show_chat(self) -> None:
        """Show the conversation, ready for a question."""
        self.setCurrentWidget(self._chat)
        self._chat.composer.edit.setFocus()

    def go_back(self) -> bool:
        """Leave the table; say whether it was shown."""
        was_shown = self.shows_files
        if was_shown:
            self.show_chat()
        return was_shown

    def find_files(self) -> bool:
        """Go to the table's filter; False where the table is not shown."""
        if self.shows_files:
            self.files.find_files()
        return self.shows_files
