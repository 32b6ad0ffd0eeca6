"""Ollama as values: how it is installed, models it has, has loaded, and could fetch."""

from __future__ import annotations

import re
from dataclasses import dataclass

import psutil

CLOUD = "https://ollama.com:443"
"""Where Ollama asks for models that its list names no place for."""

_COUNT = re.compile(r"(\d+(?:\.\d+)?)\s*([KMBT])", re.IGNORECASE)
_THOUSANDS = {"K": 10**3, "M": 10**6, "B": 10**9, "T": 10**12}


def is_cloud_name(name: str) -> bool:
    """Whether Ollama passes a model of this name on to its cloud: the tag is or ends with `cloud`.

    It trims and lower-cases the tag first, and since 0.18 needs no entry in its list for it.
    """
    return "".join(name.split()).lower().endswith((":cloud", "-cloud"))


@dataclass(frozen=True, slots=True)
class InstalledModel:
    """A model that Ollama has. `size` is in bytes on disk, `parameters` like `3.2B`.

    `remote_host` is where a model really runs that Ollama only passes questions on for, and
    `remote_model` what it is called there; either says that it does not run here.
    `capabilities` (`completion`, `embedder`, `thinking`, `vision` …), `context_length` (in tokens,
    what the model was made for) and `token_bytes` (about the memory that a token of context takes
    beside the model) are known after `OllamaServer.show`, else empty and None.
    """

    name: str
    size: int
    digest: str
    family: str
    parameters: str
    quantization: str
    remote_host: str = ""
    remote_model: str = ""
    capabilities: frozenset[str] = frozenset()
    context_length: int | None = None
    template: str = ""
    token_bytes: int | None = None

    @property
    def can_chat(self) -> bool:
        """Whether it writes text; unknown capabilities count as yes, except of embedding models."""
        if self.capabilities:
            return "completion" in self.capabilities
        return self.family not in ("bert", "nomic-bert")

    @property
    def parameter_count(self) -> int | None:
        """How many parameters it has; None where that is not told, or in no form that is known."""
        found = _COUNT.fullmatch(self.parameters.strip())
        return round(float(found[1]) * _THOUSANDS[found[2].upper()]) if found else None

    @property
    def thinks(self) -> bool:
        """Whether it can think before it answers: such models refuse a beginning of theirs."""
        return "thinking" in self.capabilities

    @property
    def runs_elsewhere(self) -> bool:
        """Whether questions to it leave this computer, though Ollama is on it."""
        return bool(self.remote_host or self.remote_model) or is_cloud_name(self.name)

    @property
    def cloud(self) -> str:
        """Where it runs if not on Ollama's computer, else empty."""
        return (self.remote_host or CLOUD) if self.runs_elsewhere else ""


@dataclass(frozen=True, slots=True)
class RunningModel:
    """A loaded model; `context_length` is the context in force, None where not reported."""

    name: str
    size: int
    context_length: int | None


INSTALL_PAGE = "https://ollama.com/download"
"""Where Ollama tells how it is installed."""


@dataclass(frozen=True, slots=True)
class Installation:
    """Ollama as it is installed here: its program, empty where it is not found.

    `service` is what starts it where the system does that. Without it, `command` is what installs
    it here, empty where only the page tells, and `effect` a sentence of what that does.
    """

    program: str = ""
    service: str = ""
    command: str = ""
    effect: str = ""
    page: str = INSTALL_PAGE


SPARE = 0.9
"""What a computer tells of its memory: one of 16 GB a little less."""


@dataclass(frozen=True, slots=True)
class Suggestion:
    """A model that can be fetched: what it is good for, its size, and memory in all to run it.

    `languages` is a sentence: those that its makers name.
    """

    name: str
    title: str
    size: int
    memory: int
    kind: str = "language"
    languages: str = ""

    @property
    def fits(self) -> bool:
        """Whether this computer has the memory."""
        return total_memory() >= self.memory * SPARE


def total_memory() -> int:
    """Return this computer's memory in bytes."""
    return int(psutil.virtual_memory().total)
