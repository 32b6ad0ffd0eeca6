"""What of a knowledge base lies on a Chroma server, so that others ask it without its catalog.

Three collections, named by a digest of the knowledge base's shared name, and where several machines
index, a fourth:

    desktop-rag-<digest>-passages  a row for each chunk: its text, its vector, and as metadata its
                                   document's key, path, title, section, page, and `chunk`, the rest
    desktop-rag-<digest>-texts     the documents' texts, in pieces
    desktop-rag-<digest>-records   a row for each document and for each writer's file, as metadata;
                                   `desktop-rag-…` also say by metadata what they belong to
    desktop-rag-<digest>-leases    who is at work on which file; see `lease_rows`

Everything has its content's name (a document by content and recipe, a chunk by its document and its
place there, a file by its writer and its path): to write it again changes nothing, and two writers
write the same rows. A document counts once its row says that it is whole, which is written last. A
file that went leaves its row, as `removed`: what is missing is never taken for what was removed.

Anybody with the right to write may have written it: length and range of each value belong to its
type.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from typing import Annotated, Any, Literal, TypeVar

from msgspec import Meta, Struct

from desktop_rag.catalog import locators
from desktop_rag.catalog.exchange.file_format import (
    AnyPath,
    Count,
    Digest,
    ExportLocatorRow,
    Label,
    Ordinal,
    Size,
    Text,
)
from desktop_rag.core import codec
from desktop_rag.core.catalog_records import NewDocument, StoredChunk
from desktop_rag.core.metadata_codec import pack_metadata, unpack_metadata
from desktop_rag.core.phrases import dump, load
from desktop_rag.core.types import BlockKind

FORM = 1  # raise it when an older program could not read the rows rightly
PIECE = 100_000
"""Characters of a text's piece."""
PREFIX = "desktop-rag-"
PASSAGES, TEXTS, RECORDS, LEASES = "passages", "texts", "records", "leases"
_KEY = 16  # bytes
_FAR = 1e9
_LONGEST = 10_000
_NONE = -1  # pages of what has none: Chroma keeps no null

T = TypeVar("T")
Seconds = Annotated[float, Meta(ge=0, le=1e12)]
Person = Annotated[Text, Meta(max_length=300)]


class SharedBase(Struct, frozen=True):
    """What a knowledge base is, as metadata of its collections."""

    form: Annotated[int, Meta(ge=1, le=1 << 40)]
    name: Label
    fingerprint: Annotated[Text, Meta(max_length=1000)]
    dimensions: Annotated[int, Meta(ge=1, le=1 << 14)]
    program: Label


class SharedFile(Struct, frozen=True):
    """A writer's file, and who wrote when; `removed` once it went."""

    path: AnyPath
    size: Size
    mtime_ns: Annotated[int, Meta(ge=-(1 << 62), le=1 << 62)]
    hash: Annotated[str, Meta(pattern=r"\A([0-9a-f]{8,128})?\Z")]
    document: Digest
    seconds: Annotated[float, Meta(ge=0, le=_FAR)]
    writer: Digest
    author: Person
    written: Seconds
    removed: bool = False
    kind: Literal["file"] = "file"


class SharedDocument(Struct, frozen=True):
    """A document, of so many chunks, and pieces of its text; `whole` once all of them are there."""

    hash: Digest
    recipe: Annotated[str, Meta(max_length=200)]
    title: Text
    pages: Annotated[int, Meta(ge=_NONE, le=1 << 31)]
    notes: Annotated[Text, Meta(max_length=_LONGEST)]
    chunks: Ordinal
    pieces: Count
    writer: Digest
    written: Seconds
    metadata: Annotated[Text, Meta(max_length=_LONGEST)] = "{}"
    whole: bool = False
    kind: Literal["document"] = "document"


class SharedChunk(Struct, frozen=True, array_like=True):
    """What of a chunk is neither its text nor its section: `big` is read when it matched."""

    kind: BlockKind
    context: Text
    big: tuple[Count, Count]
    locator: ExportLocatorRow


def collection(name: str, part: str) -> str:
    """Return what the collection of a shared knowledge base is called."""
    return f"{PREFIX}{digest(name, size=8)}-{part}"


def document_key(content_hash: str, recipe: str) -> str:
    """Return the name of a document: of its content, and how it was read and cut."""
    return digest(content_hash, recipe)


def file_key(writer: str, path: str) -> str:
    """Return the name of a writer's file, by its stored path."""
    return f"file-{digest(writer, path)}"


def record_key(document: str) -> str:
    """Return the name of a document's row."""
    return f"document-{document}"


def part_key(document: str, number: int) -> str:
    """Return the name of a document's chunk, or of a piece of its text."""
    return f"{document}-{number}"


def as_metadata(row: SharedBase | SharedFile | SharedDocument) -> dict[str, Any]:
    """Return a row as Chroma keeps it."""
    return {name: getattr(row, name) for name in row.__struct_fields__}


def base_of(metadata: Mapping[str, Any]) -> SharedBase | None:
    """Return what a collection belongs to; None where it is none of ours."""
    return _read(dict(metadata), SharedBase)


def record_of(metadata: Mapping[str, Any] | None) -> SharedFile | SharedDocument | None:
    """Return a row of the records; None where it is none of ours."""
    given = dict(metadata or {})
    kind: type[SharedFile | SharedDocument]
    kind = SharedFile if given.get("kind") == "file" else SharedDocument
    return _read(given, kind)


def pack_chunk(chunk: StoredChunk) -> str:
    """Return, as JSON, what `unpack_chunk` reads."""
    row = [chunk.kind.value, chunk.context, chunk.big, locators.to_row(chunk.locator)]
    return json.dumps(row, ensure_ascii=False, separators=(",", ":"))


def unpack_chunk(packed: str) -> SharedChunk:
    """Read what `pack_chunk` made; a ValueError where it is something else."""
    return codec.decode(json.loads(packed), SharedChunk)


def as_document(row: SharedDocument, text: str) -> NewDocument:
    """Return a document with its text, without chunks; a ValueError for what is none."""
    notes = codec.decode(json.loads(row.notes), tuple[str, ...])
    pages = None if row.pages == _NONE else row.pages
    told = tuple(map(load, notes))
    metadata = unpack_metadata(json.loads(row.metadata))
    return NewDocument(row.hash, row.recipe, row.title, text, pages, told, (), metadata)


def document_row(head: NewDocument, chunks: int, writer: str, written: float) -> SharedDocument:
    """Return the row of a document, whose chunks and text are still to be written."""
    return SharedDocument(
        head.content_hash,
        head.recipe,
        head.title,
        _NONE if head.pages is None else head.pages,
        json.dumps([dump(each) for each in head.notes], ensure_ascii=False),
        chunks,
        -(-len(head.text) // PIECE),
        writer,
        written,
        json.dumps(pack_metadata(head.metadata), ensure_ascii=False),
    )


def _read(value: dict[str, Any], kind: type[T]) -> T | None:
    try:
        return codec.decode(value, kind)
    except ValueError:
        return None


def digest(*texts: str, size: int = _KEY) -> str:
    """Return a name of so many bytes, in hexadecimal digits, for some texts in this order."""
    made = hashlib.blake2b(digest_size=size)
    for text in texts:
        made.update(len(text).to_bytes(8, "little") + text.encode("utf-8", "surrogatepass"))
    return made.hexdigest()
