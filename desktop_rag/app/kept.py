"""Conversations in the catalog: asking in one, and reading, renaming, deleting them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING

from desktop_rag.app.folder import DataFolder
from desktop_rag.app.jobs import Work
from desktop_rag.app.recalled import answered
from desktop_rag.app.transcript import Stopped, Transcript, Turn
from desktop_rag.core.cancel import CancelToken
from desktop_rag.core.events import Kept
from desktop_rag.core.requests import AskRequest
from desktop_rag.core.types import ChatId

if TYPE_CHECKING:
    from desktop_rag.store.catalog import Catalog

__all__ = [
    "Kept",
    "asking",
    "branching",
    "deleting",
    "drafting",
    "listing",
    "loading",
    "renaming",
]


def asking(folder: DataFolder, request: AskRequest) -> Work:
    """Return the work that answers a question; first it yields where that is `Kept`."""

    def work(token: CancelToken) -> Iterator[object]:
        from desktop_rag.engine.operations.perform import perform

        asked = replace(request, new_chat=request.chat_id is None)
        yield from perform(folder.get(token), asked, token)

    return work


def listing(folder: DataFolder) -> Work:
    """Return the work that reads every conversation's title."""

    def work(token: CancelToken) -> Iterator[object]:
        yield tuple(folder.get(token).catalog.chats.all())

    return work


def deleting(folder: DataFolder, chat_id: int) -> Work:
    """Return the work that deletes a conversation and lists the others."""

    def work(token: CancelToken) -> Iterator[object]:
        chats = folder.get(token).catalog.chats
        chats.delete(ChatId(chat_id))
        yield tuple(chats.all())

    return work


def renaming(folder: DataFolder, chat_id: int, title: str) -> Work:
    """Return the work that renames a conversation and lists all."""

    def work(token: CancelToken) -> Iterator[object]:
        chats = folder.get(token).catalog.chats
        chats.rename(ChatId(chat_id), title)
        yield tuple(chats.all())

    return work


def loading(folder: DataFolder, chat_id: int) -> Work:
    """Return the work that reads a conversation with its sources and its draft.

    0 stands for the one that has not begun: then only its draft is there.
    """

    def work(token: CancelToken) -> Iterator[object]:
        yield transcript(folder.get(token).catalog, chat_id)

    return work


def branching(folder: DataFolder, chat_id: int, question_id: int) -> Work:
    """Return the work that turns to the branch through a question, and reads it."""

    def work(token: CancelToken) -> Iterator[object]:
        catalog = folder.get(token).catalog
        catalog.chats.select(ChatId(chat_id), question_id)
        yield transcript(catalog, chat_id)

    return work


def drafting(folder: DataFolder, chat_id: int, text: str) -> Work:
    """Return the work that keeps what was typed; 0 is the conversation that has not begun."""

    def work(token: CancelToken) -> Iterator[object]:
        folder.get(token).catalog.drafts.keep(chat_id, text)
        yield from ()

    return work


def transcript(catalog: Catalog, chat_id: int) -> Transcript:
    """Read a conversation as it was shown, with what was begun to be asked."""
    chats = catalog.chats
    draft = catalog.drafts.get(chat_id)
    if not chat_id:
        return Transcript(draft=draft)
    title = chats.get(ChatId(chat_id)).title
    forks = chats.forks(ChatId(chat_id))
    turns: list[Turn] = []
    for message in chats.messages(ChatId(chat_id)):
        if message.role == "user":
            begun = Turn(message.text, "", outcome=Stopped(), question_id=message.id)
            turns.append(replace(begun, versions=forks[message.id]))
        elif turns:
            turns[-1] = answered(turns[-1], message)
    return Transcript(chat_id, title, tuple(turns), draft)
