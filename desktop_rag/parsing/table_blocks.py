"""Turn rows of cells into table blocks whose rows can be read by themselves.

Where a header is recognised, a row reads `column: value; column: value`; else its cells stand
between bars. Blank rows part tables; a line of one cell above a table is its caption.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, groupby, islice

from desktop_rag.core.table_rows import named_row, plain_row
from desktop_rag.core.types import BlockKind
from desktop_rag.parsing.parsed_document import Block, BlockLocator, TableRow

_SPACE = re.compile(r"\s+")
_NUMBER = re.compile(r"[\s()+\-–—−.,:/%$€£¥\d]+|[\d.,]+\s?[a-zA-Z%]{1,3}")
_LONGEST_NAME = 80
_ROWS_LOOKED_AT = 8


@dataclass(frozen=True, slots=True)
class CellRow:
    """One row of a sheet: its number from 1 and all its cells, empty ones too.

    A sheet is sparse: where only some cells are given, `columns` says where they stand (from 0).
    """

    number: int
    cells: tuple[str, ...]
    columns: tuple[int, ...] | None = None

    def by_column(self) -> dict[int, str]:
        """Return the cells that hold something by their columns."""
        places = range(len(self.cells)) if self.columns is None else self.columns
        return {at: cell for at, cell in zip(places, self.cells, strict=True) if cell}

    def filled(self) -> list[int]:
        """Return the columns (from 0) that hold something."""
        return list(self.by_column())


LocatorOf = Callable[[CellRow], BlockLocator]


def clean(cell: str) -> str:
    """Return a cell's text on one line."""
    return _SPACE.sub(" ", cell).strip()


def table_blocks_of(
    rows: Iterable[CellRow], place_of: LocatorOf, most_characters: float = math.inf
) -> Iterator[Block]:
    """Yield one table block for each run of rows without a blank row between them.

    Of what is longer than `most_characters` only the beginning is given.
    """
    names: dict[int, str] = {}
    for run in _runs(rows):
        held = list(islice(run, 2 * _ROWS_LOOKED_AT))
        above, header = _split_header(held)
        if header is not None:
            names = header.by_column()
        elif names:
            held += run
            names = names if _continues(held, names) else {}
        lines: list[TableRow] = []
        for at, each in enumerate(chain(held, run)):
            lines.append(_row(each, names if at >= above else {}, place_of))
            most_characters -= len(lines[-1].text) + 1
            if most_characters < 0:
                break
        text = "\n".join(line.text for line in lines)
        yield Block(BlockKind.TABLE, text, lines[0].place, rows=tuple(lines))
        if most_characters < 0:
            return


def pipe_table(
    rows: Sequence[CellRow], place: BlockLocator, place_of: LocatorOf | None = None
) -> Iterator[Block]:
    """Yield one table block whose rows stand between bars; `header` holds its column names."""
    kept = [row for row in rows if row.filled()]
    if not kept:
        return
    lines = tuple(TableRow(plain_row(r.cells), place_of(r) if place_of else place) for r in kept)
    following = [row.cells for row in kept[1 : 1 + _ROWS_LOOKED_AT]]
    header = lines[0].text if is_header(kept[0].cells, following) else ""
    text = "\n".join(line.text for line in lines)
    yield Block(BlockKind.TABLE, text, lines[0].place, rows=lines, header=header)


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


def _runs(rows: Iterable[CellRow]) -> Iterator[Iterator[CellRow]]:
    """Yield the rows that follow upon each other; blank ones part them and are left out."""
    part = last = 0

    def part_of(row: CellRow) -> int:
        nonlocal part, last
        part += row.number != last + 1
        last = row.number
        return part

    filled = (row for row in rows if any(row.cells))
    return (run for _, run in groupby(filled, part_of))


def _split_header(run: list[CellRow]) -> tuple[int, CellRow | None]:
    """Return how many rows stand above the body, and the header, looked for under the captions."""
    for at, row in enumerate(run[:_ROWS_LOOKED_AT]):
        following = [each.cells for each in run[at + 1 : at + 1 + _ROWS_LOOKED_AT]]
        if is_header(row.cells, following):
            return at + 1, row
        if len(row.filled()) > 1:
            break
    return 0, None


def _continues(run: list[CellRow], names: Mapping[int, str]) -> bool:
    """Say whether rows after a blank one still belong under the names above it."""
    if not names or len(run[0].filled()) < 2:
        return False
    return all(row.by_column().keys() <= names.keys() for row in run)


def _row(row: CellRow, names: Mapping[int, str], place_of: LocatorOf) -> TableRow:
    cells = row.by_column()
    if names and len(cells) > 1:
        return TableRow(named_row(names, cells), place_of(row))
    return TableRow(plain_row(tuple(cells.values())), place_of(row))
