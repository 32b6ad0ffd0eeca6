"""Finds chunks by the votes of the embedder's attention heads.

Besta et al. 2024, "Multi-Head RAG", arXiv 2406.05085, algorithms 1 and 2: each head votes for the
chunks that are nearest to the question by its own vectors, the one at rank p (from 0) with its
scale × 2^−p, and votes for one chunk add up. The scale is the mean norm of the head's vectors times
their mean cosine distance: a head counts that sees much, and tells chunks apart. In the paper votes
alone decide; here they are added to the cosines of the one vector, which finds more than they do.
"""

from __future__ import annotations

import threading
import weakref
from collections import OrderedDict
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from desktop_rag.core.types import DerivedId, KbId
from desktop_rag.index.flat import as_float32, products
from desktop_rag.models.protocols import Vectors
from desktop_rag.retrieval.dense import DenseSearch
from desktop_rag.retrieval.derived_search import (
    Block,
    DerivedChunks,
    DerivedSearch,
    WayOfBase,
)
from desktop_rag.retrieval.exhaustive_search import Documents
from desktop_rag.retrieval.fuse import Hits
from desktop_rag.retrieval.query import Query

_ROWS = 512  # vectors that lie in a processor's cache in both precisions
_KEPT = 8  # knowledge bases whose norms are in memory
_VOTES = 0.2
"""What all heads' first votes count beside a cosine of 1 (decision 74)."""
Matrix = npt.NDArray[np.float16]
_SEEN = 1e-6  # the least norm of a head's vector that has a direction


@dataclass(frozen=True, slots=True)
class HeadNorms:
    """What the heads' vectors of a block of texts are without a question.

    `inverse` are 1 / norm, shape `(n, heads)`; `norms` sums over the texts, shape `(heads,)`;
    `directions` those of unit vectors, shape `(heads, width)`.
    """

    inverse: npt.NDArray[np.float32]
    norms: npt.NDArray[np.float64]
    directions: npt.NDArray[np.float64]

    @classmethod
    def of(cls, matrix: npt.NDArray[np.float16], heads: int) -> HeadNorms:
        """Return those of vectors, a row each: those of all heads, one behind the other."""
        width = matrix.shape[1] // heads
        inverse = np.empty((len(matrix), heads), np.float32)
        norms, directions = np.zeros(heads), np.zeros((heads, width))
        for start in range(0, len(matrix), _ROWS):
            part = slice(start, start + _ROWS)
            rows = as_float32(matrix[part]).reshape(-1, heads, width)
            lengths = np.sqrt(np.einsum("nhw,nhw->nh", rows, rows))
            inverse[part] = 1.0 / np.maximum(lengths, _SEEN)
            norms += lengths.sum(axis=0)
            directions += np.einsum("nhw,nh->hw", rows, inverse[part])
        return cls(inverse, norms, directions)


@dataclass(slots=True)
class HeadVotes:
    """The nearest texts by each head, up to `most`, and what the heads' scales are made of.

    `asked` are the question's unit vectors, shape `(heads, width)`; `norms` and `directions` those
    of `HeadNorms`, over `count` texts.
    """

    asked: npt.NDArray[np.float32]
    most: int
    count: int
    norms: npt.NDArray[np.float64]
    directions: npt.NDArray[np.float64]
    nearest: list[dict[int, float]]

    @classmethod
    def of(cls, vector: Vectors, heads: int, most: int) -> HeadVotes:
        """Return none yet, for a question's vectors: those of all heads, one behind the other."""
        rows = vector.reshape(heads, -1)
        lengths = np.linalg.norm(rows, axis=1, keepdims=True)
        asked = rows / np.maximum(lengths, np.float32(_SEEN))
        sums = np.zeros(asked.shape, np.float64)
        return cls(asked, most, 0, np.zeros(heads), sums, [{} for _ in range(heads)])

    def add(
        self, block: Block, made: HeadNorms, documents: npt.NDArray[np.int64] | None = None
    ) -> None:
        """Count a block of texts; only those of some documents are voted for, where given."""
        ids, owners, matrix = block
        self.count += len(ids)
        self.norms += made.norms
        self.directions += made.directions
        cosines = self._products(matrix) * made.inverse
        if documents is not None:
            passing = np.flatnonzero(np.isin(owners, documents))
            ids, cosines = ids[passing], cosines[passing]
        self._compare(ids, np.ascontiguousarray(cosines.T))

    def shares(self) -> dict[DerivedId, float]:
        """Return the votes for each text, as a share of what all heads' first places give."""
        scales = self._scales()
        votes: dict[DerivedId, float] = {}
        for scale, near in zip(scales, self.nearest, strict=True):
            ranked = sorted(near.items(), key=lambda hit: (-hit[1], hit[0]))
            for rank, (number, _) in enumerate(ranked):
                votes[DerivedId(number)] = votes.get(DerivedId(number), 0.0) + scale * 2.0**-rank
        return votes

    def _scales(self) -> list[float]:
        """Return each head's scale, as a share of all.

        The mean cosine of all pairs is the squared length of the mean unit vector.
        """
        count = max(self.count, 1)
        alike = np.square(self.directions / count).sum(axis=1)
        scales = self.norms / count * (1.0 - alike)
        whole = float(scales.sum())
        equal = np.full(len(scales), 1.0 / len(scales))
        return [float(each) for each in (scales / whole if whole > _SEEN else equal)]

    def _products(self, matrix: npt.NDArray[np.float16]) -> npt.NDArray[np.float32]:
        """Return each head's products with the question, shape `(n, heads)`.

        One product of matrices: the question's vectors are put on the diagonal of one.
        """
        heads, width = self.asked.shape
        spread = np.zeros((heads, width, heads), np.float32)
        spread[np.arange(heads), :, np.arange(heads)] = self.asked
        return products(matrix, spread.reshape(heads * width, heads))

    def _compare(self, ids: npt.NDArray[np.int64], cosines: npt.NDArray[np.float32]) -> None:
        """Keep the nearest by each head; `cosines` has a row a head, a column a text."""
        count = min(self.most, len(ids))
        if not count:
            return
        best = np.argpartition(-cosines, count - 1, axis=1)[:, :count]
        for head, places in enumerate(best):
            found = self.nearest[head] | {int(ids[at]): float(cosines[head, at]) for at in places}
            ranked = sorted(found.items(), key=lambda hit: (-hit[1], hit[0]))
            self.nearest[head] = dict(ranked[: self.most])


def add_votes(dense: Hits, votes: Hits) -> Hits:
    """Add what its share of the votes counts to each chunk's cosine; best first.

    A chunk that the one vector did not find begins at the least cosine that it found.
    """
    least = min((score for _, score in dense), default=0.0)
    found = dict(dense)
    for chunk_id, share in votes:
        found[chunk_id] = found.get(chunk_id, least) + _VOTES * share
    return sorted(found.items(), key=lambda hit: (-hit[1], hit[0]))


class HeadSearch:
    """Has the heads vote. Safe to use from several threads.

    The norms of vectors that stay in memory are kept, too.
    """

    def __init__(self, derived: DerivedSearch) -> None:
        self._derived = derived
        self._kept: OrderedDict[WayOfBase, tuple[weakref.ref[Matrix], HeadNorms]] = OrderedDict()
        self._lock = threading.Lock()

    def search(
        self, query: Query, documents: Documents, dense: DenseSearch, most: int
    ) -> DerivedChunks:
        """Return up to `most` chunks and their shares of the votes, best first.

        Knowledge bases of one model vote together, as one does; a chunk in two of them counts once.
        Those of models that do not tell what their heads saw are left out.
        """
        bases: dict[str, tuple[HeadVotes, list[KbId]]] = {}
        for kb, asked in dense.head_vectors_of(query).items():
            votes = HeadVotes.of(asked.vector, asked.heads, most)
            bases.setdefault(asked.model, (votes, []))[1].append(kb)
        allowed = None if documents is None else np.array(sorted(documents), np.int64)
        found: dict[DerivedId, float] = {}
        for model, (votes, kbs) in bases.items():
            for kb in kbs:
                key = (kb, query.derived, model)
                for block in self._derived.blocks(key):
                    votes.add(block, self._norms(key, block[2], len(votes.asked)), allowed)
            found |= votes.shares()
        hits = sorted(found.items(), key=lambda hit: (-hit[1], hit[0]))[:most]
        return DerivedChunks(self._derived.chunks(hits, most).hits)

    def _norms(self, key: WayOfBase, matrix: Matrix, heads: int) -> HeadNorms:
        """Return the norms of vectors, those from before where these are the vectors from before.

        Only a weak reference says so: what nobody else holds any more is let go.
        """
        with self._lock:
            before, made = self._kept.get(key, (None, None))
            if made is not None and before is not None and before() is matrix:
                self._kept.move_to_end(key)
                return made
        made = HeadNorms.of(matrix, heads)
        with self._lock:
            self._kept[key] = weakref.ref(matrix), made
            self._kept.move_to_end(key)
            while len(self._kept) > _KEPT:
                self._kept.popitem(last=False)
        return made
