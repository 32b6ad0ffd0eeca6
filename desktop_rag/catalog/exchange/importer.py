"""Enters what an `ExportReader` reads into the catalog, inside the caller's one transaction."""

from __future__ import annotations

import sqlite3
from array import array
from collections.abc import Collection, Iterator
from dataclasses import replace
from itertools import islice

from desktop_rag.catalog.documents import insert_chunks, insert_document
from desktop_rag.catalog.embeddings import insert_vectors
from desktop_rag.catalog.exchange.export_reader import ExportedDocument, ExportReader
from desktop_rag.catalog.file_rules import insert_exclusions
from desktop_rag.catalog.files import upsert_file
from desktop_rag.catalog.knowledge_bases import upsert_source
from desktop_rag.catalog.provenance import imported
from desktop_rag.core.catalog_records import FileRead
from desktop_rag.core.types import DocumentId, FileStatus, KbId
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
    is_ours = reader.manifest.fingerprint == fingerprint
    for vectors in reader.vectors():
        if is_ours:
            own_keys = {imported(key, kb): vector for key, vector in vectors.items()}
            insert_vectors(tx, own_keys, fingerprint)
        done += len(vectors)
        yield done


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
