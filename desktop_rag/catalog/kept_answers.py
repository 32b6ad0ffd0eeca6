"""Answers that the user keeps, found again by the vectors of their questions.

An answer stays the message that it is; with its conversation it goes, and with it what is kept
here. What of its documents is changed or gone is looked up when it is told of.
"""

from __future__ import annotations

import json
import time
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from desktop_rag.catalog.column_values import text_list
from desktop_rag.catalog.database import Database

_STORED = np.dtype("<f2")
_SELECT = """
    SELECT kept_answers.message_id, messages.chat_id, asked.text, messages.created, chats.kbs,
        messages.payload
    FROM kept_answers JOIN messages ON messages.id = kept_answers.message_id
    JOIN messages AS asked ON asked.id = messages.parent
    JOIN chats ON chats.id = messages.chat_id
    WHERE chats.deleted IS NULL
"""


@dataclass(frozen=True, slots=True)
class KeptAnswer:
    """A kept answer: its message, its conversation and that one's knowledge bases, the question,
    when it was asked (seconds since 1970), and what is kept beside the answer.
    """

    message_id: int
    chat_id: int
    question: str
    asked: float
    kbs: tuple[str, ...]
    payload: str


class KeptAnswers:
    """The catalog's kept answers."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def keep(self, message_id: int) -> None:
        """Keep an answer; nothing, where it is kept or gone."""
        with self._database.write() as tx:
            tx.execute(
                "INSERT OR IGNORE INTO kept_answers (message_id, kept) SELECT ?1, ?2 WHERE EXISTS "
                "(SELECT 1 FROM messages WHERE id = ?1 AND role = 'assistant')",
                (message_id, time.time()),
            )

    def release(self, message_id: int) -> None:
        """Keep an answer no longer; it stays in its conversation."""
        with self._database.write() as tx:
            tx.execute("DELETE FROM kept_answers WHERE message_id = ?", (message_id,))

    def all(self) -> list[KeptAnswer]:
        """Return the kept answers, the newest first."""
        rows = self._database.read().execute(f"{_SELECT} ORDER BY kept DESC, message_id DESC")
        return [_kept(row) for row in rows]

    def among(self, message_ids: Iterable[int]) -> frozenset[int]:
        """Return which of these messages are kept."""
        rows = self._database.read().execute(
            "SELECT message_id FROM kept_answers "
            "WHERE message_id IN (SELECT value FROM json_each(?))",
            (json.dumps(list(message_ids)),),
        )
        return frozenset(int(row[0]) for row in rows)

    def get(self, message_ids: Iterable[int]) -> dict[int, KeptAnswer]:
        """Return those of some messages that are kept still, by their messages."""
        rows = self._database.read().execute(
            f"{_SELECT} AND kept_answers.message_id IN (SELECT value FROM json_each(?))",  # noqa: S608 - ours
            (json.dumps(list(message_ids)),),
        )
        return {row[0]: _kept(row) for row in rows}

    def vectors(self, fingerprint: str) -> dict[int, npt.NDArray[np.float32]]:
        """Return the vectors of kept answers' questions that a model has made, by messages."""
        rows = self._database.read().execute(
            "SELECT message_id, vector FROM kept_answer_vectors WHERE fingerprint = ?",
            (fingerprint,),
        )
        return {
            int(number): np.frombuffer(vector, _STORED).astype(np.float32)
            for number, vector in rows
        }

    def add_vectors(self, vectors: Mapping[int, npt.NDArray[np.float32]], fingerprint: str) -> None:
        """Store vectors of questions; those of other models go."""
        with self._database.write() as tx:
            for number, vector in vectors.items():
                tx.execute("DELETE FROM kept_answer_vectors WHERE message_id = ?", (number,))
                tx.execute(
                    "INSERT INTO kept_answer_vectors (message_id, fingerprint, vector) "
                    "SELECT ?1, ?2, ?3 WHERE EXISTS "
                    "(SELECT 1 FROM kept_answers WHERE message_id = ?1)",
                    (number, fingerprint, vector.astype(_STORED).tobytes()),
                )


def _kept(row: tuple[Any, ...]) -> KeptAnswer:
    message, chat, question, asked, kbs, payload = row
    return KeptAnswer(message, chat, question, asked, text_list(kbs), payload)
