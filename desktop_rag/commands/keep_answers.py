"""Keep an answer, so that near questions are told of it; or keep it no longer; or list them."""

from __future__ import annotations

from collections.abc import Generator

from desktop_rag.catalog.facade import Catalog
from desktop_rag.catalog.stored_answer import read_answer
from desktop_rag.commands.near_kept_answers import told_of
from desktop_rag.core.cancel import CancelToken
from desktop_rag.core.errors import UsageError, UserError
from desktop_rag.core.events import Event, ListingRow
from desktop_rag.core.phrases import Phrase
from desktop_rag.core.requests import KeepRequest
from desktop_rag.core.types import ChatId
from desktop_rag.workspace import Workspace

_WHOLE = ("generated", "extracted")


def run(
    workspace: Workspace, request: KeepRequest, token: CancelToken
) -> Generator[Event, None, None]:
    """Do it, and yield a row for each answer that is kept then."""
    token.check()
    catalog = workspace.catalog
    if request.action not in ("keep", "release", "list"):
        raise UsageError(Phrase("Answers can't be told to {0}.", f"{request.action!r}"))
    if request.action != "list":
        number = _answer(catalog, request)
        if request.action == "keep":
            catalog.kept.keep(number)
        else:
            catalog.kept.release(number)
    for each in catalog.kept.all():
        told = told_of(catalog, each).as_json()
        yield ListingRow({name: value for name, value in told.items() if name != "event"})


def _answer(catalog: Catalog, request: KeepRequest) -> int:
    """Return the message that is meant: a whole answer of the conversation."""
    path = catalog.chats.every_message(catalog.chats.get(ChatId(request.chat_id)).id)
    shown = catalog.chats.messages(ChatId(request.chat_id))
    wanted = request.answer_id or next(
        (each.id for each in reversed(shown) if each.role == "assistant"), 0
    )
    found = next((each for each in path if each.id == wanted and each.role == "assistant"), None)
    if found is None:
        raise UserError(
            Phrase("Conversation {0} has no such answer.", request.chat_id),
            "Name one of its answers, or none for the last one.",
        )
    stored = read_answer(found.payload)
    is_whole = stored.mode in _WHOLE and not stored.is_unfinished
    if request.action == "keep" and not (is_whole and found.text.strip()):
        raise UserError(
            "Only whole answers can be kept: this one was stopped, failed, or found nothing.",
            "Ask the question again.",
        )
    return found.id
