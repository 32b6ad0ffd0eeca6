"""Writes a knowledge base into one file, row by row from one moment's state of the catalog."""

from __future__ import annotations

import json
import sqlite3
from base64 import b64encode
from collections.abc import Iterable, Iterator
from itertools import islice
from typing import IO, Any
from zipfile import ZIP_DEFLATED, ZipFile

from msgspec.structs import asdict

from desktop_rag.catalog.document_metadata import METADATA_JSON
from desktop_rag.catalog.exchange.file_format import (
    ADAPTATION,
    CHUNKS,
    DERIVED,
    DOCUMENTS,
    EXCLUSIONS,
    FILES,
    FORMAT,
    KEYS,
    MANIFEST,
    PREPARATIONS,
    PREPARED,
    SOURCES,
    VECTORS,
    ExportAdaptationRow,
    ExportChunkRow,
    ExportDerivedRow,
    ExportDocumentRow,
    ExportFileRow,
    ExportManifest,
    ExportPreparationRow,
    ExportPreparedRow,
    ExportSourceRow,
    float16_npy_header,
)
from desktop_rag.catalog.provenance import IS_OWN, ORIGINAL_RECIPE, original
from desktop_rag.core.types import KbId, ModelIdentity

_TOLD = 500  # rows between two words of progress
_NUMBER = 2  # bytes
_TAKEN = f"""
    CREATE TEMP TABLE taken AS SELECT id, first_value(id) OVER (
        PARTITION BY content_hash, {ORIGINAL_RECIPE} ORDER BY NOT {IS_OWN}, id
    ) AS chosen
    FROM documents WHERE id IN (SELECT document_id FROM files WHERE kb = ?1)
"""  # noqa: S608
_VECTORS = (
    "SELECT embed_key, vector FROM embeddings WHERE fingerprint = ? AND length(vector) = ? "
    "AND embed_key IN (SELECT embed_key FROM chunks WHERE document_id IN "
    "(SELECT chosen FROM taken)) ORDER BY embed_key"
)
_ONLY_KEYS = _VECTORS.replace("vector", "''", 1)
_DOCUMENTS = f"""
    SELECT content_hash, recipe, title, text || coalesce((SELECT group_concat(rest, '') FROM (
        SELECT segments.text AS rest FROM segments WHERE document_id = documents.id ORDER BY start
    )), ''), pages, notes, chunk_count, {METADATA_JSON}
    FROM documents WHERE id IN (SELECT chosen FROM taken) ORDER BY id
"""  # noqa: S608
_SOURCES = (
    "(SELECT json_group_array(ordinal) FROM derived_sources JOIN chunks ON chunks.id = chunk_id "
    "WHERE derived_id = derived_texts.id)"
)
_CHILDREN = (
    "(SELECT json_group_array(child_id) FROM derived_children WHERE parent_id = derived_texts.id)"
)
_FOR_THIS = (
    "document_id IN (SELECT chosen FROM taken) "
    "AND way IN (SELECT way FROM preparations WHERE kb = ?1)"
)
_PREPARED = (
    "SELECT document_id, way, recipe, texts FROM prepared_documents "  # noqa: S608 - ours
    f"WHERE is_done AND {_FOR_THIS} ORDER BY document_id, way"
)
_DERIVED = f"""
    SELECT id, document_id, way, text, level, {_SOURCES}, {_CHILDREN} FROM derived_texts
    WHERE {_FOR_THIS} AND EXISTS (SELECT 1 FROM prepared_documents AS made WHERE made.is_done
        AND made.document_id = derived_texts.document_id AND made.way = derived_texts.way)
    ORDER BY document_id, way, id
"""  # noqa: S608
_ADAPTATION = """
    SELECT source, documents, trained, held_out, recall_before, recall_after, gain_low, gain_high,
        vector_before, vector_after, query_map
    FROM retriever_adaptations WHERE kb = ?1 AND fingerprint = ?2
"""
_ROWS = {
    SOURCES: "SELECT path, is_folder, exclude FROM sources WHERE kb = ?1 ORDER BY path",
    DOCUMENTS: _DOCUMENTS,
    CHUNKS: "SELECT kind, text, context, section, locator, big_start, big_stop, embed_key "
    "FROM chunks WHERE document_id IN (SELECT chosen FROM taken) ORDER BY document_id, ordinal",
    # A queued file is as it was last read; one that was never read says nothing yet.
    FILES: "SELECT path, size, mtime_ns, content_hash, "
    "CASE status WHEN 'queued' THEN 'ready' ELSE status END, reason, "
    "(SELECT chosen FROM taken WHERE taken.id = document_id), seconds "
    "FROM files WHERE kb = ?1 AND (status <> 'queued' OR document_id IS NOT NULL) ORDER BY path",
    EXCLUSIONS: "SELECT path FROM exclusions WHERE kb = ?1 ORDER BY path",
    PREPARATIONS: "SELECT way, model, is_paused FROM preparations WHERE kb = ?1 ORDER BY way",
    PREPARED: _PREPARED,
    DERIVED: _DERIVED,
    ADAPTATION: _ADAPTATION,
}
_KINDS = {
    SOURCES: ExportSourceRow,
    DOCUMENTS: ExportDocumentRow,
    CHUNKS: ExportChunkRow,
    FILES: ExportFileRow,
    PREPARATIONS: ExportPreparationRow,
    PREPARED: ExportPreparedRow,
    DERIVED: ExportDerivedRow,
    ADAPTATION: ExportAdaptationRow,
}
_MEMBERS = (
    SOURCES, DOCUMENTS, CHUNKS, FILES, EXCLUSIONS, PREPARATIONS, PREPARED, DERIVED, ADAPTATION,
    KEYS,
)  # fmt: skip


class ExportWriter:
    """One knowledge base at one moment. `tx` is a snapshot of the catalog.

    A document that was read here goes before what an import said of the same content.
    """

    def __init__(
        self, tx: sqlite3.Connection, kb: KbId, name: str, program: str, model: ModelIdentity
    ) -> None:
        self._tx = tx
        self._kb = (kb,)
        self._model = (model.fingerprint, model.dimensions * _NUMBER)
        tx.execute(_TAKEN, self._kb)
        tx.execute("CREATE INDEX temp.taken_by_id ON taken (id)")
        counts = {member: self._count(rows) for member, rows in _ROWS.items()}
        counts[KEYS] = sum(1 for _ in self._embeddings(_ONLY_KEYS))
        self.manifest = ExportManifest(
            FORMAT, program, name, model.fingerprint, model.dimensions, counts
        )

    def write(self, file: IO[bytes]) -> Iterator[int]:
        """Write the file; yield now and then how many rows are written."""
        done = 0
        with ZipFile(file, "w", ZIP_DEFLATED, compresslevel=6) as archive:
            archive.writestr(MANIFEST, json.dumps(asdict(self.manifest), indent=1))
            for member in _MEMBERS:
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
        out.write(float16_npy_header(shape))
        rows = self._embeddings(_VECTORS)
        while block := list(islice(rows, _TOLD)):
            out.write(b"".join(vector for _, vector in block))
            yield

    def _embeddings(self, wanted: str) -> Iterator[tuple[str, Any]]:
        """Yield keys in order, each once, and what is wanted of their vectors.

        A key that was made here comes before an import's of the same text.
        """
        rows = self._tx.execute(wanted, self._model)
        last = ""
        for key, value in rows:
            if original(key) != last:
                last = original(key)
                yield last, value

    def _lines(self, member: str) -> Iterator[Any]:
        if member == KEYS:
            return (key for key, _ in self._embeddings(_ONLY_KEYS))
        rows = self._tx.execute(_ROWS[member], self._given(_ROWS[member]))
        if member == EXCLUSIONS:
            return (only for (only,) in rows)
        shaped = {
            SOURCES: _sources,
            DOCUMENTS: _documents,
            CHUNKS: _chunks,
            FILES: self._files,
            PREPARATIONS: _preparations,
            PREPARED: self._prepared,
            DERIVED: _derived,
            ADAPTATION: _adaptation,
        }
        names = _KINDS[member].__struct_fields__
        return (dict(zip(names, each, strict=True)) for each in shaped[member](rows))

    def _files(self, rows: Iterable[Any]) -> Iterator[Any]:
        """Name each file's document by its number among the documents."""
        numbers = self._numbers()
        for *stamped, document_id, seconds in rows:
            yield *stamped, numbers.get(document_id), seconds

    def _prepared(self, rows: Iterable[Any]) -> Iterator[Any]:
        numbers = self._numbers()
        for document_id, *told in rows:
            yield numbers[document_id], *told

    def _numbers(self) -> dict[int, int]:
        held = self._tx.execute("SELECT DISTINCT chosen FROM taken ORDER BY chosen")
        return {document_id: number for number, (document_id,) in enumerate(held)}

    def _count(self, rows: str) -> int:
        counted = self._tx.execute(
            f"SELECT count(*) FROM ({rows})",  # noqa: S608  (constants of this module)
            self._given(rows),
        )
        return int(counted.fetchone()[0])

    def _given(self, rows: str) -> tuple[Any, ...]:
        """Return what fills the places of a query: the knowledge base, the model."""
        values = {"?1": self._kb[0], "?2": self._model[0]}
        return tuple(value for place, value in values.items() if place in rows)


def _line(value: Any) -> bytes:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode() + b"\n"


def _sources(rows: Iterable[Any]) -> Iterator[Any]:
    for path, is_folder, exclude in rows:
        yield path, bool(is_folder), json.loads(exclude)


def _documents(rows: Iterable[Any]) -> Iterator[Any]:
    for content_hash, recipe, *head, notes, count, metadata in rows:
        told = None if metadata is None else json.loads(metadata)
        yield content_hash, original(recipe), *head, json.loads(notes), count, told


def _chunks(rows: Iterable[Any]) -> Iterator[Any]:
    for *texts, locator, start, stop, key in rows:
        yield *texts, json.loads(locator), [start, stop], original(key)


def _preparations(rows: Iterable[Any]) -> Iterator[Any]:
    for way, model, is_paused in rows:
        yield way, model, bool(is_paused)


def _adaptation(rows: Iterable[Any]) -> Iterator[Any]:
    for *figures, query_map in rows:
        yield *figures, None if query_map is None else b64encode(query_map).decode("ascii")


def _derived(rows: Iterable[Any]) -> Iterator[Any]:
    """Name children by their places among the derived texts of a document and way."""
    group: tuple[int, str] | None = None
    places: dict[int, int] = {}
    for number, document_id, way, text, level, sources, children in rows:
        if group != (document_id, way):
            group, places = (document_id, way), {}
        places[number] = len(places)
        below = sorted(places[each] for each in json.loads(children))
        yield text, level, sorted(json.loads(sources)), below
