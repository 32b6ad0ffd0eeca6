"""Conversations in the catalog: asking in one, and reading, renaming, deleting them."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from datetime import datetime
from typing import TYPE_CHECKING, TypeVar, cast

from desktop_rag.core.cancel import CancelToken
from desktop_rag.core.document_table import rows_of
from desktop_rag.core.events import DocumentsTask, EarlierAnswer, Event, QuestionStored
from desktop_rag.core.language import language
from desktop_rag.core.requests import AskRequest, ContinueRequest, DocumentsRequest, KeepRequest
from desktop_rag.core.types import ChatId, Citation
from desktop_rag.gui.controllers.answer_decoder import INTERRUPTED, decode_answer
from desktop_rag.gui.controllers.conversation_groups import ConversationRow, group_by_period
from desktop_rag.gui.controllers.data_folder import DataFolder
from desktop_rag.gui.controllers.document_scope import decode_scope
from desktop_rag.gui.controllers.transcript import Stopped, Transcript, Turn

if TYPE_CHECKING:
    from desktop_rag.catalog.chats import Chats
    from desktop_rag.catalog.facade import Catalog
    from desktop_rag.core.catalog_records import MessageHit
    from desktop_rag.core.events import TraceEvent
    from desktop_rag.core.types import Passage

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Renewing:
    """A question is being asked again by itself."""


@dataclass(frozen=True, slots=True)
class Renewal:
    """What came of it: the conversation as it is now, None where nothing was kept.

    `is_given_up` says that it is not worth another try while the window is open.
    """

    transcript: Transcript | None
    is_given_up: bool = False


def ask(
    folder: DataFolder, request: AskRequest | DocumentsRequest, token: CancelToken
) -> Iterator[Event]:
    """Answer a question, or do what is asked of documents; first comes a `QuestionStored`.

    Where the question chooses its knowledge base, consent is sought for that one alone.
    """
    from desktop_rag.commands.dispatch import perform

    asked = replace(request, new_chat=request.chat_id is None)
    workspace = folder.get(token)
    chosen: list[Event] = []
    if isinstance(asked, AskRequest) and asked.chooses_kb:
        from desktop_rag.commands.knowledge_base_choice import choose_for

        choice = choose_for(workspace, asked, token)
        chosen.append(choice)
        asked = replace(asked, kbs=choice.kbs, chooses_kb=False)
    consent = AskRequest(asked.kbs, "", model=asked.model)
    folder.before_asking(workspace, consent, token)
    for event in perform(workspace, asked, token):
        yield event
        if isinstance(event, QuestionStored):
            yield from chosen


def write_table(
    task: DocumentsTask,
    text: str,
    citations: tuple[Citation, ...],
    path: str,
    token: CancelToken,
) -> None:
    """Write the rows of an answer as a table, under names in the question's language."""
    from desktop_rag.generation.prompts import Prompts
    from desktop_rag.whole_documents.table_export import write_rows

    token.check()
    rows = rows_of(text, [each for each, _ in task.documents], citations)
    write_rows(path, rows, Prompts(language(task.question)))


def continue_answer(
    folder: DataFolder, request: ContinueRequest, kbs: tuple[str, ...], token: CancelToken
) -> Iterator[Event]:
    """Have a cut answer written on, by a model that may be told what it rests on."""
    from desktop_rag.commands.dispatch import perform

    workspace = folder.get(token)
    folder.before_asking(workspace, AskRequest(kbs, "", model=request.model), token)
    yield from perform(workspace, request, token)


def ask_again(
    folder: DataFolder, chat_id: int, answer_id: int, token: CancelToken
) -> Generator[Renewing, None, Renewal]:
    """Ask an answer's question again if it is time to; first comes a `Renewing` where it is."""
    from desktop_rag.commands import ask_again as command

    workspace = folder.get(token)
    steps = command.ask_again(workspace, ChatId(chat_id), answer_id, token)
    outcome = yield from _told(steps)
    if outcome in (command.AskedAgain.CHANGED, command.AskedAgain.CONFIRMED):
        return Renewal(load_transcript(workspace.catalog, chat_id))
    return Renewal(None, is_given_up=outcome is not command.AskedAgain.NOT_DUE)


def _told(steps: Generator[object, None, T]) -> Generator[Renewing, None, T]:
    with closing(steps):
        while True:
            try:
                next(steps)
            except StopIteration as end:
                return cast("T", end.value)
            yield Renewing()


def keep(folder: DataFolder, request: KeepRequest, token: CancelToken) -> tuple[int, bool]:
    """Keep an answer or keep it no longer; return its message, and whether it is kept."""
    from desktop_rag.commands import keep_answers

    workspace = folder.get(token)
    with closing(keep_answers.run(workspace, request, token)) as steps:
        next(steps, None)  # what comes is the list of all
    return request.answer_id, request.action == "keep"


def stop_waiting(folder: DataFolder, answer_id: int, token: CancelToken) -> None:
    """Let an answer not be asked again by itself."""
    from desktop_rag.commands import ask_again as command

    command.stop_waiting(folder.get(token).catalog, answer_id)


def list_conversations(
    folder: DataFolder, known: tuple[ConversationRow, ...], token: CancelToken
) -> tuple[ConversationRow, ...]:
    """Read the list of conversations; `known` itself where it is the same."""
    rows = group_by_period(folder.get(token).catalog.chats.all(), datetime.now())
    return known if rows == known else rows


def change(folder: DataFolder, how: Callable[[Chats], object], token: CancelToken) -> None:
    """Change conversations in the catalog."""
    how(folder.get(token).catalog.chats)


def search(
    folder: DataFolder, query: str, token: CancelToken
) -> tuple[str, tuple[MessageHit, ...]]:
    """Look for words in everything that was said; return query and places."""
    from desktop_rag.catalog.message_search import MessageSearch

    speech = MessageSearch(folder.get(token).catalog.database)
    return query, tuple(speech.find(query, token))


def load(folder: DataFolder, chat_id: int, token: CancelToken) -> Transcript:
    """Read a conversation with its sources and its draft.

    0 stands for the one that has not begun: then only its draft is there.
    """
    return load_transcript(folder.get(token).catalog, chat_id)


def catch_up(folder: DataFolder, chat_id: int, last: int, token: CancelToken) -> Transcript | None:
    """Read a conversation if it no longer ends at the message `last`.

    An answer that somebody else is still having written is waited for.
    """
    catalog = folder.get(token).catalog
    if catalog.chats.head(ChatId(chat_id)) == last:
        return None
    read = load_transcript(catalog, chat_id)
    return read if read.turns and read.turns[-1].outcome != INTERRUPTED else None


def branch(folder: DataFolder, chat_id: int, question_id: int, token: CancelToken) -> Transcript:
    """Turn to the branch through a question, and read it."""
    catalog = folder.get(token).catalog
    catalog.chats.select(ChatId(chat_id), question_id)
    return load_transcript(catalog, chat_id)


def save_draft(folder: DataFolder, chat_id: int, text: str, token: CancelToken) -> None:
    """Keep what was typed; 0 is the conversation that has not begun."""
    folder.get(token).catalog.drafts.keep(chat_id, text)


def save_scope(folder: DataFolder, chat_id: int, scope: str, token: CancelToken) -> int:
    """Keep what the next question of a conversation is asked of; return the conversation."""
    folder.get(token).catalog.drafts.keep_scope(chat_id, scope)
    return chat_id


def load_transcript(catalog: Catalog, chat_id: int) -> Transcript:
    """Read a conversation as it was shown, with what was begun to be asked."""
    chats = catalog.chats
    draft = catalog.drafts.get(chat_id)
    scope = decode_scope(catalog.drafts.scope(chat_id))
    if not chat_id:
        return Transcript(draft=draft, scope=scope)
    chat = chats.get(ChatId(chat_id))
    forks = chats.forks(ChatId(chat_id))
    turns: list[Turn] = []
    for message in chats.messages(ChatId(chat_id)):
        if message.role == "user":
            begun = Turn(message.text, "", outcome=Stopped(), question_id=message.id)
            turns.append(replace(begun, versions=forks[message.id]))
        elif turns:
            turns[-1] = decode_answer(turns[-1], message)
    turns = _with_kept(catalog, turns)
    shown = [each.followed() for each in turns[:-1]]
    shown += [each if each.is_newest else each.waiting_no_more() for each in turns[-1:]]
    return Transcript(
        chat_id, chat.title, with_current_paths(catalog, shown), draft, chat.kbs, scope
    )


def _with_kept(catalog: Catalog, turns: list[Turn]) -> list[Turn]:
    """Return turns that know whether they are kept, and what they tell of others as it is now."""
    kept = catalog.kept.among(each.answer_id for each in turns)
    told = [each.answer_id for turn in turns for each in turn.earlier]
    if not kept and not told:
        return turns
    from desktop_rag.commands.near_kept_answers import told_of

    now = {number: told_of(catalog, each) for number, each in catalog.kept.get(told).items()}

    def current(turn: Turn) -> Iterator[TraceEvent]:
        for each in turn.trace:
            if not isinstance(each, EarlierAnswer):
                yield each
            elif each.answer_id in now:
                yield replace(now[each.answer_id], at=each.at)

    return [
        replace(each, is_kept=each.answer_id in kept, trace=tuple(current(each))) for each in turns
    ]


def with_current_paths(catalog: Catalog, turns: Sequence[Turn]) -> tuple[Turn, ...]:
    """Return turns whose passages name their documents' paths of today."""
    from desktop_rag.catalog.cited_documents import CitedDocument

    def cited(passage: Passage) -> CitedDocument:
        return CitedDocument(passage.document_id, passage.path, passage.content_hash)

    every = (cited(each) for turn in turns for each in (*turn.sources, *turn.retrieved))
    moved = catalog.cited.current_paths(each for each in every if each.path)
    if not moved:
        return tuple(turns)
    return tuple(turn.with_paths(lambda each: moved.get(cited(each), each.path)) for turn in turns)
