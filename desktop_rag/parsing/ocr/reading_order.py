"""The order in which a page is read: column after column, in a column row after row.

A gutter is a line from top to bottom that hardly any text crosses, with running text on either
side. What crosses it (a title, a wide table) parts the columns into those above and those below.
Cells of a table have gutters between them as well, but are short: a table is read row by row.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from statistics import median

from desktop_rag.parsing.formats.pdf_lines import latin_length
from desktop_rag.parsing.ocr.recognized_page import RecognizedLine

Lines = Sequence[RecognizedLine]
_LEAST_LINES = 4  # of a column
_RUNNING = 18  # Latin letters a piece: shorter ones are cells
_MOST_CROSSING = 0.25  # of the pieces
_LEAST_SHARED = 0.5  # of the lower column's height, beside the other one
_MOST_DEPTH = 6
TALL = 1.5  # times as high as wide: a piece stands on its side
_SAME_ROW = 0.5  # heights between the middles of two pieces of one row


@dataclass(frozen=True, slots=True)
class _Gutter:
    """What stands to the left of a gutter, to its right, and across it."""

    left: Lines
    right: Lines
    across: Lines

    @property
    def worth(self) -> int:
        """How much speaks for it: what it parts, less what crosses it."""
        return min(len(self.left), len(self.right)) - 3 * len(self.across)


def in_reading_order(lines: Lines) -> list[RecognizedLine]:
    """Return lines in the order in which they are read; what stands on its side comes last."""
    tall = [line for line in lines if line.y1 - line.y0 > TALL * (line.x1 - line.x0)]
    aside = [line for line in tall if len(line.text) > 1]
    return [*_ordered([line for line in lines if line not in aside]), *aside]


def _ordered(lines: Lines, depth: int = 0) -> list[RecognizedLine]:
    gutter = _gutter(lines) if depth < _MOST_DEPTH else None
    if gutter is None:
        return [line for row in _rows(lines) for line in row]
    ordered: list[RecognizedLine] = []
    left, right = list(gutter.left), list(gutter.right)
    for row in [*_rows(gutter.across), []]:
        end = min((_middle(line) for line in row), default=float("inf"))
        for column in (left, right):
            above = [line for line in column if _middle(line) < end]
            column[:] = [line for line in column if _middle(line) >= end]
            ordered += _ordered(above, depth + 1)
        ordered += row
    return ordered


def _gutter(lines: Lines) -> _Gutter | None:
    """Return the gutter that parts most, None where there is none."""
    if len(lines) < 2 * _LEAST_LINES:
        return None
    margin = 0.3 * median(line.y1 - line.y0 for line in lines)
    places = sorted({round(line.x0 - margin, 1) for line in lines})
    found = (_parted(lines, place) for place in places)
    return max(filter(_parts_columns, found), key=lambda each: each.worth, default=None)


def _parted(lines: Lines, place: float) -> _Gutter:
    left = [line for line in lines if line.x1 <= place]
    right = [line for line in lines if line.x0 >= place]
    return _Gutter(left, right, [line for line in lines if line.x0 < place < line.x1])


def _parts_columns(gutter: _Gutter) -> bool:
    total = len(gutter.left) + len(gutter.right) + len(gutter.across)
    if len(gutter.across) > _MOST_CROSSING * total:
        return False
    if not all(map(_is_running, (gutter.left, gutter.right))):
        return False
    (top, bottom), (other_top, other_bottom) = _extent(gutter.left), _extent(gutter.right)
    shared = min(bottom, other_bottom) - max(top, other_top)
    return shared > _LEAST_SHARED * min(bottom - top, other_bottom - other_top)


def _is_running(column: Lines) -> bool:
    if len(column) < _LEAST_LINES:
        return False
    return median(latin_length(line.text) for line in column) >= _RUNNING


def _extent(column: Lines) -> tuple[float, float]:
    return min(line.y0 for line in column), max(line.y1 for line in column)


def _rows(lines: Lines) -> list[list[RecognizedLine]]:
    """Return pieces by rows from top to bottom, each from left to right."""
    rows: list[list[RecognizedLine]] = []
    for line in sorted(lines, key=_middle):
        if rows and _is_beside(rows[-1], line):
            rows[-1].append(line)
        else:
            rows.append([line])
    return [sorted(row, key=lambda line: line.x0) for row in rows]


def _is_beside(row: Lines, line: RecognizedLine) -> bool:
    last = row[-1]
    least = min(line.y1 - line.y0, last.y1 - last.y0)
    return _middle(line) - _middle(row[0]) < _SAME_ROW * least and not any(
        min(line.x1, each.x1) - max(line.x0, each.x0) > least for each in row
    )


def _middle(line: RecognizedLine) -> float:
    return (line.y0 + line.y1) / 2
