"""Which rows of which documents a query's result was made from, as ranges of their texts."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from desktop_rag.core.types import UsedRows
from desktop_rag.tables.sql_engine import QueryResult
from desktop_rag.tables.stored_tables import StoredTable
from desktop_rag.tables.typed_table import TablePart, TypedTable

MOST_RANGES = 2000
"""Ranges that are told of one result: they are kept with the answer."""
MOST_TABLES = 100
"""Tables of documents of which it is told."""

Range = tuple[int, int]


def used_rows(result: QueryResult, table: TypedTable) -> tuple[UsedRows, ...]:
    """Return the rows that a result was made from, table by table as the documents hold them.

    Nothing where it is not known of each row.
    """
    if result.rests_on is None or result.row_count != len(result.rests_on):
        return ()
    used, room = set(result.rests_on), MOST_RANGES
    made: list[UsedRows] = []
    for part in table.parts:
        rows = [part.rows[row - part.first] for row in range(part.first, part.end) if row in used]
        if rows and len(made) < MOST_TABLES:
            made.append(_of_part(part, rows, _names_read(result, table, part.stored), room))
            room -= len(made[-1].ranges)
    return tuple(made)


def _of_part(part: TablePart, rows: Sequence[int], columns: tuple[str, ...], room: int) -> UsedRows:
    """Return the rows of a stored table; as one range where `room` ranges do not hold them."""
    ranges = tuple(_joined(part.stored, rows))
    exact = len(ranges) <= max(1, room)
    if not exact:
        ranges = ((ranges[0][0], ranges[-1][1]),)
    document_id, total = part.stored.document_id, len(part.rows)
    return UsedRows(document_id, len(rows), total, columns, ranges, exact)


def _joined(stored: StoredTable, rows: Sequence[int]) -> Iterator[Range]:
    """Yield where rows stand in the text, those that only a line's end parts as one range."""
    first, last = stored.spans[rows[0]]
    for row in rows[1:]:
        start, end = stored.spans[row]
        if start > last + 1:
            yield first, last
            first = start
        last = end
    yield first, last


def _names_read(result: QueryResult, table: TypedTable, stored: StoredTable) -> tuple[str, ...]:
    """Return the columns that a query reads, as the document names them."""
    read = {each.casefold() for each in result.columns}
    own = zip(table.columns, stored.names, strict=False)  # behind them come file and sheet
    return tuple(name for column, name in own if column.name.casefold() in read)
