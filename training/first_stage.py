"""The program's own first stage over a corpus: where negatives come from, and what is reranked."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from desktop_rag.core.settings import Retrieval
from desktop_rag.core.types import ChunkId, DocumentId
from desktop_rag.index.bm25 import Bm25Index
from desktop_rag.models.onnx_embedder import OnnxEmbedder
from desktop_rag.retrieval.fuse import fuse
from training.first_stage_cache import Hit
from training.question_sets import Passage

MODELS = Path(__file__).parent.parent / "resources" / "models"


class FirstStage:
    """Dense search and BM25 over a corpus, fused as the program does it; kept in a folder."""

    def __init__(
        self, passages: Mapping[str, Passage], folder: Path, model: str = "all-minilm-l6-v2"
    ) -> None:
        self._ids = list(passages)
        self._embedder = OnnxEmbedder(MODELS / model)
        self._lexical = _lexical(passages, folder / "words")
        self._vectors = _vectors(passages, self._embedder, folder)

    def search(self, text: str, k: int) -> list[Hit]:
        """Return the `k` best of the fused candidates, best first."""
        rules = Retrieval()
        lexical = self._lexical.search(text, rules.candidates)
        cosines = self._vectors @ self._embedder.embed_query(text)
        dense = [(ChunkId(int(at)), float(cosines[at])) for at in _best(cosines, rules.candidates)]
        words = dict(lexical)
        return [
            Hit(
                self._ids[each.chunk_id],
                rank,
                each.score,
                float(cosines[each.chunk_id]),
                words.get(each.chunk_id, 0.0),
            )
            for rank, each in enumerate(fuse(dense, lexical, rules)[:k], start=1)
        ]

    def words_only(self, text: str, k: int) -> list[str]:
        """Return the `k` best passages by BM25 alone."""
        return [self._ids[chunk] for chunk, _ in self._lexical.search(text, k)]


def _best(scores: npt.NDArray[np.float32], k: int) -> Any:
    k = min(k, len(scores))
    found = np.argpartition(-scores, k - 1)[:k]
    return found[np.lexsort((found, -scores[found]))]


def _lexical(passages: Mapping[str, Passage], folder: Path) -> Bm25Index:
    store = Bm25Index(folder)
    if store.count() != len(passages):
        added = enumerate(each.read for each in passages.values())
        store.apply((), ((ChunkId(n), DocumentId(n), text) for n, text in added))
    return store


def _vectors(
    passages: Mapping[str, Passage], embedder: OnnxEmbedder, folder: Path
) -> npt.NDArray[np.float32]:
    texts = [each.read for each in passages.values()]
    told = "\0".join([embedder.fingerprint, *texts]).encode()
    path = folder / f"vectors-{hashlib.blake2b(told, digest_size=8).hexdigest()}.npy"
    if not path.exists():
        folder.mkdir(parents=True, exist_ok=True)
        np.save(path, embedder.embed(texts))
    found: npt.NDArray[np.float32] = np.load(path)
    return found
