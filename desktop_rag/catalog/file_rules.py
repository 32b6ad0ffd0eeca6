"""What the user decided of files: which stay out, which are read first; and single figures."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable

from desktop_rag.catalog.database import Database
from desktop_rag.core.types import KbId
from desktop_rag.core.unicode import path_range_below, shown_path, stored_path

PAUSED = "paused"
BYTES_PER_SECOND = "bytes_per_second"


class FileRules:
    """The catalog's exclusions, priorities and figures."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def excluded(self, kb: KbId) -> list[str]:
        """Return the files and folders that were taken out to stay out, by path."""
        rows = self._database.read().execute(
            "SELECT path FROM exclusions WHERE kb = ? ORDER BY path", (kb,)
        )
        return [shown_path(path) for (path,) in rows]

    def exclude(self, kb: KbId, paths: Iterable[str]) -> None:
        """Note that these stay out; taking out what is known of them is the caller's work."""
        with self._database.write() as tx:
            insert_exclusions(tx, kb, paths)

    def include(self, kb: KbId, paths: Iterable[str]) -> None:
        """Let these come in again."""
        with self._database.write() as tx:
            tx.executemany(
                "DELETE FROM exclusions WHERE kb = ? AND path = ?",
                [(kb, stored_path(path)) for path in paths],
            )

    def read_first(self, kb: KbId, paths: Iterable[str]) -> int:
        """Put waiting files, at or below these paths, before all others; say how many wait there.

        Of two such wishes the later one counts more.
        """
        count = 0
        with self._database.write() as tx:
            found = tx.execute(
                "SELECT coalesce(max(priority), 0) + 1 FROM files WHERE kb = ?", (kb,)
            )
            rank = found.fetchone()[0]
            for path in paths:
                at = stored_path(path)
                changed = tx.execute(
                    "UPDATE files SET priority = ? WHERE kb = ? AND status = 'queued' "
                    "AND (path = ? OR (path >= ? AND path < ?))",
                    (rank, kb, at, *path_range_below(path)),
                )
                count += changed.rowcount
        return count

    def wanted_first(self, kb: KbId) -> list[str]:
        """Return the waiting files that are to be read before all others, in their order."""
        rows = self._database.read().execute(
            "SELECT path FROM files WHERE kb = ? AND priority > 0 AND status = 'queued' "
            "ORDER BY priority DESC, changed_at, id",
            (kb,),
        )
        return [shown_path(path) for (path,) in rows]

    def figure(self, name: str) -> float:
        """Return a figure, 0 where none is noted."""
        row = self._database.read().execute("SELECT value FROM figures WHERE name = ?", (name,))
        found = row.fetchone()
        return 0.0 if found is None else float(found[0])

    def note(self, name: str, value: float) -> None:
        """Keep a figure."""
        with self._database.write() as tx:
            tx.execute("INSERT OR REPLACE INTO figures (name, value) VALUES (?, ?)", (name, value))

    def names(self, start: str) -> list[str]:
        """Return the names of the figures that begin so."""
        rows = self._database.read().execute(
            "SELECT name FROM figures WHERE substr(name, 1, ?) = ?", (len(start), start)
        )
        return [name for (name,) in rows]

    def drop(self, name: str) -> None:
        """Keep a figure no longer."""
        with self._database.write() as tx:
            tx.execute("DELETE FROM figures WHERE name = ?", (name,))


def insert_exclusions(tx: sqlite3.Connection, kb: KbId, paths: Iterable[str]) -> None:
    """Note, in the caller's transaction, that these stay out."""
    tx.executemany(
        "INSERT OR IGNORE INTO exclusions (kb, path) VALUES (?, ?)",
        [(kb, stored_path(path)) for path in paths],
    )
