"""A Chroma server over REST: past every proxy, bounded in time and size, trusted in nothing."""

from __future__ import annotations

import http.server
import json
import socket
import ssl
import subprocess
import threading
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any
from unittest.mock import patch

import httpx
import numpy as np
import pytest

from desktop_rag.core import connection_audit
from desktop_rag.core.errors import StoreAway, StoreDamaged, UserError
from desktop_rag.index import chroma_server as rest
from desktop_rag.index.chroma_server import (
    ChromaServer,
    CollectionMissing,
    ServerAddress,
    ServerRefused,
)
from tests.catalog.stored_documents import vector
from tests.index import chroma_server


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


def test_rows_are_put_read_and_taken_out_past_every_proxy(server: str, proxy: list[bytes]) -> None:
    names = [f"row {number}" for number in range(450)]
    vectors = [vector(name) for name in names]
    with closing(ChromaServer(ServerAddress(server))) as client:
        made = client.made("some-rows", {"of": "tests"})
        rows = [{"number": number} for number in range(450)]
        for _ in range(2):  # harmless if again
            made.upsert(names, vectors, rows, names)
        again = client.collection("some-rows")
        assert again.metadata["of"] == "tests"
        assert again.count() == 450
        found = list(again.rows(["metadatas", "documents"]))
        assert [len(page.ids) for page in found] == [200, 200, 50]
        assert {name for page in found for name in page.documents or ()} == set(names)
        (page,) = again.get(["row 7", "none"], ["embeddings"])
        assert page.ids == ["row 7"]
        assert np.asarray((page.embeddings or [[]])[0], np.float32) == pytest.approx(vectors[7])
        assert again.nearest(vectors[9], 1)[0][0] == "row 9"
        assert again.nearest(vectors[9], 1, {"number": {"$in": [8]}})[0][0] == "row 8"
        again.delete(["row 7", "none"])
        assert again.count() == 449
        assert [each.name for each in client.collections()] == ["some-rows"]
        client.drop("some-rows")
        client.drop("some-rows")
        with pytest.raises(CollectionMissing):
            client.collection("some-rows")
    assert proxy == []


def test_another_tenant_s_database_is_another_place(server: str) -> None:
    where = f"{server}/api/v2/tenants"
    httpx.post(where, json={"name": "team"}, trust_env=False).raise_for_status()
    httpx.post(f"{where}/team/databases", json={"name": "papers"}, trust_env=False)
    theirs = ServerAddress(server, "team", "papers")
    with (
        closing(ChromaServer(theirs)) as team,
        closing(ChromaServer(ServerAddress(server))) as all_,
    ):
        team.made("of-the-team")
        assert [each.name for each in team.collections()] == ["of-the-team"]
        assert list(all_.collections()) == []


def test_an_open_connection_is_used_no_more_once_other_computers_are_blocked(
    server: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = ChromaServer(ServerAddress(server), (0.1, 0.1))
    collection = store.made("elsewhere")
    seen: list[connection_audit.Contact] = []
    watch = connection_audit.ConnectionMonitor(seen.append, blocked=True)
    monkeypatch.setattr(connection_audit, "is_this_computer", "another computer".__eq__)
    try:
        with pytest.raises(StoreAway, match="are blocked"):
            collection.count()
        assert [each.allowed for each in seen] == [False]
        with pytest.raises(StoreAway, match="are blocked"):
            ChromaServer(ServerAddress("http://192.0.2.1:8000")).made("elsewhere")
        assert not any(each.allowed for each in seen)
    finally:
        watch.close()
        store.close()


def test_a_collection_on_a_server_that_names_a_function_is_refused_and_nothing_is_built(
    server: str,
) -> None:
    from chromadb import HttpClient
    from chromadb.config import Settings

    client = HttpClient(
        host="127.0.0.1",
        port=int(server.rsplit(":", 1)[1]),
        settings=Settings(anonymized_telemetry=False),
    )
    with chroma_server.spying() as built, closing(ChromaServer(ServerAddress(server))) as ours:
        from chromadb.utils.embedding_functions import known_embedding_functions

        function = known_embedding_functions["sentence_transformer"]()
        with patch.object(type(function), "get_config", lambda _: chroma_server.REMOTE_CODE):
            forged = client.create_collection("forged", embedding_function=function)
        built.clear()
        chroma_server.use(forged)
        assert built  # else this proves nothing: Chroma is mended
        built.clear()
        for opened in (ours.made, ours.collection):
            with pytest.raises(UserError, match="names an embedding function") as refused:
                opened("forged")
            assert not isinstance(refused.value, StoreDamaged)  # a rebuild would meet it again
        assert built == []
        chroma_server.use_on_server(ours.made("honest"))
        assert built == []
    chroma_server.close(client)


def test_a_server_that_accepts_and_never_answers_is_given_up(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(rest, "_TIMES", httpx.Timeout(0.3))
    with socket.create_server(("127.0.0.1", 0)) as silent:
        address = ServerAddress(f"http://127.0.0.1:{silent.getsockname()[1]}")
        with (
            closing(ChromaServer(address)) as client,
            pytest.raises(StoreAway, match="does not answer"),
        ):
            client.made("any")


class Answers(http.server.BaseHTTPRequestHandler):
    """Answers with what the test says, to those with the right token; counts how often."""

    def do_GET(self) -> None:
        answers: Any = self.server
        answers.asked.append(self.headers.get("Authorization", ""))
        status, body = answers.script[min(len(answers.asked), len(answers.script)) - 1]
        if answers.token and self.headers.get("Authorization") != f"Bearer {answers.token}":
            status, body = 401, b"{}"
        self.send_response(status)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        try:
            self.wfile.write(body)
        except OSError:
            return  # whoever asked has heard enough

    do_POST = do_GET  # noqa: N815 - the standard library's name

    def log_message(self, *_: object) -> None:
        """Say nothing."""


@contextmanager
def answering(
    *script: tuple[int, bytes], token: str = "", tls: ssl.SSLContext | None = None
) -> Iterator[tuple[str, list[str]]]:
    """Run a server that gives these answers, the last one again and again."""
    made: Any = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Answers)
    made.script, made.token, made.asked = script, token, []
    if tls is not None:
        made.socket = tls.wrap_socket(made.socket, server_side=True)
    thread = threading.Thread(target=made.serve_forever)
    thread.start()
    try:
        scheme = "http" if tls is None else "https"
        yield f"{scheme}://127.0.0.1:{made.server_address[1]}", made.asked
    finally:
        made.shutdown()
        made.server_close()
        thread.join()


FOUND = json.dumps({"id": "7", "name": "any"}).encode()


def test_a_busy_server_is_asked_again_and_one_that_stays_busy_is_away() -> None:
    with answering((503, b""), (429, b""), (200, FOUND)) as (url, asked):
        with closing(ChromaServer(ServerAddress(url), (0.01, 0.01))) as client:
            assert client.collection("any").name == "any"
        assert len(asked) == 3
    with answering((503, b"")) as (url, asked):
        with (
            closing(ChromaServer(ServerAddress(url), (0.01, 0.01))) as client,
            pytest.raises(StoreAway, match="does not answer"),
        ):
            client.collection("any")
        assert len(asked) == 3


@pytest.mark.parametrize(
    ("answer", "said"),
    [
        ((200, b"[" * 10_000), "does not answer"),
        ((200, b"{}"), "does not answer"),
        ((200, b"\xff\xfe"), "does not answer"),
        ((500, b"disk \x1b[31mfull\n" * 1000), "reports an error: disk"),
        ((200, b"0" * (rest._LARGEST + 1)), "does not answer"),
    ],
)
def test_a_reply_that_makes_no_sense_is_none(answer: tuple[int, bytes], said: str) -> None:
    with (
        answering(answer) as (url, _),
        closing(ChromaServer(ServerAddress(url))) as client,
        pytest.raises(StoreAway, match=said) as told,
    ):
        client.collection("any")
    assert len(str(told.value)) < 600
    assert "\x1b" not in str(told.value)


def test_a_token_is_sent_from_its_file_and_a_wrong_one_is_refused(tmp_path: Path) -> None:
    right, wrong = tmp_path / "right", tmp_path / "wrong"
    right.write_text("s3cret\n", encoding="utf-8")
    wrong.write_text("other", encoding="utf-8")
    with answering((200, FOUND), token="s3cret") as (url, asked):
        with closing(ChromaServer(ServerAddress(url, token_file=str(right)))) as client:
            client.collection("any")
            assert not client.is_open_to_anybody()
        for token_file in (str(wrong), ""):
            with (
                closing(ChromaServer(ServerAddress(url, token_file=token_file))) as client,
                pytest.raises(ServerRefused, match="does not let you"),
            ):
                client.collection("any")
        assert asked[0] == "Bearer s3cret"
    with answering((200, FOUND)) as (url, _), closing(ChromaServer(ServerAddress(url))) as client:
        assert client.is_open_to_anybody()
    with pytest.raises(UserError, match="can't be read"):
        ChromaServer(ServerAddress(url, token_file=str(tmp_path / "none")))


def test_both_sides_show_a_certificate(tmp_path: Path) -> None:
    made = _certificates(tmp_path)
    tls = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    tls.load_cert_chain(made["server.pem"], made["server.key"])
    tls.verify_mode = ssl.CERT_REQUIRED
    tls.load_verify_locations(made["authority.pem"])
    with answering((200, FOUND), tls=tls) as (url, _):
        known = {"authority": made["authority.pem"]}
        pair = {"certificate": made["client.pem"], "key": made["client.key"]}
        with closing(ChromaServer(ServerAddress(url, **known, **pair))) as client:
            assert client.collection("any").name == "any"
            assert not client.is_open_to_anybody()
        for lacking in (known, {}):  # no certificate of ours; nor theirs known
            with (
                closing(ChromaServer(ServerAddress(url, **lacking))) as client,
                pytest.raises(StoreAway),
            ):
                client.collection("any")
    with pytest.raises(UserError, match="can't be read"):
        ChromaServer(ServerAddress(url, **known, certificate=made["client.key"]))


def _certificates(folder: Path) -> dict[str, str]:
    """Make an authority, and a certificate of it for a server and one for a client."""
    names = (
        "authority.pem",
        "authority.key",
        "server.pem",
        "server.key",
        "client.pem",
        "client.key",
    )
    made = {name: str(folder / name) for name in names}
    new = ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2"]
    own = ["-CA", made["authority.pem"], "-CAkey", made["authority.key"]]
    for name, more in (("authority", []), ("server", own), ("client", own)):
        files = ["-keyout", made[f"{name}.key"], "-out", made[f"{name}.pem"]]
        about = ["-subj", f"/CN={name}", "-addext", "subjectAltName=IP:127.0.0.1"]
        try:
            subprocess.run([*new, *more, *about, *files], check=True, capture_output=True)
        except (OSError, subprocess.CalledProcessError):
            pytest.skip("openssl is not installed, or too old to sign")
    return made
