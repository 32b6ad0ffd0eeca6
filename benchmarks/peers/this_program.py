"""This program as it is installed: `index` and `search` with their default settings.

Its own PDF parser in child processes, its chunks with title and headings, the built-in embedder
(all-MiniLM-L6-v2 in 8 bits, ONNX Runtime), vectors and tantivy's BM25 fused; and then the second
stage: the built-in reader reads the first thirty. Searching includes that reranking.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from benchmarks.peers.protocol import FoundPassage, serve
from desktop_rag.bootstrap import open_workspace
from desktop_rag.commands import index_files
from desktop_rag.core.cancel import CancelToken
from desktop_rag.core.events import IndexDone
from desktop_rag.core.requests import IndexRequest
from desktop_rag.core.settings import Settings
from desktop_rag.retrieval.query import Query

PACKAGES = ("desktop-rag", "onnxruntime", "tantivy", "pypdfium2")
_KB = "default"


class ThisProgram:
    """A workspace in an empty data folder."""

    def __init__(self, model: Path, folder: Path) -> None:
        del model  # its own is built in
        self._workspace = open_workspace(folder, Settings())
        self._workspace.models.embedder.embed(["warm"])
        for reranker in self._workspace.models.rerankers:
            reranker.score("warm", ["warm"])

    def index(self, paths: Sequence[Path]) -> int:
        """Read, split, embed and store these files; return the number of passages."""
        request = IndexRequest(_KB, tuple(map(str, paths)))
        last = list(index_files.run(self._workspace, request, CancelToken()))[-1]
        if not isinstance(last, IndexDone):
            raise TypeError(last)
        return last.chunks

    def search(self, question: str, count: int) -> Sequence[FoundPassage]:
        """Return the places of the best passages, best first."""
        kbs = (self._workspace.catalog.kbs.get(_KB).id,)
        found = self._workspace.retriever.search(Query(question, kbs, count)).passages
        return [FoundPassage(each.path, int(each.locator.value)) for each in found]

    def close(self) -> None:
        """Close the data folder."""
        self._workspace.close()


if __name__ == "__main__":
    serve(ThisProgram, PACKAGES)
