"""Enters what an `ExportReader` reads into the catalog, inside the caller's one transaction."""

from __future__ import annotations

import sqlite3
from array import array
from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace
from itertools import islice

from desktop_rag.catalog.documents import insert_chunks, insert_document
from desktop_rag.catalog.embeddings import insert_vectors
from desktop_rag.catalog.exchange.export_reader import ExportedDocument, ExportReader
from desktop_rag.catalog.file_rules import insert_exclusions
from desktop_rag.catalog.files import upsert_file
from desktop_rag.catalog.knowledge_bases import upsert_source
from desktop_rag.catalog.preparations import insert_derived, insert_preparation, insert_prepared
from desktop_rag.catalog.provenance import imported
from desktop_rag.catalog.retriever_adaptations import insert_adaptation
from desktop_rag.core.catalog_records import (
    FileRead,
    NewDerivedText,
    Preparation,
    PreparedStep,
)
from desktop_rag.core.types import ChunkId, DerivedId, DocumentId, FileStatus, KbId
from desktop_rag.core.unicode import is_below

_TOGETHER = 500


def import_rows(
    tx: sqlite3.Connection,
    kb: KbId,
    reader: ExportReader,
    fingerprint: str,
    followed: Collection[str],
) -> Iterator[int]:
    """Enter everything into an empty knowledge base; yield how many lines of the file are done.

    Documents and vectors are this knowledge base's own, also where the same are there already: see
    `provenance`. Of the sources only those in `followed` are, and only below them anything stays
    out; vectors of another model than `fingerprint` are left out.
    """
    done = 0
    for _ in _what_is_followed(tx, kb, reader, followed):
        done += 1
        yield done
    documents = array("q")
    for found in reader.documents():
        documents.append(_head(tx, kb, found))
        done += 1
        while batch := list(islice(found.chunks, _TOGETHER)):
            own = (replace(each, embed_key=imported(each.embed_key, kb)) for each in batch)
            insert_chunks(tx, DocumentId(documents[-1]), own)
            done += len(batch)
            yield done
    for file in reader.files():
        read = FileRead(kb, file.path, file.stamp, file.seconds)
        document_id = None if file.document is None else DocumentId(documents[file.document])
        upsert_file(tx, read, FileStatus(file.status), file.reason, document_id)
        done += 1
        yield done
    for count in _what_is_prepared(tx, kb, reader, documents):
        done += count
        yield done
    for adaptation in reader.adaptation():
        insert_adaptation(tx, kb, adaptation.measured, adaptation.query_map)
        done += 1
        yield done
    for count in _vectors(tx, kb, reader, fingerprint):
        done += count
        yield done


def _vectors(
    tx: sqlite3.Connection, kb: KbId, reader: ExportReader, fingerprint: str
) -> Iterator[int]:
    """Enter vectors of this embedder's; yield how many lines each step was, entered or not."""
    is_ours = reader.manifest.fingerprint == fingerprint
    for vectors in reader.vectors():
        if is_ours:
            own_keys = {imported(key, kb): vector for key, vector in vectors.items()}
            insert_vectors(tx, own_keys, fingerprint)
        yield len(vectors)


def _head(tx: sqlite3.Connection, kb: KbId, found: ExportedDocument) -> DocumentId:
    own = replace(found.document, recipe=imported(found.document.recipe, kb))
    return insert_document(tx, own, found.count)


def _what_is_followed(
    tx: sqlite3.Connection, kb: KbId, reader: ExportReader, followed: Collection[str]
) -> Iterator[None]:
    """Enter the sources and what stays out below them; yield after each."""
    for source in reader.sources():
        if source.path in followed:
            upsert_source(tx, kb, source.path, is_folder=source.is_folder, exclude=source.exclude)
        yield
    for path in reader.exclusions():
        if any(is_below(path, source) for source in followed):
            insert_exclusions(tx, kb, (path,))
        yield


def _what_is_prepared(
    tx: sqlite3.Connection, kb: KbId, reader: ExportReader, documents: Sequence[int]
) -> Iterator[int]:
    """Enter what the knowledge base is prepared for; yield how many lines more are done.

    Vectors of derived texts are made here.
    """
    ways = []
    for row in reader.preparations():
        insert_preparation(tx, Preparation(kb, row.way, row.model, row.is_paused))
        ways.append(row.way)
        yield 1
    for found in reader.prepared(ways):
        document_id = DocumentId(documents[found.document])
        rows = tx.execute(
            "SELECT id FROM chunks WHERE document_id = ? ORDER BY ordinal", (document_id,)
        )
        chunks = [ChunkId(number) for (number,) in rows]
        step = PreparedStep(document_id, found.way, found.recipe, 0, len(chunks), is_done=True)
        made: list[DerivedId] = []
        for text in found.texts:
            sources = tuple(chunks[at] for at in text.sources)
            below = tuple(made[at] for at in text.children)
            new = NewDerivedText(text.text, sources, text.level, below)
            made.append(insert_derived(tx, step, new))
        insert_prepared(tx, step, len(made))
        yield len(made) + 1
