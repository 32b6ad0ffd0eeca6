"""The vector and lexical indexes of every knowledge base, kept in step with the catalog.

The catalog is the truth: what is damaged, missing or stale is rebuilt from it, without parsing or
embedding again.
"""

from __future__ import annotations

from collections.abc import Collection
from pathlib import Path

import numpy as np
import numpy.typing as npt

from desktop_rag.core.types import ChunkId, DocumentId, KbId
from desktop_rag.store.catalog import Catalog

Hits = list[tuple[ChunkId, float]]


class Indexes:
    """Chroma and tantivy for each knowledge base, opened and checked when first used.

    `fingerprint` and `dimensions` are the embedding model's. Any thread may search while one
    thread changes.
    """

    def __init__(
        self,
        data_dir: Path,
        catalog: Catalog,
        fingerprint: str,
        dimensions: int,
        chroma_url: str = "",
    ) -> None:
        raise NotImplementedError

    def open_all(self) -> dict[KbId, str]:
        """Open every knowledge base; rebuild what is wrong; return what was wrong, by base."""
        raise NotImplementedError

    def sync(self, kb: KbId) -> int:
        """Tell the indexes what stands in the outbox; return how many entries that were."""
        raise NotImplementedError

    def check(self, kb: KbId) -> str:
        """Return `ok`, or what is wrong with a knowledge base's indexes, as a sentence."""
        raise NotImplementedError

    def rebuild(self, kb: KbId) -> None:
        """Make a knowledge base's indexes anew from the catalog."""
        raise NotImplementedError

    def dense(
        self,
        kb: KbId,
        vector: npt.NDArray[np.float32],
        k: int,
        documents: Collection[DocumentId] | None = None,
    ) -> Hits:
        """Return up to `k` chunks and their cosine similarity, best first."""
        raise NotImplementedError

    def lexical(
        self, kb: KbId, query: str, k: int, documents: Collection[DocumentId] | None = None
    ) -> Hits:
        """Return up to `k` chunks and their BM25 score, best first; no shared word, no hit."""
        raise NotImplementedError

    def drop(self, kb: KbId) -> None:
        """Delete a knowledge base's indexes."""
        raise NotImplementedError

    def close(self) -> None:
        """Close every index and mark the clean end."""
        raise NotImplementedError
