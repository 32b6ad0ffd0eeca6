"""Selecting text on pages with the mouse: by lines, over several pages, word by word."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QObject, QPointF, Qt, Signal
from PySide6.QtGui import QGuiApplication, QMouseEvent

from desktop_rag.core.page_geometry import PageCharacters, Rectangle
from desktop_rag.gui.controllers.pdf_pages import PageLetters

if TYPE_CHECKING:
    from desktop_rag.gui.viewer.pdf_scroll_area import PdfScrollArea

LetterPosition = tuple[int, int]  # a page, and a place between two of its letters


class PdfSelection(QObject):
    """What is selected in a view of pages; `changed` says that it is something else now."""

    changed = Signal()

    def __init__(self, view: PdfScrollArea) -> None:
        super().__init__(view)
        self._view = view
        self.letters: dict[int, PageCharacters] = {}
        self._from: LetterPosition | None = None
        self._to: LetterPosition | None = None
        self._dragging = False

    def keep(self, spelt: PageLetters, most: int, page: int) -> None:
        """Keep a page's letters; those of the pages farthest from `page` go."""
        self.letters[spelt.page] = spelt.letters
        held = {each for each, _, _ in self._ranges()}
        while len(self.letters) > most:
            free = [each for each in self.letters if each not in held] or list(self.letters)
            del self.letters[max(free, key=lambda each: abs(each - page))]

    def clear(self) -> None:
        """Select nothing, and forget all letters."""
        self.letters.clear()
        self.select(None, None)

    def select(self, start: LetterPosition | None, end: LetterPosition | None) -> None:
        """Select from one place to another."""
        self._from, self._to = start, end
        self.changed.emit()

    def select_page(self, page: int) -> None:
        """Select all that stands on a page."""
        if page in self.letters:
            self.select((page, 0), (page, len(self.letters[page].text)))

    @property
    def text(self) -> str:
        """What is selected, as it is read."""
        return "\n".join(
            self.letters[page].told(start, end) for page, start, end in self._ranges()
        ).strip("\n")

    def rectangles(self, page: int) -> list[Rectangle]:
        """Return what is selected on a page, line by line."""
        return [
            box
            for each, start, end in self._ranges()
            if each == page
            for box in self.letters[page].rectangles(start, end)
        ]

    def copy(self) -> None:
        """Put what is selected on the clipboard."""
        if self.text:
            QGuiApplication.clipboard().setText(self.text)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:  # noqa: N802 - Qt's
        """Follow the mouse over the viewport."""
        if isinstance(event, QMouseEvent):
            self._follow(event)
        return super().eventFilter(watched, event)

    def _follow(self, event: QMouseEvent) -> None:
        kind, left = event.type(), event.button() == Qt.MouseButton.LeftButton
        if kind == QEvent.Type.MouseButtonPress and left:
            place = self._place(event.position())
            extending = event.modifiers() & Qt.KeyboardModifier.ShiftModifier
            self._dragging = place is not None
            self.select(self._from if extending and self._from else place, place)
        elif kind == QEvent.Type.MouseMove and self._dragging:
            self._drag(event.position())
        elif kind == QEvent.Type.MouseMove:
            self._point(event.position())
        elif kind == QEvent.Type.MouseButtonRelease and left:
            self._dragging = False
        elif kind == QEvent.Type.MouseButtonDblClick and left:
            self._select_word(event.position())

    def _drag(self, at: QPointF) -> None:
        """Select up to the pointer; beyond an edge the pages scroll."""
        height, bar = self._view.viewport().height(), self._view.verticalScrollBar()
        if at.y() < 0 or at.y() > height:
            bar.setValue(bar.value() + round(at.y() if at.y() < 0 else at.y() - height))
        place = self._place(at)
        if place is not None and place != self._to:
            self.select(self._from, place)

    def _point(self, at: QPointF) -> None:
        page, point = self._view.at(at)
        letters = self.letters.get(page)
        on_text = letters is not None and letters.near(point.x(), point.y())
        shape = Qt.CursorShape.IBeamCursor if on_text else Qt.CursorShape.ArrowCursor
        if self._view.viewport().cursor().shape() != shape:
            self._view.viewport().setCursor(shape)

    def _place(self, at: QPointF) -> LetterPosition | None:
        page, point = self._view.at(at)
        letters = self.letters.get(page)
        return None if letters is None else (page, letters.at(point.x(), point.y()))

    def _select_word(self, at: QPointF) -> None:
        page, point = self._view.at(at)
        letters = self.letters.get(page)
        if letters is not None and letters.near(point.x(), point.y()):
            start, end = letters.word(letters.letter_at(point.x(), point.y()))
            self.select((page, start), (page, end))

    def _ranges(self) -> Iterator[tuple[int, int, int]]:
        """Yield page, start and end of what is selected, page by page."""
        if self._from is None or self._to is None or self._from == self._to:
            return
        (first, start), (last, end) = sorted((self._from, self._to))
        for page in range(first, last + 1):
            if page in self.letters:
                whole = len(self.letters[page].text)
                yield page, start if page == first else 0, end if page == last else whole
