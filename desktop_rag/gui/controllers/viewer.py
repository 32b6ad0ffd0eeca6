"""Documents opened in the window: their place, their text, what is found in it, their chunks."""

from __future__ import annotations

from PySide6.QtCore import QObject, Signal, Slot

from desktop_rag.core.errors import UserError
from desktop_rag.core.phrases import Phrase
from desktop_rag.gui.controllers.data_folder import DataFolder
from desktop_rag.gui.controllers.document_jobs import (
    chunks_work,
    file_work,
    page_work,
    place_work,
    search_work,
    text_work,
)
from desktop_rag.gui.controllers.jobs import Job, Jobs, Lane, Work
from desktop_rag.gui.controllers.open_document import (
    DocumentText,
    LocatedDocument,
    OpenDocument,
    PageText,
    TextHits,
    TextRange,
    ViewError,
)
from desktop_rag.gui.controllers.pdf_pages import PdfPageController


class ViewerController(QObject):
    """Brings documents; of each kind of thing only the last one asked for arrives.

    `placed` carries a `LocatedDocument`, `text_came` a `DocumentText`, `found` a `TextHits`,
    `listed` a tuple of `ListedChunk`, `page_came` a `PageText`, `failed` a `ViewError`. What
    belongs to pages comes from `pages`.
    """

    placed = Signal(object)
    text_came = Signal(object)
    found = Signal(object)
    listed = Signal(object)
    page_came = Signal(object)
    failed = Signal(object)

    def __init__(
        self,
        jobs: Jobs,
        folder: DataFolder,
        parent: QObject | None = None,
        shut: tuple[str, ...] = (),
    ) -> None:
        super().__init__(parent)
        self._jobs = jobs
        self._folder = folder
        self._under_way: dict[str, Job] = {}
        self.pages = PdfPageController(jobs, shut, self)

    def want_place(self, document: OpenDocument) -> None:
        """Ask where the marks lie, and how the file stands to what was read of it."""
        self._start("place", place_work(self._folder, document))

    def want_file(self, path: str, kb: str = "") -> None:
        """Ask for a file of a knowledge base, without a mark."""
        self._start("place", file_work(self._folder, path, kb))

    def want_text(self, document: OpenDocument, stretch: TextRange) -> None:
        """Ask for a stretch of a document's text."""
        self._start("text", text_work(self._folder, document, stretch))

    def want_page(self, document: OpenDocument, page: int) -> None:
        """Ask for what the index has of a page's text."""
        self._start(Phrase("page {0}", page), page_work(self._folder, document, page))

    def want_words(self, document: OpenDocument, words: str) -> None:
        """Ask where words stand in a document's text."""
        self._start("words", search_work(self._folder, document, words))

    def want_chunks(self, document: OpenDocument) -> None:
        """Ask for the list of a document's chunks."""
        self._start("chunks", chunks_work(self._folder, document))

    def forget(self) -> None:
        """Want nothing any more."""
        self._stop()
        self.pages.leave()

    def close(self) -> None:
        """Want nothing any more and end the process that draws pages."""
        self._stop()
        self.pages.close()

    def _stop(self) -> None:
        for job in self._under_way.values():
            job.cancel()
        self._under_way.clear()

    def _start(self, kind: str, work: Work) -> None:
        if kind in self._under_way:
            self._under_way[kind].cancel()
        job = self._under_way[kind] = self._jobs.start(Lane.READ, work)
        job.yielded.connect(self._bring)
        job.failed.connect(self._fail)
        job.finished.connect(self._forget_finished)

    @Slot(object)
    def _bring(self, what: object) -> None:
        if isinstance(what, LocatedDocument):
            self.placed.emit(what)
        elif isinstance(what, DocumentText):
            self.text_came.emit(what)
        elif isinstance(what, TextHits):
            self.found.emit(what)
        elif isinstance(what, PageText):
            self.page_came.emit(what)
        else:
            self.listed.emit(what)

    @Slot()
    def _forget_finished(self) -> None:
        """Drop the jobs that are over: they are deleted soon."""
        ended = self.sender()
        self._under_way = {k: job for k, job in self._under_way.items() if job is not ended}

    @Slot(object)
    def _fail(self, error: Exception) -> None:
        ended = self.sender()
        self._under_way = {k: job for k, job in self._under_way.items() if job is not ended}
        if not isinstance(error, UserError):
            raise error
        self.failed.emit(ViewError(error.what, error.remedy))
