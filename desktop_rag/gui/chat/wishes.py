"""What a click in a conversation asks for, as its view tells the window."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class CitationClick:
    """A citation that was clicked: source `n` of a turn."""

    turn: int
    n: int


@dataclass(frozen=True, slots=True)
class PassageClick:
    """A passage among a turn's steps that was clicked: `retrieved[place]` of the turn."""

    turn: int
    place: int


@dataclass(frozen=True, slots=True)
class TurnAction:
    """What the user wants of a turn: its link's kind, and of `VERSION` the question to show."""

    kind: str
    turn: int
    question_id: int = 0
