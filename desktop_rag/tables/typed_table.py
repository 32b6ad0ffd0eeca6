"""Typed tables: stored tables with the same columns put together, each column of one kind."""

from __future__ import annotations

import itertools
import re
import unicodedata
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import chain

from desktop_rag.tables.cell_values import ColumnKind, ColumnValues, column_values
from desktop_rag.tables.stored_tables import StoredTable

FILE, SHEET = "File", "Sheet"
"""Names of the columns that tell where a row stands, in tables put together from several."""
ROW = "_row"
"""The column that numbers the rows from 0; no question is told of it."""
_COPY = 0.99  # share of rows that two tables have in common, from which one is a copy
_VERSION = 0.5  # and from which they are versions of one table, whose rows are not added up
_TOTAL = re.compile(
    r"(?:grand |sub)?totals?|sub-total|sum|all|合计|总计|小计|累计|共计|合計|總計|小計|総計|"
    r"(?:gesamt)?summe|gesamt",
    re.IGNORECASE,
)
_LONGEST_NAME = 60


@dataclass(frozen=True, slots=True)
class Column:
    """A column: its name, which no other column of the table has, and its cells."""

    name: str
    cells: ColumnValues

    @property
    def kind(self) -> ColumnKind:
        """What its cells are."""
        return self.cells.kind


@dataclass(frozen=True, slots=True)
class TablePart:
    """A stored table in a typed one: rows `first` to `end` are its `rows`."""

    stored: StoredTable
    first: int
    rows: tuple[int, ...]

    @property
    def end(self) -> int:
        """The row after its last one."""
        return self.first + len(self.rows)


@dataclass(frozen=True, slots=True)
class TypedTable:
    """A table that can be asked. `totals` rows of sums were left out, `lost` could not be read.

    `name` is what SQL calls it.
    """

    name: str
    columns: tuple[Column, ...]
    parts: tuple[TablePart, ...]
    totals: int = 0
    lost: int = 0

    @property
    def size(self) -> int:
        """How many rows it has."""
        return self.parts[-1].end if self.parts else 0

    @property
    def titles(self) -> tuple[str, ...]:
        """What its parts are called: document and sheet."""
        return tuple(dict.fromkeys(part_title(each.stored) for each in self.parts))

    @property
    def misfits(self) -> tuple[Column, ...]:
        """Columns with cells that are not of the column's kind."""
        return tuple(each for each in self.columns if each.cells.misfits)

    def named(self, name: str) -> TypedTable:
        """Return it under another name in SQL."""
        return replace(self, name=name)

    def place(self, row: int) -> tuple[StoredTable, int]:
        """Return the stored table in which a row stands, and its number there."""
        part = next(each for each in self.parts if row < each.end)
        return part.stored, part.rows[row - part.first]


def part_title(table: StoredTable) -> str:
    """Return a document's name, with the sheet's."""
    return f"{table.title}, {table.sheet}" if table.sheet else table.title


def join_same_columns(tables: Sequence[StoredTable]) -> list[tuple[StoredTable, ...]]:
    """Return tables in groups that have the same columns, each row once.

    Of copies only the longest is taken; versions of a table, with many rows in common, stay apart.
    """
    groups: dict[tuple[str, ...], list[list[StoredTable]]] = {}
    for each in sorted(tables, key=lambda each: -each.size):
        key = tuple(_plain(name) for name in each.names)
        alike = groups.setdefault(key, [])
        shared = [max(_in_common(each, other) for other in group) for group in alike]
        if max(shared, default=0.0) >= _COPY:
            continue
        at = next((n for n, share in enumerate(shared) if share < _VERSION), None)
        if at is None:
            alike.append([each])
        else:
            alike[at].append(each)
    place = {id(each): at for at, each in enumerate(tables)}
    return [
        tuple(sorted(group, key=lambda each: place[id(each)]))
        for alike in groups.values()
        for group in alike
    ]


def make_typed_table(
    name: str, parts: Sequence[StoredTable], check: Callable[[], object] = bool
) -> TypedTable:
    """Return stored tables with the same columns as one typed table.

    `check` is called before each column, and may raise to stop.
    """
    kept = [_without_totals(each) for each in parts]
    placed, first = [], 0
    for stored, rows in zip(parts, kept, strict=True):
        placed.append(TablePart(stored, first, rows))
        first += len(rows)
    names = _unique(parts[0].names)
    columns = []
    for at, each in enumerate(names):
        check()
        cells = list(chain.from_iterable(_cells(part, at) for part in placed))
        columns.append(Column(each, column_values(cells)))
    columns += _origin_columns(placed, names)
    totals = sum(each.size - len(rows) for each, rows in zip(parts, kept, strict=True))
    return TypedTable(name, tuple(columns), tuple(placed), totals, sum(each.lost for each in parts))


def _cells(part: TablePart, column: int) -> Iterable[str]:
    cells = part.stored.columns[column]
    return (cells[row] for row in part.rows)


def _plain(name: str) -> str:
    return unicodedata.normalize("NFKC", name).strip().casefold()


def _in_common(one: StoredTable, other: StoredTable) -> float:
    """Return the share of rows of the shorter of two tables that the other one has as well."""
    rows, others = (set(zip(*each.columns, strict=True)) for each in (one, other))
    return len(rows & others) / max(1, min(len(rows), len(others)))


def _without_totals(table: StoredTable) -> tuple[int, ...]:
    """Return the rows that are not sums of others."""
    beginnings = zip(*table.columns[:2], strict=True)
    return tuple(row for row, cells in enumerate(beginnings) if not any(map(_is_total, cells)))


def _is_total(cell: str) -> bool:
    return bool(cell) and _TOTAL.fullmatch(cell.strip(" :：*")) is not None


def _unique(names: Sequence[str]) -> list[str]:
    """Return names of which none is empty, and none comes twice, whatever the case."""
    made: list[str] = []
    for at, given in enumerate(names, start=1):
        plain = " ".join(given.split())[:_LONGEST_NAME] or f"Column {at}"
        taken = {each.casefold() for each in made} | {ROW}
        others = (f"{plain} {count}" for count in itertools.count(2))
        named = chain((plain,), others)
        made.append(next(each for each in named if each.casefold() not in taken))
    return made


def _origin_columns(parts: Sequence[TablePart], names: Sequence[str]) -> list[Column]:
    """Return columns of file and sheet where the parts differ in those."""
    taken = {each.casefold() for each in names}
    made = []
    for name, of in ((FILE, _title_of), (SHEET, _sheet_of)):
        if len({of(each) for each in parts}) > 1 and name.casefold() not in taken:
            cells = tuple(of(each) or None for each in parts for _ in each.rows)
            made.append(Column(name, ColumnValues(ColumnKind.TEXT, cells, filled=len(cells))))
    return made


def _title_of(part: TablePart) -> str:
    return part.stored.title


def _sheet_of(part: TablePart) -> str:
    return part.stored.sheet
