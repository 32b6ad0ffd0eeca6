"""Enters what a `Reader` reads into the catalog, inside the caller's one transaction."""

from __future__ import annotations

import sqlite3
from collections.abc import Collection, Iterator

from desktop_rag.core.types import DocumentId, FileStatus, KbId
from desktop_rag.store.choices import keep_out
from desktop_rag.store.documents import insert
from desktop_rag.store.embeddings import insert_vectors
from desktop_rag.store.exchange.reading import Reader
from desktop_rag.store.files import put
from desktop_rag.store.kbs import follow
from desktop_rag.store.records import FileRead
from desktop_rag.store.spelling import is_below


def enter(
    tx: sqlite3.Connection,
    kb: KbId,
    reader: Reader,
    fingerprint: str,
    followed: Collection[str],
) -> Iterator[int]:
    """Enter everything into an empty knowledge base; yield how many lines of the file are done.

    Documents that are there already (the same content and recipe) are shared. Of the sources only
    those in `followed` are, and only below them anything stays out; vectors of another model than
    `fingerprint` are left out.
    """
    done = 0
    for _ in _what_is_followed(tx, kb, reader, followed):
        done += 1
        yield done
    documents: list[DocumentId] = []
    for document in reader.documents():
        documents.append(insert(tx, document))
        done += 1 + len(document.chunks)
        yield done
    for file in reader.files():
        read = FileRead(kb, file.path, file.stamp, file.seconds)
        document_id = None if file.document is None else documents[file.document]
        put(tx, read, FileStatus(file.status), file.reason, document_id)
        done += 1
        yield done
    is_ours = reader.manifest.fingerprint == fingerprint
    for vectors in reader.vectors():
        if is_ours:
            insert_vectors(tx, vectors, fingerprint)
        done += len(vectors)
        yield done


def _what_is_followed(
    tx: sqlite3.Connection, kb: KbId, reader: Reader, followed: Collection[str]
) -> Iterator[None]:
    """Enter the sources and what stays out below them; yield after each."""
    for source in reader.sources():
        if source.path in followed:
            follow(tx, kb, source.path, is_folder=source.is_folder, exclude=source.exclude)
        yield
    for path in reader.exclusions():
        if any(is_below(path, source) for source in followed):
            keep_out(tx, kb, (path,))
        yield
