"""Conversations as files: Markdown, a web page, or JSON with all branches.

What is shown is written as text for people; JSON holds everything that is kept. No file is left
half written: the new one takes its place in one step.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

from desktop_rag.catalog.stored_answer import read_answer
from desktop_rag.core import temp_files
from desktop_rag.core.cancel import CancelToken
from desktop_rag.core.catalog_records import ChatMessage
from desktop_rag.core.errors import UserError
from desktop_rag.core.events import Notice, PassagesFound
from desktop_rag.core.phrases import Phrase
from desktop_rag.core.types import ChatId
from desktop_rag.gui.controllers.answer_decoder import decode_answer
from desktop_rag.gui.controllers.conversation_jobs import load_transcript
from desktop_rag.gui.controllers.data_folder import DataFolder
from desktop_rag.gui.controllers.export_labels import ExportLabels
from desktop_rag.gui.controllers.transcript import Turn

if TYPE_CHECKING:
    from desktop_rag.catalog.facade import Catalog

_TOLD_ELSEWHERE = (PassagesFound, Notice)  # among the sources, and as they are

FORMS: Mapping[str, str] = {"markdown": ".md", "html": ".html", "json": ".json"}
"""The forms, and how their files' names end."""


@dataclass(frozen=True, slots=True)
class ConversationExport:
    """What is to be written: conversations, to one file, in one of `FORMS`."""

    chat_ids: tuple[int, ...]
    path: Path
    form: str
    words: ExportLabels = field(default_factory=ExportLabels)


def write(folder: DataFolder, export: ConversationExport, token: CancelToken) -> Path:
    """Write conversations to a file, and return its path."""
    workspace = folder.get(token)
    text = written(workspace.catalog, export, token)
    token.check()
    write_atomically(export.path, text, workspace.data_dir)
    return export.path


def written(catalog: Catalog, export: ConversationExport, token: CancelToken | None = None) -> str:
    """Return conversations in the wanted form."""
    chat_ids = _checked(export.chat_ids, token or CancelToken())
    if export.form == "json":
        kept = [_kept(catalog, ChatId(each)) for each in chat_ids]
        whole = {"desktop_rag": "conversations", "version": 1, "conversations": kept}
        return json.dumps(whole, ensure_ascii=False, indent=1)
    shown = [load_transcript(catalog, each) for each in chat_ids]
    if export.form == "html":
        from desktop_rag.gui.controllers.export_html import page

        return page(shown, export.words)
    from desktop_rag.gui.controllers.export_markdown import markdown

    return markdown(shown, export.words)


def _checked(chat_ids: tuple[int, ...], token: CancelToken) -> Iterator[int]:
    """Give one conversation after the other, until somebody says stop."""
    for each in chat_ids:
        token.check()
        yield each


def write_atomically(path: Path, content: str | bytes, data_dir: Path) -> None:
    """Write a file whole or not at all; a UserError says why it could not be.

    Where a kill ends it, the next start on the data folder deletes what was written.
    """
    part = temp_files.hidden_path(path)
    try:
        with temp_files.noting_temp_file(data_dir, part):
            _write(part, content, path)
    except OSError as error:
        raise UserError(
            Phrase("{0} could not be written: {1}.", path, error.strerror or error),
            "Choose another place.",
        ) from error


def _write(part: Path, content: str | bytes, path: Path) -> None:
    """Write a new file that only its user may read, and give it its name when it is whole."""
    try:
        number = os.open(part, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with os.fdopen(number, "wb") as file:
            file.write(content.encode() if isinstance(content, str) else content)
            file.flush()
            os.fsync(file.fileno())
        part.replace(path)
    finally:
        part.unlink(missing_ok=True)


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
    turn = decode_answer(Turn("", ""), message)
    stored = read_answer(message.payload)
    return {
        "mode": stored.mode,
        "strategy": turn.strategy,
        "options": list(turn.options),
        "transforms": list(turn.transforms),
        "model": stored.model,
        "citations": [citation.as_json() for citation in turn.citations],
        "sources": [{"n": n, **each.as_json()} for n, each in enumerate(turn.sources, 1)],
        "also_retrieved": [each.as_json() for each in turn.also_retrieved()],
        "steps": [step.as_json() for step in turn.trace if not isinstance(step, _TOLD_ELSEWHERE)],
        "notices": list(turn.notices),
    }


def _moment(seconds: float) -> str:
    return datetime.fromtimestamp(seconds, UTC).isoformat(timespec="seconds")
