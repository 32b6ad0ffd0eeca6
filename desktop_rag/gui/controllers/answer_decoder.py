"""A kept answer as a turn of the transcript again: its outcome, sources, citations and steps."""

from __future__ import annotations

from dataclasses import replace

from desktop_rag.catalog.stored_answer import StoredAnswer, read_answer
from desktop_rag.core.catalog_records import ChatMessage
from desktop_rag.core.events import PassagesFound
from desktop_rag.gui.controllers.transcript import Answered, Failed, Outcome, Stopped, Turn

INTERRUPTED = Failed("This answer was interrupted.", "Ask the question again.")
"""The outcome of an answer that was being written when the program ended."""


def decode_answer(turn: Turn, message: ChatMessage) -> Turn:
    """Return a turn with its kept answer."""
    answer = read_answer(message.payload)
    trace = answer.steps()
    found = (each.passages for each in trace if isinstance(each, PassagesFound))
    return replace(
        turn,
        text=message.text,
        strategy=answer.strategy,
        preset=answer.preset,
        options=answer.options,
        transforms=answer.transforms,
        outcome=_outcome(answer),
        trace=trace,
        notices=answer.notices,
        sources=answer.sources,
        citations=answer.citations,
        retrieved=tuple(each for passages in found for each in passages),
        from_model=answer.from_model,
        answer_id=message.id,
        awaits=answer.awaits,
        is_unfinished=answer.is_unfinished,
        task=answer.task,
    )


def _outcome(answer: StoredAnswer) -> Outcome:
    """Return how an answer ended."""
    if answer.mode == "stopped":
        return Stopped()
    if answer.mode == "running":
        return INTERRUPTED
    if answer.mode == "failed":
        return Failed(answer.what, answer.remedy)
    return Answered(
        mode=answer.mode or "generated",
        model=answer.model,
        seconds=answer.seconds,
        searches=answer.searches,
        llm_calls=answer.llm_calls,
        tokens=answer.prompt_tokens + answer.answer_tokens,
    )
