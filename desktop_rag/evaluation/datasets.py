"""Question sets: a corpus of passages and questions with their gold, as JSON lines."""

from __future__ import annotations

import gzip
import hashlib
import json
import zlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

from desktop_rag.core.errors import UserError
from desktop_rag.core.phrases import Phrase

T = TypeVar("T")
_FORM = (
    "Each line is a JSON object: id, title, text in a corpus; "
    "id, question and the lists answers and gold in a question set."
)


@dataclass(frozen=True, slots=True)
class CorpusPassage:
    """One passage of a corpus."""

    id: str
    title: str
    text: str


@dataclass(frozen=True, slots=True)
class EvalQuestion:
    """One question; `gold` are ids of the corpus, no `answers` means retrieval only."""

    id: str
    question: str
    answers: tuple[str, ...]
    gold: frozenset[str]


def read_corpus(path: Path) -> list[CorpusPassage]:
    """Read `{"id", "title", "text"}` lines, gzipped or not.

    Raises a `UserError` that names a bad line, or where there is none.
    """
    return _some(list(_rows(path, _entry)), Phrase("{0} holds no passages.", path.name))


def read_questions(path: Path, limit: int | None = None) -> list[EvalQuestion]:
    """Read `{"id", "question", "answers", "gold"}` lines, the first `limit` of them.

    Raises as `read_corpus` does.
    """
    return _some(list(_rows(path, _item)), Phrase("{0} holds no questions.", path.name))[:limit]


def checksum(path: Path) -> str:
    """Return a name for a file's content."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()[:16]


def _some(found: list[T], otherwise: str) -> list[T]:
    if not found:
        raise UserError(otherwise, _FORM)
    return found


def _rows(path: Path, make: Callable[[Any], T]) -> Iterator[T]:
    for number, line in enumerate(_lines(path), start=1):
        if not line.strip():
            continue
        try:
            yield make(json.loads(line))
        except (ValueError, KeyError, TypeError) as problem:
            raise UserError(
                Phrase("Line {0} of {1} is not what an evaluation reads.", number, path.name),
                _FORM,
            ) from problem


def _lines(path: Path) -> list[str]:
    try:
        raw = path.read_bytes()
        if raw[:2] == b"\x1f\x8b":
            raw = gzip.decompress(raw)
        return raw.decode("utf-8").split("\n")
    except (OSError, EOFError, zlib.error, UnicodeDecodeError) as problem:
        raise UserError(
            Phrase("{0} cannot be read.", path), "Name a JSON-lines file, gzipped or not."
        ) from problem


def _entry(row: Any) -> CorpusPassage:
    return CorpusPassage(str(row["id"]), str(row.get("title", "")), str(row["text"]))


def _item(row: Any) -> EvalQuestion:
    gold = frozenset(map(str, _list(row["gold"])))
    return EvalQuestion(
        str(row["id"]), str(row["question"]), tuple(_texts(row.get("answers", []))), gold
    )


def _list(value: Any) -> list[Any]:
    """Return what should be a list; `TypeError` for a text, which would be read by its letters."""
    if not isinstance(value, list):
        raise TypeError(f"{value!r} is no list")
    return value


def _texts(value: Any) -> Iterator[str]:
    """Yield the texts of a list, those of lists in it as well: answers that mean the same."""
    for each in _list(value):
        if isinstance(each, list):
            yield from _texts(each)
        else:
            yield str(each)


def dataset_name(questions: str) -> str:
    """Return `hotpotqa/dev` for `…/hotpotqa/dev.jsonl.gz`."""
    asked = Path(questions)
    return f"{asked.absolute().parent.name}/{asked.name.split('.')[0]}"
