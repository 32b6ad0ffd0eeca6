"""The dense half as it is searched: every vector compared, or Chroma asked where that is slow.

What is compared lies in memory, once somebody searches: the catalog's vectors, which are the same
wherever Chroma keeps its own, in a folder or on a shared server. So a search is right, and goes
nowhere, whatever state Chroma is in.
"""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Collection, Iterable

import numpy as np
import numpy.typing as npt

from desktop_rag.core.errors import DesktopRagError, StoreDamaged, UserError
from desktop_rag.core.types import ChunkId, DocumentId, KbId
from desktop_rag.index import flat
from desktop_rag.index.builder import IndexBuilder
from desktop_rag.index.chroma import MOST_DOCUMENTS

_log = logging.getLogger(__name__)
_MANY = 4000  # changed chunks for which the matrix is rather read anew
Ask = Callable[
    [npt.NDArray[np.float32], int, "Collection[DocumentId] | None"],
    list[tuple[ChunkId, float]] | None,
]


class ModelChanged(DesktopRagError):
    """The vectors are of another model now: embed the question by that one."""


class VectorSearch:
    """Searches one knowledge base's vectors; any thread may, while another tells of changes.

    `ask` asks Chroma; None says that it does not hold the vectors yet. `is_broken` says that it is
    damaged: it is not asked until it is made anew. All vectors are of one model, the builder's;
    where another takes over, so does another `VectorSearch`.
    """

    def __init__(self, kb: KbId, builder: IndexBuilder, ask: Ask) -> None:
        self._kb = kb
        self._builder = builder
        self._ask = ask
        self._lock = threading.Lock()
        self._matrix: flat.FlatIndex | None = None
        self._told: set[ChunkId] = set()
        self._is_large = False
        self.is_broken = False

    def nearest(
        self,
        vector: npt.NDArray[np.float32],
        k: int,
        documents: Collection[DocumentId] | None = None,
    ) -> flat.Hits:
        """Return up to `k` chunks and their cosine similarity, best first."""
        matrix = self._current()
        if matrix is not None:
            return matrix.nearest(vector, k, documents)
        if not self.is_broken and (documents is None or len(documents) <= MOST_DOCUMENTS):
            try:
                if (hits := self._ask(vector, k, documents)) is not None:
                    return hits
            except UserError as error:
                _log.warning("Knowledge base %d: %s", self._kb, error)
                self.is_broken = isinstance(error, StoreDamaged)
        return flat.nearest_in_blocks(self._builder.blocks(self._kb), vector, k, documents)

    @property
    def fingerprint(self) -> str:
        """The model whose vectors these are."""
        return self._builder.fingerprint

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

    def _current(self) -> flat.FlatIndex | None:
        """Return the vectors as the catalog has them, or None where there are too many.

        Whoever is told of a change while they are read waits, so that none is missed.
        """
        with self._lock:
            if self._is_large:
                return None
            if self._matrix is None:
                self._read()
            elif self._told:
                self._bring_up_to_date(self._matrix)
            self._is_large = self._matrix is None
            return self._matrix

    def _read(self) -> None:
        builder = self._builder
        if not builder.catalog.embeddings.is_large(self._kb, builder.exact_upto):
            self._matrix = flat.FlatIndex.of(self._builder.blocks(self._kb))

    def _bring_up_to_date(self, matrix: flat.FlatIndex) -> None:
        told = list(self._told)
        changed = matrix.replaced(told, flat.FlatIndex.of(self._builder.blocks(self._kb, told)))
        self._let_go()
        if len(changed) <= self._builder.exact_upto:
            self._matrix = changed

    def _let_go(self) -> None:
        self._matrix = None
        self._told.clear()
