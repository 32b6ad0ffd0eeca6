"""How long each stage of a search takes, who named the vectors, and what was in the way."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager

from desktop_rag.core.types import VectorSearch


class StageTimer:
    """The times of one search's stages in seconds, and sentences about models that failed.

    `vector_search` says how the nearest vectors were found, of several knowledge bases `CHROMA` if
    it was asked for one; None where none were looked for.
    """

    def __init__(self) -> None:
        self.timings: dict[str, float] = {}
        self.problems: list[str] = []
        self.vector_search: VectorSearch | None = None

    def note_vector_search(self, by: VectorSearch) -> None:
        """Note how the nearest vectors of one knowledge base were found."""
        if self.vector_search is not VectorSearch.CHROMA:
            self.vector_search = by

    @contextmanager
    def stage(self, name: str) -> Iterator[None]:
        """Time the body."""
        begun = time.perf_counter()
        try:
            yield
        finally:
            self.timings[name] = self.timings.get(name, 0.0) + time.perf_counter() - begun
