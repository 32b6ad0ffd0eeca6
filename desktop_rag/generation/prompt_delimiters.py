"""Put passages into a prompt as material that nothing in them can step out of.

Each passage stands between tags whose name ends in a mark made from the question and all texts. The
author of a document cannot know it, so no text can close its tag; the same call gives the same
prompt, so that a model at temperature 0 answers the same.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Sequence
from pathlib import PurePath

from desktop_rag.core.types import Passage
from desktop_rag.core.unicode import valid_text

Numbered = tuple[int, Passage]

PASSAGE_TAG = r"</?passage_[0-9a-f]{8}\b[^<>]*>\n?"
"""A tag around a passage, as a pattern."""
_TAG = re.compile(PASSAGE_TAG)
_OPENINGS = ("<passage_", "</passage_")
_LONGEST_TAG = 400  # characters; what is longer is text


def delimit(numbered: Sequence[Numbered], question: str) -> str:
    """Return the passages in this order, each with its number and where it comes from."""
    tag = f"passage_{_mark(numbered, question)}"
    return "\n\n".join(_one(tag, number, passage) for number, passage in numbered)


def delimit_incrementally(numbered: Sequence[Numbered], question: str) -> str:
    """Return passages so that one more at the end changes nothing of what stands before it.

    Each tag's mark is made from the texts up to and with its own: a server that keeps the beginning
    of a prompt in its cache reads only what is new.
    """
    tags = [f"passage_{_mark(numbered[:end], question)}" for end in range(1, len(numbered) + 1)]
    return "\n\n".join(_one(tag, *each) for tag, each in zip(tags, numbered, strict=True))


def delimit_lines(lines: Sequence[str], question: str) -> str:
    """Return lines of documents' text, a title or a heading each, numbered from 1 between tags.

    None of them can close the tags, nor begin a line of its own.
    """
    told = [line.replace("\n", " ").replace("\r", " ") for line in lines]
    tag = f"lines_{_digest(question, told)}"
    numbered = (f"{number}. {line}" for number, line in enumerate(told, start=1))
    return "\n".join((f"<{tag}>", *numbered, f"</{tag}>"))


def delimit_background(texts: Sequence[str], question: str) -> str:
    """Return texts that are no sources, between tags like those of passages, without a number."""
    tag = f"passage_{_digest(question, texts)}"
    return "\n\n".join(f'<{tag} kind="summary">\n{text}\n</{tag}>' for text in texts)


class PassageTagFilter:
    """Takes the tags of passages out of a reply, piece by piece: models copy them now and then."""

    def __init__(self) -> None:
        self._held = ""

    def feed(self, text: str) -> str:
        """Take the next text; return what can be shown, as soon as it can be no tag."""
        text = _TAG.sub("", self._held + text)
        at = text.rfind("<")
        begun = text[at:] if at >= 0 else ""
        is_open = bool(begun) and len(begun) < _LONGEST_TAG and _may_be_tag(begun)
        self._held = begun if is_open else ""
        return text[:at] if is_open else text

    def end(self) -> str:
        """Return what was held back and is no tag after all."""
        held, self._held = self._held, ""
        return held if len(held) < len(_OPENINGS[0]) else ""


def _may_be_tag(text: str) -> bool:
    return any(text.startswith(each) or each.startswith(text) for each in _OPENINGS)


def source_label(passage: Passage) -> str:
    """Return file, title, section and place on one line, for a reader."""
    name = valid_text(PurePath(passage.path).name)
    parts = [name, passage.title, passage.section, passage.locator.label()]
    seen = dict.fromkeys(" ".join(part.split()) for part in parts if part)
    return ", ".join(seen)


def _one(tag: str, number: int, passage: Passage) -> str:
    where = source_label(passage).translate(_HARMLESS)
    return f'<{tag} number="{number}" from="{where}">\n{passage.text}\n</{tag}>'


def _mark(numbered: Sequence[Numbered], question: str) -> str:
    return _digest(question, [passage.text for _, passage in numbered])


def _digest(question: str, texts: Sequence[str]) -> str:
    digest = hashlib.sha256(question.encode("utf-8", "replace"))
    for text in texts:
        digest.update(text.encode("utf-8", "replace"))
    return digest.hexdigest()[:8]


_HARMLESS = str.maketrans({'"': "'", "<": "(", ">": ")"})
