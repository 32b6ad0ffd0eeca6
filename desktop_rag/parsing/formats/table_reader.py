"""Tables of pages as blocks: each row whole under its columns' names, also over a page's end.

A row reads `label; 2022: 1,034.9; 2021: 929.2`, as those of sheets do. Without names its cells
stand between tabs; where the columns are in doubt, it is the line as it stands.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from statistics import median

from desktop_rag.core.table_rows import named_row, tabbed_row
from desktop_rag.core.types import BlockKind, Box
from desktop_rag.parsing.formats.pdf_lines import TextLine, latin_length
from desktop_rag.parsing.formats.pdf_tables import dateless, has_values, head_length
from desktop_rag.parsing.formats.table_grid import (
    MOST_STEP,
    Span,
    cells_of,
    column_names,
    columns_of,
    in_rows,
    joined_text,
    pieces,
)
from desktop_rag.parsing.parsed_document import Block, BlockLocator, TableRow
from desktop_rag.parsing.table_blocks import is_header

_LEAST_ROWS = 2
_SAME_STEP = 1.18  # lines of one cell are as close as any two of the table, about
_ALIGNED = 8.0  # points between the columns of a table and of its part on the next page
_HEADER_LINES = 4
_ROWS_LOOKED_AT = 8
_LONGEST_NAME = 120
_LONGEST_CELL = 40  # Latin letters: of two texts side by side one at least is shorter in a table
_LEAST_NAMED = 0.5  # of the columns of values


@dataclass(frozen=True, slots=True)
class _Grid:
    """A table's columns with their names, and what stands above those."""

    columns: tuple[Span, ...]
    names: Mapping[int, str]
    header: str
    is_parted: bool = False  # rows stand further apart than the lines of a cell


class TableReader:
    """Reads a document's tables in order, and remembers the names of the last one's columns."""

    def __init__(self) -> None:
        self._open: _Grid | None = None  # of a table that reaches the end of its page
        self._page: int | str = ""

    def blocks(
        self, lines: Sequence[TextLine], place: BlockLocator, *, is_first: bool, is_last: bool
    ) -> Iterator[Block]:
        """Yield the tables of lines that follow each other, one for each header.

        It is told whether a page begins or ends with them.
        """
        rows = in_rows(lines)
        if not _is_tabular(rows):
            self._open = None
            yield _block([([line], line.text) for line in lines], "", place)
            return
        parts = list(_parts(rows))
        for at, part in enumerate(parts):
            grid, head = self._grid(part, place, is_first=is_first and not at)
            ends = is_last and at == len(parts) - 1
            self._open, self._page = (grid if ends else None), place.value
            header = grid.header if grid else _header(part[:head])
            yield _block(_rows(part, head, grid), header, place)

    def _grid(
        self, lines: Sequence[TextLine], place: BlockLocator, *, is_first: bool
    ) -> tuple[_Grid | None, int]:
        """Return a table's grid, none if it is in doubt, and how many lines are above its rows."""
        head = head_length(lines) or _names_of_ruled(lines)
        evidence = _evidence(lines, head)
        least = 1 if lines[0].ruled else _LEAST_ROWS
        if len(evidence) < least or any("…" in line.text for line in evidence):
            return None, head
        columns = columns_of(evidence)
        if len(columns) < 2:
            return None, head
        over = [at for at, line in enumerate(lines[:head]) if _names_columns(line, columns)]
        names = column_names([lines[at] for at in over], columns)
        head = over[-1] + 1 if over else head  # what is below is the label of the first rows
        if is_first and self._open and self._follows(place) and not names:
            names = _moved(self._open, columns)
            header = self._open.header
        else:
            header = _header(lines[:head])
        names = names if _are_names(names, columns) else {}
        if not names and _is_sparse(evidence, columns):
            return None, head
        return _Grid(tuple(columns), names, header, is_parted=_are_parted(lines)), head

    def _follows(self, place: BlockLocator) -> bool:
        before, now = self._page, place.value
        return isinstance(before, int) and isinstance(now, int) and now == before + 1


def _block(
    rows: Sequence[tuple[Sequence[TextLine], str]], header: str, place: BlockLocator
) -> Block:
    text, boxes = "", list[Box]()
    for lines, row in rows:
        text += "\n" if text else ""
        start, end = len(text), len(text) + len(row)
        boxes += [replace(line.box(start), end=end) for line in lines]
        text += row
    told = tuple(TableRow(row, place) for _, row in rows)
    return Block(BlockKind.TABLE, text, place, boxes=tuple(boxes), rows=told, header=header)


def _is_tabular(lines: Sequence[TextLine]) -> bool:
    """Say whether lines have cells: columns of running text have long ones side by side only."""
    if lines[0].ruled:
        return True
    shares: list[bool] = []
    for line in lines:
        lengths = sorted(latin_length(piece.text) for piece in pieces(line))
        if len(lengths) > 1:
            shares.append(lengths[0] < _LONGEST_CELL)
    return sum(shares) * 2 > len(shares)


def _parts(lines: Sequence[TextLine]) -> Iterator[Sequence[TextLine]]:
    """Yield the lines of each table; where another header follows upon rows, another one begins."""
    start = values = above = 0  # `above` is where the lines over the next row of values begin
    for at, line in enumerate(lines):
        if has_values(line):
            values += 1
            above = at + 1
        elif values >= _LEAST_ROWS and _is_header(lines, at):
            yield lines[start:above]
            start, values = above, 0
    yield lines[start:]


def _is_header(lines: Sequence[TextLine], at: int) -> bool:
    """Say whether a line without values names columns of rows that follow.

    Nothing stands where labels do, or the names are years and dates.
    """
    if not any(map(has_values, lines[at + 1 : at + 1 + _HEADER_LINES])):
        return False
    left, right = min(each.x0 for each in lines), max(each.x1 for each in lines)
    found = pieces(lines[at])
    names = [piece for piece in found if piece.x0 > left + 0.2 * (right - left)]
    if len(names) < 2:
        return False
    return len(names) == len(found) or not any(dateless(piece.text) for piece in names)


def _evidence(lines: Sequence[TextLine], head: int) -> list[TextLine]:
    """Return the rows that columns are found by: of values, else of cells; those with most of them,
    where cells have borders.
    """
    if lines[0].ruled:
        most = max(line.cells for line in lines)
        return [line for line in lines if line.cells == most]
    rows = [line for line in lines[head:] if has_values(line)]
    if len(rows) >= _LEAST_ROWS:
        return rows
    return [line for line in lines[head:] if line.cells > 1]


def _names_of_ruled(lines: Sequence[TextLine]) -> int:
    """Return 1 where the first row of cells with borders names the columns."""
    if not lines[0].ruled:
        return 0
    first, *following = ([piece.text for piece in pieces(line)] for line in lines[:_ROWS_LOOKED_AT])
    return int(is_header(first, following))


def _text(lines: Sequence[TextLine]) -> str:
    return " ".join(line.text for line in lines)


def _header(lines: Sequence[TextLine]) -> str:
    return "\n".join(line.text for line in lines)


def _names_columns(line: TextLine, columns: Sequence[Span]) -> bool:
    """Say whether a line over the rows names columns, and is no caption and no label."""
    found = pieces(line)
    return len(found) > 1 or found[0].x0 > columns[0][1]


def _are_names(names: Mapping[int, str], columns: Sequence[Span]) -> bool:
    """Say whether enough columns have a name, and none is as long as running text."""
    named = sum(at in names for at in range(1, len(columns)))
    longest = max(map(len, names.values()), default=0)
    return named >= _LEAST_NAMED * (len(columns) - 1) and longest <= _LONGEST_NAME


def _steps(lines: Sequence[TextLine]) -> list[float]:
    return [below.y0 - above.y0 for above, below in pairwise(lines)]


def _are_parted(lines: Sequence[TextLine]) -> bool:
    steps = _steps(lines)
    return len(steps) > 1 and median(steps) > min(steps) * _SAME_STEP


def _is_sparse(rows: Sequence[TextLine], columns: Sequence[Span]) -> bool:
    """Say whether most cells are empty, as if it were a drawing with words."""
    filled = sum(len(cells_of(row, columns)) for row in rows)
    return filled * 2 < len(rows) * len(columns)


def _moved(grid: _Grid, columns: Sequence[Span]) -> dict[int, str]:
    """Return the names of a table's columns for its part on the next page, none if they differ."""
    names: dict[int, str] = {}
    for at, (x0, x1) in enumerate(columns):
        for before, (left, right) in enumerate(grid.columns):
            if before in grid.names and min(x1, right) - max(x0, left) > -_ALIGNED:
                names.setdefault(at, grid.names[before])
    return names if len(columns) <= len(grid.columns) else {}


def _rows(
    lines: Sequence[TextLine], head: int, grid: _Grid | None
) -> list[tuple[list[TextLine], str]]:
    """Return each row's lines with its text; a label of two lines stands with its values."""
    rows: list[list[TextLine]] = []
    closest = min(_steps(lines), default=0.0) * _SAME_STEP
    for at, line in enumerate(lines):
        near = line.y0 - lines[at - 1].y0 <= closest
        if at and at != head and _continues(rows[-1], line, grid if near else None):
            rows[-1].append(line)
        else:
            rows.append([line])
    if grid is None:
        return [(row, _text(row)) for row in rows]
    above = {id(line) for line in lines[:head]}
    return [(row, _text(row) if id(row[0]) in above else _row_text(row, grid)) for row in rows]


def _row_text(lines: Sequence[TextLine], grid: _Grid) -> str:
    """Return a row's cells with the names of their columns, else with tabs between them."""
    cells = _row_cells(lines, grid.columns)
    if len(cells) < 2:
        return "".join(cells.values())
    if grid.names:
        return named_row(grid.names, cells)
    return tabbed_row([cells.get(at, "") for at in range(len(grid.columns))])


def _row_cells(lines: Sequence[TextLine], columns: Sequence[Span]) -> dict[int, str]:
    """Return the texts of a row's cells by their columns."""
    cells: dict[int, str] = {}
    for line in lines:
        for cell in cells_of(line, columns):
            cells[cell.first] = joined_text(cells.get(cell.first, ""), cell.text)
    return dict(sorted(cells.items()))


def _continues(row: Sequence[TextLine], line: TextLine, grid: _Grid | None) -> bool:
    """Say whether a row goes on: its label broke off, or a cell has more lines."""
    last = row[-1]
    if line.ruled:
        return False
    if last.cells == 1 and line.text[:1].islower() and not last.text.endswith((":", ".")):
        return True
    if grid is None or line.y1 - last.y1 > MOST_STEP * line.size:
        return False
    if pieces(line)[0].x0 > grid.columns[0][1]:  # no label
        return _goes_on_in_cells(row, line, grid)
    label = next((each for each in reversed(row) if _has_label(each, grid)), None)
    if label is None or label.text.endswith((":", "：")):
        return False
    if not (grid.is_parted or _is_full(label, line, grid)):
        return False
    if any(map(has_values, row)):
        goes_on = line.cells > 1 or grid.is_parted or line.text[:1].islower()
        return goes_on and not has_values(line)
    return len(row) == row[0].cells == 1 or line.cells < row[0].cells


def _goes_on_in_cells(row: Sequence[TextLine], line: TextLine, grid: _Grid) -> bool:
    """Say whether a line without a label has words for cells that hold something already."""
    filled = {cell.first for each in row for cell in cells_of(each, grid.columns)}
    cells = cells_of(line, grid.columns)
    return all(cell.first in filled and not _is_value(cell.text) for cell in cells)


def _is_value(text: str) -> bool:
    return not any(map(str.isalpha, text))


def _has_label(line: TextLine, grid: _Grid) -> bool:
    return pieces(line)[0].x0 < grid.columns[0][1]


def _is_full(label: TextLine, line: TextLine, grid: _Grid) -> bool:
    """Say whether the first word of a line would not have gone beside the label before it."""
    x1 = grid.columns[0][1]
    before, following = pieces(label)[0], pieces(line)[0]
    first = following.text.split(" ")[0]
    width = (following.x1 - following.x0) * (len(first) + 1) / len(following.text)
    return before.x1 - 1 <= x1 < before.x1 + width
