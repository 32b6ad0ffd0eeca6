"""What must happen when a file lets go of its document, inside the caller's transaction.

A chunk is in a knowledge base's indexes exactly while some file of it has the chunk's document.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable

from desktop_rag.core.catalog_records import OutboxAction
from desktop_rag.core.types import DocumentId, KbId


def document_of(tx: sqlite3.Connection, kb: KbId, path: str) -> DocumentId | None:
    """Return the document that a file (its path as stored) has."""
    row = tx.execute(
        "SELECT document_id FROM files WHERE kb = ? AND path = ?", (kb, path)
    ).fetchone()
    return None if row is None or row[0] is None else DocumentId(row[0])


def is_referenced(tx: sqlite3.Connection, kb: KbId, document_id: DocumentId) -> bool:
    """Say whether some file of the knowledge base has the document."""
    found = tx.execute(
        "SELECT 1 FROM files WHERE document_id = ? AND kb = ? LIMIT 1", (document_id, kb)
    )
    return found.fetchone() is not None


def has_recognized_pages(tx: sqlite3.Connection, kb: KbId, path: str) -> bool:
    """Say whether text was recognised on pages of what a file (its path as stored) holds."""
    found = tx.execute(
        "SELECT 1 FROM files JOIN recognized_pages USING (content_hash) "
        "WHERE kb = ? AND path = ? LIMIT 1",
        (kb, path),
    )
    return found.fetchone() is not None


def enqueue_index_change(
    tx: sqlite3.Connection, kb: KbId, document_id: DocumentId, action: OutboxAction
) -> None:
    """Write to the outbox what becomes of a document's chunks in a knowledge base."""
    tx.execute(
        "INSERT INTO outbox (kb, chunk_id, action) "
        "SELECT ?, id, ? FROM chunks WHERE document_id = ? ORDER BY ordinal",
        (kb, action.value, document_id),
    )


def release_documents(
    tx: sqlite3.Connection, kb: KbId, documents: Iterable[DocumentId | None]
) -> None:
    """Follow up on files of `kb` that have lost these documents: tell the indexes, drop the unheld.

    Call it when the files' rows no longer name them.
    """
    lost = {document for document in documents if document is not None}
    for document_id in lost:
        is_held = is_referenced(tx, kb, document_id)
        action = OutboxAction.UPDATE if is_held else OutboxAction.DELETE
        enqueue_index_change(tx, kb, document_id, action)
    collect_garbage(tx, lost)


def collect_garbage(tx: sqlite3.Connection, documents: set[DocumentId]) -> None:
    """Delete those of the documents that no file has, and embeddings that no chunk refers to.

    Of the others, what was derived from them for knowledge bases that no longer have them.
    """
    for document_id in documents:
        held = tx.execute("SELECT 1 FROM files WHERE document_id = ? LIMIT 1", (document_id,))
        if held.fetchone() is not None:
            drop_derived_texts(tx, document_id)
            _drop_suggestions(tx, document_id)
            continue
        keys = tx.execute(
            "SELECT DISTINCT embed_key FROM chunks WHERE document_id = ?", (document_id,)
        ).fetchall()
        tx.execute("DELETE FROM chunks WHERE document_id = ?", (document_id,))
        tx.execute("DELETE FROM documents WHERE id = ?", (document_id,))
        tx.executemany(
            "DELETE FROM embeddings WHERE embed_key = ?1 "
            "AND NOT EXISTS (SELECT 1 FROM chunks WHERE embed_key = ?1)",
            keys,
        )


def _drop_suggestions(tx: sqlite3.Connection, document_id: DocumentId) -> None:
    """Delete the questions of a document for knowledge bases that no longer have it."""
    tx.execute(
        "DELETE FROM suggested_questions WHERE document_id = ?1 "
        "AND kb NOT IN (SELECT kb FROM files WHERE document_id = ?1)",
        (document_id,),
    )


def drop_derived_texts(tx: sqlite3.Connection, document_id: DocumentId | None = None) -> None:
    """Delete what was derived for ways that no knowledge base asks for that has the document.

    Of one document, or of all.
    """
    unneeded = (
        "NOT EXISTS (SELECT 1 FROM preparations JOIN files USING (kb) "
        "WHERE preparations.way = {0}.way AND files.document_id = {0}.document_id)"
    )
    for table in ("derived_texts", "prepared_documents"):
        tx.execute(
            f"DELETE FROM {table} WHERE (document_id = ?1 OR ?1 IS NULL) "  # noqa: S608 - ours
            f"AND {unneeded.format(table)}",
            (document_id,),
        )
