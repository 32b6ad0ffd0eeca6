"""Vectors on a shared Chroma server, which is reached past every proxy."""

from __future__ import annotations

import shutil
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from desktop_rag.core import connections
from desktop_rag.core.errors import UserError
from desktop_rag.store.indexes import Indexes
from desktop_rag.store.vectors import VectorStore
from tests.store.made import DIMENSIONS, MODEL, document, put, vector


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def wait_for(port: int) -> None:
    for _ in range(300):
        try:
            socket.create_connection(("127.0.0.1", port), 1).close()
        except OSError:
            time.sleep(0.1)
        else:
            return
    pytest.fail("the Chroma server did not start")


@pytest.fixture
def server(tmp_path: Path) -> Iterator[str]:
    program = shutil.which("chroma", path=str(Path(sys.executable).parent))
    if program is None:
        pytest.skip("Chroma's own server program is not installed")
    port = free_port()
    where = ["--path", str(tmp_path / "server"), "--host", "127.0.0.1", "--port", str(port)]
    child = subprocess.Popen(
        [program, "run", *where], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    try:
        wait_for(port)
        yield f"http://127.0.0.1:{port}"
    finally:
        child.kill()
        child.wait()


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


def test_the_proxy_records_what_goes_through_it(proxy) -> None:
    import httpx

    with pytest.raises(httpx.HTTPError), httpx.Client() as client:
        client.get("http://127.0.0.1:9/")
    assert proxy


def test_a_shared_server_holds_the_vectors_past_every_proxy(
    server, proxy, home, catalog, kb
) -> None:
    put(catalog, kb, "/d/a", document("apples", "pears"))
    indexes = Indexes(home, catalog, MODEL, DIMENSIONS, chroma_url=server, exact_upto=0)
    indexes.sync(kb)
    assert len(indexes.dense(kb, vector("pears"), 5)) == 2
    assert indexes.check(kb) == "ok"
    indexes.rebuild(kb)
    assert indexes.dense(kb, vector("pears"), 5)[0][1] == pytest.approx(1.0, abs=1e-3)
    indexes.close()
    again = Indexes(home, catalog, MODEL, DIMENSIONS, chroma_url=server, exact_upto=0)
    assert again.open_all() == {}
    again.drop(kb)
    again.close()
    assert proxy == []


def test_a_server_that_went_away_costs_no_answer(home, catalog, kb) -> None:
    put(catalog, kb, "/d/a", document("apples", "pears"))
    indexes = Indexes(
        home, catalog, MODEL, DIMENSIONS, chroma_url="http://127.0.0.1:9", exact_upto=0
    )
    assert indexes.dense(kb, vector("pears"), 1)[0][1] == pytest.approx(1.0, abs=1e-3)
    indexes.close()


def test_an_open_connection_is_used_no_more_once_other_computers_are_blocked(
    server, home, catalog, kb, monkeypatch
) -> None:
    put(catalog, kb, "/d/a", document("apples", "pears"))
    indexes = Indexes(home, catalog, MODEL, DIMENSIONS, chroma_url=server, exact_upto=0)
    indexes.sync(kb)
    store = VectorStore.on_server(server, "elsewhere")
    seen: list[connections.Contact] = []
    watch = connections.Watch(seen.append, blocked=True)
    monkeypatch.setattr(connections, "is_here", "another computer".__eq__)
    try:
        with pytest.raises(UserError, match="are blocked"):
            store.nearest(vector("pears"), 1)
        assert [each.allowed for each in seen] == [False]
        assert len(indexes.dense(kb, vector("pears"), 5)) == 2
        put(catalog, kb, "/d/b", document("plums"))
        with pytest.raises(UserError, match="are blocked"):
            indexes.sync(kb)
        assert not any(each.allowed for each in seen)
        with pytest.raises(UserError, match="are blocked"):
            VectorStore.on_server("http://192.0.2.1:8000", "elsewhere")
        assert not any(each.allowed for each in seen)
    finally:
        watch.close()
        store.close()
        indexes.close()
