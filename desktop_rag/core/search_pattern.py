"""What a reader means by a word: the pattern that finds it however a page has set it.

Capitals, ligatures, full-width letters, line breaks, hyphens at line ends and curly quotes make no
difference. It is a pattern on the text as it is, so that what it finds has its place in it.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from functools import lru_cache

_LONGEST = 200
_LIGATURES = {"ffi": "ﬃ", "ffl": "ﬄ", "ff": "ﬀ", "fi": "ﬁ", "fl": "ﬂ", "st": "ﬆﬅ", "ss": "ß"}
_ALIKE = {
    "'": "'‘’ʼ`´",
    '"': '"“”„«»',
    "-": "-\u00ad\u2010\u2011\u2012\u2013\u2014\u2015\u2212\ufffe",
    "…": "…",
}
# Where a word was broken: a soft hyphen, PDFium's mark, or a hyphen at the end of a line.
_BREAK = "(?:\u00ad|\ufffe\\s*|[-\u2010]\\s*\\n\\s*)?"
# Blocks whose characters stand for others: radicals, and Chinese characters kept for old encodings.
_STANDING_IN = ((0x2E80, 0x2FE0), (0xF900, 0xFB00))


@lru_cache(maxsize=8)  # thousands of documents are looked through for the same words
def search_pattern(words: str) -> re.Pattern[str] | None:
    """Return the pattern of what was typed; None when there is nothing to look for."""
    plain = " ".join(unicodedata.normalize("NFKC", words[:_LONGEST]).replace("ß", "ss").split())
    return re.compile(_sequence(plain), re.IGNORECASE) if plain else None


def _sequence(plain: str) -> str:
    made = ""
    at = 0
    while at < len(plain):
        step, piece = _next(plain, at)
        made += piece
        at += step
        if at < len(plain):
            made += _between(plain[at - 1], plain[at])
    return made


def _next(plain: str, at: int) -> tuple[int, str]:
    """Return how many characters the next piece takes, and its pattern."""
    for length in (3, 2):
        letters = plain[at : at + length]
        if letters.casefold() in _LIGATURES:
            return length, f"(?:{'|'.join(_settings(letters))})"
    return 1, _one(plain[at])


def _settings(letters: str) -> Iterator[str]:
    """Yield the ways in which letters are set: singly, as a ligature, or some of them as one."""
    yield _BREAK.join(_one(letter) for letter in letters)
    yield f"[{_LIGATURES[letters.casefold()]}]"
    if len(letters) > 2:
        for first, last in ((letters[:2], letters[2:]), (letters[:1], letters[1:])):
            sides = [_LIGATURES.get(each.casefold(), "") for each in (first, last)]
            parts = [
                f"[{side}]" if side else _one(each)
                for each, side in zip((first, last), sides, strict=True)
            ]
            yield _BREAK.join(parts)


def _one(character: str) -> str:
    """Return the pattern of one character in all its forms."""
    if character == " ":
        return r"\s+"
    forms = {character, *_ALIKE.get(character, ""), *_variants().get(character, ())}
    if "!" <= character <= "~":
        forms.add(chr(ord(character) + 0xFEE0))
    if len(forms) == 1:
        return re.escape(character)
    return "[" + "".join(re.escape(each) for each in sorted(forms)) + "]"


def _between(one: str, other: str) -> str:
    """Return what may stand between two neighbours without parting them."""
    if " " in (one, other):
        return ""
    if _is_wide(one) or _is_wide(other):
        return r"\s*"
    if one == "-":
        return r"\s*"
    return _BREAK if one.isalpha() and other.isalpha() else ""


def _is_wide(character: str) -> bool:
    return unicodedata.east_asian_width(character) in "WF"


@lru_cache(maxsize=1)
def _variants() -> dict[str, tuple[str, ...]]:
    """Return the characters that stand for another one, by that."""
    found: dict[str, tuple[str, ...]] = {}
    for first, end in _STANDING_IN:
        for code in range(first, end):
            usual = unicodedata.normalize("NFKC", chr(code))
            if len(usual) == 1 and usual != chr(code):
                found[usual] = (*found.get(usual, ()), chr(code))
    return found
