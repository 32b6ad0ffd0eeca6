"""Office documents as they look: their pages, made once by an installed LibreOffice, and kept."""

from __future__ import annotations

import json
import logging
from collections.abc import Generator
from dataclasses import dataclass, replace
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QTimer, Signal, Slot

from desktop_rag.core.cancel import CancelToken
from desktop_rag.core.errors import UserError
from desktop_rag.core.page_geometry import PageCharacters
from desktop_rag.core.quote_search import find_quote
from desktop_rag.core.types import Box, Locator, LocatorKind
from desktop_rag.gui.controllers.data_folder import DataFolder
from desktop_rag.gui.controllers.document_location import known_contents
from desktop_rag.gui.controllers.jobs import Job, Jobs, Lane, Operation
from desktop_rag.gui.controllers.open_document import LocatedDocument, OpenDocument, ViewError

if TYPE_CHECKING:
    from desktop_rag.parsing.office.page_cache import PageCache
    from desktop_rag.parsing.office.program import OfficeProgram
    from desktop_rag.parsing.page_renderer import PageRenderer

PAGES_FOLDER = "office-pages"
_CHOICES = "office-view.json"
_MOST_PAGES = 400  # that are searched for a quote
_SOON_MS = 3000

_log = logging.getLogger(__name__)


class OfficeKind(StrEnum):
    """Kinds of office documents; each has one choice of how it is shown."""

    TEXT = "text"
    SLIDES = "slides"
    SHEETS = "sheets"


_KINDS = {
    **dict.fromkeys((".docx", ".docm", ".doc", ".odt", ".rtf"), OfficeKind.TEXT),
    **dict.fromkeys((".pptx", ".pptm", ".ppsx", ".ppt", ".odp"), OfficeKind.SLIDES),
    **dict.fromkeys((".xlsx", ".xlsm", ".xls", ".ods"), OfficeKind.SHEETS),
}


@dataclass(frozen=True, slots=True)
class OfficeOffer:
    """Pages can be made of a document; `is_chosen` says that its kind is shown so.

    `is_made` says that they are there already.
    """

    content: str
    is_chosen: bool
    is_made: bool


@dataclass(frozen=True, slots=True)
class OfficePages:
    """A document's PDF, and for each of its marks the place on the pages, None if not found."""

    asked: OpenDocument
    path: str
    places: tuple[Locator | None, ...] = ()

    def serves(self, document: OpenDocument) -> bool:
        """Say whether it is about this document with these marks."""
        return (self.asked.document_id, self.asked.marks) == (document.document_id, document.marks)

    def shown(self, document: OpenDocument) -> OpenDocument | None:
        """Return the PDF with the marks that are in it; None where the current one is not."""
        if not self.serves(document):
            return None
        marks = tuple(each for each in self.places if each is not None)
        if not document.marks:
            return replace(document, path=self.path)
        if self.places[document.current] is None:
            return None
        current = sum(each is not None for each in self.places[: document.current])
        return replace(document, path=self.path, marks=marks, current=current, texts=())


def office_kind(path: str) -> OfficeKind | None:
    """Return the kind of an office document by its name; None for other files."""
    return _KINDS.get(Path(path).suffix.lower())


class OfficePagesController(QObject):
    """Makes pages of one document at a time.

    `offered` carries an `OfficeOffer`, `came` the `OfficePages`, `failed` a `ViewError`.
    """

    offered = Signal(object)
    came = Signal(object)
    failed = Signal(object)

    def __init__(
        self, jobs: Jobs, folder: DataFolder, data_dir: Path, parent: QObject | None = None
    ) -> None:
        super().__init__(parent)
        self._jobs, self._folder, self._data_dir = jobs, folder, data_dir
        self._job: Job | None = None
        self._looking: Job | None = None
        self._program: list[OfficeProgram | None] = []  # looked for once
        self._renderer: PageRenderer | None = None
        self._chosen: dict[str, bool] | None = None
        self._soon = QTimer(self, singleShot=True, interval=_SOON_MS)
        self._soon.timeout.connect(self._clean)

    @property
    def folders(self) -> tuple[str, ...]:
        """The folder of the data folder that holds pages."""
        return (str(self._data_dir / PAGES_FOLDER),)

    def look(self, placed: LocatedDocument) -> None:
        """Ask whether pages can be made of a document."""

        def work(token: CancelToken) -> OfficeOffer | None:
            program, kind = self._find(), office_kind(placed.opened.path)
            token.check()
            if program is None or kind is None:
                return None
            chosen = self._choices().get(kind, kind is not OfficeKind.SHEETS)
            is_made = self._cache().find(program, placed.content) is not None
            return OfficeOffer(placed.content, chosen, is_made)

        looking = Operation(work).on_success(self._tell_offer).on_user_error(self._fail)
        self._looking = looking.start(self._jobs, Lane.READ, instead_of=self._looking)

    def want(self, placed: LocatedDocument) -> None:
        """Ask for a document's pages, with its marks on them."""

        def work(token: CancelToken) -> OfficePages | None:
            program = self._find()
            return None if program is None else self._make(program, placed, token)

        making = Operation(work).on_success(self._bring).on_user_error(self._fail)
        self._job = making.start(self._jobs, Lane.CONVERT, instead_of=self._job)

    def choose(self, path: str, *, as_pages: bool) -> None:
        """Keep how documents of this one's kind are shown."""
        kind = office_kind(path)

        def work(_token: CancelToken) -> None:
            if kind is not None and self._choices().get(kind) is not as_pages:
                self._choices()[kind] = as_pages
                self._write()

        Operation(work).start(self._jobs, Lane.READ)

    def leave(self) -> None:
        """Want nothing any more; a conversion under way is ended."""
        for job in (self._job, self._looking):
            if job is not None:
                job.cancel()
        self._job = self._looking = None

    def close(self) -> None:
        """Want nothing any more and end the process that reads pages."""
        self._soon.stop()
        self.leave()
        if self._renderer is not None:
            self._renderer.close()

    @Slot()
    def look_again(self) -> None:
        """Delete, soon, the pages of what the library does not hold any more."""
        self._soon.start()

    @Slot()
    def _clean(self) -> None:
        def work(token: CancelToken) -> None:
            self._cache().keep_only(lambda held: known_contents(self._folder, token, held))

        Operation(work).start(self._jobs, Lane.READ)

    @Slot(object)
    def _tell_offer(self, offer: OfficeOffer | None) -> None:
        if offer is not None:
            self.offered.emit(offer)

    @Slot(object)
    def _bring(self, pages: OfficePages | None) -> None:
        if pages is not None:
            self.came.emit(pages)

    @Slot(object)
    def _fail(self, error: UserError) -> None:
        self.failed.emit(ViewError(error.what, error.remedy))

    def _find(self) -> OfficeProgram | None:
        """Look for the program, once, in a lane."""
        from desktop_rag.parsing.office.program import find_program

        if not self._program:
            self._program.append(find_program())
        return self._program[0]

    def _cache(self) -> PageCache:
        from desktop_rag.parsing.office.page_cache import PageCache

        return PageCache(self._data_dir / PAGES_FOLDER, self._data_dir)

    def _make(
        self, program: OfficeProgram, placed: LocatedDocument, token: CancelToken
    ) -> OfficePages:
        cache, opened = self._cache(), placed.opened
        kept = cache.find(program, placed.content)
        if kept is None:
            kept = cache.make(program, Path(opened.path), placed.content, token)
        return OfficePages(opened, str(kept), tuple(self._on_pages(kept, placed, token)))

    def _on_pages(
        self, pdf: Path, placed: LocatedDocument, token: CancelToken
    ) -> Generator[Locator | None]:
        """Yield each mark as a place on the pages, None where its text is not found there."""
        opened = placed.opened
        if not opened.marks:
            return
        pages = self._letters(pdf, token)
        whole = "\n".join(each.text for each in pages)
        for mark in opened.marks:
            token.check()
            quote = self._text(opened, mark, token)
            near = len(whole) * (mark.start or 0) // max(1, placed.length)
            yield place_of_quote(pages, whole, quote, near)

    def _letters(self, pdf: Path, token: CancelToken) -> tuple[PageCharacters, ...]:
        from desktop_rag.parsing.page_renderer import PageRenderer

        if self._renderer is None:
            self._renderer = PageRenderer((str(self._data_dir),), spared=self.folders)
        count = min(_MOST_PAGES, len(self._renderer.sizes(pdf, token)))
        try:
            return tuple(self._renderer.letters(pdf, at, token) for at in range(1, count + 1))
        finally:
            self._renderer.leave()

    def _text(self, opened: OpenDocument, mark: Locator, token: CancelToken) -> str:
        if opened.document_id is None or mark.start is None or mark.end is None:
            return ""
        catalog = self._folder.get(token).catalog
        return catalog.documents.text(opened.document_id, mark.start, mark.end)

    def _choices(self) -> dict[str, bool]:
        """Return what was chosen, by kind; read once, in a lane."""
        if self._chosen is None:
            try:
                found = json.loads((self._data_dir / _CHOICES).read_bytes())
                self._chosen = {k: v for k, v in found.items() if isinstance(v, bool)}
            except (OSError, ValueError, AttributeError, RecursionError):
                self._chosen = {}
        return self._chosen

    def _write(self) -> None:
        try:
            text = json.dumps(self._choices())
            (self._data_dir / _CHOICES).write_text(text, encoding="utf-8")
        except OSError as error:
            _log.warning("How office documents are shown was not kept: %s", error)


def place_of_quote(
    pages: tuple[PageCharacters, ...], whole: str, quote: str, near: int
) -> Locator | None:
    """Return where a quote stands on the pages in these very words; None where it does not.

    A sentence like it may say something else: "12 percent in 2023" for "21 percent in 2022".
    """
    place = find_quote(whole, quote, near) if quote else None
    if place is None or place.is_similar:
        return None
    return place_on_pages(pages, place.start, place.end)


def place_on_pages(pages: tuple[PageCharacters, ...], start: int, end: int) -> Locator:
    """Return a range of the pages' texts, joined by one line end each, as a place on them."""
    first, boxes, at = 0, list[Box](), 0
    for number, page in enumerate(pages, start=1):
        low, high = max(start - at, 0), min(end - at, len(page.text))
        if low < high:
            first = first or number
            boxes += [
                Box(*each, start=at + low, end=at + high, page=number)
                for each in page.rectangles(low, high)
            ]
        at += len(page.text) + 1
    return Locator(LocatorKind.PAGE, first or 1, start, end, tuple(boxes))
