"""What a conversation is called: by its first question that has an answer, or by its user."""

from __future__ import annotations

from desktop_rag.catalog.facade import Catalog
from desktop_rag.catalog.stored_answer import payload_of
from desktop_rag.core.events import SMALL_TALK
from desktop_rag.core.types import ChatId

_LONGEST = 80  # characters of a question that name its conversation
_ANSWERS = ("generated", "extracted")


def title_of(question: str) -> str:
    """Return what a conversation is called by a question."""
    return " ".join(question.split())[:_LONGEST]


def name_by_first_answer(catalog: Catalog, chat_id: ChatId) -> None:
    """Let a conversation that is called by one of its questions be called by the first answered.

    One that was refused or stopped, and small talk, say little of what follows. What the user
    called a conversation stays.
    """
    answers = catalog.chats.answers(chat_id)
    first = next((question for question, kept in answers if _is_answer(kept)), None)
    titles = {number: title_of(text) for number, text in catalog.chats.questions(chat_id)}
    title = catalog.chats.get(chat_id).title
    if first in titles and title != titles[first] and title in titles.values():
        catalog.chats.rename(chat_id, titles[first])


def _is_answer(kept: str) -> bool:
    payload = payload_of(kept)
    steps = payload.get("trace", ())
    is_talk = any(isinstance(each, dict) and each.get("name") == SMALL_TALK for each in steps)
    return payload.get("mode") in _ANSWERS and not is_talk
