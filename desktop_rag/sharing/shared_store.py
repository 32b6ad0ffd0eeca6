"""A knowledge base on a Chroma server: its rows written, read, and taken out; see `shared_rows`."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import islice

import numpy as np
import numpy.typing as npt
from msgspec import structs

from desktop_rag.catalog.embeddings import VectorRecord
from desktop_rag.core.catalog_records import NewChunk, NewDocument, StoredChunk
from desktop_rag.core.errors import StoreAway
from desktop_rag.core.types import Box, Locator
from desktop_rag.index.chroma_server import (
    ROWS,
    ChromaServer,
    CollectionMissing,
    FoundRows,
    ServerCollection,
)
from desktop_rag.sharing import shared_rows
from desktop_rag.sharing.shared_rows import (
    PASSAGES,
    PIECE,
    RECORDS,
    TEXTS,
    SharedBase,
    SharedDocument,
    SharedFile,
    part_key,
)

HalfVector = npt.NDArray[np.float16]
_PER_LISTING = 2000  # rows of metadata of one request
_PIECES = 20  # of one request, 2 MB of text
_LISTINGS = 5  # until two of them agree with the count
_UNIT = 0.1  # how far a vector's length may be from 1


class WrongRowsError(ValueError):
    """A document's rows on the server are not what was written, or not all there."""


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
        for part in (RECORDS, PASSAGES, TEXTS):
            self._server.drop(shared_rows.collection(self.base.name, part))

    def records(self) -> Records:
        """Return what the server says of documents and files.

        They are listed page by page, while others write: a listing counts if it is as long as the
        collection. Raises `StoreAway` where it never is.
        """
        for _ in range(_LISTINGS):
            rows: dict[str, SharedFile | SharedDocument | None] = {}
            for page in self._records.rows(["metadatas"], per=_PER_LISTING):
                found = map(shared_rows.record_of, page.metadatas or ())
                rows.update(zip(page.ids, found, strict=True))
            if len(rows) == self._records.count():
                return _sorted_out(rows)
        raise StoreAway(
            "The shared knowledge base changes too fast to be read.",
            "Try again in a minute.",
            retryable=True,
        )

    def put_document(
        self, key: str, row: SharedDocument, text: str, chunks: Iterable[ChunkRow]
    ) -> Iterator[int]:
        """Write a document; its row says at last that it is whole. Yield how many chunks are."""
        self._put_record(shared_rows.record_key(key), row)
        pieces = [text[at : at + PIECE] for at in range(0, len(text), PIECE)]
        for start in range(0, len(pieces), _PIECES):
            some = pieces[start : start + _PIECES]
            names = [part_key(key, start + at) for at in range(len(some))]
            rows = [{"document": key} for _ in some]
            self._texts.upsert(names, [_place(each) for each in names], rows, some)
        source, done = iter(chunks), 0
        while batch := list(islice(source, ROWS)):
            self._passages.upsert(
                [part_key(key, each.chunk.ordinal) for each in batch],
                [each.record.vector for each in batch],
                [_metadata(key, each) for each in batch],
                [each.chunk.text for each in batch],
            )
            done += len(batch)
            yield done
        if done != row.chunks:
            raise WrongRowsError  # it changed meanwhile: the next time
        self._put_record(shared_rows.record_key(key), structs.replace(row, whole=True))

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
        vectors = [_place(each) for each in names]
        self._records.upsert(names, vectors, [shared_rows.as_metadata(each) for each in files])

    def delete_document(self, key: str, row: SharedDocument) -> None:
        """Take a document out, its row first: who reads it meanwhile sees that it is not whole."""
        self._records.delete([shared_rows.record_key(key)])
        self._passages.delete([part_key(key, each) for each in range(row.chunks)])
        self._texts.delete([part_key(key, each) for each in range(row.pieces)])

    def chunks(self, key: str, row: SharedDocument) -> Iterator[tuple[NewChunk, HalfVector]]:
        """Yield a document's chunks with their vectors, in order; their embed keys are empty.

        Raises `WrongRowsError` where one is missing, or none that was written by this program.
        """
        for start in range(0, row.chunks, ROWS):
            wanted = range(start, min(start + ROWS, row.chunks))
            names = [part_key(key, each) for each in wanted]
            include = ["documents", "metadatas", "embeddings"]
            pages = list(self._passages.get(names, include))
            found = dict(pair for page in pages for pair in _chunks(page))
            for ordinal, name in zip(wanted, names, strict=True):
                if name not in found:
                    raise WrongRowsError
                chunk, vector = found[name]
                yield replace(chunk, ordinal=ordinal), vector

    def document(self, key: str, row: SharedDocument, longest: int) -> NewDocument:
        """Return a document with its text, without its chunks.

        Raises `WrongRowsError` where some of the text is missing, or it has more characters than
        `longest`.
        """
        if row.pieces * PIECE > longest + PIECE:
            raise WrongRowsError
        pieces: dict[str, str | None] = {}
        names = [part_key(key, each) for each in range(row.pieces)]
        for start in range(0, len(names), _PIECES):
            for page in self._texts.get(names[start : start + _PIECES], ["documents"]):
                pieces.update(zip(page.ids, page.documents or (), strict=True))
        texts = [pieces.get(name) for name in names]
        if None in texts:
            raise WrongRowsError
        text = "".join(each for each in texts if each is not None)
        return shared_rows.as_document(row, text)

    def _put_record(self, name: str, row: SharedDocument) -> None:
        self._records.upsert([name], [_place(name)], [shared_rows.as_metadata(row)])


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


def _chunks(page: FoundRows) -> Iterator[tuple[str, tuple[NewChunk, HalfVector]]]:
    """Yield the chunks of a reply by their names; `WrongRowsError` for what is none."""
    rows = zip(
        page.ids, page.documents or (), page.metadatas or (), page.embeddings or (), strict=False
    )
    for name, text, metadata, vector in rows:
        packed, section = (metadata or {}).get("chunk"), (metadata or {}).get("section", "")
        if text is None or vector is None or not isinstance(packed, str):
            raise WrongRowsError
        try:
            rest = shared_rows.unpack_chunk(packed)
        except (ValueError, RecursionError) as error:
            raise WrongRowsError from error
        at = rest.locator
        boxes = tuple(Box(*each) for each in at.boxes)
        locator = Locator(at.kind, at.value, at.start, at.end, boxes, at.cells)
        chunk = NewChunk(0, rest.kind, text, rest.context, str(section), locator, rest.big, "")
        yield name, (chunk, _half(vector))


def _half(vector: Sequence[float]) -> HalfVector:
    """Return a vector as the catalog keeps it; `WrongRowsError` where it has not the length 1."""
    made = np.asarray(vector, np.float32)
    if not abs(float(np.linalg.norm(made)) - 1) < _UNIT:  # what is no number is never less
        raise WrongRowsError
    return made.astype(np.float16)


def _place(name: str) -> npt.NDArray[np.float32]:
    """Return a vector for a row that has none, which Chroma demands: a point on a circle."""
    angle = int.from_bytes(name.encode()[-8:], "big") % 10_007 / 10_007 * 2 * math.pi
    return np.array([math.cos(angle), math.sin(angle)], np.float32)
