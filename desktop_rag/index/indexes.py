"""The vector and lexical indexes of every knowledge base, kept in step with the catalog.

The catalog is the truth: what is damaged, missing or stale is rebuilt from it, without parsing or
embedding again.
"""

from __future__ import annotations

import threading
from functools import partial
from pathlib import Path

from desktop_rag.catalog.facade import Catalog
from desktop_rag.core.catalog_records import KnowledgeBase
from desktop_rag.core.types import KbId, ModelIdentity
from desktop_rag.index.builder import Check, IndexBuilder, Usable
from desktop_rag.index.chroma_process import ChromaProcess
from desktop_rag.index.chroma_replica import ChromaReplica
from desktop_rag.index.flat import VectorMemory
from desktop_rag.index.knowledge_base_index import KnowledgeBaseIndex
from desktop_rag.index.manifest import IndexFolder, drop_other_folders
from desktop_rag.index.problems import IndexProblem
from desktop_rag.index.replica_feeder import ReplicaFeeder
from desktop_rag.index.replica_state import ReplicaState, state_of
from desktop_rag.index.vector_file import VectorFile

EXACT_UPTO = 20_000  # chunks: 31 MB of 384 numbers each, compared in a few milliseconds
_FOLDER = "indexes"
MOST_HELD = 100_000  # chunks: 154 MB of 384 numbers each


def replica_state(catalog: Catalog, data_dir: Path, kb: KnowledgeBase) -> ReplicaState:
    """Return how far Chroma is with a knowledge base, without opening anything, or any model."""
    manifest = IndexFolder(data_dir / _FOLDER / str(kb.id)).load_chroma()
    vectors = catalog.embeddings.count(kb.id, manifest.fingerprint) if manifest else kb.chunks
    return state_of(catalog, kb.id, manifest, vectors)


def _none(model: str) -> bool:
    """Say that no model can be used but the one in use."""
    del model
    return False


class IndexManager:
    """The index of each knowledge base, of the embedding model `model`'s vectors.

    Any thread may search while others change.

    Chroma holds every knowledge base, and is fed in the background; it is asked above `exact_upto`
    chunks. Up to them every vector is compared, in memory: that takes milliseconds, and finds each.
    Of all knowledge bases together up to `most_held` chunks stay there.

    After a change of the embedding model a knowledge base's old vectors are searched until there is
    a new one for every chunk, if `is_usable` says of the old model's fingerprint that it can embed
    a question. Folders of Chroma's are held by `process`, or one that is started when needed.
    """

    def __init__(
        self,
        data_dir: Path,
        catalog: Catalog,
        model: ModelIdentity,
        *,
        exact_upto: int = EXACT_UPTO,
        most_held: int = MOST_HELD,
        is_usable: Usable = _none,
        process: ChromaProcess | None = None,
    ) -> None:
        catalog.embeddings.expect(model)
        self._root = data_dir / _FOLDER
        self._catalog = catalog
        self._fingerprint = model.fingerprint
        self._exact_upto = exact_upto
        self._memory = VectorMemory(most_held)
        self._is_usable = is_usable
        self._indexes: dict[KbId, KnowledgeBaseIndex] = {}
        self._adding = threading.Lock()
        self._feeder = ReplicaFeeder(self._feed, self._rest)
        self._process = process or ChromaProcess(data_dir / "chroma.lock")
        self._owns_process = process is None

    def of(self, kb: KbId) -> KnowledgeBaseIndex:
        """Return the index of a knowledge base."""
        with self._adding:
            if kb not in self._indexes:
                folder = IndexFolder(self._root / str(kb))
                vector_file = VectorFile(kb, self._catalog, folder)
                replica = ChromaReplica(
                    kb,
                    self._catalog,
                    folder,
                    vector_file,
                    self._process,
                    wake=partial(self._feeder.wake, kb),
                )
                builder = IndexBuilder(kb, self._catalog, folder, self._fingerprint)
                self._indexes[kb] = KnowledgeBaseIndex(
                    builder, replica, self._exact_upto, self._is_usable, self._memory
                )
            return self._indexes[kb]

    def open_all(self) -> dict[KbId, IndexProblem]:
        """Open every knowledge base, mend what is wrong; return what was wrong, by base."""
        kbs = [each.id for each in self._catalog.kbs.all()]
        drop_other_folders(self._root, kbs)
        for kb in kbs:
            self.of(kb).open()
        return {kb: damage for kb in kbs if (damage := self.of(kb).damage)}

    def drop(self, kb: KbId) -> None:
        """Delete a knowledge base's indexes."""
        self.of(kb).drop()
        with self._adding:
            self._indexes.pop(kb, None)

    def close(self) -> None:
        """Close every index and seal it as cleanly ended; call it when nobody searches any more."""
        self._feeder.close()
        with self._adding:
            indexes = list(self._indexes.values())
            self._indexes.clear()
        for index in indexes:
            index.close()
        if self._owns_process:
            self._process.close()

    def _feed(self, kb: KbId, check: Check) -> None:
        with self._adding:
            index = self._indexes.get(kb)
        if index is not None:
            index.open()
            index.feed(check)

    def _rest(self) -> None:
        """Let go of what Chroma holds and nobody asks it for; without any its process ends."""
        with self._adding:
            indexes = list(self._indexes.values())
        for index in indexes:
            if not index.is_large():
                index.replica.release()
        self._process.rest()
