"""The user's notes, in their order.

A note has its own copy of all that it rests on. Nothing that becomes of a conversation becomes of
the notes taken from it; of a document that is taken out they lose the quotes where the user wants
that (`citation_redaction`).
"""

from __future__ import annotations

import json
import sqlite3
import time
from collections.abc import Iterable
from typing import Any

from desktop_rag.catalog.column_values import enum_value, text_list
from desktop_rag.catalog.database import Database
from desktop_rag.catalog.stored_answer import payload_of
from desktop_rag.core.errors import UserError
from desktop_rag.core.note_records import NewNote, Note, NoteId, NoteKind
from desktop_rag.core.phrases import Phrase
from desktop_rag.core.unicode import valid_text

_SELECT = "SELECT id, kind, title, text, kbs, created, changed FROM notes"
_IN_ORDER = "WHERE deleted IS NULL ORDER BY position, id DESC"
_NO_SENTENCE = -1


class UserNotes:
    """The catalog's notes."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def add(self, note: NewNote) -> NoteId:
        """Store a note above all others."""
        now = time.time()
        with self._database.write() as tx:
            made = tx.execute(
                "INSERT INTO notes (kind, title, text, payload, kbs, created, changed, position) "
                "SELECT ?, ?, ?, ?, ?, ?6, ?6, coalesce(min(position), 0) - 1 FROM notes "
                "RETURNING id",
                (
                    note.kind,
                    valid_text(note.title),
                    valid_text(note.text),
                    valid_text(note.payload),
                    json.dumps(note.kbs),
                    now,
                ),
            ).fetchone()
        return NoteId(made[0])

    def all(self) -> list[Note]:
        """Return every note, in the user's order."""
        rows = self._database.read().execute(f"{_SELECT} {_IN_ORDER}")
        return [_note(row) for row in rows]

    def get(self, note_id: NoteId) -> Note:
        """Return one; a UserError when it is gone."""
        rows = self._database.read().execute(
            f"{_SELECT} WHERE id = ? AND deleted IS NULL", (note_id,)
        )
        row = rows.fetchone()
        if row is None:
            raise _gone(note_id)
        return _note(row)

    def payload(self, note_id: NoteId) -> str:
        """Return what is kept beside a note's text; a UserError when it is gone."""
        rows = self._database.read().execute("SELECT payload FROM notes WHERE id = ?", (note_id,))
        row = rows.fetchone()
        if row is None:
            raise _gone(note_id)
        return str(row[0])

    def revise(self, note_id: NoteId, title: str, text: str) -> None:
        """Give a note another title and text.

        Of a text that was changed it is not known any more which sentence rests on what.
        """
        with self._database.write() as tx:
            row = tx.execute("SELECT text, payload FROM notes WHERE id = ?", (note_id,)).fetchone()
            if row is None:
                raise _gone(note_id)
            before, payload = row
            if before != valid_text(text):
                payload = _without_sentences(payload)
            tx.execute(
                "UPDATE notes SET title = ?, text = ?, payload = ?, changed = ? WHERE id = ?",
                (valid_text(title), valid_text(text), payload, time.time(), note_id),
            )

    def move(self, note_id: NoteId, place: int) -> None:
        """Put a note at a place among those that are shown, 0 being the highest."""
        with self._database.write() as tx:
            order = [row[0] for row in tx.execute(f"{_SELECT} {_IN_ORDER}")]
            if note_id not in order:
                raise _gone(note_id)
            order.remove(note_id)
            order.insert(max(0, place), note_id)
            tx.executemany("UPDATE notes SET position = ? WHERE id = ?", enumerate(order))

    def put_away(self, note_ids: Iterable[NoteId]) -> None:
        """Take notes out of sight; `bring_back` undoes it, until `bury` or `delete`."""
        now = time.time()
        with self._database.write() as tx:
            tx.executemany(
                "UPDATE notes SET deleted = ? WHERE id = ?", [(now, each) for each in note_ids]
            )

    def bring_back(self, note_ids: Iterable[NoteId]) -> None:
        """Show notes again that were put away, where they were."""
        with self._database.write() as tx:
            tx.executemany(
                "UPDATE notes SET deleted = NULL WHERE id = ?", [(each,) for each in note_ids]
            )

    def bury(self) -> int:
        """Delete whatever was put away, with every trace of its text; return how many."""
        found = self._database.read().execute("SELECT id FROM notes WHERE deleted IS NOT NULL")
        gone = [NoteId(row[0]) for row in found.fetchall()]
        if gone:
            self.delete(*gone)
        return len(gone)

    def delete(self, *note_ids: NoteId) -> None:
        """Delete notes with every trace of their text."""
        with self._database.write() as tx:
            tx.executemany("DELETE FROM notes WHERE id = ?", [(each,) for each in note_ids])
        self._database.forget()


def rename_kb_in_notes(tx: sqlite3.Connection, name: str, new: str) -> None:
    """Let notes name a knowledge base as it is called now."""
    for note, kept in tx.execute("SELECT id, kbs FROM notes").fetchall():
        names = text_list(kept)
        if name in names:
            renamed = json.dumps([new if each == name else each for each in names])
            tx.execute("UPDATE notes SET kbs = ? WHERE id = ?", (renamed, note))


def _without_sentences(payload: str) -> str:
    kept = payload_of(payload)
    cited = [each | {"sentence": _NO_SENTENCE} for each in kept.get("citations", ())]
    return json.dumps(kept | {"citations": cited, "from_model": []}, ensure_ascii=False)


def _note(row: tuple[Any, ...]) -> Note:
    number, kind, title, text, kbs, created, changed = row
    named = enum_value(NoteKind, kind)
    return Note(NoteId(number), named, title, text, text_list(kbs), created, changed)


def _gone(note_id: NoteId) -> UserError:
    return UserError(Phrase("There is no note {0}.", note_id), "Choose one that is listed.")
