"""Greetings, thanks, good-byes, and questions about the program: known word for word, or not.

A text is small talk only where all of it is made of phrases of one language's list; with one word
more ("Hello Kitty's revenue") it is a question to the documents. Each list is a file of
`resources/small_talk`: phrases of four kinds, words that may stand beside them, and replies.
"""

from __future__ import annotations

import json
import re
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from string import Template
from typing import Any

from desktop_rag.core.language import language
from desktop_rag.core.paths import resources

KINDS = ("about", "thanks", "bye", "hello")
"""The kinds, of which the first that a text holds decides its reply."""

_FIRST = re.compile(r"\Adefault( \(\d+\))?\Z")  # the base that nobody named, as the window shows it
_MOST = 120  # characters of small talk
_JOINERS = "‌‍"  # parts of words in Hindi and Arabic
_UNSPACED = ("zh", "ja")  # written without blanks between words


@dataclass(frozen=True, slots=True)
class SmallTalk:
    """What a text is, and the code of the language that it is in."""

    kind: str
    language: str

    def reply(self, kbs: Sequence[str], *, is_empty: bool) -> str:
        """Return an answer: what the program is, which knowledge bases it asks, an example."""
        told = _list(self.language)
        what = told["empty" if is_empty else "asked"]
        names = told["join"].join(_FIRST.sub(told["first"] + r"\1", each) for each in kbs)
        parting = "" if self.language in _UNSPACED else " "
        return f"{told['reply'][self.kind]}{parting}{Template(what).substitute(names=names)}"


def is_first_kb(name: str) -> bool:
    """Say whether a knowledge base is the one that nobody named, which replies call otherwise."""
    return _FIRST.match(name) is not None


def small_talk(text: str) -> SmallTalk | None:
    """Return what kind of small talk a text is; None of one that may ask for anything else."""
    if len(text) > _MOST:
        return None
    words = _words(text)
    for code in _codes(text):
        kinds = _kinds_in(words, code)
        kind = next((each for each in KINDS if each in kinds), None)
        if kind is not None:
            return SmallTalk(kind, code)
    return None


def _codes(text: str) -> Iterable[str]:
    """Return the languages that a text may be in, the likeliest first."""
    found = sorted(file.stem for file in (resources() / "small_talk").glob("*.json"))
    return sorted(found, key=lambda code: (code != language(text), code))


def _words(text: str) -> str:
    """Return a text in small letters, without signs, and one blank between words."""
    plain = unicodedata.normalize("NFKC", text).casefold().replace("’", "'")
    kept = (each if _is_of_word(each) else " " for each in plain)
    return " ".join("".join(kept).split())


def _is_of_word(character: str) -> bool:
    if character in _JOINERS or character in "'-":
        return True
    return unicodedata.category(character)[0] in "LMN"


def _kinds_in(words: str, code: str) -> frozenset[str]:
    """Return the kinds of the phrases that make up all of a text; none where some is left over."""
    pattern, kinds = _patterns(code)
    spoken = words.replace(" ", "") if code in _UNSPACED else words
    if not pattern.fullmatch(spoken):
        return frozenset()
    said = f" {spoken} "
    return frozenset(name for name, each in kinds.items() if each.search(said))


@lru_cache
def _list(code: str) -> Mapping[str, Any]:
    file = resources() / "small_talk" / f"{code}.json"
    found: dict[str, Any] = json.loads(file.read_text("utf-8"))
    return found


@lru_cache
def _patterns(code: str) -> tuple[re.Pattern[str], Mapping[str, re.Pattern[str]]]:
    """Return what all of a text must be, and what tells each kind."""
    told, is_unspaced = _list(code), code in _UNSPACED
    kinds = {kind: _any_of(told[kind], is_unspaced=is_unspaced) for kind in KINDS}
    every = "|".join((*kinds.values(), _any_of(told["fillers"], is_unspaced=is_unspaced)))
    between = "" if is_unspaced else " "
    whole = re.compile(rf"(?:{every})(?:{between}(?:{every}))*+")
    edge = "" if is_unspaced else " "
    return whole, {kind: re.compile(f"{edge}(?:{each}){edge}") for kind, each in kinds.items()}


def _any_of(phrases: Iterable[str], *, is_unspaced: bool) -> str:
    """Return a pattern of phrases, the longest first."""
    plain = (_words(each) for each in phrases)
    written = {each.replace(" ", "") if is_unspaced else each for each in plain}
    return "|".join(re.escape(each) for each in sorted(written, key=len, reverse=True))
