"""Make a follow-up question stand alone before anything is searched with it."""

from __future__ import annotations

from dataclasses import replace

from desktop_rag.core.errors import ModelUnavailable
from desktop_rag.core.events import Step
from desktop_rag.engine.answering import history
from desktop_rag.engine.models.protocols import Generation
from desktop_rag.engine.strategies.base import Question, Steps
from desktop_rag.engine.strategies.research import Research

_TOKENS = 160  # of a question; the call is a helper's: short, and without thinking


def standing_alone(research: Research) -> Steps[Question]:
    """Return the question with what it silently refers to put in, and show that as a step.

    The model is asked; without one, or where it fails, the question before is put in front.
    """
    question = research.question
    if not question.history:
        return question
    text = yield from _asked(research)
    text = text or history.joined(question.history, question.text)
    if text != question.text:
        yield Step("condensed", text)
    return replace(question, text=text, history=())


def _asked(research: Research) -> Steps[str]:
    """Return what the model makes of the question, "" where it makes nothing."""
    question, model = research.question, research.engine.model
    if model is None:
        return ""
    room = model.context_tokens - 2 * _TOKENS
    messages = history.condense_messages(
        question.history,
        question.text,
        question.language,
        lambda text: model.estimate_tokens(text) <= room,
    )
    try:
        reply = yield from research.generate(messages, "condense", Generation(_TOKENS))
    except ModelUnavailable:
        return ""
    return history.condensed(reply.text, question.text)
