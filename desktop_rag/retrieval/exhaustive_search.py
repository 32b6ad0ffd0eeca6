"""The indexes asked for all there is: every vector compared, every chunk that shares a word."""

from __future__ import annotations

from collections.abc import Collection
from typing import Protocol

import numpy as np
import numpy.typing as npt

from desktop_rag.catalog.facade import Catalog
from desktop_rag.core.types import DocumentId, KbId
from desktop_rag.index import flat
from desktop_rag.index.flat import Hits

ALL_CHUNKS = 1 << 62
"""More candidates than there will ever be chunks."""

Documents = Collection[DocumentId] | None


class SearchIndex(Protocol):
    """What a search asks of the indexes; see `IndexManager`."""

    def dense(
        self,
        kb: KbId,
        vector: npt.NDArray[np.float32],
        k: int,
        documents: Documents = None,
        *,
        model: str = "",
    ) -> Hits:
        """Return up to `k` chunks and their cosine similarity, best first."""
        ...

    def lexical(self, kb: KbId, query: str, k: int, documents: Documents = None) -> Hits:
        """Return up to `k` chunks and their BM25 score, best first."""
        ...

    def model(self, kb: KbId) -> str:
        """Return the fingerprint of the model whose vectors are searched."""
        ...

    def frequencies(self, kb: KbId, terms: Collection[str]) -> tuple[dict[str, int], int]:
        """Return how many chunks hold each term, and how many chunks there are."""
        ...


class ExhaustiveIndex:
    """Answers as the indexes do, with nothing left out by a shortcut.

    Vectors are read from the catalog, block by block.
    """

    def __init__(self, catalog: Catalog, indexes: SearchIndex) -> None:
        self._catalog = catalog
        self._indexes = indexes

    def dense(
        self,
        kb: KbId,
        vector: npt.NDArray[np.float32],
        k: int,
        documents: Documents = None,
        *,
        model: str = "",
    ) -> Hits:
        """Compare every vector that is stored."""
        blocks = self._catalog.embeddings.blocks(kb, model)
        return flat.nearest_in_blocks(blocks, vector, k, documents)

    def lexical(self, kb: KbId, query: str, k: int, documents: Documents = None) -> Hits:
        """Return as many chunks as are wanted; the index makes room for as many as it is asked."""
        size = self._indexes.frequencies(kb, ())[1]
        return self._indexes.lexical(kb, query, min(k, size or 1), documents)

    def model(self, kb: KbId) -> str:
        """Return the fingerprint of the model whose vectors are searched."""
        return self._indexes.model(kb)

    def frequencies(self, kb: KbId, terms: Collection[str]) -> tuple[dict[str, int], int]:
        """Return how many chunks hold each term, and how many chunks there are."""
        return self._indexes.frequencies(kb, terms)
