"""Rows as they are stored as text, read back into cells: the other way of `core/table_rows`.

What a row's text does not tell is lost: of `a | b` in a sheet, which of three columns was empty.
Such rows are counted and left out.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

_BAR = " | "
_PAIR = re.compile(r"(?:^|; )(?P<name>[^:;|\n]{1,120}): (?=\S)")
_FIRST_LINES = 8  # in which a header is looked for
_YEAR = re.compile(r"(?:19|20)\d\d")
_FIGURE = re.compile(r"[\s()+\-–—−.,:/%$€£¥\d]+")
_LONGEST_NAME = 80
_LABEL = "Item"
"""What the column of rows' names is called where the document calls it nothing."""


@dataclass(frozen=True, slots=True)
class CellGrid:
    """A table's names of columns and its rows, each with where its text begins and ends.

    `caption` is what stands above, `lost` how many rows could not be told apart into columns. With
    `has_label` the first column is that of the rows' names, which the document calls nothing.
    """

    names: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    spans: tuple[tuple[int, int], ...]
    caption: str = ""
    lost: int = 0
    has_label: bool = False

    @property
    def own_names(self) -> tuple[str, ...]:
        """The names that the document gives, without the one that it leaves out."""
        return self.names[1:] if self.has_label else self.names


@dataclass(frozen=True, slots=True)
class Line:
    """A line of a table's text, from `start` to `end` in its document."""

    text: str
    start: int
    end: int


def lines_of(text: str, start: int) -> Iterator[tuple[Line, ...]]:
    """Yield the lines of each block of a text that begins at an offset of its document."""
    at = 0
    for block in text.split("\n\n"):
        lines: list[Line] = []
        begin = at
        for line in block.split("\n"):
            if line.strip():
                lines.append(Line(line, start + begin, start + begin + len(line)))
            begin += len(line) + 1
        at += len(block) + 2
        if lines:
            yield tuple(lines)


def read_grid(
    lines: Sequence[Line], header: str, before: Sequence[str], *, keeps_empty: bool
) -> CellGrid | None:
    """Return the table that lines are, None where they are none.

    `header` is what the document says of the columns' names, `before` are the names of the table
    before it in the same place. `keeps_empty`: empty cells stand between bars.
    """
    at = _header_of_pairs(lines)
    if at is not None:
        names = lines[at].text.split(_BAR)
        caption = " ".join(line.text for line in lines[:at])
        return _named_grid(lines[at + 1 :], names, caption)
    if before and _pairs_of(lines[0].text, set(before)) > 1:
        return _named_grid(lines, before, "")
    parted = "\t" if any("\t" in line.text for line in lines) else _BAR
    if sum(parted in line.text for line in lines) * 2 > len(lines):
        return _parted_grid(lines, header, parted, keeps_empty=keeps_empty)
    told = [_PAIR.search(line.text) is not None for line in lines]
    if sum(told) > 1 and sum(told) * 2 > len(lines):
        return _induced_grid(lines)
    return None


def _header_of_pairs(lines: Sequence[Line]) -> int | None:
    """Return which line holds the names that the rows below it repeat."""
    for at, line in enumerate(lines[:_FIRST_LINES]):
        names = line.text.split(_BAR)
        below = lines[at + 1 : at + 1 + _FIRST_LINES]
        if len(names) > 1 and any(_pairs_of(each.text, set(names)) > 1 for each in below):
            return at
    return None


def _pairs_of(row: str, names: set[str]) -> int:
    """Return how many cells of a row stand behind one of these names."""
    return sum(f"; {name}: " in f"; {row}" for name in names)


def _named_grid(lines: Sequence[Line], names: Sequence[str], caption: str) -> CellGrid:
    """Read rows of `name: value; name: value`."""
    places: dict[str, list[int]] = defaultdict(list)
    for at, name in enumerate(names, start=1):  # 0 is what has no name, and stands first
        places[name].append(at)
    told = "|".join(re.escape(name) for name in sorted(places, key=len, reverse=True))
    pattern = re.compile(rf"(?:^|; )({told}): ")
    rows, spans = [], []
    waiting: list[tuple[tuple[str, ...], tuple[int, int]]] = []  # what may be notes below the table
    for line in lines:
        cells = [""] * (len(names) + 1)
        if fill_cells(cells, line.text, pattern, places):
            for row, span in waiting:
                rows.append(row)
                spans.append(span)
            waiting = []
            rows.append(tuple(cells))
            spans.append((line.start, line.end))
        else:
            cells[1] = line.text
            waiting.append((tuple(cells), (line.start, line.end)))
    made = CellGrid((_LABEL, *names), tuple(rows), tuple(spans), caption, has_label=True)
    return _without_empty_label(made)


def _without_empty_label(grid: CellGrid) -> CellGrid:
    if any(row[0] for row in grid.rows):
        return grid
    rows = tuple(row[1:] for row in grid.rows)
    return CellGrid(grid.names[1:], rows, grid.spans, grid.caption, grid.lost)


def fill_cells(
    cells: list[str], text: str, pattern: re.Pattern[str], places: Mapping[str, Sequence[int]]
) -> bool:
    """Fill in a row's cells by their names, which come in the order of the columns.

    The cell before the first name is number 0; `places` are the numbers of each name. False where
    the row has no name.
    """
    last, begin, column = 0, 0, 0
    for found in pattern.finditer(text):
        at = next((each for each in places[found[1]] if each > last), None)
        if at is None:
            continue  # part of a value
        cells[column] = text[begin : found.start()]
        last, begin, column = at, found.end(), at
    cells[column] = text[begin:]
    return last > 0


def _parted_grid(
    lines: Sequence[Line], header: str, parting: str, *, keeps_empty: bool
) -> CellGrid | None:
    """Read rows of cells between bars or tabs under a first row of names."""
    told = " ".join(header.split())
    cells = [[cell.strip() for cell in line.text.split(parting)] for line in lines]
    at = next((n for n, row in enumerate(cells) if len(row) > 1), 0)
    names = cells[at]
    first = " ".join(lines[at].text.split())
    is_told = bool(told) and (told.endswith(first) or first in told)
    if len(names) < 2 or not (is_told or _are_names(names, cells[at + 1 :])):
        return None
    rows, spans, lost = [], [], 0
    for row, line in zip(cells[at + 1 :], lines[at + 1 :], strict=True):
        if len(row) == len(names) or (keeps_empty and len(row) < len(names)):
            rows.append((*row, *[""] * (len(names) - len(row))))
            spans.append((line.start, line.end))
        else:
            lost += 1
    caption = " ".join(line.text for line in lines[:at])
    return CellGrid(tuple(names), tuple(rows), tuple(spans), caption, lost) if rows else None


def _are_names(names: Sequence[str], below: Sequence[Sequence[str]]) -> bool:
    """Say whether a first row names columns: words or years above rows of the same length."""
    if not below or len(set(names)) < len(names) or not all(names):
        return False
    if any(len(each) > _LONGEST_NAME for each in names):
        return False
    is_named = all(_YEAR.fullmatch(name) or not _FIGURE.fullmatch(name) for name in names)
    fitting = [row for row in below if len(row) == len(names)]
    has_figures = any(_FIGURE.fullmatch(cell) for row in fitting for cell in row if cell)
    return is_named and has_figures and len(fitting) * 2 > len(below)


def _induced_grid(lines: Sequence[Line]) -> CellGrid | None:
    """Read rows `label; 2022: 1,034.9; 2021: 929.2`, whose names stand in the rows alone."""
    names: dict[str, int] = {}
    for line in lines:
        for found in _PAIR.finditer(line.text):
            names[found["name"]] = names.get(found["name"], 0) + 1
    usual = [name for name, count in names.items() if count > 1]
    if not usual or len(usual) > 60:
        return None
    rows = [line for line in lines if _pairs_of(line.text, set(usual))]
    return _named_grid(rows, usual, "") if len(rows) > 1 else None
