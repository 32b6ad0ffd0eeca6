"""A knowledge base's vectors in a collection on a Chroma server: what `ChromaIndex` is of a folder.

The server holds vectors and documents' numbers, no text.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from contextlib import contextmanager
from itertools import islice
from typing import TypeVar

import numpy as np
import numpy.typing as npt

from desktop_rag.catalog.embeddings import VectorRecord
from desktop_rag.core.errors import StoreDamaged
from desktop_rag.core.types import ChunkId, DocumentId
from desktop_rag.index.chroma import Metadata, Vector
from desktop_rag.index.chroma_server import ROWS, ChromaServer, CollectionMissing, ServerAddress

_SAME = 0.999  # cosine of a vector with itself, rounding allowed for
_PER_READ = 5000  # ids of one request
Row = TypeVar("Row")


class ChromaOnServer:
    """One collection on a server. Any thread searches, one writes.

    Raises `StoreAway` where the server does not answer, `StoreDamaged` where the collection went.
    """

    def __init__(self, address: ServerAddress, collection: str) -> None:
        self._server = ChromaServer(address)
        try:
            self._collection = self._server.made(collection)
        except BaseException:
            self._server.close()
            raise

    def add(self, records: Iterable[VectorRecord], *, is_new: bool = False) -> int:
        """Put chunks in; return how many records came. Those that are there stay as they are."""
        del is_new
        count = 0
        for some in _batches(records):
            count += len(some)
            with _loss_told():
                self._collection.upsert(
                    [str(each.chunk_id) for each in some],
                    [each.vector for each in some],
                    [{"document_id": int(each.document_id)} for each in some],
                )
        return count

    def update(self, places: dict[ChunkId, Metadata]) -> None:
        """Do nothing: a server holds no metadata that change."""

    def delete(self, ids: Sequence[ChunkId]) -> None:
        """Take chunks out; those that are not there do not matter."""
        with _loss_told():
            self._collection.delete([str(each) for each in ids])

    def nearest(
        self,
        vector: npt.NDArray[np.float32],
        k: int,
        documents: Collection[DocumentId] | None = None,
    ) -> list[tuple[ChunkId, float]]:
        """Return up to `k` chunks and their cosine similarity to a vector, best first."""
        if documents is not None and not documents:
            return []
        among = None if documents is None else {"document_id": {"$in": [int(d) for d in documents]}}
        with _loss_told():
            found = self._collection.nearest(vector, k, among)
        hits = [(ChunkId(int(name)), score) for name, score in found]
        return sorted(hits, key=lambda hit: (-hit[1], hit[0]))

    def count(self) -> int:
        """Return how many vectors the server believes to have."""
        with _loss_told():
            return self._collection.count()

    def ids(self) -> set[ChunkId]:
        """Return the chunks that the server believes to have."""
        with _loss_told():
            pages = self._collection.rows([], per=_PER_READ)
            return {ChunkId(int(name)) for page in pages for name in page.ids}

    def vectors(self, ids: Sequence[ChunkId]) -> dict[ChunkId, npt.NDArray[np.float32]]:
        """Return the vectors that the server has of some chunks."""
        found = {}
        with _loss_told():
            for page in self._collection.get([str(each) for each in ids], ["embeddings"]):
                for name, vector in zip(page.ids, page.embeddings or (), strict=False):
                    found[ChunkId(int(name))] = np.asarray(vector, np.float32)
        return found

    def reach(self, sample: Iterable[Vector]) -> float:
        """Return the share of these vectors that a query with each of them finds."""
        found = []
        for vector in sample:
            best = self.nearest(np.asarray(vector, np.float32), 1)
            found.append(bool(best) and best[0][1] > _SAME)
        return sum(found) / len(found) if found else 1.0

    def erase_deleted(self) -> None:
        """Do nothing: there is no text."""

    def scrub(self, most: int | None) -> None:
        """Do nothing: there is no text."""

    def delete_collection(self) -> None:
        """Delete the collection."""
        self._server.drop(self._collection.name)

    def close(self) -> bool:
        """Let go of the connection; the object is of no use afterwards."""
        self._server.close()
        return True


@contextmanager
def _loss_told() -> Iterator[None]:
    """Raise `StoreDamaged` where the collection went, or its reply makes no sense."""
    try:
        yield
    except (CollectionMissing, ValueError, TypeError) as error:
        raise StoreDamaged("The vector index cannot be read.", "It can be rebuilt.") from error


def _batches(rows: Iterable[Row]) -> Iterator[list[Row]]:
    source = iter(rows)
    while batch := list(islice(source, ROWS)):
        yield batch
