"""Holds the tables of a catalog in memory, up to a bound, by the content of their documents."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from desktop_rag.catalog.metadata_filter import parse_filter
from desktop_rag.catalog.table_chunks import TableDocument
from desktop_rag.core.cancel import CancelToken
from desktop_rag.core.types import ChunkId, DocumentId, KbId, Passage
from desktop_rag.retrieval.expand import expand_passages
from desktop_rag.retrieval.query import Candidate, RankedChunk
from desktop_rag.tables.stored_tables import StoredTable, read_tables
from desktop_rag.tables.typed_table import TypedTable, join_same_columns, make_typed_table

if TYPE_CHECKING:
    from desktop_rag.catalog.facade import Catalog

MOST_CELLS = 3_000_000
"""Cells that stay in memory, as text and again as values: some hundred bytes each at worst."""
MOST_CHARACTERS = 60_000_000
"""Characters of tables that are read for one question; of more, some documents are left out."""
_MOST_KNOWN = 2  # sets of tables of which it is remembered which have the same columns


@dataclass(frozen=True, slots=True)
class TableScope:
    """The tables that a question may be about, those with the same columns together.

    `left_out` documents were too many to read.
    """

    groups: tuple[tuple[StoredTable, ...], ...]
    left_out: int = 0


@dataclass(frozen=True, slots=True)
class _Joined:
    """Tables, held so that their ids stay theirs, and which of them have the same columns."""

    tables: tuple[StoredTable, ...]
    groups: tuple[tuple[StoredTable, ...], ...]


class TableStore:
    """The tables of a catalog, each read once while it is held. Safe to use from threads."""

    def __init__(self, catalog: Catalog, most_cells: int = MOST_CELLS) -> None:
        self._catalog = catalog
        self._most = most_cells
        self._lock = threading.Lock()
        self._held: OrderedDict[tuple[int, str, str], tuple[StoredTable, ...]] = OrderedDict()
        self._groups: OrderedDict[tuple[int, ...], _Joined] = OrderedDict()
        self._typed: OrderedDict[tuple[int, ...], TypedTable] = OrderedDict()

    def tables(
        self, kbs: Sequence[KbId], where: str, likely: Iterable[DocumentId], token: CancelToken
    ) -> TableScope:
        """Return the tables of knowledge bases under a filter.

        Of more than `MOST_CHARACTERS`, those of `likely` documents and then the smallest are read.
        """
        allowed = self._catalog.documents.select(kbs, parse_filter(where))
        first = {each: at for at, each in enumerate(likely)}
        documents = sorted(
            (
                each
                for each in self._catalog.tables.documents(kbs)
                if allowed is None or each.document_id in allowed
            ),
            key=lambda each: (first.get(each.document_id, len(first)), each.characters),
        )
        room, found, left_out = MOST_CHARACTERS, list[StoredTable](), 0
        for each in documents:
            token.check()
            if each.characters > room:
                left_out += 1
                continue
            room -= each.characters
            found += self._of(each, kbs)
        found.sort(key=lambda each: each.document_id)
        return TableScope(self._joined(found), left_out)

    def typed(
        self, group: Sequence[StoredTable], name: str, token: CancelToken | None = None
    ) -> TypedTable:
        """Return tables with the same columns as one typed table, which SQL calls by `name`."""
        key = tuple(map(id, group))
        with self._lock:
            if key in self._typed:
                self._typed.move_to_end(key)
                return self._typed[key].named(name)
        made = make_typed_table(name, group, (token or CancelToken()).check)
        with self._lock:
            self._typed[key] = made  # holds its parts, so that their ids stay theirs
            cells = sum(_typed_cells(each) for each in self._typed.values())
            while cells > self._most and len(self._typed) > 1:
                cells -= _typed_cells(self._typed.popitem(last=False)[1])
        return made

    def passages(self, chunk_ids: Sequence[ChunkId], kbs: Sequence[KbId]) -> tuple[Passage, ...]:
        """Return chunks as passages, in this order, without those that are gone."""
        chunks = self._catalog.documents.get_chunks(chunk_ids)
        ranked = [
            RankedChunk(Candidate(each, 1.0), chunks[each]) for each in chunk_ids if each in chunks
        ]
        return expand_passages(self._catalog, ranked, kbs, len(ranked), expand=False)

    def _of(self, document: TableDocument, kbs: Sequence[KbId]) -> tuple[StoredTable, ...]:
        key = document.document_id, document.content_hash, document.recipe
        with self._lock:
            if key in self._held:
                self._held.move_to_end(key)
                return self._held[key]
        made = tuple(read_tables(self._catalog, document, kbs))
        with self._lock:
            self._held[key] = made
            cells = sum(_cells(each) for each in self._held.values())
            while cells > self._most and len(self._held) > 1:
                cells -= _cells(self._held.popitem(last=False)[1])
        return made

    def _joined(self, tables: Sequence[StoredTable]) -> tuple[tuple[StoredTable, ...], ...]:
        key = tuple(map(id, tables))
        with self._lock:
            if key in self._groups:
                self._groups.move_to_end(key)
                return self._groups[key].groups
        made = tuple(join_same_columns(tables))
        with self._lock:
            self._groups[key] = _Joined(tuple(tables), made)
            while len(self._groups) > _MOST_KNOWN:
                self._groups.popitem(last=False)
        return made


def _cells(tables: Iterable[StoredTable]) -> int:
    return sum(each.size * len(each.names) for each in tables)


def _typed_cells(table: TypedTable) -> int:
    return table.size * len(table.columns)
