"""Turn rows of cells into table blocks whose rows can be read by themselves.

Where a header is recognised, a row reads `column: value; column: value`; else its cells stand
between bars. Blank rows part tables; a line of one cell above a table is its caption.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass

from desktop_rag.core.types import BlockKind
from desktop_rag.engine.ingest.parse.blocks import Block, Place, TableRow

_SPACE = re.compile(r"\s+")
_NUMBER = re.compile(r"[\s()+\-–—−.,:/%$€£¥\d]+|[\d.,]+\s?[a-zA-Z%]{1,3}")
_LONGEST_NAME = 80
_ROWS_LOOKED_AT = 8


@dataclass(frozen=True, slots=True)
class Row:
    """One row of a sheet: its number from 1 and all its cells, empty ones too."""

    number: int
    cells: tuple[str, ...]

    def filled(self) -> list[int]:
        """Return the columns (from 0) that hold something."""
        return [at for at, cell in enumerate(self.cells) if cell]


PlaceOf = Callable[[Row], Place]


def clean(cell: str) -> str:
    """Return a cell's text on one line."""
    return _SPACE.sub(" ", cell).strip()


def tables(rows: Iterable[Row], place_of: PlaceOf) -> Iterator[Block]:
    """Yield one table block for each run of rows without a blank row between them."""
    names: tuple[str, ...] = ()
    for run in _runs(rows):
        body, header = _split_header(run)
        if header is not None:
            names = header.cells
        elif not _continues(run, names):
            names = ()
        lines = [_row(each, names if each in body else (), place_of) for each in run]
        yield Block(
            BlockKind.TABLE,
            "\n".join(line.text for line in lines),
            lines[0].place,
            rows=tuple(lines),
        )


def barred(rows: Sequence[Row], place: Place, place_of: PlaceOf | None = None) -> Iterator[Block]:
    """Yield one table block whose rows stand between bars; `header` holds its column names."""
    kept = [row for row in rows if row.filled()]
    if not kept:
        return
    lines = tuple(TableRow(plain_row(r.cells), place_of(r) if place_of else place) for r in kept)
    following = [row.cells for row in kept[1 : 1 + _ROWS_LOOKED_AT]]
    header = lines[0].text if is_header(kept[0].cells, following) else ""
    text = "\n".join(line.text for line in lines)
    yield Block(BlockKind.TABLE, text, lines[0].place, rows=lines, header=header)


def plain_row(cells: Sequence[str]) -> str:
    """Return cells side by side, trailing empty ones left out."""
    kept = list(cells)
    while kept and not kept[-1]:
        kept.pop()
    return " | ".join(kept)


def named_row(names: Sequence[str], cells: Sequence[str]) -> str:
    """Return `name: value` pairs of the cells that hold something."""
    pairs = []
    for at, cell in enumerate(cells):
        name = names[at] if at < len(names) else ""
        if cell:
            pairs.append(f"{name}: {cell}" if name else cell)
    return "; ".join(pairs)


def is_header(first: Sequence[str], following: Sequence[Sequence[str]]) -> bool:
    """Say whether a row names the columns of the rows that follow it."""
    named = [cell for cell in first if cell]
    if len(set(named)) < 2 or not following:
        return False
    if len(set(named)) < len(named) and not _has_number(following):
        return False  # words that come twice are names only above numbers
    if any(_NUMBER.fullmatch(cell) or len(cell) > _LONGEST_NAME for cell in named):
        return False
    width = max(sum(map(bool, row)) for row in following)
    repeated = any(set(named) & set(filter(None, row)) == set(named) for row in following)
    return len(named) * 3 >= width * 2 and width > 1 and not repeated


def _has_number(rows: Sequence[Sequence[str]]) -> bool:
    return any(_NUMBER.fullmatch(cell) for row in rows for cell in row if cell)


def _runs(rows: Iterable[Row]) -> Iterator[list[Row]]:
    run: list[Row] = []
    for row in rows:
        if row.filled():
            run.append(row)
        elif run:
            yield run
            run = []
    if run:
        yield run


def _split_header(run: list[Row]) -> tuple[set[Row], Row | None]:
    """Return the rows under the header, and the header, looked for under the captions."""
    for at, row in enumerate(run[:_ROWS_LOOKED_AT]):
        following = [each.cells for each in run[at + 1 : at + 1 + _ROWS_LOOKED_AT]]
        if is_header(row.cells, following):
            return set(run[at + 1 :]), row
        if len(row.filled()) > 1:
            break
    return set(run), None


def _continues(run: list[Row], names: tuple[str, ...]) -> bool:
    """Say whether rows after a blank one still belong under the names above it."""
    columns = {at for at, name in enumerate(names) if name}
    filled = [set(row.filled()) for row in run]
    return bool(columns) and all(each <= columns for each in filled) and len(filled[0]) > 1


def _row(row: Row, names: tuple[str, ...], place_of: PlaceOf) -> TableRow:
    named = names and len(row.filled()) > 1
    text = named_row(names, row.cells) if named else plain_row(tuple(filter(None, row.cells)))
    return TableRow(text, place_of(row))
