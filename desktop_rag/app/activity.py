"""What the ingest lane is doing."""

from __future__ import annotations

from dataclasses import dataclass

from desktop_rag.core.events import IndexProgress


@dataclass(frozen=True, slots=True)
class Resting:
    """Nothing is being indexed."""


@dataclass(frozen=True, slots=True)
class Working:
    """A request is being done in `kb`; `progress` is None until the first is known."""

    kb: str
    progress: IndexProgress | None = None


Activity = Resting | Working
