"""How surely the passages answer the query: one number, below which nothing was found."""

from __future__ import annotations

from collections.abc import Sequence

from desktop_rag.engine.retrieval.query import Ranked


def evidence(query: str, ranked: Sequence[Ranked]) -> float:  # noqa: ARG001
    """Return a confidence in [0, 1]."""
    return max((each.candidate.dense_score or 0.0 for each in ranked), default=0.0)
