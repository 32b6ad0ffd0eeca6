"""What the ingest lane is doing."""

from __future__ import annotations

from dataclasses import dataclass

from desktop_rag.core.events import IndexProgress


@dataclass(frozen=True, slots=True)
class Idle:
    """Nothing is being indexed."""


@dataclass(frozen=True, slots=True)
class Indexing:
    """A request is being done in `kb`; `progress` is None until the first is known."""

    kb: str
    progress: IndexProgress | None = None


Activity = Idle | Indexing
