"""A Chroma server, asked over its REST interface (version 2) without Chroma's own client.

That client takes a second to import, knows neither a client's certificate nor a time limit, takes
proxies from the environment, and builds what a collection names. Here nothing that a server says is
run: what it answers is bounded in size, and decoded into the types below.

https://docs.trychroma.com/reference/chroma-reference and the server's own `/openapi.json`
"""

from __future__ import annotations

import ipaddress
import logging
import ssl
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar
from urllib.parse import quote, urlsplit

import httpx
import msgspec
import numpy as np
import numpy.typing as npt

from desktop_rag.core.connection_audit import Blocked, Purpose, about, expect, require_allowed
from desktop_rag.core.errors import StoreAway, UserError
from desktop_rag.core.phrases import Phrase
from desktop_rag.core.sanitize import sanitize_name
from desktop_rag.core.settings import Privacy
from desktop_rag.index.untrusted_collection import names_embedding_function

_log = logging.getLogger(__name__)
ROWS = 200
"""Rows of one request: Chroma advises 50 to 250."""
_TIMES = httpx.Timeout(30.0, connect=5.0)  # seconds
PATIENT = (0.2, 1.0, 3.0, 9.0)
"""Seconds before a request is made again, for work that nobody waits for."""
_BUSY = frozenset({408, 425, 429, 502, 503, 504})
_REFUSED = frozenset({401, 403})
_NOT_FOUND = 404
_LARGEST = 64 * 2**20  # bytes of a reply
_MOST_COLLECTIONS = 100  # of one request
_COSINE = {"hnsw": {"space": "cosine", "ef_search": 200}}
_DETAIL = 200  # characters of what a server says of an error
T = TypeVar("T")
Value = str | int | float | bool | None
Metadata = Mapping[str, Value]
Where = Mapping[str, Any]
Vectors = Sequence[npt.NDArray[np.floating[Any]]]


@dataclass(frozen=True, slots=True)
class ServerAddress:
    """Where a server is, whose database there, and how one is known to it.

    `token_file` holds a bearer token; `certificate` and `key` (PEM files) are this client's for
    mutual TLS, `authority` is who signed the server's where the system does not know it.
    """

    url: str
    tenant: str = "default_tenant"
    database: str = "default_database"
    token_file: str = ""
    certificate: str = ""
    key: str = ""
    authority: str = ""


NO_SERVER = ServerAddress("")


class CollectionDescription(msgspec.Struct, frozen=True):
    """What a server says of a collection."""

    id: str
    name: str
    metadata: dict[str, Value] | None = None
    configuration_json: Any = None
    schema: Any = None


class FoundRows(msgspec.Struct, frozen=True):
    """Rows of a collection; what was not asked for is None."""

    ids: list[str]
    documents: list[str | None] | None = None
    metadatas: list[dict[str, Value] | None] | None = None
    embeddings: list[list[float] | None] | None = None


class _Nearest(msgspec.Struct, frozen=True):
    ids: list[list[str]]
    distances: list[list[float | None]] | None = None


class CollectionMissing(UserError):
    """The server has no collection of this name."""


class ServerRefused(UserError):
    """The server does not let this client do that."""


class ChromaServer:
    """A connection to one database of a server; any thread may use it. Close it.

    Requests that meet a busy server, or none, are made again after each of `pauses` (seconds); then
    `StoreAway` is raised. Each may be made twice without harm.
    """

    def __init__(self, address: ServerAddress, pauses: Sequence[float] = ()) -> None:
        self.address = address
        self._pauses = pauses
        parts = urlsplit(address.url)
        expect(address.url, Purpose.VECTORS)
        self._client = httpx.Client(
            base_url=f"{parts.scheme}://{parts.netloc}/api/v2",
            timeout=_TIMES,
            trust_env=False,
            headers=_headers(address),
            verify=_tls(address) if parts.scheme == "https" else True,
            event_hooks={"request": [_require_allowed], "response": []},
        )
        self._database = f"/tenants/{quote(address.tenant)}/databases/{quote(address.database)}"

    def close(self) -> None:
        """Close the connections."""
        self._client.close()

    def is_open_to_anybody(self) -> bool:
        """Say whether the server answers who gives no token and no certificate."""
        with httpx.Client(timeout=_TIMES, trust_env=False, verify=self._unverified()) as stranger:
            try:
                with about(Purpose.VECTORS):
                    where = f"{self._client.base_url}{self._database.lstrip('/')}/collections"
                    return stranger.get(where, params={"limit": 1}).is_success
            except httpx.HTTPError:
                return False

    def collections(self) -> Iterator[CollectionDescription]:
        """Yield the database's collections."""
        start = 0
        while True:
            asked = {"limit": _MOST_COLLECTIONS, "offset": start}
            some = self._asked("GET", "collections", list[CollectionDescription], params=asked)
            yield from some
            start += len(some)
            if len(some) < _MOST_COLLECTIONS:
                return

    def collection(self, name: str) -> ServerCollection:
        """Return a collection that is there; `CollectionMissing` where it is not."""
        found = self._asked("GET", f"collections/{quote(name)}", CollectionDescription)
        return self._trusted(found)

    def made(self, name: str, metadata: Metadata | None = None) -> ServerCollection:
        """Return a collection, made unless it is there; vectors are compared by their cosine."""
        wanted = {"name": name, "configuration": _COSINE, "get_or_create": True}
        if metadata is not None:
            wanted["metadata"] = dict(metadata)
        return self._trusted(self._asked("POST", "collections", CollectionDescription, wanted))

    def drop(self, name: str) -> None:
        """Delete a collection, if it is there."""
        try:
            self._asked("DELETE", f"collections/{quote(name)}", Any)
        except CollectionMissing:
            return

    def ask(self, collection: str, verb: str, kind: type[T], body: Mapping[str, Any]) -> T:
        """Have a collection, by its id, do something; return its reply."""
        return self._asked("POST", f"collections/{collection}/{verb}", kind, body)

    def count(self, collection: str) -> int:
        """Return how many rows a collection has, by its id."""
        return self._asked("GET", f"collections/{collection}/count", int)

    def _trusted(self, found: CollectionDescription) -> ServerCollection:
        if names_embedding_function(found.configuration_json, found.schema):
            raise UserError(
                "The collection on the shared Chroma server names an embedding function, which "
                "Chroma would load and run on this computer.",
                "Ask who runs the server why, or empty the setting “Shared Chroma server”.",
            )
        return ServerCollection(self, found)

    def _asked(
        self,
        method: str,
        path: str,
        kind: type[T],
        body: Mapping[str, Any] | None = None,
        params: Mapping[str, int] | None = None,
    ) -> T:
        """Make a request, again where it may help; return its reply as a value."""
        content = None if body is None else msgspec.json.encode(body)
        request = self._client.build_request(
            method,
            f"{self._database}/{path}",
            content=content,
            params=params,
            headers={"Content-Type": "application/json"},
        )
        for pause in (*self._pauses, None):
            try:
                raw = self._sent(request)
                return msgspec.json.decode(raw or b"null", type=kind)
            except (httpx.TransportError, _BusyError) as error:
                if pause is None or _was_blocked(error):
                    raise _unreachable(error) from error
                _log.info("The Chroma server at %s: %r; once more", self.address.url, error)
                time.sleep(pause)
            except (msgspec.MsgspecError, UnicodeDecodeError) as error:
                raise _unreachable(error) from error
        raise AssertionError  # the last pause is None

    def _sent(self, request: httpx.Request) -> bytes:
        with about(Purpose.VECTORS):
            reply = self._client.send(request, stream=True)
        try:
            raw = _bounded(reply)
        finally:
            reply.close()
        if reply.status_code in _BUSY:
            raise _BusyError(reply.status_code)
        if reply.status_code == _NOT_FOUND:
            raise CollectionMissing("The shared Chroma server has no such collection.")
        if reply.status_code in _REFUSED:
            raise ServerRefused(
                "The shared Chroma server does not let you do that.",
                "Ask who runs it for the right to, or check the token and the certificate on the "
                "settings' page “Privacy”.",
            )
        if not reply.is_success:
            said = sanitize_name(raw[:_DETAIL].decode("utf-8", "replace"))
            raise StoreAway(
                Phrase("The shared Chroma server reports an error: {0}", said),
                "Look into the server's log, and at the room on its disk.",
                retryable=True,
            )
        return raw

    def _unverified(self) -> ssl.SSLContext | bool:
        return _context(self.address.authority) if self.address.authority else True


class ServerCollection:
    """One collection on a server. Each method makes requests of at most `ROWS` rows."""

    def __init__(self, server: ChromaServer, described: CollectionDescription) -> None:
        self._server = server
        self._id = described.id
        self.name = described.name
        self.metadata = described.metadata or {}

    def upsert(
        self,
        ids: Sequence[str],
        vectors: Vectors,
        metadata: Sequence[Metadata],
        documents: Sequence[str] | None = None,
    ) -> None:
        """Put rows in, or others in their place."""
        self._put("upsert", ids, (vectors, metadata, documents))

    def add(self, ids: Sequence[str], vectors: Vectors, metadata: Sequence[Metadata]) -> None:
        """Put rows in; one whose id is there stays as it is, whoever adds at the same time."""
        self._put("add", ids, (vectors, metadata, None))

    def _put(
        self,
        verb: str,
        ids: Sequence[str],
        columns: tuple[Vectors, Sequence[Metadata], Sequence[str] | None],
    ) -> None:
        vectors, metadata, documents = columns
        for start in range(0, len(ids), ROWS):
            some = slice(start, start + ROWS)
            body = {
                "ids": ids[some],
                "embeddings": [np.asarray(each, np.float32).tolist() for each in vectors[some]],
                "metadatas": [dict(each) for each in metadata[some]],
                "documents": None if documents is None else documents[some],
            }
            self._server.ask(self._id, verb, Any, body)

    def delete(self, ids: Sequence[str]) -> None:
        """Take rows out; those that are not there do not matter."""
        for start in range(0, len(ids), ROWS):
            self._server.ask(self._id, "delete", Any, {"ids": ids[start : start + ROWS]})

    def delete_where(self, where: Where) -> None:
        """Take out the rows whose metadata fit."""
        self._server.ask(self._id, "delete", Any, {"where": where})

    def rows(
        self, include: Sequence[str], where: Where | None = None, per: int = ROWS
    ) -> Iterator[FoundRows]:
        """Yield rows, `per` at once, with what is included of documents, metadatas, embeddings.

        Who changes the collection meanwhile may hide some, or have some told twice.
        """
        start = 0
        while True:
            body = {"where": where, "include": include, "limit": per, "offset": start}
            found = self._server.ask(self._id, "get", FoundRows, body)
            yield found
            start += len(found.ids)
            if len(found.ids) < per:
                return

    def get(self, ids: Sequence[str], include: Sequence[str]) -> Iterator[FoundRows]:
        """Yield the rows of some ids, those that are there."""
        for start in range(0, len(ids), ROWS):
            body = {"ids": ids[start : start + ROWS], "include": include}
            yield self._server.ask(self._id, "get", FoundRows, body)

    def nearest(
        self, vector: npt.NDArray[np.float32], k: int, where: Where | None = None
    ) -> list[tuple[str, float]]:
        """Return up to `k` ids and their cosine similarity to a vector, as the server says it."""
        body = {
            "query_embeddings": [vector.tolist()],
            "n_results": max(1, k),
            "where": where,
            "include": ["distances"],
        }
        found = self._server.ask(self._id, "query", _Nearest, body)
        if not found.ids or not found.distances:
            return []
        rows = zip(found.ids[0], found.distances[0], strict=False)
        return [(name, 1.0 - distance) for name, distance in rows if distance is not None]

    def count(self) -> int:
        """Return how many rows there are."""
        return self._server.count(self._id)


class _BusyError(Exception):
    """The server, or what stands before it, asks to come again."""


def server_of(privacy: Privacy) -> ServerAddress:
    """Return the server that the settings name."""
    return ServerAddress(
        privacy.chroma_url,
        privacy.chroma_tenant,
        privacy.chroma_database,
        privacy.chroma_token_file,
        privacy.chroma_certificate,
        privacy.chroma_key,
        privacy.chroma_authority,
    )


def is_local_server(url: str) -> bool:
    """Say whether a server is this computer; no server at all is here, too."""
    host = urlsplit(url).hostname or "localhost"
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def _headers(address: ServerAddress) -> dict[str, str]:
    if not address.token_file:
        return {}
    try:
        token = Path(address.token_file).read_text(encoding="utf-8").strip()
    except (OSError, UnicodeDecodeError) as error:
        raise _unreadable(address.token_file) from error
    return {"Authorization": f"Bearer {token}", "X-Chroma-Token": token}


def _tls(address: ServerAddress) -> ssl.SSLContext:
    context = _context(address.authority)
    if address.certificate:
        try:
            context.load_cert_chain(address.certificate, address.key or None)
        except (OSError, ssl.SSLError) as error:
            raise _unreadable(address.certificate) from error
    return context


def _context(authority: str) -> ssl.SSLContext:
    try:
        return ssl.create_default_context(cafile=authority or None)
    except (OSError, ssl.SSLError) as error:
        raise _unreadable(authority) from error


def _unreadable(file: str) -> UserError:
    return UserError(
        Phrase("{0}, with which this program is known to the Chroma server, can't be read.", file),
        "Check the file, or choose another on the settings' page “Privacy”.",
    )


def _bounded(reply: httpx.Response) -> bytes:
    """Read a reply, unless it is longer than any is."""
    made = bytearray()
    for piece in reply.iter_bytes():
        made += piece
        if len(made) > _LARGEST:
            raise httpx.ReadError("too long")
    return bytes(made)


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
    """Say whether an error comes from the switch: the client wraps it in its own."""
    while error is not None and not isinstance(error, Blocked):
        error = error.__cause__ or error.__context__
    return error is not None
