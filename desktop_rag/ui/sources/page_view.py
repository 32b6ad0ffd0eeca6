"""A page of a document as a picture, with marks drawn over it; scrolls, zooms, turns pages."""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtCore import QPoint, QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import (
    QColor,
    QImage,
    QKeyEvent,
    QPainter,
    QPaintEvent,
    QPen,
    QResizeEvent,
    QWheelEvent,
)
from PySide6.QtWidgets import QAbstractScrollArea, QWidget

from desktop_rag.core.types import Box
from desktop_rag.ui.theme import Theme

_MARGIN = 14
_STEP = 1.2


@dataclass(frozen=True, slots=True)
class Picture:
    """A drawn page, `points` wide."""

    page: int
    image: QImage
    points: float


class PageView(QAbstractScrollArea):
    """Shows one `Picture` at a zoom, 1 being as wide as the view.

    `turned` carries -1 or 1 when the user scrolls or pages past an edge, `zoomed` the new zoom.
    """

    turned = Signal(object)
    zoomed = Signal(object)

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._picture: Picture | None = None
        self._marks: tuple[Box, ...] = ()
        self._current: tuple[Box, ...] = ()
        self._sentence = ""
        self.zoom = 1.0
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setAccessibleName(self.tr("Page"))
        self.viewport().setAutoFillBackground(False)

    def say(self, sentence: str) -> None:
        """Show a sentence instead of a page: it is being rendered, or can't be."""
        self._picture, self._sentence = None, sentence
        self._measure()
        self.viewport().update()

    def show_picture(
        self, picture: Picture, marks: tuple[Box, ...], current: tuple[Box, ...]
    ) -> None:
        """Show a page with its marks; `current` are drawn stronger."""
        self._picture = picture
        self._marks, self._current = marks, current
        self._measure()
        self.viewport().update()

    def show_marks(self) -> None:
        """Scroll so that the current marks are in sight, a third from the top."""
        boxes = self._current or self._marks
        if not boxes or self._picture is None:
            return
        top = min(box.y0 for box in boxes) * self._factor() + _MARGIN
        left = min(box.x0 for box in boxes) * self._factor() + _MARGIN
        self.verticalScrollBar().setValue(int(top - self.viewport().height() / 3))
        self.horizontalScrollBar().setValue(int(left - 20))

    def mark_rects(self) -> list[QRectF]:
        """Return the marks as they lie in the viewport."""
        origin = self._origin()
        scale = self._factor()
        return [_on_screen(box, scale, origin) for box in (*self._marks, *self._current)]

    def to_edge(self, *, bottom: bool) -> None:
        """Scroll to the top or the bottom of the page."""
        bar = self.verticalScrollBar()
        bar.setValue(bar.maximum() if bottom else 0)

    def page_width(self) -> int:
        """Return the pixels that the page is wide at this zoom."""
        return int((self.viewport().width() - 2 * _MARGIN) * self.zoom)

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: N802 - Qt's
        """Paint the page, then the marks as a marker pen would."""
        painter = QPainter(self.viewport())
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform)
        painter.fillRect(event.rect(), self._theme.colors.of("window"))
        if self._picture is None:
            painter.setPen(self._theme.colors.of("muted"))
            box = self.viewport().rect().adjusted(24, 24, -24, -24)
            flags = Qt.AlignmentFlag.AlignCenter | Qt.TextFlag.TextWordWrap
            painter.drawText(box, flags, self._sentence)
            return
        self._paint_page(painter, self._picture)

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802 - Qt's
        """Keep the page as wide as the zoom says."""
        super().resizeEvent(event)
        self._measure()
        if event.size().width() != event.oldSize().width():
            self.zoomed.emit(self.zoom)

    def wheelEvent(self, event: QWheelEvent) -> None:  # noqa: N802 - Qt's
        """Zoom with Ctrl; turn the page at its edge."""
        turns = event.angleDelta().y()
        if event.modifiers() & Qt.KeyboardModifier.ControlModifier and turns:
            self.zoom_by(_STEP if turns > 0 else 1 / _STEP)
            return
        bar = self.verticalScrollBar()
        if turns < 0 and bar.value() == bar.maximum():
            self.turned.emit(1)
        elif turns > 0 and bar.value() == bar.minimum():
            self.turned.emit(-1)
        else:
            super().wheelEvent(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:  # noqa: N802 - Qt's
        """Turn pages and zoom with the keys."""
        if event.key() == Qt.Key.Key_PageDown:
            self.turned.emit(1)
        elif event.key() == Qt.Key.Key_PageUp:
            self.turned.emit(-1)
        elif event.key() in (Qt.Key.Key_Plus, Qt.Key.Key_Equal):
            self.zoom_by(_STEP)
        elif event.key() == Qt.Key.Key_Minus:
            self.zoom_by(1 / _STEP)
        else:
            super().keyPressEvent(event)

    def zoom_by(self, factor: float) -> None:
        """Zoom in or out, between a third and five times the view's width."""
        self.set_zoom(self.zoom * factor)

    def set_zoom(self, zoom: float) -> None:
        """Zoom; 1 is as wide as the view."""
        self.zoom = min(5.0, max(0.33, zoom))
        self._measure()
        self.viewport().update()
        self.zoomed.emit(self.zoom)

    def _paint_page(self, painter: QPainter, picture: Picture) -> None:
        origin, size = self._origin(), self._size()
        page = QRectF(origin.x(), origin.y(), size.width(), size.height())
        painter.drawImage(page, picture.image)
        painter.setPen(self._theme.colors.of("border"))
        painter.drawRect(page)
        painter.setCompositionMode(QPainter.CompositionMode.CompositionMode_Multiply)
        scale = self._factor()
        for boxes, color in ((self._marks, "#fff3bf"), (self._current, "#ffe066")):
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(QColor(color))
            for box in boxes:
                painter.drawRoundedRect(_on_screen(box, scale, origin).adjusted(-2, -1, 2, 1), 3, 3)
        painter.setCompositionMode(QPainter.CompositionMode.CompositionMode_SourceOver)
        if self._current:
            painter.setPen(QPen(QColor("#e8a500"), 3))
            rects = [_on_screen(box, scale, origin) for box in self._current]
            left = max(page.left() + 4, min(rect.left() for rect in rects) - 9)
            for rect in rects:
                painter.drawLine(QPointF(left, rect.top()), QPointF(left, rect.bottom()))

    def _factor(self) -> float:
        """Return pixels on screen a PDF point."""
        if self._picture is None or self._picture.points <= 0:
            return 1.0
        return self.page_width() / self._picture.points

    def _size(self) -> QSize:
        if self._picture is None or not self._picture.image.width():
            return QSize(0, 0)
        image = self._picture.image
        width = self.page_width()
        return QSize(width, int(width * image.height() / image.width()))

    def _origin(self) -> QPoint:
        size, room = self._size(), self.viewport().size()
        x = max(_MARGIN, (room.width() - size.width()) // 2) - self.horizontalScrollBar().value()
        return QPoint(x, _MARGIN - self.verticalScrollBar().value())

    def _measure(self) -> None:
        size, room = self._size(), self.viewport().size()
        across, down = self.horizontalScrollBar(), self.verticalScrollBar()
        across.setPageStep(room.width())
        down.setPageStep(room.height())
        down.setSingleStep(24)
        across.setRange(0, max(0, size.width() + 2 * _MARGIN - room.width()))
        down.setRange(0, max(0, size.height() + 2 * _MARGIN - room.height()))


def _on_screen(box: Box, scale: float, origin: QPoint) -> QRectF:
    """Return a box of the page, in points, as a rectangle of the viewport."""
    return QRectF(
        origin.x() + box.x0 * scale,
        origin.y() + box.y0 * scale,
        (box.x1 - box.x0) * scale,
        (box.y1 - box.y0) * scale,
    )
