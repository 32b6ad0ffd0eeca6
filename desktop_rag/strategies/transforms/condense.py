"""Condense: a follow-up is made to stand alone, from what was said before it.

That is done before any other transform and strategy, which see the question that it gives.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import ClassVar

from desktop_rag.core.errors import ModelUnavailable
from desktop_rag.core.events import Step
from desktop_rag.core.language import content_words
from desktop_rag.generation import question_condensing
from desktop_rag.models.protocols import GenerationOptions
from desktop_rag.strategies.base import Question, Steps, Strategy, StrategyResult, StrategyTools
from desktop_rag.strategies.research_tools import ResearchTools
from desktop_rag.strategies.transforms.base import Researcher

_TOKENS = 160  # of a question; the call is a helper's: short, and without thinking


def condense_question(research: ResearchTools) -> Steps[Question]:
    """Return the question with what it silently refers to put in, and show that as a step.

    The model is asked; without one, or where it fails, the question before is put in front.
    """
    question = research.question
    if not question.history:
        return question
    text = yield from _asked(research)
    text = text or question_condensing.join_if_follow_up(question.history, question.text)
    if text != question.text:
        yield Step("condensed", text)
    return replace(question, text=text, history=())


def retry_other_reading(
    strategy: Strategy, outcome: StrategyResult, research: ResearchTools, typed: Question
) -> Steps[StrategyResult]:
    """Return the outcome; where quotes were looked for in vain, that of the other reading.

    A question that was put behind the one before it is searched alone, one that was searched alone
    behind the one before it. Then a quote must speak of the question itself: the words of the one
    before would else find that one's answer again.
    """
    read = research.question
    condensed = bool(typed.history) and not read.history
    if research.engine.model is not None or outcome.mode != "refused" or not condensed:
        return outcome
    alone = read.text != typed.text
    text = (
        typed.text if alone else question_condensing.join_with_previous(typed.history, typed.text)
    )
    again = replace(research, question=replace(read, text=text))
    other = yield from strategy.run(again.question, again)
    return other if alone or _speaks_of(other, typed.text) else outcome


def _speaks_of(outcome: StrategyResult, question: str) -> bool:
    words = set(content_words(question))
    return any(words & set(content_words(each.quote)) for each in outcome.citations)


def _asked(research: ResearchTools) -> Steps[str]:
    """Return what the model makes of the question, "" where it makes nothing."""
    question, model = research.question, research.engine.model
    if model is None:
        return ""
    room = model.context_tokens - 2 * _TOKENS
    messages = question_condensing.condense_messages(
        question.history,
        question.text,
        question.language,
        lambda text: model.estimate_tokens(text) <= room,
    )
    try:
        reply = yield from research.generate(messages, "condense", GenerationOptions(_TOKENS))
    except ModelUnavailable:
        return ""
    return question_condensing.condensed(question.history, question.text, reply.text)


@dataclass(frozen=True, slots=True)
class Condense:
    """Makes a follow-up question stand alone; without a model, by the question before it."""

    name: ClassVar[str] = "condense"
    title: ClassVar[str] = "Condense follow-ups"
    paper: ClassVar[str] = ""
    needs: ClassVar[tuple[str, ...]] = ()

    def run(
        self, question: Question, tools: StrategyTools, then: Researcher
    ) -> Steps[StrategyResult]:
        """Go on: the question stands alone already."""
        return then.run(question, tools)
