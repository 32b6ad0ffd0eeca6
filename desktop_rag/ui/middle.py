"""The middle of the window: the conversation, the table of all files, or the workbench."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import Slot
from PySide6.QtWidgets import QStackedWidget, QWidget

from desktop_rag.app.library import LibraryController
from desktop_rag.app.query import Group
from desktop_rag.app.reading import Opened
from desktop_rag.app.tried import Aim
from desktop_rag.ui.chat.pane import ChatPane
from desktop_rag.ui.doors import Doors
from desktop_rag.ui.library.files_page import FilesPage
from desktop_rag.ui.library.pane import LibraryPane
from desktop_rag.ui.sources.pane import SourcesPane
from desktop_rag.ui.workbench.bench import Workbench


class Middle(QStackedWidget):
    """Three pages; the conversation is the first.

    Beside the others the pane of sources is shown only while a document is open in it.
    """

    def __init__(
        self,
        chat: ChatPane,
        pages: tuple[FilesPage, Workbench],
        sources: SourcesPane,
        library: LibraryController,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self._chat = chat
        self._sources = sources
        self._library = library
        self.files, self.bench = pages
        self.addWidget(chat)
        for page in pages:
            self.addWidget(page)
            page.left.connect(self.show_chat)
        self.bench.document_wanted.connect(self._show_document)
        chat.test_wanted.connect(self.bench.save_question)
        sources.reading.connect(self._make_room)
        sources.why_asked.connect(self._show_why)

    def serve(self, library: LibraryPane, doors: Doors, data_dir: Path) -> None:
        """Follow what the library pane asks for, and let the table's wishes out."""
        actions = self.files.actions_of_files
        library.table_wanted.connect(self.show_files)
        library.group_wanted.connect(self._show_group)
        library.passages_asked.connect(self._show_passages)
        actions.passages_asked.connect(self._show_passages)
        actions.open_asked.connect(doors.open_outside)
        actions.folder_asked.connect(doors.show_in_folder)
        actions.removal_asked.connect(library.weigh)
        self.files.restore(data_dir)

    @property
    def shows_files(self) -> bool:
        """Whether the table is shown."""
        return self.currentWidget() is self.files

    @property
    def shows_bench(self) -> bool:
        """Whether the workbench is shown."""
        return self.currentWidget() is self.bench

    @Slot()
    def show_files(self) -> None:
        """Show the table of all files."""
        self.setCurrentWidget(self.files)
        self._sources.setVisible(self._sources.is_reading)

    @Slot()
    def show_bench(self) -> None:
        """Show the workbench."""
        self.setCurrentWidget(self.bench)
        self._sources.setVisible(self._sources.is_reading)
        self.bench.enter()

    @Slot(object)
    def _show_why(self, aim: Aim) -> None:
        """Say in the workbench why a passage is, or is not, found."""
        self.show_bench()
        self.bench.follow(aim)

    @Slot()
    def show_chat(self) -> None:
        """Show the conversation, ready for a question."""
        self.back_to_chat()
        self._chat.composer.edit.setFocus()

    @Slot()
    def back_to_chat(self) -> None:
        """Show the conversation that was opened; the keyboard stays where it is."""
        self.setCurrentWidget(self._chat)
        self._sources.show()

    def go_back(self) -> bool:
        """Leave a page, once nothing runs on it and no document is open beside it; say whether."""
        if self.shows_bench and self.bench.stop():
            return True
        may_leave = self.currentWidget() is not self._chat and not self._sources.is_reading
        if may_leave:
            self.show_chat()
        return may_leave

    def find_files(self) -> bool:
        """Go to the table's filter; False where the table is not shown."""
        if self.shows_files:
            self.files.find_files()
        return self.shows_files

    @Slot(object)
    def _show_group(self, group: Group) -> None:
        self.show_files()
        self.files.show_only(group)

    @Slot(object)
    def _show_passages(self, path: str) -> None:
        self._sources.show()
        self._sources.open_file(path, self._library.shelf.current)

    @Slot(object)
    def _show_document(self, document: Opened) -> None:
        self._sources.show()
        self._sources.open_again(document)

    @Slot(object)
    def _make_room(self, reading: object) -> None:
        if self.currentWidget() is not self._chat:
            self._sources.setVisible(bool(reading))
