"""How far Chroma's copy of a knowledge base is, by what is written down of it."""

from __future__ import annotations

from dataclasses import dataclass

from desktop_rag.catalog.facade import Catalog
from desktop_rag.catalog.outbox import Reader
from desktop_rag.core.types import KbId
from desktop_rag.index.manifest import ChromaManifest


@dataclass(frozen=True, slots=True)
class ReplicaState:
    """How far Chroma is: `vectors` the catalog has, `held` Chroma, `behind` changes are to come.

    `checked_at` is when both were last compared by every id, in Unix seconds, 0 before that;
    `recall` the share of the truly nearest 50 chunks that Chroma finds, as measured.
    """

    vectors: int
    held: int
    behind: int
    checked_at: float
    recall: float | None


def state_of(
    catalog: Catalog, kb: KbId, manifest: ChromaManifest | None, vectors: int
) -> ReplicaState:
    """Return how far a copy is, by what is written down of it; there are so many vectors."""
    if manifest is None or catalog.outbox.position(kb, Reader.VECTORS) is None:
        return ReplicaState(vectors, 0, vectors, 0.0, None)
    behind = catalog.outbox.count(kb, Reader.VECTORS)
    if not manifest.is_complete:
        behind = max(behind, vectors - manifest.held)
    return ReplicaState(
        vectors,
        manifest.held,
        behind,
        manifest.checked_at,
        manifest.recall,
    )
