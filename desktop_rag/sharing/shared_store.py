"""A knowledge base on a Chroma server: its rows written, read, and taken out; see `shared_rows`."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Generator, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from typing import TypeVar

import numpy as np
import numpy.typing as npt
from msgspec import structs

from desktop_rag.catalog.embeddings import VectorRecord
from desktop_rag.core.catalog_records import NewChunk, NewDocument, StoredChunk
from desktop_rag.core.errors import StoreAway, UserError
from desktop_rag.core.types import Box, Locator, ModelIdentity
from desktop_rag.index.chroma_server import (
    ROWS,
    ChromaServer,
    CollectionMissing,
    FoundRows,
    ServerCollection,
)
from desktop_rag.sharing import shared_rows
from desktop_rag.sharing.shared_rows import (
    LEASES,
    PASSAGES,
    PIECE,
    RECORDS,
    TEXTS,
    SharedBase,
    SharedDocument,
    SharedFile,
    part_key,
)

T = TypeVar("T")
HalfVector = npt.NDArray[np.float16]
_PER_LISTING = 2000  # rows of metadata of one request
_PIECES = 20  # of one request, 2 MB of text
_LISTINGS = 5  # until one of them is long enough
_UNIT = 0.1  # how far a vector's length may be from 1


@dataclass(frozen=True, slots=True)
class Records:
    """What the server says of documents, by key, and of every writer's files, removed ones too."""

    documents: Mapping[str, SharedDocument]
    files: Sequence[SharedFile]

    def live(self) -> set[str]:
        """Return the documents that some file has."""
        return {each.document for each in self.files if not each.removed}


@dataclass(frozen=True, slots=True)
class ChunkRow:
    """A chunk as the catalog has it, with its vector and the metadata that others read."""

    chunk: StoredChunk
    record: VectorRecord


@dataclass(frozen=True, slots=True)
class OutgoingDocument:
    """A document to be written; its chunks are read when it is their turn."""

    row: SharedDocument
    text: str
    chunks: Iterable[ChunkRow]


@dataclass(frozen=True, slots=True)
class IncomingDocument:
    """A document that was read, without chunks, and these with their vectors, in order."""

    document: NewDocument
    chunks: tuple[tuple[NewChunk, HalfVector], ...]


def shared_bases(server: ChromaServer) -> list[SharedBase]:
    """Return the knowledge bases that are shared on a server, by name."""
    found = {}
    for each in server.collections():
        base = shared_rows.base_of(each.metadata or {})
        if base is not None and each.name == shared_rows.collection(base.name, RECORDS):
            found[base.name] = base
    return [found[name] for name in sorted(found)]


class SharedStore:
    """One shared knowledge base on a server. Each method makes requests, harmless if again."""

    def __init__(
        self, server: ChromaServer, base: SharedBase, parts: Mapping[str, ServerCollection]
    ) -> None:
        self._server = server
        self.base = base
        self._passages, self._texts = parts[PASSAGES], parts[TEXTS]
        self._records = parts[RECORDS]

    @classmethod
    def opened(cls, server: ChromaServer, name: str) -> SharedStore:
        """Open a shared knowledge base, and write nothing; `CollectionMissing` if there is none."""
        parts = {
            part: server.collection(shared_rows.collection(name, part))
            for part in (RECORDS, PASSAGES, TEXTS)
        }
        base = shared_rows.base_of(parts[RECORDS].metadata)
        if base is None:
            raise CollectionMissing("The shared Chroma server has no such collection.")
        return cls(server, base, parts)

    @classmethod
    def made(cls, server: ChromaServer, base: SharedBase) -> SharedStore:
        """Open a shared knowledge base, made unless it is there; then it stays what it was."""
        try:
            return cls.opened(server, base.name)
        except CollectionMissing:
            row = shared_rows.as_metadata(base)
            for part in (PASSAGES, TEXTS, RECORDS):  # the last one says that all are there
                server.made(shared_rows.collection(base.name, part), row)
            return cls.opened(server, base.name)

    def drop(self) -> None:
        """Delete it from the server, for everybody."""
        for part in (RECORDS, PASSAGES, TEXTS, LEASES):
            self._server.drop(shared_rows.collection(self.base.name, part))

    def require_model(self, model: ModelIdentity) -> None:
        """Raise a `UserError` where a model's vectors are not those that lie there."""
        if self.base.fingerprint != model.fingerprint:
            raise UserError(
                "The shared knowledge base was made with another embedding model.",
                "Choose that model on the settings' page “Models”, or share under another name.",
            )

    def leases(self) -> ServerCollection:
        """Return the collection of leases, made unless it is there."""
        name = shared_rows.collection(self.base.name, LEASES)
        return self._server.made(name, shared_rows.as_metadata(self.base))

    def records(self) -> Records:
        """Return what the server says of documents and files.

        They are listed page by page, while others write: a listing counts if it is no shorter than
        the collection was before. Raises `StoreAway` where it always is: others delete.
        """
        for _ in range(_LISTINGS):
            before = self._records.count()
            rows: dict[str, SharedFile | SharedDocument | None] = {}
            for page in self._records.rows(["metadatas"], per=_PER_LISTING):
                found = map(shared_rows.record_of, page.metadatas or ())
                rows.update(zip(page.ids, found, strict=True))
            if len(rows) >= before:
                return _sorted_out(rows)
        raise StoreAway(
            "The shared knowledge base changes too fast to be read.",
            "Try again in a minute.",
            retryable=True,
        )

    def records_of(self, writer: str, paths: Iterable[str]) -> Records:
        """Return what the server says now of some files of a writer, and of their documents."""
        files = self._records_named(shared_rows.file_key(writer, each) for each in paths).files
        keys = {shared_rows.record_key(each.document) for each in files}
        return Records(self._records_named(keys).documents, files)

    def put_documents(
        self, documents: Mapping[str, OutgoingDocument]
    ) -> Generator[int, None, set[str]]:
        """Write documents by key; their rows say at last that they are whole.

        Yield how many chunks are written; return the keys of those that are. One whose chunks
        changed meanwhile is not.
        """
        self._put_records({key: each.row for key, each in documents.items()})
        for some in _batches(_pieces(documents), _PIECES):
            names = [name for name, _, _ in some]
            rows = [{"document": key} for _, key, _ in some]
            places = [place_of(name) for name in names]
            self._texts.upsert(names, places, rows, [text for _, _, text in some])
        written: Counter[str] = Counter()
        chunks = ((key, each) for key, document in documents.items() for each in document.chunks)
        for batch in _batches(chunks, ROWS):
            self._passages.upsert(
                [part_key(key, each.chunk.ordinal) for key, each in batch],
                [each.record.vector for _, each in batch],
                [_metadata(key, each) for key, each in batch],
                [each.chunk.text for _, each in batch],
            )
            written.update(key for key, _ in batch)
            yield written.total()
        whole = {key for key, each in documents.items() if written[key] == each.row.chunks}
        rows_of = {key: structs.replace(documents[key].row, whole=True) for key in whole}
        self._put_records(rows_of)
        return whole

    def lacking(self, documents: Mapping[str, SharedDocument]) -> set[str]:
        """Return the documents that say they are whole, of which the server lost chunks since.

        Each is looked at only where there are fewer chunks than there should be.
        """
        whole = {key: row for key, row in documents.items() if row.whole}
        if self._passages.count() >= sum(row.chunks for row in whole.values()):
            return set()
        found = set()
        for key, row in whole.items():
            names = [part_key(key, each) for each in range(row.chunks)]
            held = sum(len(page.ids) for page in self._passages.get(names, []))
            if held < row.chunks:
                found.add(key)
        return found

    def put_files(self, files: Sequence[SharedFile]) -> None:
        """Write files' rows."""
        names = [shared_rows.file_key(each.writer, each.path) for each in files]
        vectors = [place_of(each) for each in names]
        self._records.upsert(names, vectors, [shared_rows.as_metadata(each) for each in files])

    def delete_document(self, key: str, row: SharedDocument) -> None:
        """Take a document out, its row first: who reads it meanwhile sees that it is not whole."""
        self._records.delete([shared_rows.record_key(key)])
        self._passages.delete([part_key(key, each) for each in range(row.chunks)])
        self._texts.delete([part_key(key, each) for each in range(row.pieces)])

    def documents(
        self, wanted: Mapping[str, SharedDocument], longest: int
    ) -> dict[str, IncomingDocument]:
        """Return documents by key, those of which all is there and was written by this program.

        A text of more than `longest` characters is left out.
        """
        fitting = {key: row for key, row in wanted.items() if row.pieces * PIECE <= longest + PIECE}
        texts = self._fetched_texts(fitting)
        found = self._fetched_chunks({key: fitting[key] for key in texts})
        made = {}
        for key, text in texts.items():
            names = (part_key(key, each) for each in range(fitting[key].chunks))
            chunks = _all_of(found, names)
            if chunks is None:
                continue
            try:
                head = shared_rows.as_document(fitting[key], text)
            except ValueError:
                continue
            numbered = ((replace(c, ordinal=at), v) for at, (c, v) in enumerate(chunks))
            made[key] = IncomingDocument(head, tuple(numbered))
        return made

    def _fetched_texts(self, wanted: Mapping[str, SharedDocument]) -> dict[str, str]:
        """Return the texts that are all there."""
        pieces: dict[str, str] = {}
        names = (part_key(key, at) for key, row in wanted.items() for at in range(row.pieces))
        for some in _batches(names, _PIECES):
            for page in self._texts.get(some, ["documents"]):
                rows = zip(page.ids, page.documents or (), strict=False)
                pieces.update((name, text) for name, text in rows if text is not None)
        texts = {}
        for key, row in wanted.items():
            parts = _all_of(pieces, (part_key(key, at) for at in range(row.pieces)))
            if parts is not None:
                texts[key] = "".join(parts)
        return texts

    def _fetched_chunks(
        self, wanted: Mapping[str, SharedDocument]
    ) -> dict[str, tuple[NewChunk, HalfVector]]:
        """Return the chunks that are there, by their names; their embed keys are empty.

        Of a document that says it has more than there are, one batch too much is asked for.
        """
        found: dict[str, tuple[NewChunk, HalfVector]] = {}
        missing: set[str] = set()

        def asked() -> Iterator[tuple[str, str]]:
            for key, row in wanted.items():
                for at in range(row.chunks):
                    if key in missing:
                        break
                    yield key, part_key(key, at)

        for some in _batches(asked(), ROWS):
            names = [name for _, name in some]
            for page in self._passages.get(names, ["documents", "metadatas", "embeddings"]):
                found.update(_chunks(page))
            missing |= {key for key, name in some if name not in found}
        return found

    def _records_named(self, names: Iterable[str]) -> Records:
        rows: dict[str, SharedFile | SharedDocument | None] = {}
        for page in self._records.get(list(names), ["metadatas"]):
            found = map(shared_rows.record_of, page.metadatas or ())
            rows.update(zip(page.ids, found, strict=False))
        return _sorted_out(rows)

    def _put_records(self, rows: Mapping[str, SharedDocument]) -> None:
        names = [shared_rows.record_key(key) for key in rows]
        metadata = [shared_rows.as_metadata(row) for row in rows.values()]
        self._records.upsert(names, [place_of(each) for each in names], metadata)


def _sorted_out(rows: Mapping[str, SharedFile | SharedDocument | None]) -> Records:
    """Return the rows that stand under their own names."""
    documents, files = {}, []
    for name, row in rows.items():
        if isinstance(row, SharedDocument):
            key = shared_rows.document_key(row.hash, row.recipe)
            if name == shared_rows.record_key(key):
                documents[key] = row
        elif row is not None and name == shared_rows.file_key(row.writer, row.path):
            files.append(row)
    return Records(documents, files)


def _metadata(key: str, row: ChunkRow) -> dict[str, int | str]:
    told = {name: value for name, value in row.record.metadata.items() if name != "document_id"}
    return told | {"document": key, "chunk": shared_rows.pack_chunk(row.chunk)}


def _pieces(documents: Mapping[str, OutgoingDocument]) -> Iterator[tuple[str, str, str]]:
    """Yield the pieces of texts: their names, their documents' keys, and they themselves."""
    for key, each in documents.items():
        for number in range(each.row.pieces):
            piece = each.text[number * PIECE : (number + 1) * PIECE]
            yield part_key(key, number), key, piece


def _chunks(page: FoundRows) -> Iterator[tuple[str, tuple[NewChunk, HalfVector]]]:
    """Yield the chunks of a reply by their names; what is none is left out."""
    rows = zip(
        page.ids, page.documents or (), page.metadatas or (), page.embeddings or (), strict=False
    )
    for name, text, metadata, vector in rows:
        try:
            yield name, _chunk(text, metadata or {}, vector)
        except (ValueError, RecursionError):
            continue


def _chunk(
    text: str | None, metadata: Mapping[str, object], vector: Sequence[float] | None
) -> tuple[NewChunk, HalfVector]:
    """Return a chunk and its vector, of length 1; a ValueError for what is none."""
    packed, section = metadata.get("chunk"), metadata.get("section", "")
    if text is None or vector is None or not isinstance(packed, str):
        raise ValueError(packed)
    rest = shared_rows.unpack_chunk(packed)
    at = rest.locator
    boxes = tuple(Box(*structs.astuple(each)) for each in at.boxes)
    locator = Locator(at.kind, at.value, at.start, at.end, boxes, at.cells)
    chunk = NewChunk(0, rest.kind, text, rest.context, str(section), locator, rest.big, "")
    made = np.asarray(vector, np.float32)
    if not abs(float(np.linalg.norm(made)) - 1) < _UNIT:  # what is no number is never less
        raise ValueError(made)
    return chunk, made.astype(np.float16)


def _all_of(found: Mapping[str, T], names: Iterable[str]) -> list[T] | None:
    """Return what was found of each name; None where one is missing."""
    made = []
    for name in names:
        if name not in found:
            return None
        made.append(found[name])
    return made


def _batches(rows: Iterable[T], size: int) -> Iterator[list[T]]:
    source = iter(rows)
    while batch := list(islice(source, size)):
        yield batch


def place_of(name: str) -> npt.NDArray[np.float32]:
    """Return a vector for a row that has none, which Chroma demands: a point on a circle."""
    angle = int.from_bytes(name.encode()[-8:], "big") % 10_007 / 10_007 * 2 * math.pi
    return np.array([math.cos(angle), math.sin(angle)], np.float32)
