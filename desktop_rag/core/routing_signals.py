"""What spoke for a knowledge base when one was chosen by a question, as a value that is told."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Any


class NamedBy(StrEnum):
    """What of a knowledge base a question names."""

    BASE = "knowledge base"
    FILE = "file or folder"
    PERSON = "person"
    YEAR = "year"
    LANGUAGE = "language"


class LeftOut(StrEnum):
    """Why a knowledge base could not be chosen."""

    EMPTY = "nothing read"
    NO_CONSENT = "no consent"
    FAILED = "not searchable"


@dataclass(frozen=True, slots=True)
class KbSignals:
    """A knowledge base `kb` among those that were ranked, and what spoke for it.

    `score` compares only with those of the same question. `meaning` is the mean cosine of its
    nearest chunks, None where its model does not read the question; `words` in [0, 1] the share of
    the question's terms, by weight, that one chunk holds; `named` pairs what the question names of
    it with the words.
    """

    kb: str
    score: float
    meaning: float | None
    words: float
    named: tuple[tuple[NamedBy, str], ...] = ()

    def as_json(self) -> dict[str, Any]:
        """Return the command line's form."""
        return {
            "kb": self.kb,
            "score": round(self.score, 4),
            "meaning": None if self.meaning is None else round(self.meaning, 4),
            "words": round(self.words, 4),
            "named": [[str(by), text] for by, text in self.named],
        }
