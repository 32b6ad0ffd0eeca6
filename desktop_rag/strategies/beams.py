"""Answers that are carried on side by side, each with the scores of its segments."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from desktop_rag.core.types import Passage
from desktop_rag.strategies.reflection_tokens import Segment


@dataclass(frozen=True, slots=True)
class Beam:
    """An answer so far: its parts with their scores, and what the last one rests on."""

    parts: tuple[str, ...] = ()
    scores: tuple[float, ...] = ()
    passages: tuple[Passage, ...] = ()
    is_done: bool = False
    unfinished: bool = False

    @property
    def text(self) -> str:
        """The answer so far."""
        return "".join(self.parts)

    @property
    def score(self) -> float:
        """The mean over its segments, so that a longer answer is not better for its length."""
        return sum(self.scores) / len(self.scores) if self.scores else float("-inf")

    def with_segment(self, segment: Segment, score: float, passages: Sequence[Passage]) -> Beam:
        """Return the beam with one more segment."""
        parts, scores = (*self.parts, segment.text), (*self.scores, score)
        return Beam(parts, scores, tuple(passages), segment.is_last, segment.unfinished)


def best_of(beams: Iterable[Beam], count: int) -> list[Beam]:
    """Return the best beams, best first, each text once."""
    best: dict[str, Beam] = {}
    for beam in sorted(beams, key=lambda beam: -beam.score):
        best.setdefault(beam.text, beam)
    return list(best.values())[:count]
