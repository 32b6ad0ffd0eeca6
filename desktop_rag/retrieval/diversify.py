"""Passages that say the same: near-duplicates out, and variety if asked."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache

from desktop_rag.core.language import all_words
from desktop_rag.retrieval.query import RankedChunk

_NUMBER = re.compile(r"\d+")
_SHINGLE = 3

Shingles = frozenset[tuple[str, ...]]


def without_duplicates(ranked: Sequence[RankedChunk], similarity: float) -> list[RankedChunk]:
    """Keep, of passages whose word shingles overlap by `similarity` (Jaccard), the best one.

    Two rows or reports that differ in a number say different things: both are kept.
    """
    marks = cache(shingles)
    kept: list[RankedChunk] = []
    alike: dict[frozenset[str], list[str]] = {}  # the texts kept, by their numbers
    for each in ranked:
        text = each.chunk.text
        known = alike.setdefault(frozenset(_NUMBER.findall(text)), [])
        if not any(_is_alike(marks(text), marks(other), similarity) for other in known):
            kept.append(each)
            known.append(text)
    return kept


def duplicate_of(one: RankedChunk, kept: Sequence[RankedChunk], similarity: float) -> RankedChunk:
    """Return the passage, of those that were kept, for which this one was left out."""
    marks, numbers = shingles(one.chunk.text), set(_NUMBER.findall(one.chunk.text))
    return next(
        each
        for each in kept
        if numbers == set(_NUMBER.findall(each.chunk.text))
        and _is_alike(marks, shingles(each.chunk.text), similarity)
    )


def maximal_marginal_relevance(
    ranked: Sequence[RankedChunk], relevance: float, k: int
) -> list[RankedChunk]:
    """Return `k` passages by maximal marginal relevance (Carbonell & Goldstein 1998).

    `relevance` is λ: 1 keeps the order. Likeness is the overlap of shingles.
    """
    if relevance >= 1.0:
        return list(ranked)
    waiting = [(each, shingles(each.chunk.text)) for each in ranked]
    chosen: list[tuple[RankedChunk, Shingles]] = []
    while waiting and len(chosen) < k:
        best = max(waiting, key=lambda one: _gain(one, chosen, relevance))
        waiting.remove(best)
        chosen.append(best)
    return [each for each, _ in chosen]


def shingles(text: str) -> Shingles:
    """Return a text's runs of three words; a character counts as a word in Chinese."""
    words = all_words(text)
    size = min(_SHINGLE, len(words)) or 1
    return frozenset(zip(*(words[begin:] for begin in range(size)), strict=False))


def jaccard(one: Shingles, other: Shingles) -> float:
    """Return the share that two sets have in common (Jaccard), 0 for empty ones."""
    common = len(one & other)
    union = len(one) + len(other) - common
    return common / union if union else 0.0


def _is_alike(one: Shingles, other: Shingles, similarity: float) -> bool:
    """Say whether two sets overlap so much; those of very different sizes cannot."""
    less, more = sorted((len(one), len(other)))
    return less >= similarity * more and jaccard(one, other) >= similarity


def _gain(
    one: tuple[RankedChunk, Shingles],
    chosen: Sequence[tuple[RankedChunk, Shingles]],
    relevance: float,
) -> float:
    likeness = max((jaccard(one[1], known) for _, known in chosen), default=0.0)
    return relevance * one[0].candidate.score - (1.0 - relevance) * likeness
