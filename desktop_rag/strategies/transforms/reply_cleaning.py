"""What a model replies to a transform: one line of it, a list, or nothing that can be used."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any, TypeVar

from desktop_rag.core.errors import ModelUnavailable
from desktop_rag.core.events import Notice
from desktop_rag.core.language import content_words
from desktop_rag.core.phrases import Phrase
from desktop_rag.models.protocols import GenerationOptions, Message
from desktop_rag.strategies.base import Steps, StrategyTools
from desktop_rag.strategies.query_builder import one_line

T = TypeVar("T")

AS_IT_IS = "The question is searched as it is."
_LONGEST = 600  # characters of a question
_QUESTIONS: dict[str, Any] = {
    "type": "object",
    "properties": {"questions": {"type": "array", "items": {"type": "string"}}},
    "required": ["questions"],
}
_QUOTED = re.compile(r"[\"'“‘「*`]+([^\"“”「」*`]*)[\"'”’」*`]+")
_LABEL = re.compile(
    r"^\s*(?:[a-z-]+ ){0,3}(?:query|question|passage|answer)\s*:\s*"
    r"|^\s*[^\s，。：:]{0,8}(?:查询|检索词|问题|段落|回答)\s*[:：]\s*",
    re.IGNORECASE,
)


def with_fallback(title: str, steps: Steps[T], otherwise: T, instead: str = AS_IT_IS) -> Steps[T]:
    """Return what steps give; where the model fails, what is done instead, after a notice."""
    try:
        return (yield from steps)
    except ModelUnavailable as problem:
        yield Notice(Phrase("{0}: {1} {2}", title, problem.sentence, instead))
        return otherwise


def rephrased(
    title: str, prompt: str, question: str, tools: StrategyTools, options: GenerationOptions
) -> Steps[str]:
    """Return the question that a model makes of another; "" after a notice where it makes none."""
    steps = _line(prompt, question, title.casefold(), tools, options)
    text = yield from with_fallback(title, steps, None)
    if text == "":
        yield Notice(
            Phrase("{0}: the model wrote nothing that can be searched for. {1}", title, AS_IT_IS)
        )
    return text or ""


def passage_of(
    prompt: str, purpose: str, tools: StrategyTools, options: GenerationOptions
) -> Steps[str]:
    """Return a passage that a model makes up, in one line; "" where it writes none."""
    reply = yield from tools.generate((Message("user", prompt),), purpose, options)
    return clean_reply(reply.text)


def questions_of(
    title: str, prompt: str, question: str, tools: StrategyTools, instead: str = AS_IT_IS
) -> Steps[tuple[str, ...]]:
    """Return the questions that a model lists, none of them the question itself.

    None after a notice that says what is done instead.
    """
    steps = tools.decide((Message("user", prompt),), title.casefold(), _QUESTIONS)
    failed: dict[str, Any] = {}
    found = yield from with_fallback(title, steps, failed, instead)
    kept = {question.casefold(): ""}
    for text in map(clean_reply, (found or failed).get("questions", ())):
        if content_words(text) and len(text) <= _LONGEST:
            kept.setdefault(text.casefold(), text)
    listed = tuple(kept.values())[1:]
    if found is not failed and not listed:
        yield Notice(Phrase("{0}: the model listed none. {1}", title, instead))
    return listed


def clean_reply(text: str) -> str:
    """Return a text in one line, without numbers of sources, a label and marks around it."""
    line = _LABEL.sub("", one_line(text))
    within = _QUOTED.fullmatch(line)
    return within[1].strip() if within else line


def _line(
    prompt: str, question: str, purpose: str, tools: StrategyTools, options: GenerationOptions
) -> Steps[str | None]:
    reply = yield from tools.generate((Message("user", prompt),), purpose, options)
    lines: Sequence[str] = [line for line in reply.text.splitlines() if line.strip()]
    text = clean_reply(lines[0]) if lines and reply.reason == "stop" else ""
    too_long = len(text) > max(_LONGEST, 2 * len(question))
    return "" if too_long or not content_words(text) else text
