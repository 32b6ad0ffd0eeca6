"""What the engine says, in the language of the window.

The engine knows no Qt. Its sentences are phrases, whose templates are translated here and filled
with their arguments, each translated in its turn; a sentence without a gap is its own template.
What nobody wrote a template for stays as it is.

Conversations and files of version 0.1 kept sentences as plain texts: those are found again among
the templates that were read from the source (`resources/translations/sentences.txt`).
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

from PySide6.QtCore import QCoreApplication

from desktop_rag.core.paths import resources
from desktop_rag.core.phrases import KbName, Phrase, PhraseList, SourceName, fill
from desktop_rag.gui.display_text import shown_name
from desktop_rag.gui.language import code

_CONTEXT = "Spoken"
_GAP = re.compile(r"\{\d+\}")
_ENDS = re.compile(r"(?<=[.?!…]) +")
_FULL_STOPS = "。？！…；："
_MOST_SENTENCES = 12


def translate_message(text: str) -> str:
    """Return one or more sentences of the engine in the window's language."""
    if code() == "en" and not isinstance(text, (Phrase, PhraseList)):
        return text
    return _said(text) if text else text


def translate_setting(text: str) -> str:
    """Return a setting's title or effect in the window's language."""
    return QCoreApplication.translate("Settings", text)


def join_sentences(*sentences: str) -> str:
    """Return sentences one after the other: with a space, but after a Chinese full stop."""
    made = ""
    for sentence in filter(None, sentences):
        made += sentence if not made or made[-1] in _FULL_STOPS else f" {sentence}"
    return made


def _said(text: str) -> str:
    if type(text) is not str:
        return _value(text)
    whole = _translated(text)
    return whole if whole != text else _said_in_0_1(text, code())


def _value(value: str) -> str:
    """Return a phrase, what fills one, or several in a row."""
    if isinstance(value, KbName):
        return shown_name(value)
    if isinstance(value, Phrase):
        filled = (_value(each) if isinstance(each, str) else each for each in value.arguments)
        return fill(_translated(value.template), tuple(filled))
    if isinstance(value, PhraseList):
        parts = map(_value, value.parts)
        if value.separator == " ":
            return join_sentences(*parts)
        is_chinese = code() != "en"
        return ("；" if is_chinese and value.separator == "; " else value.separator).join(parts)
    return value if isinstance(value, SourceName) else _translated(value)


@dataclass(frozen=True, slots=True)
class _Template:
    """A sentence with gaps. `weight` is how much of it is not a gap."""

    source: str
    pattern: re.Pattern[str]
    weight: int


@dataclass(frozen=True, slots=True)
class _Templates:
    """All of them: those without a gap, those by their first word, those that begin with a gap."""

    whole: frozenset[str]
    by_word: dict[str, tuple[_Template, ...]]
    free: tuple[_Template, ...]

    def matched(self, text: str) -> str | None:
        """Return the translation of a text that one template makes."""
        if text in self.whole:
            return _translated(text)
        for group in (self.by_word.get(_first_word(text), ()), self.free):
            for template in group:
                if found := template.pattern.fullmatch(text):
                    return _filled(_translated(template.source), found.groups())
        return None


@lru_cache(maxsize=4096)
def _said_in_0_1(text: str, language: str) -> str:
    del language  # what is kept is kept by language
    found = _templates().matched(text) if not _ENDS.search(text) else None
    return found or _in_sentences(text)


def _in_sentences(text: str) -> str:
    """Translate a text as the shortest run of templates; word by word where that is not all."""
    parts = _ENDS.split(text)
    if len(parts) <= _MOST_SENTENCES:
        if (run := _run(parts)) is not None:
            return join_sentences(*run)
        if (whole := _templates().matched(text)) is not None:
            return whole
    return join_sentences(*(_templates().matched(part) or part for part in parts))


def _run(parts: list[str]) -> list[str] | None:
    """Return the translations of a run of sentences, of which a template may make several."""
    if not parts:
        return []
    for end in range(1, len(parts) + 1):
        first = _templates().matched(" ".join(parts[:end]))
        rest = _run(parts[end:]) if first is not None else None
        if first is not None and rest is not None:
            return [first, *rest]
    return None


def _filled(translation: str, values: tuple[str, ...]) -> str:
    """Put the values into a translation; those that are phrases of the engine are translated."""
    said = [_value_in_0_1(value) for value in values]
    return _GAP.sub(lambda gap: said[int(gap.group()[1:-1])], translation)


def _value_in_0_1(value: str) -> str:
    parts = value.split("; ")
    said = [_templates().matched(part) or part for part in parts]
    return value if said == parts else "；".join(said)


def _translated(source: str) -> str:
    return QCoreApplication.translate(_CONTEXT, source)


def _first_word(text: str) -> str:
    return text.partition(" ")[0]


@lru_cache(maxsize=1)
def _templates() -> _Templates:
    """Read the templates, once: those that say most come first."""
    path = resources() / "translations" / "sentences.txt"
    sources = path.read_text(encoding="utf-8").splitlines()
    gapped = sorted(map(_compiled, filter(_GAP.search, sources)), key=_lightness)
    by_word: dict[str, tuple[_Template, ...]] = {}
    free: list[_Template] = []
    for each in gapped:
        word = _first_word(each.source)
        if "{" in word:
            free.append(each)
        else:
            by_word[word] = (*by_word.get(word, ()), each)
    whole = frozenset(source for source in sources if not _GAP.search(source))
    return _Templates(whole, by_word, tuple(free))


def _compiled(source: str) -> _Template:
    literals = _GAP.split(source)
    pattern = re.compile("(.*?)".join(map(re.escape, literals)), re.DOTALL)
    return _Template(source, pattern, sum(map(len, literals)))


def _lightness(template: _Template) -> int:
    return -template.weight
