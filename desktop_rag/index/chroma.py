"""The dense index of a knowledge base: one Chroma collection. No other module knows Chroma.

A folder holds each chunk's vector, text and place, under the chunk's number: any program that
knows Chroma can read it. A shared server holds vectors and documents' numbers, no text. A kill may
damage a folder: the catalog has all of it. A folder's collection is opened in a process of its own
(`chroma_process`), a server's in this one; Chroma is imported when one is.
"""

from __future__ import annotations

import ipaddress
import os
import sqlite3
import struct
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from itertools import islice
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import httpx
import numpy as np
import numpy.typing as npt

from desktop_rag.catalog.embeddings import VectorRecord
from desktop_rag.core.connection_audit import Blocked, Purpose, about, expect, require_allowed
from desktop_rag.core.errors import StoreAway, StoreDamaged, UserError, is_panic
from desktop_rag.core.import_lock import IMPORT_LOCK
from desktop_rag.core.types import ChunkId, DocumentId

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
_ROWS = 4000  # of one call to a server
_TIMES = httpx.Timeout(30.0, connect=5.0)  # seconds; its own client has no limit
_SAME = 0.999  # cosine of a vector with itself, rounding allowed for
_NO_FUNCTION: tuple[Any, ...] = (None, {"type": "legacy"}, {"type": "unknown"})
"""What a description says of a collection that was made without an embedding function."""
_QUERIES, _HITS = 50, 500  # of a probe
_HEADER = struct.Struct("<i4Q")  # version, offset, room for, elements, bytes an element, more
_HEADER_BYTES = 100
_KNOWN_VERSION = 1
_LENGTH = struct.Struct("<I")
_ROUNDING = 0.01  # vectors are kept as float16


class ChromaIndex:
    """One collection, opened by `in_folder` or `on_server`. Any thread searches, one writes.

    Raises `StoreDamaged` when Chroma cannot read it.
    """

    def __init__(self, client: Any, collection: str, folder: Path | None = None) -> None:
        self._client = client
        self._name = collection
        self._folder = folder
        with _damage_told():
            self._collection = client.get_or_create_collection(
                collection, embedding_function=None, configuration=_COSINE
            )
            if names_embedding_function(self._collection):
                raise _untrusted(client)
            self._rows = min(int(client.get_max_batch_size()), _ROWS)

    @classmethod
    def in_folder(cls, folder: Path) -> ChromaIndex:
        """Open the collection in a folder, made when it is empty."""
        chromadb = _chromadb()
        with _damage_told():
            folder.mkdir(parents=True, exist_ok=True)
            client = chromadb.PersistentClient(str(folder), settings=_settings())
        try:
            return cls(client, _COLLECTION, folder)
        except BaseException:
            client.close()
            raise

    @classmethod
    def on_server(cls, url: str, collection: str) -> ChromaIndex:
        """Open a collection on a Chroma server; a UserError when it does not answer."""
        chromadb = _chromadb()
        parts = urlsplit(url)
        host = parts.hostname or "localhost"
        _bypass_proxies(host)
        is_safe = parts.scheme == "https"
        expect(url, Purpose.VECTORS)
        try:
            with about(Purpose.VECTORS):
                _require_answer(f"{parts.scheme}://{parts.netloc}")
                client = chromadb.HttpClient(
                    host=host,
                    port=parts.port or (443 if is_safe else 8000),
                    ssl=is_safe,
                    settings=_settings(),
                )
        except (ValueError, httpx.HTTPError) as error:
            raise _unreachable(error) from error
        for session in _sessions(client):
            session.timeout = _TIMES
            session.event_hooks = {"request": [_require_allowed], "response": []}
        try:
            return cls(client, collection)
        except BaseException:
            _close(client)
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
        """Give chunks other metadata; a server holds none that change."""
        if self._folder is None:
            return
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
        if self._folder is None:
            return
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
        if self._folder is not None:
            zero_unused_space(self._folder, most)

    def delete_collection(self) -> None:
        """Delete the collection, as on a shared server."""
        with _damage_told():
            self._client.delete_collection(self._name)

    def close(self) -> bool:
        """Let go of the files or the connection; the object is of no use afterwards."""
        _close(self._client)
        if self._folder is not None:
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
        is_folder = self._folder is not None
        self._collection.add(
            ids=[str(each.chunk_id) for each in records],
            embeddings=np.stack([each.vector for each in records]).astype(np.float32),
            documents=[each.text for each in records] if is_folder else None,
            metadatas=[
                dict(each.metadata) if is_folder else {"document_id": int(each.document_id)}
                for each in records
            ],
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


def names_embedding_function(collection: Any) -> bool:
    """Say whether a collection's description names a function that Chroma's client would build.

    Whoever wrote the folder, or runs the server, chooses its name and settings, among them code to
    be fetched and run (CVE-2026-45829, -45833; Chroma 1.5.9 builds it in `add`, `upsert`, `update`,
    `search` and wherever `configuration` or `schema` is read). So this reads the description as it
    came, and is to be asked before anything else is asked of the collection.
    """
    model = collection._model  # noqa: SLF001 - Chroma's properties build what they return
    pending: list[Any] = [model.configuration_json, model.serialized_schema]
    while pending:
        part = pending.pop()
        if isinstance(part, list):
            pending.extend(part)
        elif isinstance(part, dict):
            if part.get("embedding_function") not in _NO_FUNCTION:
                return True
            pending.extend(part.values())
    return False


def is_local_server(url: str) -> bool:
    """Say whether a server is this computer; no server at all is here, too."""
    host = urlsplit(url).hostname or "localhost"
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


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
        with about(Purpose.VECTORS):
            yield
    except (ChromaError, OSError) as error:
        raise StoreDamaged("The vector index cannot be read.", "It can be rebuilt.") from error
    except httpx.HTTPError as error:
        raise _unreachable(error) from error
    except BaseException as error:
        if not is_panic(error):
            raise
        raise StoreDamaged("The vector index cannot be read.", "It can be rebuilt.") from error


def _untrusted(client: Any) -> UserError:
    """Return why a collection that names an embedding function is not used."""
    if _sessions(client):
        return UserError(
            "The collection on the shared Chroma server names an embedding function, which "
            "Chroma would load and run on this computer.",
            "Ask who runs the server why, or empty the setting “Shared Chroma server”.",
        )
    return StoreDamaged(
        "The vector index names an embedding function: another program wrote it.",
        "It can be rebuilt.",
    )


def _require_answer(address: str) -> None:
    """Ask a server for a sign of life: Chroma's client would wait for one for ever."""
    with httpx.Client(timeout=_TIMES, trust_env=False) as client:
        client.get(f"{address}/api/v2/heartbeat").raise_for_status()


def _bypass_proxies(host: str) -> None:
    """Keep a host out of the proxies: Chroma's client takes them from the environment at its start.

    It has no switch for it (`trust_env`), so the host joins the variables that say so.
    """
    for name in ("no_proxy", "NO_PROXY"):
        hosts = [each for each in os.environ.get(name, "").split(",") if each]
        if host not in hosts:
            os.environ[name] = ",".join([*hosts, host])


def _close(client: Any) -> None:
    """Let go of a client's files or connections."""
    sessions = _sessions(client)
    client.close()
    for session in sessions:
        session.close()


def _sessions(client: Any) -> list[httpx.Client]:
    """Return a client's connections to a server, which its own `close` leaves open (1.5.9)."""
    servers = [
        getattr(part, "_server", None) for part in (client, getattr(client, "_admin_client", None))
    ]
    found = [getattr(server, "_session", None) for server in servers]
    return [session for session in found if isinstance(session, httpx.Client)]


def _require_allowed(request: httpx.Request) -> None:
    """Send nothing on a connection that is open still, once other computers are blocked."""
    try:
        require_allowed(request.url.host, request.url.port or 0)
    except Blocked as error:
        raise httpx.ConnectError(str(error), request=request) from error


def _unreachable(error: BaseException) -> StoreAway:
    """Return why a server cannot be asked: it does not answer, or the user's switch forbids it."""
    if _was_blocked(error):
        return StoreAway(
            "Connections to other computers are blocked, and the shared Chroma server is on one.",
            "Turn “Connect to this computer only” off on the settings' page “Privacy”, or "
            "empty the setting “Shared Chroma server”.",
            retryable=True,
        )
    return StoreAway(
        "The shared Chroma server does not answer.",
        "Start it, or empty the setting “Shared Chroma server”.",
        retryable=True,
    )


def _was_blocked(error: BaseException | None) -> bool:
    """Say whether an error comes from the switch: Chroma's client wraps it in its own."""
    while error is not None and not isinstance(error, Blocked):
        error = error.__cause__ or error.__context__
    return error is not None


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
