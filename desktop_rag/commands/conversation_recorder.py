"""Keep a conversation in the catalog: what was asked, what was answered, with sources and steps."""

from __future__ import annotations

import json
import logging
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any

from desktop_rag.catalog.facade import Catalog
from desktop_rag.catalog.stored_answer import passage_row, payload_of
from desktop_rag.commands.conversation_title import name_by_first_answer, title_of
from desktop_rag.core.catalog_records import SCORES
from desktop_rag.core.errors import UserError
from desktop_rag.core.events import (
    Answer,
    Chain,
    DocumentsTask,
    Draft,
    EarlierAnswer,
    Event,
    KbsChosen,
    ModelCall,
    Moment,
    Notice,
    NoticeCode,
    OtherKb,
    PassagesFound,
    QuestionStored,
    ResultTable,
    SearchStarted,
    Step,
    TableQuery,
    Token,
)
from desktop_rag.core.phrases import dump, has_code
from desktop_rag.core.requests import AskRequest
from desktop_rag.core.types import ChatId, Passage
from desktop_rag.models.protocols import Message
from desktop_rag.strategies.research_context import ResearchState

_PLAIN = (
    SearchStarted, Step, TableQuery, ResultTable, KbsChosen, OtherKb, Draft, ModelCall, Notice
)  # fmt: skip
_SAVE_EVERY = 1.0  # seconds of an answer that a kill may cost

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class ConversationLog:
    """One kept conversation, or none: then nothing is remembered.

    `after` is the message after which is asked, None the end of the branch that is shown. Of a
    conversation that `is_read_only` the question knows what was said, and is not kept in it.
    """

    catalog: Catalog
    chat_id: ChatId | None
    after: int | None = None
    is_read_only: bool = False

    def history(self) -> tuple[Message, ...]:
        """Return what was said before, in order, without questions that have no answer."""
        if self.chat_id is None:
            return ()
        told: list[Message] = []
        for each in self.catalog.chats.messages(self.chat_id, self.after):
            if each.role == "assistant" and not _was_answered(each.text, each.payload):
                if told and told[-1].role == "user":
                    told.pop()
                continue
            told.append(Message(each.role, each.text))
        return tuple(told)

    def asked(self, question: str, task: DocumentsTask | None = None) -> AnswerRecorder:
        """Keep a question, or a `task` over whole documents; what comes of it is given to the
        record.
        """
        if self.chat_id is None or self.is_read_only:
            return AnswerRecorder(self.catalog)
        chats = self.catalog.chats
        asked = chats.append(self.chat_id, "user", question, parent=self.after)
        payload = json.dumps(_ended("running") | _columns_of(task))
        answer = chats.append(self.chat_id, "assistant", "", payload, asked)
        return AnswerRecorder(
            self.catalog,
            QuestionStored(self.chat_id, asked, answer, chats.versions(asked)),
            _columns_of(task),
        )


class TraceRecorder:
    """The steps of an answer as the command line prints them, every passage written once."""

    def __init__(self) -> None:
        self._lines: list[dict[str, Any]] = []
        self._notices: list[Any] = []
        self._said: list[str] = []
        self._passages: dict[int, Passage] = {}

    @property
    def notices(self) -> list[str]:
        """What was said beside the answer."""
        return list(self._said)

    def take(self, event: Event) -> None:
        """Remember a step; tokens and the answer are none."""
        if isinstance(event, Notice):
            self._said.append(event.text)
            self._notices.append(dump(event.text))
        if isinstance(event, PassagesFound):
            self._note(event, self._found(event))
        elif isinstance(event, Chain):
            self._note(event, _chained(event))
        elif isinstance(event, EarlierAnswer):  # the question goes with its own conversation
            self._note(event, replace(event, question="").as_json())
        elif isinstance(event, _PLAIN):
            self._note(event, event.as_json() | _phrases_of(event))

    def payload(self, sources: Sequence[Passage]) -> dict[str, Any]:
        """Return the steps with the passages that they speak of, the numbered ones apart."""
        numbered = {int(source.chunk_id) for source in sources}
        rest = [each for number, each in self._passages.items() if number not in numbered]
        return {
            "sources": [*map(passage_row, sources)],
            "retrieved": [*map(passage_row, rest)],
            "trace": self._lines,
            "notices": self._notices,
        }

    def _note(self, event: Moment, line: dict[str, Any]) -> None:
        self._lines.append(line if event.at is None else line | {"at": event.at})

    def _found(self, event: PassagesFound) -> dict[str, Any]:
        """Return a search's line with numbers, ranks and scores instead of passages.

        A passage that several searches found has another score in each.
        """
        for each in event.passages:
            self._passages.setdefault(int(each.chunk_id), each)
        found = [
            [int(each.chunk_id), each.rank, each.chunk_id in event.kept] for each in event.passages
        ]
        scores = [[getattr(each, name) for name in SCORES] for each in event.passages]
        return {"event": event.event, "query": event.query, "passages": found, "scores": scores}


def _phrases_of(event: Event) -> dict[str, Any]:
    """Return what an event says as what it is made of, to be shown in any language later."""
    match event:
        case SearchStarted():
            return {"why": dump(event.why)}
        case Step() | Notice():
            return {"text": dump(event.text)}
        case ModelCall():
            dropped = [dump(each) for each in event.dropped]
            return {"purpose": dump(event.purpose), "dropped": dropped}
    return {}


def _chained(chain: Chain) -> dict[str, Any]:
    """Return a chain's line without titles: those are the passages', and go when they go."""
    line = chain.as_json()
    del line["title"]
    follows = [{k: v for k, v in each.items() if k != "title"} for each in line["follows"]]
    return line | {"follows": follows}


class AnswerRecorder:
    """What is kept of one question while it is answered; nothing, without a place to keep it.

    `columns` are kept beside all that comes.
    """

    def __init__(
        self,
        catalog: Catalog,
        place: QuestionStored | None = None,
        columns: Mapping[str, Any] | None = None,
    ) -> None:
        self._catalog = catalog
        self._place = place
        self._columns = dict(columns or {})
        self._trace = TraceRecorder()
        self._saved = 0.0
        self._lost = catalog.quotes.lost

    @property
    def chat_id(self) -> int | None:
        """The conversation, if it is kept."""
        return self._place.chat_id if self._place is not None else None

    @property
    def answer_id(self) -> int:
        """The answer's message, 0 where it is not kept."""
        return self._place.answer_id if self._place is not None else 0

    def says(self, code: NoticeCode) -> bool:
        """Say whether a notice has said this."""
        return any(has_code(each, code) for each in self._trace.notices)

    def has_said(self, event: Event) -> bool:
        """Say whether this is a notice that was there before."""
        return isinstance(event, Notice) and event.text in self._trace.notices

    def place(self) -> Iterator[Event]:
        """Yield where the question is kept."""
        if self._place is not None:
            yield self._place

    def take(self, event: Event, tally: ResearchState) -> None:
        """Remember a step; save what is written now and then, for the case of a kill."""
        self._trace.take(event)
        is_progress = isinstance(event, Token) or (bool(self._columns) and isinstance(event, Step))
        if is_progress and time.monotonic() - self._saved > _SAVE_EVERY:
            self._save(tally)

    def answered(self, answer: Answer, request: AskRequest | None = None, manner: str = "") -> None:
        """Keep an answer with everything that showing it again, or continuing it, needs."""
        columns = kept_columns(answer, request)
        columns |= {"manner": manner} if manner else {}
        self._keep(answer.text, columns, answer.sources)
        if self._place is not None:
            name_by_first_answer(self._catalog, ChatId(self._place.chat_id))

    def stopped(self, tally: ResearchState, strategy: str) -> None:
        """Keep what had come of an answer when it was stopped."""
        self._keep(tally.written, _ended("stopped", strategy=strategy), tally.shown)

    def failed(self, error: UserError, tally: ResearchState, strategy: str) -> None:
        """Keep why there is no answer, and what had come of it."""
        why = _ended(
            "failed",
            strategy=strategy,
            what=dump(error.what),
            remedy=dump(error.remedy),
        )
        self._keep(tally.written, why, tally.shown)

    def _save(self, tally: ResearchState) -> None:
        try:
            self._keep(tally.written, _ended("running"), tally.shown)
        except UserError:
            _log.warning("an unfinished answer could not be saved", exc_info=True)
        self._saved = time.monotonic()

    def _keep(self, text: str, ended: dict[str, Any], sources: Sequence[Passage]) -> None:
        if self._place is not None:
            made = ended | self._columns | self._trace.payload(sources)
            payload = json.dumps(made, ensure_ascii=False)
            self._catalog.chats.revise(self._place.answer_id, text, payload)
            self._catalog.quotes.forget_in(self._place.answer_id, self._lost)


def with_scope(catalog: Catalog, request: AskRequest) -> AskRequest:
    """Return a request that names what it asks; it goes on in what its conversation asked."""
    if request.kbs or request.chat_id is None:
        return request
    return replace(request, kbs=catalog.chats.get(ChatId(request.chat_id)).kbs)


def open_conversation(catalog: Catalog, request: AskRequest) -> ConversationLog:
    """Return the conversation that a request goes on with, or begins, or none."""
    if request.chat_id is not None:
        chat = catalog.chats.get(ChatId(request.chat_id))
        if chat.kbs != request.kbs:
            catalog.chats.ask_of(chat.id, request.kbs)
        return ConversationLog(catalog, chat.id, request.after, request.unkept)
    if request.new_chat:
        chat_id = catalog.chats.create(title_of(request.question), request.kbs)
        return ConversationLog(catalog, chat_id)
    return ConversationLog(catalog, None)


def kept_columns(answer: Answer, request: AskRequest | None) -> dict[str, Any]:
    """Return what is kept of an answer beside its text and its steps.

    Of one that waits for files it is kept how it was asked: it is asked again in the same way.
    """
    ended = answer.as_json()
    del ended["text"]  # it is the message's own
    if answer.awaits is None or request is None:
        return ended
    return ended | {"request": asdict(request)}


def _ended(mode: str, **more: Any) -> dict[str, Any]:
    return {"event": "answer", "mode": mode, **more}


def _columns_of(task: DocumentsTask | None) -> dict[str, Any]:
    return {} if task is None else {"task": asdict(task)}


def _was_answered(text: str, payload: str) -> bool:
    return bool(text) and payload_of(payload).get("mode") != "refused"
