"""A pane of sources over a real data folder: documents are read into it, opened and looked at."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QInputMethodEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from desktop_rag.core.cancel import CancelToken
from desktop_rag.core.types import Locator
from desktop_rag.gui.controllers.data_folder import DataFolder
from desktop_rag.gui.controllers.jobs import JobRunner
from desktop_rag.gui.controllers.open_document import OpenDocument
from desktop_rag.gui.controllers.viewer import ViewerController
from desktop_rag.gui.theme import Theme
from desktop_rag.gui.viewer.document_viewer import DocumentViewer
from desktop_rag.gui.viewer.sources_pane import SourcesPane
from testing.qt_wait import pause, wait_for
from tests.gui.controllers.folder_owner import OwnedFolder
from tests.indexing.indexed_folder import IndexedFolder
from tests.parsing.sample_files import Pdf, PdfPage, Put


class Reading:
    """A library, and the pane that shows its documents."""

    def __init__(self, theme: Theme, root: Path) -> None:
        self.library = IndexedFolder(root)
        self.jobs = JobRunner()
        self.folder = DataFolder(self._home)
        self.folder.open(CancelToken())
        self._theme = theme
        self._begin()

    def _begin(self) -> None:
        self.reader = ViewerController(self.jobs, self.folder, self.library.home)
        self.pane = SourcesPane(self._theme, self.reader)
        self.pane.resize(620, 760)
        self.pane.show()

    def restart(self) -> None:
        """Close the pane and begin with another one, as another start of the program does."""
        self._end()
        self._begin()

    def _end(self) -> None:
        self.pane.close()
        self.reader.close()
        self.pane.deleteLater()
        self.reader.deleteLater()

    def _home(self) -> OwnedFolder:
        return OwnedFolder(self.library.workspace, closes=False)

    @property
    def viewer(self) -> DocumentViewer:
        return self.pane.viewer

    def pdf(self, name: str, *pages: PdfPage) -> Path:
        return Pdf(pages).write(self.library.docs / name)

    def opened(self, path: Path, *words: str, current: int = 0) -> OpenDocument:
        """Return a file of the library with these words marked."""
        catalog = self.library.workspace.catalog
        row = catalog.files.get(self.library.kb, str(path))
        assert row is not None
        assert row.document_id is not None, row.reason
        text = catalog.documents.text(row.document_id)
        starts = [(text.index(each), text.index(each) + len(each)) for each in words]
        marks = tuple(catalog.documents.locator_for(row.document_id, *each) for each in starts)
        return OpenDocument(str(path), path.stem, row.document_id, marks, current)

    def open(self, document: OpenDocument) -> None:
        """Open a document as a click on a source does, and wait until it is there."""
        self.pane._stack.setCurrentWidget(self.viewer)
        self.viewer.open(document)
        wait_for(self.is_shown)

    def read(self, path: Path) -> None:
        """Open a file without a mark, as a click in the library does, and wait for it."""
        self.pane.read_file(str(path), "")
        pause(1)
        wait_for(lambda: self.viewer._placed is not None and self.is_shown())

    def is_shown(self) -> bool:
        """Whether what is in sight is there."""
        view = self.viewer
        if view._stack.currentWidget() is view.page_view:
            return len(view.page_view.stack) > 0 and view.page_view.is_whole
        if view._stack.currentWidget() is view.table_view:
            table = view.table_view
            return table.model.rowCount() > 0 and not table.model.missing(table.cells.around(0))
        return not view.text_view.document().isEmpty()

    def mark(self, path: Path, words: str) -> Locator:
        (mark,) = self.opened(path, words).marks
        return mark

    def search(self, words: str) -> str:
        """Search the document for words; return what the line says when the search is over."""
        self.viewer.search()
        commit = QInputMethodEvent()  # as a Chinese input method types; QTest knows ASCII alone
        commit.setCommitString(words)
        QApplication.sendEvent(self.viewer.finder.edit, commit)
        wait_for(self.is_searched)
        return self.viewer.finder.count.text()

    def is_searched(self) -> bool:
        found = self.viewer._side.found
        typed = self.viewer.finder.edit.text()
        return self.viewer.finder._searched == typed and found.done

    def drag(self, start: QPointF, end: QPointF) -> None:
        """Drag the mouse over the pages."""
        port = self.viewer.page_view.viewport()
        QTest.mousePress(port, Qt.MouseButton.LeftButton, pos=start.toPoint())
        QTest.mouseMove(port, QPoint(*((start + end) / 2).toPoint().toTuple()))
        QTest.mouseMove(port, end.toPoint())
        QTest.mouseRelease(port, Qt.MouseButton.LeftButton, pos=end.toPoint())

    def close(self) -> None:
        self.jobs.close()
        self._end()
        self.jobs.deleteLater()
        pause(20)
        self.library.close()


def lines(*said: str, top: float = 700, size: float = 12) -> tuple[Put, ...]:
    """Return lines of text, one below the other."""
    return tuple(Put(72, top - 20 * n, text, size) for n, text in enumerate(said))


def page(*said: str, extra: str = "") -> PdfPage:
    """Return a page with these lines."""
    return PdfPage(lines(*said), extra)
