"""Kept conversations and their drafts, in the catalog's tables.

A draft is a question that was begun and not sent yet; a conversation has at most one. Beside it
stands what the conversation's next question is asked of, its scope.

A conversation is a tree of messages, of which one branch is shown. A message follows its parent.
Asking again at an earlier place begins another branch there, so nothing that was said is lost; the
conversation's head is the last message of the branch shown.
"""

from __future__ import annotations

import json
import sqlite3
import time
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from typing import Any

from desktop_rag.catalog.column_values import json_value, text_list
from desktop_rag.catalog.database import Database
from desktop_rag.core.catalog_records import ChatMessage, Conversation
from desktop_rag.core.errors import UserError
from desktop_rag.core.phrases import Phrase
from desktop_rag.core.types import ChatId
from desktop_rag.core.unicode import valid_text

NEW_CONVERSATION = 0
"""Stands for the conversation that has not begun."""
NO_PARENT = 0
"""The parent of a conversation's first messages."""
_SELECT = "SELECT id, title, kbs, created, changed, pinned FROM chats"
_ORDER = "ORDER BY pinned DESC, changed DESC, id DESC"
_MESSAGES = "SELECT id, role, text, payload, created, coalesce(parent, 0) FROM messages"
_PATH = """
    WITH RECURSIVE path (id, above) AS (
        SELECT id, parent FROM messages WHERE id = :last AND chat_id = :chat
        UNION ALL
        SELECT messages.id, messages.parent FROM messages JOIN path ON messages.id = path.above
    )
"""
_ON_THE_PATH = "WHERE id IN (SELECT id FROM path) ORDER BY id"
_NEWEST_BELOW = """
    WITH RECURSIVE below (id) AS (
        SELECT id FROM messages WHERE id = :top AND chat_id = :chat
        UNION ALL
        SELECT messages.id FROM messages JOIN below ON messages.parent = below.id
    )
    SELECT max(id), max(id = :head) FROM below
"""


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
        self._put(chat_id, "text", text if text.strip() else "")

    def scope(self, chat_id: int) -> str:
        """Return what the next question is asked of, as it was kept; "" where nothing is chosen."""
        rows = self._database.read().execute(
            "SELECT scope FROM drafts WHERE chat_id = ?", (chat_id,)
        )
        found = rows.fetchone()
        return "" if found is None else str(found[0])

    def keep_scope(self, chat_id: int, scope: str) -> None:
        """Keep what the next question is asked of, a JSON list of [knowledge base, path]."""
        self._put(chat_id, "scope", valid_text(scope))

    def _put(self, chat_id: int, column: str, value: str) -> None:
        """Set a column; a row in which nothing is left goes."""
        with self._database.write() as tx:
            tx.execute(
                "INSERT OR IGNORE INTO drafts (chat_id, text, changed) SELECT ?1, '', ?2 "
                "WHERE ?1 = 0 OR EXISTS (SELECT 1 FROM chats WHERE id = ?1)",
                (chat_id, time.time()),
            )
            tx.execute(
                f"UPDATE drafts SET {column} = ?, changed = ? WHERE chat_id = ?",  # noqa: S608
                (value, time.time(), chat_id),
            )
            tx.execute(
                "DELETE FROM drafts WHERE chat_id = ? AND text = '' AND scope = ''", (chat_id,)
            )


def rename_kb_in_scopes(tx: sqlite3.Connection, name: str, new: str) -> None:
    """Let what is asked of a knowledge base be asked of it under its new name."""
    rows = tx.execute("SELECT chat_id, scope FROM drafts WHERE scope <> ''").fetchall()
    for chat_id, kept in rows:
        items = json_value(kept)
        if isinstance(items, list) and any(each[:1] == [name] for each in items):
            renamed = [[new, *each[1:]] if each[:1] == [name] else each for each in items]
            tx.execute(
                "UPDATE drafts SET scope = ? WHERE chat_id = ?", (json.dumps(renamed), chat_id)
            )


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
        """Return every conversation, the pinned first, then the last changed."""
        rows = self._database.read().execute(f"{_SELECT} WHERE deleted IS NULL {_ORDER}")
        return [_conversation(row) for row in rows]

    def get(self, chat_id: ChatId) -> Conversation:
        """Return one; a UserError when it is gone."""
        rows = self._database.read().execute(
            f"{_SELECT} WHERE id = ? AND deleted IS NULL", (chat_id,)
        )
        row = rows.fetchone()
        if row is None:
            raise _gone(chat_id)
        return _conversation(row)

    def ask_of(self, chat_id: ChatId, kbs: tuple[str, ...]) -> None:
        """Let a conversation be about other knowledge bases from now on."""
        with self._database.write() as tx:
            tx.execute("UPDATE chats SET kbs = ? WHERE id = ?", (json.dumps(kbs), chat_id))

    def append(
        self,
        chat_id: ChatId,
        role: str,
        text: str,
        payload: str = "{}",
        parent: int | None = None,
    ) -> int:
        """Add a message, `payload` being JSON, below `parent` or at the head; return its id.

        It becomes the head; an answer does so only while its question is the head still: the user
        may have turned to another branch since.
        """
        now = time.time()
        with self._database.write() as tx:
            head = _head(tx, chat_id)
            below = head if parent is None else _checked(tx, chat_id, parent)
            made = tx.execute(
                "INSERT INTO messages (chat_id, role, text, payload, created, parent) "
                "VALUES (?, ?, ?, ?, ?, ?) RETURNING id",
                (chat_id, role, valid_text(text), valid_text(payload), now, below or None),
            ).fetchone()
            moved = head if role == "assistant" and below != head else made[0]
            tx.execute(
                "UPDATE chats SET changed = ?, head = ? WHERE id = ?", (now, moved or None, chat_id)
            )
        return int(made[0])

    def revise(self, message_id: int, text: str, payload: str) -> None:
        """Replace what a message says: an answer grows while it is written."""
        with self._database.write() as tx:
            tx.execute(
                "UPDATE messages SET text = ?, payload = ? WHERE id = ?",
                (valid_text(text), valid_text(payload), message_id),
            )

    def append_version(
        self, chat_id: ChatId, answer_id: int, text: str, payload: str
    ) -> int | None:
        """Add another answer to the question of one, as a version of both; return its id.

        None, and nothing is added, where the answer is not the last message shown any more. The
        conversation keeps its place in the list: nobody has asked anything.
        """
        now = time.time()
        with self._database.write() as tx:
            if _head(tx, chat_id) != answer_id:
                return None
            question = tx.execute(
                "INSERT INTO messages (chat_id, role, text, payload, created, parent) "
                "SELECT chat_id, role, text, payload, ?, parent FROM messages "
                "WHERE id = (SELECT parent FROM messages WHERE id = ?) RETURNING id",
                (now, answer_id),
            ).fetchone()
            made = tx.execute(
                "INSERT INTO messages (chat_id, role, text, payload, created, parent) "
                "VALUES (?, 'assistant', ?, ?, ?, ?) RETURNING id",
                (chat_id, valid_text(text), valid_text(payload), now, question[0]),
            ).fetchone()
            tx.execute("UPDATE chats SET head = ? WHERE id = ?", (made[0], chat_id))
        return int(made[0])

    def amend(self, message_id: int, how: Callable[[str], str]) -> None:
        """Change what is kept beside a message's text, as it is at that moment."""
        with self._database.write() as tx:
            row = tx.execute("SELECT payload FROM messages WHERE id = ?", (message_id,)).fetchone()
            if row is not None:
                changed = valid_text(how(str(row[0])))
                tx.execute("UPDATE messages SET payload = ? WHERE id = ?", (changed, message_id))

    def messages(self, chat_id: ChatId, last: int | None = None) -> list[ChatMessage]:
        """Return the branch that is shown, in order, or the one that ends at the message `last`."""
        read = self._database.read()
        if last is None:
            row = read.execute("SELECT head FROM chats WHERE id = ?", (chat_id,)).fetchone()
            last = row[0] if row is not None else None
        named = {"last": last, "chat": chat_id}
        rows = read.execute(f"{_PATH} {_MESSAGES} {_ON_THE_PATH}", named)
        return [ChatMessage(*row) for row in rows]

    def head(self, chat_id: ChatId) -> int:
        """Return the last message of the branch that is shown, `NO_PARENT` for none."""
        return _head(self._database.read(), chat_id)

    def every_message(self, chat_id: ChatId) -> list[ChatMessage]:
        """Return the messages of all branches, in the order of their making."""
        rows = self._database.read().execute(
            f"{_MESSAGES} WHERE chat_id = ? ORDER BY id", (chat_id,)
        )
        return [ChatMessage(*row) for row in rows]

    def questions(self, chat_id: ChatId) -> Iterator[tuple[int, str]]:
        """Yield the number and the text of every question, in the order of their making."""
        yield from self._database.read().execute(
            "SELECT id, text FROM messages WHERE chat_id = ? AND role = 'user' ORDER BY id",
            (chat_id,),
        )

    def answers(self, chat_id: ChatId) -> Iterator[tuple[int, str]]:
        """Yield the question of every answer and what is kept beside its text, in that order."""
        yield from self._database.read().execute(
            "SELECT parent, payload FROM messages "
            "WHERE chat_id = ? AND role = 'assistant' AND text <> '' ORDER BY id",
            (chat_id,),
        )

    def versions(self, message_id: int) -> tuple[int, ...]:
        """Return the messages of this one's role that stand at its place, oldest first."""
        rows = self._database.read().execute(
            "SELECT other.id FROM messages AS this JOIN messages AS other "
            "ON other.chat_id = this.chat_id AND other.parent IS this.parent "
            "AND other.role = this.role WHERE this.id = ? ORDER BY other.id",
            (message_id,),
        )
        return tuple(int(row[0]) for row in rows)

    def forks(self, chat_id: ChatId) -> dict[int, tuple[int, ...]]:
        """Return for every question the questions at its place, oldest first, itself among them."""
        rows = self._database.read().execute(
            "SELECT id, coalesce(parent, 0) FROM messages "
            "WHERE chat_id = ? AND role = 'user' ORDER BY id",
            (chat_id,),
        )
        places: dict[int, list[int]] = defaultdict(list)
        for message, parent in rows:
            places[parent].append(message)
        return {each: tuple(place) for place in places.values() for each in place}

    def select(self, chat_id: ChatId, message_id: int) -> None:
        """Show a branch through a message: of several the one that was gone on with last."""
        with self._database.write() as tx:
            named = {"head": _head(tx, chat_id), "top": message_id, "chat": chat_id}
            newest, is_shown = tx.execute(_NEWEST_BELOW, named).fetchone()
            if newest is None:
                raise _no_message(message_id)
            if not is_shown:
                tx.execute("UPDATE chats SET head = ? WHERE id = ?", (newest, chat_id))

    def rename(self, chat_id: ChatId, title: str) -> None:
        """Give a conversation another title."""
        with self._database.write() as tx:
            tx.execute("UPDATE chats SET title = ? WHERE id = ?", (valid_text(title), chat_id))

    def pin(self, chat_id: ChatId, *, pinned: bool) -> None:
        """Keep a conversation on top of the list, or no more."""
        with self._database.write() as tx:
            tx.execute("UPDATE chats SET pinned = ? WHERE id = ?", (pinned, chat_id))

    def put_away(self, chat_ids: Iterable[ChatId]) -> None:
        """Take conversations out of sight; `bring_back` undoes it, until `bury` or `delete`."""
        now = time.time()
        with self._database.write() as tx:
            tx.executemany(
                "UPDATE chats SET deleted = ? WHERE id = ?", [(now, each) for each in chat_ids]
            )

    def bring_back(self, chat_ids: Iterable[ChatId]) -> None:
        """Show conversations again that were put away."""
        with self._database.write() as tx:
            tx.executemany(
                "UPDATE chats SET deleted = NULL WHERE id = ?", [(each,) for each in chat_ids]
            )

    def bury(self) -> int:
        """Delete whatever was put away, with every trace of its text; return how many."""
        found = self._database.read().execute("SELECT id FROM chats WHERE deleted IS NOT NULL")
        gone = [ChatId(row[0]) for row in found.fetchall()]
        if gone:
            self.delete(*gone)
        return len(gone)

    def delete(self, *chat_ids: ChatId) -> None:
        """Delete conversations with every trace of their text."""
        each = [(chat_id,) for chat_id in chat_ids]
        with self._database.write() as tx:
            tx.executemany("DELETE FROM chats WHERE id = ?", each)
            tx.executemany("DELETE FROM drafts WHERE chat_id = ?", each)
        self._database.forget()


def _head(tx: sqlite3.Connection, chat_id: ChatId) -> int:
    """Return the last message of the branch shown, `NO_PARENT` where there is none."""
    row = tx.execute("SELECT head FROM chats WHERE id = ?", (chat_id,)).fetchone()
    if row is None:
        raise _gone(chat_id)
    return int(row[0] or NO_PARENT)


def _checked(tx: sqlite3.Connection, chat_id: ChatId, message_id: int) -> int:
    """Return the message's id; a UserError where the conversation has no such message."""
    found = tx.execute(
        "SELECT 1 FROM messages WHERE id = ? AND chat_id = ?", (message_id, chat_id)
    ).fetchone()
    if message_id != NO_PARENT and found is None:
        raise _no_message(message_id)
    return message_id


def _conversation(row: tuple[Any, ...]) -> Conversation:
    kbs = text_list(row[2])
    return Conversation(ChatId(row[0]), row[1], kbs, row[3], row[4], bool(row[5]))


def _gone(chat_id: ChatId) -> UserError:
    return UserError(Phrase("There is no conversation {0}.", chat_id), "Begin a new one.")


def _no_message(message_id: int) -> UserError:
    return UserError(Phrase("The conversation has no message {0}.", message_id), "Ask at its end.")
