"""Reads an export's members into the catalog's values; each is checked against the others.

Of what was read only a digest of 16 bytes is held for each document and each chunk. `DigestSet`
keeps a million of them in 16 MB, where a Python set would take 100 MB.
"""

from __future__ import annotations

import hashlib
from base64 import b64decode
from collections.abc import Callable, Collection, Iterable, Iterator
from dataclasses import dataclass, replace
from itertools import islice
from typing import Any, TypeVar

import numpy as np
import numpy.typing as npt
from msgspec import structs

from desktop_rag.catalog.exchange.archive import ExportArchive
from desktop_rag.catalog.exchange.file_format import (
    ADAPTATION,
    CHUNKS,
    DERIVED,
    DOCUMENTS,
    EXCLUSIONS,
    FILES,
    KEYS,
    PREPARATIONS,
    PREPARED,
    SIZE,
    SOURCES,
    VECTORS,
    AnyPath,
    ExportAdaptationRow,
    ExportChunkRow,
    ExportDerivedRow,
    ExportDocumentRow,
    ExportFileRow,
    ExportPreparationRow,
    ExportPreparedRow,
    ExportSourceRow,
    InvalidFieldError,
    Key,
)
from desktop_rag.catalog.retriever_adaptations import QueryMap, unpack_query_map
from desktop_rag.core import codec
from desktop_rag.core.catalog_records import FileStamp, NewChunk, NewDocument, RetrieverAdaptation
from desktop_rag.core.metadata_codec import unpack_metadata
from desktop_rag.core.phrases import Phrase, load
from desktop_rag.core.types import Box, FileStatus, Locator
from desktop_rag.core.unicode import shown_path, stored_path

T = TypeVar("T")
KeyOf = Callable[[str, str], str]
_UNIT = 0.1  # how far a vector's length may be from 1


def digest_of(*texts: str) -> bytes:
    """Return a digest of some texts."""
    made = hashlib.blake2b(digest_size=SIZE)
    for text in texts:
        made.update(len(text).to_bytes(8, "little") + text.encode())
    return made.digest()


class DigestSet:
    """Digests that are first all added, then asked about."""

    def __init__(self) -> None:
        self._added = bytearray()
        self._sorted: npt.NDArray[np.bytes_] | None = None

    def add(self, digest: bytes) -> None:
        """Add one of `SIZE` bytes."""
        self._added += digest

    def have_twice(self) -> bool:
        """Say whether one was added twice."""
        made = self._in_order()
        return bool((made[1:] == made[:-1]).any())

    def have_all(self, digests: Iterable[bytes]) -> bool:
        """Say whether all of these were added."""
        made, asked = self._in_order(), np.array(list(digests), f"S{SIZE}")
        if not len(made):
            return not len(asked)
        at = np.minimum(np.searchsorted(made, asked), len(made) - 1)
        return bool((made[at] == asked).all())

    def _in_order(self) -> npt.NDArray[np.bytes_]:
        if self._sorted is None:
            self._sorted = np.sort(np.frombuffer(bytes(self._added), f"S{SIZE}"))
            self._added.clear()
        return self._sorted


@dataclass(frozen=True, slots=True)
class ExportedSource:
    """A folder or file that the exported knowledge base followed; `exclude` are globs."""

    path: str
    is_folder: bool
    exclude: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ExportedFile:
    """A file of the exported knowledge base; `document` is a number, from 0."""

    path: str
    stamp: FileStamp | None
    status: FileStatus
    reason: str
    document: int | None
    seconds: float


@dataclass(frozen=True, slots=True)
class ExportedDocument:
    """A document without its chunks, and these, of which there are `count`: read them first."""

    document: NewDocument
    count: int
    chunks: Iterator[NewChunk]


@dataclass(frozen=True, slots=True)
class ExportedPreparation:
    """What was derived from a document (its number, from 0) for a way; read the texts first.

    Their sources are places of chunks in the document, their children places among the texts.
    """

    document: int
    way: str
    recipe: str
    texts: Iterator[ExportDerivedRow]


@dataclass(frozen=True, slots=True)
class ExportedAdaptation:
    """What was measured of an adaptation of the exported model's query vectors, and its map."""

    measured: RetrieverAdaptation
    query_map: QueryMap | None


class ExportReader:
    """Reads an archive as often as wanted; read documents first, then files, then vectors.

    `key_of` makes the key of a chunk's embedding from its context and text. Raises a `UserError`
    at the first thing that is not right.
    """

    def __init__(self, archive: ExportArchive, key_of: KeyOf) -> None:
        self._archive = archive
        self._key_of = key_of
        self._keys = DigestSet()
        self._chunk_counts: list[int] = []
        self.manifest = archive.manifest

    def sources(self) -> Iterator[ExportedSource]:
        """Yield the sources."""
        return self._archive.records(SOURCES, _ascending(_source, _path_of))

    def exclusions(self) -> Iterator[str]:
        """Yield the paths of files and folders that stay out."""
        return self._archive.records(EXCLUSIONS, _ascending(_path, stored_path))

    def documents(self) -> Iterator[ExportedDocument]:
        """Yield the documents, in order."""
        self._keys, contents, self._chunk_counts = DigestSet(), DigestSet(), []
        chunks = self._archive.records(CHUNKS, self._chunk)
        for document, count in self._archive.records(DOCUMENTS, _document):
            contents.add(digest_of(document.content_hash, document.recipe))
            self._chunk_counts.append(count)
            own = self._own(chunks, len(document.text), count)
            yield ExportedDocument(document, count, own)
            for _ in own:  # what nobody read is checked all the same
                continue
        if contents.have_twice():
            raise self._archive.wrong(DOCUMENTS, "a document is there twice")
        for _ in chunks:  # none is left, but only the end of a member has its checksum
            raise self._archive.wrong(CHUNKS, "chunks are left over")

    def _own(self, chunks: Iterator[NewChunk], length: int, count: int) -> Iterator[NewChunk]:
        """Yield a document's chunks in their places."""
        number = 0
        for number, chunk in enumerate(islice(chunks, count), 1):
            if _end(chunk) > length:
                raise self._archive.wrong(CHUNKS, Phrase("chunk {0} ends after the text", number))
            yield replace(chunk, ordinal=number - 1)
        if number != count:
            raise self._archive.wrong(CHUNKS, "chunks are missing")

    def files(self) -> Iterator[ExportedFile]:
        """Yield the files."""
        held = bytearray(self.manifest.counts[DOCUMENTS])

        def known(value: Any) -> ExportedFile:
            file = _file(value)
            if file.document is not None:
                if file.document >= len(held):
                    raise InvalidFieldError("its document is missing")
                held[file.document] = 1
            return file

        yield from self._archive.records(FILES, _ascending(known, _path_of))
        if not all(held):
            raise self._archive.wrong(FILES, "no file has one of the documents")

    def preparations(self) -> Iterator[ExportPreparationRow]:
        """Yield what the knowledge base is prepared for."""
        return self._archive.records(PREPARATIONS, _ascending(_preparation, lambda row: row.way))

    def prepared(self, ways: Collection[str]) -> Iterator[ExportedPreparation]:
        """Yield what was derived from documents for these ways, documents having been read."""
        texts = self._archive.records(DERIVED, _derived)
        last: tuple[int, str] = (-1, "")
        for row in self._archive.records(PREPARED, _prepared):
            is_in_place = last < (row.document, row.way) and row.way in ways
            if not is_in_place or row.document >= len(self._chunk_counts):
                raise self._archive.wrong(PREPARED, "a line is not in its place")
            last = (row.document, row.way)
            own = self._derived(texts, row.texts, self._chunk_counts[row.document])
            yield ExportedPreparation(row.document, row.way, row.recipe, own)
            for _ in own:
                continue
        for _ in texts:
            raise self._archive.wrong(DERIVED, "derived texts are left over")

    def _derived(
        self, texts: Iterator[ExportDerivedRow], count: int, chunks: int
    ) -> Iterator[ExportDerivedRow]:
        """Yield the derived texts of a document and way."""
        number = 0
        for number, row in enumerate(islice(texts, count), 1):
            if max(row.sources) >= chunks or max(row.children, default=-1) >= number - 1:
                raise self._archive.wrong(DERIVED, "a derived text is made of what is not there")
            yield row
        if number != count:
            raise self._archive.wrong(DERIVED, "derived texts are missing")

    def adaptation(self) -> Iterator[ExportedAdaptation]:
        """Return the adaptation, if there is one."""
        if self.manifest.counts.get(ADAPTATION, 0) > 1:
            raise self._archive.wrong(ADAPTATION, "there is more than one")
        return self._archive.records(ADAPTATION, self._adaptation)

    def _adaptation(self, value: Any) -> ExportedAdaptation:
        row = codec.decode(value, ExportAdaptationRow)
        *figures, packed = structs.astuple(row)
        measured = RetrieverAdaptation(self.manifest.fingerprint, *figures)
        if packed is None:
            return ExportedAdaptation(measured, None)
        query_map = unpack_query_map(b64decode(packed, validate=True))
        if query_map is None or len(query_map) != self.manifest.dimensions:
            raise InvalidFieldError("its map is none of this model's vectors")
        return ExportedAdaptation(measured, query_map)

    def vectors(self) -> Iterator[dict[str, npt.NDArray[np.float16]]]:
        """Yield the vectors by key, some hundred a time."""
        for keys, block in self._archive.blocks(_ascending(_key, str)):
            if not self._keys.have_all(map(bytes.fromhex, keys)):
                raise self._archive.wrong(KEYS, "no chunk has one of the keys")
            lengths = np.linalg.norm(block.astype(np.float32), axis=1)
            if not bool(np.all(np.abs(lengths - 1) < _UNIT)):  # not a number is never less
                raise self._archive.wrong(VECTORS, "a vector is none")
            yield dict(zip(keys, block, strict=True))

    def _chunk(self, value: Any) -> NewChunk:
        chunk = _chunk(value)
        if chunk.embed_key != self._key_of(chunk.context, chunk.text):
            raise InvalidFieldError("its key is another text's")
        self._keys.add(bytes.fromhex(chunk.embed_key))
        return chunk


def _ascending(read: Callable[[Any], T], name_of: Callable[[T], str]) -> Callable[[Any], T]:
    """Return a reader that refuses what does not come after what was before it, by name."""
    last = b""

    def read_next(value: Any) -> T:
        nonlocal last
        made = read(value)
        name = name_of(made).encode()
        if name <= last:
            raise InvalidFieldError("it is there twice, or not in its place")
        last = name
        return made

    return read_next


def _path_of(found: ExportedSource | ExportedFile) -> str:
    return stored_path(found.path)


def _key(value: Any) -> str:
    return codec.decode(value, Key)


def _path(value: Any) -> str:
    return shown_path(codec.decode(value, AnyPath))


def _source(value: Any) -> ExportedSource:
    row = codec.decode(value, ExportSourceRow)
    return ExportedSource(shown_path(row.path), row.is_folder, row.exclude)


def _document(value: Any) -> tuple[NewDocument, int]:
    """Return a document without its chunks, and how many it has."""
    row = codec.decode(value, ExportDocumentRow)
    told = tuple(map(load, row.notes))
    metadata = unpack_metadata(row.metadata or {})
    document = NewDocument(row.hash, row.recipe, row.title, row.text, row.pages, told, (), metadata)
    return document, row.chunks


def _chunk(value: Any) -> NewChunk:
    """Return a chunk; its place in its document is not known yet."""
    row = codec.decode(value, ExportChunkRow)
    at = row.locator
    boxes = tuple(Box(*structs.astuple(each)) for each in at.boxes)
    locator = Locator(at.kind, at.value, at.start, at.end, boxes, at.cells)
    return NewChunk(0, row.kind, row.text, row.context, row.section, locator, row.big, row.key)


def _preparation(value: Any) -> ExportPreparationRow:
    return codec.decode(value, ExportPreparationRow)


def _prepared(value: Any) -> ExportPreparedRow:
    return codec.decode(value, ExportPreparedRow)


def _derived(value: Any) -> ExportDerivedRow:
    return codec.decode(value, ExportDerivedRow)


def _end(chunk: NewChunk) -> int:
    """Return where the last of a chunk's ranges ends."""
    return max(chunk.big[1], chunk.locator.end or 0, *(box.end for box in chunk.locator.boxes), 0)


def _file(value: Any) -> ExportedFile:
    row = codec.decode(value, ExportFileRow)
    stamp = None
    if row.size is not None and row.mtime_ns is not None:
        stamp = FileStamp(row.size, row.mtime_ns, row.hash or "")
    path = shown_path(row.path)
    return ExportedFile(path, stamp, row.status, load(row.reason), row.document, row.seconds)
