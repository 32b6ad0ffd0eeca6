"""Writes files of a catalog onto a server: the documents that are not whole there, then the rows.

It knows no comparison: what is to be written is chosen by who calls it.
"""

from __future__ import annotations

import getpass
import socket
import time
from collections.abc import Generator, Iterator, Sequence
from dataclasses import replace

from desktop_rag.catalog.facade import Catalog
from desktop_rag.catalog.shares import SharedContent
from desktop_rag.core.catalog_records import StoredChunk
from desktop_rag.core.types import DocumentId, KbId, ModelIdentity
from desktop_rag.sharing import shared_rows
from desktop_rag.sharing.shared_rows import SharedFile
from desktop_rag.sharing.shared_store import ChunkRow, OutgoingDocument, SharedStore

_CHUNKS = 200  # read from the catalog at once


class RowSender:
    """One writer's way onto a server, from a knowledge base of a catalog, with a model's vectors.

    `writer` is whose the rows are.
    """

    def __init__(
        self, catalog: Catalog, kb: KbId, store: SharedStore, model: ModelIdentity, writer: str
    ) -> None:
        self._catalog = catalog
        self._kb = kb
        self._store = store
        self._model = model
        self._writer = writer

    def send(
        self, group: Sequence[SharedContent], whole: set[str]
    ) -> Generator[None, None, list[SharedFile]]:
        """Write the documents of some files that are not `whole` there, then the files' rows.

        Each file stands under the path that its content has. Yield after each request; return the
        rows: a file whose document went or changed meanwhile has none. `whole` is added to.
        """
        keys = {
            content.path: shared_rows.document_key(content.content_hash, content.recipe)
            for content in group
        }
        lacking = {
            keys[content.path]: outgoing
            for content in group
            if keys[content.path] not in whole and (outgoing := self._outgoing(content)) is not None
        }
        if lacking:
            sending = self._store.put_documents(lacking)
            while True:
                try:
                    next(sending)
                    yield
                except StopIteration as end:
                    whole |= end.value
                    break
        rows = [self._file_row(each, keys[each.path]) for each in group if keys[each.path] in whole]
        if rows:
            self._store.put_files(rows)
        return rows

    def _outgoing(self, content: SharedContent) -> OutgoingDocument | None:
        head = self._catalog.shares.head(content.document)
        if head is None:
            return None  # it went meanwhile
        text = self._catalog.documents.text(content.document)
        count = self._catalog.documents.chunk_count(content.document)
        row = shared_rows.document_row(replace(head, text=text), count, self._writer, time.time())
        return OutgoingDocument(row, text, self._chunks(content.document))

    def _chunks(self, document: DocumentId) -> Iterator[ChunkRow]:
        """Yield a document's chunks that have a vector of the model."""
        waiting = []
        for chunk in self._catalog.documents.each_chunk(document):
            waiting.append(chunk)
            if len(waiting) == _CHUNKS:
                yield from self._with_vectors(waiting)
                waiting = []
        yield from self._with_vectors(waiting)

    def _with_vectors(self, chunks: list[StoredChunk]) -> Iterator[ChunkRow]:
        by_id = {each.chunk_id: each for each in chunks}
        model = self._model.fingerprint
        for record in self._catalog.embeddings.records(self._kb, model, by_id):
            yield ChunkRow(by_id[record.chunk_id], record)

    def _file_row(self, content: SharedContent, key: str) -> SharedFile:
        return SharedFile(
            content.path,
            content.stamp.size,
            content.stamp.mtime_ns,
            content.stamp.content_hash,
            key,
            content.seconds,
            self._writer,
            author(),
            time.time(),
        )


def author() -> str:
    """Return who writes here, as others read it."""
    try:
        return f"{getpass.getuser()}@{socket.gethostname()}"
    except (OSError, KeyError):
        return socket.gethostname()
