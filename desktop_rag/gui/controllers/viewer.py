"""Documents opened in the window: their place, their text, what is found in it, their chunks."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Any

from PySide6.QtCore import QObject, Signal, Slot

from desktop_rag.core.errors import UserError
from desktop_rag.gui.controllers.data_folder import DataFolder
from desktop_rag.gui.controllers.document_jobs import (
    find_words,
    list_chunks,
    read_page,
    read_text,
)
from desktop_rag.gui.controllers.document_location import (
    known_contents,
    locate_file,
    locate_marks,
)
from desktop_rag.gui.controllers.document_outline import read_outline
from desktop_rag.gui.controllers.document_tables import (
    copy_cells,
    find_cells,
    read_outlines,
    read_rows,
)
from desktop_rag.gui.controllers.jobs import Job, Jobs, Lane, Operation
from desktop_rag.gui.controllers.open_document import (
    OpenDocument,
    TextRange,
    ViewError,
)
from desktop_rag.gui.controllers.passwords import password_of
from desktop_rag.gui.controllers.pdf_pages import PdfPageController
from desktop_rag.gui.controllers.reading_places import PLACES_FILE, ReadingPlaces
from desktop_rag.gui.controllers.table_outline import CellArea, TableOutline


class ViewerController(QObject):
    """Brings documents; of each kind of thing only the last one asked for arrives.

    `placed` carries a `LocatedDocument`, `text_came` a `DocumentText`, `found` a `TextHits`,
    `listed` a tuple of `ListedChunk`, `page_came` a `PageText`, `tables_came` `DocumentTables`,
    `rows_came` `TableRows`, `cells_found` `CellHits`, `copied` `TableTexts`, `failed` a
    `ViewError`, `outline_came` a `TextOutline`. What belongs to pages comes from `pages`; `places`
    are kept in the data folder.
    """

    placed = Signal(object)
    text_came = Signal(object)
    found = Signal(object)
    listed = Signal(object)
    page_came = Signal(object)
    tables_came = Signal(object)
    rows_came = Signal(object)
    cells_found = Signal(object)
    copied = Signal(object)
    outline_came = Signal(object)
    failed = Signal(object)

    def __init__(
        self,
        jobs: Jobs,
        folder: DataFolder,
        data_dir: Path,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._jobs = jobs
        self._folder = folder
        self._under_way: dict[str, Job] = {}
        self.places = ReadingPlaces(
            jobs, data_dir / PLACES_FILE, self, partial(known_contents, folder)
        )
        shut = (str(data_dir),)
        self.pages = PdfPageController(jobs, shut, self, partial(password_of, folder))

    def want_place(self, document: OpenDocument) -> None:
        """Ask where the marks lie, and how the file stands to what was read of it."""
        work = partial(locate_marks, self._folder, document)
        self._start("place", Operation(work).on_success(self.placed))

    def want_file(self, path: str, kb: str = "") -> None:
        """Ask for a file of a knowledge base, without a mark."""
        work = partial(locate_file, self._folder, path, kb)
        self._start("place", Operation(work).on_success(self.placed))

    def want_text(self, document: OpenDocument, stretch: TextRange) -> None:
        """Ask for a stretch of a document's text."""
        work = partial(read_text, self._folder, document, stretch)
        self._start("text", Operation(work).on_success(self.text_came))

    def want_page(self, document: OpenDocument, page: int) -> None:
        """Ask for what the index has of a page's text."""
        work = partial(read_page, self._folder, document, page)
        self._start(f"page-{page}", Operation(work).on_success(self.page_came))

    def want_words(self, document: OpenDocument, words: str) -> None:
        """Ask where words stand in a document's text."""
        work = partial(find_words, self._folder, document, words)
        self._start("words", Operation(work).on_value(self.found))

    def want_chunks(self, document: OpenDocument) -> None:
        """Ask for the list of a document's chunks."""
        work = partial(list_chunks, self._folder, document)
        self._start("chunks", Operation(work).on_success(self.listed))

    def want_outline(self, document: OpenDocument) -> None:
        """Ask for the headings of a document's text."""
        work = partial(read_outline, self._folder, document)
        self._start("outline", Operation(work).on_success(self.outline_came))

    def want_tables(self, document: OpenDocument) -> None:
        """Ask where the rows of a document's tables stand."""
        work = partial(read_outlines, self._folder, document)
        self._start("tables", Operation(work).on_success(self.tables_came))

    def want_rows(self, document: OpenDocument, table: TableOutline, rows: range) -> None:
        """Ask for the cells of rows."""
        work = partial(read_rows, self._folder, document, table, rows)
        self._start("rows", Operation(work).on_success(self.rows_came))

    def want_cells(
        self, document: OpenDocument, tables: Sequence[TableOutline], words: str
    ) -> None:
        """Ask which cells of tables hold words."""
        work = partial(find_cells, self._folder, document, tables, words)
        self._start("words", Operation(work).on_value(self.cells_found))

    def want_copy(self, document: OpenDocument, table: TableOutline, area: CellArea) -> None:
        """Ask for cells as texts for the clipboard."""
        work = partial(copy_cells, self._folder, document, table, area)
        self._start("copy", Operation(work).on_success(self.copied))

    def forget(self) -> None:
        """Want nothing any more."""
        self._stop()
        self.pages.leave()

    def close(self) -> None:
        """Want nothing any more and end the process that draws pages."""
        self._stop()
        self.places.close()
        self.pages.close()

    def _stop(self) -> None:
        for job in self._under_way.values():
            job.cancel()
        self._under_way.clear()

    def _start(self, kind: str, reading: Operation[Any]) -> None:
        reading.on_end(self._forget_ended).on_user_error(self._fail)
        before = self._under_way.get(kind)
        self._under_way[kind] = reading.start(self._jobs, Lane.READ, instead_of=before)

    @Slot()
    def _forget_ended(self) -> None:
        """Drop the jobs that are over: they are deleted soon."""
        ended = self.sender()
        self._under_way = {k: job for k, job in self._under_way.items() if job is not ended}

    @Slot(object)
    def _fail(self, error: UserError) -> None:
        self.failed.emit(ViewError(error.what, error.remedy))
