"""LangChain as its guides build a local retriever: hybrid, with the parts that they name.

PyPDFLoader (pypdf, a document a page); RecursiveCharacterTextSplitter with 1000 characters and 200
of overlap; HuggingFaceEmbeddings (sentence-transformers, single precision); Chroma on disk;
BM25Retriever (rank_bm25, words split at white space, in memory); EnsembleRetriever, which fuses 20
passages of each by reciprocal rank with equal weights. No reranker.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from langchain_chroma import Chroma
from langchain_classic.retrievers import EnsembleRetriever
from langchain_community.document_loaders import PyPDFLoader
from langchain_community.retrievers import BM25Retriever
from langchain_huggingface import HuggingFaceEmbeddings
from langchain_text_splitters import RecursiveCharacterTextSplitter

from benchmarks.peers.protocol import FoundPassage, serve

PACKAGES = (
    "langchain", "langchain-community", "langchain-chroma", "chromadb", "sentence-transformers",
    "torch", "pypdf", "rank-bm25",
)  # fmt: skip
_CANDIDATES = 20


class LangChain:
    """Loader, splitter, two retrievers and their ensemble."""

    def __init__(self, model: Path, folder: Path) -> None:
        self._folder = folder
        self._embeddings = HuggingFaceEmbeddings(model_name=str(model))
        self._embeddings.embed_query("warm")

    def index(self, paths: Sequence[Path]) -> int:
        """Read, split, embed and store these files; return the number of passages."""
        pages = [page for path in paths for page in PyPDFLoader(str(path)).load()]
        splitter = RecursiveCharacterTextSplitter(chunk_size=1000, chunk_overlap=200)
        passages = splitter.split_documents(pages)
        store = Chroma.from_documents(
            passages, self._embeddings, persist_directory=str(self._folder)
        )
        words = BM25Retriever.from_documents(passages, k=_CANDIDATES)
        meaning = store.as_retriever(search_kwargs={"k": _CANDIDATES})
        self._retriever = EnsembleRetriever(retrievers=[words, meaning], weights=[0.5, 0.5])
        return len(passages)

    def search(self, question: str, count: int) -> Sequence[FoundPassage]:
        """Return the places of the best passages, best first."""
        found = self._retriever.invoke(question)[:count]
        return [FoundPassage(each.metadata["source"], each.metadata["page"] + 1) for each in found]

    def close(self) -> None:
        """Chroma has written all."""


if __name__ == "__main__":
    serve(LangChain, PACKAGES)
