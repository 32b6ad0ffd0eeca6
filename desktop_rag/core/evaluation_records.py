"""The values of an evaluation: questions with their gold passages, and a run's results."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from desktop_rag.core.errors import UserError
from desktop_rag.core.unicode import valid_text

WHOLE = -1
"""The stop of a passage that is a whole document."""

BUILTIN = "builtin"
"""The source of runs over the questions that come with the program."""

QUOTES = "quotes"
"""The way that answers by quotes, without a language model, as a row of figures is named."""

_LONGEST_NAME = 100


@dataclass(frozen=True, slots=True)
class GoldPassage:
    """A range of a document's text that answers a question; `stop` may be `WHOLE`.

    An empty `content_hash` means whatever the file at `path` holds.
    """

    path: str
    content_hash: str = ""
    start: int = 0
    stop: int = WHOLE


@dataclass(frozen=True, slots=True)
class SavedQuestion:
    """A question, the answers that count as right, and where they stand; `id` is 0 for a new one.

    Without passages the documents do not answer it, and a refusal is right. `kbs` are the knowledge
    bases that it is asked of, by their names.
    """

    id: int
    question: str
    answers: tuple[str, ...] = ()
    passages: tuple[GoldPassage, ...] = ()
    kbs: tuple[str, ...] = ()
    created: float = 0.0


@dataclass(frozen=True, slots=True)
class QuestionSet:
    """A named set with so many questions; `created` is in Unix seconds."""

    id: int
    name: str
    created: float
    questions: int


def valid_set_name(name: str) -> str:
    """Return a set's name as it is kept; a UserError when it cannot be one."""
    name = valid_text(name.strip())
    if not name or len(name) > _LONGEST_NAME or "=" in name or not name.isprintable():
        raise UserError(
            "A question set needs a name of one line without “=”, of at most 100 characters.",
            "Choose another name.",
        )
    return name


@dataclass(frozen=True, slots=True)
class EvaluationResult:
    """One way's row of figures, and what each question scored in [0, 1], by the question's id."""

    figures: Mapping[str, Any]
    scores: Mapping[str, float]

    @property
    def name(self) -> str:
        """The way's name; over a part of a corpus, with its size and how often it was read.

        Of a language model's abilities each has a row, and is named instead; of the tasks made of
        documents each way has a row a task.
        """
        named = str(self.figures.get("strategy") or self.figures["ability"])
        if "task" in self.figures:
            return f"{named} {self.figures['task']}"
        if "size" not in self.figures:
            return named
        return f"{named} {self.figures['size']} {self.figures['second_stage']}"


@dataclass(frozen=True, slots=True)
class EvaluationRun:
    """A run over a set, `source`, at a time in Unix seconds, under settings by their keys."""

    source: str
    task: str
    ways: tuple[EvaluationResult, ...]
    settings: Mapping[str, str] = field(default_factory=dict)
    made: float = 0.0
    id: int = 0

    def way(self, name: str) -> EvaluationResult | None:
        """Return one way's result, None where it was not measured."""
        return next((each for each in self.ways if each.name == name), None)
