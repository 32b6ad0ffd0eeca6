"""Which knowledge bases are shared on a Chroma server, and which of their files came from there."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import astuple, dataclass

from desktop_rag.catalog.column_values import text_list
from desktop_rag.catalog.database import Database
from desktop_rag.catalog.document_metadata import COLUMNS, metadata_of
from desktop_rag.catalog.provenance import MARK, original
from desktop_rag.core.catalog_records import FileStamp, NewDocument, Share
from desktop_rag.core.phrases import load
from desktop_rag.core.types import DocumentId, KbId

_CAME = (
    f"(instr(recipe, '{MARK}') > 0 AND EXISTS (SELECT 1 FROM shared_files "  # noqa: S608
    "WHERE shared_files.kb = files.kb AND shared_files.path = files.path))"
)
_FILES = (
    "SELECT path, size, mtime_ns, files.content_hash, seconds, document_id, "
    "documents.content_hash, recipe FROM files JOIN documents ON documents.id = document_id "
    "WHERE kb = ? AND "
)


@dataclass(frozen=True, slots=True)
class SharedContent:
    """A file with its document, by its stored path, and what that was made of.

    One that waits to be read again has its document until then.
    """

    path: str
    stamp: FileStamp
    seconds: float
    document: DocumentId
    content_hash: str
    recipe: str


@dataclass(frozen=True, slots=True)
class Authorship:
    """How a shared file's path is written on the server, by whom, and when, in Unix seconds."""

    shared_path: str
    author: str
    written: float


class Shares:
    """The catalog's shared knowledge bases; they go with their knowledge base."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def all(self) -> list[Share]:
        """Return every shared knowledge base."""
        rows = self._database.read().execute(
            "SELECT kb, server, shared_name, writer, synced, away FROM shares ORDER BY kb"
        )
        return [Share(KbId(kb), *rest) for kb, *rest in rows]

    def get(self, kb: KbId) -> Share | None:
        """Return how a knowledge base is shared, None where it is not."""
        return next((each for each in self.all() if each.kb == kb), None)

    def put(self, share: Share) -> None:
        """Share a knowledge base, or note how far it is."""
        with self._database.write() as tx:
            tx.execute(
                "INSERT INTO shares (kb, server, shared_name, writer, synced, away) "
                "VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT (kb) DO UPDATE SET "
                "server = excluded.server, shared_name = excluded.shared_name, "
                "writer = excluded.writer, synced = excluded.synced, away = excluded.away",
                (share.kb, share.server, share.shared_name, share.writer, share.synced, share.away),
            )

    def remove(self, kb: KbId) -> None:
        """Share a knowledge base no more; what came stays in it."""
        with self._database.write() as tx:
            tx.execute("DELETE FROM shares WHERE kb = ?", (kb,))

    def own_files(self, kb: KbId) -> list[SharedContent]:
        """Return the files of a knowledge base that did not come from the server, by path."""
        return self._contents(kb, f"NOT {_CAME} ORDER BY path")

    def files_that_came(self, kb: KbId) -> list[SharedContent]:
        """Return the files that came from the server, by path."""
        return self._contents(kb, f"{_CAME} ORDER BY path")

    def authors(self, kb: KbId) -> dict[str, Authorship]:
        """Return who wrote the files that came from the server, by stored path."""
        rows = self._database.read().execute(
            "SELECT path, shared_path, author, written FROM shared_files WHERE kb = ?", (kb,)
        )
        return {path: Authorship(*rest) for path, *rest in rows}

    def note_authors(self, kb: KbId, authors: Mapping[str, Authorship]) -> None:
        """Note that files came from the server, by stored path."""
        with self._database.write() as tx:
            tx.executemany(
                "INSERT OR REPLACE INTO shared_files (kb, path, shared_path, author, written) "
                "VALUES (?, ?, ?, ?, ?)",
                [(kb, path, *astuple(each)) for path, each in authors.items()],
            )

    def forget_authors(self, kb: KbId, paths: Iterable[str]) -> None:
        """Note that files, by stored path, are there no more."""
        with self._database.write() as tx:
            tx.executemany(
                "DELETE FROM shared_files WHERE kb = ? AND path = ?",
                [(kb, path) for path in paths],
            )

    def head(self, document_id: DocumentId) -> NewDocument | None:
        """Return a document as it was read, without its chunks; None where it is gone."""
        row = self._database.read().execute(
            f"SELECT content_hash, recipe, title, pages, notes, {COLUMNS} FROM documents "  # noqa: S608
            "LEFT JOIN document_metadata ON document_id = id WHERE id = ?",
            (document_id,),
        )
        if (found := row.fetchone()) is None:
            return None
        content_hash, recipe, title, pages, notes, *said = found
        told, metadata = tuple(map(load, text_list(notes))), metadata_of(said)
        return NewDocument(content_hash, original(recipe), title, "", pages, told, (), metadata)

    def document_of_content(self, content_hash: str, recipe: str) -> DocumentId | None:
        """Return the document of this content and recipe, if the catalog has it."""
        row = self._database.read().execute(
            "SELECT id FROM documents WHERE content_hash = ? AND recipe = ?", (content_hash, recipe)
        )
        found = row.fetchone()
        return None if found is None else DocumentId(found[0])

    def _contents(self, kb: KbId, condition: str) -> list[SharedContent]:
        rows = self._database.read().execute(_FILES + condition, (kb,))
        return [
            SharedContent(
                path,
                FileStamp(size or 0, mtime_ns or 0, stamp_hash or ""),
                seconds,
                DocumentId(document_id),
                content_hash,
                original(recipe),
            )
            for path, size, mtime_ns, stamp_hash, seconds, document_id, content_hash, recipe in rows
        ]
