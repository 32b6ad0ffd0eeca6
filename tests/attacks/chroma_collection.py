"""Chroma collections whose description names a function, so that Chroma's client builds it here.

In a folder that somebody wrote into, and on a real server on loopback: every function that Chroma
1.5.9 knows, in every place where one may stand.
"""

from __future__ import annotations

import random
import warnings
from contextlib import closing
from typing import Any
from unittest.mock import patch

from desktop_rag.core.errors import StoreDamaged, UserError
from desktop_rag.index import chroma as vectors
from desktop_rag.index.chroma import ChromaIndex
from desktop_rag.index.chroma_server import ChromaServer, ServerAddress, ServerCollection
from tests.attacks.report import Attack, Report, Task
from tests.index import chroma_server

_FEW = 6


def in_a_folder(report: Report, task: Task) -> None:
    """Forge the description of a collection in a folder and open it."""
    folder = task.folder / "dense"
    with closing(ChromaIndex.in_folder(folder)) as store:
        chroma_server.use(store._collection)
    schema = chroma_server.schema_of(folder)
    with chroma_server.spying() as built:
        for name, forged in chroma_server.forged_schemas(schema).items():
            with report.attempt(name):
                chroma_server.forge(folder, forged)
                _expect_harmless(report, built, StoreDamaged, lambda: ChromaIndex.in_folder(folder))
        with report.attempt("a true description"):
            chroma_server.forge(folder, schema)
            with closing(ChromaIndex.in_folder(folder)) as store:
                chroma_server.use(store._collection)
            report.expect(not built, f"built: {built}")
        with report.attempt("the spy sees what is built where nothing is refused"):
            chroma_server.forge(folder, chroma_server.forged_schemas(schema)["vectors"])
            with patch.object(vectors, "names_embedding_function", lambda *_: False):
                store = ChromaIndex.in_folder(folder)
            with closing(store), warnings.catch_warnings(action="ignore"):
                chroma_server.use(store._collection)
            report.expect(built, "nothing was built: this attack proves nothing")


def on_a_server(report: Report, task: Task) -> None:
    """Let a real server hand out collections that were made with each known function."""
    if chroma_server.program() is None:
        report.skipped = "Chroma's own server program is not installed."
        return
    try:
        with chroma_server.serving(task.folder / "server") as url:
            _hand_out(report, task, url)
    except TimeoutError:
        report.skipped = "Chroma's server did not begin to listen in time."


def _hand_out(report: Report, task: Task, url: str) -> None:
    from chromadb import HttpClient
    from chromadb.config import Settings
    from chromadb.utils.embedding_functions import known_embedding_functions

    client = HttpClient(
        host="127.0.0.1",
        port=int(url.rsplit(":", 1)[1]),
        settings=Settings(anonymized_telemetry=False),
    )
    with chroma_server.spying() as built, closing(ChromaServer(ServerAddress(url))) as ours:
        names = sorted(known_embedding_functions)
        if task.is_quick:
            names = random.Random(task.seed).sample(names, _FEW)
        for name in names:
            with report.attempt(f"a server's collection with {name}"):
                _make(client, f"made-with-{name}"[:60], name)
                built.clear()
                _expect_harmless(
                    report, built, UserError,
                    lambda made=f"made-with-{name}"[:60]: ours.made(made),
                )  # fmt: skip
        with report.attempt("a server's collection without a function"):
            chroma_server.use_on_server(ours.made("honest"))
            report.expect(not built, f"built: {built}")
    chroma_server.close(client)


def _make(client: Any, collection: str, name: str) -> None:
    """Make a collection whose function goes by a name, as another client of the server may."""
    from chromadb.utils.embedding_functions import known_embedding_functions

    kind = known_embedding_functions[name]
    with patch.object(kind, "get_config", lambda _: dict(chroma_server.REMOTE_CODE)):
        client.create_collection(collection, embedding_function=kind())


def _expect_harmless(report: Report, built: list[str], kind: type[Exception], opening: Any) -> None:
    """Expect a refusal, or that nothing is built by using what was opened.

    Chroma itself refuses some descriptions, and keeps others without the function.
    """
    try:
        store = opening()
        with warnings.catch_warnings(action="ignore"):
            if isinstance(store, ServerCollection):
                chroma_server.use_on_server(store)
            else:
                with closing(store):
                    chroma_server.use(store._collection)
    except kind:
        pass
    report.expect(not built, f"built: {built}")


ATTACKS = (
    Attack("a Chroma folder that names a function", in_a_folder),
    Attack("a Chroma server that names a function", on_a_server),
)
