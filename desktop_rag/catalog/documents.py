"""Documents and their chunks: content, kept once however many files have it."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from desktop_rag.catalog import locators
from desktop_rag.catalog.column_values import enum_value, require_advance, text_list
from desktop_rag.catalog.database import Database
from desktop_rag.catalog.document_metadata import COLUMNS, insert_metadata, metadata_of
from desktop_rag.catalog.embeddings import insert_vectors
from desktop_rag.catalog.files import upsert_file
from desktop_rag.catalog.garbage_collection import (
    document_of,
    enqueue_index_change,
    has_recognized_pages,
    is_referenced,
    release_documents,
)
from desktop_rag.catalog.metadata_filter import FilterTarget, matches_filter
from desktop_rag.catalog.provenance import imported, recognized
from desktop_rag.core.catalog_records import (
    FileRead,
    MetadataFilter,
    NewChunk,
    NewDocument,
    OutboxAction,
    StoredChunk,
)
from desktop_rag.core.phrases import dump, load
from desktop_rag.core.search_text import search_text
from desktop_rag.core.types import (
    BlockKind,
    ChunkId,
    DocumentId,
    FileStatus,
    KbId,
    Locator,
    LocatorKind,
)
from desktop_rag.core.unicode import shown_path, stored_path, valid_text

_CHUNK = """
    SELECT chunks.id, document_id, ordinal, kind, chunks.text, context, section, documents.title,
        locator, big_start, big_stop
    FROM chunks JOIN documents ON documents.id = document_id
"""
_PAGES = """(
    SELECT details.pages FROM documents AS details INDEXED BY documents_details
    WHERE details.id = files.document_id
)"""  # the row itself holds the text before its pages
_TEXTS_PER_READ = 2000
_CHUNKS_PER_READ = 500
_NO_END = 1 << 30  # SQLite counts in 32 bits here, and holds no longer text
LONGEST_SEGMENT = 1_000_000  # characters of text in one row
UNFINISHED_RECIPE = "unfinished"
"""The recipe of a long document while it is being stored."""


class Documents:
    """The catalog's documents and chunks."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def find(self, content_hash: str, recipe: str) -> DocumentId | None:
        """Return the document of this content read this way, if there is one: no import's.

        One whose unread pages were recognised comes first.
        """
        row = self._database.read().execute(
            "SELECT id FROM documents WHERE content_hash = ? AND recipe IN (?, ?) "
            "ORDER BY recipe DESC LIMIT 1",
            (content_hash, recipe, recognized(recipe)),  # the longer one comes first
        )
        found = row.fetchone()
        return None if found is None else DocumentId(found[0])

    def known_contents(self, contents: Sequence[str]) -> set[str]:
        """Return those of these contents that some document has."""
        rows = self._database.read().execute(
            "SELECT DISTINCT content_hash FROM documents "
            "WHERE content_hash IN (SELECT value FROM json_each(?))",
            (json.dumps(list(contents)),),
        )
        return {content for (content,) in rows}

    def is_reading(self, document_id: DocumentId, file: FileRead, recipe: str) -> bool:
        """Say whether a document is what a file's content gives, read this way.

        What an import says of it counts, too, for the knowledge base that came with it.
        """
        content = "" if file.stamp is None else file.stamp.content_hash
        own = (recipe, recognized(recipe))
        row = self._database.read().execute(
            "SELECT 1 FROM documents WHERE id = ? AND content_hash = ? AND recipe IN (?, ?, ?, ?)",
            (document_id, content, *own, *(imported(each, file.kb) for each in own)),
        )
        return row.fetchone() is not None

    def attach(self, read: FileRead, document_id: DocumentId) -> None:
        """Give a file a document that is already there: it is ready, and the indexes are told."""
        with self._database.write() as tx:
            replaced = attach_document(tx, read, document_id)
        if replaced:
            self._database.forget()

    def store(
        self,
        read: FileRead,
        new: NewDocument,
        vectors: Mapping[str, npt.NDArray[np.float16]],
        fingerprint: str,
    ) -> DocumentId:
        """Store a document for a file, wholly or not at all; return its id.

        `vectors` holds, by embed key, at least those that `Embeddings.known` does not. A document
        of the same content and recipe is kept and attached instead.
        """
        with self._database.write() as tx:
            document_id = insert(tx, new)
            insert_vectors(tx, vectors, fingerprint)
            replaced = attach_document(tx, read, document_id)
        if replaced:
            self._database.forget()
        return document_id

    def chunks(self, document_id: DocumentId) -> list[StoredChunk]:
        """Return a document's chunks in order."""
        return list(self.each_chunk(document_id))

    def each_chunk(self, document_id: DocumentId) -> Iterator[StoredChunk]:
        """Yield a document's chunks in order, of a long one never many at a time."""
        last = -1
        while True:
            rows = self._database.read().execute(
                f"{_CHUNK} WHERE document_id = ? AND ordinal > ? ORDER BY ordinal LIMIT ?",
                (document_id, last, _CHUNKS_PER_READ),
            )
            found = rows.fetchall()
            yield from map(_chunk, found)
            if len(found) < _CHUNKS_PER_READ:
                return
            last = require_advance(found[-1][2], last)

    def chunk_count(self, document_id: DocumentId) -> int:
        """Return how many chunks a document has."""
        row = self._database.read().execute(
            "SELECT count(*) FROM chunks WHERE document_id = ?", (document_id,)
        )
        return int(row.fetchone()[0])

    def count_chunks(self, kb: KbId) -> int:
        """Return how many chunks a knowledge base has, each counted in its table."""
        row = self._database.read().execute(
            "SELECT count(*) FROM chunks WHERE document_id IN "
            "(SELECT document_id FROM files WHERE kb = ?)",
            (kb,),
        )
        return int(row.fetchone()[0])

    def chunk_ids(self, kb: KbId) -> list[ChunkId]:
        """Return every chunk of a knowledge base, in order."""
        rows = self._database.read().execute(
            "SELECT id FROM chunks WHERE document_id IN "
            "(SELECT document_id FROM files WHERE kb = ?) ORDER BY id",
            (kb,),
        )
        return [ChunkId(number) for (number,) in rows]

    def chunk_ids_of(
        self, kb: KbId, documents: Collection[DocumentId], most: int
    ) -> list[ChunkId] | None:
        """Return a knowledge base's chunks in these documents; None if they are more than that."""
        if len(documents) > most:
            return None
        rows = self._database.read().execute(
            "SELECT chunks.id FROM json_each(?1) JOIN chunks ON document_id = value WHERE EXISTS "
            "(SELECT 1 FROM files WHERE files.document_id = chunks.document_id AND kb = ?2) "
            "LIMIT ?3",
            (json.dumps(list(documents)), kb, most + 1),
        )
        found = [ChunkId(number) for (number,) in rows]
        return found if len(found) <= most else None

    def get_chunks(self, ids: Iterable[ChunkId]) -> dict[ChunkId, StoredChunk]:
        """Return the chunks of these ids; those that are gone are left out."""
        rows = self._database.read().execute(
            f"{_CHUNK} WHERE chunks.id IN (SELECT value FROM json_each(?))",  # noqa: S608
            (json.dumps(list(ids)),),
        )
        return {chunk.chunk_id: chunk for chunk in map(_chunk, rows)}

    def text(self, document_id: DocumentId, start: int = 0, end: int | None = None) -> str:
        """Return a range of a document's text, empty when the document is gone."""
        rows = self._database.read().execute(
            "SELECT substr(text, max(?2 - start, 0) + 1, max(?3 - max(?2, start), 0)) FROM "
            "(SELECT 0 AS start, text FROM documents WHERE id = ?1 UNION ALL "
            "SELECT start, text FROM segments WHERE document_id = ?1 AND start < ?3 "
            "AND start > ?2 - ?4) ORDER BY start",
            (document_id, start, _NO_END if end is None else end, LONGEST_SEGMENT),
        )
        return "".join(piece for (piece,) in rows)

    def notes(self, document_id: DocumentId) -> tuple[str, ...]:
        """Return the sentences about what could not be read in a document."""
        row = self._database.read().execute(
            "SELECT notes FROM documents WHERE id = ?", (document_id,)
        )
        found = row.fetchone()
        return () if found is None else tuple(map(load, text_list(found[0])))

    def paths(
        self, document_ids: Iterable[DocumentId], kbs: Iterable[KbId]
    ) -> dict[DocumentId, tuple[str, ...]]:
        """Return the paths, sorted, at which the knowledge bases have these documents."""
        rows = self._database.read().execute(
            "SELECT document_id, path FROM files "
            "WHERE document_id IN (SELECT value FROM json_each(?)) "
            "AND kb IN (SELECT value FROM json_each(?)) ORDER BY path",
            (json.dumps(list(document_ids)), json.dumps(list(kbs))),
        )
        found: dict[DocumentId, list[str]] = {}
        for document_id, path in rows:
            at = found.setdefault(DocumentId(document_id), [])
            if shown_path(path) not in at:
                at.append(shown_path(path))
        return {document_id: tuple(at) for document_id, at in found.items()}

    def locator_for(self, document_id: DocumentId, start: int, end: int) -> Locator:
        """Return the locator of any range of a document's text, with the boxes that it touches."""
        rows = self._database.read().execute(
            "SELECT locator FROM chunks WHERE document_id = ?1 AND start < ?3 AND stop > ?2 "
            "UNION ALL SELECT * FROM (SELECT locator FROM chunks WHERE document_id = ?1 "
            "AND start <= ?2 AND stop <= ?2 ORDER BY start DESC LIMIT 1)",
            (document_id, start, end),
        )
        touched = [locators.unpack(packed) for (packed,) in rows]
        if not touched:
            return Locator(LocatorKind.PART, "", start, end)
        if len(touched) > 1:
            touched = [each for each in touched if each.end is None or each.end > start]
        touched.sort(key=_start)
        return locators.joined(touched, start, end)

    def around(self, document_id: DocumentId, at: int) -> tuple[Locator, ...]:
        """Return the locators of the last chunk that starts at or before an offset, and the next.

        The second is missing at the document's end, both where the document is gone.
        """
        rows = self._database.read().execute(
            "SELECT * FROM (SELECT locator FROM chunks WHERE document_id = ?1 AND start <= ?2 "
            "ORDER BY start DESC LIMIT 1) UNION ALL SELECT * FROM (SELECT locator FROM chunks "
            "WHERE document_id = ?1 AND start > ?2 ORDER BY start LIMIT 1)",
            (document_id, at),
        )
        return tuple(locators.unpack(packed) for (packed,) in rows)

    def content_hashes(self, document_ids: Iterable[DocumentId]) -> dict[DocumentId, str]:
        """Return the hashes by which documents' contents are known."""
        rows = self._database.read().execute(
            "SELECT id, content_hash FROM documents WHERE id IN (SELECT value FROM json_each(?))",
            (json.dumps(list(document_ids)),),
        )
        return {DocumentId(number): content for number, content in rows}

    def select(self, kbs: Iterable[KbId], where: MetadataFilter) -> set[DocumentId] | None:
        """Return the documents that a filter lets pass; None when it is empty: all of them."""
        if not where:
            return None
        rows = self._database.read().execute(
            "SELECT files.document_id, path, title, mtime_ns, "  # noqa: S608
            "(SELECT name FROM knowledge_bases WHERE id = files.kb), "
            f"{_PAGES}, {COLUMNS} FROM files "
            "JOIN documents ON documents.id = files.document_id "
            "LEFT JOIN document_metadata USING (document_id) "
            "WHERE kb IN (SELECT value FROM json_each(?))",
            (json.dumps(list(kbs)),),
        )
        return {
            DocumentId(document_id)
            for document_id, path, title, mtime_ns, kb, pages, *told in rows
            if matches_filter(
                where,
                FilterTarget(shown_path(path), title, mtime_ns / 1e9, pages, metadata_of(told), kb),
            )
        }

    def texts(
        self, kb: KbId, ids: Iterable[ChunkId] | None = None
    ) -> Iterator[tuple[ChunkId, DocumentId, str]]:
        """Yield id, document and what search reads of a knowledge base's chunks, by id.

        `ids` narrows it to some; those that the knowledge base does not have are left out.
        """
        wanted = "" if ids is None else "AND chunks.id IN (SELECT value FROM json_each(?4)) "
        narrowed = () if ids is None else (json.dumps(list(ids)),)
        last = 0
        while True:
            rows = (
                self._database.read()
                .execute(
                    "SELECT chunks.id, document_id, context, text FROM chunks "  # noqa: S608
                    "WHERE chunks.id > ?2 AND document_id IN "
                    f"(SELECT document_id FROM files WHERE kb = ?1) {wanted}"
                    "ORDER BY chunks.id LIMIT ?3",
                    (kb, last, _TEXTS_PER_READ, *narrowed),
                )
                .fetchall()
            )
            if not rows:
                return
            last = require_advance(rows[-1][0], last)
            for chunk_id, document_id, context, text in rows:
                yield chunk_id, document_id, search_text(context, text)


def _start(locator: Locator) -> int:
    return locator.start or 0


def insert(tx: sqlite3.Connection, new: NewDocument) -> DocumentId:
    """Insert a document and its chunks, or return the one of this content and recipe."""
    found = tx.execute(
        "SELECT id FROM documents WHERE content_hash = ? AND recipe = ?",
        (new.content_hash, new.recipe),
    ).fetchone()
    if found:
        return DocumentId(found[0])
    document_id = insert_document(tx, new, len(new.chunks))
    insert_chunks(tx, document_id, new.chunks)
    return document_id


def insert_document(tx: sqlite3.Connection, new: NewDocument, chunk_count: int) -> DocumentId:
    """Insert a document; its chunks, so many, are inserted by whoever calls this."""
    text = valid_text(new.text)
    made = tx.execute(
        "INSERT INTO documents (content_hash, recipe, title, text, pages, notes, chunk_count) "
        "VALUES (?, ?, ?, ?, ?, ?, ?) RETURNING id",
        (
            new.content_hash,
            new.recipe,
            valid_text(new.title),
            text[:LONGEST_SEGMENT],
            new.pages,
            json.dumps([dump(each) for each in new.notes]),
            chunk_count,
        ),
    ).fetchone()
    document_id = DocumentId(made[0])
    insert_metadata(tx, document_id, new.metadata)
    tx.executemany(
        "INSERT INTO segments VALUES (?, ?, ?)",
        (
            (document_id, start, text[start : start + LONGEST_SEGMENT])
            for start in range(LONGEST_SEGMENT, len(text), LONGEST_SEGMENT)
        ),
    )
    return document_id


def insert_chunks(
    tx: sqlite3.Connection, document_id: DocumentId, chunks: Iterable[NewChunk]
) -> None:
    """Insert chunks of a document that is there."""
    tx.executemany(
        "INSERT INTO chunks (document_id, ordinal, kind, text, context, section, locator, "
        "start, stop, big_start, big_stop, embed_key) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        ((document_id, *_columns(chunk)) for chunk in chunks),
    )


def _columns(chunk: NewChunk) -> tuple[Any, ...]:
    """Return a chunk's columns after its document's id."""
    return (
        chunk.ordinal,
        chunk.kind.value,
        valid_text(chunk.text),
        valid_text(chunk.context),
        valid_text(chunk.section),
        valid_text(locators.pack(chunk.locator)),
        chunk.locator.start,
        chunk.locator.end,
        *chunk.big,
        chunk.embed_key,
    )


def attach_document(tx: sqlite3.Connection, read: FileRead, document_id: DocumentId) -> bool:
    """Make a file ready with a document; say whether it may have let go of some text."""
    old = document_of(tx, read.kb, stored_path(read.path))
    held = has_recognized_pages(tx, read.kb, stored_path(read.path))
    if not is_referenced(tx, read.kb, document_id):
        enqueue_index_change(tx, read.kb, document_id, OutboxAction.ADD)
    upsert_file(tx, read, FileStatus.READY, document_id=document_id)
    if old is None or old == document_id:
        return held
    release_documents(tx, read.kb, [old])
    return True


def _chunk(row: tuple[Any, ...]) -> StoredChunk:
    return StoredChunk(
        chunk_id=ChunkId(row[0]),
        document_id=DocumentId(row[1]),
        ordinal=row[2],
        kind=enum_value(BlockKind, row[3]),
        text=row[4],
        context=row[5],
        section=row[6],
        title=row[7],
        locator=locators.unpack(row[8]),
        big=(row[9], row[10]),
    )
