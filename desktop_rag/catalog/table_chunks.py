"""Reads from the catalog which documents hold tables, and where in their text those stand."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass

from desktop_rag.catalog import locators
from desktop_rag.catalog.database import Database
from desktop_rag.core.types import (
    BlockKind,
    ChunkId,
    DocumentId,
    KbId,
    Locator,
    LocatorKind,
    TableShare,
)

_SHEETS = frozenset([LocatorKind.ROW.value, LocatorKind.SHEET.value])


@dataclass(frozen=True, slots=True)
class TableDocument:
    """A document with chunks of tables: how many characters those have, and its content's hash."""

    document_id: DocumentId
    title: str
    content_hash: str
    recipe: str
    characters: int


@dataclass(frozen=True, slots=True)
class TableChunk:
    """A chunk of a table: its number, its place and what stands over it, without its text."""

    chunk_id: ChunkId
    start: int
    end: int
    locator: Locator
    context: str
    section: str


class TableChunks:
    """The catalog's chunks that are tables."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def documents(self, kbs: Iterable[KbId]) -> list[TableDocument]:
        """Return the documents of knowledge bases that hold tables, in their order."""
        rows = self._database.read().execute(
            "SELECT chunks.document_id, title, content_hash, recipe, sum(stop - start) "
            "FROM chunks JOIN documents ON documents.id = chunks.document_id "
            "WHERE kind = ?1 AND start IS NOT NULL AND stop IS NOT NULL "
            "AND chunks.document_id IN (SELECT document_id FROM files "
            "WHERE kb IN (SELECT value FROM json_each(?2))) "
            "GROUP BY chunks.document_id ORDER BY chunks.document_id",
            (BlockKind.TABLE.value, json.dumps(list(kbs))),
        )
        return [TableDocument(DocumentId(number), *rest) for number, *rest in rows]

    def share(self, document_id: DocumentId) -> TableShare:
        """Say how much of a document is tables."""
        row = self._database.read().execute(
            "SELECT min(json_extract(locator, '$[0]')), max(json_extract(locator, '$[0]')), "
            "EXISTS (SELECT 1 FROM chunks WHERE document_id = ?1 AND kind != ?2) "
            "FROM chunks WHERE document_id = ?1 AND kind = ?2",
            (document_id, BlockKind.TABLE.value),
        )
        *places, has_others = row.fetchone()
        if places[0] is None:
            return TableShare.NONE
        is_mixed = has_others or not _SHEETS.issuperset(places)
        return TableShare.SOME if is_mixed else TableShare.SHEETS

    def chunks(self, document_id: DocumentId) -> list[TableChunk]:
        """Return a document's chunks of tables, in order."""
        rows = self._database.read().execute(
            "SELECT id, start, stop, locator, context, section FROM chunks WHERE document_id = ? "
            "AND kind = ? AND start IS NOT NULL AND stop IS NOT NULL ORDER BY ordinal",
            (document_id, BlockKind.TABLE.value),
        )
        return [
            TableChunk(ChunkId(number), start, stop, locators.unpack(packed), context, section)
            for number, start, stop, packed, context, section in rows
        ]
