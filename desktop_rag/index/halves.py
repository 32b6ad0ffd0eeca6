"""The two index halves of a knowledge base as they are open: told, compared and closed together."""

from __future__ import annotations

import logging
from collections.abc import Collection, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from desktop_rag.core.errors import UserError
from desktop_rag.core.types import ChunkId, DocumentId, KbId
from desktop_rag.index.bm25 import Bm25Index
from desktop_rag.index.builder import IndexBuilder
from desktop_rag.index.chroma import ChromaIndex
from desktop_rag.index.flat import Hits
from desktop_rag.index.manifest import IndexManifest
from desktop_rag.index.shared_handle import SharedHandle

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class OpenIndexes:
    """The opened halves and what is written down of them.

    There is no dense one where every vector is compared in memory, from the catalog.
    """

    shelf: IndexManifest
    dense: SharedHandle[ChromaIndex] | None
    lexical: SharedHandle[Bm25Index]

    @classmethod
    def of(cls, shelf: IndexManifest, dense: ChromaIndex | None, lexical: Bm25Index) -> OpenIndexes:
        """Return halves that were just opened or made."""
        return cls(shelf, None if dense is None else SharedHandle(dense), SharedHandle(lexical))

    def tell(
        self, kb: KbId, builder: IndexBuilder, removed: Sequence[ChunkId], added: Sequence[ChunkId]
    ) -> None:
        """Take chunks out and put others in; harmless if again."""
        with self._vectors() as dense:
            if dense is not None:
                dense.delete(removed)
                dense.add(builder.vectors(kb, added))
        with self.lexical.using() as lexical:
            lexical.apply([*removed, *added], builder.catalog.documents.texts(kb, added))

    def wrong(self, kb: KbId, builder: IndexBuilder, *, thorough: bool) -> str:
        """Return what they lack against the catalog, empty when nothing."""
        with self._vectors() as dense, self.lexical.using() as lexical:
            said = "" if dense is None else builder.wrong_dense(kb, dense, thorough=thorough)
            return said or builder.wrong_lexical(kb, lexical, thorough=thorough)

    def nearest(
        self, vector: npt.NDArray[np.float32], k: int, documents: Collection[DocumentId] | None
    ) -> Hits | None:
        """Return what Chroma finds, best first; None where it holds nothing."""
        with self._vectors() as dense:
            return None if dense is None else dense.nearest(vector, k, documents)

    def search(self, query: str, k: int, documents: Collection[DocumentId] | None) -> Hits:
        """Return what has the query's words, best first."""
        with self.lexical.using() as lexical:
            return lexical.search(query, k, documents)

    def frequencies(self, terms: Collection[str]) -> tuple[dict[str, int], int]:
        """Return how many chunks hold each term, and how many chunks there are."""
        with self.lexical.using() as lexical:
            return lexical.frequencies(terms), lexical.count()

    def close(self) -> None:
        """Close both, when nobody uses them any more."""
        self.lexical.retire()
        if self.dense is not None:
            self.dense.retire().close()

    def discard(self, kb: KbId, *, is_shared: bool) -> None:
        """Close what is used no more; folders are swept, a collection on a server is deleted."""
        self.lexical.retire()
        if self.dense is None:
            return
        store = self.dense.retire()
        try:
            if is_shared:
                store.delete_collection()
        except UserError as error:
            _log.warning("Knowledge base %d: %s", kb, error)
        finally:
            store.close()

    @contextmanager
    def _vectors(self) -> Iterator[ChromaIndex | None]:
        if self.dense is None:
            yield None
            return
        with self.dense.using() as store:
            yield store
