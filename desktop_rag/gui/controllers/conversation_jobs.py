"""Conversations in the catalog: asking in one, and reading, renaming, deleting them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from datetime import datetime
from typing import TYPE_CHECKING

from desktop_rag.core.cancel import CancelToken
from desktop_rag.core.requests import AskRequest
from desktop_rag.core.types import ChatId
from desktop_rag.gui.controllers.answer_decoder import INTERRUPTED, decode_answer
from desktop_rag.gui.controllers.conversation_groups import ConversationRow, group_by_period
from desktop_rag.gui.controllers.data_folder import DataFolder
from desktop_rag.gui.controllers.jobs import Work
from desktop_rag.gui.controllers.transcript import Stopped, Transcript, Turn

if TYPE_CHECKING:
    from desktop_rag.catalog.chats import Chats
    from desktop_rag.catalog.facade import Catalog


def asking(folder: DataFolder, request: AskRequest) -> Work:
    """Return the work that answers a question; first it yields a `QuestionStored`."""

    def work(token: CancelToken) -> Iterator[object]:
        from desktop_rag.commands.dispatch import perform

        asked = replace(request, new_chat=request.chat_id is None)
        workspace = folder.get(token)
        folder.before_asking(workspace, asked, token)
        yield from perform(workspace, asked, token)

    return work


def listing(folder: DataFolder, known: tuple[ConversationRow, ...]) -> Work:
    """Return the work that reads the list of conversations, and yields it if it is another one."""

    def work(token: CancelToken) -> Iterator[object]:
        rows = group_by_period(folder.get(token).catalog.chats.all(), datetime.now())
        if rows != known:
            yield rows

    return work


def renaming(folder: DataFolder, chat_id: int, title: str) -> Work:
    """Return the work that renames a conversation."""
    return _changing(folder, lambda chats: chats.rename(ChatId(chat_id), title))


def pinning(folder: DataFolder, chat_ids: tuple[int, ...], *, pinned: bool) -> Work:
    """Return the work that keeps conversations on top of the list, or no more."""

    def change(chats: Chats) -> None:
        for each in chat_ids:
            chats.pin(ChatId(each), pinned=pinned)

    return _changing(folder, change)


def hiding(folder: DataFolder, chat_ids: tuple[int, ...]) -> Work:
    """Return the work that takes conversations out of sight."""
    return _changing(folder, lambda chats: chats.put_away(map(ChatId, chat_ids)))


def restoring(folder: DataFolder, chat_ids: tuple[int, ...]) -> Work:
    """Return the work that undoes `hiding`."""
    return _changing(folder, lambda chats: chats.bring_back(map(ChatId, chat_ids)))


def deleting(folder: DataFolder, chat_ids: tuple[int, ...]) -> Work:
    """Return the work that deletes conversations with every trace of their text."""
    return _changing(folder, lambda chats: chats.delete(*map(ChatId, chat_ids)))


def searching(folder: DataFolder, query: str) -> Work:
    """Return the work that looks for words in everything that was said; yields query and places."""

    def work(token: CancelToken) -> Iterator[object]:
        from desktop_rag.catalog.message_search import MessageSearch

        speech = MessageSearch(folder.get(token).catalog.database)
        yield query, tuple(speech.find(query, token))

    return work


def loading(folder: DataFolder, chat_id: int) -> Work:
    """Return the work that reads a conversation with its sources and its draft.

    0 stands for the one that has not begun: then only its draft is there.
    """

    def work(token: CancelToken) -> Iterator[object]:
        yield load_transcript(folder.get(token).catalog, chat_id)

    return work


def catching_up(folder: DataFolder, chat_id: int, last: int) -> Work:
    """Return the work that reads a conversation if it no longer ends at the message `last`.

    An answer that somebody else is still having written is waited for.
    """

    def work(token: CancelToken) -> Iterator[object]:
        catalog = folder.get(token).catalog
        if catalog.chats.head(ChatId(chat_id)) == last:
            return
        read = load_transcript(catalog, chat_id)
        if read.turns and read.turns[-1].outcome != INTERRUPTED:
            yield read

    return work


def branching(folder: DataFolder, chat_id: int, question_id: int) -> Work:
    """Return the work that turns to the branch through a question, and reads it."""

    def work(token: CancelToken) -> Iterator[object]:
        catalog = folder.get(token).catalog
        catalog.chats.select(ChatId(chat_id), question_id)
        yield load_transcript(catalog, chat_id)

    return work


def drafting(folder: DataFolder, chat_id: int, text: str) -> Work:
    """Return the work that keeps what was typed; 0 is the conversation that has not begun."""

    def work(token: CancelToken) -> Iterator[object]:
        folder.get(token).catalog.drafts.keep(chat_id, text)
        yield from ()

    return work


def _changing(folder: DataFolder, change: Callable[[Chats], object]) -> Work:
    def work(token: CancelToken) -> Iterator[object]:
        change(folder.get(token).catalog.chats)
        yield from ()

    return work


def load_transcript(catalog: Catalog, chat_id: int) -> Transcript:
    """Read a conversation as it was shown, with what was begun to be asked."""
    chats = catalog.chats
    draft = catalog.drafts.get(chat_id)
    if not chat_id:
        return Transcript(draft=draft)
    chat = chats.get(ChatId(chat_id))
    forks = chats.forks(ChatId(chat_id))
    turns: list[Turn] = []
    for message in chats.messages(ChatId(chat_id)):
        if message.role == "user":
            begun = Turn(message.text, "", outcome=Stopped(), question_id=message.id)
            turns.append(replace(begun, versions=forks[message.id]))
        elif turns:
            turns[-1] = decode_answer(turns[-1], message)
    return Transcript(chat_id, chat.title, tuple(turns), draft, chat.kbs)
