"""Tables of the catalog's documents, made again from the stored text when they are asked for.

Nothing is stored for it. What was read stays in memory, up to a bound, by the content of its
document. Merged cells stand once, formulas are their last values, hidden rows are there: as the
document's text has them.
"""

from __future__ import annotations

import threading
from bisect import bisect_right
from collections import OrderedDict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from pathlib import PurePath

from desktop_rag.catalog.facade import Catalog
from desktop_rag.catalog.metadata_filter import parse_filter
from desktop_rag.catalog.table_chunks import TableChunk, TableDocument
from desktop_rag.core.cancel import CancelToken
from desktop_rag.core.types import ChunkId, DocumentId, KbId, LocatorKind
from desktop_rag.tables.row_text import CellGrid, lines_of, read_grid

MOST_CELLS = 4_000_000
"""Cells that stay in memory, some hundred bytes each at worst."""
MOST_CHARACTERS = 60_000_000
"""Characters of tables that are read for one question; of more, some documents are chosen."""
_FLOWING = (LocatorKind.ROW, LocatorKind.LINE)
_SHEETS = (LocatorKind.ROW, LocatorKind.SHEET)  # whose rows leave empty cells out
_NAMED_PLACES = (LocatorKind.SHEET, LocatorKind.SECTION, LocatorKind.PART)


@dataclass(frozen=True, slots=True)
class StoredTable:
    """A table of a document, its cells as text, by columns; an empty cell is "".

    `sheet` names the sheet, or the section. Of row n, the text stands at `spans[n]` in the
    document, in the chunk `chunk_at` gives. `lost` rows could not be read into columns.
    """

    document_id: DocumentId
    title: str
    sheet: str
    caption: str
    names: tuple[str, ...]
    columns: tuple[tuple[str, ...], ...]
    spans: tuple[tuple[int, int], ...]
    chunk_starts: tuple[int, ...]
    chunk_ids: tuple[ChunkId, ...]
    lost: int = 0

    @property
    def size(self) -> int:
        """How many rows it has."""
        return len(self.spans)

    def chunk_at(self, row: int) -> ChunkId:
        """Return the chunk in which a row begins."""
        at = bisect_right(self.chunk_starts, self.spans[row][0]) - 1
        return self.chunk_ids[max(at, 0)]


@dataclass(frozen=True, slots=True)
class TableSearch:
    """The tables that a question may be about; `left_out` documents were too many to read."""

    tables: tuple[StoredTable, ...]
    left_out: int = 0


class TableStore:
    """The tables of a catalog, each read once while it is held. Safe to use from threads."""

    def __init__(self, catalog: Catalog, most_cells: int = MOST_CELLS) -> None:
        self._catalog = catalog
        self._most = most_cells
        self._lock = threading.Lock()
        self._held: OrderedDict[tuple[int, str, str], tuple[StoredTable, ...]] = OrderedDict()

    def tables(
        self,
        kbs: Sequence[KbId],
        where: str,
        likely: Iterable[DocumentId],
        token: CancelToken,
    ) -> TableSearch:
        """Return the tables of knowledge bases under a filter, those of `likely` documents first.

        Of more than `MOST_CHARACTERS` of tables, the likely documents and then the smallest are
        read.
        """
        allowed = self._catalog.documents.select(kbs, parse_filter(where))
        documents = [
            each
            for each in self._catalog.tables.documents(kbs)
            if allowed is None or each.document_id in allowed
        ]
        first = {each: at for at, each in enumerate(likely)}
        documents.sort(
            key=lambda each: (first.get(each.document_id, len(first)), each.characters)
        )
        room, found, left_out = MOST_CHARACTERS, list[StoredTable](), 0
        for each in documents:
            token.check()
            if each.characters > room:
                left_out += 1
                continue
            room -= each.characters
            found += self._of(each, kbs)
        return TableSearch(tuple(found), left_out)

    def _of(self, document: TableDocument, kbs: Sequence[KbId]) -> tuple[StoredTable, ...]:
        key = document.document_id, document.content_hash, document.recipe
        with self._lock:
            if key in self._held:
                self._held.move_to_end(key)
                return self._held[key]
        made = tuple(_read_tables(self._catalog, document, kbs))
        with self._lock:
            self._held[key] = made
            cells = sum(_cells(each) for each in self._held.values())
            while cells > self._most and len(self._held) > 1:
                cells -= _cells(self._held.popitem(last=False)[1])
        return made


def _cells(tables: Iterable[StoredTable]) -> int:
    return sum(each.size * len(each.names) for each in tables)


def _read_tables(
    catalog: Catalog, document: TableDocument, kbs: Sequence[KbId]
) -> Iterator[StoredTable]:
    """Yield a document's tables, those with the same names of columns in one place joined."""
    number = document.document_id
    paths = catalog.documents.paths([number], kbs).get(number, ())
    title = document.title or (PurePath(paths[0]).stem if paths else "")
    name = f"{title} {PurePath(paths[0]).stem}".strip() if paths else title
    held: dict[str, str] = {}  # one object for equal cells
    known: tuple[str, tuple[str, ...]] = ("", ())
    for region in _regions(catalog.tables.chunks(number)):
        sheet = _sheet(region[0])
        before = known[1] if known[0] == sheet else ()
        text = catalog.documents.text(number, region[0].start, region[-1].end)
        header = region[0].context
        keeps_empty = region[0].locator.kind not in _SHEETS
        for lines in lines_of(text, region[0].start):
            grid = read_grid(lines, header, before, keeps_empty=keeps_empty)
            if grid is not None and grid.rows:
                before, known = grid.names, (sheet, grid.names)
                yield _stored(document, name, sheet, grid, region, held)


def _regions(chunks: Sequence[TableChunk]) -> Iterator[list[TableChunk]]:
    """Yield chunks that follow upon each other in one place."""
    part, before = 0, None
    parts: list[tuple[int, TableChunk]] = []
    for each in chunks:
        if before is None or not _goes_on(before, each):
            part += 1
        parts.append((part, each))
        before = each
    for _, group in groupby(parts, key=lambda pair: pair[0]):
        yield [each for _, each in group]


def _goes_on(before: TableChunk, each: TableChunk) -> bool:
    if before.locator.kind is not each.locator.kind or each.start - before.end > 4:
        return False
    return each.locator.kind in _FLOWING or before.locator.value == each.locator.value


def _sheet(chunk: TableChunk) -> str:
    """Return the sheet's name, else the section's."""
    if chunk.locator.kind in _NAMED_PLACES and isinstance(chunk.locator.value, str):
        return chunk.locator.value
    return chunk.section


def _stored(
    document: TableDocument,
    title: str,
    sheet: str,
    grid: CellGrid,
    region: Sequence[TableChunk],
    held: dict[str, str],
) -> StoredTable:
    columns = tuple(
        tuple(held.setdefault(cell, cell) for cell in column)
        for column in zip(*grid.rows, strict=True)
    )
    return StoredTable(
        document_id=document.document_id,
        title=title,
        sheet=sheet,
        caption=grid.caption,
        names=grid.names,
        columns=columns,
        spans=grid.spans,
        chunk_starts=tuple(each.start for each in region),
        chunk_ids=tuple(each.chunk_id for each in region),
        lost=grid.lost,
    )
