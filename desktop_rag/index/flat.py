"""The nearest vectors without an index: every one is compared.

A graph such as Chroma's leaves a few of many like vectors unreachable, others each time it is made;
what is compared here is found, always, and in the same order.

What is compared lies in memory, once somebody searches: the catalog's vectors, which are the same
wherever Chroma keeps its own, in a folder or on a shared server. So a search is right, and goes
nowhere, whatever state Chroma is in.
"""

from __future__ import annotations

import threading
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass
from weakref import WeakValueDictionary

import numpy as np
import numpy.typing as npt

from desktop_rag.catalog.embeddings import Embeddings, VectorBlock
from desktop_rag.core.types import ChunkId, DocumentId, KbId, VectorSearch

Hits = list[tuple[ChunkId, float]]
Numbers = npt.NDArray[np.int64]
_PER_PART = 2048  # rows that are compared at once
_PER_PRODUCT = 512  # rows that lie in a processor's cache in both precisions
_SIGN_AND_HALF = np.int32(-0x70000001)  # the bits 31 and 27 to 0, after the sign was spread
_BIASES = np.float32(2.0 ** (127 - 15))
_CLOSE = 1e-5  # more than two ways of summing in single precision may differ by
_MANY = 4000  # changed chunks for which the matrix is rather read anew


@dataclass(frozen=True, slots=True)
class NearestChunks:
    """Chunks and their cosine similarity, best first, and who named them."""

    hits: Hits
    by: VectorSearch = VectorSearch.EXACT


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
    """Return what `FlatIndex.nearest` does of vectors that need not be in memory all at once.

    Of each part only the rows that may be among the best are compared as exactly.
    """
    best: Hits = []
    for part in _parts(blocks, documents):
        some = part
        if len(best) == k:
            vectors = as_float32(part.vectors)
            scores = vectors @ vector / _lengths(vectors)
            some = _chosen(part, scores >= best[-1][1] - _CLOSE)
        if len(some.chunks):
            best += _matrix(some).nearest(vector, k)
            best.sort(key=_order)
            del best[k:]
    return best


def least_of_nearest(
    blocks: Iterable[VectorBlock], asked: npt.NDArray[np.float32], k: int
) -> npt.NDArray[np.float32]:
    """Return, for each row of unit vectors, the cosine of its `k`th nearest, or of its last."""
    best = np.empty((len(asked), 0), np.float32)
    for block in blocks:
        best = np.hstack([best, asked @ _matrix(block).vectors.T])
        if best.shape[1] > k:
            best = -np.partition(-best, k - 1, axis=1)[:, :k]
    least: npt.NDArray[np.float32] = best.min(axis=1, initial=1.0)
    return least


def _matrix(block: VectorBlock) -> FlatIndex:
    return FlatIndex(block.chunks, block.documents, _units(block.vectors))


def _parts(
    blocks: Iterable[VectorBlock], documents: Collection[DocumentId] | None
) -> Iterator[VectorBlock]:
    """Yield the rows of some documents, or all, so many at once as a processor's cache holds."""
    wanted = None if documents is None else _numbers(documents)
    for block in blocks:
        of_these = block if wanted is None else _chosen(block, np.isin(block.documents, wanted))
        for start in range(0, len(of_these.chunks), _PER_PART):
            yield _chosen(of_these, slice(start, start + _PER_PART))


def _chosen(block: VectorBlock, rows: npt.NDArray[np.bool_] | slice) -> VectorBlock:
    return VectorBlock(block.chunks[rows], block.documents[rows], block.vectors[rows])


def _units(stored: npt.NDArray[np.float16]) -> npt.NDArray[np.float32]:
    """Return vectors in single precision and of length 1."""
    vectors = as_float32(stored)
    vectors /= _lengths(vectors)[:, np.newaxis]
    return vectors


def _lengths(vectors: npt.NDArray[np.float32]) -> npt.NDArray[np.float32]:
    squares: npt.NDArray[np.float32] = np.vecdot(vectors, vectors)
    return np.maximum(np.sqrt(squares), np.float32(1e-9))


def as_float32(halves: npt.NDArray[np.float16]) -> npt.NDArray[np.float32]:
    """Return what `halves.astype(np.float32)` does of finite numbers, in a sixth of its time.

    Sign, exponent and fraction go to the bits where single precision has them (IEEE 754, section
    3.4); the exponent then lacks the difference of both formats' biases, 127 - 15.
    """
    bits = np.left_shift(halves.view(np.int16), 13, dtype=np.int32)
    bits &= _SIGN_AND_HALF
    made = bits.view(np.float32)
    made *= _BIASES
    return made


def products(
    halves: npt.NDArray[np.float16], by: npt.NDArray[np.float32]
) -> npt.NDArray[np.float32]:
    """Return `halves @ by` in single precision, for a vector or the columns of a matrix."""
    made = np.empty((len(halves), *by.shape[1:]), np.float32)
    for start in range(0, len(halves), _PER_PRODUCT):
        rows = slice(start, start + _PER_PRODUCT)
        np.matmul(as_float32(halves[rows]), by, out=made[rows])
    return made


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


class CachedVectors:
    """One model's vectors of a knowledge base, in memory once somebody searches, up to `most`.

    Any thread may search, while another tells of changes.
    """

    def __init__(self, embeddings: Embeddings, kb: KbId, fingerprint: str, most: int) -> None:
        self.fingerprint = fingerprint
        self._embeddings = embeddings
        self._kb = kb
        self._most = most
        self._lock = threading.Lock()
        self._matrix: FlatIndex | None = None
        self._told: set[ChunkId] = set()
        self._is_large = False

    def blocks(self, ids: Collection[ChunkId] | None = None) -> Iterator[VectorBlock]:
        """Return the catalog's vectors in blocks, of all chunks or of some."""
        return self._embeddings.blocks(self._kb, self.fingerprint, ids)

    @property
    def held(self) -> int:
        """How many vectors are in memory."""
        matrix = self._matrix
        return 0 if matrix is None else len(matrix)

    def tell(self, ids: Iterable[ChunkId]) -> None:
        """Say which chunks came or went: the next search looks them up in the catalog."""
        with self._lock:
            self._is_large = False
            if self._matrix is not None:
                self._told.update(ids)
            if len(self._told) > _MANY:
                self._let_go()

    def forget(self) -> None:
        """Let go of what is in memory; a later search reads it again."""
        with self._lock:
            self._is_large = False
            self._let_go()

    def current(self) -> FlatIndex | None:
        """Return the vectors as the catalog has them, or None where there are too many.

        Whoever is told of a change while they are read waits, so that none is missed.
        """
        with self._lock:
            if self._is_large:
                return None
            if self._matrix is None:
                if not self._embeddings.is_large(self._kb, self._most):
                    self._matrix = FlatIndex.of(self.blocks())
            elif self._told:
                self._bring_up_to_date(self._matrix)
            self._is_large = self._matrix is None
            return self._matrix

    def _bring_up_to_date(self, matrix: FlatIndex) -> None:
        told = list(self._told)
        changed = matrix.replaced(told, FlatIndex.of(self.blocks(told)))
        self._let_go()
        if len(changed) <= self._most:
            self._matrix = changed

    def _let_go(self) -> None:
        self._matrix = None
        self._told.clear()


class VectorMemory:
    """What is in memory of all knowledge bases: of those searched last, up to `most` vectors."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._lock = threading.Lock()
        self._recent: WeakValueDictionary[KbId, CachedVectors] = WeakValueDictionary()

    def keep(self, kb: KbId, vectors: CachedVectors) -> None:
        """Keep what is being searched; let go of what was searched longest ago."""
        with self._lock:
            self._recent.pop(kb, None)
            self._recent[kb] = vectors
            held = 0
            for each in reversed(list(self._recent.values())):
                held += each.held
                if held > self._most:
                    each.forget()
