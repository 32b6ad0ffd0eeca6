"""Puts lines, rules and boxes on pages, and writes them as a PDF in a chosen order."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from enum import Enum
from pathlib import Path
from random import Random

from reportlab.pdfgen.canvas import Canvas

from benchmarks.page_layouts.made_document import (
    MadeDocument,
    MadeTable,
    PlacedLine,
    texts_of,
    with_whole_sentences,
)
from benchmarks.page_layouts.typesetting import HEBREW, Style, broken_lines, register_fonts

WIDE, HIGH = 595.0, 842.0  # A4
Rule = tuple[int, float, float, float, float]  # its page, and both its ends


class DrawingOrder(Enum):
    """In which order a page's content stands in the file."""

    READING = "as it is read"
    ROWS = "line by line over all columns"
    PARTS = "paragraphs in no order"


@dataclass(frozen=True, slots=True)
class Frame:
    """A column on a page: its left edge, its upper and lower edge from the bottom, its width.

    `foot` is set at its end, in the style given with it, and stands aside.
    """

    page: int
    x: float
    top: float
    bottom: float
    width: float
    foot: tuple[tuple[str, Style], ...] = ()


class PageWriter:
    """Collects what stands on a document's pages, in reading order."""

    def __init__(self, order: DrawingOrder = DrawingOrder.READING, *, turned: bool = False) -> None:
        register_fonts()
        self.order = order
        self.turned = turned  # pages on their sides in the file, which says how they are shown
        self.lines: list[PlacedLine] = []
        self.rules: list[Rule] = []
        self.tables: list[MadeTable] = []
        self._furniture: list[PlacedLine] = []
        self._parts = 0

    @property
    def size(self) -> tuple[float, float]:
        """Width and height of the pages as shown."""
        return (HIGH, WIDE) if self.turned else (WIDE, HIGH)

    def part(self) -> int:
        """Begin a paragraph, a cell or whatever else is one piece of text; return its number."""
        self._parts += 1
        return self._parts

    def put(self, line: PlacedLine) -> None:
        """Set a line after all others."""
        self.lines.append(line)

    def furnish(self, page: int, text: str, place: tuple[float, float], style: Style) -> None:
        """Set a running head or a page number."""
        x, y = place
        self._furniture.append(PlacedLine(page, 0, text, x, y, style.font, style.size))

    def paragraph(self, text: str, style: Style, frame: Frame, *, aside: bool = False) -> float:
        """Set a paragraph at the top of a frame that has room for it; return where it ends."""
        part, y = self.part(), frame.top
        for at, line in enumerate(broken_lines(text, style, frame.width)):
            y -= style.leading
            x = frame.x + (0 if at else style.indent)
            if style.font == HEBREW:
                x = frame.x + frame.width - style.width(line.text)
            self.put(PlacedLine(
                frame.page, part, line.text, x, y, style.font, style.size, line.broken, aside,
            ))  # fmt: skip
        return y

    def flow(self, items: Sequence[tuple[str, Style]], frames: Iterator[Frame]) -> Frame:
        """Set paragraphs into frames, one after the other; return what is left of the last one."""
        frame = next(frames)
        y = frame.top
        for at, (text, style) in enumerate(items):
            part = self.part()
            lines = broken_lines(text, style, frame.width)
            lone = len(lines) == 1 and at + 1 < len(items)  # a heading stays with what it heads
            for count, line in enumerate(lines):
                if y - style.leading * (3 if lone else 1) < frame.bottom + _foot_height(frame):
                    self._end(frame)
                    frame = next(frames)
                    y = frame.top
                y -= style.leading
                indent = 0.0 if count else style.indent
                last = count + 1 == len(lines)
                spread = 0.0 if last else _spread(line.text, style, frame.width - indent)
                self.put(PlacedLine(
                    frame.page, part, line.text, frame.x + indent, y, style.font, style.size,
                    line.broken, spread=spread,
                ))  # fmt: skip
            y -= style.leading * 0.45
        self._end(frame)
        return replace(frame, top=y, foot=())

    def _end(self, frame: Frame) -> None:
        y = frame.bottom + _foot_height(frame)
        if frame.foot:
            self.rules.append((frame.page, frame.x, y - 4, frame.x + 60, y - 4))
            y -= 6
        for text, style in frame.foot:
            y = self.paragraph(text, style, replace(frame, top=y), aside=True)

    def document(self, name: str, kind: str, language: str) -> MadeDocument:
        """Return what the pages must be read as."""
        furniture = tuple(dict.fromkeys(line.text for line in self._furniture))
        pages = 1 + max(line.page for line in self.lines)
        whole, cut = with_whole_sentences(self.lines)
        texts = tuple(dict.fromkeys((*texts_of(self.lines), *texts_of(whole))))
        return MadeDocument(name, kind, language, pages, texts, tuple(self.tables), furniture, cut)

    def write(self, path: Path, random: Random) -> None:
        """Write the pages as a PDF, always the same bytes for the same content."""
        canvas = Canvas(str(path), pagesize=self.size, invariant=1)
        for page in range(1 + max(line.page for line in self.lines)):
            if self.turned:
                canvas.setPageRotation(90)
                canvas.transform(0, 1, -1, 0, WIDE, 0)
            for _, x0, y0, x1, y1 in (rule for rule in self.rules if rule[0] == page):
                canvas.setLineWidth(0.6)
                canvas.line(x0, y0, x1, y1)
            mine = [line for line in (*self._furniture, *self.lines) if line.page == page]
            for line in _ORDERS[self.order](mine, random):
                _draw(canvas, line)
            canvas.showPage()
        canvas.save()


def _foot_height(frame: Frame) -> float:
    lines = sum(
        style.leading * len(broken_lines(text, style, frame.width)) for text, style in frame.foot
    )
    return lines + 8 if frame.foot else 0.0


def _spread(text: str, style: Style, width: float) -> float:
    """Return what each space gains in a justified line."""
    spaces = text.count(" ")
    return (width - style.width(text)) / spaces if style.hyphenated and spaces else 0.0


def _draw(canvas: Canvas, line: PlacedLine) -> None:
    text = canvas.beginText(line.x, line.y)
    text.setFont(line.font, line.size)
    text.setWordSpace(line.spread)
    text.textOut(line.text[::-1] if line.font == HEBREW else line.text)
    canvas.drawText(text)


def _by_rows(lines: Sequence[PlacedLine], _: Random) -> list[PlacedLine]:
    return sorted(lines, key=lambda line: (-round(line.y), line.x))


def _by_parts(lines: Sequence[PlacedLine], random: Random) -> list[PlacedLine]:
    parts = sorted({line.part for line in lines})
    random.shuffle(parts)
    return sorted(lines, key=lambda line: parts.index(line.part))


def _as_read(lines: Sequence[PlacedLine], _: Random) -> list[PlacedLine]:
    return list(lines)


_ORDERS: dict[DrawingOrder, Callable[[Sequence[PlacedLine], Random], list[PlacedLine]]] = {
    DrawingOrder.READING: _as_read,
    DrawingOrder.ROWS: _by_rows,
    DrawingOrder.PARTS: _by_parts,
}
