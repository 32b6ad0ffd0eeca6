"""The order in which a page is read: column after column, in a column row after row.

A recursive X-Y cut (Nagy, Seth 1984) over the rectangles of a page's text. A gutter is a place
that no text crosses, with running text on either side. What crosses it (a title, a wide table)
parts the columns into those above and those below. Cells of a table have gutters between them as
well, but are short or begin sentences: a table is read row by row. Of a page in Arabic or Hebrew
the right column comes first.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import chain
from statistics import median
from typing import Generic, Protocol, TypeVar
from unicodedata import bidirectional

from desktop_rag.parsing.formats.pdf_lines import letter_count

_LEAST_LINES = 4  # of a column
_RUNNING = 14  # letters a piece, as Latin ones: shorter ones are cells
_FULL = 0.7  # of a column's width: as long are most lines of running text
_LEAST_FULL = 0.5  # of a column's lines
_LEAST_INSIDE = 0.2  # of a column's lines: they begin inside a sentence
_LEAST_SHARED = 0.5  # of the lower column's height, beside the other one
_CROSSING_COSTS = 3  # lines that are parted, for each one that crosses between them
_MOST_DEPTH = 6
TALL = 1.5  # times as high as wide: a piece stands on its side
_SAME_ROW = 0.5  # heights between the middles of two pieces of one row


class Piece(Protocol):
    """A piece of text on one line, with its rectangle from the page's top left."""

    @property
    def text(self) -> str:
        """What it says."""

    @property
    def x0(self) -> float:
        """Its left side."""

    @property
    def y0(self) -> float:
        """Its top."""

    @property
    def x1(self) -> float:
        """Its right side."""

    @property
    def y1(self) -> float:
        """Its bottom."""


P = TypeVar("P", bound=Piece)


@dataclass(frozen=True, slots=True)
class _Band(Generic[P]):
    """Pieces to the left and to the right of a gutter, between two that cross it.

    Where these are no columns, `left` holds all pieces of the band, and `right` none.
    """

    left: list[P]
    right: list[P]


def in_reading_order(lines: Sequence[P]) -> list[P]:
    """Return lines in the order in which they are read."""
    return list(chain.from_iterable(regions(lines)))


def regions(lines: Sequence[P]) -> list[list[P]]:
    """Return columns, and what stands above, between and below them, in the order of reading.

    The pieces of each are in rows, from top to bottom. What stands on its side comes last.
    """
    tall = [line for line in lines if line.y1 - line.y0 > TALL * (line.x1 - line.x0)]
    aside = [line for line in tall if len(line.text) > 1]
    upright = [line for line in lines if line not in aside] if aside else lines
    from_right = is_from_right(lines)
    found = [
        [line for row in _rows(region, from_right=from_right) for line in row]
        for region in _parted_regions(upright, from_right=from_right)
    ]
    return [*found, aside] if aside else found


def is_from_right(lines: Sequence[Piece]) -> bool:
    """Say whether most letters belong to a script that is written from right to left."""
    directions = [bidirectional(char) for line in lines for char in line.text if char.isalpha()]
    return 2 * sum(each in {"R", "AL"} for each in directions) > len(directions)


def _parted_regions(
    lines: Sequence[P], depth: int = 0, *, from_right: bool
) -> Iterator[Sequence[P]]:
    bands = _bands(lines) if depth < _MOST_DEPTH else []
    if not bands:
        yield lines
        return
    for band in bands:
        columns = (band.right, band.left) if from_right else (band.left, band.right)
        for part in filter(None, columns):
            yield from _parted_regions(part, depth + 1, from_right=from_right)


def _bands(lines: Sequence[P]) -> list[_Band[P]]:
    """Return the bands of the gutter that parts most, none where there is no gutter."""
    if len(lines) < 2 * _LEAST_LINES:
        return []
    ordered = sorted(lines, key=_middle)
    margin = 0.3 * median(line.y1 - line.y0 for line in lines)
    starts = Counter(round(line.x0 - margin) for line in lines)
    ends = Counter(round(line.x1 + margin) for line in lines)
    places = sorted(place for place, count in (starts + ends).items() if count > 1)
    found = [bands for place in places if (bands := _parted(ordered, place))]
    return max(found, key=_worth, default=[])


def _parted(ordered: Sequence[P], place: float) -> list[_Band[P]]:
    """Return the bands at a place, none where no columns are beside it."""
    if sum(line.x1 <= place for line in ordered) < _LEAST_LINES:
        return []
    if sum(line.x0 >= place for line in ordered) < _LEAST_LINES:
        return []
    bands: list[_Band[P]] = []
    held: list[P] = []
    for line in ordered:
        if line.x0 < place < line.x1:
            _end_band(bands, held, place)
            _end_band(bands, [line], place)
            held = []
        else:
            held.append(line)
    _end_band(bands, held, place)
    return bands if any(band.right for band in bands) else []


def _end_band(bands: list[_Band[P]], held: list[P], place: float) -> None:
    left = [line for line in held if line.x1 <= place]
    right = [line for line in held if line.x1 > place]
    if _are_columns(left, right):
        bands.append(_Band(left, right))
    elif bands and not bands[-1].right:
        bands[-1].left.extend(held)
    elif held:
        bands.append(_Band(list(held), []))


def _worth(bands: Sequence[_Band[P]]) -> int:
    """Return how much speaks for a gutter: what it parts, less what crosses in between."""
    parted = [at for at, band in enumerate(bands) if band.right]
    between = bands[parted[0] : parted[-1]]
    crossing = sum(len(band.left) for band in between if not band.right)
    least = sum(min(len(bands[at].left), len(bands[at].right)) for at in parted)
    return least - _CROSSING_COSTS * crossing


def _are_columns(left: Sequence[Piece], right: Sequence[Piece]) -> bool:
    if not (_is_running(left) and _is_running(right)):
        return False
    (top, bottom), (other_top, other_bottom) = _extent(left), _extent(right)
    shared = min(bottom, other_bottom) - max(top, other_top)
    return shared > _LEAST_SHARED * min(bottom - top, other_bottom - other_top)


def _is_running(column: Sequence[Piece]) -> bool:
    """Say whether pieces are text that runs on from line to line."""
    if len(column) < _LEAST_LINES:
        return False
    if median(letter_count(line.text) for line in column) < _RUNNING:
        return False
    inside = sum(not (line.text[:1].isupper() or line.text[:1].isdigit()) for line in column)
    if inside < _LEAST_INSIDE * len(column):
        return False
    rows = _rows(column, from_right=False)
    widths = [max(line.x1 for line in row) - min(line.x0 for line in row) for row in rows]
    full = sum(width > _FULL * max(widths) for width in widths)
    return full >= _LEAST_FULL * len(rows)


def _extent(column: Sequence[Piece]) -> tuple[float, float]:
    return min(line.y0 for line in column), max(line.y1 for line in column)


def _rows(lines: Sequence[P], *, from_right: bool) -> list[list[P]]:
    """Return pieces by rows from top to bottom, each in the order of its script."""
    rows: list[list[P]] = []
    for line in sorted(lines, key=_middle):
        if rows and _is_beside(rows[-1], line):
            rows[-1].append(line)
        else:
            rows.append([line])
    return [sorted(row, key=_left, reverse=from_right) for row in rows]


def _is_beside(row: Sequence[Piece], line: Piece) -> bool:
    last = row[-1]
    least = min(line.y1 - line.y0, last.y1 - last.y0)
    return _middle(line) - _middle(row[0]) < _SAME_ROW * least and not any(
        min(line.x1, each.x1) - max(line.x0, each.x0) > least for each in row
    )


def _middle(line: Piece) -> float:
    return (line.y0 + line.y1) / 2


def _left(line: Piece) -> float:
    return line.x0
