"""Compares what Chroma holds of a knowledge base with the catalog."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from desktop_rag.catalog.facade import Catalog
from desktop_rag.catalog.outbox import Reader
from desktop_rag.core.errors import StoreDamaged
from desktop_rag.core.types import ChunkId, KbId
from desktop_rag.index.chroma_process import ChromaFolder
from desktop_rag.index.problems import IndexProblem, IndexProblemCode

_SAMPLE, _LARGE_SAMPLE = 16, 200
_REACHED = 0.9  # a healthy graph finds over 0.99 of its own; one whose folder was lost under 0.5


@dataclass(frozen=True, slots=True)
class ReplicaCheck:
    """What Chroma should hold of one knowledge base: what it was told of, of a model's vectors."""

    kb: KbId
    catalog: Catalog
    fingerprint: str

    def problem(self, handle: ChromaFolder, *, thorough: bool) -> IndexProblem | None:
        """Return what Chroma lacks against the catalog; `thorough` compares every id."""
        wanted = set(self.catalog.embeddings.ids(self.kb, self.fingerprint))
        waiting = self._waiting()
        if not waiting and (held := handle.count()) != len(wanted):
            return IndexProblem(IndexProblemCode.VECTORS_INCOMPLETE, held, len(wanted))
        if thorough and handle.ids() - waiting != wanted - waiting:
            return IndexProblem(IndexProblemCode.VECTORS_DIFFER)
        if handle.reach(self.sample(_LARGE_SAMPLE if thorough else _SAMPLE)) < _REACHED:
            return IndexProblem(IndexProblemCode.VECTORS_UNREACHABLE)
        return None

    def require_reach(self, handle: ChromaFolder) -> None:
        """Raise `StoreDamaged` where a query does not find what Chroma holds."""
        if handle.reach(self.sample(_SAMPLE)) < _REACHED:
            raise StoreDamaged(IndexProblem(IndexProblemCode.VECTORS_UNREACHABLE).text)

    def sample(self, count: int) -> list[npt.NDArray[np.float32]]:
        """Return up to so many vectors that Chroma was told of, evenly spread."""
        ids = self.catalog.embeddings.ids(self.kb, self.fingerprint)
        waiting = self._waiting()
        told = [each for each in ids if each not in waiting] if waiting else ids
        some = told[:: max(1, len(told) // count)][:count]
        rows = self.catalog.embeddings.of_chunks(self.kb, self.fingerprint, some)
        return [vector.astype(np.float32) for _, _, vector in rows]

    def _waiting(self) -> set[ChunkId]:
        """Return what Chroma was not told of; to be read after what it is compared with."""
        entries = self.catalog.outbox.pending(self.kb, Reader.VECTORS, -1)
        return {each.chunk_id for each in entries}
