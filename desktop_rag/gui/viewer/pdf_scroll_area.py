"""Pages in a scroll area: zoom, and a place that is kept whatever happens to the size."""

from __future__ import annotations

from dataclasses import replace

from PySide6.QtCore import QPointF, QRect, Qt, Signal, Slot
from PySide6.QtGui import QKeyEvent, QResizeEvent, QWheelEvent
from PySide6.QtWidgets import QAbstractScrollArea, QWidget

from desktop_rag.gui.controllers.reading_places import ReadingPlace, Zoom
from desktop_rag.gui.viewer.page_layout import MARGIN, PageLayout, Size

STEP = 1.2
_FULL = 96 / 72  # pixels a point at 100 %
_LEAST, _MOST = 0.1, 8.0
_READABLE = 0.45 * _FULL  # a pane that is narrower than that is scrolled sideways
_OVERLAP = 40  # pixels of the last screen that stay when a screen is scrolled


class PdfScrollArea(QAbstractScrollArea):
    """Lays out pages and scrolls them.

    `zoomed` comes when the scale changed, `moved` when another part of the pages is in sight.
    """

    zoomed = Signal()
    moved = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.stack = PageLayout()
        self.zoom = Zoom.WIDTH
        self._place = (1, 0.0, 0.0)  # the page at the top edge, and the point of it in the corner
        self._laying_out = False
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)

    @property
    def percent(self) -> int:
        """The scale in percent of the natural size."""
        return round(self.stack.scale / _FULL * 100)

    @property
    def page(self) -> int:
        """The page that is looked at: the one a third down the view."""
        top = self.verticalScrollBar().value()
        return min(self.stack.page_at(top + self.viewport().height() / 3), max(1, len(self.stack)))

    def set_sizes(self, sizes: tuple[Size, ...], place: ReadingPlace | None = None) -> None:
        """Lay out the pages of another document, at a place and a zoom; else as one never seen."""
        place = place or ReadingPlace()
        self.zoom = place.zoom
        scale = place.scale if place.zoom is Zoom.FREE else self.stack.scale
        self.stack = PageLayout(sizes, min(_MOST, max(_LEAST, scale)))
        self._place = (min(max(1, place.page), max(1, len(sizes))), place.x, place.y)
        self._lay_out()

    def left_at(self, place: ReadingPlace) -> ReadingPlace:
        """Return a place with the page, the point and the zoom that are looked at."""
        if not len(self.stack):
            return place
        page, x, y = self._place
        return replace(place, page=page, x=x, y=y, zoom=self.zoom, scale=self.stack.scale)

    def go(self, page: int, x: float = 0.0, y: float = 0.0) -> None:
        """Scroll a point of a page to the upper left corner of the view."""
        page = min(max(1, page), max(1, len(self.stack)))
        self._place = (page, x, y)
        self._restore()

    def set_zoom(self, zoom: Zoom, scale: float | None = None, at: QPointF | None = None) -> None:
        """Follow the width or the page, or take a scale; what lies `at` a point stays there."""
        if not len(self.stack):
            self.zoom = zoom
            return
        at = at or self.held()
        page, point = self.at(at)
        self.zoom = zoom
        if scale is not None:
            self.stack = PageLayout(self.stack.sizes, min(_MOST, max(_LEAST, scale)))
        self._lay_out()
        rect = self.stack.rect(page, self.viewport().width())
        self.horizontalScrollBar().setValue(round(rect.x() + point.x() * self.stack.scale - at.x()))
        self.verticalScrollBar().setValue(round(rect.y() + point.y() * self.stack.scale - at.y()))

    def held(self) -> QPointF:
        """Return the point of the viewport that stays in its place when nobody points at one."""
        return QPointF(self.viewport().width() / 2, self.viewport().height() / 3)

    def zoom_by(self, factor: float, at: QPointF | None = None) -> None:
        """Zoom in or out, around a point of the view."""
        self.set_zoom(Zoom.FREE, self.stack.scale * factor, at)

    @Slot()
    def zoom_in(self) -> None:
        """Show the pages larger."""
        self.zoom_by(STEP)

    @Slot()
    def zoom_out(self) -> None:
        """Show the pages smaller."""
        self.zoom_by(1 / STEP)

    @Slot()
    def fit_width(self) -> None:
        """Show the pages as wide as the view."""
        self.set_zoom(Zoom.WIDTH)

    @Slot()
    def fit_page(self) -> None:
        """Show the page that is looked at as a whole."""
        page = self.page
        self.set_zoom(Zoom.PAGE)
        self.go(page)

    @Slot()
    def natural(self) -> None:
        """Show the pages in their natural size."""
        self.set_zoom(Zoom.FREE, _FULL)

    def at(self, point: QPointF) -> tuple[int, QPointF]:
        """Return the page at a point of the viewport, and the point on it in points."""
        content = point + QPointF(self.offset())
        page = min(self.stack.page_at(content.y()), max(1, len(self.stack)))
        return page, self.stack.point(page, self.viewport().width(), content)

    def offset(self) -> QPointF:
        """Return the point of the content that is in the viewport's corner."""
        return QPointF(self.horizontalScrollBar().value(), self.verticalScrollBar().value())

    def on_screen(self, page: int) -> QRect:
        """Return where a page lies in the viewport."""
        rect = self.stack.rect(page, self.viewport().width())
        return rect.translated(-self.offset().toPoint())

    def in_sight(self, beyond: int = 0) -> range:
        """Return the pages that are in the viewport, or at most `beyond` pixels from it."""
        top = self.verticalScrollBar().value()
        return self.stack.between(top - beyond, top + self.viewport().height() + beyond)

    def scrollContentsBy(self, dx: int, dy: int) -> None:  # noqa: N802 - Qt's
        """Remember what is at the corner now."""
        del dx, dy
        if self._laying_out:
            return
        self._remember()
        self.viewport().update()
        self.moved.emit()

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802 - Qt's
        """Keep the place in another size."""
        super().resizeEvent(event)
        self._lay_out()

    def wheelEvent(self, event: QWheelEvent) -> None:  # noqa: N802 - Qt's
        """Zoom with Ctrl, at the pointer; else scroll."""
        turns = event.angleDelta().y()
        if event.modifiers() & Qt.KeyboardModifier.ControlModifier and turns:
            self.zoom_by(STEP if turns > 0 else 1 / STEP, event.position())
        else:
            super().wheelEvent(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:  # noqa: N802 - Qt's
        """Scroll by a screen, to the ends, and zoom with the keys."""
        bar, screen = self.verticalScrollBar(), self.viewport().height() - _OVERLAP
        ends = {Qt.Key.Key_Home: bar.minimum(), Qt.Key.Key_End: bar.maximum()}
        moves = {Qt.Key.Key_PageDown: screen, Qt.Key.Key_PageUp: -screen, Qt.Key.Key_Space: screen}
        key = Qt.Key(event.key())
        if key in ends:
            bar.setValue(ends[key])
        elif key in moves:
            bar.setValue(bar.value() + moves[key])
        elif key in (Qt.Key.Key_Plus, Qt.Key.Key_Equal):
            self.zoom_by(STEP)
        elif key == Qt.Key.Key_Minus:
            self.zoom_by(1 / STEP)
        elif key == Qt.Key.Key_0:
            self.set_zoom(Zoom.WIDTH)
        else:
            super().keyPressEvent(event)

    def _fitting(self) -> float:
        """Return the scale that the zoom asks for in this size of the view."""
        room = self.viewport().size()
        width = max(40, room.width() - 2 * MARGIN) / self.stack.fitting_width
        if self.zoom is Zoom.FREE:
            return self.stack.scale
        if self.zoom is Zoom.WIDTH:
            return max(width, _READABLE)
        tallest = self.stack.sizes[self._place[0] - 1][1]
        return min(width, max(40, room.height() - 2 * MARGIN) / tallest)

    def _lay_out(self) -> None:
        if not len(self.stack):
            return
        scale = min(_MOST, max(_LEAST, self._fitting()))
        changed = abs(scale - self.stack.scale) > 1e-9
        if changed:
            self.stack = PageLayout(self.stack.sizes, scale)
        self._restore()
        if changed or self.zoom is Zoom.FREE:
            self.zoomed.emit()

    def _restore(self) -> None:
        """Set the bars' ranges, and the place that was kept."""
        room = self.viewport().size()
        across, down = self.horizontalScrollBar(), self.verticalScrollBar()
        self._laying_out = True
        across.setPageStep(room.width())
        down.setPageStep(room.height())
        down.setSingleStep(32)
        across.setRange(0, max(0, self.stack.width - room.width()))
        down.setRange(0, max(0, self.stack.height - room.height()))
        if len(self.stack):
            page, x, y = self._place
            rect = self.stack.rect(page, room.width())
            across.setValue(round(rect.x() + x * self.stack.scale) - MARGIN)
            down.setValue(round(rect.y() + y * self.stack.scale) - MARGIN)
        self._laying_out = False
        self.viewport().update()
        self.moved.emit()

    def _remember(self) -> None:
        if len(self.stack):
            page, point = self.at(QPointF(MARGIN, MARGIN))
            self._place = (page, point.x(), point.y())
