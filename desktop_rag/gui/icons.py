"""Icons from `resources/icons`, painted in a colour of the theme."""

from __future__ import annotations

from functools import lru_cache

from PySide6.QtCore import QByteArray, QRectF, Qt
from PySide6.QtGui import QIcon, QImage, QPainter, QPixmap
from PySide6.QtSvg import QSvgRenderer

from desktop_rag.core.paths import resources

_SIZES = (16, 20, 32, 40)


@lru_cache(maxsize=64)
def _source(name: str) -> str:
    return (resources() / "icons" / f"{name}.svg").read_text(encoding="utf-8")


def picture(name: str, color: str, size: int) -> QImage:
    """Return an icon as a square picture of `size` pixels, its strokes in `color`."""
    return _drawn(_renderer(name, color), size)


def icon(name: str, color: str) -> QIcon:
    """Return an icon in `color` (`#rrggbb`), sharp at the usual sizes."""
    made, renderer = QIcon(), _renderer(name, color)
    for size in _SIZES:
        made.addPixmap(QPixmap.fromImage(_drawn(renderer, size)))
    return made


def _renderer(name: str, color: str) -> QSvgRenderer:
    drawn = _source(name).replace("currentColor", color)
    return QSvgRenderer(QByteArray(drawn.encode()))


def _drawn(renderer: QSvgRenderer, size: int) -> QImage:
    image = QImage(size, size, QImage.Format.Format_ARGB32_Premultiplied)
    image.fill(Qt.GlobalColor.transparent)
    painter = QPainter(image)
    renderer.render(painter, QRectF(0, 0, size, size))
    painter.end()
    return image
