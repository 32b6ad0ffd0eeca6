"""Stores a long document piece by piece: cut, embedded and stored before the next piece is read.

Until the last piece is stored nobody finds the document, so that its file is stored wholly or not
at all.
"""

from __future__ import annotations

from collections.abc import Generator, Iterator
from pathlib import Path

from desktop_rag.catalog.records import NewChunk, NewDocument
from desktop_rag.core.cancel import CancelToken
from desktop_rag.core.disk_space import require_disk_space
from desktop_rag.core.events import FileDone
from desktop_rag.core.types import DocumentId
from desktop_rag.indexing import chunker
from desktop_rag.indexing.index_writer import HalfVector, IndexWriter
from desktop_rag.indexing.parse_stage import ParseContext, PreparedLong, Unusable
from desktop_rag.parsing import file_problems

_CHUNKS = 256  # that are embedded and stored together
_CHARACTERS = 500_000  # of text that are stored together at most, about

Storing = Generator[int, None, FileDone | Unusable | None]


class LongDocumentWriter:
    """One file with a long document on its way into the catalog."""

    def __init__(self, long: PreparedLong, tools: ParseContext, shelf: IndexWriter) -> None:
        self._long = long
        self._tools = tools
        self._shelf = shelf
        self._text: list[str] = []
        self._chunks: list[NewChunk] = []
        self._stored = 0

    def store(self, token: CancelToken) -> Storing:
        """Yield how many chunks are done, now and then; return what became of the file.

        That is None if it was taken out meanwhile. What is left of it when this ends early is
        deleted.
        """
        document_id = self._shelf.begin()
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
                return Unusable(self._long.read, problem.status, str(problem))
            return self._shelf.finish(document_id, self._long.read, self._head(), self._stored)
        except _TakenOutError:
            return None
        finally:
            self._shelf.discard(document_id)

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
        for done in self._shelf.embed_chunks(chunks, vectors, token):
            yield self._stored + done
        token.check()
        if not self._shelf.append(self._long.read, document_id, (text, chunks), vectors):
            raise _TakenOutError
        self._stored += len(chunks)

    def _head(self) -> NewDocument:
        head, stamp = self._long.document.head, self._long.read.stamp
        return NewDocument(
            content_hash=stamp.content_hash if stamp else "",
            recipe=self._tools.recipe,
            title=head.title,
            text="",
            pages=head.pages,
            notes=head.notes,
            chunks=(),
        )


class _TakenOutError(Exception):
    """The file was taken out of the knowledge base while it was read."""
