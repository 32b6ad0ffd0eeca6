"""Reading documents' tables to look at them: where rows stand, some rows' cells, words in cells.

Each line of a table's text is a row, but for the one that names the columns. A sheet is one table,
blank rows in it or not; elsewhere each table is one.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from desktop_rag.core.cancel import CancelToken
from desktop_rag.core.types import LocatorKind, UsedRows
from desktop_rag.gui.controllers.data_folder import DataFolder
from desktop_rag.gui.controllers.open_document import OpenDocument
from desktop_rag.gui.controllers.table_outline import (
    CellArea,
    CellHit,
    CellHits,
    DocumentTables,
    TableOutline,
    TableRows,
    UsedTable,
)
from desktop_rag.gui.controllers.table_texts import TableTexts, table_texts

if TYPE_CHECKING:
    from desktop_rag.catalog.facade import Catalog
    from desktop_rag.tables.row_blocks import RowBlock

MOST_COPIED = 100_000
"""Cells that are copied at once."""
_SHEETS = (LocatorKind.ROW, LocatorKind.SHEET)
_LOOKED_AT = 20_000  # cells by which columns are judged
_AT_A_TIME = 2000  # rows that are searched, or copied
_MOST_HITS = 20_000
_MOST_COLUMNS = 2000
_MOST_BY_ROW = 5000  # rows that are marked one by one


def read_outlines(folder: DataFolder, document: OpenDocument, token: CancelToken) -> DocumentTables:
    """Read where the rows of a document's tables stand."""
    from desktop_rag.tables.row_blocks import read_blocks

    document_id = document.document_id
    if document_id is None:
        return DocumentTables(None)
    groups: dict[tuple[LocatorKind, str | int], list[RowBlock]] = {}
    for block in read_blocks(folder.get(token).catalog, document_id):
        token.check()
        kind = block.place.kind
        if kind not in _SHEETS and block.form.width < 2:
            continue  # a title above a table
        name: str | int = block.name if kind in _SHEETS else block.starts[0]
        groups.setdefault((kind, name), []).append(block)
    made = (_outline(at, blocks) for at, blocks in enumerate(groups.values()))
    used = [each for each in document.used if each.document_id == document_id]
    return DocumentTables(
        document_id, tuple(replace(each, used=_used(each, used)) for each in made)
    )


def read_rows(
    folder: DataFolder, document: OpenDocument, table: TableOutline, rows: range, token: CancelToken
) -> TableRows:
    """Read the cells of rows that follow each other."""
    catalog = folder.get(token).catalog
    cells = tuple(table.cells(*each) for each in _texts(catalog, document, table, rows))
    return TableRows(document.document_id, table.index, rows.start, cells)


def find_cells(
    folder: DataFolder,
    document: OpenDocument,
    tables: Sequence[TableOutline],
    words: str,
    token: CancelToken,
) -> Iterator[CellHits]:
    """Look for words in all cells; the names of columns are not looked at."""
    from desktop_rag.core.search_pattern import search_pattern

    wanted, found = search_pattern(words), 0
    catalog = folder.get(token).catalog
    for table, rows in _pieces(tables):
        token.check()
        if wanted is None or found >= _MOST_HITS:
            break
        holds = wanted.search
        places = tuple(
            CellHit(table.index, row, column, table.starts[row])
            for row, text in _texts(catalog, document, table, rows)
            if holds(text)
            for column, cell in enumerate(table.cells(row, text))
            if holds(cell)
        )
        found += len(places)
        if places:
            yield CellHits(words, places, done=False)
    yield CellHits(words, (), done=True)


def copy_cells(
    folder: DataFolder,
    document: OpenDocument,
    table: TableOutline,
    area: CellArea,
    token: CancelToken,
) -> TableTexts:
    """Return cells for the clipboard, under the columns' names where all rows are wanted."""
    most = max(1, MOST_COPIED // max(1, len(area.columns)))
    catalog, cells = folder.get(token).catalog, list[list[str]]()
    if len(area.rows) == table.size and any(table.names):
        cells.append([table.names[at] for at in area.columns])
    for first in range(0, len(area.rows[:most]), _AT_A_TIME):
        token.check()
        rows = area.rows[:most][first : first + _AT_A_TIME]
        read = (table.cells(*each) for each in _texts(catalog, document, table, rows))
        cells += [[row[at] for at in area.columns] for row in read]
    return table_texts(cells, max(0, len(area.rows) - most))


def _texts(
    catalog: Catalog, document: OpenDocument, table: TableOutline, rows: range
) -> Iterator[tuple[int, str]]:
    """Yield rows with their text."""
    if document.document_id is None or not rows:
        return
    begin, end = table.starts[rows[0]], table.ends[rows[-1]]
    text = catalog.documents.text(document.document_id, begin, end)
    for row in rows:
        yield row, text[table.starts[row] - begin : table.ends[row] - begin]


def _pieces(tables: Sequence[TableOutline]) -> Iterator[tuple[TableOutline, range]]:
    for table in tables:
        for first in range(0, table.size, _AT_A_TIME):
            yield table, range(first, min(first + _AT_A_TIME, table.size))


def _outline(index: int, blocks: Sequence[RowBlock]) -> TableOutline:
    """Return blocks as one table, named as the largest of them that has names."""
    main = max(blocks, key=lambda each: (bool(each.form.names), len(each.starts)))
    names = main.form.names
    starts, ends, numbers = array("Q"), array("Q"), array("Q")
    forms, sample = [], list[tuple[str, ...]]()
    for block in blocks:
        form = block.form
        forms.append((len(starts), form))
        is_told = form.header is not None and form.names == names
        skipped = len(starts) + (form.header or 0)
        for made, added in ((starts, block.starts), (ends, block.ends), (numbers, block.numbers)):
            made.extend(added)
            if is_told:
                del made[skipped]
        if form.names == names:  # else it may be a title
            room = max(0, _LOOKED_AT // max(1, form.width) + 1 - len(sample))
            sample += [form.cells(line.text) for line in block.head[:room]]
    width = min(_MOST_COLUMNS, max([len(names), *(len(row) for row in sample)]))
    named = (*names, *[""] * (width - len(names)))[:width]
    columns = [[row[at] for row in sample if at < len(row)] for at in range(width)]
    return TableOutline(
        index,
        main.name,
        main.place,
        named,
        starts,
        ends,
        numbers,
        tuple(forms),
        tuple(map(_characters, columns)),
        frozenset(at for at, cells in enumerate(columns) if _is_numeric(cells, named[at])),
    )


def _characters(cells: Sequence[str]) -> int:
    """Return how wide the widest cell is, Chinese characters counted twice."""
    return max((len(each) + sum(letter > "\u2e7f" for letter in each) for each in cells), default=0)


def _is_numeric(cells: Sequence[str], name: str) -> bool:
    from desktop_rag.tables.cell_values import ColumnKind, column_values

    return column_values([each for each in cells if each != name]).kind is ColumnKind.NUMBER


def _used(table: TableOutline, used: Sequence[UsedRows]) -> UsedTable | None:
    """Return what a result was made from in a table, None where that is nothing."""
    here = [each for each in used if table.rows_in(each.ranges[0][0], each.ranges[-1][1])]
    if not here:
        return None
    count, total = sum(each.count for each in here), sum(each.total for each in here)
    spans = [table.rows_in(*place) for each in here for place in each.ranges]
    known = {name for each in here for name in each.columns}
    columns = frozenset(at for at, name in enumerate(table.names) if name and name in known)
    by_row = count < min(total, _MOST_BY_ROW + 1) and all(each.exact for each in here)
    return UsedTable(count, total, columns, tuple(sorted(spans, key=_start_of)), by_row)


def _start_of(span: range) -> int:
    return span.start
