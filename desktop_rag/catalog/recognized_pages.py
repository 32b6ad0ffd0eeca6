"""Pages without text that can be read, and what text recognition found on them.

Both belong to a content, known by its hash; when no file has it any more, triggers delete them.
What was found is packed by who found it, and looked for by the hash of the page's picture, too: the
same page may stand in another content.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass

from desktop_rag.catalog.database import Database
from desktop_rag.catalog.provenance import RECOGNIZED
from desktop_rag.core.types import FileStatus, KbId
from desktop_rag.core.unicode import shown_path

NEEDS_RECOGNITION = "coalesce(documents.recipe, '') NOT LIKE '%' || ? || '%'"
"""The condition, in SQL, that a file's document has none of its pages recognised."""

WAITING_FILES = (
    "FROM unread_pages JOIN files ON files.content_hash = unread_pages.content_hash "
    "LEFT JOIN documents ON documents.id = files.document_id "
    f"WHERE files.kb = ? AND files.status IN (?, ?) AND NOT is_tried AND {NEEDS_RECOGNITION}"
)
"""The files, in SQL, of a knowledge base whose unread pages were not all tried."""

WAITING_VALUES = (FileStatus.READY.value, FileStatus.NEEDS_OCR.value, RECOGNIZED)
"""What is asked with it, after the knowledge base."""

_RETRIED = ":retried"
_IS_HELD = "EXISTS (SELECT 1 FROM files WHERE content_hash = ?1)"


@dataclass(frozen=True, slots=True)
class UnreadPages:
    """A file's pages that are to be recognised, from 1."""

    path: str
    content_hash: str
    pages: tuple[int, ...]


class RecognizedPages:
    """The catalog's unread and recognised pages."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def note_unread(self, content_hash: str, pages: Sequence[int]) -> None:
        """Note which pages of a content are unread; those that failed before are tried again."""
        with self._database.write() as tx:
            tx.execute(
                "INSERT INTO unread_pages (content_hash, pages) "
                f"SELECT ?1, ?2 WHERE {_IS_HELD} "
                "ON CONFLICT (content_hash) DO UPDATE SET pages = excluded.pages, is_tried = 0",
                (content_hash, json.dumps(list(pages))),
            )
            tx.execute(
                "DELETE FROM recognized_pages WHERE content_hash = ? AND found IS NULL",
                (content_hash,),
            )

    def waiting(self, kb: KbId) -> list[UnreadPages]:
        """Return the files whose unread pages were not all tried, by path."""
        rows = self._database.read().execute(
            "SELECT files.path, files.content_hash, unread_pages.pages "
            f"{WAITING_FILES} ORDER BY files.path",
            (kb, *WAITING_VALUES),
        )
        return [
            UnreadPages(shown_path(path), content, tuple(json.loads(pages)))
            for path, content, pages in rows
        ]

    def note_tried(self, content_hash: str) -> None:
        """Note that every unread page of a content was tried: it waits no more."""
        with self._database.write() as tx:
            tx.execute(
                "UPDATE unread_pages SET is_tried = 1 WHERE content_hash = ?", (content_hash,)
            )

    def retry(self, kb: KbId) -> None:
        """Have the files of a knowledge base with pages that failed read again, those pages anew.

        What was read of them counts as out of date until then.
        """
        failed = (
            "SELECT content_hash FROM recognized_pages WHERE found IS NULL "
            "AND content_hash IN (SELECT content_hash FROM files WHERE kb = ?1)"
        )
        with self._database.write() as tx:
            tx.execute(
                f"UPDATE documents SET recipe = recipe || '{_RETRIED}' "  # noqa: S608 - ours
                f"WHERE recipe LIKE '%{RECOGNIZED}' AND content_hash IN ({failed})",
                (kb,),
            )
            tx.execute(
                f"DELETE FROM recognized_pages WHERE found IS NULL AND content_hash IN ({failed})",  # noqa: S608
                (kb,),
            )

    def of(self, content_hash: str) -> dict[int, bytes | None]:
        """Return what was found on a content's pages, by their numbers; None where it failed."""
        rows = self._database.read().execute(
            "SELECT page, found FROM recognized_pages WHERE content_hash = ?", (content_hash,)
        )
        return dict(rows)

    def of_picture(self, picture: str) -> bytes | None:
        """Return what was found on a page with this picture."""
        rows = self._database.read().execute(
            "SELECT found FROM recognized_pages WHERE picture = ? AND found IS NOT NULL LIMIT 1",
            (picture,),
        )
        row = rows.fetchone()
        return None if row is None else bytes(row[0])

    def put(self, content_hash: str, page: int, picture: str, found: bytes | None) -> None:
        """Keep what was found on a page, None where it failed, if some file has the content."""
        with self._database.write() as tx:
            tx.execute(
                "INSERT OR REPLACE INTO recognized_pages (content_hash, page, picture, found) "
                f"SELECT ?1, ?2, ?3, ?4 WHERE {_IS_HELD}",
                (content_hash, page, picture, found),
            )
