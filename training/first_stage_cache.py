"""What the first stage answered, kept in a file: measuring needs no index, and no other machine's.

`python -m training.cache_first_stage` writes it, with all that measuring will ask.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

from training import question_sets


@dataclass(frozen=True, slots=True)
class Hit:
    """A passage that the first stage found, with what it knows of it."""

    id: str
    rank: int
    score: float = 0.0
    cosine: float = 0.0
    bm25: float = 0.0


class Stage(Protocol):
    """Finds passages for a text: the first stage itself, or what is remembered of it."""

    def search(self, text: str, k: int) -> list[Hit]:
        """Return the `k` best of the fused candidates, best first."""
        ...

    def words_only(self, text: str, k: int) -> list[str]:
        """Return the `k` best passages by BM25 alone."""
        ...


class CachedFirstStage:
    """Answers as the first stage did; a text that it was not asked for is a KeyError."""

    def __init__(self, path: Path) -> None:
        self._answers = {row["key"]: row["ids"] for row in question_sets.rows(path)}

    def search(self, text: str, k: int) -> list[Hit]:
        """Return what was found for a text, best first."""
        ids = self._answers[key_of("search", text)][:k]
        return [Hit(each, rank) for rank, each in enumerate(ids, start=1)]

    def words_only(self, text: str, k: int) -> list[str]:
        """Return what BM25 alone found for a text."""
        return list(self._answers[key_of("words", text)][:k])


class Listener:
    """Asks a first stage, and writes down what it answers."""

    def __init__(self, stage: Stage) -> None:
        self._stage = stage
        self._heard: dict[str, Sequence[str]] = {}

    def search(self, text: str, k: int) -> list[Hit]:
        """Return what the first stage finds."""
        hits = self._stage.search(text, k)
        self._heard[key_of("search", text)] = [hit.id for hit in hits]
        return hits

    def words_only(self, text: str, k: int) -> list[str]:
        """Return what its BM25 finds."""
        ids = self._stage.words_only(text, k)
        self._heard[key_of("words", text)] = ids
        return ids

    @property
    def rows(self) -> list[dict[str, Any]]:
        """All that was heard, in the order of the asking."""
        return [{"key": key, "ids": ids} for key, ids in self._heard.items()]


def kept_at(work: Path, name: str) -> Path:
    """Return where what is remembered of a set's first stage is kept."""
    return work / f"remembered-{name}.jsonl.gz"


def key_of(kind: str, text: str) -> str:
    """Return what a text is remembered by."""
    return hashlib.blake2b(f"{kind}\0{text}".encode(), digest_size=8).hexdigest()
