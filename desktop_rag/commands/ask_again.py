"""Ask a kept answer's question again when the files are read that waited while it was made.

It is asked as it was the first time, and once: an answer that was asked again when no file waited
does not wait any more. What comes of it is a further version, with a sentence of what changed.
Where nothing did, the answer stays and is confirmed. Nothing is asked over a newer message, nor
where passages would leave this computer without consent.
"""

from __future__ import annotations

import json
from collections.abc import Generator, Iterable, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from pathlib import PurePath

from desktop_rag.catalog.facade import Catalog
from desktop_rag.catalog.stored_answer import StoredAnswer, payload_of, read_answer
from desktop_rag.commands import ask
from desktop_rag.commands.consent_check import missing_consent
from desktop_rag.commands.conversation_recorder import TraceRecorder, kept_columns
from desktop_rag.commands.conversation_title import name_by_first_answer
from desktop_rag.commands.unread_files import unread_files
from desktop_rag.core.cancel import CancelToken
from desktop_rag.core.catalog_records import ChatMessage
from desktop_rag.core.events import Answer, AwaitedFiles, Notice, NoticeCode
from desktop_rag.core.phrases import Phrase, SourceName, dump, has_code, joined, load
from desktop_rag.core.requests import AskRequest
from desktop_rag.core.types import ChatId, Citation, FileStatus, KbId
from desktop_rag.workspace import Workspace

_CODE = NoticeCode.ASKED_AGAIN


class AskedAgain(StrEnum):
    """What came of it; but for the first two nothing was kept."""

    CHANGED = "changed"
    CONFIRMED = "confirmed"
    NOT_DUE = "not due"
    OVERTAKEN = "overtaken"
    NO_CONSENT = "no consent"
    NO_MODEL = "no model"


@dataclass(frozen=True, slots=True)
class AskingAgain:
    """So many files were read since: the question is being asked again."""

    files: int


@dataclass(frozen=True, slots=True)
class WaitingAnswer:
    """An answer that waits for files: its messages, and what is kept of it.

    `kbs` are the knowledge bases that it was asked of, by their names of today.
    """

    question: ChatMessage
    message: ChatMessage
    stored: StoredAnswer
    request: AskRequest
    awaits: AwaitedFiles
    kbs: tuple[KbId, ...]


def ask_again(
    workspace: Workspace, chat_id: ChatId, answer_id: int, token: CancelToken
) -> Generator[AskingAgain, None, AskedAgain]:
    """Ask again if it is time to, keep what comes of it, and return what that was."""
    catalog = workspace.catalog
    before = _waiting_answer(catalog, chat_id, answer_id)
    if before is None:
        return AskedAgain.OVERTAKEN
    left = _files_left(catalog, before)
    if left is None:
        return AskedAgain.NOT_DUE
    awaits = AwaitedFiles(left) if left else None
    count = sum(catalog.files.count_read(kb, before.message.created) for kb in before.kbs)
    if not count:  # they are gone, or could not be read: nothing else can be said than before
        _confirm(catalog, before, awaits, "")
        return AskedAgain.CONFIRMED
    request = replace(before.request, unkept=True, may_reuse=False)
    if missing_consent(workspace, request, token) is not None:
        return AskedAgain.NO_CONSENT
    yield AskingAgain(count)
    lost, trace = catalog.quotes.lost, TraceRecorder()
    answer = _answer(workspace, request, trace, token)
    if before.stored.mode == "generated" and answer.mode == "extracted":
        return AskedAgain.NO_MODEL
    if is_same(before.message.text, before.stored, answer):
        _confirm(catalog, before, awaits, joined(_read(count), Phrase("Nothing changed.")))
        return AskedAgain.CONFIRMED
    trace.take(Notice(joined(_read(count), _change(before.stored, answer))))
    columns = kept_columns(replace(answer, awaits=awaits, chat_id=chat_id), before.request)
    payload = json.dumps(columns | trace.payload(answer.sources), ensure_ascii=False)
    kept = catalog.chats.append_version(chat_id, answer_id, answer.text, payload)
    if kept is None:
        return AskedAgain.OVERTAKEN
    catalog.quotes.forget_in(kept, lost)
    name_by_first_answer(catalog, chat_id)
    return AskedAgain.CHANGED


def stop_waiting(catalog: Catalog, answer_id: int) -> None:
    """Let an answer wait no more: it is not asked again by itself."""
    catalog.chats.amend(answer_id, _without_waiting)


def is_same(text: str, stored: StoredAnswer, answer: Answer) -> bool:
    """Say whether an answer says what was said before: by the same words, or the same quotes."""
    if stored.mode != answer.mode:
        return False
    quotes, now = _quotes(stored.citations), _quotes(answer.citations)
    return text.split() == answer.text.split() or (bool(quotes) and quotes == now)


def _waiting_answer(catalog: Catalog, chat_id: ChatId, answer_id: int) -> WaitingAnswer | None:
    """Return an answer that waits for files, the last message and the newest version; else None."""
    chats = catalog.chats
    path = chats.messages(chat_id)
    if len(path) < 2 or path[-1].id != answer_id:
        return None
    question, message = path[-2:]
    if chats.versions(question.id)[-1] != question.id:
        return None
    stored = read_answer(message.payload)
    if stored.awaits is None or stored.request is None:
        return None
    names = chats.get(chat_id).kbs
    request = replace(
        stored.request, kbs=names, chat_id=chat_id, new_chat=False, after=question.parent
    )
    kbs = tuple(catalog.kbs.get(name).id for name in names)
    return WaitingAnswer(question, message, stored, request, stored.awaits, kbs)


def _files_left(catalog: Catalog, before: WaitingAnswer) -> int | None:
    """Return how many files still wait where it is time to ask again, else None."""
    counts = (catalog.files.counts(kb) for kb in before.kbs)
    left = sum(each.get(FileStatus.QUEUED, 0) for each in counts)
    named = before.awaits.named
    if left and not (named and all(_is_done(catalog, before.kbs, path) for path in named)):
        return None
    return left


def _is_done(catalog: Catalog, kbs: Iterable[KbId], path: str) -> bool:
    """Say whether nothing at a path waits to be read."""
    rows = (catalog.files.get(kb, path) for kb in kbs)
    return all(row is None or row.status is not FileStatus.QUEUED for row in rows)


def _answer(
    workspace: Workspace, request: AskRequest, trace: TraceRecorder, token: CancelToken
) -> Answer:
    """Answer a question without keeping it; its steps are."""
    last = None
    for event in ask.run(workspace, request, token):
        token.check()
        trace.take(event)
        last = event
    if not isinstance(last, Answer):
        message = "an ask ends with its answer"
        raise TypeError(message)
    return last


def _confirm(
    catalog: Catalog, before: WaitingAnswer, awaits: AwaitedFiles | None, told: str
) -> None:
    """Let an answer stand, with what is to be said of unread files now."""
    is_refused = before.stored.mode == "refused"
    unread = unread_files(catalog, before.kbs, before.request.question)
    news = [each.text for each in unread.notices(is_refused=is_refused)]
    news += [told] if told else []

    def amended(raw: str) -> str:
        kept = payload_of(_without_waiting(raw))
        stay = [each for each in map(str, kept.get("notices", ())) if not _is_past(each)]
        kept["notices"] = [*stay, *map(dump, news)]
        if awaits is not None:
            kept |= {"awaits": awaits.as_json(), "request": payload_of(raw).get("request")}
        return json.dumps(kept, ensure_ascii=False)

    catalog.chats.amend(before.message.id, amended)


def _is_past(notice: str) -> bool:
    told = load(notice)
    return has_code(told, NoticeCode.UNREAD_FILES) or has_code(told, NoticeCode.ASKED_AGAIN)


def _without_waiting(raw: str) -> str:
    kept = payload_of(raw)
    left = {name: each for name, each in kept.items() if name not in ("awaits", "request")}
    return json.dumps(left, ensure_ascii=False)


def _quotes(citations: Sequence[Citation]) -> set[tuple[str, str]]:
    return {(each.path, each.quote) for each in citations}


def _change(stored: StoredAnswer, answer: Answer) -> Phrase:
    """Return what is new in an answer."""
    known = {each.path for each in stored.citations}
    new = {each.path: each for each in answer.citations if each.path not in known}
    names = [SourceName(PurePath(path).name, each.chunk_id) for path, each in new.items()]
    if not names:
        return Phrase("The answer has changed.")
    if len(names) == 1:
        return Phrase("The answer now cites {0}.", names[0])
    if len(names) == 2:
        return Phrase("The answer now cites {0} and {1}.", *names)
    return Phrase("The answer now cites {0}, {1} and others.", *names[:2])


def _read(count: int) -> Phrase:
    if count == 1:
        return Phrase("Asked again after one file was read.", code=_CODE)
    return Phrase("Asked again after {0} files were read.", count, code=_CODE)
