"""Tables of the catalog's documents, made again from the stored text when they are asked for.

Nothing is stored for it. Merged cells stand once, formulas are their last values, hidden rows are
there: as the document's text has them.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import groupby
from pathlib import PurePath
from typing import TYPE_CHECKING

from desktop_rag.catalog.table_chunks import TableChunk, TableDocument
from desktop_rag.core.types import ChunkId, DocumentId, KbId, LocatorKind
from desktop_rag.tables.question_words import plain
from desktop_rag.tables.row_text import CellGrid, lines_of, read_grid

if TYPE_CHECKING:
    from desktop_rag.catalog.facade import Catalog

_FLOWING = (LocatorKind.ROW, LocatorKind.LINE)
_SHEETS = (LocatorKind.ROW, LocatorKind.SHEET)  # whose rows leave empty cells out
_SHORT = 60  # characters of a cell that a question may name
_NAMED_PLACES = (LocatorKind.SHEET, LocatorKind.SECTION, LocatorKind.PART)


@dataclass(frozen=True, slots=True)
class StoredTable:
    """A table of a document, its cells as text, by columns; an empty cell is "".

    `sheet` names the sheet, or the section. Of row n, the text stands at `spans[n]` in the
    document, in the chunk `chunk_at` gives. `lost` rows could not be read into columns. `searched`
    are its short cells, each once, as a question is compared with them.
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
    searched: str = field(default="", repr=False)

    @property
    def size(self) -> int:
        """How many rows it has."""
        return len(self.spans)

    def chunk_at(self, row: int) -> ChunkId:
        """Return the chunk in which a row begins."""
        at = bisect_right(self.chunk_starts, self.spans[row][0]) - 1
        return self.chunk_ids[max(at, 0)]


def read_tables(
    catalog: Catalog, document: TableDocument, kbs: Sequence[KbId]
) -> Iterator[StoredTable]:
    """Yield a document's tables, those with the same names of columns in one place joined."""
    number = document.document_id
    paths = catalog.documents.paths([number], kbs).get(number, ())
    name = _full_title(document.title, PurePath(paths[0]).stem if paths else "")
    held: dict[str, str] = {}  # one object for equal cells
    known: tuple[str, tuple[str, ...]] = ("", ())
    for region in regions(catalog.tables.chunks(number)):
        sheet = place_name(region[0])
        before = known[1] if known[0] == sheet else ()
        text = catalog.documents.text(number, region[0].start, region[-1].end)
        header = region[0].context
        keeps_empty = keeps_empty_cells(region[0])
        for lines in lines_of(text, region[0].start):
            grid = read_grid(lines, header, before, keeps_empty=keeps_empty)
            if grid is not None and grid.rows:
                before = grid.own_names
                known = sheet, before
                yield _stored(number, (name, sheet), grid, region, held)


def _full_title(title: str, file_name: str) -> str:
    """Return a document's title, with its file's name where that says more."""
    if not title or title in file_name:
        return file_name or title
    return title if file_name in title else f"{title} ({file_name})"


def regions(chunks: Sequence[TableChunk]) -> Iterator[list[TableChunk]]:
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


def keeps_empty_cells(chunk: TableChunk) -> bool:
    """Say whether the rows of a chunk have their empty cells."""
    return chunk.locator.kind not in _SHEETS


def place_name(chunk: TableChunk) -> str:
    """Return the sheet's name, else the section's."""
    if chunk.locator.kind in _NAMED_PLACES and isinstance(chunk.locator.value, str):
        return chunk.locator.value
    return chunk.section


def _stored(
    document_id: DocumentId,
    called: tuple[str, str],
    grid: CellGrid,
    region: Sequence[TableChunk],
    held: dict[str, str],
) -> StoredTable:
    """Return a grid as a table of a document; `called` are the document's title and the sheet."""
    columns = tuple(
        tuple(held.setdefault(cell, cell) for cell in column)
        for column in zip(*grid.rows, strict=True)
    )
    return StoredTable(
        document_id=document_id,
        title=called[0],
        sheet=called[1],
        caption=grid.caption,
        names=grid.names,
        columns=columns,
        spans=grid.spans,
        chunk_starts=tuple(each.start for each in region),
        chunk_ids=tuple(each.chunk_id for each in region),
        lost=grid.lost,
        searched=_searched(columns),
    )


def _searched(columns: Sequence[Sequence[str]]) -> str:
    """Return the different short cells of columns on lines of their own, `plain`."""
    cells = dict.fromkeys(cell for column in columns for cell in column)
    return plain("\n".join(["", *(cell for cell in cells if 0 < len(cell) <= _SHORT), ""]))
