"""Reads documents from the catalog: their names, lengths, the chunks of a range, the files.

`TitledChunks` gives what documents and their sections are called, for whoever looks for their names
in texts. `DocumentQueries` reads documents piece by piece.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from desktop_rag.catalog import locators
from desktop_rag.catalog.column_values import enum_value, require_advance
from desktop_rag.catalog.database import Database
from desktop_rag.catalog.provenance import IS_OWN
from desktop_rag.core.catalog_records import FileStamp
from desktop_rag.core.types import BlockKind, ChunkId, DocumentId, KbId, Locator
from desktop_rag.core.unicode import shown_path, stored_path

_PER_READ = 5000


@dataclass(frozen=True, slots=True)
class TitledChunk:
    """A chunk with the names that it goes by: its document's title and file, its section.

    `is_first` marks the first chunk of a document.
    """

    chunk_id: ChunkId
    document_id: DocumentId
    is_first: bool
    section: str
    text: str
    title: str
    path: str


class TitledChunks:
    """The catalog's chunks, in the order in which they came."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def since(self, last: ChunkId) -> Iterator[TitledChunk]:
        """Yield the chunks that came after one; chunks' numbers are never used twice."""
        while True:
            rows = self._database.read().execute(
                "SELECT chunks.id, document_id, ordinal, section, chunks.text, documents.title, "
                "(SELECT path FROM files WHERE files.document_id = documents.id LIMIT 1) "
                "FROM chunks JOIN documents ON documents.id = document_id "
                "WHERE chunks.id > ? ORDER BY chunks.id LIMIT ?",
                (last, _PER_READ),
            )
            found = [_named(*row) for row in rows]
            if not found:
                return
            last = ChunkId(require_advance(found[-1].chunk_id, last))
            yield from found


def _named(
    number: int, document: int, ordinal: int, section: str, text: str, *called: str | None
) -> TitledChunk:
    title, path = (each or "" for each in called)
    is_first = ordinal == 0
    named = ChunkId(number), DocumentId(document), is_first, section, text
    return TitledChunk(*named, title, shown_path(path))


@dataclass(frozen=True, slots=True)
class ChunkOutline:
    """A chunk, without its text where only its place is asked for."""

    ordinal: int
    kind: BlockKind
    section: str
    locator: Locator
    context: str = ""
    text: str = ""
    chunk_id: int = 0


@dataclass(frozen=True, slots=True)
class CatalogFile:
    """What the catalog holds of a path: its document, and the file's stamp when it was read.

    Of an import it is what that says of the path.
    """

    kb: KbId
    document_id: DocumentId | None
    title: str
    stamp: FileStamp | None
    is_imported: bool = False


class DocumentQueries:
    """The catalog's documents, read piece by piece."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def length(self, document_id: DocumentId) -> int | None:
        """Return how many characters a document's text has; None when it is gone."""
        rows = self._database.read().execute(
            "SELECT coalesce((SELECT start + length(text) FROM segments WHERE document_id = ?1 "
            "ORDER BY start DESC LIMIT 1), length(text)) FROM documents WHERE id = ?1",
            (document_id,),
        )
        found = rows.fetchone()
        return None if found is None else int(found[0])

    def pieces(self, document_id: DocumentId, start: int, end: int) -> list[ChunkOutline]:
        """Return the chunks that touch a range of a document's text, in order, without text."""
        rows = self._database.read().execute(
            "SELECT ordinal, kind, section, locator FROM chunks "
            "WHERE document_id = ? AND start < ? AND stop > ? ORDER BY ordinal",
            (document_id, end, start),
        )
        return [_piece(*row) for row in rows]

    def chunks(self, document_id: DocumentId, most: int = -1) -> list[ChunkOutline]:
        """Return a document's chunks in order, with what they hold: all, or the first so many."""
        rows = self._database.read().execute(
            "SELECT ordinal, kind, section, locator, context, text, id FROM chunks "
            "WHERE document_id = ? ORDER BY ordinal LIMIT ?",
            (document_id, most),
        )
        return [
            replace(_piece(*place), context=context, text=text, chunk_id=chunk_id)
            for *place, context, text, chunk_id in rows
        ]

    def headings(self, document_id: DocumentId, start: int, end: int) -> frozenset[str]:
        """Return the title and the names of the sections that a range of a document lies in."""
        rows = self._database.read().execute(
            "SELECT DISTINCT section FROM chunks WHERE document_id = ? AND start < ? AND stop > ? "
            "UNION SELECT title FROM documents WHERE id = ?",
            (document_id, end, start, document_id),
        )
        names = {name for (section,) in rows for name in section.split(" > ")}
        return frozenset(names - {""})

    def page(self, document_id: DocumentId, page: int) -> list[str]:
        """Return the texts of the chunks on a page, in order."""
        chunks = self.chunks(document_id)
        return [each.text for each in chunks if each.locator.value == page]

    def held(self, path: str) -> list[CatalogFile]:
        """Return what each knowledge base that knows a path has of it."""
        rows = self._database.read().execute(
            "SELECT kb, document_id, coalesce(documents.title, ''), size, mtime_ns, "  # noqa: S608
            f"files.content_hash, NOT {IS_OWN} "
            "FROM files LEFT JOIN documents ON documents.id = document_id WHERE path = ?",
            (stored_path(path),),
        )
        return [replace(_held(*row), is_imported=bool(said)) for *row, said in rows]


def _piece(ordinal: int, kind: str, section: str, locator: str) -> ChunkOutline:
    """Return the row of a chunk."""
    return ChunkOutline(ordinal, enum_value(BlockKind, kind), section, locators.unpack(locator))


def _held(kb: int, document_id: int | None, title: str, *stamp: int | str | None) -> CatalogFile:
    size, mtime_ns, made = stamp
    known = None if size is None else FileStamp(int(size), int(mtime_ns or 0), str(made or ""))
    document = None if document_id is None else DocumentId(document_id)
    return CatalogFile(KbId(kb), document, title, known)
