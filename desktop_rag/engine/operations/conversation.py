"""Keep a conversation in the catalog: what was asked, what was answered, with its sources."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

from desktop_rag.core.events import Answer
from desktop_rag.core.requests import AskRequest
from desktop_rag.core.types import ChatId, Passage
from desktop_rag.engine.models.protocols import Message
from desktop_rag.engine.strategies.research import Tally
from desktop_rag.store.catalog import Catalog

_TITLE = 80  # characters of a question that name its conversation


@dataclass(frozen=True, slots=True)
class Conversation:
    """One kept conversation, or none: then nothing is remembered."""

    catalog: Catalog
    chat_id: ChatId | None

    def history(self) -> tuple[Message, ...]:
        """Return what was said before, in order; refusals are left out, with their questions."""
        if self.chat_id is None:
            return ()
        told: list[Message] = []
        for each in self.catalog.chats.messages(self.chat_id):
            if each.role == "assistant" and _refused(each.payload):
                if told and told[-1].role == "user":
                    told.pop()
                continue
            told.append(Message(each.role, each.text))
        return tuple(told)

    def asked(self, question: str) -> None:
        """Keep a question."""
        if self.chat_id is not None:
            self.catalog.chats.append(self.chat_id, "user", question)

    def answered(self, answer: Answer) -> None:
        """Keep an answer with everything that showing it again needs."""
        self._append(answer.text, answer.as_json() | {"sources": _whole(answer.sources)})

    def stopped(self, tally: Tally, strategy: str) -> None:
        """Keep what had come of an answer when it was stopped."""
        payload = {"event": "answer", "mode": "stopped", "strategy": strategy}
        self._append(tally.written, payload | {"sources": _whole(tally.shown)})

    def _append(self, text: str, payload: dict[str, Any]) -> None:
        if self.chat_id is not None:
            written = json.dumps(payload, ensure_ascii=False)
            self.catalog.chats.append(self.chat_id, "assistant", text, written)


def conversation(catalog: Catalog, request: AskRequest) -> Conversation:
    """Return the conversation that a request goes on with, or begins, or none."""
    if request.chat_id is not None:
        return Conversation(catalog, catalog.chats.get(ChatId(request.chat_id)).id)
    if request.new_chat:
        title = " ".join(request.question.split())[:_TITLE]
        return Conversation(catalog, catalog.chats.create(title, request.kbs))
    return Conversation(catalog, None)


def _whole(sources: Sequence[Passage]) -> list[dict[str, Any]]:
    return [asdict(source) for source in sources]


def _refused(payload: str) -> bool:
    try:
        kept = json.loads(payload or "{}")
    except ValueError:
        return False
    return isinstance(kept, dict) and kept.get("mode") == "refused"
