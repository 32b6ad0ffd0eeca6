"""Reads an export's members into the catalog's values; each is checked against the others.

Nothing is held of what was read but 16 bytes for each document and each chunk.

Many digests in little room: a Python set of a million would take 100 MB, this takes 16.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from itertools import islice
from typing import Any, TypeVar

import numpy as np
import numpy.typing as npt

from desktop_rag.catalog.exchange import validation
from desktop_rag.catalog.exchange.archive import ExportArchive
from desktop_rag.catalog.exchange.file_format import (
    CHUNKS,
    DOCUMENTS,
    EXCLUSIONS,
    FILES,
    KEYS,
    SOURCES,
    VECTORS,
)
from desktop_rag.catalog.exchange.validation import LARGEST, InvalidFieldError
from desktop_rag.catalog.provenance import MARK
from desktop_rag.core.phrases import Phrase, load
from desktop_rag.core.records import FileStamp, NewChunk, NewDocument
from desktop_rag.core.types import BlockKind, Box, FileStatus, Locator, LocatorKind
from desktop_rag.core.unicode import shown_path, stored_path

SIZE = 16  # bytes
T = TypeVar("T")
KeyOf = Callable[[str, str], str]
_COUNTED_PLACES = (LocatorKind.PAGE, LocatorKind.SLIDE, LocatorKind.ROW, LocatorKind.LINE)
_NEVER_STORED = (
    FileStatus.QUEUED, FileStatus.UNCHANGED, FileStatus.MOVED, FileStatus.DELETED,
)  # fmt: skip
_MANY = 1 << 31
_FAR = 1e9  # PDF points
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


class ExportReader:
    """Reads an archive as often as wanted; read documents first, then files, then vectors.

    `key_of` makes the key of a chunk's embedding from its context and text. Raises a `UserError`
    at the first thing that is not right.
    """

    def __init__(self, archive: ExportArchive, key_of: KeyOf) -> None:
        self._archive = archive
        self._key_of = key_of
        self._keys = DigestSet()
        self.manifest = archive.manifest

    def sources(self) -> Iterator[ExportedSource]:
        """Yield the sources."""
        return self._archive.records(SOURCES, _ascending(_source, _path_of))

    def exclusions(self) -> Iterator[str]:
        """Yield the paths of files and folders that stay out."""
        return self._archive.records(EXCLUSIONS, _ascending(_path, stored_path))

    def documents(self) -> Iterator[ExportedDocument]:
        """Yield the documents, in order."""
        self._keys, contents = DigestSet(), DigestSet()
        chunks = self._archive.records(CHUNKS, self._chunk)
        for document, count in self._archive.records(DOCUMENTS, _document):
            contents.add(digest_of(document.content_hash, document.recipe))
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
    key = validation.digest(value)
    if len(key) != 2 * SIZE:
        raise InvalidFieldError("a key is none")
    return key


def _source(value: Any) -> ExportedSource:
    row = validation.record(value, "path", "is_folder", "exclude")
    exclude = validation.texts(row["exclude"], validation.LONGEST_PATH)
    return ExportedSource(_path(row["path"]), validation.flag(row["is_folder"]), exclude)


def _path(value: Any) -> str:
    return shown_path(validation.path(value))


def _document(value: Any) -> tuple[NewDocument, int]:
    """Return a document without its chunks, and how many it has."""
    row = validation.record(value, "hash", "recipe", "title", "text", "pages", "notes", "chunks")
    pages = row["pages"]
    if MARK in validation.text(row["recipe"], 200):
        raise InvalidFieldError("a recipe is none")
    document = NewDocument(
        content_hash=validation.digest(row["hash"]),
        recipe=row["recipe"],
        title=validation.text(row["title"]),
        text=validation.text(row["text"]),
        pages=None if pages is None else validation.number(pages, 0, _MANY),
        notes=tuple(map(load, validation.texts(row["notes"]))),
        chunks=(),
    )
    return document, validation.number(row["chunks"], 1, _MANY)


def _chunk(value: Any) -> NewChunk:
    """Return a chunk; its place in its document is not known yet."""
    row = validation.record(value, "kind", "text", "context", "section", "locator", "big", "key")
    start, stop = validation.row(row["big"], 2)
    return NewChunk(
        ordinal=0,
        kind=validation.word(row["kind"], BlockKind),
        text=validation.text(row["text"]),
        context=validation.text(row["context"]),
        section=validation.text(row["section"]),
        locator=_locator(row["locator"]),
        big=_span(start, stop),
        embed_key=validation.digest(row["key"]),
    )


def _locator(value: Any) -> Locator:
    word, at, start, end, cells, boxes = validation.row(value, 6)
    kind = validation.word(word, LocatorKind)
    is_counted = kind in _COUNTED_PLACES
    span = (None, None) if start is None and end is None else _span(start, end)
    return Locator(
        kind=kind,
        value=validation.number(at, 1, _MANY)
        if is_counted or type(at) is int
        else validation.text(at),
        start=span[0],
        end=span[1],
        boxes=tuple(_box(each) for each in validation.row(boxes)),
        cells=None if cells is None else validation.text(cells, 100),
    )


def _box(value: Any) -> Box:
    *corners, start, end = validation.row(value, 6)
    x0, y0, x1, y1 = (validation.real(each, -_FAR, _FAR) for each in corners)
    return Box(x0, y0, x1, y1, *_span(start, end))


def _span(start: Any, end: Any) -> tuple[int, int]:
    low = validation.number(start, 0, _MANY)
    return low, validation.number(end, low, _MANY)


def _end(chunk: NewChunk) -> int:
    """Return where the last of a chunk's ranges ends."""
    return max(chunk.big[1], chunk.locator.end or 0, *(box.end for box in chunk.locator.boxes), 0)


def _file(value: Any) -> ExportedFile:
    names = ("path", "size", "mtime_ns", "hash", "status", "reason", "document", "seconds")
    row = validation.record(value, *names)
    status = validation.word(row["status"], FileStatus)
    stamp = _stamp(row["size"], row["mtime_ns"], row["hash"])
    document = row["document"]
    is_ready = status is FileStatus.READY
    if status in _NEVER_STORED or is_ready != (document is not None) or (is_ready and not stamp):
        raise InvalidFieldError("its state is none that a file can be in")
    return ExportedFile(
        path=_path(row["path"]),
        stamp=stamp,
        status=status,
        reason=load(validation.text(row["reason"], 10_000)),
        document=None if document is None else validation.number(document, 0, LARGEST),
        seconds=validation.real(row["seconds"], 0, _FAR),
    )


def _stamp(size: Any, mtime_ns: Any, content_hash: Any) -> FileStamp | None:
    if size is None and mtime_ns is None:
        return None
    return FileStamp(
        size=validation.number(size, 0, LARGEST),
        mtime_ns=validation.number(mtime_ns, -LARGEST, LARGEST),
        content_hash=validation.digest(content_hash) if content_hash else "",
    )
