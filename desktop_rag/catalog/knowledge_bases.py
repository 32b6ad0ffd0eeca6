"""Knowledge bases and the folders and files that each follows."""

from __future__ import annotations

import json
import sqlite3
import time
from collections.abc import Iterable

from desktop_rag.catalog.chats import rename_kb_in_scopes
from desktop_rag.catalog.column_values import json_value, text_list
from desktop_rag.catalog.database import Database
from desktop_rag.catalog.evaluation_questions import rename_kb_in_questions
from desktop_rag.catalog.evaluation_runs import drop_task_runs
from desktop_rag.catalog.garbage_collection import collect_garbage, release_documents
from desktop_rag.catalog.notes import rename_kb_in_notes
from desktop_rag.catalog.provenance import IS_OWN, OPENED
from desktop_rag.core.catalog_records import FollowedPath, KnowledgeBase
from desktop_rag.core.errors import UserError
from desktop_rag.core.phrases import KbName, Phrase
from desktop_rag.core.types import KbId
from desktop_rag.core.unicode import shown_path, stored_path

_LONGEST_NAME = 100
_SELECT = """
    SELECT id, name, created,
        (SELECT coalesce(sum(chunk_count), 0)
            FROM documents INDEXED BY documents_details WHERE id IN
            (SELECT document_id FROM files WHERE files.kb = knowledge_bases.id)),
        (SELECT count(*) FROM files WHERE files.kb = knowledge_bases.id), recognizes_text,
        opens_archives, id IN (SELECT kb FROM served_knowledge_bases)
    FROM knowledge_bases
"""


class KnowledgeBases:
    """The catalog's knowledge bases and sources."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def all(self) -> list[KnowledgeBase]:
        """Return every knowledge base by name."""
        rows = self._database.read().execute(f"{_SELECT} ORDER BY name")
        return [_knowledge_base(row) for row in rows]

    def names(self) -> dict[str, KbId]:
        """Return every knowledge base's id by name, without counting what is in it."""
        rows = self._database.read().execute("SELECT name, id FROM knowledge_bases ORDER BY name")
        return {name: KbId(kb) for name, kb in rows}

    def get(self, name: str) -> KnowledgeBase:
        """Return one by its name; a UserError when there is none."""
        found = self._find(name)
        if found is None:
            raise UserError(
                Phrase("There is no knowledge base named “{0}”.", KbName(name)),
                "Choose one that `kb list` shows, or begin it with `index`.",
            )
        return found

    def ensure(self, name: str) -> KnowledgeBase:
        """Return one by its name, made now if there is none."""
        return self._find(name) or self.create(name)

    def create(self, name: str) -> KnowledgeBase:
        """Make an empty one; a UserError when the name is taken or cannot be one."""
        name = self.free_name(name)
        with self._database.write() as tx:
            insert_knowledge_base(tx, name)
        return self.get(name)

    def free_name(self, name: str) -> str:
        """Return a name as it is kept; a UserError when it is taken or cannot be one."""
        name = name.strip()
        if not name or len(name) > _LONGEST_NAME or not name.isprintable():
            raise UserError(
                "A knowledge base needs a name of one line, of at most 100 characters.",
                "Choose another name.",
            )
        if self._find(name) is not None:
            raise UserError(
                Phrase("There is already a knowledge base named “{0}”.", KbName(name)),
                "Choose another.",
            )
        return name

    def rename(self, name: str, new: str) -> str:
        """Give one another name, also where it is asked; return the name as kept."""
        kb = self.get(name).id
        new = new.strip() if new.strip() == name else self.free_name(new)
        with self._database.write() as tx:
            tx.execute("UPDATE knowledge_bases SET name = ? WHERE id = ?", (new, kb))
            for chat, kept in tx.execute("SELECT id, kbs FROM chats").fetchall():
                names = json_value(kept)
                if name in names:
                    renamed = json.dumps([new if each == name else each for each in names])
                    tx.execute("UPDATE chats SET kbs = ? WHERE id = ?", (renamed, chat))
            rename_kb_in_questions(tx, name, new)
            rename_kb_in_notes(tx, name, new)
            rename_kb_in_scopes(tx, name, new)
        return new

    def delete(self, name: str) -> None:
        """Delete one with every trace of its text; its indexes are `IndexManager.drop`'s work."""
        found = self.get(name)
        with self._database.write() as tx:
            held = tx.execute("SELECT document_id FROM files WHERE kb = ?", (found.id,)).fetchall()
            tx.execute("DELETE FROM knowledge_bases WHERE id = ?", (found.id,))
            drop_task_runs(tx, found.id)
            collect_garbage(tx, {row[0] for row in held if row[0] is not None})
        self._database.forget()

    def set_recognition(self, name: str, *, recognizes: bool | None) -> None:
        """Have the text of its scans recognised, or not; None: as the settings say."""
        kb = self.get(name).id
        with self._database.write() as tx:
            tx.execute(
                "UPDATE knowledge_bases SET recognizes_text = ? WHERE id = ?", (recognizes, kb)
            )

    def recognizes_text(self, kb: KbId, *, default: bool) -> bool:
        """Say whether the text of its scans is recognised; `default` is what the settings say."""
        rows = self._database.read().execute(
            "SELECT recognizes_text FROM knowledge_bases WHERE id = ?", (kb,)
        )
        row = rows.fetchone()
        return default if row is None or row[0] is None else bool(row[0])

    def set_archives(self, name: str, *, opens: bool, waiting: Iterable[str] = ()) -> None:
        """Have its archives looked into, or not; then the texts of those that were go.

        They wait to be read again, and so do those of `waiting` that have no document.
        """
        kb, now = self.get(name).id, time.time()
        with self._database.write() as tx:
            tx.execute("UPDATE knowledge_bases SET opens_archives = ? WHERE id = ?", (opens, kb))
            tx.execute(
                "UPDATE files SET status = 'queued', changed_at = ? WHERE kb = ? "
                "AND document_id IS NULL AND path IN (SELECT value FROM json_each(?))",
                (now, kb, json.dumps([stored_path(path) for path in waiting])),
            )
            if not opens:
                _take_out_archives(tx, kb, now)
        self._database.forget()

    def opens_archives(self, kb: KbId) -> bool:
        """Say whether archives are looked into."""
        rows = self._database.read().execute(
            "SELECT opens_archives FROM knowledge_bases WHERE id = ?", (kb,)
        )
        return bool((rows.fetchone() or (0,))[0])

    def set_served(self, name: str, *, is_served: bool) -> None:
        """Let other programs ask it, or not; no copy of the catalog may bring a consent again."""
        kb = self.get(name).id
        with self._database.write() as tx:
            if is_served:
                tx.execute(
                    "INSERT INTO served_knowledge_bases (kb, given) VALUES (?, ?) "
                    "ON CONFLICT DO NOTHING",
                    (kb, time.time()),
                )
            else:
                tx.execute("DELETE FROM served_knowledge_bases WHERE kb = ?", (kb,))
        if not is_served:
            self._database.forget()

    def is_served(self, kb: KbId) -> bool:
        """Say whether other programs may ask it."""
        rows = self._database.read().execute(
            "SELECT 1 FROM served_knowledge_bases WHERE kb = ?", (kb,)
        )
        return rows.fetchone() is not None

    def sources(self, kb: KbId) -> list[FollowedPath]:
        """Return what a knowledge base follows, by path."""
        rows = self._database.read().execute(
            "SELECT id, kb, path, is_folder, exclude FROM sources WHERE kb = ? ORDER BY path", (kb,)
        )
        return [_source(row) for row in rows]

    def add_source(
        self, kb: KbId, path: str, *, is_folder: bool, exclude: tuple[str, ...] = ()
    ) -> FollowedPath:
        """Follow a folder or file, or change what an already followed one excludes."""
        with self._database.write() as tx:
            return upsert_source(tx, kb, path, is_folder=is_folder, exclude=exclude)

    def add_sources(self, kb: KbId, sources: Iterable[FollowedPath]) -> None:
        """Follow many at once, each with its exceptions beside those that it has here already."""
        with self._database.write() as tx:
            before = {each.path: each.exclude for each in self.sources(kb)}
            for each in sources:
                globs = tuple(dict.fromkeys((*before.get(each.path, ()), *each.exclude)))
                upsert_source(tx, kb, each.path, is_folder=each.is_folder, exclude=globs)

    def remove_source(self, kb: KbId, path: str) -> bool:
        """Follow a path no longer; say whether it was followed. Its files stay."""
        with self._database.write() as tx:
            gone = tx.execute(
                "DELETE FROM sources WHERE kb = ? AND path = ?", (kb, stored_path(path))
            )
            return gone.rowcount > 0

    def _find(self, name: str) -> KnowledgeBase | None:
        row = self._database.read().execute(f"{_SELECT} WHERE name = ?", (name,)).fetchone()
        return None if row is None else _knowledge_base(row)


def _take_out_archives(tx: sqlite3.Connection, kb: KbId, now: float) -> None:
    """Take the texts of the archives out that were looked into; they wait as if they were new.

    What others read, and an import or a shared knowledge base brought, stays.
    """
    held = tx.execute(
        "SELECT files.id, document_id FROM files JOIN documents ON documents.id = document_id "  # noqa: S608
        f"WHERE kb = ? AND instr(recipe, ?) AND {IS_OWN}",
        (kb, OPENED),
    ).fetchall()
    tx.executemany(
        "UPDATE files SET status = 'queued', reason = '', document_id = NULL, size = NULL, "
        "mtime_ns = NULL, content_hash = NULL, changed_at = ? WHERE id = ?",
        [(now, file_id) for file_id, _ in held],
    )
    release_documents(tx, kb, [document_id for _, document_id in held])


def insert_knowledge_base(tx: sqlite3.Connection, name: str) -> KbId:
    """Insert a knowledge base of a free name."""
    made = tx.execute(
        "INSERT INTO knowledge_bases (name, created) VALUES (?, ?) RETURNING id",
        (name, time.time()),
    )
    return KbId(made.fetchone()[0])


def upsert_source(
    tx: sqlite3.Connection, kb: KbId, path: str, *, is_folder: bool, exclude: tuple[str, ...]
) -> FollowedPath:
    """Insert a source, or change what it excludes."""
    row = tx.execute(
        "INSERT INTO sources (kb, path, is_folder, exclude) VALUES (?, ?, ?, ?) "
        "ON CONFLICT (kb, path) DO UPDATE "
        "SET is_folder = excluded.is_folder, exclude = excluded.exclude "
        "RETURNING id, kb, path, is_folder, exclude",
        (kb, stored_path(path), is_folder, json.dumps(exclude)),
    ).fetchone()
    return _source(row)


def _knowledge_base(row: tuple[int, str, float, int, int, int | None, int, int]) -> KnowledgeBase:
    kb, name, created, chunks, files, recognizes, opens, served = row
    switch = None if recognizes is None else bool(recognizes)
    return KnowledgeBase(KbId(kb), name, created, chunks, files, switch, bool(opens), bool(served))


def _source(row: sqlite3.Row | tuple[int, int, str, int, str]) -> FollowedPath:
    return FollowedPath(row[0], KbId(row[1]), shown_path(row[2]), bool(row[3]), text_list(row[4]))
