"""Haystack as its tutorial on hybrid retrieval builds it: two pipelines over one store.

PyPDFToDocument; DocumentSplitter with its 200 words and no overlap; SentenceTransformers embedders
(single precision); InMemoryDocumentStore, the tutorial's, saved to disk at the end of indexing;
InMemoryBM25Retriever (BM25L) and InMemoryEmbeddingRetriever with 20 passages each; DocumentJoiner
by reciprocal rank. The tutorial's reranker is left out: no peer has one.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from haystack import Pipeline
from haystack.components.converters import PyPDFToDocument
from haystack.components.joiners import DocumentJoiner
from haystack.components.preprocessors import DocumentSplitter
from haystack.components.retrievers.in_memory import (
    InMemoryBM25Retriever,
    InMemoryEmbeddingRetriever,
)
from haystack.components.writers import DocumentWriter
from haystack.document_stores.in_memory import InMemoryDocumentStore
from haystack_integrations.components.embedders.sentence_transformers import (
    SentenceTransformersDocumentEmbedder,
    SentenceTransformersTextEmbedder,
)

from benchmarks.peers.protocol import FoundPassage, serve

PACKAGES = (
    "haystack-ai", "sentence-transformers-haystack", "sentence-transformers", "torch", "pypdf",
)  # fmt: skip
_CANDIDATES = 20


class Haystack:
    """One pipeline that indexes and one that searches."""

    def __init__(self, model: Path, folder: Path) -> None:
        self._folder = folder
        self._store = InMemoryDocumentStore()
        self._indexing = _indexing(self._store, model)
        self._search = _searching(self._store, model)
        self._indexing.warm_up()
        self._search.warm_up()

    def index(self, paths: Sequence[Path]) -> int:
        """Read, split, embed and store these files; return the number of passages."""
        self._indexing.run({"converter": {"sources": list(paths)}})
        self._store.save_to_disk(str(self._folder / "documents.json"))
        return int(self._store.count_documents())

    def search(self, question: str, count: int) -> Sequence[FoundPassage]:
        """Return the places of the best passages, best first."""
        asked = {
            "embedder": {"text": question},
            "words": {"query": question},
            "joiner": {"top_k": count},
        }
        found = self._search.run(asked)["joiner"]["documents"]
        return [FoundPassage(each.meta["file_path"], each.meta["page_number"]) for each in found]

    def close(self) -> None:
        """The store was saved."""


def _indexing(store: InMemoryDocumentStore, model: Path) -> Pipeline:
    made = Pipeline()
    made.add_component("converter", PyPDFToDocument(store_full_path=True))
    made.add_component("splitter", DocumentSplitter())
    made.add_component("embedder", SentenceTransformersDocumentEmbedder(model=str(model)))
    made.add_component("writer", DocumentWriter(store))
    made.connect("converter", "splitter")
    made.connect("splitter", "embedder")
    made.connect("embedder", "writer")
    return made


def _searching(store: InMemoryDocumentStore, model: Path) -> Pipeline:
    made = Pipeline()
    made.add_component("embedder", SentenceTransformersTextEmbedder(model=str(model)))
    made.add_component("meaning", InMemoryEmbeddingRetriever(store, top_k=_CANDIDATES))
    made.add_component("words", InMemoryBM25Retriever(store, top_k=_CANDIDATES))
    made.add_component("joiner", DocumentJoiner(join_mode="reciprocal_rank_fusion"))
    made.connect("embedder.embedding", "meaning.query_embedding")
    made.connect("meaning", "joiner")
    made.connect("words", "joiner")
    return made


if __name__ == "__main__":
    serve(Haystack, PACKAGES)
