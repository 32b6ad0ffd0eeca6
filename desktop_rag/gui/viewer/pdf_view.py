"""A PDF's pages, one below the other, with marks, found words and selected text over them."""

from __future__ import annotations

from collections.abc import Iterable
from functools import reduce

from PySide6.QtCore import QPointF, QRect, QRectF, QSize, Qt, Signal, Slot
from PySide6.QtGui import (
    QAccessible,
    QAccessibleEvent,
    QColor,
    QContextMenuEvent,
    QKeyEvent,
    QKeySequence,
    QPainter,
    QPaintEvent,
)
from PySide6.QtWidgets import QMenu, QWidget

from desktop_rag.core.page_geometry import PageHit, Rectangle
from desktop_rag.core.types import Box
from desktop_rag.gui.controllers.pdf_pages import PageLetters, Tile, TileRequest
from desktop_rag.gui.controllers.reading_places import ReadingPlace
from desktop_rag.gui.theme import Theme
from desktop_rag.gui.viewer.page_layout import Size, page_to_pixels
from desktop_rag.gui.viewer.pdf_painting import (
    PageOverlay,
    paint_overlay,
    paint_pictures,
    paint_text,
)
from desktop_rag.gui.viewer.pdf_scroll_area import PdfScrollArea
from desktop_rag.gui.viewer.pdf_selection import PdfSelection
from desktop_rag.gui.viewer.selection_menu import SelectionMenu
from desktop_rag.gui.viewer.tile_cache import TileCache, tile_requests
from desktop_rag.gui.widgets.throttle import Throttle

_MOST_WISHES = 16
_MOST_LETTERS = 24  # pages whose letters are kept
_SPOKEN = 4000  # characters of a page that a screen reader is given

Boxes = dict[int, tuple[Box, ...]]


class PdfView(PdfScrollArea):
    """Shows pages. `wanted` says that `tile_requests()` and `letters_wanted()` are others now.

    `asking` offers what can be asked about the selected text.
    """

    wanted = Signal()

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self.pictures = TileCache()
        self.selecting = PdfSelection(self)
        self.asking = SelectionMenu(self)
        self._others: Boxes = {}
        self._current: Boxes = {}
        self._hits: dict[int, list[PageHit]] = {}
        self._hit: PageHit | None = None
        self._spoilt: dict[int, str] = {}
        self._sentence = ""
        self._wanting = Throttle(25, self)
        self._wanting.due.connect(self.wanted)
        self.setAccessibleName(self.tr("Pages of the document"))
        self.viewport().setAutoFillBackground(False)
        self.viewport().setMouseTracking(True)
        self.viewport().installEventFilter(self.selecting)
        self.moved.connect(self._wanting.ask)
        self.selecting.changed.connect(self.viewport().update)
        theme.changed.connect(self.viewport().update)

    def say(self, sentence: str) -> None:
        """Show a sentence instead of pages."""
        self.show_pages(())
        self._sentence = sentence

    def show_pages(self, sizes: tuple[Size, ...], place: ReadingPlace | None = None) -> None:
        """Lay out a document's pages where it was left; nothing of another one stays."""
        self.pictures.clear()
        self.selecting.clear()
        self._spoilt.clear()
        self._hits, self._hit, self._sentence = {}, None, ""
        self.set_sizes(sizes, place)
        self._restore()

    def set_marks(self, others: Boxes, current: Boxes) -> None:
        """Mark passages; the current one is drawn stronger."""
        self._others, self._current = others, current
        self.viewport().update()

    def set_hits(self, hits: tuple[PageHit, ...], current: PageHit | None) -> None:
        """Mark found words; the current place is drawn stronger."""
        self._hits, self._hit = {}, current
        for hit in hits:
            self._hits.setdefault(hit.page, []).append(hit)
        self.viewport().update()

    def show_place(self, page: int, boxes: tuple[Rectangle, ...]) -> None:
        """Scroll so that a place is in sight, a third from the top; there already, do nothing."""
        if not boxes:
            self.go(page)
            return
        top, left = min(box[1] for box in boxes), min(box[0] for box in boxes)
        right, bottom = max(box[2] for box in boxes), max(box[3] for box in boxes)
        rect = page_to_pixels((left, top, right, bottom), self.on_screen(page), self.stack.scale)
        room = QRectF(self.viewport().rect()).adjusted(0, 20, 0, -20)
        if (
            room.top() <= rect.top()
            and rect.bottom() <= room.bottom()
            and room.contains(QPointF(rect.left(), rect.top()))
        ):
            return
        above = self.viewport().height() / 3 / self.stack.scale
        fits = self.stack.width <= self.viewport().width()
        self.go(page, 0.0 if fits else max(0.0, left - 30), top - above)

    def show_marks(self) -> None:
        """Scroll to the current marks."""
        for page, boxes in self._current.items():
            self.show_place(page, tuple(map(_corners, boxes)))
            return

    def held(self) -> QPointF:
        """Return where the lines of the current marks begin, halfway down, if it is in sight."""
        rects = self._on_screen(self._current)
        whole = reduce(QRectF.united, rects) if rects else QRectF(-1, -1, 0, 0)
        begin = QPointF(whole.left(), whole.center().y())
        return begin if self.viewport().rect().contains(begin.toPoint()) else super().held()

    def mark_rects(self) -> list[QRectF]:
        """Return the marks that are in sight, as they lie in the viewport, current ones last."""
        return [rect for boxes in (self._others, self._current) for rect in self._on_screen(boxes)]

    def _on_screen(self, boxes: Boxes) -> list[QRectF]:
        return [
            page_to_pixels(_corners(box), self.on_screen(page), self.stack.scale)
            for page in (self.in_sight() if len(self.stack) else ())
            for box in boxes.get(page, ())
        ]

    def add(self, drawn: Tile) -> None:
        """Take a picture."""
        self.pictures.add(drawn)
        self.viewport().update(self.on_screen(drawn.wish.page))

    def spell(self, spelt: PageLetters) -> None:
        """Take a page's letters."""
        self.selecting.keep(spelt, _MOST_LETTERS, self.page)
        if spelt.page == self.page:
            self.speak()

    def spoil(self, page: int, text: str) -> None:
        """Show a text in the place of a page that can't be drawn."""
        self._spoilt[page] = text
        self.viewport().update()

    @property
    def is_whole(self) -> bool:
        """Whether everything in sight is drawn."""
        return not any(True for _ in self._missing(0))

    def wishes(self) -> tuple[TileRequest, ...]:
        """Return what is to be drawn: what is in sight, then a screen around it."""
        found = dict.fromkeys(self._missing(0))
        found.update(dict.fromkeys(self._missing(self.viewport().height())))
        return tuple(found)[:_MOST_WISHES]

    def letters_wanted(self) -> tuple[int, ...]:
        """Return the pages in sight whose letters are not known."""
        seen = self.in_sight()
        return tuple(page for page in seen if page not in self.selecting.letters)

    @Slot()
    def speak(self) -> None:
        """Tell screen readers what is on the page that is looked at, and what is marked."""
        letters = self.selecting.letters.get(self.page)
        text = letters.told()[:_SPOKEN] if letters is not None else ""
        count = self.tr("Page %1 of %2").replace("%1", str(self.page))
        marked = self._marked()
        if marked:
            marked = self.tr("Marked: %1").replace("%1", marked)
        said = [count.replace("%2", str(len(self.stack))), marked, text]
        self.setAccessibleDescription("\n".join(part for part in said if part))
        event = QAccessibleEvent(self, QAccessible.Event.DescriptionChanged)
        QAccessible.updateAccessibility(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:  # noqa: N802 - Qt's
        """Copy, and select a page's text, with the keys."""
        if event.matches(QKeySequence.StandardKey.Copy):
            self.selecting.copy()
        elif event.matches(QKeySequence.StandardKey.SelectAll):
            self.selecting.select_page(self.page)
        else:
            super().keyPressEvent(event)

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:  # noqa: N802 - Qt's
        """Offer what can be done with the selected text."""
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        copy = menu.addAction(self.tr("Copy"))
        copy.triggered.connect(self.selecting.copy)
        copy.setEnabled(bool(self.selecting.text))
        self.asking.offer(menu, self.selecting.text)
        menu.addAction(self.tr("Select the page's text")).triggered.connect(self._select_page)
        menu.popup(event.globalPos())

    @Slot()
    def _select_page(self) -> None:
        self.selecting.select_page(self.page)

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: N802 - Qt's
        """Paint what is in sight."""
        painter = QPainter(self.viewport())
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.fillRect(event.rect(), self._theme.colors.of("window"))
        if not len(self.stack):
            painter.setPen(self._theme.colors.of("muted"))
            box = self.viewport().rect().adjusted(24, 24, -24, -24)
            flags = Qt.AlignmentFlag.AlignCenter | Qt.TextFlag.TextWordWrap
            painter.drawText(box, flags, self._sentence)
            return
        for page in self.in_sight():
            self._paint_page(painter, page, self.on_screen(page))

    def _paint_page(self, painter: QPainter, page: int, rect: QRect) -> None:
        """Paint a page: paper, pictures or text, then what lies over it."""
        painter.fillRect(rect, Qt.GlobalColor.white)
        wide = self._pixels(page).width()
        if page in self._spoilt:
            paint_text(painter, rect, self._spoilt[page])
        elif not paint_pictures(painter, rect, self.pictures.of(page, wide), wide):
            painter.setPen(QColor("#9aa3a0"))
            painter.drawText(rect, Qt.AlignmentFlag.AlignCenter, str(page))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.setPen(self._theme.colors.of("border"))
        painter.drawRect(rect)
        paint_overlay(painter, rect, self._over(page, rect))

    def _over(self, page: int, rect: QRect) -> PageOverlay:
        """Return what is marked on a page, as rectangles of the viewport."""
        scale, hits = self.stack.scale, self._hits.get(page, ())

        def place(boxes: Iterable[Rectangle]) -> tuple[QRectF, ...]:
            return tuple(page_to_pixels(box, rect, scale) for box in boxes)

        return PageOverlay(
            others=place(map(_corners, self._others.get(page, ()))),
            current=place(map(_corners, self._current.get(page, ()))),
            found=place(box for hit in hits if hit is not self._hit for box in hit.boxes),
            found_now=place(box for hit in hits if hit is self._hit for box in hit.boxes),
            selected=place(self.selecting.rectangles(page)),
        )

    def _pixels(self, page: int) -> QSize:
        """Return a page's size in pixels of the screen."""
        ratio = self.devicePixelRatioF()
        size = self.stack.rect(page, 0).size()
        return QSize(max(1, round(size.width() * ratio)), max(1, round(size.height() * ratio)))

    def _missing(self, beyond: int) -> list[TileRequest]:
        """Return the areas in sight that are not there, the nearest to the middle first."""
        ratio = self.devicePixelRatioF()
        room = self.viewport().rect().adjusted(0, -beyond, 0, beyond)
        middle = self.viewport().height() / 2
        pages = [page for page in self.in_sight(beyond) if page not in self._spoilt]
        pages.sort(key=lambda page: abs(self.on_screen(page).center().y() - middle))
        found: list[TileRequest] = []
        for page in pages:
            rect = self.on_screen(page)
            seen = room.intersected(rect).translated(-rect.topLeft())
            sharp = QRectF(
                seen.x() * ratio, seen.y() * ratio, seen.width() * ratio, seen.height() * ratio
            ).toAlignedRect()
            size = self._pixels(page)
            found += tile_requests(page, (size.width(), size.height()), sharp)
        return [wish for wish in found if wish not in self.pictures]

    def _marked(self) -> str:
        """Return the text under the current marks on the page that is looked at."""
        letters = self.selecting.letters.get(self.page)
        boxes = self._current.get(self.page, ())
        if letters is None or not boxes:
            return ""
        lines = [
            letters.told(
                letters.at(box.x0, (box.y0 + box.y1) / 2), letters.at(box.x1, (box.y0 + box.y1) / 2)
            )
            for box in boxes
        ]
        return " ".join(lines)


def _corners(box: Box) -> Rectangle:
    return box.x0, box.y0, box.x1, box.y1
