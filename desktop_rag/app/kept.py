"""Conversations in the catalog: asking in one, and reading, renaming, deleting them."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from desktop_rag.app.folder import DataFolder
from desktop_rag.app.jobs import Work
from desktop_rag.app.transcript import Answered, Stopped, Transcript, Turn
from desktop_rag.core.cancel import CancelToken
from desktop_rag.core.requests import AskRequest
from desktop_rag.core.types import (
    Box,
    ChatId,
    ChunkId,
    Citation,
    DocumentId,
    Locator,
    LocatorKind,
    Passage,
)
from desktop_rag.store.records import ChatMessage

if TYPE_CHECKING:
    from desktop_rag.store.catalog import Catalog

_TITLE = 80


@dataclass(frozen=True, slots=True)
class Kept:
    """The conversation has a place in the catalog."""

    chat_id: int


def asking(folder: DataFolder, request: AskRequest) -> Work:
    """Return the work that answers a question; a new conversation is given its place first."""

    def work(token: CancelToken) -> Iterator[object]:
        from desktop_rag.engine.operations.perform import perform

        workspace = folder.get(token)
        asked = request
        if request.chat_id is None:
            title = " ".join(request.question.split())[:_TITLE]
            chat_id = workspace.catalog.chats.create(title, request.kbs)
            yield Kept(chat_id)
            asked = replace(request, chat_id=chat_id, new_chat=False)
        yield from perform(workspace, asked, token)

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
    """Return the work that reads a conversation with its sources."""

    def work(token: CancelToken) -> Iterator[object]:
        yield transcript(folder.get(token).catalog, chat_id)

    return work


def transcript(catalog: Catalog, chat_id: int) -> Transcript:
    """Read a conversation as it was shown."""
    title = catalog.chats.get(ChatId(chat_id)).title
    turns: list[Turn] = []
    for message in catalog.chats.messages(ChatId(chat_id)):
        if message.role == "user":
            turns.append(Turn(message.text, "", outcome=Stopped()))
        elif turns:
            turns[-1] = answered(turns[-1], message)
    return Transcript(chat_id, title, tuple(turns))


def answered(turn: Turn, message: ChatMessage) -> Turn:
    """Return a turn with its kept answer."""
    payload: dict[str, Any] = json.loads(message.payload or "{}")
    mode = str(payload.get("mode", "generated"))
    return replace(
        turn,
        text=message.text,
        strategy=str(payload.get("strategy", "")),
        outcome=Stopped() if mode == "stopped" else _outcome(mode, payload),
        sources=tuple(passage(each) for each in payload.get("sources", ())),
        citations=tuple(citation(each) for each in payload.get("citations", ())),
    )


def _outcome(mode: str, payload: dict[str, Any]) -> Answered:
    return Answered(
        mode=mode,
        model=payload.get("model"),
        seconds=float(payload.get("seconds", 0.0)),
        searches=int(payload.get("searches", 0)),
        llm_calls=int(payload.get("llm_calls", 0)),
        tokens=int(payload.get("prompt_tokens", 0)) + int(payload.get("answer_tokens", 0)),
    )


def passage(kept: dict[str, Any]) -> Passage:
    """Read a passage from the form of `dataclasses.asdict`."""
    known = {name: kept[name] for name in Passage.__dataclass_fields__ if name in kept}
    start, end = kept["match"]
    known |= {
        "chunk_id": ChunkId(int(kept["chunk_id"])),
        "document_id": DocumentId(int(kept["document_id"])),
        "locator": locator(kept["locator"]),
        "match": (int(start), int(end)),
        "other_paths": tuple(kept.get("other_paths", ())),
    }
    return Passage(**known)


def citation(kept: dict[str, Any]) -> Citation:
    """Read a citation from the form of the command line."""
    return Citation(
        n=int(kept["n"]),
        chunk_id=ChunkId(int(kept["chunk_id"])),
        path=str(kept["path"]),
        locator=locator(kept["locator"]),
        quote=str(kept["quote"]),
        sentence=int(kept.get("sentence", 0)),
    )


def locator(kept: dict[str, Any]) -> Locator:
    """Read a locator; its boxes may lack their offsets."""
    return Locator(
        kind=LocatorKind(kept["kind"]),
        value=kept["value"],
        start=kept.get("start"),
        end=kept.get("end"),
        boxes=tuple(_box(each) for each in kept.get("boxes", ())),
        cells=kept.get("cells"),
    )


def _box(kept: Any) -> Box:
    if isinstance(kept, dict):
        return Box(**kept)
    x0, y0, x1, y1 = map(float, kept)
    return Box(x0, y0, x1, y1, 0, 0)
