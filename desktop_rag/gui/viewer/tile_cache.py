"""The pictures of pages that are kept: few megabytes of them, those that were seen last."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterator
from dataclasses import dataclass

from PySide6.QtCore import QRect
from PySide6.QtGui import QImage

from desktop_rag.core.page_geometry import PageArea
from desktop_rag.gui.controllers.pdf_pages import Tile, TileRequest

MOST_BYTES = 72 * 1024 * 1024
_WHOLE = 3_000_000  # pixels: a page up to this is drawn at once
_TILE = 1280  # pixels: the side of a part of a bigger one


@dataclass(frozen=True, slots=True)
class CachedTile:
    """A drawn area; `pixels` is what the image is made of and must live as long as it."""

    area: PageArea
    image: QImage
    pixels: bytes


class TileCache:
    """Keeps pictures by page and area."""

    def __init__(self, most_bytes: int = MOST_BYTES) -> None:
        self._most = most_bytes
        self._kept: OrderedDict[TileRequest, CachedTile] = OrderedDict()
        self._pages: dict[int, list[TileRequest]] = {}
        self.bytes = 0

    def clear(self) -> None:
        """Forget all."""
        self._kept.clear()
        self._pages.clear()
        self.bytes = 0

    def __contains__(self, wish: TileRequest) -> bool:
        """Say whether an area of a page is there."""
        return wish in self._kept

    def add(self, drawn: Tile) -> None:
        """Keep a picture; the ones that were longest not seen go when there are too many."""
        if drawn.wish in self._kept:
            return
        area = drawn.wish.area
        image = QImage(
            drawn.pixels, area.width, area.height, area.width * 4, QImage.Format.Format_RGB32
        )
        self._kept[drawn.wish] = CachedTile(area, image, drawn.pixels)
        self._pages.setdefault(drawn.wish.page, []).append(drawn.wish)
        self.bytes += len(drawn.pixels)
        while self.bytes > self._most and len(self._kept) > 1:
            self._drop()

    def of(self, page: int, wide: int) -> list[CachedTile]:
        """Return a page's pictures in the order of painting: those of another scale first."""
        wishes = self._pages.get(page, ())
        for wish in wishes:
            self._kept.move_to_end(wish)
        found = [self._kept[wish] for wish in wishes]
        return sorted(found, key=lambda each: (each.area.wide == wide, each.area.wide))

    def _drop(self) -> None:
        wish, picture = self._kept.popitem(last=False)
        self._pages[wish.page].remove(wish)
        if not self._pages[wish.page]:
            del self._pages[wish.page]
        self.bytes -= len(picture.pixels)


def tile_requests(page: int, size: tuple[int, int], seen: QRect) -> Iterator[TileRequest]:
    """Yield what to draw of a page that is `size` pixels big so that `seen` of it is there."""
    wide, high = size
    if wide * high <= _WHOLE:
        yield TileRequest(page, PageArea.whole(wide, high))
        return
    seen = seen.intersected(QRect(0, 0, wide, high))
    if seen.isEmpty():
        return
    for row in range(seen.top() // _TILE, seen.bottom() // _TILE + 1):
        for column in range(seen.left() // _TILE, seen.right() // _TILE + 1):
            x, y = column * _TILE, row * _TILE
            width, height = min(_TILE, wide - x), min(_TILE, high - y)
            yield TileRequest(page, PageArea(wide, high, x, y, width, height))
