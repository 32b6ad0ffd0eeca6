"""Cut passages into strips of a few sentences, and put the chosen ones together again.

A strip is a passage that knows its own place, so that what is quoted from it is found where it
stands.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from desktop_rag.core.sentences import sentences
from desktop_rag.core.types import LocatorKind, Passage
from desktop_rag.generation.packing import slice_passage

_ROWS = frozenset({LocatorKind.ROW, LocatorKind.SHEET})


@dataclass(frozen=True, slots=True)
class Strip:
    """Characters `start` to `end` of a passage's text, its strip number `n`."""

    passage: Passage
    n: int
    start: int
    end: int

    def as_passage(self) -> Passage:
        """Return the strip with its own place; it is what matched."""
        part = slice_passage(self.passage, self.start, self.end)
        begin = self.passage.locator.start or 0
        return replace(part, match=(begin + self.start, begin + self.end))


def strips_of(passages: Iterable[Passage], length: int) -> list[Strip]:
    """Return strips of `length` sentences, or rows of a table; what is said twice counts once."""
    found: dict[str, Strip] = {}
    for passage in passages:
        spans = sentences(passage.text, by_line=passage.locator.kind in _ROWS)
        for n, at in enumerate(range(0, len(spans), length)):
            few = spans[at : at + length]
            strip = Strip(passage, n, few[0].start, few[-1].end)
            found.setdefault(passage.text[strip.start : strip.end], strip)
    return list(found.values())


def best_of(strips: Sequence[Strip], scores: Sequence[float], count: int) -> list[Strip]:
    """Return the `count` best strips in the order that they had: that of their document."""
    order = sorted(range(len(strips)), key=lambda at: -scores[at])[:count]
    return [strips[at] for at in sorted(order)]


def recompose(strips: Iterable[Strip]) -> tuple[Passage, ...]:
    """Return strips as passages; those that follow one another in a passage make one."""
    runs: list[Strip] = []
    for strip in strips:
        last = runs[-1] if runs else None
        if last is not None and strip.passage is last.passage and strip.n == last.n + 1:
            runs[-1] = replace(last, n=strip.n, end=strip.end)
        else:
            runs.append(strip)
    return tuple(each.as_passage() for each in runs)
