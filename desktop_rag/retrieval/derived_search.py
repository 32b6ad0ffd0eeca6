"""Finds chunks by the texts derived from them: questions, propositions, summaries.

A chunk counts as near as the nearest of its derived texts. The vectors of up to 200,000 of them are
kept in memory, as float16, which is what the catalog has; of more they are read anew, block by
block.
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np
import numpy.typing as npt

from desktop_rag.catalog.facade import Catalog
from desktop_rag.core.types import ChunkId, DerivedId, KbId, Passage
from desktop_rag.index.flat import products
from desktop_rag.models.protocols import Vectors
from desktop_rag.retrieval.dense import DenseSearch
from desktop_rag.retrieval.exhaustive_search import Documents
from desktop_rag.retrieval.fuse import Hits
from desktop_rag.retrieval.query import Query

_KEPT = 8  # knowledge bases' vectors, of one way each
_LARGEST = 200_000  # derived texts whose vectors are kept

DerivedHits = list[tuple[DerivedId, float]]
Block = tuple[npt.NDArray[np.int64], npt.NDArray[np.int64], npt.NDArray[np.float16]]
"""Numbers of derived texts, those of their documents, and their vectors, a row each."""
WayOfBase = tuple[KbId, str, str]
"""A knowledge base, a way that it is prepared for, and an embedder's fingerprint."""


@dataclass(frozen=True, slots=True)
class _Kept:
    """Vectors in memory, none where there are too many.

    `changes` is how often the knowledge base had changed when `revision`, which takes longer to
    learn, was looked at last.
    """

    changes: int
    revision: tuple[int, ...]
    blocks: tuple[Block, ...] | None


@dataclass(frozen=True, slots=True)
class DerivedChunks:
    """Chunks that derived texts lead to, with the cosine of the nearest, best first.

    `texts` are those nearest texts.
    """

    hits: Hits = field(default_factory=list)
    texts: Mapping[ChunkId, str] = field(default_factory=dict)

    def texts_of(self, passages: Sequence[Passage]) -> tuple[tuple[ChunkId, str], ...]:
        """Return the texts that led to passages, in the passages' order."""
        ids = (each.chunk_id for each in passages)
        return tuple((each, self.texts[each]) for each in ids if each in self.texts)


NO_DERIVED = DerivedChunks()


class DerivedSearch:
    """Compares a query with what was derived for a way. Safe to use from several threads."""

    def __init__(self, catalog: Catalog) -> None:
        self._catalog = catalog
        self._kept: OrderedDict[WayOfBase, _Kept] = OrderedDict()
        self._lock = threading.Lock()

    def search(
        self, query: Query, documents: Documents, dense: DenseSearch, most: int
    ) -> DerivedChunks:
        """Return up to `most` chunks by what was derived for the query's way.

        Of several knowledge bases, a derived text counts once.
        """
        found: dict[DerivedId, float] = {}
        for kb, (model, vector) in dense.vectors_of(query).items():
            found |= dict(self.nearest(vector, kb, (query.derived, model), most, documents))
        hits = sorted(found.items(), key=lambda hit: (-hit[1], hit[0]))[:most]
        return self.chunks(hits, most)

    def nearest(
        self, vector: Vectors, kb: KbId, of: tuple[str, str], most: int, documents: Documents = None
    ) -> DerivedHits:
        """Return up to `most` derived texts and their cosines, best first.

        `of` names a way, and the embedder's fingerprint; only those of some `documents` count,
        where they are given.
        """
        found: DerivedHits = []
        allowed = None if documents is None else np.array(sorted(documents), np.int64)
        for ids, owners, matrix in self.blocks((kb, *of)):
            passing = None if allowed is None else np.flatnonzero(np.isin(owners, allowed))
            found += _best(ids, products(matrix, vector), passing, most)
        return sorted(found, key=lambda hit: (-hit[1], hit[0]))[:most]

    def nearest_of(
        self,
        ids: Collection[DerivedId],
        vector: Vectors,
        kb: KbId,
        of: tuple[str, str],
        most: int,
    ) -> DerivedHits:
        """Return up to `most` of some derived texts and their cosines, best first."""
        found: DerivedHits = []
        allowed = np.array(sorted(ids), np.int64)
        for numbers, _, matrix in self.blocks((kb, *of)):
            passing = np.flatnonzero(np.isin(numbers, allowed))
            found += _best(numbers, products(matrix, vector), passing, most)
        return sorted(found, key=lambda hit: (-hit[1], hit[0]))[:most]

    def chunks(self, hits: DerivedHits, most: int) -> DerivedChunks:
        """Return up to `most` chunks that derived texts, best first, lead to."""
        texts = self._catalog.preparations.get(each for each, _ in hits)
        found: dict[ChunkId, float] = {}
        through: dict[ChunkId, str] = {}
        for derived_id, score in hits:
            if derived_id not in texts:
                continue
            for chunk in texts[derived_id].sources:
                if chunk not in found:
                    found[chunk], through[chunk] = score, texts[derived_id].text
        return DerivedChunks(list(found.items())[:most], through)

    def blocks(self, key: WayOfBase) -> Iterable[Block]:
        """Return all derived texts of a knowledge base for a way that have a model's vectors."""
        stored = self._catalog.preparations
        with self._lock:
            changes = stored.changes(key[0])
            kept = self._kept.get(key)
            if kept is None or kept.changes != changes:
                kept = self._kept[key] = self._looked_up(key, changes, kept)
            self._kept.move_to_end(key)
            while len(self._kept) > _KEPT:
                self._kept.popitem(last=False)
        return stored.vectors(*key) if kept.blocks is None else kept.blocks

    def _looked_up(self, key: WayOfBase, changes: int, before: _Kept | None) -> _Kept:
        """Return what is kept now: what was before, unless other vectors are there."""
        revision = self._catalog.preparations.revision(*key)
        if before is not None and before.revision == revision:
            return replace(before, changes=changes)
        if revision[0] > _LARGEST:
            return _Kept(changes, revision, None)
        vectors = self._catalog.preparations.vectors(*key)
        return _Kept(changes, revision, tuple(_gathered(vectors)))


def _gathered(blocks: Iterable[Block]) -> Iterator[Block]:
    """Join small blocks: one comparison of many rows is faster than many of few."""
    parts = list(blocks)
    if parts:
        ids, owners, matrices = zip(*parts, strict=True)
        yield np.concatenate(ids), np.concatenate(owners), np.concatenate(matrices)


def _best(
    ids: npt.NDArray[np.int64],
    scores: npt.NDArray[np.float32],
    passing: npt.NDArray[np.int64] | None,
    most: int,
) -> DerivedHits:
    """Return up to `most` texts with the highest scores, of all or of those at some places."""
    if passing is not None:
        ids, scores = ids[passing], scores[passing]
    count = min(most, len(scores))
    if not count:
        return []
    best = np.argpartition(-scores, count - 1)[:count]
    return [(DerivedId(int(ids[at])), float(scores[at])) for at in best]
