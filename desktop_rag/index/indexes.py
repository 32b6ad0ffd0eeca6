"""The vector and lexical indexes of every knowledge base, kept in step with the catalog.

The catalog is the truth: what is damaged, missing or stale is rebuilt from it, without parsing or
embedding again.
"""

from __future__ import annotations

import threading
from collections.abc import Collection
from dataclasses import replace
from pathlib import Path

import numpy as np
import numpy.typing as npt

from desktop_rag.catalog.facade import Catalog
from desktop_rag.core.types import DocumentId, KbId
from desktop_rag.index.builder import EXACT_UPTO, Check, IndexBuilder, Usable
from desktop_rag.index.chroma import is_local_server
from desktop_rag.index.flat import Hits, ModelChanged
from desktop_rag.index.knowledge_base_index import KnowledgeBaseIndex
from desktop_rag.index.manifest import IndexFolders

__all__ = ["IndexManager", "ModelChanged"]


MOST_HELD = 100_000  # chunks: 154 MB of 384 numbers each


def _none(model: str) -> bool:
    """Say that no model can be used but the one in use."""
    del model
    return False


class IndexManager:
    """Chroma and tantivy for each knowledge base, opened and checked when first used.

    `fingerprint` and `dimensions` are the embedding model's; `chroma_url` names a shared Chroma
    server. Where that is another computer, only those knowledge bases use it whose user agreed, or
    all with `allow_remote`; the others keep their vectors in the data folder. Any thread may search
    while others change: changes of one knowledge base wait for each other.

    Chroma is asked above `exact_upto` chunks of a knowledge base. Up to them every vector is
    compared, in memory: that takes milliseconds, and finds each; Chroma is not even imported, save
    for a shared server's. Of all knowledge bases together up to `most_held` chunks stay there.

    After a change of the embedding model a knowledge base's old vectors are searched until there is
    a new one for every chunk, if `is_usable` says of the old model's fingerprint that it can embed
    a question. `model` tells which it is now.
    """

    def __init__(
        self,
        data_dir: Path,
        catalog: Catalog,
        fingerprint: str,
        dimensions: int,
        *,
        chroma_url: str = "",
        allow_remote: bool = False,
        exact_upto: int = EXACT_UPTO,
        most_held: int = MOST_HELD,
        is_usable: Usable = _none,
    ) -> None:
        self._allow_remote = allow_remote
        self._is_usable = is_usable
        self._most_held = most_held
        self._catalog = catalog
        catalog.embeddings.expect(fingerprint, dimensions)
        self._shelves = IndexFolders(data_dir / "indexes")
        self._builder = IndexBuilder(
            catalog, self._shelves, fingerprint, dimensions, chroma_url, exact_upto
        )
        self._pairs: dict[KbId, KnowledgeBaseIndex] = {}
        self._adding = threading.Lock()

    def open_all(self) -> dict[KbId, str]:
        """Open every knowledge base, mend what is wrong; return what was wrong, by base."""
        kbs = [each.id for each in self._catalog.kbs.all()]
        self._shelves.drop_others(kbs)
        for kb in kbs:
            self._of(kb).open()
        return {kb: self._of(kb).damage for kb in kbs if self._of(kb).damage}

    def sync(self, kb: KbId) -> int:
        """Tell the indexes what stands in the outbox; return how many entries that were."""
        return self._of(kb).sync()

    def check(self, kb: KbId) -> str:
        """Return `ok`, or what is wrong with a knowledge base's indexes, as a sentence."""
        return self._of(kb).check()

    def rebuild(self, kb: KbId, check: Check | None = None) -> None:
        """Make a knowledge base's indexes anew from the catalog; searches go on meanwhile.

        What `check` raises now and then ends it, with all as it was.
        """
        self._of(kb).rebuild(check)

    def is_outgrown(self, kb: KbId) -> bool:
        """Say whether `grow` has something to do, which takes a second for a thousand chunks."""
        return self._of(kb).is_outgrown()

    def grow(self, kb: KbId, check: Check | None = None) -> None:
        """Let Chroma hold the vectors of a knowledge base that has become large; else do nothing.

        Until then they are compared block by block: right, and slower. Who changes the knowledge
        base does not wait for it. What `check` raises now and then ends it, with all as it was.
        """
        self._of(kb).grow(check)

    def purge(self, kb: KbId) -> None:
        """Take the words of removed chunks out of the files now.

        `sync` does so where it is quick; of a large knowledge base they stay, unreachable, until
        this is called or the program starts again.
        """
        self._of(kb).purge()

    def dense(
        self,
        kb: KbId,
        vector: npt.NDArray[np.float32],
        k: int,
        documents: Collection[DocumentId] | None = None,
        *,
        model: str = "",
    ) -> Hits:
        """Return up to `k` chunks and their cosine similarity, best first.

        In a large knowledge base every vector is compared, too, while Chroma cannot answer or for
        a filter of very many documents: slower (seconds for 100,000), and as right. Raises
        `ModelChanged` when `model`, which embedded the question, is not `model(kb)` any more.
        """
        dense = self._of(kb).dense
        if model and model != dense.fingerprint:
            raise ModelChanged
        hits = dense.nearest(vector, k, documents)
        self._keep_recent(kb)
        return hits

    def model(self, kb: KbId) -> str:
        """Return the fingerprint of the model whose vectors of a knowledge base are searched."""
        pair = self._of(kb)
        pair.open()
        return pair.dense.fingerprint

    def lexical(
        self, kb: KbId, query: str, k: int, documents: Collection[DocumentId] | None = None
    ) -> Hits:
        """Return up to `k` chunks and their BM25 score, best first; no shared word, no hit."""
        return self._of(kb).lexical(query, k, documents)

    def frequencies(self, kb: KbId, terms: Collection[str]) -> tuple[dict[str, int], int]:
        """Return how many chunks hold each term (of `words`), and how many chunks there are."""
        return self._of(kb).frequencies(terms)

    def drop(self, kb: KbId) -> None:
        """Delete a knowledge base's indexes."""
        self._of(kb).drop()
        with self._adding:  # a search of another may be going through them
            self._pairs.pop(kb, None)

    def close(self) -> None:
        """Close every index and seal it as cleanly ended; call it when nobody searches any more."""
        for pair in self._pairs.values():
            pair.close()
        self._pairs.clear()

    def _keep_recent(self, kb: KbId) -> None:
        """Let go of what is in memory of the knowledge bases that were searched longest ago."""
        with self._adding:
            if kb in self._pairs:
                self._pairs[kb] = self._pairs.pop(kb)
            held = 0
            for pair in reversed(self._pairs.values()):
                held += pair.dense.held
                if held > self._most_held:
                    pair.dense.forget()

    def _of(self, kb: KbId) -> KnowledgeBaseIndex:
        with self._adding:
            if kb not in self._pairs:
                builder = replace(self._builder, server=self._server_of(kb))
                self._pairs[kb] = KnowledgeBaseIndex(kb, builder, self._is_usable)
            return self._pairs[kb]

    def _server_of(self, kb: KbId) -> str:
        """Return the shared server if a knowledge base may use it; else it has a folder."""
        url = self._builder.server
        if self._allow_remote or is_local_server(url) or url in self._catalog.consents.places(kb):
            return url
        return ""
