"""The indexes asked for all there is: every vector compared, every chunk that shares a word."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from typing import Protocol

import numpy as np
import numpy.typing as npt

from desktop_rag.catalog.facade import Catalog
from desktop_rag.core.types import DocumentId, KbId
from desktop_rag.index import flat
from desktop_rag.index.flat import Hits, NearestChunks

ALL_CHUNKS = 1 << 62
"""More candidates than there will ever be chunks."""

Documents = Collection[DocumentId] | None


class SearchIndex(Protocol):
    """What a search asks of a knowledge base's index; see `KnowledgeBaseIndex`."""

    def dense(
        self,
        vector: npt.NDArray[np.float32],
        k: int,
        documents: Documents = None,
        *,
        model: str = "",
    ) -> NearestChunks:
        """Return up to `k` chunks and their cosine similarity, best first, and who named them."""
        ...

    def lexical(self, query: str, k: int, documents: Documents = None) -> Hits:
        """Return up to `k` chunks and their BM25 score, best first."""
        ...

    def model(self) -> str:
        """Return the fingerprint of the model whose vectors are searched."""
        ...

    def frequencies(self, terms: Collection[str]) -> tuple[dict[str, int], int]:
        """Return how many chunks hold each term, and how many chunks there are."""
        ...


class SearchIndexes(Protocol):
    """The indexes of all knowledge bases; see `IndexManager`."""

    def of(self, kb: KbId) -> SearchIndex:
        """Return the index of a knowledge base."""
        ...


@dataclass(frozen=True, slots=True)
class ExhaustiveIndexes:
    """Indexes that answer with nothing left out by a shortcut."""

    catalog: Catalog
    indexes: SearchIndexes

    def of(self, kb: KbId) -> ExhaustiveIndex:
        """Return the index of a knowledge base."""
        return ExhaustiveIndex(self.catalog, kb, self.indexes.of(kb))


@dataclass(frozen=True, slots=True)
class ExhaustiveIndex:
    """Answers as a knowledge base's index does, but that each vector in the catalog is compared."""

    catalog: Catalog
    kb: KbId
    index: SearchIndex

    def dense(
        self,
        vector: npt.NDArray[np.float32],
        k: int,
        documents: Documents = None,
        *,
        model: str = "",
    ) -> NearestChunks:
        """Compare every vector that is stored, block by block."""
        blocks = self.catalog.embeddings.blocks(self.kb, model)
        return NearestChunks(flat.nearest_in_blocks(blocks, vector, k, documents))

    def lexical(self, query: str, k: int, documents: Documents = None) -> Hits:
        """Return as many chunks as are wanted; the index makes room for as many as it is asked."""
        size = self.index.frequencies(())[1]
        return self.index.lexical(query, min(k, size or 1), documents)

    def model(self) -> str:
        """Return the fingerprint of the model whose vectors are searched."""
        return self.index.model()

    def frequencies(self, terms: Collection[str]) -> tuple[dict[str, int], int]:
        """Return how many chunks hold each term, and how many chunks there are."""
        return self.index.frequencies(terms)
