"""The nearest vectors without an index: every one is compared. The way when Chroma is damaged."""

from __future__ import annotations

from collections.abc import Collection, Iterable

import numpy as np
import numpy.typing as npt

from desktop_rag.core.types import ChunkId, DocumentId
from desktop_rag.store.embeddings import Block


def nearest(
    blocks: Iterable[Block],
    vector: npt.NDArray[np.float32],
    k: int,
    documents: Collection[DocumentId] | None = None,
) -> list[tuple[ChunkId, float]]:
    """Return up to `k` chunks and their cosine similarity to a unit vector, best first."""
    wanted = None if documents is None else frozenset(documents)
    best: list[tuple[ChunkId, float]] = []
    for block in blocks:
        matrix = block.vectors.astype(np.float32)
        scores = (matrix @ vector) / np.maximum(np.linalg.norm(matrix, axis=1), 1e-9)
        best += [
            (chunk_id, float(score))
            for chunk_id, document_id, score in zip(
                block.chunks, block.documents, scores, strict=True
            )
            if wanted is None or document_id in wanted
        ]
        best.sort(key=_score, reverse=True)
        del best[k:]
    return best


def _score(hit: tuple[ChunkId, float]) -> float:
    return hit[1]
