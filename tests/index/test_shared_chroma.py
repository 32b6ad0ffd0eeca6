"""Vectors on a shared Chroma server, which is reached past every proxy."""

from __future__ import annotations

import socket
import threading
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from unittest.mock import patch

import pytest

from desktop_rag.catalog.facade import Catalog
from desktop_rag.core import connection_audit
from desktop_rag.core.errors import StoreAway, StoreDamaged, UserError
from desktop_rag.core.types import KbId
from desktop_rag.index import chroma_server as chroma_rest
from desktop_rag.index.chroma_on_server import ChromaOnServer
from desktop_rag.index.chroma_server import ServerAddress
from desktop_rag.index.indexes import IndexManager
from tests.catalog.stored_documents import IDENTITY, bytes_hold, document, put, vector
from tests.index import chroma_server
from tests.index.index_checks import chroma_process, fed


@pytest.fixture
def server(tmp_path: Path) -> Iterator[str]:
    if chroma_server.program() is None:
        pytest.skip("Chroma's own server program is not installed")
    with chroma_server.serving(tmp_path / "server") as url:
        yield url


@pytest.fixture
def proxy(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[bytes]]:
    """A proxy that the environment names for everything, and what it was sent."""
    listener = socket.create_server(("127.0.0.1", 0))
    seen: list[bytes] = []

    def listen() -> None:
        while True:
            try:
                connection, _ = listener.accept()
            except OSError:
                return
            with connection:
                seen.append(connection.recv(1000))

    thread = threading.Thread(target=listen)
    thread.start()
    url = f"http://127.0.0.1:{listener.getsockname()[1]}"
    for name in ("HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "http_proxy", "all_proxy"):
        monkeypatch.setenv(name, url)
    for name in ("NO_PROXY", "no_proxy"):
        monkeypatch.setenv(name, "")
    yield seen
    listener.shutdown(socket.SHUT_RDWR)
    listener.close()
    thread.join()


def test_the_proxy_records_what_goes_through_it(proxy: list[bytes]) -> None:
    import httpx

    with pytest.raises(httpx.HTTPError), httpx.Client() as client:
        client.get("http://127.0.0.1:9/")
    assert proxy


def test_a_shared_server_holds_the_vectors_past_every_proxy(
    server: str, proxy: list[bytes], home: Path, catalog: Catalog, kb: KbId
) -> None:
    put(catalog, kb, "/d/a", document("apples", "pears"))
    indexes = IndexManager(home, catalog, IDENTITY, server=ServerAddress(server), exact_upto=0)
    indexes.of(kb).sync()
    assert fed(indexes, kb).ids() == set(catalog.documents.ids(kb))
    assert len(indexes.of(kb).dense(vector("pears"), 5).hits) == 2
    assert indexes.of(kb).check() is None
    indexes.of(kb).rebuild()
    fed(indexes, kb)
    assert indexes.of(kb).dense(vector("pears"), 5).hits[0][1] == pytest.approx(1.0, abs=1e-3)
    indexes.close()
    again = IndexManager(home, catalog, IDENTITY, server=ServerAddress(server), exact_upto=0)
    assert again.open_all() == {}
    again.drop(kb)
    again.close()
    assert proxy == []


def test_a_server_that_went_away_costs_no_answer(home: Path, catalog: Catalog, kb: KbId) -> None:
    put(catalog, kb, "/d/a", document("apples", "pears"))
    indexes = IndexManager(
        home, catalog, IDENTITY, server=ServerAddress("http://127.0.0.1:9"), exact_upto=0
    )
    assert indexes.of(kb).dense(vector("pears"), 1).hits[0][1] == pytest.approx(1.0, abs=1e-3)
    indexes.close()


def test_an_open_connection_is_used_no_more_once_other_computers_are_blocked(
    server: str, home: Path, catalog: Catalog, kb: KbId, monkeypatch: pytest.MonkeyPatch
) -> None:
    put(catalog, kb, "/d/a", document("apples", "pears"))
    indexes = IndexManager(home, catalog, IDENTITY, server=ServerAddress(server), exact_upto=0)
    indexes.of(kb).sync()
    fed(indexes, kb)
    store = ChromaOnServer(ServerAddress(server), "elsewhere")
    seen: list[connection_audit.Contact] = []
    watch = connection_audit.ConnectionMonitor(seen.append, blocked=True)
    monkeypatch.setattr(connection_audit, "is_this_computer", "another computer".__eq__)
    try:
        with pytest.raises(UserError, match="are blocked"):
            store.nearest(vector("pears"), 1)
        assert [each.allowed for each in seen] == [False]
        assert len(indexes.of(kb).dense(vector("pears"), 5).hits) == 2
        put(catalog, kb, "/d/b", document("plums"))
        indexes.of(kb).sync()
        with pytest.raises(UserError, match="are blocked"):
            indexes.of(kb).replica.feed()
        assert not any(each.allowed for each in seen)
        with pytest.raises(UserError, match="are blocked"):
            ChromaOnServer(ServerAddress("http://192.0.2.1:8000"), "elsewhere")
        assert not any(each.allowed for each in seen)
    finally:
        watch.close()
        store.close()
        indexes.close()


def test_a_collection_on_a_server_that_names_a_function_is_refused_and_nothing_is_built(
    server: str, home: Path, catalog: Catalog, kb: KbId
) -> None:
    from chromadb import HttpClient
    from chromadb.config import Settings

    client = HttpClient(
        host="127.0.0.1",
        port=int(server.rsplit(":", 1)[1]),
        settings=Settings(anonymized_telemetry=False),
    )
    with chroma_server.spying() as built:
        from chromadb.utils.embedding_functions import known_embedding_functions

        function = known_embedding_functions["sentence_transformer"]()
        with patch.object(type(function), "get_config", lambda _: chroma_server.REMOTE_CODE):
            forged = client.create_collection("forged", embedding_function=function)
        built.clear()
        chroma_server.use(forged)
        assert built  # else this proves nothing: Chroma is mended
        built.clear()
        with pytest.raises(UserError, match="names an embedding function") as refused:
            ChromaOnServer(ServerAddress(server), "forged")
        assert not isinstance(refused.value, StoreDamaged)  # a rebuild would meet it again
        assert built == []
        honest = ChromaOnServer(ServerAddress(server), "honest")
        chroma_server.use_on_server(honest)
        assert built == []
        honest.close()
    chroma_server.close(client)


def collections(url: str) -> dict[str, int]:
    """The collections on a server, and how many vectors each has."""
    with closing(chroma_rest.ChromaServer(ServerAddress(url))) as client:
        return {each.name: client.count(each.id) for each in client.collections()}


def test_a_deleted_knowledge_base_goes_from_the_server_too_whether_it_was_asked_or_not(
    server: str, home: Path, catalog: Catalog, kb: KbId
) -> None:
    put(catalog, kb, "/d/a", document("apples", "pears"))
    indexes = IndexManager(home, catalog, IDENTITY, server=ServerAddress(server), exact_upto=0)
    indexes.of(kb).sync()
    fed(indexes, kb)
    indexes.close()
    assert list(collections(server).values()) == [2]
    again = IndexManager(home, catalog, IDENTITY, server=ServerAddress(server), exact_upto=0)
    again.drop(kb)
    again.close()
    assert collections(server) == {}


def test_a_collection_that_the_server_lost_is_seen_by_the_first_search_and_made_anew(
    server: str, home: Path, catalog: Catalog, kb: KbId
) -> None:
    put(catalog, kb, "/d/a", document("apples", "pears"))
    indexes = IndexManager(home, catalog, IDENTITY, server=ServerAddress(server), exact_upto=0)
    indexes.of(kb).sync()
    fed(indexes, kb)
    indexes.close()
    (name,) = collections(server)
    with closing(chroma_rest.ChromaServer(ServerAddress(server))) as client:
        client.drop(name)
    again = IndexManager(home, catalog, IDENTITY, server=ServerAddress(server), exact_upto=0)
    again.of(kb).open()
    assert len(again.of(kb).dense(vector("pears"), 5).hits) == 2
    again.of(kb).replica.feed()
    assert list(collections(server).values()) == [2]
    again.close()


def test_text_goes_from_the_folder_too_when_a_server_was_set_since(
    server: str, home: Path, catalog: Catalog, kb: KbId
) -> None:
    put(catalog, kb, "/d/a", document("apples", "pears"))
    put(catalog, kb, "/d/b", document("a secret of plums"))
    local = IndexManager(home, catalog, IDENTITY, process=chroma_process())
    local.of(kb).sync()
    fed(local, kb)
    local.close()
    assert bytes_hold(home / "indexes", "secret of plums")
    shared = IndexManager(
        home, catalog, IDENTITY, server=ServerAddress(server), process=chroma_process()
    )
    catalog.files.remove(kb, ["/d/b"])
    shared.of(kb).sync()
    shared.of(kb).purge()
    assert bytes_hold(home / "indexes", "secret of plums") == []
    shared.close()


def test_a_server_that_accepts_and_never_answers_is_given_up(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    import httpx

    monkeypatch.setattr(chroma_rest, "_TIMES", httpx.Timeout(0.3))
    with socket.create_server(("127.0.0.1", 0)) as silent:
        address = f"http://127.0.0.1:{silent.getsockname()[1]}"
        with pytest.raises(StoreAway, match="does not answer"):
            ChromaOnServer(ServerAddress(address), "any")
