"""The 100 questions over documents of our own that come with the program.

A question's id is `LANGUAGE-KIND-NUMBER`: `en` or `zh`; `single` where one document answers it,
`multi` where it needs two or three, `none` where nothing does. What they are: `README.md` beside
the files.
"""

from __future__ import annotations

import hashlib
from pathlib import Path

from desktop_rag.core.paths import resources
from desktop_rag.evaluation.datasets import (
    CorpusPassage,
    EvalQuestion,
    checksum,
    read_corpus,
    read_questions,
)

NAME = "builtin"
"""The name of the set in figures."""

LANGUAGES = ("en", "zh")
KINDS = ("single", "multi", "none")


def builtin_corpus() -> list[CorpusPassage]:
    """Return the documents."""
    return read_corpus(_file("corpus.jsonl"))


def builtin_questions(limit: int | None = None) -> list[EvalQuestion]:
    """Return the first `limit` questions; each ten have all kinds in both languages."""
    return read_questions(_file("questions.jsonl"), limit)


def builtin_checksum() -> str:
    """Return a name for the content of both files, of 16 hexadecimal digits."""
    parts = " ".join(checksum(_file(name)) for name in ("corpus.jsonl", "questions.jsonl"))
    return hashlib.sha256(parts.encode()).hexdigest()[:16]


def language_of(item: EvalQuestion) -> str:
    """Return in which language a question is asked."""
    return item.id.split("-")[0]


def kind_of(item: EvalQuestion) -> str:
    """Return of which kind a question is."""
    return item.id.split("-")[1]


def _file(name: str) -> Path:
    return resources() / "evaluation" / name
