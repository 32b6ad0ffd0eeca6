"""Questions that were begun and not sent yet, one a conversation."""

from __future__ import annotations

import time

from desktop_rag.catalog.database import Database
from desktop_rag.core.unicode import valid_text

NEW_CONVERSATION = 0
"""Stands for the conversation that has not begun."""


class Drafts:
    """The catalog's drafts."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def get(self, chat_id: int) -> str:
        """Return what was typed in a conversation, "" for nothing."""
        row = self._database.read().execute("SELECT text FROM drafts WHERE chat_id = ?", (chat_id,))
        found = row.fetchone()
        return "" if found is None else str(found[0])

    def keep(self, chat_id: int, text: str) -> None:
        """Keep what was typed; nothing, when it is blank or its conversation is gone."""
        text = valid_text(text)
        with self._database.write() as tx:
            if not text.strip():
                tx.execute("DELETE FROM drafts WHERE chat_id = ?", (chat_id,))
                return
            tx.execute(
                "INSERT OR REPLACE INTO drafts (chat_id, text, changed) SELECT ?1, ?2, ?3 "
                "WHERE ?1 = 0 OR EXISTS (SELECT 1 FROM chats WHERE id = ?1)",
                (chat_id, text, time.time()),
            )
