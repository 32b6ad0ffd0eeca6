"""Write on an answer that was cut at its limit, or in which the model broke off.

It goes on from the passages that the answer was given, without a search, and stays one answer: its
text grows, its sources keep their numbers, and its citations are found anew in all of it. What was
there is kept whatever happens, and can be continued again.
"""

from __future__ import annotations

import json
import time
from collections.abc import Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from typing import Any, cast

from desktop_rag.catalog.cited_documents import CitedDocument
from desktop_rag.catalog.facade import Catalog
from desktop_rag.catalog.stored_answer import StoredAnswer, payload_of, read_answer
from desktop_rag.commands.ask import timed_steps
from desktop_rag.commands.consent_check import common_consent
from desktop_rag.commands.conversation_recorder import (
    ConversationLog,
    TraceRecorder,
    kept_columns,
)
from desktop_rag.commands.research_setup import research_context_of
from desktop_rag.core.cancel import CancelToken
from desktop_rag.core.catalog_records import ChatMessage
from desktop_rag.core.errors import Cancelled, UserError
from desktop_rag.core.events import (
    NO_QUOTE,
    Answer,
    Event,
    Notice,
    Step,
    Token,
    ends_with_more,
)
from desktop_rag.core.language import language
from desktop_rag.core.phrases import Phrase, load
from desktop_rag.core.requests import ContinueRequest
from desktop_rag.core.types import ChatId, Passage
from desktop_rag.generation.citation_locator import locate_citations
from desktop_rag.strategies.base import Question, Steps, StrategyResult
from desktop_rag.strategies.research_tools import ResearchTools
from desktop_rag.workspace import Workspace

_MANNERS = ("answer/brief", "answer/chain_of_thought")
_SAVE_EVERY = 1.0  # seconds of an answer that a kill may cost


@dataclass(frozen=True, slots=True)
class CutAnswer:
    """An answer that can be continued; `gone` are those of its sources that are there no more."""

    question: ChatMessage
    message: ChatMessage
    stored: StoredAnswer
    gone: frozenset[int]

    @property
    def left(self) -> tuple[Passage, ...]:
        """The sources that are left."""
        return tuple(each for each in self.stored.sources if each.chunk_id not in self.gone)

    @property
    def sources(self) -> tuple[Passage, ...]:
        """All sources, in their order; of one that is gone nothing can be quoted."""
        return tuple(
            replace(each, text="") if each.chunk_id in self.gone else each
            for each in self.stored.sources
        )


def run(workspace: Workspace, request: ContinueRequest, token: CancelToken) -> Iterator[Event]:
    """Yield what happens while an answer is continued, and last the whole `Answer`."""
    before = _cut_answer(workspace, request)
    began = time.monotonic() - before.stored.seconds  # its steps go on where they ended
    research = _tools(workspace, request, before, token)
    record = _ContinuationRecorder(workspace.catalog, before)
    try:
        outcome = yield from _recorded(
            timed_steps(_continued(before, research), began), record, research
        )
        whole = _whole(workspace.catalog, before, outcome, research)
    except (Cancelled, GeneratorExit, UserError):
        record.stopped(research.tally.written)
        raise
    seconds = round(time.monotonic() - began, 4)
    answer = replace(whole, chat_id=request.chat_id, seconds=seconds)
    if answer.from_model and not answer.citations:
        notice = Notice(NO_QUOTE)
        record.take(notice)
        yield notice
    record.answered(answer)
    yield answer


def _cut_answer(workspace: Workspace, request: ContinueRequest) -> CutAnswer:
    """Return the conversation's last answer; a `UserError` where it cannot be continued."""
    catalog, chat_id = workspace.catalog, ChatId(request.chat_id)
    catalog.chats.get(chat_id)
    path = catalog.chats.messages(chat_id)
    if request.answer_id and (not path or path[-1].id != request.answer_id):
        raise UserError(
            "The conversation has gone on: only its last answer can be continued.",
            "Ask in it for what is missing.",
        )
    stored = read_answer(path[-1].payload) if path else StoredAnswer()
    if len(path) < 2 or not stored.is_unfinished:
        raise UserError(
            "The last answer of this conversation is whole: there is nothing to continue.",
            "Ask in the conversation for what is missing.",
        )
    if not stored.sources and workspace.settings.answering.only_documents:
        raise UserError(
            "This answer does not rest on your documents, and nothing else is allowed now.",
            "Turn off “Only from my documents”, or ask again.",
        )
    gone = frozenset(int(p.chunk_id) for p in stored.sources if not _is_there(catalog, p))
    if stored.sources and len(gone) == len({each.chunk_id for each in stored.sources}):
        raise UserError(
            "The documents that this answer rests on are gone, or have changed.",
            "Ask the question again.",
        )
    return CutAnswer(path[-2], path[-1], stored, gone)


def _is_there(catalog: Catalog, passage: Passage) -> bool:
    """Say whether a passage's document still has the content that it had."""
    cited = CitedDocument(passage.document_id, passage.path, passage.content_hash)
    found = catalog.cited.find(cited)
    return found is not None and found.is_same


def _tools(
    workspace: Workspace, request: ContinueRequest, before: CutAnswer, token: CancelToken
) -> ResearchTools:
    """Return the tools of the answer's question, read as it was read then."""
    catalog, asked = workspace.catalog, before.question
    names = catalog.chats.get(ChatId(request.chat_id)).kbs
    model = workspace.chat_model(
        request.model or before.stored.model or "", common_consent(workspace, names)
    )
    steps = (each for each in before.stored.steps() if isinstance(each, Step))
    condensed = next((str(each.text) for each in steps if each.name == "condensed"), "")
    log = ConversationLog(catalog, ChatId(request.chat_id), asked.parent)
    question = Question(
        condensed or asked.text,
        asked.text,
        language(asked.text),
        tuple(catalog.kbs.get(name).id for name in names),
        history=() if condensed else log.history(),
    )
    return ResearchTools(replace(research_context_of(workspace), model=model), question, token)


def _continued(before: CutAnswer, research: ResearchTools) -> Steps[StrategyResult]:
    """Have the rest written, after a word on sources that are gone."""
    if before.gone:
        yield Notice(
            Phrase(
                "{0} of the {1} passages of this answer are of documents that are gone or have "
                "changed: it was continued without them.",
                len(before.gone),
                len(before.stored.sources),
            )
        )
    kept = before.stored.manner
    manner = kept if kept in _MANNERS else _MANNERS[0]
    return (yield from research.resume(before.message.text, before.left, before.sources, manner))


def _recorded(
    steps: Steps[StrategyResult], record: _ContinuationRecorder, research: ResearchTools
) -> Steps[StrategyResult]:
    """Run the steps, with each of them remembered, and the text saved now and then."""
    with closing(steps):
        while True:
            try:
                event = next(steps)
            except StopIteration as end:
                return cast("StrategyResult", end.value)
            record.take(event)
            if isinstance(event, Token):
                record.save(research.tally.written)
            yield event


def _whole(
    catalog: Catalog, before: CutAnswer, outcome: StrategyResult, research: ResearchTools
) -> Answer:
    """Return the answer with what both parts of it took, and its citations, those of old first."""
    made = research.supported(outcome.text, outcome.sources, unfinished=outcome.unfinished)
    stay = [each for each in before.stored.citations if each.chunk_id in before.gone]
    found = locate_citations(made.citations, outcome.sources, catalog.documents)
    stored, tally, model = before.stored, research.tally, research.engine.model
    return Answer(
        text=made.text,
        mode="generated",
        citations=tuple(sorted((*stay, *found), key=lambda each: each.sentence)),
        strategy=stored.strategy,
        model=model.name if model else None,
        llm_calls=stored.llm_calls + tally.llm_calls,
        searches=stored.searches,
        passages=len(stored.sources),
        prompt_tokens=stored.prompt_tokens + tally.prompt_tokens,
        answer_tokens=stored.answer_tokens + tally.answer_tokens,
        seconds=0.0,
        from_model=made.from_model,
        sources=stored.sources,
        preset=stored.preset,
        awaits=stored.awaits,
    )


class _ContinuationRecorder:
    """What is kept of an answer while it is continued: all that was there, and what comes."""

    def __init__(self, catalog: Catalog, before: CutAnswer) -> None:
        self._catalog = catalog
        self._message = before.message
        self._before = payload_of(before.message.payload)
        self._trace = TraceRecorder()
        self._lost = catalog.quotes.lost
        self._saved = time.monotonic()

    def take(self, event: Event) -> None:
        """Remember a step."""
        self._trace.take(event)

    def save(self, text: str) -> None:
        """Keep what has come, still to be continued, for the case of a kill."""
        if time.monotonic() - self._saved > _SAVE_EVERY:
            self._keep(text, {}, self._told())
            self._saved = time.monotonic()

    def stopped(self, text: str) -> None:
        """Keep what has come; nothing where that is nothing."""
        if text.strip() not in ("", self._message.text.strip()):
            self._keep(text, {"mode": "stopped"}, self._told())

    def answered(self, answer: Answer) -> None:
        """Keep the whole answer; what was told of its end before is past."""
        told = [each for each in self._told() if not ends_with_more(load(each))]
        self._keep(answer.text, kept_columns(answer, None), told)

    def _told(self) -> list[str]:
        return list(map(str, self._before.get("notices", ())))

    def _keep(self, text: str, ended: dict[str, Any], told: Sequence[str]) -> None:
        new = self._trace.payload(())
        made = self._before | ended
        made["trace"] = [*self._before.get("trace", ()), *new["trace"]]
        made["notices"] = [*told, *new["notices"]]
        payload = json.dumps(made, ensure_ascii=False)
        self._catalog.chats.revise(self._message.id, text, payload)
        self._catalog.quotes.forget_in(self._message.id, self._lost)
