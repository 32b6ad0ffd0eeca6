"""Recognised pages as the lines that a PDF's own text gives, and their blocks' boxes as shown.

What is recognised tells a line's height, not its font's, and that roughly: small differences are
no heading's. Lines are those of the level page until they are blocks. They are put in order here,
not where they are recognised: what is kept of that outlasts what is known of order.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from statistics import median

from desktop_rag.core.page_notes import HARD_PAGE, HARD_PAGES
from desktop_rag.core.phrases import Phrase
from desktop_rag.parsing.formats.pdf_blocks import PageBlock
from desktop_rag.parsing.formats.pdf_lines import TextLine, joined_lines
from desktop_rag.parsing.ocr.recognized_page import (
    LEAST_CONFIDENCE,
    Recognized,
    RecognizedLine,
    RecognizedPage,
)
from desktop_rag.parsing.reading_order import in_reading_order

# Of a recognised line's height, as it has white on all sides: its font's, and what to cut off at
# either end.
_FONT_SHARE, _WHITE_SHARE = 0.8, 0.18
_LARGER = 1.35  # times the usual height: letters of a heading
_USUAL = (0.7, 1.45)  # of all pages' usual height: a page's own


def recognized_lines(recognized: Recognized, body: float) -> dict[int, list[TextLine]]:
    """Return each page's lines; `body` is the font height of running text, 0 if not known."""
    heights = {number: _height(page.lines) for number, page in recognized.items()}
    usual = _height(line for page in recognized.values() for line in page.lines)
    lines: dict[int, list[TextLine]] = {}
    for number, page in recognized.items():
        own = heights[number]
        least, most = (usual * each for each in _USUAL)
        height = own if least < own < most else usual
        lines[number] = joined_lines(_text_lines(page, height, body or _FONT_SHARE * usual))
    return lines


def _text_lines(page: RecognizedPage, height: float, body: float) -> Iterator[TextLine]:
    for line in in_reading_order(page.lines):
        larger = (line.y1 - line.y0) / height
        size = body * larger if larger > _LARGER else body
        white = _WHITE_SHARE * min(line.y1 - line.y0, line.x1 - line.x0)
        yield TextLine(line.text, line.x0 + white, line.y0, line.x1 - white, line.y1, size)


def _height(lines: Iterable[RecognizedLine]) -> float:
    """Return the usual height of lines, each counted by its length."""
    heights = [line.y1 - line.y0 for line in lines for _ in range(1 + len(line.text) // 8)]
    return max(0.1, median(heights)) if heights else 1.0


def as_shown(blocks: Iterable[PageBlock], page: RecognizedPage) -> Iterator[PageBlock]:
    """Yield blocks of the level page with their boxes on the page as shown."""
    for each in blocks:
        boxes = []
        for box in each.block.boxes:
            corners = page.shown((box.x0, box.y0, box.x1, box.y1))
            x0, y0, x1, y1 = (round(each, 1) for each in corners)
            boxes.append(replace(box, x0=x0, y0=y0, x1=x1, y1=y1))
        yield replace(each, block=replace(each.block, boxes=tuple(boxes)))


def confidence_notes(recognized: Recognized) -> tuple[str, ...]:
    """Say which pages were hard to read, so that their text may be wrong."""
    hard = [n for n, page in sorted(recognized.items()) if page.confidence < LEAST_CONFIDENCE]
    if not hard:
        return ()
    if len(hard) == 1:
        return (Phrase(HARD_PAGE, hard[0]),)
    return (Phrase(HARD_PAGES, len(hard), len(recognized)),)
