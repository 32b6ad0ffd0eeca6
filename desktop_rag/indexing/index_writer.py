"""Embeds prepared files and stores them in the catalog and its indexes; indexing writes only here.

`IndexWriter` takes each heavy step while no other run takes one (`RunCoordinator`), and each is
short. `LongDocumentWriter` stores a long document piece by piece: cut, embedded and stored before
the next piece is read. Until the last piece is stored nobody finds the document, so that its file
is stored wholly or not at all.
"""

from __future__ import annotations

import time
from collections.abc import Generator, Iterator, Mapping, Sequence
from pathlib import Path

import numpy as np
import numpy.typing as npt

from desktop_rag.catalog.facade import Catalog
from desktop_rag.core.cancel import CancelToken
from desktop_rag.core.catalog_records import FileRead, FileRow, NewChunk, NewDocument
from desktop_rag.core.disk_space import require_disk_space
from desktop_rag.core.errors import CatalogDamaged
from desktop_rag.core.events import FileDone, IndexProgress
from desktop_rag.core.phrases import joined
from desktop_rag.core.search_text import search_text
from desktop_rag.core.types import DocumentId, FileStatus, KbId
from desktop_rag.index.indexes import IndexManager
from desktop_rag.indexing import chunker
from desktop_rag.indexing.parse_stage import (
    Deferred,
    KnownContent,
    ParseContext,
    Prepared,
    PreparedLong,
    Unusable,
)
from desktop_rag.indexing.progress_estimate import embedding_anew
from desktop_rag.indexing.reconcile import file_done
from desktop_rag.indexing.run_coordinator import RunCoordinator
from desktop_rag.models.protocols import Embedder
from desktop_rag.parsing import file_problems

HalfVector = npt.NDArray[np.float16]

_PER_STEP = 64  # texts embedded in one step
_TRIES = 3  # to store a vector: others may take out meanwhile what it belongs to
_SYNC_CHUNKS = 1000  # the indexes are told after this many chunks
_SYNC_SECONDS = 5.0  # or after this time
_CHUNKS = 256  # that are embedded and stored together
_CHARACTERS = 500_000  # of text that are stored together at most, about
Storing = Generator[int, None, FileDone | Unusable | None]


class IndexWriter:
    """One knowledge base's way into the catalog, for one run.

    Without `indexes` nobody searches what is stored, and nothing is told to any.
    """

    def __init__(
        self,
        kb: KbId,
        catalog: Catalog,
        indexes: IndexManager | None,
        embedder: Embedder,
        turns: RunCoordinator,
    ) -> None:
        self._kb = kb
        self._catalog = catalog
        self._indexes = indexes
        self._embedder = embedder
        self._turns = turns
        self._unsynced = 0
        self._synced_at = time.monotonic()

    def embed(
        self, batch: Sequence[Prepared], vectors: dict[str, HalfVector], token: CancelToken
    ) -> Iterator[int]:
        """Fill `vectors` for all chunks of a batch, by key; yield after each step how many are new.

        Texts whose vectors the catalog knows are not embedded again, nor any of a file that was
        taken out meanwhile.
        """
        chunks = [
            each
            for prepared in batch
            if self._row(prepared.read) is not None
            for each in prepared.document.chunks
        ]
        yield from self.embed_chunks(chunks, vectors, token)

    def embed_chunks(
        self, chunks: Sequence[NewChunk], vectors: dict[str, HalfVector], token: CancelToken
    ) -> Iterator[int]:
        """Fill `vectors` for chunks, by key; yield after each step how many are new."""
        texts = {each.embed_key: search_text(each.context, each.text) for each in chunks}
        vectors.update(self._catalog.embeddings.known(texts, self._embedder.fingerprint))
        yield from self._embed(
            {key: text for key, text in texts.items() if key not in vectors}, vectors, token
        )

    def store(self, prepared: Prepared, vectors: Mapping[str, HalfVector]) -> FileDone | None:
        """Store one file with its chunks, wholly or not at all; None if it was taken out.

        Also if it came back since: then it waits to be read again.
        """
        document = prepared.document
        own = {key: vectors[key] for each in document.chunks if (key := each.embed_key) in vectors}
        with self._turns.step:
            if self._row(prepared.read) is None or any(
                each.embed_key not in own for each in document.chunks
            ):
                return None
            self._catalog.documents.store(prepared.read, document, own, self._embedder.fingerprint)
        return self._ready(prepared.read, document, len(document.chunks))

    def begin(self) -> DocumentId:
        """Begin a document that is stored in pieces."""
        with self._turns.step:
            return self._catalog.long_texts.begin()

    def append(
        self,
        read: FileRead,
        document_id: DocumentId,
        piece: tuple[str, Sequence[NewChunk]],
        vectors: Mapping[str, HalfVector],
    ) -> bool:
        """Put a piece, text and chunks, at such a document's end; False if its file is out."""
        with self._turns.step:
            if self._row(read) is None:
                return False
            fingerprint = self._embedder.fingerprint
            self._catalog.long_texts.append(document_id, *piece, vectors, fingerprint)
        return True

    def finish(
        self, document_id: DocumentId, read: FileRead, head: NewDocument, chunks: int
    ) -> FileDone | None:
        """Give a file the document that was stored in pieces; None if the file is out."""
        with self._turns.step:
            if self._row(read) is None:
                return None
            self._catalog.long_texts.finish(document_id, read, head)
        return self._ready(read, head, chunks)

    def discard(self, document_id: DocumentId) -> None:
        """Delete such a document, unless it was finished."""
        with self._turns.step:
            self._catalog.long_texts.discard(document_id)

    def _ready(self, read: FileRead, document: NewDocument, chunks: int) -> FileDone:
        self._unsynced += chunks
        return FileDone(
            path=read.path,
            status=FileStatus.READY,
            reason=joined(*document.notes),
            chunks=chunks,
            pages=document.pages,
            seconds=read.seconds,
        )

    def attach(self, known: KnownContent) -> FileDone | Deferred | None:
        """Give a file the document that its content is; None if the file was taken out.

        `Deferred` if the document has just gone.
        """
        read = known.read
        with self._turns.step:
            before = self._row(read)
            if before is None:
                return None
            stamp = read.stamp
            found = self._catalog.documents.find(stamp.content_hash if stamp else "", known.recipe)
            if found != known.document_id:
                return Deferred(read.path, is_restless=False)
            self._catalog.documents.attach(read, found)
            row = self._row(read) or before
        self._unsynced += row.chunks
        return file_done(row, is_new=before.document_id != known.document_id)

    def record(self, unusable: Unusable) -> FileDone | None:
        """Note why a file gives no text; None if it was taken out."""
        read = unusable.read
        with self._turns.step:
            if self._row(read) is None:
                return None
            self._catalog.files.record(read, unusable.status, unusable.reason)
        return FileDone(read.path, unusable.status, unusable.reason, seconds=read.seconds)

    def forget(self, path: str) -> FileDone:
        """Take out a file that went away before it was read."""
        with self._turns.step:
            self._catalog.files.remove(self._kb, [path])
        reason = "The file was gone before it could be read."
        return FileDone(path, FileStatus.DELETED, reason)

    def enqueue(self, paths: Sequence[str]) -> list[str]:
        """Queue files to be read again, and return them; those that were taken out stay out."""
        with self._turns.step:
            kept = [path for path in paths if self._catalog.files.get(self._kb, path) is not None]
            self._catalog.files.enqueue(self._kb, kept)
        return kept

    def catch_up(self, token: CancelToken) -> Iterator[IndexProgress]:
        """Embed chunks that another model embedded; yield how far that has come.

        Raises `CatalogDamaged` where vectors that were stored are not found again.
        """
        fingerprint, done, vain = self._embedder.fingerprint, 0, 0
        vectors: dict[str, HalfVector] = {}
        began, total = time.monotonic(), 0
        while missing := self._catalog.embeddings.missing(self._kb, fingerprint):
            vain = 0 if vectors.keys().isdisjoint(missing) else vain + 1
            if vain == _TRIES:
                raise CatalogDamaged
            vectors = {}
            total = total or self._catalog.embeddings.count_missing(self._kb, fingerprint)
            for made in self._embed(missing, vectors, token):
                yield embedding_anew(done + made, total, time.monotonic() - began)
            with self._turns.step:
                self._catalog.embeddings.add(vectors, fingerprint)
            done += len(missing)
        if done and self._indexes is not None:
            with self._turns.step:
                self._indexes.of(self._kb).rebuild()

    def sync(self, *, at_once: bool = False) -> None:
        """Tell the indexes what changed, if it is time to."""
        if self._indexes is None:
            return
        waited = time.monotonic() - self._synced_at
        if at_once or self._unsynced >= _SYNC_CHUNKS or (self._unsynced and waited > _SYNC_SECONDS):
            with self._turns.step:
                self._indexes.of(self._kb).sync()
            self._unsynced, self._synced_at = 0, time.monotonic()

    def feed(self, token: CancelToken, *, awaits: bool) -> Iterator[str]:
        """Tell Chroma and the vector file what they lack, where that is something; yield it first.

        Unless that is awaited, it is begun only.
        """
        if self._indexes is None or not self._indexes.of(self._kb).replica.is_behind():
            return
        index = self._indexes.of(self._kb)
        if awaits:
            yield "store"
            index.feed(token.check)
        else:
            index.replica.wake()

    def _row(self, read: FileRead) -> FileRow | None:
        return self._catalog.files.get(self._kb, read.path)

    def _embed(
        self, texts: Mapping[str, str], vectors: dict[str, HalfVector], token: CancelToken
    ) -> Iterator[int]:
        """Embed texts in steps of like length, so that no step pads much."""
        keys = sorted(texts, key=lambda key: len(texts[key]))
        for start in range(0, len(keys), _PER_STEP):
            token.check()
            part = keys[start : start + _PER_STEP]
            with self._turns.step:
                made = self._embedder.embed([texts[key] for key in part], token)
            vectors.update(zip(part, made.astype(np.float16), strict=True))
            yield start + len(part)


class LongDocumentWriter:
    """One file with a long document on its way into the catalog."""

    def __init__(self, long: PreparedLong, tools: ParseContext, snapshot: IndexWriter) -> None:
        self._long = long
        self._tools = tools
        self._snapshot = snapshot
        self._text: list[str] = []
        self._chunks: list[NewChunk] = []
        self._stored = 0

    def store(self, token: CancelToken) -> Storing:
        """Yield how many chunks are done, now and then; return what became of the file.

        That is None if it was taken out meanwhile. What is left of it when this ends early is
        deleted.
        """
        document_id = self._snapshot.begin()
        try:
            for piece in self._pieces():
                if isinstance(piece, str):
                    self._text.append(piece)
                else:
                    self._chunks.append(piece)
                if self._is_full():
                    token.check()
                    yield from self._put(document_id, token)
            yield from self._put(document_id, token)
            if not self._stored:
                problem = file_problems.empty()
                return Unusable(self._long.read, problem.status, problem.sentence)
            return self._snapshot.finish(document_id, self._long.read, self._head(), self._stored)
        except _TakenOutError:
            return None
        finally:
            self._snapshot.discard(document_id)

    def _pieces(self) -> Iterator[str | NewChunk]:
        titles = (self._long.document.head.title, Path(self._long.read.path).stem)
        sizes, count = self._tools.settings.chunking, self._tools.count_tokens
        return chunker.iter_chunks(self._long.document.blocks(), titles, sizes, count)

    def _is_full(self) -> bool:
        return len(self._chunks) >= _CHUNKS or sum(map(len, self._text)) >= _CHARACTERS

    def _put(self, document_id: DocumentId, token: CancelToken) -> Iterator[int]:
        """Embed what has gathered and store it."""
        require_disk_space(self._tools.catalog.database.path.parent)
        text, chunks = "".join(self._text), self._chunks
        self._text, self._chunks = [], []
        vectors: dict[str, HalfVector] = {}
        for done in self._snapshot.embed_chunks(chunks, vectors, token):
            yield self._stored + done
        token.check()
        if not self._snapshot.append(self._long.read, document_id, (text, chunks), vectors):
            raise _TakenOutError
        self._stored += len(chunks)

    def _head(self) -> NewDocument:
        head, stamp = self._long.document.head, self._long.read.stamp
        return NewDocument(
            content_hash=stamp.content_hash if stamp else "",
            recipe=self._long.recipe,
            title=head.title,
            text="",
            pages=head.pages,
            notes=head.notes,
            chunks=(),
            metadata=head.metadata,
        )


class _TakenOutError(Exception):
    """The file was taken out of the knowledge base while it was read."""
