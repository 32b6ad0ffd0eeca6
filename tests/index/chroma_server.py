"""A Chroma server of our own, collections that name code to be run, and a spy on what is built."""

from __future__ import annotations

import copy
import json
import shutil
import socket
import sqlite3
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any
from unittest.mock import patch

from desktop_rag.index.chroma_server import ServerCollection
from tests.catalog.stored_documents import vector

REMOTE_CODE = {"model_name": "evil/model", "device": "cpu", "normalize_embeddings": False,
               "kwargs": {"trust_remote_code": True}}  # fmt: skip
NAMED = {"type": "known", "name": "sentence_transformer", "config": REMOTE_CODE}
SPARSE = {"type": "known", "name": "huggingface_sparse", "config": {"model_name": "evil/model"}}
_VECTORS = ("keys", "#embedding", "float_list", "vector_index", "config")
_DEFAULT = ("defaults", "float_list", "vector_index", "config")
_WORDS = ("defaults", "sparse_vector", "sparse_vector_index", "config")
_OWN = {"sparse_vector": {"sparse_vector_index": {
    "enabled": True, "config": {"embedding_function": SPARSE, "source_key": "#document",
                                "bm25": False}}}}  # fmt: skip
_SECONDS = 30.0


def program() -> str | None:
    """Return where Chroma's own server program is, None where it is not installed."""
    return shutil.which("chroma", path=str(Path(sys.executable).parent))


@contextmanager
def serving(folder: Path, url: str = "") -> Iterator[str]:
    """Run a Chroma server on loopback, at `url` if one is given.

    Raises `TimeoutError` where it does not begin to listen.
    """
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        probe.bind(("127.0.0.1", int(url.rpartition(":")[2]) if url else 0))
        port = int(probe.getsockname()[1])
    where = ["--path", str(folder), "--host", "127.0.0.1", "--port", str(port)]
    child = subprocess.Popen(
        [str(program()), "run", *where], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    try:
        _wait_for(port)
        yield f"http://127.0.0.1:{port}"
    finally:
        child.kill()
        child.wait()


def forged_schemas(schema: Mapping[str, Any]) -> dict[str, dict[str, Any]]:
    """Return a collection's schema with a named function in each place where it may stand."""
    made = {
        "vectors": _with(schema, _VECTORS, NAMED),
        "default vectors": _with(schema, _DEFAULT, NAMED),
        "words": _with(schema, _WORDS, SPARSE),
        "unknown, yet named": _with(schema, _VECTORS, NAMED | {"type": "unknown"}),
        "legacy, yet named": _with(schema, _WORDS, SPARSE | {"type": "Legacy"}),
        "unheard of": _with(schema, _VECTORS, NAMED | {"name": "no such function"}),
    }
    made["a key of its own"] = copy.deepcopy(dict(schema))
    made["a key of its own"]["keys"]["words"] = _OWN
    return made


def schema_of(folder: Path) -> dict[str, Any]:
    """Return the schema of the collection in a folder, as it stands in Chroma's database."""
    with closing(sqlite3.connect(folder / "chroma.sqlite3")) as database:
        ((text,),) = database.execute("SELECT schema_str FROM collections")
    schema: dict[str, Any] = json.loads(text)
    return schema


def forge(folder: Path, schema: Mapping[str, Any]) -> None:
    """Give the collection in a folder another schema, as who may write to the folder can."""
    with closing(sqlite3.connect(folder / "chroma.sqlite3")) as database, database:
        database.execute("UPDATE collections SET schema_str = ?", (json.dumps(schema),))


@contextmanager
def spying() -> Iterator[list[str]]:
    """List the functions that Chroma builds meanwhile; none is really built."""
    from chromadb.utils import embedding_functions as functions

    built: list[str] = []
    registries = (functions.known_embedding_functions, functions.sparse_known_embedding_functions)
    with patch.dict(registries[0]), patch.dict(registries[1]):
        for registry in registries:
            for name, kind in list(registry.items()):
                registry[name] = _spied(kind, name, built)
        yield built


def use(collection: Any) -> None:
    """Do with a collection what the program does, and `upsert`, which it might."""
    row = {"ids": ["7"], "embeddings": [vector("7").tolist()], "metadatas": [{"document_id": 1}]}
    collection.add(**row)
    collection.upsert(**row)
    collection.query(query_embeddings=[vector("7").tolist()], n_results=1)
    collection.get(ids=["7"])
    collection.count()
    collection.delete(ids=["7"])


def use_on_server(collection: ServerCollection) -> None:
    """Do with a collection on a server what the program does."""
    collection.upsert(["7"], [vector("7")], [{"document": "1"}], ["seven"])
    collection.nearest(vector("7"), 1, {"document": "1"})
    for _ in (*collection.rows(["metadatas"]), *collection.get(["7"], ["embeddings"])):
        collection.count()
    collection.delete(["7"])


def close(client: Any) -> None:
    """Close Chroma's own client with its connections, which it leaves open itself."""
    servers = {id(each): each for each in (client._server, client._admin_client._server)}
    client.close()
    for server in servers.values():
        server._session.close()


def _spied(kind: Any, name: str, built: list[str]) -> Any:
    class Spied(kind):  # type: ignore[misc]
        def __init__(self, *_words: object, **_named: object) -> None:
            built.append(name)

        @staticmethod
        def build_from_config(config: object) -> Any:
            del config
            return Spied()

    return Spied


def _with(schema: Mapping[str, Any], place: tuple[str, ...], function: object) -> dict[str, Any]:
    made = copy.deepcopy(dict(schema))
    part: dict[str, Any] = made
    for name in place:
        part = part[name]
    part["embedding_function"] = function
    return made


def _wait_for(port: int) -> None:
    until = time.monotonic() + _SECONDS
    while True:
        try:
            socket.create_connection(("127.0.0.1", port), 1).close()
        except OSError:
            if time.monotonic() > until:
                raise TimeoutError from None
            time.sleep(0.1)
        else:
            return
