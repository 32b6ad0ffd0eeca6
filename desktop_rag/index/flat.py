"""The nearest vectors without an index: every one is compared.

A graph such as Chroma's leaves a few of many like vectors unreachable, others each time it is made;
what is compared here is found, always, and in the same order.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from desktop_rag.catalog.embeddings import VectorBlock
from desktop_rag.core.types import ChunkId, DocumentId

Hits = list[tuple[ChunkId, float]]
Numbers = npt.NDArray[np.int64]
_CLOSE = 1e-5  # more than two ways of summing in single precision may differ by


@dataclass(frozen=True, slots=True)
class FlatIndex:
    """Vectors of length 1, a row each, with the numbers of their chunks and documents."""

    chunks: Numbers
    documents: Numbers
    vectors: npt.NDArray[np.float32]

    def __len__(self) -> int:
        return len(self.chunks)

    @classmethod
    def of(cls, blocks: Iterable[VectorBlock]) -> FlatIndex:
        """Return the rows of some blocks."""
        made = [_matrix(block) for block in blocks]
        if not made:
            return cls(np.empty(0, np.int64), np.empty(0, np.int64), np.empty((0, 0), np.float32))
        return made[0] if len(made) == 1 else _joined(made)

    def replaced(self, ids: Collection[ChunkId], by: FlatIndex) -> FlatIndex:
        """Return the rows without those of some chunks, and with others in their place."""
        kept = ~np.isin(self.chunks, _numbers(ids))
        rest = FlatIndex(self.chunks[kept], self.documents[kept], self.vectors[kept])
        return _joined([each for each in (rest, by) if len(each)] or [rest])

    def nearest(
        self,
        vector: npt.NDArray[np.float32],
        k: int,
        documents: Collection[DocumentId] | None = None,
    ) -> Hits:
        """Return up to `k` chunks and their cosine similarity to a unit vector, best first.

        Equal ones come in the order of their numbers, wherever their rows lie: the sums that decide
        are taken again, in double precision, row by row.
        """
        rows = self._rows(documents)
        if not len(rows) or k < 1:
            return []
        scores = (self.vectors @ vector)[rows]
        if len(rows) > k:
            least = np.partition(scores, len(rows) - k)[len(rows) - k]
            rows = rows[scores >= least - _CLOSE]
        best = (self.vectors[rows] * vector.astype(np.float64)).sum(axis=1)
        order = np.lexsort((self.chunks[rows], -best))[:k]
        return [(ChunkId(int(self.chunks[rows[at]])), float(best[at])) for at in order]

    def _rows(self, documents: Collection[DocumentId] | None) -> Numbers:
        if documents is None:
            return np.arange(len(self))
        return np.flatnonzero(np.isin(self.documents, _numbers(documents)))


def nearest_in_blocks(
    blocks: Iterable[VectorBlock],
    vector: npt.NDArray[np.float32],
    k: int,
    documents: Collection[DocumentId] | None = None,
) -> Hits:
    """Return what `FlatIndex.nearest` does of vectors that need not be in memory all at once."""
    best: Hits = []
    for block in blocks:
        best += _matrix(block).nearest(vector, k, documents)
        best.sort(key=_order)
        del best[k:]
    return best


def _matrix(block: VectorBlock) -> FlatIndex:
    vectors = block.vectors.astype(np.float32)
    vectors /= np.maximum(np.linalg.norm(vectors, axis=1, keepdims=True), 1e-9)
    return FlatIndex(_numbers(block.chunks), _numbers(block.documents), vectors)


def _joined(parts: list[FlatIndex]) -> FlatIndex:
    return FlatIndex(
        np.concatenate([part.chunks for part in parts]),
        np.concatenate([part.documents for part in parts]),
        np.concatenate([part.vectors for part in parts]),
    )


def _numbers(ids: Collection[int]) -> Numbers:
    return np.fromiter(ids, np.int64, len(ids))


def _order(hit: tuple[ChunkId, float]) -> tuple[float, ChunkId]:
    return -hit[1], hit[0]
