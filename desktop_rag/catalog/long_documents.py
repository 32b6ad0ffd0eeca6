"""Documents too long to be held at once: stored piece by piece, and a file's only when whole.

Until then a document stands under a recipe that no file is looked for by, so nobody finds it; what
a kill leaves of it is deleted at the next start.
"""

from __future__ import annotations

import json
import secrets
import sqlite3
from collections.abc import Mapping, Sequence

import numpy as np
import numpy.typing as npt

from desktop_rag.catalog.database import Database
from desktop_rag.catalog.document_metadata import insert_metadata
from desktop_rag.catalog.documents import UNFINISHED_RECIPE, attach_document, insert_chunks
from desktop_rag.catalog.embeddings import insert_vectors
from desktop_rag.catalog.garbage_collection import collect_garbage
from desktop_rag.core.catalog_records import FileRead, NewChunk, NewDocument
from desktop_rag.core.phrases import dump
from desktop_rag.core.types import DocumentId
from desktop_rag.core.unicode import valid_text

_DELETED_TOGETHER = 2000


class LongDocuments:
    """The catalog's documents that are being stored piece by piece."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def begin(self) -> DocumentId:
        """Make an empty document that nobody finds yet; return its id."""
        with self._database.write() as tx:
            made = tx.execute(
                "INSERT INTO documents (content_hash, recipe, title, text, notes, chunk_count) "
                "VALUES (?, ?, '', '', '[]', 0) RETURNING id",
                (secrets.token_hex(20), UNFINISHED_RECIPE),
            )
            return DocumentId(made.fetchone()[0])

    def append(
        self,
        document_id: DocumentId,
        text: str,
        chunks: Sequence[NewChunk],
        vectors: Mapping[str, npt.NDArray[np.float16]],
        fingerprint: str,
    ) -> None:
        """Put text (at most a million characters) and chunks at a document's end."""
        with self._database.write() as tx:
            _add_text(tx, document_id, valid_text(text))
            insert_chunks(tx, document_id, chunks)
            insert_vectors(tx, vectors, fingerprint)

    def finish(self, document_id: DocumentId, read: FileRead, head: NewDocument) -> None:
        """Give a file its document, now that it is whole; `head` is all but text and chunks.

        Where there is one of this content and recipe meanwhile the file is given that.
        """
        with self._database.write() as tx:
            found = tx.execute(
                "SELECT id FROM documents WHERE content_hash = ? AND recipe = ?",
                (head.content_hash, head.recipe),
            ).fetchone()
            if found is None:
                _name(tx, document_id, head)
                insert_metadata(tx, document_id, head.metadata)
            replaced = attach_document(
                tx, read, document_id if found is None else DocumentId(found[0])
            )
        if found is not None:
            self.discard(document_id)
        elif replaced:
            self._database.forget()

    def discard(self, document_id: DocumentId) -> None:
        """Delete a document that will not be finished, some rows at a time; else do nothing."""
        unfinished = (document_id, UNFINISHED_RECIPE)
        is_there = "SELECT 1 FROM documents WHERE id = ? AND recipe = ?"
        if self._database.read().execute(is_there, unfinished).fetchone() is None:
            return
        while self._delete_some(document_id):
            pass
        with self._database.write() as tx:
            collect_garbage(tx, {document_id})
        self._database.forget()

    def sweep(self) -> None:
        """Delete what a killed process left; the caller owns the folder, so nobody is at it."""
        left = self._database.read().execute(
            "SELECT id FROM documents WHERE recipe = ?", (UNFINISHED_RECIPE,)
        )
        for (document_id,) in left.fetchall():
            self.discard(DocumentId(document_id))

    def _delete_some(self, document_id: DocumentId) -> bool:
        """Delete a document's last chunks, with their vectors; say whether there were any."""
        with self._database.write() as tx:
            keys = tx.execute(
                "DELETE FROM chunks WHERE id IN (SELECT id FROM chunks WHERE document_id = ? "
                "ORDER BY ordinal DESC LIMIT ?) RETURNING embed_key",
                (document_id, _DELETED_TOGETHER),
            ).fetchall()
            tx.executemany(
                "DELETE FROM embeddings WHERE embed_key = ?1 "
                "AND NOT EXISTS (SELECT 1 FROM chunks WHERE embed_key = ?1)",
                keys,
            )
        return bool(keys)


def _add_text(tx: sqlite3.Connection, document_id: DocumentId, text: str) -> None:
    """Put text at a document's end: its beginning stands in its own row."""
    if not text:
        return
    end = tx.execute(
        "SELECT coalesce((SELECT start + length(text) FROM segments WHERE document_id = ?1 "
        "ORDER BY start DESC LIMIT 1), length(text)) FROM documents WHERE id = ?1",
        (document_id,),
    ).fetchone()[0]
    if not end:
        tx.execute("UPDATE documents SET text = ? WHERE id = ?", (text, document_id))
    else:
        tx.execute("INSERT INTO segments VALUES (?, ?, ?)", (document_id, end, text))


def _name(tx: sqlite3.Connection, document_id: DocumentId, head: NewDocument) -> None:
    """Let a document be found."""
    tx.execute(
        "UPDATE documents SET content_hash = ?1, recipe = ?2, title = ?3, pages = ?4, notes = ?5, "
        "chunk_count = (SELECT count(*) FROM chunks WHERE document_id = ?6) WHERE id = ?6",
        (
            head.content_hash,
            head.recipe,
            valid_text(head.title),
            head.pages,
            json.dumps([dump(each) for each in head.notes]),
            document_id,
        ),
    )
