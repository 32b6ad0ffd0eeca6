"""The models in memory: for how long, and which requests wait for another's end."""

from __future__ import annotations

import math
import re
import threading
import time
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from testing.ollama_double.generator import GenerationFailed

BUSY = "server busy, please try again.  maximum pending requests exceeded"
FIVE_MINUTES = 300.0
"""Seconds that Ollama keeps a model of which nothing else was asked."""

_UNITS = {"ns": 1e-9, "us": 1e-6, "µs": 1e-6, "ms": 1e-3, "s": 1.0, "m": 60.0, "h": 3600.0}
_PART = re.compile(r"(\d+(?:\.\d*)?|\.\d+)(ns|us|µs|ms|s|m|h)")
_LOOK = 0.01  # seconds between looks whether it is a request's turn


def seconds(keep_alive: Any) -> float:
    """Return a `keep_alive` in seconds, as Go reads durations; `GenerationFailed` for none."""
    if keep_alive is None:
        return FIVE_MINUTES
    if isinstance(keep_alive, (int, float)) and not isinstance(keep_alive, bool):
        return math.inf if keep_alive < 0 else float(keep_alive)
    text = str(keep_alive)
    bare = text.lstrip("+-")
    parts = _PART.findall(bare)
    if bare == "0":
        return 0.0
    if not parts or "".join(map("".join, parts)) != bare:
        fault = "missing unit in" if bare.replace(".", "").isdecimal() else "invalid"
        raise GenerationFailed(400, f'time: {fault} duration "{text}"')
    total = sum(float(number) * _UNITS[unit] for number, unit in parts)
    return math.inf if text.startswith("-") and total else total


@dataclass(slots=True)
class LoadedModel:
    """A model in memory: its context, and when it is let go, by the clock that only rises."""

    context: int
    until: float


class LoadedModels:
    """What is in memory. `loads` counts how often a model was loaded, for another context too."""

    def __init__(self) -> None:
        self.loads = 0
        self._models: dict[str, LoadedModel] = {}
        self._lock = threading.Lock()

    def load(self, name: str, context: int, keep: float) -> None:
        """Load a model, or keep it for longer."""
        with self._lock:
            self._let_go()
            loaded = self._models.get(name)
            if loaded is None or loaded.context != context:
                self.loads += 1
            self._models[name] = LoadedModel(context, time.monotonic() + max(keep, _LOOK))

    def renew(self, name: str, keep: float) -> None:
        """Begin a model's time anew, as the end of a request does."""
        with self._lock:
            if name in self._models:
                self._models[name].until = time.monotonic() + keep

    def unload(self, name: str) -> None:
        """Let a model go at once."""
        with self._lock:
            self._models.pop(name, None)

    def now(self) -> dict[str, tuple[int, float]]:
        """Return the context of each model that is loaded, and the seconds that it stays."""
        with self._lock:
            self._let_go()
            at = time.monotonic()
            return {name: (each.context, each.until - at) for name, each in self._models.items()}

    def _let_go(self) -> None:
        at = time.monotonic()
        self._models = {name: each for name, each in self._models.items() if each.until > at}


class RequestQueue:
    """Lets `slots` requests generate at a time, the others wait; with 0 none waits.

    More than `most` that wait are refused.
    """

    def __init__(self) -> None:
        self.slots = 0
        self.most = 512
        self._tickets: deque[object] = deque()
        self._lock = threading.Lock()

    @property
    def waiting(self) -> int:
        """How many requests wait."""
        return max(0, len(self._tickets) - self.slots) if self.slots else 0

    @contextmanager
    def turn(self, pause: Callable[[float], None]) -> Iterator[None]:
        """Wait for a request's turn, as long as its client does."""
        ticket = object()
        with self._lock:
            if self.slots and len(self._tickets) >= self.slots + self.most:
                raise GenerationFailed(503, BUSY)
            self._tickets.append(ticket)
        try:
            while self.slots and self._place(ticket) >= self.slots:
                pause(_LOOK)
            yield
        finally:
            with self._lock:
                self._tickets.remove(ticket)

    def _place(self, ticket: object) -> int:
        with self._lock:
            return self._tickets.index(ticket)
