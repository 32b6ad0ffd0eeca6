"""A PDF page's lines in the order in which they are read.

Most writers give a page's content in that order, and know more of it than can be seen: it is kept
where it is followed. It is not where it goes from one column into the next line after line, or
back up the page again and again: then columns are told by their gutters (`reading_order`).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby, pairwise
from statistics import median
from typing import Any

from desktop_rag.parsing.formats.pdf_lines import (
    MeasuredLine,
    PageTransform,
    Rectangle,
    TextLine,
    joined_lines,
    latin_length,
    letter_count,
    measured,
    measured_lines,
    places,
)
from desktop_rag.parsing.reading_order import TALL, regions

_LEAST_JUMPS = 4  # that a page's content makes over what stands between
_LEAST_TO_AND_FRO = 0.7  # times a piece of the smaller of two columns
_LEAST_BACK = 3  # that it makes against the order of reading
_CELL = 12  # letters, as Latin ones: shorter pieces side by side are cells, or marks
_PROSE = 28  # Latin letters a piece: so long are the lines of prose in a narrow column
_MOST_BACK = 0.25  # of the steps from paragraph to paragraph
_SAME_ROW = 0.2  # of the lower piece's height


@dataclass(frozen=True, slots=True)
class _Segment:
    """A part of a line between wide gaps, by their numbers in the page's content."""

    line: int
    part: int
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
    for at, run in groupby(_ordered(segments), key=_line_number):
        parts = [each.part for each in run]
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
    return gaps + beside < _LEAST_JUMPS and back < _LEAST_BACK


def _segments(at: int, found: MeasuredLine) -> Iterator[_Segment]:
    """Yield a line's parts, each with its share of the text, which is not measured yet."""
    text, parts = found.line.text, found.parts
    width = sum(x1 - x0 for x0, _, x1, _ in parts) or 1.0
    told = 0.0
    for number, (x0, y0, x1, y1) in enumerate(parts):
        begin = round(told * len(text))
        told += (x1 - x0) / width
        piece = text[begin : round(told * len(text))].strip()
        yield _Segment(at, number, piece, x0, y0, x1, y1)


def _ordered(segments: Sequence[_Segment]) -> list[_Segment]:
    """Return the parts of the page in the order of reading."""
    running = [each for each in segments if letter_count(each.text) >= _CELL]
    across = sum(_are_side_by_side(*pair) for pair in pairwise(running))
    up = sum(other.y1 < one.y0 for one, other in pairwise(running))
    if across < _LEAST_JUMPS and up < _LEAST_BACK:
        return list(segments)
    found = regions(segments)
    number = {id(each): n for n, region in enumerate(found) for each in region}
    if not (_goes_to_and_fro(running, number) or _is_mixed(running, number)):
        return list(segments)
    by_region: list[list[_Segment]] = [[] for _ in found]
    for each in segments:
        by_region[number[id(each)]].append(each)
    return [
        each
        for region in by_region
        for each in (region if region and _is_tall(region[0]) else _downwards(region))
    ]


def _goes_to_and_fro(running: Sequence[_Segment], number: Mapping[int, int]) -> bool:
    """Say whether the content goes from one region into another and back, line by line."""
    sizes = Counter(number[id(each)] for each in running)
    jumps, level = Counter[tuple[int, int]](), Counter[tuple[int, int]]()
    for one, other in pairwise(running):
        pair = number[id(one)], number[id(other)]
        if pair[0] != pair[1]:
            between = min(pair), max(pair)
            jumps[between] += 1
            level[between] += _are_side_by_side(one, other)
    return any(
        level[pair] >= _LEAST_JUMPS
        and count >= _LEAST_TO_AND_FRO * min(sizes[pair[0]], sizes[pair[1]])
        for pair, count in jumps.items()
    )


def _is_mixed(running: Sequence[_Segment], number: Mapping[int, int]) -> bool:
    """Say whether the content tells paragraphs of prose in no order, often going back up.

    It goes down to the left from row to row of a table. Scattered labels of a drawing have no
    other order than that of the content.
    """
    back = steps = 0
    for one, other in pairwise(running):
        passed = number[id(other)] - number[id(one)]
        back += (passed < 0 and other.y0 < one.y0) or (not passed and _goes_back(one, other))
        steps += passed != 0 or not _follows_closely(one, other)
    if back < max(_LEAST_BACK, _MOST_BACK * steps):
        return False
    return median(latin_length(each.text) for each in running) >= _PROSE


def _downwards(region: Sequence[_Segment]) -> Iterator[_Segment]:
    """Yield what stands in a column from top to bottom, close lines in their content's order."""
    runs: list[list[_Segment]] = []
    for each in region:
        if not runs or not _follows_closely(runs[-1][-1], each):
            runs.append([])
        runs[-1].append(each)
    for run in sorted(runs, key=_top):
        yield from run


def _follows_closely(one: _Segment, other: _Segment) -> bool:
    return other.y1 >= one.y0 and other.y0 - one.y1 < one.y1 - one.y0


def _is_tall(segment: _Segment) -> bool:
    """Say whether a piece stands on its side."""
    return segment.y1 - segment.y0 > TALL * (segment.x1 - segment.x0)


def _top(run: Sequence[_Segment]) -> float:
    return min(each.y0 for each in run)


def _are_side_by_side(one: _Segment, other: _Segment) -> bool:
    """Say whether a piece is followed by another on the same height, after a gap."""
    least = min(one.y1 - one.y0, other.y1 - other.y0)
    if min(one.y1, other.y1) - max(one.y0, other.y0) < _SAME_ROW * least:
        return False
    return other.x0 > one.x1 or one.x0 > other.x1


def _goes_back(one: _Segment, other: _Segment) -> bool:
    """Say whether the content goes back up, to stand over what it has told."""
    return other.y1 < one.y0 and min(one.x1, other.x1) > max(one.x0, other.x0)


def _pieces(
    textpage: Any, view: PageTransform, found: MeasuredLine, numbers: Sequence[int]
) -> Iterator[TextLine]:
    """Yield some parts of a line, those next to each other as one."""
    spans = _spans(textpage, view, found)
    for _, run in groupby(enumerate(numbers), key=_before_first):
        held = [spans[number] for _, number in run if number in spans]
        if not held:
            continue
        first, last = held[0][0], held[-1][1]
        text = textpage.get_text_range(first, last - first + 1, errors="replace")
        line = measured(textpage, text, (first, last), view)
        if line is not None:
            yield line.line


def _spans(textpage: Any, view: PageTransform, found: MeasuredLine) -> dict[int, tuple[int, int]]:
    """Return the first and the last character of each part of a line that has some."""
    spans: dict[int, tuple[int, int]] = {}
    number = 0
    for at, place in enumerate(places(textpage, found.first, found.last), found.first):
        if place[2] <= place[0]:
            continue
        x0, y0, x1, y1 = view.box(place)
        middle = (x0 + x1) / 2, (y0 + y1) / 2
        rest = range(number, len(found.parts))
        number = next((each for each in rest if _holds(found.parts[each], middle)), number)
        spans[number] = (spans.get(number, (at, at))[0], at)
    return spans


def _holds(box: Rectangle, point: tuple[float, float]) -> bool:
    return box[0] <= point[0] <= box[2] and box[1] <= point[1] <= box[3]


def _before_first(numbered: tuple[int, int]) -> int:
    """Return what stays the same while numbers go up one by one."""
    return numbered[1] - numbered[0]


def _line_number(segment: _Segment) -> int:
    return segment.line
