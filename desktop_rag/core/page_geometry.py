"""Places on a page: areas in pixels, places of words that were looked for, lines and characters.

With the lines and characters a page's text can be pointed at, selected and copied.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

Rectangle = tuple[float, float, float, float]
_BROKEN = "\ufffe"  # PDFium's mark where a word was broken at the end of a line
_LINE_END = re.compile("\ufffe(?:\r?\n)?|\r\n|\r")
_WORD = re.compile(r"[^\W_]+(?:['’-][^\W_]+)*")
_NEAR = 3.0  # points around a line that still mean it


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
class PageBookmark:
    """A line of a PDF's outline: its level from 0, its page, and points from the page's top."""

    title: str
    level: int
    page: int
    y: float


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


@dataclass(frozen=True, slots=True)
class CharacterLine:
    """A line: its range of letters and the rectangle around them; `across` if it runs sideways."""

    start: int
    end: int
    box: Rectangle
    upright: bool = False

    def distance(self, x: float, y: float) -> float:
        """Return how far a point is from the line, what is above or below counting double."""
        x0, y0, x1, y1 = self.box
        across, down = max(x0 - x, 0.0, x - x1), max(y0 - y, 0.0, y - y1)
        return across * 2 + down if self.upright else across + down * 2


@dataclass(frozen=True, slots=True)
class PageCharacters:
    """A page's characters, and for each its rectangle in points of the page as shown.

    Line ends, and what else can't be seen, have an empty rectangle at the origin. `lines` are in
    the order of the text.
    """

    text: str
    boxes: tuple[Rectangle, ...]
    lines: tuple[CharacterLine, ...]

    @classmethod
    def of(cls, text: str, boxes: tuple[Rectangle, ...]) -> PageCharacters:
        """Return letters with their lines."""
        return cls(text, boxes, tuple(_lines(boxes)))

    def near(self, x: float, y: float) -> bool:
        """Say whether a point lies on a line."""
        return any(line.distance(x, y) <= _NEAR for line in self.lines)

    def at(self, x: float, y: float) -> int:
        """Return the place between two letters that is nearest to a point."""
        if not self.lines:
            return 0
        line = min(self.lines, key=lambda each: each.distance(x, y))
        for index in range(line.start, line.end):
            x0, y0, x1, y1 = self.boxes[index]
            if x1 <= x0:
                continue
            if (y < (y0 + y1) / 2) if line.upright else (x < (x0 + x1) / 2):
                return index
        return line.end

    def letter_at(self, x: float, y: float) -> int:
        """Return the letter that a point lies on, or the nearest one of its line."""
        if not self.lines:
            return 0
        line = min(self.lines, key=lambda each: each.distance(x, y))
        return min(range(line.start, line.end), key=lambda at: _gap(self.boxes[at], x, y))

    def word(self, index: int) -> tuple[int, int]:
        """Return the range of the word at a letter; of a run of Chinese, the single letter."""
        if index < len(self.text) and unicodedata.east_asian_width(self.text[index]) in "WF":
            return index, index + 1
        for match in _WORD.finditer(self.text):
            if match.start() <= index < match.end():
                return match.span()
        return index, min(index + 1, len(self.text))

    def rectangles(self, start: int, end: int) -> Iterator[Rectangle]:
        """Yield for each line that a range touches the rectangle of what is in it."""
        for line in self.lines:
            boxes = self.boxes[max(start, line.start) : min(end, line.end)]
            seen = [box for box in boxes if box[2] > box[0]]
            if seen:
                yield bounding_box(seen)

    def told(self, start: int = 0, end: int | None = None) -> str:
        """Return a range of the text as it is read: lines ended alike, broken words joined."""
        return _LINE_END.sub(_read, self.text[start:end])


def bounding_box(boxes: Sequence[Rectangle]) -> Rectangle:
    """Return the rectangle around several."""
    lefts, tops, rights, bottoms = zip(*boxes, strict=True)
    return min(lefts), min(tops), max(rights), max(bottoms)


def _read(end: re.Match[str]) -> str:
    return "" if end.group().startswith(_BROKEN) else "\n"


def _gap(box: Rectangle, x: float, y: float) -> float:
    if box[2] <= box[0]:
        return float("inf")
    return max(box[0] - x, 0.0, x - box[2]) + max(box[1] - y, 0.0, y - box[3])


def _lines(boxes: Sequence[Rectangle]) -> Iterator[CharacterLine]:
    """Yield the runs of letters that stand on one height, or, turned, below one another."""
    start = 0
    run: list[Rectangle] = []
    for index, box in enumerate([*boxes, (0.0, 0.0, 0.0, 0.0)]):
        seen = box[2] > box[0]
        if seen and (not run or _follows(run[-1], box)):
            if not run:
                start = index
            run.append(box)
            continue
        if run:
            yield _span(start, index, run)
        run, start = ([box], index) if seen else ([], index)


def _follows(one: Rectangle, other: Rectangle) -> bool:
    """Say whether a letter goes on a line: beside the last one, or below it on a turned page."""
    beside = min(one[3], other[3]) - max(one[1], other[1])
    below = min(one[2], other[2]) - max(one[0], other[0])
    tall = min(one[3] - one[1], other[3] - other[1])
    wide = min(one[2] - one[0], other[2] - other[0])
    return beside > 0.3 * tall or (below > 0.6 * wide and _touches(one, other))


def _touches(one: Rectangle, other: Rectangle) -> bool:
    gap = max(other[1] - one[3], one[1] - other[3])
    return gap < 0.6 * (one[2] - one[0]) and gap > -0.6 * (one[3] - one[1])


def _span(start: int, end: int, run: list[Rectangle]) -> CharacterLine:
    box = bounding_box(run)
    tall, wide = box[3] - box[1], box[2] - box[0]
    letters = max((each[2] - each[0] for each in run), default=0.0)
    return CharacterLine(
        start, end, box, upright=len(run) > 2 and tall > 2 * wide and wide < 2.5 * letters
    )
