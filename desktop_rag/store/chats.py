"""Conversations that are kept, message by message."""

from __future__ import annotations

import json
import time
from typing import Any

from desktop_rag.core.errors import UserError
from desktop_rag.core.types import ChatId
from desktop_rag.store.database import Database
from desktop_rag.store.records import ChatMessage, Conversation
from desktop_rag.store.spelling import valid_text

_SELECT = "SELECT id, title, kbs, created, changed FROM chats"


class Chats:
    """The catalog's conversations."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def create(self, title: str, kbs: tuple[str, ...]) -> ChatId:
        """Begin a conversation over knowledge bases, by their names."""
        now = time.time()
        with self._database.write() as tx:
            made = tx.execute(
                "INSERT INTO chats (title, kbs, created, changed) VALUES (?, ?, ?, ?) RETURNING id",
                (valid_text(title), json.dumps(kbs), now, now),
            ).fetchone()
        return ChatId(made[0])

    def all(self) -> list[Conversation]:
        """Return every conversation, the last changed first."""
        rows = self._database.read().execute(f"{_SELECT} ORDER BY changed DESC, id DESC")
        return [_conversation(row) for row in rows]

    def get(self, chat_id: ChatId) -> Conversation:
        """Return one; a UserError when it is gone."""
        rows = self._database.read().execute(f"{_SELECT} WHERE id = ?", (chat_id,))
        row = rows.fetchone()
        if row is None:
            raise _gone(chat_id)
        return _conversation(row)

    def append(self, chat_id: ChatId, role: str, text: str, payload: str = "{}") -> int:
        """Add a message, `payload` being JSON; return its id."""
        now = time.time()
        with self._database.write() as tx:
            changed = tx.execute("UPDATE chats SET changed = ? WHERE id = ?", (now, chat_id))
            if changed.rowcount == 0:
                raise _gone(chat_id)
            made = tx.execute(
                "INSERT INTO messages (chat_id, role, text, payload, created) "
                "VALUES (?, ?, ?, ?, ?) RETURNING id",
                (chat_id, role, valid_text(text), valid_text(payload), now),
            ).fetchone()
        return int(made[0])

    def messages(self, chat_id: ChatId) -> list[ChatMessage]:
        """Return a conversation's messages in order."""
        rows = self._database.read().execute(
            "SELECT id, role, text, payload, created FROM messages WHERE chat_id = ? ORDER BY id",
            (chat_id,),
        )
        return [ChatMessage(*row) for row in rows]

    def rename(self, chat_id: ChatId, title: str) -> None:
        """Give a conversation another title."""
        with self._database.write() as tx:
            tx.execute("UPDATE chats SET title = ? WHERE id = ?", (valid_text(title), chat_id))

    def delete(self, chat_id: ChatId) -> None:
        """Delete a conversation with every trace of its text."""
        with self._database.write() as tx:
            tx.execute("DELETE FROM chats WHERE id = ?", (chat_id,))
        self._database.forget()


def _conversation(row: tuple[Any, ...]) -> Conversation:
    return Conversation(ChatId(row[0]), row[1], tuple(json.loads(row[2])), row[3], row[4])


def _gone(chat_id: ChatId) -> UserError:
    return UserError(f"There is no conversation {chat_id}.", "Begin a new one.")
