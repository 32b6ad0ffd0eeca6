"""Sentences for people as values: what is said, and of what, beside the English text.

A phrase *is* its English text: a command line prints it, a log keeps it and a test compares it as
any string. What shows it in another language, or asks what it says, reads `template`, `arguments`
and `code` instead of the text. It is the way of gettext: the English template is the key of the
translation, and stands where the sentence is meant.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable
from typing import Any, Self, TypeAlias

Argument: TypeAlias = "str | int | float"
"""What fills a gap: a number, a text as it is, or a message, which has its own translation."""

_GAP = re.compile(r"\{(\d+)\}")
_WORD = re.compile(r"[a-z0-9]+")
_LONGEST_CODE = 8  # words
_DEEPEST = 8  # phrases in phrases
_SMALL_WORDS = frozenset(
    [
        "a",
        "an",
        "and",
        "are",
        "as",
        "at",
        "be",
        "been",
        "by",
        "can",
        "do",
        "does",
        "for",
        "had",
        "has",
        "have",
        "how",
        "in",
        "is",
        "it",
        "its",
        "of",
        "on",
        "or",
        "s",
        "so",
        "t",
        "that",
        "the",
        "their",
        "them",
        "there",
        "these",
        "they",
        "this",
        "to",
        "was",
        "were",
        "what",
        "which",
        "who",
        "with",
    ]
)
_JSON = ('{"template":', '{"parts":', '{"name":', '{"kb":')


class Phrase(str):
    """A sentence with gaps `{0}`, `{1}` …, and the arguments that fill them.

    `code` names the fact for programs. It is made of the template's words unless it is given, which
    keeps a code while its sentence is worded anew.
    """

    __slots__ = ("arguments", "code", "template")

    template: str
    arguments: tuple[Argument, ...]
    code: str

    def __new__(cls, template: str, *arguments: object, code: str = "") -> Self:
        """Fill the gaps; what is neither text nor number becomes its text."""
        filled = tuple(
            each if isinstance(each, (str, int, float)) else str(each) for each in arguments
        )
        made = super().__new__(cls, fill(template, filled))
        made.template = template
        made.arguments = filled
        made.code = code or code_of_template(template)
        return made

    def __reduce__(self) -> tuple[Any, ...]:
        """Copy with what it is made of."""
        return load, (dump(self),)


class PhraseList(str):
    """Several messages one after the other, with a separator between them."""

    __slots__ = ("parts", "separator")

    parts: tuple[str, ...]
    separator: str

    def __new__(cls, parts: Iterable[str], separator: str = " ") -> Self:
        """Join the parts; those without text are left out."""
        filled = tuple(filter(None, parts))
        made = super().__new__(cls, separator.join(filled))
        made.parts = filled
        made.separator = separator
        return made

    def __reduce__(self) -> tuple[Any, ...]:
        """Copy with what it is made of."""
        return load, (dump(self),)


class SourceName(str):
    """A document's title, file name or heading in a message; `chunk_id` is the passage it is of.

    It is text of that document: it leaves a conversation with it. `document_id` is told where the
    passage may be none of the answer's, which are known with their documents; else it is 0.
    """

    __slots__ = ("chunk_id", "document_id")

    chunk_id: int
    document_id: int

    def __new__(cls, name: str, chunk_id: int, document_id: int = 0) -> Self:
        """Name the document of a passage."""
        made = super().__new__(cls, name)
        made.chunk_id = int(chunk_id)
        made.document_id = int(document_id)
        return made

    def __reduce__(self) -> tuple[Any, ...]:
        """Copy with what it is made of."""
        return load, (dump(self),)


class KbName(str):
    """A knowledge base's name in a message: as it is typed, which the window shows in its own words
    where nobody gave it one.
    """

    __slots__ = ()

    def __reduce__(self) -> tuple[Any, ...]:
        """Copy as what it is."""
        return load, (dump(self),)


def joined(*sentences: str) -> str:
    """Return sentences one after the other; one alone stays what it is."""
    said = tuple(filter(None, sentences))
    return said[0] if len(said) == 1 else PhraseList(said)


def fill(template: str, arguments: tuple[Argument, ...]) -> str:
    """Return a template's text with its gaps filled; a gap without an argument stays."""

    def value(gap: re.Match[str]) -> str:
        number = int(gap[1])
        return str(arguments[number]) if number < len(arguments) else gap[0]

    return _GAP.sub(value, template)


def code_of(text: str) -> str:
    """Return the code of a sentence: a message's own, of several that of the first."""
    if isinstance(text, Phrase):
        return text.code
    if isinstance(text, PhraseList):
        return code_of(text.parts[0]) if text.parts else ""
    return code_of_template(text)


def code_of_template(template: str) -> str:
    """Return the words of a template that tell most, with dashes between them."""
    words = _WORD.findall(_GAP.sub(" ", template).lower())
    telling = [each for each in words if each not in _SMALL_WORDS]
    return "-".join((telling or words)[:_LONGEST_CODE])


def parts_of(text: str) -> tuple[str, ...]:
    """Return the sentences that stand one after the other in a text: itself, if it is one."""
    return text.parts if isinstance(text, PhraseList) else (text,)


def has_code(text: str, code: str) -> bool:
    """Say whether a sentence, or one of several, has this code."""
    return any(isinstance(each, Phrase) and each.code == code for each in parts_of(text))


def map_source_names(text: str, change: Callable[[SourceName], str]) -> str:
    """Return a message with the names of documents in it changed."""
    if isinstance(text, SourceName):
        return change(text)
    if isinstance(text, PhraseList):
        return PhraseList((map_source_names(p, change) for p in text.parts), text.separator)
    if isinstance(text, Phrase):
        filled = (
            map_source_names(each, change) if isinstance(each, str) else each
            for each in text.arguments
        )
        return Phrase(text.template, *filled, code=text.code)
    return text


def to_json(text: str) -> Any:
    """Return a sentence for JSON: what it is made of; a plain text as it is."""
    if isinstance(text, Phrase):
        filled = [to_json(each) if isinstance(each, str) else each for each in text.arguments]
        made = {"template": text.template, "arguments": filled}
        is_own = text.code != code_of_template(text.template)
        return made | {"code": text.code} if is_own else made
    if isinstance(text, PhraseList):
        return {"parts": [to_json(each) for each in text.parts], "separator": text.separator}
    if isinstance(text, KbName):
        return {"kb": str(text)}
    if isinstance(text, SourceName):
        named = {"name": str(text), "chunk_id": text.chunk_id}
        return named | {"document_id": text.document_id} if text.document_id else named
    return text


def from_json(value: Any, depth: int = 0) -> str:
    """Read what `to_json` made; anything else becomes its text."""
    if depth > _DEEPEST:
        return str(value)
    match value:
        case {"template": str(template), "arguments": list(arguments)}:
            filled = (
                each if isinstance(each, (int, float)) else from_json(each, depth + 1)
                for each in arguments
            )
            return Phrase(template, *filled, code=str(value.get("code", "")))
        case {"parts": list(parts), "separator": str(separator)}:
            return PhraseList((from_json(each, depth + 1) for each in parts), separator)
        case {"kb": str(name)}:
            return KbName(name)
        case {"name": str(name), "chunk_id": int(chunk_id)}:
            document_id = value.get("document_id", 0)
            return SourceName(name, chunk_id, document_id if isinstance(document_id, int) else 0)
    return value if isinstance(value, str) else str(value)


def dump(text: str) -> str:
    """Return a sentence as one text for a column: JSON where it is more than its text."""
    made = to_json(text)
    return made if isinstance(made, str) else json.dumps(made, ensure_ascii=False)


def load(text: str) -> str:
    """Read what `dump` made; a text that is none stays as it is."""
    if not text.startswith(_JSON):
        return text
    try:
        return from_json(json.loads(text))
    except (ValueError, RecursionError):
        return text
