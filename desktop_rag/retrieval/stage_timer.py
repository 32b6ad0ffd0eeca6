"""How long each stage of a search takes, and what was in the way."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager


class StageTimer:
    """The times of one search's stages in seconds, and sentences about models that failed."""

    def __init__(self) -> None:
        self.timings: dict[str, float] = {}
        self.problems: list[str] = []

    @contextmanager
    def stage(self, name: str) -> Iterator[None]:
        """Time the body."""
        begun = time.perf_counter()
        try:
            yield
        finally:
            self.timings[name] = self.timings.get(name, 0.0) + time.perf_counter() - begun
