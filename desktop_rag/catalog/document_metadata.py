"""What documents say of themselves, in the catalog: a row for each that says anything."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterable, Sequence
from typing import Any

from desktop_rag.catalog.column_values import text_list
from desktop_rag.catalog.database import Database
from desktop_rag.core.document_metadata import NO_METADATA, DocumentMetadata
from desktop_rag.core.types import DocumentId
from desktop_rag.core.unicode import valid_text

_NAMES = (
    "authors", "recipients", "keywords", "subject", "created", "modified", "language",
)  # fmt: skip
COLUMNS = ", ".join(_NAMES)
METADATA_JSON = """(
    SELECT json_object(
        'authors', json(authors), 'recipients', json(recipients), 'keywords', json(keywords),
        'subject', subject, 'created', created, 'modified', modified, 'language', language
    )
    FROM document_metadata WHERE document_id = documents.id
)"""
"""What a document says of itself as JSON, in SQL; NULL where that is nothing."""


class MetadataTable:
    """The catalog's properties of documents."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def of(self, document_id: DocumentId) -> DocumentMetadata:
        """Return what a document says of itself."""
        row = self._database.read().execute(
            f"SELECT {COLUMNS} FROM document_metadata WHERE document_id = ?",  # noqa: S608
            (document_id,),
        )
        found = row.fetchone()
        return NO_METADATA if found is None else metadata_of(found)

    def dates(self, documents: Iterable[DocumentId]) -> dict[DocumentId, float]:
        """Return when documents became what they are, in Unix seconds, of those that tell it."""
        rows = self._database.read().execute(
            "SELECT document_id, coalesce(modified, created) FROM document_metadata "
            "WHERE document_id IN (SELECT value FROM json_each(?))",
            (json.dumps(list(documents)),),
        )
        return {DocumentId(number): dated for number, dated in rows if dated is not None}


def insert_metadata(
    tx: sqlite3.Connection, document_id: DocumentId, metadata: DocumentMetadata
) -> None:
    """Store what a document says of itself, if it says anything."""
    if not metadata:
        return
    lists = metadata.authors, metadata.recipients, metadata.keywords
    tx.execute(
        f"INSERT INTO document_metadata (document_id, {COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?, ?)",  # noqa: S608
        (
            document_id,
            *(json.dumps([valid_text(each) for each in values]) for values in lists),
            valid_text(metadata.subject),
            metadata.created,
            metadata.modified,
            metadata.language,
        ),
    )


def metadata_of(row: Sequence[Any]) -> DocumentMetadata:
    """Return a row of `COLUMNS`; that of a document without one is all NULL."""
    if row[-1] is None:
        return NO_METADATA
    authors, recipients, keywords = map(text_list, row[:3])
    return DocumentMetadata(authors, recipients, keywords, *row[3:])
