"""LlamaIndex as its guides build a hybrid retriever over local files, with its defaults.

SimpleDirectoryReader (pypdf, a document a page); SentenceSplitter with its 1024 tokens and 20 of
overlap; HuggingFaceEmbedding (sentence-transformers, single precision), which reads of a passage
what the model takes; VectorStoreIndex over Chroma on disk; BM25Retriever (bm25s, English stems);
QueryFusionRetriever, which fuses 20 passages of each by reciprocal rank, with the question as it is
(`num_queries=1`: no language model rewrites it). No reranker. The page's number is noted beside its
label and not embedded.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from pathlib import Path

import chromadb
from llama_index.core import SimpleDirectoryReader, StorageContext, VectorStoreIndex
from llama_index.core.llms import MockLLM
from llama_index.core.node_parser import SentenceSplitter
from llama_index.core.retrievers import QueryFusionRetriever
from llama_index.embeddings.huggingface import HuggingFaceEmbedding
from llama_index.retrievers.bm25 import BM25Retriever
from llama_index.vector_stores.chroma import ChromaVectorStore

from benchmarks.peers.protocol import FoundPassage, serve

PACKAGES = (
    "llama-index-core", "llama-index-readers-file", "llama-index-retrievers-bm25", "chromadb",
    "sentence-transformers", "torch", "pypdf", "bm25s",
)  # fmt: skip
_CANDIDATES = 20


class LlamaIndex:
    """Reader, splitter, two retrievers and their fusion."""

    def __init__(self, model: Path, folder: Path) -> None:
        self._folder = folder
        self._embedding = HuggingFaceEmbedding(model_name=str(model))
        self._embedding.get_query_embedding("warm")

    def index(self, paths: Sequence[Path]) -> int:
        """Read, split, embed and store these files; return the number of passages."""
        pages = SimpleDirectoryReader(input_files=[str(path) for path in paths]).load_data()
        counted: Counter[str] = Counter()
        for page in pages:
            counted[page.metadata["file_path"]] += 1
            page.metadata["page_number"] = counted[page.metadata["file_path"]]
            page.excluded_embed_metadata_keys.append("page_number")
        nodes = SentenceSplitter().get_nodes_from_documents(pages)
        client = chromadb.PersistentClient(str(self._folder / "chroma"))
        store = ChromaVectorStore(chroma_collection=client.create_collection("documents"))
        context = StorageContext.from_defaults(vector_store=store)
        made = VectorStoreIndex(nodes, storage_context=context, embed_model=self._embedding)
        words = BM25Retriever.from_defaults(nodes=nodes, similarity_top_k=_CANDIDATES)
        words.persist(str(self._folder / "bm25"))
        self._retriever = QueryFusionRetriever(
            [made.as_retriever(similarity_top_k=_CANDIDATES), words],
            llm=MockLLM(),
            mode="reciprocal_rerank",
            similarity_top_k=_CANDIDATES,
            num_queries=1,
            use_async=False,
        )
        return len(nodes)

    def search(self, question: str, count: int) -> Sequence[FoundPassage]:
        """Return the places of the best passages, best first."""
        found = [each.node.metadata for each in self._retriever.retrieve(question)[:count]]
        return [FoundPassage(each["file_path"], int(each["page_number"])) for each in found]

    def close(self) -> None:
        """All is written."""


if __name__ == "__main__":
    serve(LlamaIndex, PACKAGES)
