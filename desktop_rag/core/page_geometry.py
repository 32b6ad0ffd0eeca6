"""Parts of a page as the window handles them: an area in pixels, its letters, places of words."""

from __future__ import annotations

from dataclasses import dataclass

Rectangle = tuple[float, float, float, float]


@dataclass(frozen=True, slots=True)
class PageArea:
    """A part of a page in pixels: of a page drawn `wide` × `high`, the rectangle at x, y."""

    wide: int
    high: int
    x: int
    y: int
    width: int
    height: int

    @classmethod
    def whole(cls, wide: int, high: int) -> PageArea:
        """Return the area that is the whole page."""
        return cls(wide, high, 0, 0, wide, high)


@dataclass(frozen=True, slots=True)
class PageHit:
    """One place of the words looked for: a page, and a rectangle for each line of it."""

    page: int
    boxes: tuple[Rectangle, ...]
    nth: int = 0

    @property
    def order(self) -> tuple[int, int]:
        """Where it stands among others: its page, and which one of the page it is."""
        return self.page, self.nth
