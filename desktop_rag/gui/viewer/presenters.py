"""The two ways to look at a document, pages or text, each with its searching: one face to both."""

from __future__ import annotations

from PySide6.QtCore import QObject, Signal, Slot
from PySide6.QtWidgets import QWidget

from desktop_rag.core.page_geometry import PageHit
from desktop_rag.gui.controllers.open_document import (
    DocumentText,
    OpenDocument,
    PageText,
    TextHit,
    TextHits,
    TextRange,
    ViewError,
    boxes_by_page,
)
from desktop_rag.gui.controllers.pdf_pages import PageError, PageHits, PageLetters, Tile
from desktop_rag.gui.controllers.reading_places import ReadingPlace
from desktop_rag.gui.controllers.viewer import ViewerController
from desktop_rag.gui.message_translation import translate_message
from desktop_rag.gui.viewer.pdf_view import PdfView
from desktop_rag.gui.viewer.search_hits import SearchHits
from desktop_rag.gui.viewer.text_view import TextView


class PdfPresenter(QObject):
    """A document as its pages. `counted` says that words were found, `shown` that it is there.

    `failed` carries the `ViewError` that keeps the document from being shown so.
    """

    counted = Signal()
    shown = Signal()
    failed = Signal(object)

    def __init__(self, view: PdfView, reader: ViewerController) -> None:
        super().__init__(view)
        self.view = view
        self.found: SearchHits[PageHit] = SearchHits()
        self._reader = reader
        self._context = reader.pages
        self._opened: OpenDocument | None = None
        self._left = ReadingPlace()
        self._active = False
        self._context.sizes_came.connect(self._show)
        self._context.drawn.connect(self._take_picture)
        self._context.spelt.connect(self._take_letters)
        self._context.spoilt.connect(self._replace_page)
        self._context.hits_came.connect(self._take_hits)
        self._context.failed.connect(self._give_up)
        reader.page_came.connect(self._take_text)
        view.wanted.connect(self._want)

    @property
    def widget(self) -> QWidget:
        """What shows it."""
        return self.view

    def open(self, opened: OpenDocument, left: ReadingPlace) -> None:
        """Show a document at its current mark, else where it was left, as large as it was.

        The pages of the same file stay.
        """
        self._left = left
        same = self._active and self._opened is not None and _same(self._opened, opened)
        self._opened, self._active = opened, True
        if same and len(self.view.stack):
            self._place()
        elif not same:
            self.found.begin()
            self.view.say("")
            self._context.open(opened.path)

    def leave(self) -> None:
        """Let go of the document."""
        self._active = False
        self.view.say("")
        self.view.set_marks({}, {})

    def left_at(self, place: ReadingPlace) -> ReadingPlace:
        """Return a place with what is looked at now."""
        return self.view.left_at(place) if self._active else place

    def find(self, words: str) -> None:
        """Look for words on all pages, beginning with the one that is looked at."""
        self.found.begin()
        self.found.done = not words
        self._tell()
        self._context.find(words, self.view.page, len(self.view.stack))

    def step(self, by: int) -> None:
        """Go to the next place that was found, or back."""
        hit = self.found.step(by)
        if hit is not None:
            self.view.show_place(hit.page, hit.boxes)
        self._tell()

    @property
    def selected(self) -> str:
        """The text that is selected."""
        return self.view.selecting.text

    def _place(self) -> None:
        if self._opened is None:
            return
        self.view.set_marks(*boxes_by_page(self._opened))
        mark = self._opened.mark
        if mark is not None and mark.boxes:
            self.view.show_marks()
        elif mark is not None:
            self.view.go(self._opened.page)
        self.view.speak()
        self.shown.emit()

    def _tell(self) -> None:
        self.view.set_hits(tuple(self.found.places), self.found.current)
        self.counted.emit()

    @Slot(object)
    def _show(self, sizes: tuple[tuple[float, float], ...]) -> None:
        if self._active:
            self.view.show_pages(sizes, self._left)
            self._place()

    @Slot(object)
    def _give_up(self, trouble: ViewError) -> None:
        self._active = False
        self.failed.emit(trouble)

    @Slot()
    def _want(self) -> None:
        if self._active and len(self.view.stack):
            self._context.want(self.view.wishes(), self.view.letters_wanted())

    @Slot(object)
    def _take_picture(self, drawn: Tile) -> None:
        """Take a picture, unless the view is new and does not know the pages yet."""
        if drawn.wish.page <= len(self.view.stack):
            self.view.add(drawn)

    @Slot(object)
    def _take_letters(self, spelt: PageLetters) -> None:
        self.view.spell(spelt)

    @Slot(object)
    def _take_hits(self, came: PageHits) -> None:
        if self.found.add(list(came.hits), done=came.done) and self.found.current is not None:
            self.view.show_place(self.found.current.page, self.found.current.boxes)
        self._tell()

    @Slot(object)
    def _replace_page(self, spoilt: PageError) -> None:
        """Show a page's text where the page can't be drawn."""
        text = self.tr("This page can't be drawn: %1")
        self.view.spoil(spoilt.page, text.replace("%1", translate_message(spoilt.trouble.what)))
        if self._opened is not None:
            self._reader.want_page(self._opened, spoilt.page)

    @Slot(object)
    def _take_text(self, came: PageText) -> None:
        if came.text:
            above = self.tr("This page can't be drawn. Its text:")
            self.view.spoil(came.page, f"{above}\n\n{came.text}")


class TextPresenter(QObject):
    """A document as its text. `counted` says that words were found, `shown` that it is there."""

    counted = Signal()
    shown = Signal()

    def __init__(self, view: TextView, reader: ViewerController) -> None:
        super().__init__(view)
        self.view = view
        self.found: SearchHits[TextHit] = SearchHits()
        self._reader = reader
        self._opened: OpenDocument | None = None
        reader.text_came.connect(self._take_text)
        reader.found.connect(self._take_hits)
        view.stretch_wanted.connect(self._want)

    @property
    def widget(self) -> QWidget:
        """What shows it."""
        return self.view

    def open(self, opened: OpenDocument, length: int, left: ReadingPlace) -> None:
        """Show a document at its current mark, else where it was left, as large as it was."""
        same = self._opened is not None and _same(self._opened, opened)
        self._opened = opened
        mark = opened.mark
        if same and mark is not None and mark.start is not None and mark.end is not None:
            self.view.set_marks(opened)
            self.view.show_place((mark.start, mark.end))
        else:
            self.found.begin()
            self.view.begin(opened, length, left)

    def leave(self) -> None:
        """Let go of the document."""
        self._opened = None
        self.view.empty()

    def left_at(self, place: ReadingPlace) -> ReadingPlace:
        """Return a place with what is looked at now."""
        return self.view.left_at(place) if self._opened is not None else place

    def find(self, words: str) -> None:
        """Look for words in the whole text."""
        self.found.begin()
        self.found.done = not words
        self._tell()
        if self._opened is not None and words:
            self._reader.want_words(self._opened, words)

    def step(self, by: int) -> None:
        """Go to the next place that was found, or back."""
        hit = self.found.step(by)
        if hit is not None:
            self.view.show_place((hit.start, hit.end))
        self._tell()

    @property
    def selected(self) -> str:
        """The text that is selected."""
        return self.view.textCursor().selection().toPlainText()

    def _tell(self) -> None:
        self.view.set_hits(self.found.places, self.found.current)
        self.counted.emit()

    @Slot(object)
    def _want(self, stretch: TextRange) -> None:
        if self._opened is not None:
            self._reader.want_text(self._opened, stretch)

    @Slot(object)
    def _take_text(self, text: DocumentText) -> None:
        if self._opened is not None:
            self.view.add(text)
            self.shown.emit()

    @Slot(object)
    def _take_hits(self, came: TextHits) -> None:
        """Go to the first place after what is read, as soon as it is known."""
        place = self.view.place
        here = (place, 0)
        before = self.found.current
        self.found.add(list(came.places), done=came.done)
        if self.found.places and (before is None or before.order < here):
            self.found.prefer(here)
        if self.found.current is not None and self.found.current is not before:
            self.view.show_place((self.found.current.start, self.found.current.end))
        self._tell()


def _same(one: OpenDocument, other: OpenDocument) -> bool:
    """Say whether two are one reading of one file: a file may have been read anew."""
    return (one.path, one.document_id) == (other.path, other.document_id)
