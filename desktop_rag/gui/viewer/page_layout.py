"""Pages one below the other: where each lies at a scale, and which are in sight."""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter
from itertools import accumulate

from PySide6.QtCore import QPointF, QRect, QRectF

from desktop_rag.core.page_geometry import Rectangle

MARGIN, GAP = 14, 12
_WIDER = 1.5  # a page that is wider than the usual ones by more does not set the fitting width

Size = tuple[float, float]


class PageLayout:
    """Pages of known sizes, in points, at `scale` pixels a point. Pages count from 1."""

    def __init__(self, sizes: tuple[Size, ...] = (), scale: float = 1.0) -> None:
        self.sizes = sizes
        self.scale = scale
        self._above = [0.0, *accumulate(height for _, height in sizes)]
        usual = Counter(round(width) for width, _ in sizes).most_common(1)
        widest = usual[0][0] * _WIDER if usual else 1.0
        self.fitting_width = max((w for w, _ in sizes if w <= widest), default=1.0)
        self._widest = max((width for width, _ in sizes), default=0.0)

    def __len__(self) -> int:
        """Return how many pages there are."""
        return len(self.sizes)

    @property
    def width(self) -> int:
        """The pixels that the widest page and its margins take."""
        return round(self._widest * self.scale) + 2 * MARGIN

    @property
    def height(self) -> int:
        """The pixels that all pages take."""
        if not self.sizes:
            return 0
        return self.top(len(self)) + round(self.sizes[-1][1] * self.scale) + MARGIN

    def top(self, page: int) -> int:
        """Return the pixel at which a page begins."""
        return MARGIN + round(self._above[page - 1] * self.scale) + (page - 1) * GAP

    def rect(self, page: int, room: int) -> QRect:
        """Return where a page lies, centred in a view that is `room` pixels wide."""
        width, height = (round(side * self.scale) for side in self.sizes[page - 1])
        across = max(room, self.width)
        return QRect((across - width) // 2, self.top(page), width, height)

    def page_at(self, y: float) -> int:
        """Return the page at a height, or the one below a gap."""
        if not self.sizes:
            return 1
        return max(1, bisect_right(range(1, len(self) + 1), y + GAP, key=self.top))

    def between(self, top: float, bottom: float) -> range:
        """Return the pages that touch a stretch of heights."""
        if not self.sizes:
            return range(0)
        return range(self.page_at(top), self.page_at(bottom) + 1)

    def point(self, page: int, room: int, at: QPointF) -> QPointF:
        """Return a point of the view's content as a point of a page."""
        rect = self.rect(page, room)
        return QPointF((at.x() - rect.x()) / self.scale, (at.y() - rect.y()) / self.scale)


def page_to_pixels(box: Rectangle, page: QRect, scale: float) -> QRectF:
    """Return a rectangle in points of a page as one in pixels around it."""
    x0, y0, x1, y1 = box
    return QRectF(
        page.x() + x0 * scale, page.y() + y0 * scale, (x1 - x0) * scale, (y1 - y0) * scale
    )
