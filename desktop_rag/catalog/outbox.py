"""The outbox: what the indexes must still be told, written with the change itself.

Each index reads it at its own pace, as a reader; an entry is forgotten when every reader of its
knowledge base has it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from enum import StrEnum

from desktop_rag.catalog.column_values import enum_value
from desktop_rag.catalog.database import Database
from desktop_rag.core.catalog_records import OutboxAction, OutboxEntry
from desktop_rag.core.types import ChunkId, KbId

_POSITION = "coalesce((SELECT seq FROM outbox_readers WHERE kb = ?1 AND reader = ?2), 0)"


class Reader(StrEnum):
    """Who reads the outbox: the word index, always; Chroma and the vector file where they are."""

    WORDS = "words"
    VECTORS = "vectors"
    VECTOR_FILE = "vector_file"


class Outbox:
    """The catalog's list of chunks that came to or left a knowledge base."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def pending(self, kb: KbId, reader: Reader, limit: int = 4000) -> list[OutboxEntry]:
        """Return a reader's oldest entries, in order, of which the last about a chunk counts."""
        rows = self._database.read().execute(
            "SELECT seq, chunk_id, action FROM outbox "  # noqa: S608
            f"WHERE kb = ?1 AND seq > {_POSITION} ORDER BY seq LIMIT ?3",
            (kb, reader.value, limit),
        )
        return [
            OutboxEntry(seq, ChunkId(chunk_id), enum_value(OutboxAction, action))
            for seq, chunk_id, action in rows
        ]

    def count(self, kb: KbId, reader: Reader) -> int:
        """Return how many entries wait for a reader."""
        row = self._database.read().execute(
            f"SELECT count(*) FROM outbox WHERE kb = ?1 AND seq > {_POSITION}",  # noqa: S608
            (kb, reader.value),
        )
        return int(row.fetchone()[0])

    def last(self, kb: KbId) -> int:
        """Return the newest entry's number, 0 when there is none."""
        row = self._database.read().execute("SELECT max(seq) FROM outbox WHERE kb = ?", (kb,))
        return int(row.fetchone()[0] or 0)

    def done(self, kb: KbId, reader: Reader, upto: int) -> None:
        """Note that a reader has the entries up to and with number `upto`."""
        with self._database.write() as tx:
            tx.execute(
                "INSERT INTO outbox_readers SELECT ?1, ?2, ?3 "
                "WHERE EXISTS (SELECT 1 FROM knowledge_bases WHERE id = ?1) "
                "ON CONFLICT (kb, reader) DO UPDATE SET seq = max(seq, excluded.seq)",
                (kb, reader.value, upto),
            )
            tx.execute(
                "DELETE FROM outbox WHERE kb = ?1 "
                "AND seq <= (SELECT min(seq) FROM outbox_readers WHERE kb = ?1)",
                (kb,),
            )

    def follow(self, kb: KbId, reader: Reader) -> int:
        """Keep from now on for a reader, too, what comes; return after which entry that is.

        What was there before it need not know.
        """
        with self._database.write() as tx:
            tx.execute(
                "INSERT OR IGNORE INTO outbox_readers SELECT ?1, 'words', 0 "
                "WHERE EXISTS (SELECT 1 FROM knowledge_bases WHERE id = ?1)",
                (kb,),
            )
            tx.execute(
                "INSERT OR REPLACE INTO outbox_readers SELECT ?1, ?2, max("
                "coalesce((SELECT max(seq) FROM outbox WHERE kb = ?1), 0), "
                "(SELECT max(seq) FROM outbox_readers WHERE kb = ?1)) "
                "WHERE EXISTS (SELECT 1 FROM knowledge_bases WHERE id = ?1)",
                (kb, reader.value),
            )
        return self.position(kb, reader) or 0

    def unfollow(self, kb: KbId, reader: Reader) -> None:
        """Keep nothing for a reader any more: it is made anew."""
        with self._database.write() as tx:
            tx.execute("DELETE FROM outbox_readers WHERE kb = ? AND reader = ?", (kb, reader.value))
            tx.execute(
                "DELETE FROM outbox WHERE kb = ?1 "
                "AND seq <= (SELECT min(seq) FROM outbox_readers WHERE kb = ?1)",
                (kb,),
            )

    def position(self, kb: KbId, reader: Reader) -> int | None:
        """Return up to which entry a reader was told; None where nothing is kept for it."""
        row = self._database.read().execute(
            "SELECT seq FROM outbox_readers WHERE kb = ? AND reader = ?", (kb, reader.value)
        )
        found = row.fetchone()
        return None if found is None else int(found[0])


def net_changes(
    entries: Iterable[OutboxEntry],
) -> tuple[list[ChunkId], list[ChunkId], list[ChunkId]]:
    """Return which chunks came, which went, and whose place is to be written again."""
    actions: dict[ChunkId, list[OutboxAction]] = {}
    for each in entries:
        actions.setdefault(each.chunk_id, []).append(each.action)
    gone = [chunk for chunk, told in actions.items() if _is_gone(told)]
    kept = {chunk: told for chunk, told in actions.items() if not _is_gone(told)}
    added = [chunk for chunk, told in kept.items() if OutboxAction.ADD in told]
    moved = [chunk for chunk, told in kept.items() if told != [OutboxAction.ADD]]
    return added, gone, moved


def _is_gone(told: Sequence[OutboxAction]) -> bool:
    came_or_went = [each for each in told if each is not OutboxAction.UPDATE]
    return bool(came_or_went) and came_or_went[-1] is OutboxAction.DELETE
