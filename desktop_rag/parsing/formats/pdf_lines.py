"""A PDF page as lines of text with their boxes, in the order in which the page tells them.

PDFium gives the characters in the order of the page's content; here its lines get boxes on the
page as shown, and what it tore apart on one line (raised marks, cells drawn one by one) is joined
again. `pdf_reading_order` puts them in order, `pdf_blocks` says what a line means.
"""

from __future__ import annotations

import ctypes
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from statistics import median_low
from typing import Any

import pypdfium2.raw as pdfium

from desktop_rag.core.types import Box
from desktop_rag.parsing.file_problems import FIRST_WIDE

HYPHEN = "\ufffe"  # PDFium's mark where a word was broken at the end of a line
_BOLD = re.compile(rb"bold|black|heavy", re.IGNORECASE)
_BULLET = re.compile(r"([^\w\s$€£¥(\[]{1,2}|\(?(\d{1,3}|[a-zA-Z]|[ivx]{1,5})[.)])\s")
# Dots that lead from a label to its number.
_LEADER = re.compile(
    r"(?<=\S)\s*(?:\.\s?){4,}(?=\s*\S)|\s*(?:\.\s?){5,}$|(?<=\S)\s\.{3}\s(?=[$€£¥]?\s?\(?\d)"
)
_FROM_RIGHT = re.compile(r"[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]")  # Hebrew, Arabic
# In heights of the line: what parts the cells of a table, what may part columns, and two words.
_CELL_GAP = 1.3
_PART_GAP = 0.8  # beside a Chinese comma it is 0.6
_WORD_GAP = 0.18
_LONG = 45
_WORD = re.compile(r"\S+")
_FLAT = 0.1  # points: no letter is as low, and a dash may as well be measured by its place


Rectangle = tuple[float, float, float, float]


@dataclass(frozen=True, slots=True)
class LineWord:
    """A word of a line, or what else is not told apart there, and from where to where it goes."""

    text: str
    x0: float
    x1: float


@dataclass(frozen=True, slots=True)
class TextLine:
    """One line: its text, its rectangle from the page's top left, its font's height.

    `cells` counts the pieces between wide gaps; where there are several, `words` are its words.
    `broken` says that its last word goes on in the next line. A row of a table whose cells have
    borders is one line, its `words` the cells; `ruled` numbers that table, from 1.
    """

    text: str
    x0: float
    y0: float
    x1: float
    y1: float
    size: float
    bold: bool = False
    cells: int = 1
    broken: bool = False
    words: tuple[LineWord, ...] = ()
    ruled: int = 0

    @property
    def placed_words(self) -> tuple[LineWord, ...]:
        """Its words, or the line as one where they are not known."""
        return self.words or (LineWord(self.text, self.x0, self.x1),)

    @property
    def height(self) -> float:
        """The height of the letters."""
        return self.y1 - self.y0

    def box(self, start: int) -> Box:
        """Return the rectangle to a tenth of a point, for text that starts at an offset."""
        x0, y0, x1, y1 = (round(each, 1) for each in (self.x0, self.y0, self.x1, self.y1))
        return Box(x0, y0, x1, y1, start, start + len(self.text))


@dataclass(frozen=True, slots=True)
class MeasuredLine:
    """A line with its parts between gaps wider than a space, and the characters that it has.

    `parts` are rectangles on the page as shown, `first` and `last` numbers of characters.
    """

    line: TextLine
    parts: tuple[Rectangle, ...]
    first: int
    last: int


@dataclass(frozen=True, slots=True)
class PageTransform:
    """The way from a page's own space to the page as shown, its origin at the top left."""

    a: float
    b: float
    c: float
    d: float
    e: float
    f: float

    @classmethod
    def of(cls, page: Any) -> PageTransform:
        """Return a page's view: its rotation and crop box applied, in points."""
        e, f = _shown(page, 0, 0)
        ax, ay = _shown(page, 1000, 0)
        bx, by = _shown(page, 0, 1000)
        return cls((ax - e) / 1000, (ay - f) / 1000, (bx - e) / 1000, (by - f) / 1000, e, f)

    def box(self, corners: Rectangle) -> Rectangle:
        """Return a rectangle (left, bottom, right, top) as x0, y0, x1, y1 from the top left."""
        left, bottom, right, top = corners
        if not (self.b or self.c) and self.a > 0 > self.d:
            x, y = self.e, self.f
            return self.a * left + x, self.d * top + y, self.a * right + x, self.d * bottom + y
        xs = [self.a * x + self.c * y + self.e for x in (left, right) for y in (bottom, top)]
        ys = [self.b * x + self.d * y + self.f for x in (left, right) for y in (bottom, top)]
        return min(xs), min(ys), max(xs), max(ys)


def latin_length(text: str) -> int:
    """Return a length in Latin letters: a wide character (Chinese, say) tells as much as three."""
    if text.isascii():
        return len(text)
    return len(text) + 2 * sum(map(FIRST_WIDE.__le__, text))


def letter_count(text: str) -> int:
    """Return the length of a text's letters alone."""
    return latin_length("".join(filter(str.isalpha, text)))


def _shown(page: Any, x: float, y: float) -> tuple[float, float]:
    """Return a point of the page in the page as shown, by PDFium's own transform."""
    scale = 64
    width, height = (int(side * scale) for side in page.get_size())
    across, down = ctypes.c_int(), ctypes.c_int()
    pdfium.FPDF_PageToDevice(page, 0, 0, width, height, 0, x, y, across, down)
    return across.value / scale, down.value / scale


def measured_lines(textpage: Any, view: PageTransform) -> Iterator[MeasuredLine]:
    """Yield the lines of a page that can be seen, in the order of its content."""
    text = textpage.get_text_range(errors="replace")
    at = 0
    for piece in text.replace(HYPHEN, f"{HYPHEN}\r\n").split("\r\n"):
        broken = piece.endswith(HYPHEN)
        units = _units(piece)
        if piece.strip():
            line = _found(textpage, piece, (at, at + units), view)
            if line is not None:
                yield line
        at += units + (0 if broken else 2)


def _units(text: str) -> int:
    return len(text.encode("utf-16-le")) // 2


def _found(
    textpage: Any, piece: str, span: tuple[int, int], view: PageTransform
) -> MeasuredLine | None:
    """Return what stands in a range of the page's text; None when nothing of it can be seen."""
    lead, trail = len(piece) - len(piece.lstrip()), len(piece) - len(piece.rstrip())
    first = pdfium.FPDFText_GetCharIndexFromTextIndex(textpage, span[0] + lead)
    last = pdfium.FPDFText_GetCharIndexFromTextIndex(textpage, span[1] - trail - 1)
    return measured(textpage, piece, (first, last), view)


def measured(
    textpage: Any, piece: str, span: tuple[int, int], view: PageTransform
) -> MeasuredLine | None:
    """Return characters, from the first to the last, as a line; None when none can be seen."""
    first, last = span
    if first < 0 or last < first:
        return None
    runs = list(rectangles(textpage, first, last))
    if not runs:
        return None
    around = view.box(_around(runs) if len(runs) > 1 else runs[0])
    x0, y0, x1, y1 = around
    text = _tidy(piece)
    size = _usual_size(textpage, (first, last), text, view) or y1 - y0
    parts = _parts(runs, view, size) if len(runs) > 1 else (around,)
    gaps = 0
    if len(parts) > 1:
        from_right = not text.isascii() and _FROM_RIGHT.search(text) is not None
        pairs = pairwise(reversed(parts) if from_right else parts)
        gaps = sum(other[0] - one[2] > _CELL_GAP * size for one, other in pairs)
    cells = 1 + gaps + text.count(" … ")
    cells -= cells > 1 and _BULLET.match(text) is not None
    lead = len(piece) - len(piece.lstrip())
    start = pdfium.FPDFText_GetTextIndexFromCharIndex(textpage, first) - lead
    words = tuple(_words(textpage, piece, start, view)) if cells > 1 else ()
    line = TextLine(
        text=text,
        x0=x0, y0=y0, x1=x1, y1=y1, size=size,
        bold=_is_bold(textpage, first) and _is_bold(textpage, last),
        cells=cells,
        broken=piece.endswith(HYPHEN),
        words=words,
    )  # fmt: skip
    return MeasuredLine(line, parts, first, last)


def _words(textpage: Any, piece: str, start: int, view: PageTransform) -> Iterator[LineWord]:
    """Yield a line's words; `start` is where it begins in the page's text."""
    wide = not piece.isascii()
    for match in _WORD.finditer(piece):
        text = _tidy(match.group())
        if text == ".":
            continue  # of dots that lead to a number
        at, end = match.span()
        if wide:  # PDFium counts in UTF-16
            at, end = (len(piece[:each].encode("utf-16-le")) // 2 for each in (at, end))
        first, last = (
            pdfium.FPDFText_GetCharIndexFromTextIndex(textpage, start + each)
            for each in (at, end - 1)
        )
        ends = [box for each in (first, last) for box in places(textpage, each, each)]
        if text:
            x0, _, x1, _ = view.box(_around(ends))
            yield LineWord(text, x0, x1)


def rectangles(textpage: Any, first: int, last: int) -> Iterator[Rectangle]:
    """Return left, bottom, right, top of what stands from one character to another, run by run.

    A font that is neither in the document nor on this machine draws nothing: of Chinese on a
    machine without such letters PDFium knows each character's place alone.
    """
    boxes = _drawn if all(map(_has_shape, _edges(textpage, first, last))) else places
    return (box for box in boxes(textpage, first, last) if box[2] > box[0])


def _edges(textpage: Any, first: int, last: int) -> Iterator[Rectangle]:
    for at in (first, last):
        yield next(_drawn(textpage, at, at), (0.0,) * 4)


def _has_shape(box: Rectangle) -> bool:
    left, bottom, right, top = box
    return right > left and top > bottom + _FLAT


def _around(runs: Sequence[Rectangle]) -> Rectangle:
    lefts, bottoms, rights, tops = zip(*runs, strict=True)
    return min(lefts), min(bottoms), max(rights), max(tops)


def _parts(runs: Sequence[Rectangle], view: PageTransform, size: float) -> tuple[Rectangle, ...]:
    """Return the rectangles between gaps, forwards or back, wider than those between words."""
    scale = view.a
    is_turned = bool(view.b or view.c or scale <= 0)
    if is_turned:
        runs, scale = [view.box(each) for each in runs], 1.0
    least = _PART_GAP * size / scale
    parts = [[runs[0]]]
    for before, after in pairwise(runs):
        if after[0] - before[2] > least or before[0] - after[2] > least:
            parts.append([])
        parts[-1].append(after)
    around = map(_around, parts)
    return tuple(around if is_turned else map(view.box, around))


def _is_bold(textpage: Any, index: int) -> bool:
    name, flags = ctypes.create_string_buffer(128), ctypes.c_int()
    pdfium.FPDFText_GetFontInfo(textpage, index, name, len(name), flags)
    return _BOLD.search(name.value) is not None


def _tidy(piece: str) -> str:
    text = " ".join(piece.replace(HYPHEN, "-").replace("\u00ad", "").split())
    return _LEADER.sub(" … ", text).strip() if "..." in text or ". . . ." in text else text


def _drawn(textpage: Any, first: int, last: int) -> Iterator[Rectangle]:
    """Yield left, bottom, right, top of each run of characters that the page draws."""
    left, top, right, bottom = (ctypes.c_double() for _ in range(4))
    for index in range(pdfium.FPDFText_CountRects(textpage, first, last - first + 1)):
        if pdfium.FPDFText_GetRect(textpage, index, left, top, right, bottom):
            yield left.value, bottom.value, right.value, top.value


def places(textpage: Any, first: int, last: int) -> Iterator[Rectangle]:
    """Yield left, bottom, right, top of each character's place in the line, drawn or not.

    That of a character that has none is empty.
    """
    rect = pdfium.FS_RECTF()
    for index in range(first, last + 1):
        if pdfium.FPDFText_GetLooseCharBox(textpage, index, rect):
            yield rect.left, rect.bottom, rect.right, rect.top
        else:
            yield 0.0, 0.0, 0.0, 0.0


def _usual_size(textpage: Any, span: tuple[int, int], text: str, view: PageTransform) -> float:
    """Return a line's font height: of its first letter in capitals, which may be small ones."""
    first, last = span
    if text.isupper():
        return _size(textpage, first, view)
    sizes = [_size(textpage, at, view) for at in (first, (first + last) // 2, last)]
    return median_low([each for each in sizes if each] or [0.0])


def _size(textpage: Any, index: int, view: PageTransform) -> float:
    """Return the height of a character's font on the page as shown."""
    place = next(places(textpage, index, index), None)
    if place is None:
        return 0.0
    _, top, _, bottom = view.box(place)
    return bottom - top


def joined_lines(found: Iterable[TextLine]) -> list[TextLine]:
    """Return lines, those joined that are pieces of one."""
    joined: list[TextLine] = []
    for line in found:
        if joined and _same_line(joined[-1], line):
            joined[-1] = _together(joined[-1], line)
        else:
            joined.append(line)
    return joined


def _same_line(one: TextLine, other: TextLine) -> bool:
    """Say whether a line goes on: beside it, on its height, and no column of its own."""
    overlap = min(one.y1, other.y1) - max(one.y0, other.y0)
    if overlap < 0.4 * min(one.height, other.height) or one.broken:
        return False
    gap = other.x0 - one.x1
    if gap < -0.3 * one.size:
        return False
    near = gap < _CELL_GAP * one.size
    return near or min(latin_length(one.text), latin_length(other.text)) <= _LONG


def _together(one: TextLine, other: TextLine) -> TextLine:
    gap = other.x0 - one.x1
    space = "" if gap < _WORD_GAP * one.size else " "
    wide = gap > _CELL_GAP * one.size
    return replace(
        one,
        text=f"{one.text}{space}{other.text}",
        x0=min(one.x0, other.x0), y0=min(one.y0, other.y0),
        x1=max(one.x1, other.x1), y1=max(one.y1, other.y1),
        size=max(one.size, other.size),
        cells=one.cells + other.cells - (not wide),
        broken=other.broken,
        words=one.placed_words + other.placed_words,
    )  # fmt: skip
