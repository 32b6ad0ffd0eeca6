"""Conversations as files: Markdown, a web page, or JSON with all branches.

What is shown is written as text for people; JSON holds everything that is kept. No file is left
half written: the new one takes its place in one step.
"""

from __future__ import annotations

import json
import os
import tempfile
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

from desktop_rag.app.folder import DataFolder
from desktop_rag.app.jobs import Work
from desktop_rag.app.kept import transcript
from desktop_rag.app.recalled import answered, payload_of
from desktop_rag.app.transcript import Turn
from desktop_rag.core.cancel import CancelToken
from desktop_rag.core.errors import UserError
from desktop_rag.core.events import PassagesFound
from desktop_rag.core.types import ChatId, Locator
from desktop_rag.store.records import ChatMessage

if TYPE_CHECKING:
    from desktop_rag.store.catalog import Catalog

FORMS: Mapping[str, str] = {"markdown": ".md", "html": ".html", "json": ".json"}
"""The forms, and how their files' names end."""


@dataclass(frozen=True, slots=True)
class Words:
    """The few words that are put between what was said, in the user's language.

    `places` are the words for the kinds of a `Locator`.
    """

    sources: str = "Sources"
    stopped: str = "Stopped"
    language: str = "en"
    places: Mapping[str, str] = field(default_factory=dict)

    def place(self, locator: Locator) -> str:
        """Return where a quote stands."""
        cells = f" {locator.cells}" if locator.cells else ""
        kind = self.places.get(locator.kind.value, locator.kind.value)
        return f"{kind} {locator.value}{cells}".strip()


@dataclass(frozen=True, slots=True)
class Export:
    """What is to be written: conversations, to one file, in one of `FORMS`."""

    chat_ids: tuple[int, ...]
    path: Path
    form: str
    words: Words = field(default_factory=Words)


def exporting(folder: DataFolder, export: Export) -> Work:
    """Return the work that writes conversations to a file, and yields its path."""

    def work(token: CancelToken) -> Iterator[object]:
        text = written(folder.get(token).catalog, export, token)
        token.check()
        put_in_place(export.path, text)
        yield export.path

    return work


def written(catalog: Catalog, export: Export, token: CancelToken | None = None) -> str:
    """Return conversations in the wanted form."""
    chat_ids = _checked(export.chat_ids, token or CancelToken())
    if export.form == "json":
        kept = [_kept(catalog, ChatId(each)) for each in chat_ids]
        whole = {"desktop_rag": "conversations", "version": 1, "conversations": kept}
        return json.dumps(whole, ensure_ascii=False, indent=1)
    shown = [transcript(catalog, each) for each in chat_ids]
    if export.form == "html":
        from desktop_rag.app.export_html import page

        return page(shown, export.words)
    from desktop_rag.app.export_markdown import markdown

    return markdown(shown, export.words)


def _checked(chat_ids: tuple[int, ...], token: CancelToken) -> Iterator[int]:
    """Give one conversation after the other, until somebody says stop."""
    for each in chat_ids:
        token.check()
        yield each


def put_in_place(path: Path, text: str) -> None:
    """Write a file whole or not at all; a UserError says why it could not be."""
    part = ""
    try:
        number, part = tempfile.mkstemp(
            dir=path.parent, prefix=f".{path.name[:40]}.", suffix=".part"
        )
        with os.fdopen(number, "w", encoding="utf-8", newline="\n") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        Path(part).replace(path)
    except OSError as error:
        if part:
            Path(part).unlink(missing_ok=True)
        raise UserError(
            f"{path} could not be written: {error.strerror or error}.", "Choose another place."
        ) from error


def _kept(catalog: Catalog, chat_id: ChatId) -> dict[str, Any]:
    """Return everything that is kept of a conversation, its branches among it."""
    chats = catalog.chats
    chat = chats.get(chat_id)
    shown = {message.id for message in chats.messages(chat_id)}
    messages = [
        {
            "id": message.id,
            "parent": message.parent or None,
            "shown": message.id in shown,
            "role": message.role,
            "text": message.text,
            "created": _moment(message.created),
            **(_answer(message) if message.role == "assistant" else {}),
        }
        for message in chats.every_message(chat_id)
    ]
    return {
        "title": chat.title,
        "knowledge_bases": list(chat.kbs),
        "created": _moment(chat.created),
        "changed": _moment(chat.changed),
        "messages": messages,
    }


def _answer(message: ChatMessage) -> dict[str, Any]:
    """Return how an answer came about: its sources by their numbers, its quotes, its steps."""
    turn = answered(Turn("", ""), message)
    payload = payload_of(message)
    return {
        "mode": payload.get("mode", ""),
        "strategy": turn.strategy,
        "model": payload.get("model"),
        "citations": [citation.as_json() for citation in turn.citations],
        "sources": [{"n": n, **each.as_json()} for n, each in enumerate(turn.sources, 1)],
        "also_retrieved": [each.as_json() for each in turn.also_retrieved()],
        "steps": [step.as_json() for step in turn.trace if not isinstance(step, PassagesFound)],
        "notices": list(turn.notices),
    }


def _moment(seconds: float) -> str:
    return datetime.fromtimestamp(seconds, UTC).isoformat(timespec="seconds")
