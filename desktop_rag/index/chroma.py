"""The dense index of a knowledge base: one Chroma folder. No other module knows Chroma.

A folder holds each chunk's vector, text and place, under the chunk's number: any program that
knows Chroma can read it. A kill may damage a folder: the catalog has all of it. It is opened in a
process of its own (`chroma_process`), where Chroma is imported.
"""

from __future__ import annotations

import sqlite3
import struct
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from desktop_rag.catalog.embeddings import VectorRecord
from desktop_rag.core.errors import StoreDamaged, is_panic
from desktop_rag.core.import_lock import IMPORT_LOCK
from desktop_rag.core.types import ChunkId, DocumentId
from desktop_rag.index.untrusted_collection import names_embedding_function

Vector = npt.NDArray[np.floating[Any]]
Metadata = Mapping[str, int | str]
MOST_DOCUMENTS = 30_000  # Chroma's `where` runs into SQLite's limit on variables above
_COSINE = {"hnsw": {"space": "cosine", "ef_search": 200}}
_COLLECTION = "chunks"
_DATABASE = "chroma.sqlite3"
_EMPTY_LOG = (
    "UPDATE embeddings_queue SET metadata = NULL "
    "WHERE id NOT IN (SELECT embedding_id FROM embeddings)"
)
_MERGE_TEXT_INDEX = (
    "INSERT INTO embedding_fulltext_search (embedding_fulltext_search) VALUES ('optimize')"
)
_ROWS = 4000  # of one call
_SAME = 0.999  # cosine of a vector with itself, rounding allowed for
_QUERIES, _HITS = 50, 500  # of a probe
_HEADER = struct.Struct("<i4Q")  # version, offset, room for, elements, bytes an element, more
_HEADER_BYTES = 100
_KNOWN_VERSION = 1
_LENGTH = struct.Struct("<I")
_ROUNDING = 0.01  # vectors are kept as float16


class ChromaIndex:
    """The collection in a folder, opened by `in_folder`. Any thread searches, one writes.

    Raises `StoreDamaged` when Chroma cannot read it.
    """

    def __init__(self, client: Any, folder: Path) -> None:
        self._client = client
        self._folder = folder
        with _damage_told():
            self._collection = client.get_or_create_collection(
                _COLLECTION, embedding_function=None, configuration=_COSINE
            )
            model = self._collection._model  # noqa: SLF001 - its properties build what they return
            if names_embedding_function(model.configuration_json, model.serialized_schema):
                raise _untrusted()
            self._rows = min(int(client.get_max_batch_size()), _ROWS)

    @classmethod
    def in_folder(cls, folder: Path) -> ChromaIndex:
        """Open the collection in a folder, made when it is empty."""
        chromadb = _chromadb()
        with _damage_told():
            folder.mkdir(parents=True, exist_ok=True)
            client = chromadb.PersistentClient(str(folder), settings=_settings())
        try:
            return cls(client, folder)
        except BaseException:
            client.close()
            raise

    def add(self, records: Iterable[VectorRecord], *, is_new: bool = False) -> int:
        """Add chunks that are not there yet; return how many records came.

        A chunk's vector never changes, so one that is there already is right (Chroma's own `upsert`
        of it would take 4 ms). `is_new` promises that none is.
        """
        count = 0
        source = iter(records)
        while batch := list(islice(source, self._rows)):
            count += len(batch)
            with _damage_told():
                self._insert(batch if is_new else self._missing(batch))
        return count

    def update(self, places: Mapping[ChunkId, Metadata]) -> None:
        """Give chunks other metadata."""
        names = list(places)
        with _damage_told():
            for start in range(0, len(names), self._rows):
                some = names[start : start + self._rows]
                self._collection.update(
                    ids=[str(each) for each in some],
                    metadatas=[dict(places[each]) for each in some],
                )

    def delete(self, ids: Sequence[ChunkId]) -> None:
        """Take chunks out; those that are not there do not matter."""
        with _damage_told():
            for start in range(0, len(ids), self._rows):
                self._collection.delete(ids=[str(i) for i in ids[start : start + self._rows]])

    def nearest(
        self,
        vector: npt.NDArray[np.float32],
        k: int,
        documents: Collection[DocumentId] | None = None,
    ) -> list[tuple[ChunkId, float]]:
        """Return up to `k` chunks and their cosine similarity to a vector, best first.

        Not more than `MOST_DOCUMENTS` documents.
        """
        if documents is None:
            return self._query(vector, k)
        if not documents:
            return []
        return self._query(vector, k, {"document_id": {"$in": [int(d) for d in documents]}})

    def count(self) -> int:
        """Return how many vectors Chroma believes to have; a query may reach fewer."""
        with _damage_told():
            return int(self._collection.count())

    def ids(self) -> set[ChunkId]:
        """Return the chunks that Chroma believes to have."""
        with _damage_told():
            return {ChunkId(int(each)) for each in self._collection.get(include=[])["ids"]}

    def reach(self, sample: Iterable[Vector]) -> float:
        """Return the share of these vectors that a query with each of them finds.

        The count lies when Chroma's graph folder was deleted; this does not.
        """
        found = []
        for vector in sample:
            best = self._query(np.asarray(vector, np.float32), 1)
            found.append(bool(best) and best[0][1] > _SAME)
        return sum(found) / len(found) if found else 1.0

    def vectors(self, ids: Sequence[ChunkId]) -> dict[ChunkId, npt.NDArray[np.float32]]:
        """Return the vectors that Chroma has of some chunks."""
        with _damage_told():
            got = self._collection.get(ids=[str(each) for each in ids], include=["embeddings"])
        names = (ChunkId(int(each)) for each in got["ids"])
        return dict(zip(names, got["embeddings"], strict=True))

    def probe(self, dimensions: int) -> None:
        """Ask much of it: what is damaged beyond reading shows, if only by a crash."""
        self.ids()
        asked = np.random.default_rng(0).standard_normal((_QUERIES, dimensions))
        for vector in asked.astype(np.float32):
            self.nearest(vector, _HITS)

    def erase_deleted(self) -> None:
        """Take the text of chunks that were deleted out of a folder's files; closes the index.

        Chroma keeps it in its log of what has not reached the graph (up to a thousand entries, of
        which the graph needs the vectors only), SQLite in the text index until its parts are
        merged, and in pages that are free.
        """
        self.close()
        try:
            with closing(sqlite3.connect(self._folder / _DATABASE)) as database:
                database.execute(_EMPTY_LOG)
                database.execute(_MERGE_TEXT_INDEX)
                database.commit()
                database.execute("VACUUM")
        except sqlite3.Error as error:
            raise StoreDamaged("The vector index cannot be read.", "It can be rebuilt.") from error

    def scrub(self, most: int | None) -> None:
        """Empty the room in a folder's graphs of up to so many bytes; see `zero_unused_space`."""
        zero_unused_space(self._folder, most)

    def close(self) -> bool:
        """Let go of the files; the object is of no use afterwards."""
        self._client.close()
        zero_unused_space(self._folder)
        return True

    def _missing(self, batch: list[VectorRecord]) -> list[VectorRecord]:
        """Return the records that are not there yet."""
        names = [str(each.chunk_id) for each in batch]
        there = set(self._collection.get(ids=names, include=[])["ids"])
        return [each for each in batch if str(each.chunk_id) not in there]

    def _insert(self, records: list[VectorRecord]) -> None:
        if not records:
            return
        self._collection.add(
            ids=[str(each.chunk_id) for each in records],
            embeddings=np.stack([each.vector for each in records]).astype(np.float32),
            documents=[each.text for each in records],
            metadatas=[dict(each.metadata) for each in records],
        )

    def _query(
        self, vector: npt.NDArray[np.float32], k: int, where: Any = None
    ) -> list[tuple[ChunkId, float]]:
        with _damage_told():
            found = self._collection.query(
                query_embeddings=vector.reshape(1, -1),
                n_results=max(1, k),
                where=where,
                include=["distances"],
            )
        hits = sorted(
            (float(distance), int(name))
            for name, distance in zip(found["ids"][0], found["distances"][0], strict=True)
        )
        return [(ChunkId(number), 1.0 - distance) for distance, number in hits]


def are_graph_files_whole(dense: Path) -> bool:
    """Say whether every graph below a Chroma folder is as long as its header says, or longer.

    A header of an unknown version is believed: the probe judges it.
    """
    return all(_is_whole(header.parent) for header in dense.glob("*/header.bin"))


def zero_unused_space(dense: Path, most: int | None = None) -> None:
    """Empty the room for vectors to come, in every graph of at most so many bytes below a folder.

    hnswlib writes that room as it found it in memory, with whatever lay there before: pieces of
    documents' texts, too.
    """
    for header in dense.glob("*/header.bin"):
        known = header.read_bytes()
        if len(known) < _HEADER_BYTES:
            continue
        version, _, _, elements, size = _HEADER.unpack_from(known)
        if version == _KNOWN_VERSION and (most is None or elements * size <= most):
            _empty(header.with_name("data_level0.bin"), elements * size)
            _empty(header.with_name("length.bin"), elements * _LENGTH.size)


def _chromadb() -> Any:
    with IMPORT_LOCK:
        import chromadb

    return chromadb


def _settings() -> Any:
    from chromadb.config import Settings

    return Settings(anonymized_telemetry=False)


@contextmanager
def _damage_told() -> Iterator[None]:
    """Raise `StoreDamaged` for what Chroma says when its files cannot be read."""
    from chromadb.errors import ChromaError

    try:
        yield
    except (ChromaError, OSError) as error:
        raise StoreDamaged("The vector index cannot be read.", "It can be rebuilt.") from error
    except BaseException as error:
        if not is_panic(error):
            raise
        raise StoreDamaged("The vector index cannot be read.", "It can be rebuilt.") from error


def _untrusted() -> StoreDamaged:
    """Return why a collection that names an embedding function is not used."""
    return StoreDamaged(
        "The vector index names an embedding function: another program wrote it.",
        "It can be rebuilt.",
    )


def _empty(file: Path, start: int) -> None:
    """Write zeros from a place to the end, where there is anything else."""
    try:
        with file.open("r+b") as opened:
            opened.seek(start)
            rest = opened.read()
            if rest.strip(b"\0"):
                opened.seek(start)
                opened.write(bytes(len(rest)))
    except (FileNotFoundError, PermissionError):
        return  # not written yet, or (on Windows) in use: the next time


def _is_whole(folder: Path) -> bool:
    header = (folder / "header.bin").read_bytes()
    if len(header) < _HEADER_BYTES:
        return False
    version, _, _, elements, size = _HEADER.unpack_from(header)
    if version != _KNOWN_VERSION:
        return True
    try:
        return (
            (folder / "data_level0.bin").stat().st_size >= elements * size
            and _are_units((folder / "length.bin").read_bytes(), elements)
            and _holds_links((folder / "link_lists.bin").read_bytes(), elements)
        )
    except FileNotFoundError:
        return False


def _are_units(lengths: bytes, elements: int) -> bool:
    """Say whether every vector was of length 1, as ours are."""
    if len(lengths) < elements * _LENGTH.size:
        return False
    found = np.frombuffer(lengths, "<f4", elements)
    return bool(np.all(np.abs(found - 1.0) < _ROUNDING))


def _holds_links(links: bytes, elements: int) -> bool:
    """Say whether there is one list an element, each after its length in bytes."""
    at = 0
    for _ in range(elements):
        if at + _LENGTH.size > len(links):
            return False
        at += _LENGTH.size + int(_LENGTH.unpack_from(links, at)[0])
    return at <= len(links)
