"""What documents and their sections are called, for whoever looks for their names in texts."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from desktop_rag.catalog.column_values import require_advance
from desktop_rag.catalog.database import Database
from desktop_rag.core.types import ChunkId, DocumentId
from desktop_rag.core.unicode import shown_path

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
