"""Finds chunks by the votes of the embedder's attention heads.

Besta et al. 2024, "Multi-Head RAG", arXiv 2406.05085, algorithms 1 and 2: each head votes for the
chunks that are nearest to the question by its own vectors, the one at rank p (from 0) with its
scale × 2^−p, and votes for one chunk add up. The scale is the mean norm of the head's vectors times
their mean cosine distance: a head counts that sees much, and tells chunks apart. In the paper votes
alone decide; here they are added to the cosines of the one vector, which finds more than they do.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from desktop_rag.core.types import DerivedId, KbId
from desktop_rag.models.protocols import Vectors
from desktop_rag.retrieval.dense import DenseSearch
from desktop_rag.retrieval.derived_search import Block, DerivedChunks, DerivedSearch
from desktop_rag.retrieval.exhaustive_search import Documents
from desktop_rag.retrieval.fuse import Hits
from desktop_rag.retrieval.query import Query

_ROWS = 4096  # vectors compared at once
_VOTES = 0.2
"""What all heads' first votes count beside a cosine of 1 (decision 74)."""
_SEEN = 1e-6  # the least norm of a head's vector that has a direction


@dataclass(slots=True)
class HeadVotes:
    """The nearest texts by each head, up to `most`, and what the heads' scales are made of.

    `norms` are sums over all texts, shape `(heads,)`; `directions` those of unit vectors, shape
    `(heads, width)`.
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
        asked = _units(vector.reshape(1, heads, -1))[1][0]
        sums = np.zeros(asked.shape, np.float64)
        return cls(asked, most, 0, np.zeros(heads), sums, [{} for _ in range(heads)])

    def add(self, block: Block, documents: npt.NDArray[np.int64] | None) -> None:
        """Count a block of texts; only those of some documents are voted for, where given."""
        ids, owners, matrix = block
        for start in range(0, len(ids), _ROWS):
            part = slice(start, start + _ROWS)
            rows = matrix[part].astype(np.float32).reshape(-1, *self.asked.shape)
            norms = np.sqrt(np.einsum("nhw,nhw->nh", rows, rows))
            shares = 1.0 / np.maximum(norms, _SEEN)
            self.count += len(rows)
            self.norms += norms.sum(axis=0)
            self.directions += (rows.transpose(1, 2, 0) @ shares.T[:, :, None])[:, :, 0]
            cosines = (rows.transpose(1, 0, 2) @ self.asked[:, :, None])[:, :, 0] * shares.T
            passing = slice(None) if documents is None else np.isin(owners[part], documents)
            self._compare(ids[part][passing], cosines[:, passing])

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


@dataclass(frozen=True, slots=True)
class HeadSearch:
    """Has the heads vote. Safe to use from several threads."""

    derived: DerivedSearch

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
                for block in self.derived.blocks((kb, query.derived, model)):
                    votes.add(block, allowed)
            found |= votes.shares()
        hits = sorted(found.items(), key=lambda hit: (-hit[1], hit[0]))[:most]
        return DerivedChunks(self.derived.chunks(hits, most).hits)


def _units(
    rows: npt.NDArray[np.float32],
) -> tuple[npt.NDArray[np.float32], npt.NDArray[np.float32]]:
    """Return norms and unit vectors of rows of heads: shapes `(n, heads)`, `(n, heads, width)`."""
    norms = np.linalg.norm(rows, axis=2)
    return norms, rows / np.maximum(norms, _SEEN)[:, :, None]
