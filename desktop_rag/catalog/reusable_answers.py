"""Questions whose kept answers can be given again, as long as nothing changed since.

The answer itself is a message of a conversation and stays there. Beside it stands a digest of what
decided it, and the revisions of the knowledge bases that it came from, which triggers raise with
every change (migration 16). An answer that is changed, redacted or deleted is given no more.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass

from desktop_rag.catalog.database import Database
from desktop_rag.core.types import KbId

_REVISIONS = (
    "SELECT id, name, revision FROM knowledge_bases "
    "WHERE id IN (SELECT value FROM json_each(?)) ORDER BY id"
)
_UNTOLD = "SELECT 1 FROM outbox WHERE kb IN (SELECT value FROM json_each(?)) LIMIT 1"
_FIND = """
    SELECT messages.text, messages.payload, messages.created
    FROM reusable_answers JOIN messages ON messages.id = message_id
    JOIN chats ON chats.id = chat_id
    WHERE key = ? AND state = ? AND chats.deleted IS NULL
    ORDER BY messages.id DESC LIMIT 1
"""


@dataclass(frozen=True, slots=True)
class ReusableAnswer:
    """An answer that can be given again: its text, what is kept beside it, when it was asked for
    (seconds since 1970).
    """

    text: str
    payload: str
    asked: float


class ReusableAnswers:
    """The catalog's answers that can be given again."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def state(self, kbs: Iterable[KbId]) -> str:
        """Return what stands for all that knowledge bases hold; it is never the same again after a
        change. "" while an index has still to be told of one: an answer may then lack it.
        """
        named = json.dumps([int(kb) for kb in kbs])
        with self._database.snapshot() as read:
            if read.execute(_UNTOLD, (named,)).fetchone() is not None:
                return ""
            return json.dumps(read.execute(_REVISIONS, (named,)).fetchall())

    def find(self, key: str, state: str) -> ReusableAnswer | None:
        """Return the newest answer to the same question of the same documents."""
        row = self._database.read().execute(_FIND, (key, state)).fetchone()
        return None if row is None else ReusableAnswer(*row)

    def note(self, message_id: int, key: str, state: str) -> None:
        """Let an answer be given again; it takes the place of earlier ones to the question."""
        with self._database.write() as tx:
            tx.execute("DELETE FROM reusable_answers WHERE key = ?", (key,))
            tx.execute(
                "INSERT OR REPLACE INTO reusable_answers (message_id, key, state) "
                "SELECT ?1, ?2, ?3 WHERE EXISTS (SELECT 1 FROM messages WHERE id = ?1)",
                (message_id, key, state),
            )
