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
from math import inf
from statistics import median
from typing import Generic, Protocol, TypeVar
from unicodedata import bidirectional

from desktop_rag.parsing.formats.pdf_lines import letter_count

_LEAST_LINES = 4  # of a column
_RUNNING = 14  # letters a piece, as Latin ones: shorter ones are cells
_FULL = 0.7  # of the longer lines of a column: as long are most lines of running text
_LEAST_FULL = 0.5  # of a column's lines
_LEAST_INSIDE = 0.2  # of a column's lines: they begin inside a sentence
_LEAST_SHARED = 0.5  # of the lower column's height, beside the other one
_CROSSING_COSTS = 3  # lines that are parted, for each one that crosses between them
_MOST_EDGE = 4  # lines that belong to what crosses beside them
_MOST_DEPTH = 6
TALL = 1.5  # times as high as wide: a piece stands on its side
_SAME_ROW = 0.5  # heights between the middles of two pieces of one row


class PlacedText(Protocol):
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


P = TypeVar("P", bound=PlacedText)


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


def is_from_right(lines: Sequence[PlacedText]) -> bool:
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
    above: P | None = None
    held: list[P] = []
    for line in ordered:
        if line.x0 < place < line.x1:
            _end_band(bands, _without_edges(held, above, line), place)
            _add_rows(bands, [line])
            above, held = line, []
        else:
            held.append(line)
    _end_band(bands, _without_edges(held, above, None), place)
    return bands if any(band.right for band in bands) else []


def _without_edges(
    held: list[P], above: PlacedText | None, below: PlacedText | None
) -> tuple[list[P], list[P], list[P]]:
    """Return the pieces that belong to what crosses above them, the others, those to below.

    They stand nearer to it than to the others: the short last line of a paragraph, a heading.
    """
    parts = list(_apart(held))
    first, last = 0, len(parts)
    top = below.y0 if below is not None else inf
    while _is_edge(parts[last - 1 : last], parts[first : last - 1]):
        if top - _bottom(parts[last - 1]) >= _distance(parts[last - 2], parts[last - 1]):
            break
        last -= 1
        top = parts[last][0].y0
    bottom = above.y1 if above is not None else -inf
    while _is_edge(parts[first : first + 1], parts[first + 1 : last]):
        if parts[first][0].y0 - bottom >= _distance(parts[first], parts[first + 1]):
            break
        bottom = _bottom(parts[first])
        first += 1
    found = parts[:first], parts[first:last], parts[last:]
    head, middle, foot = (list(chain.from_iterable(each)) for each in found)
    return head, middle, foot


def _is_edge(edge: Sequence[Sequence[PlacedText]], others: Sequence[Sequence[PlacedText]]) -> bool:
    """Say whether a part is small, beside the others as well."""
    size = sum(map(len, edge))
    return 0 < size <= _MOST_EDGE and 2 * size < sum(map(len, others))


def _apart(ordered: Sequence[P]) -> Iterator[list[P]]:
    """Yield pieces between white gaps across all of them that are as high as a line."""
    part: list[P] = []
    bottom = 0.0
    for line in ordered:
        if part and line.y0 - bottom > line.y1 - line.y0:
            yield part
            part = []
        bottom = max(bottom, line.y1) if part else line.y1
        part.append(line)
    if part:
        yield part


def _distance(upper: Sequence[PlacedText], lower: Sequence[PlacedText]) -> float:
    return min(line.y0 for line in lower) - _bottom(upper)


def _bottom(lines: Sequence[PlacedText]) -> float:
    return max(line.y1 for line in lines)


def _end_band(bands: list[_Band[P]], parts: tuple[list[P], list[P], list[P]], place: float) -> None:
    head, held, foot = parts
    left = [line for line in held if line.x1 <= place]
    right = [line for line in held if line.x1 > place]
    if _are_columns(left, right):
        _add_rows(bands, head)
        bands.append(_Band(left, right))
        _add_rows(bands, foot)
    else:
        _add_rows(bands, [*head, *held, *foot])


def _add_rows(bands: list[_Band[P]], lines: list[P]) -> None:
    """Add pieces that are no columns; those next to each other are one band."""
    if bands and not bands[-1].right:
        bands[-1].left.extend(lines)
    elif lines:
        bands.append(_Band(list(lines), []))


def _worth(bands: Sequence[_Band[P]]) -> tuple[int, int]:
    """Return how much speaks for a gutter: what it parts, less what crosses in between."""
    parted = [at for at, band in enumerate(bands) if band.right]
    between = bands[parted[0] : parted[-1]]
    crossing = sum(len(band.left) for band in between if not band.right)
    least = sum(min(len(bands[at].left), len(bands[at].right)) for at in parted)
    return least - _CROSSING_COSTS * crossing, sum(
        len(bands[at].left) + len(bands[at].right) for at in parted
    )


def _are_columns(left: Sequence[PlacedText], right: Sequence[PlacedText]) -> bool:
    if not (_is_running(left) and _is_running(right)):
        return False
    (top, bottom), (other_top, other_bottom) = _extent(left), _extent(right)
    shared = min(bottom, other_bottom) - max(top, other_top)
    return shared > _LEAST_SHARED * min(bottom - top, other_bottom - other_top)


def _is_running(column: Sequence[PlacedText]) -> bool:
    """Say whether pieces are text that runs on from line to line."""
    if len(column) < _LEAST_LINES:
        return False
    if median(letter_count(line.text) for line in column) < _RUNNING:
        return False
    inside = sum(not (line.text[:1].isupper() or line.text[:1].isdigit()) for line in column)
    if inside < _LEAST_INSIDE * len(column):
        return False
    widths = sorted(line.x1 - line.x0 for line in column)
    full = _FULL * widths[len(widths) * 4 // 5]
    return sum(width > full for width in widths) >= _LEAST_FULL * len(column)


def _extent(column: Sequence[PlacedText]) -> tuple[float, float]:
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


def _is_beside(row: Sequence[PlacedText], line: PlacedText) -> bool:
    last = row[-1]
    least = min(line.y1 - line.y0, last.y1 - last.y0)
    return _middle(line) - _middle(row[0]) < _SAME_ROW * least and not any(
        min(line.x1, each.x1) - max(line.x0, each.x0) > least for each in row
    )


def _middle(line: PlacedText) -> float:
    return (line.y0 + line.y1) / 2


def _left(line: PlacedText) -> float:
    return line.x0
