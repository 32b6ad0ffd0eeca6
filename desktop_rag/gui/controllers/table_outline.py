"""What is known of a table that is looked at: its rows' places, some cells. Frozen values."""

from __future__ import annotations

from array import array
from bisect import bisect_left, bisect_right
from dataclasses import dataclass, field
from itertools import chain
from typing import TYPE_CHECKING

from desktop_rag.core.types import DocumentId, Locator

if TYPE_CHECKING:
    from desktop_rag.tables.row_form import RowForm


@dataclass(frozen=True, slots=True)
class UsedTable:
    """What a result was made from in a table: `count` of `total` rows, and these columns.

    `spans` are those rows' indexes, rows that follow each other as one range. Only where they are
    told `by_row` are they all of them, and not all that there are.
    """

    count: int
    total: int
    columns: frozenset[int]
    spans: tuple[range, ...]
    by_row: bool

    @property
    def rows(self) -> tuple[int, ...]:
        """The rows, none where they are not told one by one."""
        return tuple(chain.from_iterable(self.spans)) if self.by_row else ()

    def covers(self, row: int) -> bool:
        """Say whether a row is one of them, or may be."""
        at = bisect_right(self.spans, row, key=_start_of) - 1
        return at >= 0 and row in self.spans[at]


@dataclass(frozen=True, slots=True)
class TableOutline:
    """A table of a document without its cells, the `index`th of that.

    The text of row n stands from `starts[n]` to `ends[n]` in the document; `numbers[n]` is its
    number in the sheet, 0 where that is not known. `widths` are the characters of the longest cells
    that were looked at, `numeric` the columns of numbers. `forms` tell how rows are read, each from
    a row on.
    """

    index: int
    title: str
    place: Locator
    names: tuple[str, ...]
    starts: array[int] = field(repr=False)
    ends: array[int] = field(repr=False)
    numbers: array[int] = field(repr=False)
    forms: tuple[tuple[int, RowForm], ...] = field(repr=False)
    widths: tuple[int, ...] = field(repr=False)
    numeric: frozenset[int] = frozenset()
    used: UsedTable | None = None

    @property
    def size(self) -> int:
        """How many rows it has."""
        return len(self.starts)

    def rows_in(self, start: int, end: int) -> range:
        """Return the rows that a range of the document's text touches."""
        return range(bisect_right(self.ends, start), bisect_left(self.starts, end))

    def cells(self, row: int, text: str) -> tuple[str, ...]:
        """Return the cells of a row whose text is given, one for each column."""
        at = bisect_right(self.forms, row, key=_first_of) - 1
        cells, width = self.forms[at][1].cells(text), len(self.names)
        return (*cells, *[""] * (width - len(cells))) if len(cells) < width else cells[:width]


@dataclass(frozen=True, slots=True)
class DocumentTables:
    """The tables of a document, in order."""

    document_id: DocumentId | None
    tables: tuple[TableOutline, ...] = ()


@dataclass(frozen=True, slots=True)
class TableRows:
    """The cells of rows of a document's table that follow each other, from `first` on."""

    document_id: DocumentId | None
    table: int
    first: int
    rows: tuple[tuple[str, ...], ...]


@dataclass(frozen=True, slots=True)
class CellHit:
    """A cell that holds what is looked for; `start` is where its row begins in the text."""

    table: int
    row: int
    column: int
    start: int

    @property
    def order(self) -> tuple[int, int]:
        """Where it stands among others."""
        return self.start, self.column


@dataclass(frozen=True, slots=True)
class CellHits:
    """Where words stand in a document's tables, as far as was looked; `done` at the end."""

    words: str
    places: tuple[CellHit, ...]
    done: bool


@dataclass(frozen=True, slots=True)
class CellArea:
    """Cells of a table: these rows, these columns."""

    rows: range
    columns: tuple[int, ...]


def _first_of(form: tuple[int, RowForm]) -> int:
    return form[0]


def _start_of(span: range) -> int:
    return span.start
