"""Embeddings: float16 vectors by the hash of their text and the model that made them."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from desktop_rag.catalog import locators
from desktop_rag.catalog.column_values import require_advance
from desktop_rag.catalog.database import Database
from desktop_rag.core.search_text import search_text
from desktop_rag.core.types import ChunkId, DocumentId, KbId, LocatorKind, ModelIdentity
from desktop_rag.core.unicode import shown_path, valid_text

Float16Array = npt.NDArray[np.float16]
_PER_READ = 2000
_PER_RECORDS = 200
_BEFORE_ALL = ChunkId(0)
_STORED = np.dtype("<f2")  # little-endian on every machine


@dataclass(frozen=True, slots=True)
class VectorRecord:
    """A chunk as a vector store keeps it, so that another program can read it there.

    `metadata` has `document_id`, `path` (of the first file that has the document), `title`,
    `section`, and where the chunk stands: `unit` (page, slide, sheet …) and `place` in it, of a
    page also its number as `page`.
    """

    chunk_id: ChunkId
    document_id: DocumentId
    vector: Float16Array
    text: str
    metadata: dict[str, int | str]


@dataclass(frozen=True, slots=True)
class VectorBlock:
    """Vectors of some chunks, a row each, with the numbers of chunks and documents."""

    chunks: npt.NDArray[np.int64]
    documents: npt.NDArray[np.int64]
    vectors: Float16Array


class Embeddings:
    """The catalog's vectors. One is kept as long as a chunk has its key.

    A vector of another length than its model's is none: it is not read, and counts as missing.
    """

    def __init__(self, database: Database) -> None:
        self._database = database
        self._lengths: dict[str, int] = {}

    def expect(self, model: ModelIdentity) -> None:
        """Say how many numbers a model's vectors have."""
        self._lengths[model.fingerprint] = model.dimensions * _STORED.itemsize

    def dimensions(self, fingerprint: str) -> int:
        """Return how many numbers a vector has; 0 for a model that is not in use and has none."""
        return self._length(fingerprint) // _STORED.itemsize

    def unfit(self, kb: KbId, fingerprint: str) -> int:
        """Return how many chunks of a knowledge base have a vector of another length."""
        rows = self._database.read().execute(
            "SELECT count(*) FROM chunks JOIN embeddings USING (embed_key) WHERE document_id IN "
            "(SELECT document_id FROM files WHERE kb = ?) AND fingerprint = ? "
            "AND length(vector) <> ?",
            (kb, fingerprint, self._length(fingerprint)),
        )
        return int(rows.fetchone()[0])

    def _length(self, fingerprint: str) -> int:
        """Return how many bytes a vector has; of a model that is not in use, as most have."""
        if fingerprint not in self._lengths:
            row = self._database.read().execute(
                "SELECT length(vector) FROM embeddings WHERE fingerprint = ? "
                "GROUP BY 1 ORDER BY count(*) DESC LIMIT 1",
                (fingerprint,),
            )
            if (found := row.fetchone()) is None:
                return 0
            self._lengths[fingerprint] = int(found[0])
        return self._lengths[fingerprint]

    def known(self, keys: Iterable[str], fingerprint: str) -> dict[str, Float16Array]:
        """Return the vectors that are already there, by key."""
        rows = self._database.read().execute(
            "SELECT embed_key, vector FROM embeddings "
            "WHERE embed_key IN (SELECT value FROM json_each(?)) AND fingerprint = ? "
            "AND length(vector) = ?",
            (json.dumps(list(keys)), fingerprint, self._length(fingerprint)),
        )
        return {key: np.frombuffer(vector, _STORED) for key, vector in rows}

    def add(self, vectors: Mapping[str, Float16Array], fingerprint: str) -> None:
        """Store vectors for chunks that are already there, as after a change of model.

        The indexes of every knowledge base that has such a chunk are told of it.
        """
        with self._database.write() as tx:
            insert_vectors(tx, vectors, fingerprint)
            tx.execute(
                "INSERT INTO outbox (kb, chunk_id, action) SELECT DISTINCT kb, chunks.id, 'add' "
                "FROM chunks JOIN files ON files.document_id = chunks.document_id "
                "WHERE embed_key IN (SELECT value FROM json_each(?))",
                (json.dumps(list(vectors)),),
            )

    def missing(self, kb: KbId, fingerprint: str, limit: int = 1000) -> dict[str, str]:
        """Return up to `limit` texts to embed, by key, of chunks without a vector of this model."""
        rows = self._database.read().execute(
            "SELECT DISTINCT embed_key, context, text FROM chunks "
            "WHERE document_id IN (SELECT document_id FROM files WHERE kb = ?1) "
            "AND NOT EXISTS (SELECT 1 FROM embeddings WHERE fingerprint = ?2 "
            "AND embeddings.embed_key = chunks.embed_key AND length(vector) = ?4) LIMIT ?3",
            (kb, fingerprint, limit, self._length(fingerprint)),
        )
        return {key: search_text(context, text) for key, context, text in rows.fetchall()}

    def count_missing(self, kb: KbId, fingerprint: str) -> int:
        """Return how many texts `missing` has in all."""
        rows = self._database.read().execute(
            "SELECT count(DISTINCT embed_key) FROM chunks "
            "WHERE document_id IN (SELECT document_id FROM files WHERE kb = ?1) "
            "AND NOT EXISTS (SELECT 1 FROM embeddings WHERE fingerprint = ?2 "
            "AND embeddings.embed_key = chunks.embed_key AND length(vector) = ?3)",
            (kb, fingerprint, self._length(fingerprint)),
        )
        return int(rows.fetchone()[0])

    def is_large(self, kb: KbId, most: int) -> bool:
        """Say whether a knowledge base has more chunks than that, with or without a vector."""
        rows = self._database.read().execute(
            "SELECT count(*) FROM (SELECT 1 FROM chunks WHERE document_id IN "
            "(SELECT document_id FROM files WHERE kb = ?) LIMIT ?)",
            (kb, most + 1),
        )
        return int(rows.fetchone()[0]) > most

    def count(self, kb: KbId, fingerprint: str) -> int:
        """Return how many chunks of a knowledge base have a vector of this model."""
        rows = self._database.read().execute(
            "SELECT count(*) FROM chunks WHERE document_id IN "
            "(SELECT document_id FROM files WHERE kb = ?1) AND EXISTS (SELECT 1 FROM embeddings "
            "WHERE embeddings.embed_key = chunks.embed_key AND fingerprint = ?2 "
            "AND length(vector) = ?3)",
            (kb, fingerprint, self._length(fingerprint)),
        )
        return int(rows.fetchone()[0])

    def ids(self, kb: KbId, fingerprint: str) -> list[ChunkId]:
        """Return, in order, the chunks of a knowledge base that have a vector of this model."""
        rows = self._database.read().execute(
            "SELECT id FROM chunks WHERE document_id IN "
            "(SELECT document_id FROM files WHERE kb = ?1) AND EXISTS (SELECT 1 FROM embeddings "
            "WHERE embeddings.embed_key = chunks.embed_key AND fingerprint = ?2 "
            "AND length(vector) = ?3) ORDER BY id",
            (kb, fingerprint, self._length(fingerprint)),
        )
        return [ChunkId(row[0]) for row in rows]

    def of_chunks(
        self, kb: KbId, fingerprint: str, ids: Iterable[ChunkId] | None = None
    ) -> Iterator[tuple[ChunkId, DocumentId, Float16Array]]:
        """Yield id, document and vector of a knowledge base's chunks, by id.

        `ids` narrows it to some; chunks without a vector of this model are left out.
        """
        for block in self.blocks(kb, fingerprint, ids):
            chunks, documents = block.chunks.tolist(), block.documents.tolist()
            yield from zip(chunks, documents, block.vectors, strict=True)

    def of_document(
        self, document_id: DocumentId, fingerprint: str
    ) -> Iterator[tuple[ChunkId, Float16Array]]:
        """Yield a document's chunks that have a vector of this model, and the vector, by id."""
        rows = self._database.read().execute(
            "SELECT chunks.id, vector FROM chunks JOIN embeddings USING (embed_key) "
            "WHERE document_id = ? AND fingerprint = ? AND length(vector) = ? ORDER BY chunks.id",
            (document_id, fingerprint, self._length(fingerprint)),
        )
        for number, vector in rows.fetchall():
            yield ChunkId(number), np.frombuffer(vector, _STORED)

    def records(self, kb: KbId, fingerprint: str, ids: Iterable[ChunkId]) -> Iterator[VectorRecord]:
        """Yield some of a knowledge base's chunks, by id, with what a vector store keeps of them.

        Chunks without a vector of this model are left out.
        """
        wanted, length = sorted(ids), self._length(fingerprint)
        for start in range(0, len(wanted), _PER_RECORDS):
            rows = self._database.read().execute(
                "SELECT chunks.id, document_id, vector, chunks.text, title, section, locator, "
                "(SELECT path FROM files WHERE kb = ?1 "
                "AND files.document_id = chunks.document_id ORDER BY files.id LIMIT 1) AS path "
                "FROM chunks JOIN embeddings USING (embed_key) "
                "JOIN documents ON documents.id = document_id WHERE fingerprint = ?2 "
                "AND length(vector) = ?3 AND chunks.id IN (SELECT value FROM json_each(?4)) "
                "AND path IS NOT NULL ORDER BY chunks.id",
                (kb, fingerprint, length, json.dumps(wanted[start : start + _PER_RECORDS])),
            )
            yield from map(_record, rows.fetchall())

    def blocks(
        self,
        kb: KbId,
        fingerprint: str,
        ids: Iterable[ChunkId] | None = None,
        *,
        after: ChunkId = _BEFORE_ALL,
    ) -> Iterator[VectorBlock]:
        """Yield what `of_chunks` does as matrices of up to 2,000 rows; of chunks `after` one."""
        wanted = "" if ids is None else "AND chunks.id IN (SELECT value FROM json_each(?6)) "
        narrowed = () if ids is None else (json.dumps(list(ids)),)
        last, length = int(after), self._length(fingerprint)
        while True:
            rows = (
                self._database.read()
                .execute(
                    "SELECT chunks.id, document_id, vector FROM chunks "  # noqa: S608
                    "JOIN embeddings USING (embed_key) WHERE fingerprint = ?2 AND chunks.id > ?3 "
                    "AND length(vector) = ?5 "
                    f"AND document_id IN (SELECT document_id FROM files WHERE kb = ?1) {wanted}"
                    "ORDER BY chunks.id LIMIT ?4",
                    (kb, fingerprint, last, _PER_READ, length, *narrowed),
                )
                .fetchall()
            )
            if not rows:
                return
            chunks, documents, stored = zip(*rows, strict=True)
            last = require_advance(chunks[-1], last)
            matrix = np.frombuffer(b"".join(stored), _STORED).reshape(len(rows), -1)
            numbers = np.array([chunks, documents], np.int64)
            yield VectorBlock(numbers[0], numbers[1], matrix)


def _record(row: tuple[Any, ...]) -> VectorRecord:
    chunk_id, document_id, vector, text, title, section, packed, path = row
    place = locators.unpack(packed)
    metadata: dict[str, int | str] = {
        "document_id": document_id,
        "path": valid_text(shown_path(path)),
        "title": title,
        "section": section,
        "unit": place.kind.value,
        "place": str(place.value),
    }
    if place.kind is LocatorKind.PAGE and isinstance(place.value, int):
        metadata["page"] = place.value
    return VectorRecord(chunk_id, document_id, np.frombuffer(vector, _STORED), text, metadata)


def insert_vectors(
    tx: sqlite3.Connection, vectors: Mapping[str, Float16Array], fingerprint: str
) -> None:
    """Insert vectors that some chunk refers to and that are not there yet, or of no use."""
    tx.executemany(
        "INSERT INTO embeddings (embed_key, fingerprint, vector) SELECT ?1, ?2, ?3 "
        "WHERE EXISTS (SELECT 1 FROM chunks WHERE embed_key = ?1) "
        "ON CONFLICT (embed_key, fingerprint) DO UPDATE SET vector = excluded.vector "
        "WHERE length(embeddings.vector) <> length(excluded.vector)",
        [(key, fingerprint, np.asarray(v, _STORED).tobytes()) for key, v in vectors.items()],
    )
