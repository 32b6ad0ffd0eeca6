"""Give a kept answer again where the same question is asked of unchanged documents.

The same is: the same words, whatever their case, width, blanks and closing marks; the same way with
the same options, filter, model and settings; and knowledge bases in which nothing was added,
removed, changed or prepared since the answer was begun. A question that goes on in a conversation
is not the same: what was said before decides its answer, too. Only whole answers of kept
conversations are given again (docs/decisions/0076-answers-are-given-again.md). A cache of exact
questions, where GPTCache (Bang 2023, § 2) would take similar ones for the same.
"""

from __future__ import annotations

import hashlib
import json
import unicodedata
from datetime import date, datetime
from typing import Any

from desktop_rag.catalog.reusable_answers import ReusableAnswer
from desktop_rag.catalog.stored_answer import read_answer
from desktop_rag.commands.conversation_recorder import AnswerRecorder
from desktop_rag.core import version
from desktop_rag.core.cancel import CancelToken
from desktop_rag.core.errors import ModelUnavailable
from desktop_rag.core.events import Answer, EarlierAnswer, KbsChosen, ModelCall, Notice, NoticeCode
from desktop_rag.core.phrases import Phrase
from desktop_rag.core.requests import AskRequest
from desktop_rag.core.settings_file import setting_declarations, value_of
from desktop_rag.models.ollama.chat_model import OllamaChat
from desktop_rag.models.openai_compatible import OpenAIChat
from desktop_rag.models.protocols import ChatModel
from desktop_rag.strategies.base import Steps
from desktop_rag.strategies.presets import Composition
from desktop_rag.strategies.research_tools import ResearchTools
from desktop_rag.workspace import Workspace

_RECIPE = 1
"""Raise it when answers come about otherwise under the same settings and program version."""
_OF_ANSWERS = ("retrieval.", "chunking.", "models.", "ollama.", "answering.")
_NOT_OF_ANSWERS = (
    "models.threads",
    "ollama.host",  # the model counts, by its digest
    "ollama.model",
    "ollama.keep_alive",
    "answering.strategy",  # the way of this question counts
    "answering.options",
    "answering.reuse",
    "answering.earlier",
)
_CLOSING = " .?!…。｡"
_UNFINISHED = (NoticeCode.BROKEN_OFF, NoticeCode.CUT)


def same_question(text: str) -> str:
    """Return what is the same for two writings of a question."""
    folded = unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", text).casefold())
    return " ".join(folded.split()).rstrip(_CLOSING) or folded


class AnswerReuse:
    """Whether one question's answer is there already, and whether it may be given again later."""

    def __init__(self, workspace: Workspace, request: AskRequest, way: Composition) -> None:
        self._workspace = workspace
        self._request = request
        self._way = way
        self._key = ""
        self._state = ""
        self._has_model = False

    def find(self, research: ResearchTools, model: ChatModel | None) -> ReusableAnswer | None:
        """Return the answer that can be given again; None where the question is to be researched.

        What decides the answer is noted, as it is before the research begins.
        """
        question, settings = research.question, self._workspace.settings
        if not settings.answering.reuse or question.history:
            return None
        answered = self._workspace.catalog.answered
        self._state = answered.state([*question.kbs, *(each.id for each in question.others)])
        self._key = self._digest(research, model)
        self._has_model = model is not None
        if not (self._state and self._key and self._request.may_reuse):
            return None
        return answered.find(self._key, self._state)

    def note(self, record: AnswerRecorder, answer: Answer, research: ResearchTools) -> None:
        """Let an answer that is kept be given again, where it is whole."""
        tally = research.tally
        if not (self._key and self._state and record.answer_id) or tally.is_reused:
            return
        is_cut = tally.problems or any(record.says(each) for each in _UNFINISHED)
        lacked_model = record.says(NoticeCode.QUOTES_ONLY) and self._has_model
        is_refused = answer.mode == "refused" and not self._has_model
        if not (is_cut or lacked_model or is_refused or answer.awaits is not None):
            self._workspace.catalog.answered.note(record.answer_id, self._key, self._state)

    def _digest(self, research: ResearchTools, model: ChatModel | None) -> str:
        """Return what stands for all that decides an answer beside the documents; "" unknown."""
        request, way, settings = self._request, self._way, self._workspace.settings
        keys = [each.key for each in setting_declarations() if each.key.startswith(_OF_ANSWERS)]
        parts: dict[str, Any] = {
            "program": [_RECIPE, version.installed()],
            "question": same_question(request.question),
            "language": research.question.language,
            "kbs": sorted(map(int, research.question.kbs)),
            "others": sorted(int(each.id) for each in research.question.others),
            "way": [way.preset, way.strategy.name, [each.name for each in way.transforms]],
            "asked": [request.transforms, request.k, request.where, request.as_written],
            "options": sorted(request.options.items()),
            "settings": {
                key: str(value_of(settings, key)) for key in keys if key not in _NOT_OF_ANSWERS
            },
        }
        if self._depends_on_day():
            parts["day"] = date.today().isoformat()
        try:
            parts["model"] = None if model is None else _identity(model, research.token)
        except ModelUnavailable:
            return ""
        return hashlib.sha256(json.dumps(parts, sort_keys=True).encode()).hexdigest()

    def _depends_on_day(self) -> bool:
        """Say whether an answer may be another tomorrow: ages and dates count from today."""
        names = {each.name for each in self._way.transforms}
        is_aged = self._workspace.settings.retrieval.half_life_days > 0
        return is_aged or bool(self._request.where) or "self_query" in names


def given_again(found: ReusableAnswer, research: ResearchTools) -> Steps[Answer]:
    """Yield how an answer came about, and that it is an earlier one; return it.

    Nothing was called or searched for it now, and its figures say so.
    """
    stored = read_answer(found.payload)
    research.tally.is_reused = True
    for step in stored.steps():
        if not isinstance(step, (ModelCall, EarlierAnswer, KbsChosen)):
            yield step
    yield from research.keep(found.text)
    research.tally.shown = stored.sources
    day = datetime.fromtimestamp(found.asked).astimezone()
    yield Notice(
        Phrase(
            "Answered before, on {0}; the documents have not changed since.",
            day.strftime("%Y-%m-%d %H:%M"),
            code=NoticeCode.ANSWERED_BEFORE,
        )
    )
    return Answer(
        text=found.text,
        mode=stored.mode,
        citations=stored.citations,
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


def _identity(model: ChatModel, token: CancelToken) -> list[str]:
    digest = model.digest(token) if isinstance(model, (OllamaChat, OpenAIChat)) else ""
    return [model.name, digest]
