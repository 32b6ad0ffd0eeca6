"""Writes a knowledge base into one file, row by row from one moment's state of the catalog."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterable, Iterator
from typing import IO, Any
from zipfile import ZIP_DEFLATED, ZipFile

from desktop_rag.core.types import KbId
from desktop_rag.store.exchange.form import (
    CHUNKS,
    DOCUMENTS,
    EXCLUSIONS,
    FILES,
    KEYS,
    MANIFEST,
    SOURCES,
    VECTORS,
    Manifest,
    npy_header,
)

_TOLD = 500  # rows between two words of progress
_ROWS = {
    SOURCES: "SELECT path, is_folder, exclude FROM sources WHERE kb = ?1 ORDER BY path",
    DOCUMENTS: "SELECT content_hash, recipe, title, text || coalesce((SELECT group_concat("
    "rest, '') FROM (SELECT segments.text AS rest FROM segments WHERE document_id = documents.id "
    "ORDER BY start)), ''), pages, notes, chunk_count "
    "FROM documents WHERE id IN (SELECT document_id FROM files WHERE kb = ?1) ORDER BY id",
    CHUNKS: "SELECT kind, text, context, section, locator, big_start, big_stop, embed_key "
    "FROM chunks WHERE document_id IN (SELECT document_id FROM files WHERE kb = ?1) "
    "ORDER BY document_id, ordinal",
    # A queued file is as it was last read; one that was never read says nothing yet.
    FILES: "SELECT path, size, mtime_ns, content_hash, "
    "CASE status WHEN 'queued' THEN 'ready' ELSE status END, reason, document_id, seconds "
    "FROM files WHERE kb = ?1 AND (status <> 'queued' OR document_id IS NOT NULL) ORDER BY path",
    EXCLUSIONS: "SELECT path FROM exclusions WHERE kb = ?1 ORDER BY path",
    KEYS: "SELECT embed_key FROM embeddings WHERE fingerprint = ?2 AND embed_key IN "
    "(SELECT embed_key FROM chunks WHERE document_id IN "
    "(SELECT document_id FROM files WHERE kb = ?1)) ORDER BY embed_key",
}
_NAMES = {
    SOURCES: ("path", "is_folder", "exclude"),
    DOCUMENTS: ("hash", "recipe", "title", "text", "pages", "notes", "chunks"),
    CHUNKS: ("kind", "text", "context", "section", "locator", "big", "key"),
    FILES: ("path", "size", "mtime_ns", "hash", "status", "reason", "document", "seconds"),
}
_VECTORS = _ROWS[KEYS].replace("SELECT embed_key", "SELECT vector", 1)


class Export:
    """One knowledge base at one moment. `tx` is a snapshot of the catalog."""

    def __init__(
        self, tx: sqlite3.Connection, kb: KbId, name: str, program: str, model: tuple[str, int]
    ) -> None:
        fingerprint, dimensions = model
        self._tx = tx
        self._values = (kb, fingerprint)
        counts = {member: self._count(rows) for member, rows in _ROWS.items()}
        self.manifest = Manifest(name, program, fingerprint, dimensions, counts)

    def write(self, file: IO[bytes]) -> Iterator[int]:
        """Write the file; yield now and then how many rows are written."""
        done = 0
        with ZipFile(file, "w", ZIP_DEFLATED, compresslevel=6) as archive:
            archive.writestr(MANIFEST, json.dumps(self.manifest.as_json(), indent=1))
            for member in (SOURCES, DOCUMENTS, CHUNKS, FILES, EXCLUSIONS, KEYS):
                with archive.open(member, "w", force_zip64=True) as out:
                    for value in self._lines(member):
                        out.write(_line(value))
                        done += 1
                        if done % _TOLD == 0:
                            yield done
            with archive.open(VECTORS, "w", force_zip64=True) as out:
                for _ in self._vectors(out):
                    yield done
        yield done

    def _vectors(self, out: IO[bytes]) -> Iterator[None]:
        """Write the matrix as `numpy.save` does; yield now and then."""
        shape = (self.manifest.counts[KEYS], self.manifest.dimensions)
        out.write(npy_header(shape))
        rows = self._tx.execute(_VECTORS, self._values)
        while block := rows.fetchmany(_TOLD):
            out.write(b"".join(vector for (vector,) in block))
            yield

    def _lines(self, member: str) -> Iterator[Any]:
        rows = self._tx.execute(_ROWS[member], self._values[: 2 if member == KEYS else 1])
        if member in (EXCLUSIONS, KEYS):
            return (only for (only,) in rows)
        shaped = {SOURCES: _sources, DOCUMENTS: _documents, CHUNKS: _chunks, FILES: self._files}
        return (dict(zip(_NAMES[member], each, strict=True)) for each in shaped[member](rows))

    def _files(self, rows: Iterable[Any]) -> Iterator[Any]:
        """Name each file's document by its number among the documents."""
        held = self._tx.execute(
            "SELECT DISTINCT document_id FROM files WHERE kb = ?1 "
            "AND document_id IS NOT NULL ORDER BY document_id",
            self._values[:1],
        )
        numbers = {document_id: number for number, (document_id,) in enumerate(held)}
        for *stamped, document_id, seconds in rows:
            yield *stamped, numbers.get(document_id), seconds

    def _count(self, rows: str) -> int:
        counted = self._tx.execute(
            f"SELECT count(*) FROM ({rows})",  # noqa: S608  (constants of this module)
            self._values if "?2" in rows else self._values[:1],
        )
        return int(counted.fetchone()[0])


def _line(value: Any) -> bytes:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode() + b"\n"


def _sources(rows: Iterable[Any]) -> Iterator[Any]:
    for path, is_folder, exclude in rows:
        yield path, bool(is_folder), json.loads(exclude)


def _documents(rows: Iterable[Any]) -> Iterator[Any]:
    for *head, notes, count in rows:
        yield *head, json.loads(notes), count


def _chunks(rows: Iterable[Any]) -> Iterator[Any]:
    for *texts, locator, start, stop, key in rows:
        yield *texts, json.loads(locator), [start, stop], key
