"""A PDF page's lines in the order in which they are read.

Most writers give a page's content in that order, and know more of it than can be seen: it is kept
where it is followed. It is not where it goes from one column into the next line after line, or
back up the page again and again: then columns are told by their gutters (`reading_order`).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby, pairwise
from typing import Any

from desktop_rag.parsing.formats.pdf_lines import (
    MeasuredLine,
    PageTransform,
    TextLine,
    joined_lines,
    latin_length,
    measured,
    measured_lines,
    rectangles,
)
from desktop_rag.parsing.reading_order import regions

_LEAST_ACROSS = 4  # times that the content goes from one column into another, side by side
_CELL = 12  # Latin letters: shorter pieces side by side are cells, or marks
_SAME_ROW = 0.4  # of the lower piece's height
_LEAST_CROSSING = 0.25  # of the pieces in the columns that it goes between
_MOST_BACK = 0.3  # of the steps from piece to piece


@dataclass(frozen=True, slots=True)
class _Segment:
    """A part of a line between wide gaps; `line` is the line's number in the page's content."""

    line: int
    text: str
    x0: float
    y0: float
    x1: float
    y1: float


def page_lines(page: Any) -> list[TextLine]:
    """Return a page's lines in the order of reading, pieces of one line joined."""
    textpage = page.get_textpage()
    try:
        view = PageTransform.of(page)
        found = list(measured_lines(textpage, view))
        return joined_lines(_in_reading_order(textpage, view, found))
    finally:
        textpage.close()


def _in_reading_order(
    textpage: Any, view: PageTransform, found: Sequence[MeasuredLine]
) -> Iterator[TextLine]:
    if _is_plain(found):
        yield from (each.line for each in found)
        return
    segments = [part for at, line in enumerate(found) for part in _segments(at, line)]
    for region in _ordered(segments):
        for at, run in groupby(region, key=_line_number):
            parts = list(run)
            if len(parts) == len(found[at].parts):
                yield found[at].line
            else:
                yield from _pieces(textpage, view, found[at], parts)


def _is_plain(found: Sequence[MeasuredLine]) -> bool:
    """Say whether a page can be told at once to have its content in order, as most can."""
    gaps = sum(len(each.parts) - 1 for each in found if len(each.line.text) >= _CELL)
    lines = [each.line for each in found]
    beside = back = 0
    for one, other in pairwise(lines):
        if other.y0 < one.y1:
            beside += other.y1 > one.y0
            back += other.y1 < one.y0
    return gaps + beside < _LEAST_ACROSS and back < _LEAST_ACROSS


def _segments(at: int, found: MeasuredLine) -> Iterator[_Segment]:
    """Yield a line's parts, each with its share of the text, which is not measured yet."""
    text, parts = found.line.text, found.parts
    width = sum(x1 - x0 for x0, _, x1, _ in parts) or 1.0
    told = 0.0
    for x0, y0, x1, y1 in parts:
        begin = round(told * len(text))
        told += (x1 - x0) / width
        yield _Segment(at, text[begin : round(told * len(text))], x0, y0, x1, y1)


def _ordered(segments: Sequence[_Segment]) -> list[list[_Segment]]:
    """Return the parts of the page in the order of reading, each with its segments."""
    goes_back = _goes_back(segments)
    across = [pair for pair in pairwise(segments) if _are_side_by_side(*pair)]
    if not goes_back and len(across) < _LEAST_ACROSS:
        return [list(segments)]
    found = regions(segments)
    number = {id(each): n for n, region in enumerate(found) for each in region}
    if goes_back:
        return found
    crossing = [(number[id(a)], number[id(b)]) for a, b in across if number[id(a)] != number[id(b)]]
    touched = {each for pair in crossing for each in pair}
    most = sum(len(found[each]) for each in touched)
    if len(crossing) < max(_LEAST_ACROSS, _LEAST_CROSSING * most):
        return [list(segments)]
    by_region: list[list[_Segment]] = [[] for _ in found]
    for each in segments:
        by_region[number[id(each)]].append(each)
    return by_region


def _are_side_by_side(one: _Segment, other: _Segment) -> bool:
    """Say whether running text is followed by more on the same height, after a gap."""
    if min(latin_length(one.text), latin_length(other.text)) < _CELL:
        return False
    least = min(one.y1 - one.y0, other.y1 - other.y0)
    if min(one.y1, other.y1) - max(one.y0, other.y0) < _SAME_ROW * least:
        return False
    return other.x0 > one.x1 or one.x0 > other.x1


def _goes_back(segments: Sequence[_Segment]) -> bool:
    """Say whether the content goes back up again and again, to stand over what it has told."""
    back = sum(
        other.y1 < one.y0 and min(one.x1, other.x1) > max(one.x0, other.x0)
        for one, other in pairwise(segments)
    )
    return back >= _LEAST_ACROSS and back > _MOST_BACK * len(segments)


def _pieces(
    textpage: Any, view: PageTransform, found: MeasuredLine, parts: Sequence[_Segment]
) -> Iterator[TextLine]:
    """Yield what stands in some parts of a line, next to each other, as a line of its own."""
    left, right = min(part.x0 for part in parts), max(part.x1 for part in parts)
    held = []
    for at in range(found.first, found.last + 1):
        place = next(iter(rectangles(textpage, at, at)), None)
        if place is not None:
            x0, _, x1, _ = view.box(place)
            if left <= (x0 + x1) / 2 <= right:
                held.append(at)
    if held:
        text = textpage.get_text_range(held[0], held[-1] - held[0] + 1, errors="replace")
        line = measured(textpage, text, (held[0], held[-1]), view)
        if line is not None:
            yield line.line


def _line_number(segment: _Segment) -> int:
    return segment.line
