"""Find a quote again in a text that was changed since it was quoted.

Three ways, the strictest first: word for word; with other white space, hyphens and quotation marks;
and by most of its words in their order. Of several places the one nearest to where the quote stood
is meant.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from itertools import accumulate

_KEPT = re.compile(r"[^\s\-\u00ad\u2010-\u2015\u2212\ufffe]+")
_MARKS = str.maketrans("‘’ʼ`´“”„«»", "'''''\"\"\"\"\"")
_WIDE = "\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af\uf900-\ufaff"
_WORD = re.compile(rf"[{_WIDE}]|[^\W{_WIDE}]+")
_FEWEST_WORDS, _MOST_WORDS = 5, 400
_SHARED = 0.7  # of the quote's words, in a stretch of the text
_IN_ORDER = 0.6
_LONGEST = 1_000_000  # characters that are compared word for word
_MOST_PLACES = 1000


@dataclass(frozen=True, slots=True)
class QuotePlace:
    """Where a quote stands; `is_similar` says that it stands there in other words."""

    start: int
    end: int
    is_similar: bool = False


def find_quote(text: str, quote: str, near: int) -> QuotePlace | None:
    """Return the place of a quote in a text, the nearest to `near`; None where it is not there."""
    return find_same(text, quote, near) or find_similar(text, quote, near)


def find_same(text: str, quote: str, near: int) -> QuotePlace | None:
    """Return the place of a quote that differs in nothing but how it is set."""
    wanted = quote.strip()
    if not wanted:
        return None
    exact = [QuotePlace(at, at + len(wanted)) for at in _places(text, wanted)]
    return _nearest(exact or _as_set_otherwise(text, wanted), near)


def find_similar(text: str, quote: str, near: int) -> QuotePlace | None:
    """Return the stretch of a text that has most of a quote's words, in their order."""
    words = _words(quote)[:_MOST_WORDS]
    begin = max(0, min(near - _LONGEST // 2, len(text) - _LONGEST))
    found = list(_WORD.finditer(text, begin, begin + _LONGEST))
    if len(words) < _FEWEST_WORDS or not found:
        return None
    told = [each[0].lower() for each in found]
    goal = next((n for n, each in enumerate(found) if each.end() > near), len(found))
    first = _best_window(told, words, goal)
    if first is None:
        return None
    low, high = max(0, first - len(words) // 4), first + len(words) + len(words) // 4
    matcher = SequenceMatcher(None, words, told[low:high], autojunk=False)
    blocks = [each for each in matcher.get_matching_blocks() if each.size]
    if sum(each.size for each in blocks) < _IN_ORDER * len(words):
        return None
    start, end = blocks[0].b + low, blocks[-1].b + blocks[-1].size - 1 + low
    return QuotePlace(found[start].start(), found[end].end(), is_similar=True)


def _places(text: str, wanted: str) -> Iterator[int]:
    at = text.find(wanted)
    for _ in range(_MOST_PLACES):
        if at < 0:
            return
        yield at
        at = text.find(wanted, at + 1)


def _as_set_otherwise(text: str, wanted: str) -> list[QuotePlace]:
    """Compare without white space and hyphens, and with one kind of quotation marks."""
    pieces = list(_KEPT.finditer(text))
    begins = [0, *accumulate(len(each[0]) for each in pieces)]
    squeezed = "".join(_plain(each[0]) for each in pieces)
    sought = "".join(_plain(each[0]) for each in _KEPT.finditer(wanted))

    def offset(at: int) -> int:
        number = bisect_right(begins, at) - 1
        return pieces[number].start() + at - begins[number]

    if not sought:
        return []
    found = _places(squeezed, sought)
    return [QuotePlace(offset(at), offset(at + len(sought) - 1) + 1) for at in found]


def _plain(piece: str) -> str:
    """Return a piece in small letters, as long as it is."""
    small = piece.lower()
    return (small if len(small) == len(piece) else piece).translate(_MARKS)


def _nearest(places: Sequence[QuotePlace], near: int) -> QuotePlace | None:
    return min(places, key=lambda each: abs(each.start - near), default=None)


def _words(text: str) -> list[str]:
    return [each[0].lower() for each in _WORD.finditer(text)]


def _best_window(told: Sequence[str], words: Sequence[str], goal: int) -> int | None:
    """Return where the stretch begins that shares most words; None where none shares enough."""
    lacking, shared, size = Counter(words), 0, len(words)
    best, at = (_SHARED * size, 0), None
    for number, word in enumerate(told):
        shared += lacking[word] > 0
        lacking[word] -= 1
        if number >= size:
            gone = told[number - size]
            lacking[gone] += 1
            shared -= lacking[gone] > 0
        first = max(0, number - size + 1)
        rank = (shared, -abs(first - goal))
        if shared >= best[0] and (at is None or rank > best):
            best, at = rank, first
    return at
