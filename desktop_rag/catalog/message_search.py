"""Finds words in everything that was said in conversations: titles, questions, answers.

Every word of the query must stand in one title or message, in any order and in any case. There is
no index: one would be another place in which deleted text could stay, and for Chinese it would have
to know words. Ten thousand messages are read in some 30 ms.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from desktop_rag.catalog.database import Database
from desktop_rag.core.cancel import CancelToken
from desktop_rag.core.catalog_records import MAX_HITS, MessageHit
from desktop_rag.core.types import ChatId

_BEFORE, _LENGTH = 40, 180  # characters of a snippet before its first mark, and in all
_SIGNS = re.compile(r"\*\*|__|[`|]|^\s*#+\s", re.MULTILINE)  # of Markdown, which is not said
_SPACES = re.compile(r"\s+")
_TITLES = """
    SELECT id, 0, 'title', title, changed FROM chats WHERE deleted IS NULL
    ORDER BY changed DESC, id DESC
"""
_MESSAGES = """
    SELECT chat_id, id, role, text, created FROM messages
    WHERE chat_id NOT IN (SELECT id FROM chats WHERE deleted IS NOT NULL) ORDER BY id DESC
"""
_TITLE = "SELECT title FROM chats WHERE id = ?"


class MessageSearch:
    """All that was said, branches that are not shown among it."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def find(self, query: str, token: CancelToken) -> list[MessageHit]:
        """Return where a query's words stand: titles first, then messages, the newest first.

        A question that its conversation is named after is found once.
        """
        words = tuple(dict.fromkeys(query.casefold().split()))
        found: list[MessageHit] = []
        if not words:
            return found
        for said in self._places(words, token):
            found.append(said)
            if len(found) == MAX_HITS:
                break
        return found

    def _places(self, words: tuple[str, ...], token: CancelToken) -> Iterator[MessageHit]:
        pattern = re.compile("|".join(map(re.escape, words)), re.IGNORECASE)
        read = self._database.read()
        for select in (_TITLES, _MESSAGES):
            for number, (chat, message, role, text, when) in enumerate(read.execute(select)):
                if not number % 500:
                    token.check()
                folded = text.casefold()
                if all(word in folded for word in words):
                    title = read.execute(_TITLE, (chat,)).fetchone()[0] if message else text
                    if message and _SPACES.sub(" ", text).strip() == title:
                        continue
                    snippet, marks = snippet_of(text, pattern)
                    yield MessageHit(ChatId(chat), message, role, title, snippet, marks, when)


def snippet_of(text: str, pattern: re.Pattern[str]) -> tuple[str, tuple[tuple[int, int], ...]]:
    """Return a line of text around a pattern's first place, and the pattern's places in it."""
    text = _SIGNS.sub("", text)
    first = pattern.search(text)
    at = first.start() if first is not None else 0
    start = max(0, at - _BEFORE)
    if start:
        start = next((n + 1 for n in range(start, at) if text[n].isspace()), start)
    cut = _SPACES.sub(" ", text[start : start + 2 * _LENGTH]).strip()[:_LENGTH]
    snippet = f"… {cut}" if start else cut
    return snippet, tuple(found.span() for found in pattern.finditer(snippet))
