"""The outbox: what the indexes must still be told, written with the change itself."""

from __future__ import annotations

from desktop_rag.catalog.database import Database
from desktop_rag.core.catalog_records import OutboxEntry
from desktop_rag.core.types import ChunkId, KbId


class Outbox:
    """The catalog's list of chunks that came to or left a knowledge base."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def pending(self, kb: KbId, limit: int = 4000) -> list[OutboxEntry]:
        """Return the oldest entries, in order, of which the last about a chunk counts."""
        rows = self._database.read().execute(
            "SELECT seq, chunk_id, action = 'add' FROM outbox WHERE kb = ? ORDER BY seq LIMIT ?",
            (kb, limit),
        )
        return [OutboxEntry(seq, ChunkId(chunk_id), bool(add)) for seq, chunk_id, add in rows]

    def count(self, kb: KbId) -> int:
        """Return how many entries wait."""
        row = self._database.read().execute("SELECT count(*) FROM outbox WHERE kb = ?", (kb,))
        return int(row.fetchone()[0])

    def last(self, kb: KbId) -> int:
        """Return the newest entry's number, 0 when there is none."""
        row = self._database.read().execute("SELECT max(seq) FROM outbox WHERE kb = ?", (kb,))
        return int(row.fetchone()[0] or 0)

    def done(self, kb: KbId, upto: int) -> None:
        """Forget the entries up to and with number `upto`: the indexes have them."""
        with self._database.write() as tx:
            tx.execute("DELETE FROM outbox WHERE kb = ? AND seq <= ?", (kb, upto))
