"""Passages of several searches brought together: no text twice, none too long, the best first."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import zip_longest

from desktop_rag.core.types import Passage
from desktop_rag.generation.number_extraction import numbers
from desktop_rag.generation.packing import slice_passage

_SAME = 0.9  # share of common words from which two texts say the same
# Chinese and Japanese write no spaces: two characters pass for a word, as in `content_words`.
_WORD = re.compile(r"[぀-ヿ㐀-鿿豈-﫿]{1,2}|[^\s぀-ヿ㐀-鿿豈-﫿]+")


def merge_new(
    collected: Sequence[Passage], found: Iterable[Passage], most: int
) -> tuple[Passage, ...]:
    """Return what was collected, and behind it what is new in what was found; at most `most`."""
    kept = list(collected)
    for passage in found:
        if len(kept) < most and not any(is_same(passage, each) for each in kept):
            kept.append(passage)
    return tuple(kept)


def interleave_by_rank(searches: Sequence[Sequence[Passage]], most: int) -> tuple[Passage, ...]:
    """Return the best passage of every search, then every second best; at most `most` in all."""
    by_rank = (passage for rank in zip_longest(*searches) for passage in rank if passage)
    return merge_new((), by_rank, most)


def is_same(one: Passage, other: Passage) -> bool:
    """Tell whether two passages are one, or nearly; other numbers make another text.

    What lies in the other one's text is there already.
    """
    if one.chunk_id == other.chunk_id or _is_part(one, other):
        return True
    mine, theirs = _words(one.text), _words(other.text)
    common = (mine & theirs).total()
    alike = 2 * common >= _SAME * (mine.total() + theirs.total())
    return alike and numbers(one.text) == numbers(other.text)


def _is_part(one: Passage, other: Passage) -> bool:
    mine, theirs = one.locator, other.locator
    if one.document_id != other.document_id or None in (mine.start, theirs.start):
        return False
    return (theirs.start or 0) <= (mine.start or 0) < (mine.end or 0) <= (theirs.end or 0)


def word_count(text: str) -> int:
    """Return how many words a text has."""
    return len(_WORD.findall(text))


def truncate_words(passage: Passage, most: int) -> Passage:
    """Return a passage, or `most` words of it: the first, or those from what matched on."""
    words = list(_WORD.finditer(passage.text))
    if len(words) <= most:
        return passage
    matched, until = (at - (passage.locator.start or 0) for at in passage.match)
    first = 0
    if until > words[most - 1].end():
        first = min(sum(word.end() <= matched for word in words), len(words) - most)
    return slice_passage(passage, words[first].start(), words[first + most - 1].end())


def _words(text: str) -> Counter[str]:
    return Counter(_WORD.findall(text.casefold()))
