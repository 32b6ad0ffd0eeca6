"""Follow-up questions: recognise them, and put what they silently refer to into them."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from desktop_rag.core.language import content_words
from desktop_rag.generation import citation_markers
from desktop_rag.generation.prompts import Prompts
from desktop_rag.models.protocols import Message

_MESSAGES = 6  # the last three turns
_MESSAGE_CHARACTERS = 1200
_LONGEST = 600  # characters of a condensed question
_REFERS = re.compile(
    r"\b(?:it|its|they|them|their|he|him|his|she|her|hers|this|these|those|former|latter|ones|same|"
    r"above|previous)\b|\b(?:is|was|does|did|of|for|about|with|after|before|why|if) that\b",
    re.IGNORECASE,
)
_GOES_ON = re.compile(
    r"^\s*(?:and|but|so|or|also|then|what about|how about|what else|which one|yes|no)\b",
    re.IGNORECASE,
)
_CHINESE = re.compile(
    r"[它她]|(?<![吉其])他|(?<![尤极])其(?!实)|这个|那个|这些|那些|这种|那种|(?<!应)该|上述|前者|后者"
    r"|^(?:那|还有|以及)|^(?!.*(?:什么|多少|如何|怎|哪|几|谁|是否|为何)).*呢[？?]?$"
)
_WHOLE = re.compile(  # says what it asks about, in however few words
    r"^\s*(?:who|what|when|where|why|how|which)\b.*\b(?:the|a|an|my|our|your)\s+\w+"
    r"|^.{2,}[是有为].*(?:什么|多少|谁|几|哪)",
    re.IGNORECASE,
)
_LABEL = re.compile(
    r"^\s*(?:stand-?alone question|follow-?up|question|问题|后续问题|改写后的问题)\s*[:：]\s*",
    re.IGNORECASE,
)


def condense_messages(
    history: Sequence[Message], question: str, language: str, fits: Callable[[str], bool]
) -> tuple[Message, ...]:
    """Return the call that makes a question stand alone; the oldest messages go until it fits."""
    recent = list(history[-_MESSAGES:])
    prompts = Prompts(language)
    while True:
        told = "\n".join(f"{m.role}: {_told(m)}" for m in recent)
        asked = prompts.text("transform/condense", history=told, question=question)
        if fits(asked) or len(recent) <= 1:
            return (Message("user", asked),)
        recent = recent[1:]


def condensed(history: Sequence[Message], question: str, reply: str) -> str:
    """Return the stand-alone question from a model's reply, or "" when the reply is none.

    One that shares no word with what was asked is searched for beside it; where the question has no
    word of its own ("And why?"), it must share one with what was said before.
    """
    lines = [line.strip() for line in reply.strip().splitlines() if line.strip()]
    if not lines:
        return ""
    text = _LABEL.sub("", lines[0]).strip(" \"'“”「」*")
    too_long = len(text) > max(_LONGEST, 2 * len(question))
    said = set(content_words(text))
    if too_long or not said:
        return ""
    asked = set(content_words(question))
    if asked:
        return text if said & asked else f"{question} {text}"
    before = {word for each in history for word in content_words(each.content)}
    return text if said & before else ""


def join_if_follow_up(history: Sequence[Message], question: str) -> str:
    """Return the question behind the one before it, if it leans on that; else the question itself.

    What is done where no model can condense.
    """
    return join_with_previous(history, question) if is_follow_up(question) else question


def join_with_previous(history: Sequence[Message], question: str) -> str:
    """Return the question behind the one before it, if there is one."""
    before = [message.content for message in history if message.role == "user"]
    return f"{before[-1]} {question}" if before else question


def is_follow_up(question: str) -> bool:
    """Tell whether a question can hardly be understood without the one before it."""
    words = len(content_words(question))
    if not words or (words == 1 and not _WHOLE.search(question)):
        return True
    return any(pattern.search(question) for pattern in (_REFERS, _GOES_ON, _CHINESE))


def _told(message: Message) -> str:
    text = " ".join(citation_markers.strip_citations(message.content).split())
    return text[:_MESSAGE_CHARACTERS]
