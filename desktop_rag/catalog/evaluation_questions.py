"""Questions of the user's own, to measure by, in named sets.

A question keeps what the user wrote and where its answer stands; of the documents it keeps no text.
"""

from __future__ import annotations

import json
import sqlite3
import time
from collections.abc import Iterable, Sequence

from desktop_rag.catalog.column_values import json_value, text_list
from desktop_rag.catalog.database import Database
from desktop_rag.catalog.provenance import IS_OWN
from desktop_rag.core.errors import UserError
from desktop_rag.core.evaluation_records import (
    GoldPassage,
    QuestionSet,
    SavedQuestion,
    valid_set_name,
)
from desktop_rag.core.phrases import Phrase
from desktop_rag.core.types import DocumentId, KbId
from desktop_rag.core.unicode import shown_path, stored_path, valid_text

_SETS = """
    SELECT id, name, created, (SELECT count(*) FROM saved_questions WHERE set_id = question_sets.id)
    FROM question_sets
"""
_QUESTIONS = "SELECT id, question, answers, kbs, created FROM saved_questions"
_RESTING = f"""
    SELECT DISTINCT question_id FROM gold_passages
    WHERE content_hash IN (
        SELECT content_hash FROM documents WHERE id IN (SELECT value FROM json_each(:documents))
        EXCEPT SELECT content_hash FROM documents
        WHERE id NOT IN (SELECT value FROM json_each(:documents)) AND {IS_OWN}
    ) OR (
        path IN (SELECT value FROM json_each(:paths))
        AND content_hash NOT IN (SELECT content_hash FROM documents)
    )
"""  # noqa: S608


class EvaluationQuestions:
    """The catalog's question sets."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def sets(self) -> list[QuestionSet]:
        """Return every set by name."""
        rows = self._database.read().execute(f"{_SETS} ORDER BY name")
        return [QuestionSet(*row) for row in rows]

    def get(self, name: str) -> QuestionSet:
        """Return a set by its name; a UserError when there is none."""
        found = self._find(name)
        if found is None:
            raise UserError(
                Phrase("There is no question set named “{0}”.", name),
                "Choose one that `eval sets` shows, or save a question first.",
            )
        return found

    def ensure(self, name: str) -> QuestionSet:
        """Return a set by its name, made now if there is none."""
        name = valid_set_name(name)
        with self._database.write() as tx:
            tx.execute(
                "INSERT OR IGNORE INTO question_sets (name, created) VALUES (?, ?)",
                (name, time.time()),
            )
        return self.get(name)

    def delete(self, name: str) -> None:
        """Delete a set with its questions and the runs over it."""
        found = self.get(name)
        with self._database.write() as tx:
            tx.execute("DELETE FROM measured_runs WHERE source = ?", (set_source(found),))
            tx.execute("DELETE FROM question_sets WHERE id = ?", (found.id,))
        self._database.forget()

    def all(self, name: str) -> list[SavedQuestion]:
        """Return a set's questions in the order in which they came."""
        read = self._database.read()
        rows = read.execute(f"{_QUESTIONS} WHERE set_id = ? ORDER BY id", (self.get(name).id,))
        return [_question(row, _passages(read, row[0])) for row in rows.fetchall()]

    def save(self, name: str, questions: Iterable[SavedQuestion]) -> list[int]:
        """Add questions to a set, or change those that have a number; return their numbers.

        One that was deleted meanwhile comes back under a new number.
        """
        found = self.ensure(name)
        with self._database.write() as tx:
            return [_put(tx, found.id, each) for each in questions]

    def drop(self, ids: Iterable[int]) -> None:
        """Delete questions."""
        with self._database.write() as tx:
            _drop(tx, ids)
        self._database.forget()

    def resting_on(self, paths: Iterable[str], documents: Iterable[int]) -> list[int]:
        """Return the questions that are answered by these documents."""
        read = self._database.read()
        return [int(row[0]) for row in read.execute(_RESTING, _named(paths, documents))]

    def forget(self, paths: Iterable[str], documents: Iterable[int]) -> int:
        """Delete the questions that documents answered which are taken out; say how many.

        Their answers say what stood there, and without it they measure nothing.
        """
        gone = self.resting_on(paths, documents)
        if gone:
            self.drop(gone)
        return len(gone)

    def located(
        self, passage: GoldPassage, kbs: Sequence[KbId]
    ) -> tuple[list[DocumentId], list[DocumentId]]:
        """Return the documents with a passage's content, and those that its file has now."""
        held = "SELECT document_id FROM files WHERE kb IN (SELECT value FROM json_each(?))"
        read, bases = self._database.read(), json.dumps(list(kbs))
        same = read.execute(
            f"SELECT id FROM documents WHERE content_hash = ? AND id IN ({held})",  # noqa: S608
            (passage.content_hash, bases),
        ).fetchall()
        now = read.execute(
            f"{held} AND path = ? AND document_id IS NOT NULL", (bases, stored_path(passage.path))
        )
        return [DocumentId(each) for (each,) in same], [DocumentId(each) for (each,) in now]

    def content_of(self, document: DocumentId) -> str:
        """Return the hash by which a document's content is known, "" where it is gone."""
        read = self._database.read()
        row = read.execute("SELECT content_hash FROM documents WHERE id = ?", (document,))
        found = row.fetchone()
        return "" if found is None else str(found[0])

    def _find(self, name: str) -> QuestionSet | None:
        row = self._database.read().execute(f"{_SETS} WHERE name = ?", (name,)).fetchone()
        return None if row is None else QuestionSet(*row)


def set_source(found: QuestionSet) -> str:
    """Return the name by which runs know a set."""
    return f"set:{found.id}"


def rename_kb_in_questions(tx: sqlite3.Connection, old: str, new: str) -> None:
    """Follow a knowledge base that gets another name, in the caller's transaction."""
    for number, kept in tx.execute("SELECT id, kbs FROM saved_questions").fetchall():
        names = json_value(kept)
        if old in names:
            renamed = json.dumps([new if each == old else each for each in names])
            tx.execute("UPDATE saved_questions SET kbs = ? WHERE id = ?", (renamed, number))


def _put(tx: sqlite3.Connection, set_id: int, each: SavedQuestion) -> int:
    values = (
        set_id,
        valid_text(each.question.strip()),
        json.dumps([valid_text(answer) for answer in each.answers], ensure_ascii=False),
        json.dumps([valid_text(kb) for kb in each.kbs], ensure_ascii=False),
    )
    changed = tx.execute(
        "UPDATE saved_questions SET set_id = ?, question = ?, answers = ?, kbs = ? WHERE id = ?",
        (*values, each.id),
    )
    number = each.id
    if not changed.rowcount:
        made = tx.execute(
            "INSERT INTO saved_questions (set_id, question, answers, kbs, created) "
            "VALUES (?, ?, ?, ?, ?) RETURNING id",
            (*values, each.created or time.time()),
        )
        number = int(made.fetchone()[0])
    tx.execute("DELETE FROM gold_passages WHERE question_id = ?", (number,))
    tx.executemany(
        "INSERT INTO gold_passages VALUES (?, ?, ?, ?, ?)",
        [(number, stored_path(p.path), p.content_hash, p.start, p.stop) for p in each.passages],
    )
    return number


def _drop(tx: sqlite3.Connection, ids: Iterable[int]) -> None:
    tx.execute(
        "DELETE FROM saved_questions WHERE id IN (SELECT value FROM json_each(?))",
        (json.dumps(list(ids)),),
    )


def _passages(read: sqlite3.Connection, question: int) -> tuple[GoldPassage, ...]:
    rows = read.execute(
        "SELECT path, content_hash, start, stop FROM gold_passages WHERE question_id = ? "
        "ORDER BY rowid",
        (question,),
    )
    return tuple(GoldPassage(shown_path(path), *rest) for path, *rest in rows)


def _question(
    row: tuple[int, str, str, str, float], passages: tuple[GoldPassage, ...]
) -> SavedQuestion:
    number, question, answers, kbs, created = row
    known = text_list(answers), passages, text_list(kbs)
    return SavedQuestion(number, question, *known, created)


def _named(paths: Iterable[str], documents: Iterable[int]) -> dict[str, str]:
    return {
        "paths": json.dumps([stored_path(path) for path in paths]),
        "documents": json.dumps(list(documents)),
    }
