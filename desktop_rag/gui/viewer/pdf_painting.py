"""How a page is painted: its pictures or its text, and over them what is marked."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import QPointF, QRect, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPen

from desktop_rag.gui.viewer.tile_cache import CachedTile

# Marker pens on white paper, whatever the theme: pages are painted as they are.
MARK, MARK_NOW, MARK_EDGE = "#fff3bf", "#ffe066", "#e8a500"
HIT, HIT_NOW = "#c9ecff", "#ffb366"
INK = "#1d2321"  # on a marker's colour, whatever the theme
_SELECTED = "#a9d4ff"


@dataclass(frozen=True, slots=True)
class PageOverlay:
    """What lies over a page, as rectangles of the viewport."""

    others: tuple[QRectF, ...]
    current: tuple[QRectF, ...]
    found: tuple[QRectF, ...]
    found_now: tuple[QRectF, ...]
    selected: tuple[QRectF, ...]


def paint_pictures(
    painter: QPainter, rect: QRect, pictures: Sequence[CachedTile], wide: int
) -> bool:
    """Paint a page's pictures, those that are `wide` pixels as they are; say if there are any."""
    for picture in pictures:
        area = picture.area
        across, down = rect.width() / area.wide, rect.height() / area.high
        to = QRectF(
            rect.x() + area.x * across,
            rect.y() + area.y * down,
            area.width * across,
            area.height * down,
        )
        painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform, area.wide != wide)
        painter.drawImage(to, picture.image)
    return bool(pictures)


def paint_text(painter: QPainter, rect: QRect, text: str) -> None:
    """Paint a text in the place of a page."""
    painter.setPen(QColor(INK))
    flags = Qt.AlignmentFlag.AlignTop | Qt.TextFlag.TextWordWrap
    painter.drawText(rect.adjusted(28, 28, -28, -28), flags, text)


def paint_overlay(painter: QPainter, rect: QRect, over: PageOverlay) -> None:
    """Paint marks, found words and the selection as marker pens would."""
    painter.setCompositionMode(QPainter.CompositionMode.CompositionMode_Multiply)
    painter.setPen(Qt.PenStyle.NoPen)
    layers = ((over.others, MARK), (over.current, MARK_NOW))
    for rects, color in (*layers, (over.found, HIT), (over.found_now, HIT_NOW)):
        painter.setBrush(QColor(color))
        for each in rects:
            painter.drawRoundedRect(each.adjusted(-2, -1, 2, 1), 3, 3)
    painter.setBrush(QColor(_SELECTED))
    for each in over.selected:
        painter.drawRect(each)
    painter.setCompositionMode(QPainter.CompositionMode.CompositionMode_SourceOver)
    if over.current:
        painter.setPen(QPen(QColor(MARK_EDGE), 3))
        left = max(rect.left() + 4.0, min(each.left() for each in over.current) - 9)
        for each in over.current:
            painter.drawLine(QPointF(left, each.top()), QPointF(left, each.bottom()))
