"""What was recognised on one page: lines of text with their places, as a value that can be kept.

A page may lie on its side or slope, as it was scanned. Its lines have their places on the page
turned upright, where they are level; `RecognizedPage.shown` leads back.
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Annotated, Any

from msgspec import Meta, Struct

from desktop_rag.core import codec

LONGEST_LINE = 2000  # characters
MOST_LINES = 10_000
LONGEST_PAGE = 8 * 1024 * 1024  # bytes of a packed page
LEAST_CONFIDENCE = 0.6  # below it, on the average, a page was hard to read

Rectangle = tuple[float, float, float, float]
_Length = Annotated[float, Meta(ge=-1e6, le=1e6)]
_Line = tuple[
    Annotated[str, Meta(max_length=LONGEST_LINE)],
    _Length, _Length, _Length, _Length,
    Annotated[float, Meta(ge=0, le=1)],
]  # fmt: skip


@dataclass(frozen=True, slots=True)
class RecognizedLine:
    """A piece of text on one line: its rectangle from the upright page's top left, in points.

    What stands in two columns, or in two cells of a table, is two pieces.
    """

    text: str
    x0: float
    y0: float
    x1: float
    y1: float
    confidence: float


@dataclass(frozen=True, slots=True)
class RecognizedPage:
    """The lines of a page as they were found; its `width` and `height` as shown are in points.

    `turn` is by how many degrees the page has to be turned, clockwise, until its lines are level.
    No lines: there is no text on it.
    """

    width: float
    height: float
    turn: float
    lines: tuple[RecognizedLine, ...]

    @property
    def confidence(self) -> float:
        """How sure the recogniser is of a character on the average; 1 for a page without any."""
        length = sum(len(line.text) for line in self.lines)
        sure = sum(line.confidence * len(line.text) for line in self.lines)
        return sure / length if length else 1.0

    @property
    def level_size(self) -> tuple[float, float]:
        """Width and height of the page when it is turned."""
        sine, cosine = math.sin(math.radians(self.turn)), math.cos(math.radians(self.turn))
        wide = abs(self.width * cosine) + abs(self.height * sine)
        return wide, abs(self.width * sine) + abs(self.height * cosine)

    def shown(self, corners: Rectangle) -> Rectangle:
        """Return the rectangle on the page as shown that holds one of the upright page."""
        x0, y0, x1, y1 = corners
        sine, cosine = math.sin(math.radians(self.turn)), math.cos(math.radians(self.turn))
        wide, high = self.level_size
        moved = [(x - wide / 2, y - high / 2) for x in (x0, x1) for y in (y0, y1)]
        xs = [x * cosine + y * sine + self.width / 2 for x, y in moved]
        ys = [y * cosine - x * sine + self.height / 2 for x, y in moved]
        left, right = (min(max(x, 0.0), self.width) for x in (min(xs), max(xs)))
        top, bottom = (min(max(y, 0.0), self.height) for y in (min(ys), max(ys)))
        return left, top, right, bottom


# What was recognised of a file: its pages by their numbers, from 1.
Recognized = Mapping[int, RecognizedPage]
NOTHING_RECOGNIZED: Recognized = MappingProxyType({})


class _PackedPage(Struct):
    """A page as `pack_page` writes it."""

    width: Annotated[float, Meta(gt=0, le=1e6)]
    height: Annotated[float, Meta(gt=0, le=1e6)]
    turn: Annotated[float, Meta(ge=-360, le=360)]
    lines: Annotated[tuple[_Line, ...], Meta(max_length=MOST_LINES)]


def pack_page(page: RecognizedPage) -> bytes:
    """Return a page as JSON, of bounded size: what would go beyond that is left out."""
    packed = json.dumps(plain_page(page), ensure_ascii=False, separators=(",", ":"))
    return packed.encode("utf-8", "replace")


def unpack_page(raw: bytes) -> RecognizedPage:
    """Read `pack_page`'s form; a ValueError when it is not that, or is too long."""
    if len(raw) > LONGEST_PAGE:
        raise ValueError(len(raw))
    try:
        return page_of(json.loads(raw))
    except RecursionError as error:
        raise ValueError(raw[:20]) from error


def plain_page(page: RecognizedPage) -> dict[str, Any]:
    """Return a page as JSON has it."""
    return {
        "width": round(page.width, 2),
        "height": round(page.height, 2),
        "turn": round(page.turn, 2),
        "lines": [_plain(line) for line in page.lines[:MOST_LINES]],
    }


def page_of(plain: Any) -> RecognizedPage:
    """Read `plain_page`'s form; a ValueError when it is not that."""
    packed = codec.decode(plain, _PackedPage)
    lines = tuple(RecognizedLine(*line) for line in packed.lines)
    return RecognizedPage(packed.width, packed.height, packed.turn, lines)


def _plain(line: RecognizedLine) -> list[str | float]:
    places = (round(each, 1) for each in (line.x0, line.y0, line.x1, line.y1))
    return [line.text[:LONGEST_LINE], *places, round(line.confidence, 3)]
