"""txtai as its documentation builds a hybrid index over files.

FileToHTML with LiteParse, of its three parsers the one that needs no download (without OCR, whose
models it would fetch), and of each page Textractor by paragraphs, as its own application does;
Embeddings with `hybrid=True` and `content=True`: vectors by transformers in single precision in
faiss, its own BM25 in SQLite, both weighed equally. No reranker.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from liteparse import LiteParse
from txtai import Embeddings
from txtai.pipeline import FileToHTML, Textractor

from benchmarks.peers.protocol import FoundPassage, serve

PACKAGES = ("txtai", "liteparse", "transformers", "torch", "faiss-cpu")
_PAGE = "<div class='page'>"


class Txtai:
    """Parser, paragraphs and a hybrid index."""

    def __init__(self, model: Path, folder: Path) -> None:
        self._folder = folder
        self._html = FileToHTML("liteparse")
        self._html.backend.liteparse = LiteParse(
            output_format="markdown", ocr_enabled=False, quiet=True
        )
        self._paragraphs = Textractor(paragraphs=True, backend=None)
        self._embeddings = Embeddings(path=str(model), hybrid=True, content=True)
        self._embeddings.transform("warm")

    def index(self, paths: Sequence[Path]) -> int:
        """Read, split, embed and store these files; return the number of passages."""
        self._embeddings.index(row for path in paths for row in self._rows(str(path)))
        self._embeddings.save(str(self._folder / "index"))
        return int(self._embeddings.count())

    def _rows(self, path: str) -> Iterator[dict[str, Any]]:
        for page, html in enumerate(self._html(path).split(_PAGE)[1:], 1):
            for text in self._paragraphs(html):
                yield {"text": text, "path": path, "page": page}

    def search(self, question: str, count: int) -> Sequence[FoundPassage]:
        """Return the places of the best passages, best first."""
        query = "select path, page, score from txtai where similar(:question)"
        found = self._embeddings.search(query, count, parameters={"question": question})
        return [FoundPassage(each["path"], int(each["page"])) for each in found]

    def close(self) -> None:
        """The index was saved."""


if __name__ == "__main__":
    serve(Txtai, PACKAGES)
