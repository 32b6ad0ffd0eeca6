"""Passages that say the same: near-duplicates out, and variety if asked."""

from __future__ import annotations

import re
from collections.abc import Sequence

from desktop_rag.core.language import all_words
from desktop_rag.engine.retrieval.query import Ranked

_NUMBER = re.compile(r"\d+")
_SHINGLE = 3

Shingles = frozenset[tuple[str, ...]]


def without_duplicates(ranked: Sequence[Ranked], similarity: float) -> list[Ranked]:
    """Keep, of passages whose word shingles overlap by `similarity` (Jaccard), the best one.

    Two rows or reports that differ in a number say different things: both are kept.
    """
    kept: list[tuple[Ranked, Shingles, set[str]]] = []
    for each in ranked:
        marks, numbers = shingles(each.chunk.text), set(_NUMBER.findall(each.chunk.text))
        if not any(
            numbers == others and overlap(marks, known) >= similarity for _, known, others in kept
        ):
            kept.append((each, marks, numbers))
    return [each for each, _, _ in kept]


def same_as(one: Ranked, kept: Sequence[Ranked], similarity: float) -> Ranked:
    """Return the passage, of those that were kept, for which this one was left out."""
    marks, numbers = shingles(one.chunk.text), set(_NUMBER.findall(one.chunk.text))
    return next(
        each
        for each in kept
        if numbers == set(_NUMBER.findall(each.chunk.text))
        and overlap(marks, shingles(each.chunk.text)) >= similarity
    )


def varied(ranked: Sequence[Ranked], relevance: float, k: int) -> list[Ranked]:
    """Return `k` passages by maximal marginal relevance (Carbonell & Goldstein 1998).

    `relevance` is λ: 1 keeps the order. Likeness is the overlap of shingles.
    """
    if relevance >= 1.0:
        return list(ranked)
    waiting = [(each, shingles(each.chunk.text)) for each in ranked]
    chosen: list[tuple[Ranked, Shingles]] = []
    while waiting and len(chosen) < k:
        best = max(waiting, key=lambda one: _gain(one, chosen, relevance))
        waiting.remove(best)
        chosen.append(best)
    return [each for each, _ in chosen]


def shingles(text: str) -> Shingles:
    """Return a text's runs of three words; a character counts as a word in Chinese."""
    words = all_words(text)
    size = min(_SHINGLE, len(words)) or 1
    return frozenset(tuple(words[i : i + size]) for i in range(len(words) - size + 1))


def overlap(one: Shingles, other: Shingles) -> float:
    """Return the share that two sets have in common (Jaccard), 0 for empty ones."""
    union = len(one | other)
    return len(one & other) / union if union else 0.0


def _gain(
    one: tuple[Ranked, Shingles], chosen: Sequence[tuple[Ranked, Shingles]], relevance: float
) -> float:
    likeness = max((overlap(one[1], known) for _, known in chosen), default=0.0)
    return relevance * one[0].candidate.score - (1.0 - relevance) * likeness
