"""Tables of a page: lines with wide gaps in them, and the short lines that belong to those.

A row stays one line, label and numbers together; what stands above the first row of numbers (the
years, the units) is the header, which says what the numbers of every row are.
"""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from itertools import pairwise

from desktop_rag.parsing.formats.pdf_lines import LineWord, TextLine, latin_length
from desktop_rag.parsing.formats.table_grid import MOST_STEP, pieces

# A label or a caption between rows is short; a longer line is running text.
_LONGEST_LABEL = 100
_NEAR = 3
_MOST_CELL_LINES = 8
_LARGEST = 1.12  # of the letters of rows: larger ones are a heading
_ALIGNED = 2.5  # points
_FAR = LineWord("", math.inf, math.inf)
_MOST_HEADER_LINES = 6
_MOST_RAISED = 4  # heights of a line: the next cell of a header begins so far up again
MONTHS = "january|february|march|april|may|june|july|august|september|october|november|december"
_DATES = re.compile(
    rf"\b(19|20)\d\d\b|\b({MONTHS})\s+\d{{1,2}}\b|\bq[1-4]\b|\(\d\)|\d{{1,4}}\s?[年月日]",
    re.IGNORECASE,
)
_AMOUNT = re.compile(r"\d[\d,]*[.,]\d|[$€£¥%]")
_VALUE = re.compile(r"\d|[—–]\s|[—–]$")


def table_numbers(lines: Sequence[TextLine]) -> list[int | None]:
    """Return for each line the number of the table that it belongs to, None for running text."""
    inside = [line.cells > 1 and not line.ruled for line in lines]
    inside = [inside[at] or _belongs(lines, inside, at) for at in range(len(lines))]
    inside = _with_heads(lines, inside)
    inside = [found or line.ruled > 0 for found, line in zip(inside, lines, strict=True)]
    numbers: list[int | None] = []
    number = 0
    row: TextLine | None = None  # the last one with several cells
    lowest: TextLine | None = None
    for at, (line, belongs) in enumerate(zip(lines, inside, strict=True)):
        if not (belongs and lowest and _goes_on(lines[at - 1], line, row, lowest)):
            number += 1
            row = lowest = None
        if belongs:
            row = line if line.cells > 1 else row
            lowest = line if lowest is None or line.y1 > lowest.y1 else lowest
        numbers.append(number if belongs else None)
    lonely = {n for n in numbers if n is not None and not _is_table(lines, numbers, n)}
    return [None if n in lonely else n for n in numbers]


def with_heads_first(lines: Sequence[TextLine]) -> list[TextLine]:
    """Return lines, those moved up that stand over a table's rows and were drawn after them."""
    ordered: list[TextLine] = []
    for line in lines:
        at = len(ordered)
        while at and ordered[at - 1].y0 >= line.y1 - 0.3 * line.height:
            at -= 1
        below = ordered[at:]
        if below and _is_head_of(line, below):
            ordered.insert(at, line)
        else:
            ordered.append(line)
    return ordered


def _is_head_of(line: TextLine, below: Sequence[TextLine]) -> bool:
    """Say whether a line stands close over the first of lines that follow each other downwards."""
    if min(each.y0 for each in below) - line.y1 > 3 * line.height:
        return False
    if not any(each.cells > 1 for each in below[:_MOST_HEADER_LINES]):
        return False
    falls = all(_below(a, b) for a, b in pairwise(below))
    right = max(each.x1 for each in below)
    return falls and line.x0 < right and (line.cells > 1 or len(below) > 1)


def _belongs(lines: Sequence[TextLine], rows: Sequence[bool], at: int) -> bool:
    """Say whether a line without gaps is a label among rows, or a heading over their columns."""
    line = lines[at]
    if line.ruled:
        return False
    if not _is_label(line):
        return _goes_on_in_cell(lines, rows, at)
    if _is_beside_row(lines, rows, at):
        return True
    above, below = any(rows[max(0, at - _NEAR) : at]), any(rows[at + 1 : at + 1 + _NEAR])
    if not below:
        return _goes_on_in_cell(lines, rows, at)
    left, right = min(each.x0 for each in lines), max(each.x1 for each in lines)
    return above or line.x0 > left + 0.25 * (right - left)


def _is_beside_row(lines: Sequence[TextLine], rows: Sequence[bool], at: int) -> bool:
    """Say whether a line is the last cell of a row, drawn after those of several lines."""
    line = lines[at]
    return any(
        rows[above] and lines[above].x1 < line.x0
        and lines[above].y0 - line.height < line.y0 < lines[at - 1].y0
        for above in range(max(0, at - _MOST_CELL_LINES), at)
    )  # fmt: skip


def _goes_on_in_cell(lines: Sequence[TextLine], rows: Sequence[bool], at: int) -> bool:
    """Say whether a line lies under a cell of the row above, close under what was before it."""
    line = lines[at]
    for above in range(at - 1, max(-1, at - _MOST_CELL_LINES), -1):
        if lines[above + 1].y1 - lines[above].y1 > MOST_STEP * line.size:
            return False
        if rows[above]:
            return any(
                abs(piece.x0 - line.x0) < _ALIGNED and line.x1 < following.x0
                for piece, following in pairwise([*pieces(lines[above])[1:], _FAR])
            )
    return False


def _goes_on(
    one: TextLine, other: TextLine, row: TextLine | None, lowest: TextLine
) -> bool:  # fmt: skip
    """Say whether a line follows another one in a table; `row` is its last row."""
    if one.ruled or other.ruled:
        return one.ruled == other.ruled
    if _below(one, other) or (lowest.y1 <= other.y0 and _below(lowest, other)):
        return True
    # The next cell of a row whose cells before it have several lines.
    return row is not None and row.y0 - 0.5 * other.height < other.y0 < one.y0 and other.x0 > one.x0


def _with_heads(lines: Sequence[TextLine], inside: Sequence[bool]) -> list[bool]:
    """Return which lines are in a table when those that stand close over its rows are, too.

    The cells of a header may take several lines, and be drawn one after the other.
    """
    left = min((each.x0 for each in lines), default=0.0)
    right = max((each.x1 for each in lines), default=0.0)
    found = list(inside)
    head: TextLine | None = None  # the highest of the lines over a table's first row, and that row
    row: TextLine | None = None
    for at in range(len(lines) - 1, -1, -1):
        line = lines[at]
        if head is not None and row is not None and not found[at] and _is_label(line):
            to_the_right = (line.x0 + line.x1) / 2 > left + 0.55 * (right - left)
            apart = to_the_right or line.y1 > head.y0 + 0.5 * line.height
            close = head.y0 - line.height < line.y1 <= row.y1
            found[at] = apart and close and line.size <= _LARGEST * row.size
        if not found[at]:
            head = row = None
            continue
        head = line if head is None or line.y0 < head.y0 else head
        row = line if row is None or line.cells > 1 else row
    return found


def _is_label(line: TextLine) -> bool:
    return latin_length(line.text) <= _LONGEST_LABEL and not line.text.endswith((".", "。"))


def _below(one: TextLine, other: TextLine) -> bool:
    step = other.y1 - one.y1
    return -_MOST_RAISED * one.height < step < 5 * max(one.height, other.height)


def _is_table(lines: Sequence[TextLine], numbers: Sequence[int | None], number: int) -> bool:
    mine = [line for line, each in zip(lines, numbers, strict=True) if each == number]
    rows = [line for line in mine if line.cells > 1]
    if any(line.ruled for line in rows):
        return True
    return len(rows) > 1 or (len(rows) == 1 and rows[0].cells > 2)


def head_length(lines: Sequence[TextLine]) -> int:
    """Return how many lines stand above the first one with a label and values."""
    rows, bottom = 0, -math.inf
    for at, line in enumerate(lines):
        rows += line.y0 >= bottom - 0.5 * line.height
        bottom = line.y1
        if has_values(line):
            return at
        if rows > _MOST_HEADER_LINES:
            break
    return int(lines[0].bold and not all(line.bold for line in lines))


def has_values(line: TextLine) -> bool:
    """Say whether a line is a row of values; years and dates alone name columns."""
    text = dateless(line.text)
    return len(_AMOUNT.findall(text)) > 1 or (line.cells > 1 and bool(_VALUE.search(text)))


def dateless(text: str) -> str:
    """Return a text without years and dates."""
    return _DATES.sub("", text).strip(" ,")
