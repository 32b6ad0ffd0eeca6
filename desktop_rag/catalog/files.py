"""Files of a knowledge base: their stamps, their states, and the queue of those to be read."""

from __future__ import annotations

import json
import sqlite3
import time
from collections.abc import Iterable, Sequence
from typing import Any

from desktop_rag.catalog.column_values import enum_value, text_list
from desktop_rag.catalog.database import Database
from desktop_rag.catalog.garbage_collection import (
    document_of,
    enqueue_index_change,
    has_recognized_pages,
    is_referenced,
    release_documents,
)
from desktop_rag.core.catalog_records import FileRead, FileRow, FileStamp, OutboxAction
from desktop_rag.core.phrases import dump, joined, load
from desktop_rag.core.types import DocumentId, FileId, FileStatus, KbId
from desktop_rag.core.unicode import path_range_below, shown_path, stored_path, valid_text

_SELECT = """
    SELECT files.id, files.kb, files.path, files.size, files.mtime_ns, files.content_hash,
        files.status, files.reason, files.document_id, coalesce(documents.chunk_count, 0),
        documents.pages, files.seconds, files.changed_at, coalesce(documents.notes, '[]'),
        coalesce(shared_files.author, ''), coalesce(shared_files.written, 0.0),
        unread_pages.is_tried IS 0
    FROM files LEFT JOIN documents INDEXED BY documents_details
        ON documents.id = files.document_id
        LEFT JOIN shared_files ON shared_files.kb = files.kb AND shared_files.path = files.path
        LEFT JOIN unread_pages ON unread_pages.content_hash = files.content_hash
"""


class Files:
    """The catalog's files. A file is one path in one knowledge base."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def get(self, kb: KbId, path: str) -> FileRow | None:
        """Return a file, or None when the knowledge base does not know the path."""
        rows = self._select("files.kb = ? AND files.path = ?", (kb, stored_path(path)))
        return rows[0] if rows else None

    def under(self, kb: KbId, folder: str | None = None) -> list[FileRow]:
        """Return the files at or below a folder (all when None), by path."""
        if folder is None:
            return self._select("files.kb = ? ORDER BY files.path", (kb,))
        itself = self._select("files.kb = ? AND files.path = ?", (kb, stored_path(folder)))
        below = self._select(  # two questions that the index answers; one with OR reads every row
            "files.kb = ? AND files.path >= ? AND files.path < ? ORDER BY files.path",
            (kb, *path_range_below(folder)),
        )
        return itself + below

    def known(self, kb: KbId, paths: Iterable[str]) -> set[str]:
        """Return those of the paths at which the knowledge base has a file."""
        rows = self._database.read().execute(
            "SELECT path FROM files WHERE kb = ? AND path IN (SELECT value FROM json_each(?))",
            (kb, json.dumps([stored_path(path) for path in paths])),
        )
        return {shown_path(path) for (path,) in rows}

    def without_file(self, content_hashes: Iterable[str]) -> list[str]:
        """Return those of the contents that no file of any knowledge base has."""
        rows = self._database.read().execute(
            "SELECT value FROM json_each(?) "
            "WHERE value NOT IN (SELECT content_hash FROM files WHERE content_hash IS NOT NULL)",
            (json.dumps(list(content_hashes)),),
        )
        return [content_hash for (content_hash,) in rows]

    def counts(self, kb: KbId) -> dict[FileStatus, int]:
        """Return how many files are in each state; absent states are left out."""
        rows = self._database.read().execute(
            "SELECT status, count(*) FROM files WHERE kb = ? GROUP BY status", (kb,)
        )
        return {enum_value(FileStatus, status): count for status, count in rows}

    def unread(self, kb: KbId) -> list[tuple[str, FileStatus]]:
        """Return the paths of the files that have no document, with their states, by path."""
        rows = self._database.read().execute(
            "SELECT path, status FROM files WHERE kb = ? AND document_id IS NULL ORDER BY path",
            (kb,),
        )
        return [(shown_path(path), enum_value(FileStatus, status)) for path, status in rows]

    def count_read(self, kb: KbId, since: float) -> int:
        """Return how many files have a document that was read, or found anew, after a moment."""
        row = self._database.read().execute(
            "SELECT count(*) FROM files WHERE kb = ? AND document_id IS NOT NULL "
            "AND status <> 'queued' AND changed_at > ?",
            (kb, since),
        )
        return int(row.fetchone()[0])

    def marks(self, kb: KbId) -> dict[FileId, str]:
        """Return, for each file, a text that differs when its row does: far quicker than the rows.

        Texts, since the collector would have to look at 100,000 tuples each time.
        """
        rows = self._database.read().execute(
            "SELECT id, changed_at || ' ' || status || ' ' || coalesce(document_id, '') || ' ' "
            "|| coalesce(mtime_ns, '') || ' ' || coalesce(written, '') || ' ' "
            "|| coalesce(is_tried, '') FROM files LEFT JOIN shared_files USING (kb, path) "
            "LEFT JOIN unread_pages USING (content_hash) WHERE kb = ?",
            (kb,),
        )
        return dict(rows)

    def by_ids(self, ids: Iterable[FileId]) -> list[FileRow]:
        """Return the files of these ids; those that are gone are left out."""
        return self._select(
            "files.id IN (SELECT value FROM json_each(?))", (json.dumps(list(ids)),)
        )

    def transfer(self, kb: KbId, to: KbId, paths: Iterable[str]) -> int:
        """Give files to another knowledge base, which then has their documents; say how many.

        One that the other has already, at the same path, stays there as it is.
        """
        count = 0
        with self._database.write() as tx:
            for path in map(stored_path, paths):
                count += _handed_over(tx, kb, to, path)
        self._database.forget()
        return count

    def record(self, read: FileRead, status: FileStatus, reason: str) -> None:
        """Record a file that has no document (empty, encrypted, failed …); drop its old one."""
        with self._database.write() as tx:
            old = document_of(tx, read.kb, stored_path(read.path))
            held = old is not None or has_recognized_pages(tx, read.kb, stored_path(read.path))
            upsert_file(tx, read, status, reason)
            release_documents(tx, read.kb, [old])
        if held:
            self._database.forget()

    def touch(self, kb: KbId, path: str, stamp: FileStamp) -> None:
        """Give an unchanged file the stamp it has now, and its state back if it was queued."""
        with self._database.write() as tx:
            tx.execute(
                "UPDATE files SET size = ?, mtime_ns = ?, content_hash = ?, status = "
                "CASE WHEN status = 'queued' AND document_id IS NOT NULL THEN 'ready' "
                "ELSE status END WHERE kb = ? AND path = ?",
                (*_stamped(stamp), kb, stored_path(path)),
            )

    def move(self, kb: KbId, old: str, new: str, stamp: FileStamp) -> None:
        """Give a known file another path: it keeps its document. What was at `new` goes."""
        source, target = (kb, stored_path(old)), (kb, stored_path(new))
        if source == target or self.get(kb, old) is None:
            return
        with self._database.write() as tx:
            replaced = document_of(tx, *target)
            tx.execute("DELETE FROM files WHERE kb = ? AND path = ?", target)
            tx.execute(
                "UPDATE files SET path = ?, size = ?, mtime_ns = ?, content_hash = ?, "
                "changed_at = ? WHERE kb = ? AND path = ?",
                (target[1], *_stamped(stamp), time.time(), *source),
            )
            if (moved := document_of(tx, *target)) is not None:
                enqueue_index_change(tx, kb, moved, OutboxAction.UPDATE)
            release_documents(tx, kb, [replaced])
        if replaced is not None:
            self._database.forget()

    def remove(self, kb: KbId, paths: Iterable[str]) -> int:
        """Take files out with every trace of their text; return how many were known."""
        held: list[DocumentId | None] = []
        count = 0
        with self._database.write() as tx:
            for path in paths:
                where = (kb, stored_path(path))
                held.append(document_of(tx, *where))
                gone = tx.execute("DELETE FROM files WHERE kb = ? AND path = ?", where)
                count += gone.rowcount
            release_documents(tx, kb, held)
        self._database.forget()
        return count

    def enqueue(self, kb: KbId, paths: Iterable[str]) -> None:
        """Mark files as to be read; a known one keeps its document until then.

        Nothing is marked in a knowledge base that was deleted.
        """
        now = time.time()
        with self._database.write() as tx:
            tx.executemany(
                "INSERT INTO files (kb, path, status, changed_at) SELECT ?1, ?2, 'queued', ?3 "
                "WHERE EXISTS (SELECT 1 FROM knowledge_bases WHERE id = ?1) "
                "ON CONFLICT (kb, path) DO UPDATE SET status = 'queued', changed_at = "
                "CASE WHEN status = 'queued' THEN changed_at ELSE excluded.changed_at END",
                [(kb, stored_path(path), now) for path in paths],
            )

    def queued(self, kb: KbId) -> list[str]:
        """Return the paths that wait to be read: those wanted first, then the longest waiting."""
        rows = self._database.read().execute(
            "SELECT path FROM files WHERE kb = ? AND status = 'queued' "
            "ORDER BY priority DESC, changed_at, id",
            (kb,),
        )
        return [shown_path(path) for (path,) in rows]

    def changed(
        self, document_ids: Iterable[DocumentId], kbs: Iterable[KbId]
    ) -> dict[DocumentId, float]:
        """Return when the newest file of each document was changed, in Unix seconds.

        A document whose files were never looked at is left out.
        """
        rows = self._database.read().execute(
            "SELECT document_id, max(mtime_ns) FROM files "
            "WHERE document_id IN (SELECT value FROM json_each(?)) "
            "AND kb IN (SELECT value FROM json_each(?)) AND mtime_ns IS NOT NULL "
            "GROUP BY document_id",
            (json.dumps(list(document_ids)), json.dumps(list(kbs))),
        )
        return {DocumentId(document_id): mtime_ns / 1e9 for document_id, mtime_ns in rows}

    def _select(self, condition: str, values: Sequence[Any]) -> list[FileRow]:
        rows = self._database.read().execute(f"{_SELECT} WHERE {condition}", values)
        return [_file(row) for row in rows]


def _handed_over(tx: sqlite3.Connection, kb: KbId, to: KbId, path: str) -> int:
    """Move one row, and tell both bases' indexes; return 1 if there was one."""
    document = document_of(tx, kb, path)
    if document is not None and not is_referenced(tx, to, document):
        enqueue_index_change(tx, to, document, OutboxAction.ADD)
    moved = tx.execute(
        "UPDATE OR IGNORE files SET kb = ?, changed_at = ? WHERE kb = ? AND path = ?",
        (to, time.time(), kb, path),
    )
    if not moved.rowcount:
        moved = tx.execute("DELETE FROM files WHERE kb = ? AND path = ?", (kb, path))
    release_documents(tx, kb, [document])
    return moved.rowcount


def upsert_file(
    tx: sqlite3.Connection,
    read: FileRead,
    status: FileStatus,
    reason: str = "",
    document_id: DocumentId | None = None,
) -> None:
    """Write a file's row; what its former document needs is the caller's work."""
    tx.execute(
        "INSERT INTO files (kb, path, size, mtime_ns, content_hash, status, reason, "
        "document_id, seconds, changed_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?) "
        "ON CONFLICT (kb, path) DO UPDATE SET size = excluded.size, "
        "mtime_ns = excluded.mtime_ns, content_hash = excluded.content_hash, "
        "status = excluded.status, reason = excluded.reason, "
        "document_id = excluded.document_id, seconds = excluded.seconds, "
        "changed_at = excluded.changed_at, priority = 0",
        (
            read.kb,
            stored_path(read.path),
            *_stamped(read.stamp),
            status.value,
            valid_text(dump(reason)),
            document_id,
            read.seconds,
            time.time(),
        ),
    )


def _stamped(stamp: FileStamp | None) -> tuple[int | None, int | None, str | None]:
    """Return a stamp as its three columns."""
    return (None, None, None) if stamp is None else (stamp.size, stamp.mtime_ns, stamp.content_hash)


def _file(row: tuple[Any, ...]) -> FileRow:
    """Return the row of `_SELECT` as a value."""
    stamp = None if row[3] is None else FileStamp(row[3], row[4], row[5])
    document_id = None if row[8] is None else DocumentId(row[8])
    status = enum_value(FileStatus, row[6])
    return FileRow(
        id=FileId(row[0]),
        kb=KbId(row[1]),
        path=shown_path(row[2]),
        stamp=stamp,
        status=status,
        reason=_reason(row[7]) or (_noted(row[13]) if status is FileStatus.READY else ""),
        document_id=document_id,
        chunks=row[9],
        pages=row[10],
        seconds=row[11],
        changed_at=row[12],
        author=row[14],
        written=row[15],
        is_unread=bool(row[16]),
    )


def _noted(notes: str) -> str:
    """Return what was left out of a document that was read; most have nothing of the kind."""
    return "" if notes == "[]" else joined(*map(load, text_list(notes)))


def _reason(cell: str) -> str:
    """Return why a file is not ready; of version 0.1 it is one text, the remedy behind."""
    told = load(cell)
    if type(told) is not str or ". " not in told:
        return told
    what, _, remedy = told.partition(". ")
    return joined(f"{what}.", remedy)
