"""The same question asked again of unchanged documents is given the answer that is kept of it.

As GPTCache (Bang 2023, "GPTCache: An Open-Source Semantic Cache for LLM Applications") does, but
for the same words only: what a question near another one is answered is another matter. An answer
is known by a digest of all that decided it, the state of the documents with it: after any change
there is no answer of that digest, and the question is answered anew.
"""

from __future__ import annotations

import hashlib
import json
import time
import unicodedata
from collections.abc import Sequence
from dataclasses import asdict
from datetime import date

from desktop_rag.catalog.stored_answer import read_answer
from desktop_rag.core.catalog_records import ChatMessage
from desktop_rag.core.events import (
    Answer,
    Notice,
    NoticeCode,
    PassagesFound,
    ResultTable,
    is_unfinished,
)
from desktop_rag.core.phrases import Phrase
from desktop_rag.core.requests import AskRequest
from desktop_rag.core.settings import VERSION
from desktop_rag.generation.citation_locator import locate_citations
from desktop_rag.strategies.base import Question, Steps
from desktop_rag.strategies.presets import Composition
from desktop_rag.strategies.research_tools import ResearchTools
from desktop_rag.workspace import Workspace

_END_MARKS = "?？!！.。… "


def earlier_answer(
    workspace: Workspace, request: AskRequest, way: Composition, research: ResearchTools
) -> ChatMessage | None:
    """Return the first answer that is kept of the same question; None where there is none.

    Under what digest this one is to be kept is noted in the tally.
    """
    model = research.engine.model
    key = answer_key(workspace, request, way, research.question, model.name if model else "")
    research.tally.answer_key = key
    if not key or request.anew:
        return None
    return workspace.catalog.chats.answered(key)


def answer_key(
    workspace: Workspace, request: AskRequest, way: Composition, question: Question, model: str
) -> str:
    """Return the digest of what decides the answer to a question; "" of one that leans on others.

    A follow-up means what was said before it; what is asked beside a conversation is kept nowhere.
    """
    is_kept = (request.chat_id is not None or request.new_chat) and not request.unkept
    if not workspace.settings.answering.reuse or not is_kept:
        return ""
    if question.history:
        return ""
    settings = workspace.settings
    dated = request.where or settings.retrieval.half_life_days
    decided = {
        "version": VERSION,
        "question": same_words(request.question),
        "kbs": sorted(int(each) for each in question.kbs),
        "documents": workspace.catalog.kbs.content_state(question.kbs),
        "where": request.where,
        "today": date.today().isoformat() if dated else "",
        "way": [way.strategy.name, way.preset, request.transforms, sorted(request.options.items())],
        "k": request.k,
        "as_written": request.as_written,
        "model": model,
        "models": asdict(settings.models),
        "settings": [asdict(each) for each in (settings.retrieval, settings.answering)],
        "ollama": asdict(settings.ollama),
    }
    told = json.dumps(decided, sort_keys=True, default=str, ensure_ascii=False)
    return hashlib.sha256(told.encode("utf-8", "replace")).hexdigest()


def same_words(question: str) -> str:
    """Return a question as it is compared: case, width, spaces and end marks say nothing."""
    plain = " ".join(unicodedata.normalize("NFKC", question).split())
    return plain.rstrip(_END_MARKS).casefold()


def can_be_given_again(answer: Answer, notices: Sequence[str]) -> bool:
    """Say whether an answer is whole, cited, and waits for no file."""
    if answer.mode not in ("generated", "extracted") or answer.awaits is not None:
        return False
    return bool(answer.citations) and not is_unfinished(notices)


def given_again(
    earlier: ChatMessage, workspace: Workspace, research: ResearchTools
) -> Steps[Answer]:
    """Give an answer that is kept, with its sources, and say when it was written."""
    stored = read_answer(earlier.payload)
    day = time.strftime("%Y-%m-%d", time.localtime(earlier.created))
    yield Notice(
        Phrase(
            "This was answered on {0}. The documents have not changed since.",
            day,
            code=NoticeCode.GIVEN_AGAIN,
        )
    )
    ids = frozenset(int(each.chunk_id) for each in stored.sources)
    yield PassagesFound("", stored.sources, ids)
    research.tally.shown = stored.sources
    research.tally.has_queried = any(each["event"] == ResultTable.event for each in stored.trace)
    yield from research.keep(earlier.text)
    cited = locate_citations(stored.citations, stored.sources, workspace.catalog.documents)
    return Answer(
        text=earlier.text,
        mode=stored.mode,
        citations=cited,
        strategy=stored.strategy,
        model=stored.model,
        llm_calls=0,
        searches=0,
        passages=len(stored.sources),
        prompt_tokens=0,
        answer_tokens=0,
        seconds=0.0,
        from_model=stored.from_model,
        sources=stored.sources,
    )
