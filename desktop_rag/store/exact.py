"""The nearest vectors without an index: every one is compared. The way when Chroma is damaged."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from itertools import islice
from typing import Any

import numpy as np
import numpy.typing as npt

from desktop_rag.core.types import ChunkId, DocumentId

_BLOCK = 4096


def nearest(
    rows: Iterable[tuple[ChunkId, DocumentId, npt.NDArray[np.floating[Any]]]],
    vector: npt.NDArray[np.float32],
    k: int,
    documents: Collection[DocumentId] | None = None,
) -> list[tuple[ChunkId, float]]:
    """Return up to `k` chunks and their cosine similarity to a unit vector, best first."""
    wanted = None if documents is None else frozenset(documents)
    best: list[tuple[ChunkId, float]] = []
    source = (row for row in rows if wanted is None or row[1] in wanted)
    while block := list(islice(source, _BLOCK)):
        matrix = np.stack([row[2] for row in block]).astype(np.float32)
        lengths = np.linalg.norm(matrix, axis=1)
        scores = (matrix @ vector) / np.maximum(lengths, 1e-9)
        best += [(row[0], float(score)) for row, score in zip(block, scores, strict=True)]
        best.sort(key=_score, reverse=True)
        del best[k:]
    return best


def _score(hit: tuple[ChunkId, float]) -> float:
    return hit[1]
