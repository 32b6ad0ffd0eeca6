"""Brings a knowledge base and its rows on a Chroma server in step, both ways, by comparing them.

Nobody keeps a log of what is to be sent: what the server lacks of this data folder's files is
written, what others wrote and the catalog lacks is stored. So a run that was broken off, a server
that was away, or one that lost its last seconds, is mended by the next run.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, replace
from typing import TypeVar

from msgspec import structs

from desktop_rag.catalog.facade import Catalog
from desktop_rag.catalog.provenance import imported
from desktop_rag.catalog.shares import Authorship, SharedContent
from desktop_rag.core.catalog_records import FileRead, FileStamp, NewDocument, Share
from desktop_rag.core.disk_space import require_disk_space
from desktop_rag.core.filesystem import is_at_or_below
from desktop_rag.core.types import DocumentId, ModelIdentity
from desktop_rag.core.unicode import shown_path, stored_path
from desktop_rag.sharing import shared_rows
from desktop_rag.sharing.row_sender import RowSender, author
from desktop_rag.sharing.shared_rows import SharedDocument, SharedFile
from desktop_rag.sharing.shared_store import (
    HalfVector,
    IncomingDocument,
    Records,
    SharedStore,
)

_log = logging.getLogger(__name__)
_FORGOTTEN = 24 * 3600.0  # seconds after which another writer's document without a file goes
_FILES_AT_ONCE = 200
_CHUNKS_AT_ONCE = 400
PlacedRow = tuple[str, SharedFile]
T = TypeVar("T")
KeyOf = Callable[[str, str], str]


@dataclass(frozen=True, slots=True)
class SyncStep:
    """How far it is: `done` of `total` files are sent or fetched."""

    path: str
    done: int
    total: int


@dataclass(slots=True)
class SyncResult:
    """What came of it, in files: `waiting` are those whose writer has not written all of them."""

    sent: int = 0
    withdrawn: int = 0
    fetched: int = 0
    removed: int = 0
    waiting: int = 0


class Synchroniser:
    """One shared knowledge base and its rows on a server.

    `key_of` makes the key of a chunk's embedding from its context and text, `longest` is how many
    characters a text may have; what came is stored in a `turn`. Texts whose vectors are another
    model's are stored without them.
    """

    def __init__(
        self,
        catalog: Catalog,
        share: Share,
        store: SharedStore,
        model: ModelIdentity,
        *,
        key_of: KeyOf,
        longest: int,
        turn: AbstractContextManager[object],
        sends: bool,
    ) -> None:
        self._catalog = catalog
        self._share = share
        self._store = store
        self._model = model
        self._key_of = key_of
        self._longest = longest
        self._turn = turn
        self._sends = sends
        self._sender = RowSender(catalog, share.kb, store, model, share.writer)
        self.result = SyncResult()

    def run(self) -> Iterator[SyncStep]:
        """Send what is lacking there, if it `sends`, then fetch."""
        if self._sends:
            yield from self._send()
        yield from self._fetch()
        self._catalog.shares.put(replace(self._share, synced=time.time(), away=0.0))

    def _send(self) -> Iterator[SyncStep]:
        self._store.require_model(self._model)
        records = self._store.records()
        own = self._catalog.shares.own_files(self._share.kb)
        known = {each.path: each for each in records.files if each.writer == self._share.writer}
        lost = self._store.lacking(records.documents)
        whole = {key for key, row in records.documents.items() if row.whole} - lost
        new = [each for each in own if self._is_news(each, known.get(each.path), whole)]
        done = 0
        for group in _grouped(new, self._weight):
            yield SyncStep(group[0].path, done, len(new))
            yield from self._send_group(group, whole, done, len(new))
            done += len(group)
        paths = {each.path for each in own}
        gone = [row for path, row in known.items() if path not in paths and not row.removed]
        self._withdraw(gone)
        if new or gone:
            self._delete_documents(self._store.records())

    def _is_news(
        self, content: SharedContent, row: SharedFile | None, whole: Collection[str]
    ) -> bool:
        """Say whether a file's rows on the server are not as they should be."""
        key = shared_rows.document_key(content.content_hash, content.recipe)
        if row is None or row.removed or row.document != key:
            return True
        is_touched = (row.size, row.mtime_ns) != (content.stamp.size, content.stamp.mtime_ns)
        return is_touched or key not in whole

    def _weight(self, content: SharedContent) -> int:
        return self._catalog.documents.chunk_count(content.document)

    def _send_group(
        self, group: list[SharedContent], whole: set[str], done: int, total: int
    ) -> Iterator[SyncStep]:
        sending = self._sender.send(group, whole)
        while True:
            try:
                next(sending)
                yield SyncStep(group[0].path, done, total)
            except StopIteration as end:
                self.result.sent += len(end.value)
                return

    def _withdraw(self, gone: list[SharedFile]) -> None:
        """Say of files that they went."""
        now = time.time()
        rows = [structs.replace(row, removed=True, author=author(), written=now) for row in gone]
        for start in range(0, len(rows), _FILES_AT_ONCE):
            self._store.put_files(rows[start : start + _FILES_AT_ONCE])
        self.result.withdrawn += len(rows)

    def _delete_documents(self, records: Records) -> None:
        """Delete the documents that no file has any more.

        Another writer may be about to write the file of one of theirs: that one waits a day. Who
        writes a file meanwhile whose document goes here finds that out by the next comparison.
        """
        live, now = records.live(), time.time()
        for key, row in records.documents.items():
            is_ours = row.writer == self._share.writer or now - row.written > _FORGOTTEN
            if key not in live and is_ours:
                self._store.delete_document(key, row)

    def _fetch(self) -> Iterator[SyncStep]:
        kb, shares = self._share.kb, self._catalog.shares
        records = self._store.records()
        others = [each for each in records.files if each.writer != self._share.writer]
        here = {each.path: each for each in shares.files_that_came(kb)}
        placed = _placed(others, self._is_taken(here))
        stay_out = self._catalog.choices.excluded(kb)
        wanted = [
            (path, row)
            for path, row in placed.items()
            if not any(is_at_or_below(shown_path(path), each) for each in stay_out)
            and not _is_same(here.get(path), row)
        ]
        done = 0
        for group in _grouped(wanted, lambda placed: _chunks_of(placed[1], records)):
            yield SyncStep(group[0][0], done, len(wanted))
            self._fetch_group(group, records.documents)
            done += len(group)
        told = {row.path for row in others}  # of what is missing nobody said that it went
        authors = shares.authors(kb)
        gone = [path for path in here if path not in placed and authors[path].shared_path in told]
        if gone:
            with self._turn:
                self._catalog.files.remove(kb, map(shown_path, gone))
            shares.forget_authors(kb, gone)
            self.result.removed += len(gone)

    def _is_taken(self, here: Collection[str]) -> Callable[[str], bool]:
        """Return whether a path is one of this data folder's own, or in a folder that it follows.

        There a file that came would be taken for one that was deleted.
        """
        kb, catalog = self._share.kb, self._catalog
        sources = [each.path for each in catalog.kbs.sources(kb)]
        own = {stored_path(each.path) for each in catalog.files.under(kb)} - set(here)

        def is_taken(path: str) -> bool:
            return path in own or any(is_at_or_below(shown_path(path), each) for each in sources)

        return is_taken

    def _fetch_group(
        self, group: Sequence[PlacedRow], documents: Mapping[str, SharedDocument]
    ) -> None:
        """Store what others wrote of some files; of which not all is there, they wait."""
        wanted = {
            row.document: documents[row.document]
            for _, row in group
            if row.document in documents
            and documents[row.document].whole
            and self._known(documents[row.document]) is None
        }
        came = self._store.documents(wanted, self._longest) if wanted else {}
        for path, row in group:
            if self._is_stored(path, row, documents.get(row.document), came.get(row.document)):
                self.result.fetched += 1
            else:
                self.result.waiting += 1
                _log.info("Shared file %s is not whole yet", row.path)

    def _known(self, document: SharedDocument) -> DocumentId | None:
        """Return the document of this content that came here before."""
        recipe = imported(document.recipe, self._share.kb)
        return self._catalog.shares.document_of_content(document.hash, recipe)

    def _is_stored(
        self,
        path: str,
        row: SharedFile,
        document: SharedDocument | None,
        incoming: IncomingDocument | None,
    ) -> bool:
        """Store what another wrote, as this knowledge base's own; see `provenance`.

        Return whether all of it is there.
        """
        if document is None or not document.whole:
            return False
        kb, catalog = self._share.kb, self._catalog
        stamp = FileStamp(row.size, row.mtime_ns, row.hash)
        read = FileRead(kb, shown_path(path), stamp, row.seconds)
        known = self._known(document)
        new = None if known is not None or incoming is None else self._own(incoming)
        if known is None and new is None:
            return False
        catalog.shares.note_authors(kb, {path: Authorship(row.path, row.author, row.written)})
        with self._turn:
            if known is not None:
                catalog.documents.attach(read, known)
            elif new is not None:
                require_disk_space(catalog.database.path.parent)
                catalog.documents.store(read, *new, self._model.fingerprint)
        return True

    def _own(self, incoming: IncomingDocument) -> tuple[NewDocument, dict[str, HalfVector]] | None:
        """Return a document and vectors under keys of its own; None where they make no sense.

        Vectors of another model than that in use are left out.
        """
        kb, head = self._share.kb, incoming.document
        chunks, vectors = [], {}
        for chunk, vector in incoming.chunks:
            boxes = (box.end for box in chunk.locator.boxes)
            if max(chunk.big[1], chunk.locator.end or 0, *boxes, 0) > len(head.text):
                return None
            key = imported(self._key_of(chunk.context, chunk.text), kb)
            chunks.append(replace(chunk, embed_key=key))
            vectors[key] = vector
        if self._store.base.fingerprint != self._model.fingerprint:
            vectors = {}
        if any(len(each) != self._model.dimensions for each in vectors.values()):
            return None
        return replace(head, recipe=imported(head.recipe, kb), chunks=tuple(chunks)), vectors


def _grouped(rows: Iterable[T], weight: Callable[[T], int]) -> Iterator[list[T]]:
    """Yield files of some hundred chunks together: a request takes as long for one as for all."""
    group: list[T] = []
    chunks = 0
    for row in rows:
        group.append(row)
        chunks += weight(row)
        if chunks >= _CHUNKS_AT_ONCE or len(group) == _FILES_AT_ONCE:
            yield group
            group, chunks = [], 0
    if group:
        yield group


def _chunks_of(file: SharedFile, records: Records) -> int:
    document = records.documents.get(file.document)
    return 0 if document is None else document.chunks


def _placed(files: Iterable[SharedFile], is_taken: Callable[[str], bool]) -> dict[str, SharedFile]:
    """Return the files that were not removed by the path that they have here.

    It is their own, unless that is taken or stands for several contents: the same path may be
    another file on another computer. Then it names its author, too.
    """
    by_path: dict[str, list[SharedFile]] = {}
    for row in sorted(files, key=lambda each: (each.written, each.writer)):
        if not row.removed:
            by_path.setdefault(row.path, []).append(row)
    placed: dict[str, SharedFile] = {}
    for path, rows in by_path.items():
        is_clear = len({row.document for row in rows}) == 1 and not is_taken(path)
        placed |= {path: rows[-1]} if is_clear else {_with_author(row): row for row in rows}
    return placed


def _with_author(row: SharedFile) -> str:
    """Return a path that is nobody's: on Windows two slashes would name a computer."""
    return f"/{row.author.replace('/', '-')}/{row.path.lstrip('/')}"


def _is_same(content: SharedContent | None, row: SharedFile) -> bool:
    """Say whether what came of a file is what its row says now."""
    if content is None:
        return False
    key = shared_rows.document_key(content.content_hash, content.recipe)
    stamp = (content.stamp.size, content.stamp.mtime_ns)
    return (key, stamp) == (row.document, (row.size, row.mtime_ns))
