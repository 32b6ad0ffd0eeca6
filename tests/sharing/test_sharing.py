"""A knowledge base that several people share on a real Chroma server: nothing lost, or doubled."""

from __future__ import annotations

import shutil
import threading
from collections.abc import Callable
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any

import httpx
import numpy as np
import pytest

from desktop_rag.commands.dispatch import perform
from desktop_rag.core.cancel import CancelToken
from desktop_rag.core.errors import StoreAway, UserError
from desktop_rag.core.requests import DescribeRequest, IndexRequest, KbRequest, SearchRequest
from desktop_rag.index import chroma_server as rest
from desktop_rag.sharing import shared_rows
from desktop_rag.sharing.row_sender import author
from testing.slow_cases import slow
from tests.commands.export_files import documents, found
from tests.index import chroma_server
from tests.indexing.indexed_folder import prose
from tests.sharing.team import (
    TEAM,
    act,
    done,
    indexed,
    member,
    notices,
    on_server,
    paths,
    removed,
    rows_on_server,
)

QUERIES = ("What of the harbour?", "mountain", "差旅报销", "price of the trout")


def test_a_second_machine_asks_without_the_first_one_s_catalog_or_files(
    server: str, tmp_path: Path
) -> None:
    docs = documents(tmp_path / "docs")
    with member(tmp_path / "one", server) as one:
        indexed(one, docs)
        said = act(one, "share", "default", new_name=TEAM)
        assert said["sync"]["sent"] == 5
        wanted = {query: found(one, query) for query in QUERIES}
        kb = one.catalog.kbs.get("default").id
        rows = list(one.catalog.embeddings.of_chunks(kb, one.models.embedder.fingerprint))
    shutil.rmtree(tmp_path / "one")
    shutil.rmtree(docs)
    with member(tmp_path / "two", server) as two:
        assert [each.as_json()["name"] for each in done(two, KbRequest("shared"))] == [TEAM]
        assert act(two, "join", TEAM, new_name="ours")["files"] == 5
        for query, passages in wanted.items():
            assert found(two, query, "ours") == passages
        kb = two.catalog.kbs.get("ours").id
        came = list(two.catalog.embeddings.of_chunks(kb, two.models.embedder.fingerprint))
        assert sorted(v.tobytes() for _, _, v in came) == sorted(v.tobytes() for _, _, v in rows)
        assert two.indexes.of(kb).check() is None
        assert two.indexes.of(kb).replica.state().behind == 0
        written = {each.author for each in two.catalog.shares.authors(kb).values()}
        assert written == {author()}


def test_what_changes_and_what_goes_follows_and_what_is_the_same_is_not_sent_again(
    server: str, tmp_path: Path
) -> None:
    docs = documents(tmp_path / "docs")
    with member(tmp_path / "one", server) as one, member(tmp_path / "two", server) as two:
        indexed(one, docs)
        act(one, "share", "default", new_name=TEAM)
        act(two, "join", TEAM)
        assert not any(act(one, "sync", "default")["sync"].values())
        assert not any(act(two, "sync", TEAM)["sync"].values())
        (docs / "mountain.md").write_text(
            f"# On the valley\n\n{prose('valley brook', 9)}", encoding="utf-8"
        )
        (docs / "harbour.md").unlink()
        (docs / "copy.md").unlink()
        indexed(one, docs)
        told = act(two, "sync", TEAM)["sync"]
        assert (told["fetched"], told["removed"]) == (1, 2)
        assert paths(two, TEAM) == paths(one)
        assert found(two, "brook", TEAM)[0]["text"] == found(one, "brook")[0]["text"]
        count = two.catalog.kbs.get(TEAM).chunks
        assert rows_on_server(server)["passages"] == count == one.catalog.kbs.get("default").chunks
        assert "harbour" not in str(found(two, "harbour quay", TEAM))


def test_who_only_reads_writes_nothing_there(
    server: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with member(tmp_path / "one", server) as one:
        indexed(one, documents(tmp_path / "docs"))
        act(one, "share", "default", new_name=TEAM)
    asked: list[tuple[str, str]] = []
    sent = httpx.Client.send

    def note(client: httpx.Client, request: httpx.Request, **more: Any) -> httpx.Response:
        asked.append((request.method, request.url.path.rpartition("/")[2]))
        return sent(client, request, **more)

    monkeypatch.setattr(httpx.Client, "send", note)
    own = documents(tmp_path / "own")
    with member(tmp_path / "two", server) as two:
        act(two, "join", TEAM)
        indexed(two, own, TEAM)
        assert len(paths(two, TEAM)) == 10
    assert asked
    assert {verb for method, verb in asked if method != "GET"} == {"get"}
    assert len(on_server(server).files) == 5


def test_two_who_write_at_once_lose_and_double_nothing(server: str, tmp_path: Path) -> None:
    with member(tmp_path / "one", server) as one, member(tmp_path / "two", server) as two:
        folders = [documents(tmp_path / name) for name in ("first", "second")]
        (folders[1] / "alone.md").write_text(
            f"# Only here\n\n{prose('heron', 9)}", encoding="utf-8"
        )
        for workspace, folder in zip((one, two), folders, strict=True):
            indexed(workspace, folder)
        failed: list[BaseException] = []

        def share(workspace: Any) -> None:
            try:
                for _ in range(3):
                    act(workspace, "share", "default", new_name=TEAM, together=True)
            except BaseException as error:  # noqa: BLE001 - told to the test
                failed.append(error)

        threads = [threading.Thread(target=share, args=(each,)) for each in (one, two)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert failed == []
        for workspace in (one, two):
            act(workspace, "sync", "default")
        assert paths(one) == paths(two)
        assert len(paths(one)) == 11
        records = on_server(server)
        assert len(records.files) == 11
        assert len(records.documents) == 5
        chunks = sum(each.chunks for each in records.documents.values())
        assert rows_on_server(server)["passages"] == chunks
        removed(one, folders[0] / "mountain.md")
        (folders[0] / "mountain.md").unlink()
        act(one, "sync", "default")
        act(two, "sync", "default")
        assert len(on_server(server).documents) == 5  # the other has it still
        assert str(folders[0] / "mountain.md") not in paths(two)
        assert str(folders[1] / "mountain.md") in paths(one)


def test_the_same_path_on_two_machines_may_be_two_files(
    server: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    docs = tmp_path / "docs"
    for name, text in (("one", "A heron."), ("two", "A trout.")):
        docs.mkdir(exist_ok=True)
        (docs / "notes.md").write_text(f"# Notes\n\n{text} {prose(text, 9)}", encoding="utf-8")
        monkeypatch.setattr("desktop_rag.sharing.row_sender.author", lambda name=name: f"x@{name}")
        with member(tmp_path / name, server) as workspace:
            indexed(workspace, docs)
            act(workspace, "share", "default", new_name=TEAM, together=True)
            if name == "two":
                indexed(workspace, docs)  # what came lies in a folder that is followed here
                act(workspace, "sync", "default")
                theirs = f"/x@one/{str(docs / 'notes.md').lstrip('/')}"
                assert paths(workspace) == sorted([str(docs / "notes.md"), theirs])
    with member(tmp_path / "three", server) as three:
        act(three, "join", TEAM)
        plain = str(docs / "notes.md").lstrip("/")
        assert paths(three, TEAM) == [f"/x@one/{plain}", f"/x@two/{plain}"]
        told = " ".join(row["text"] for row in found(three, "heron trout", TEAM))
        assert "A heron." in told
        assert "A trout." in told


@pytest.mark.parametrize("moment", [1, *slow(2, 3, 4), 5])
def test_what_was_sent_in_part_is_read_by_nobody_and_completed_by_the_next_run(
    server: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, moment: int
) -> None:
    requests = 0
    ask = rest.ChromaServer.ask

    def fail_at(self: Any, collection: str, verb: str, *more: Any) -> Any:
        nonlocal requests
        requests += verb == "upsert"
        if requests == moment:
            raise KeyboardInterrupt
        return ask(self, collection, verb, *more)

    with member(tmp_path / "one", server) as one, member(tmp_path / "two", server) as two:
        indexed(one, documents(tmp_path / "docs"))
        monkeypatch.setattr(rest.ChromaServer, "ask", fail_at)
        with pytest.raises(KeyboardInterrupt):
            act(one, "share", "default", new_name=TEAM)
        monkeypatch.setattr(rest.ChromaServer, "ask", ask)
        came = act(two, "join", TEAM)
        for path in paths(two, TEAM):  # all of it, or nothing
            assert path in paths(one)
        assert came["chunks"] in (0, one.catalog.kbs.get("default").chunks)
        act(one, "sync", "default")
        act(two, "sync", TEAM)
        assert paths(two, TEAM) == paths(one)
        assert rows_on_server(server)["passages"] == two.catalog.kbs.get(TEAM).chunks


def test_a_server_that_is_away_costs_no_answer_and_is_said(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    if chroma_server.program() is None:
        pytest.skip("Chroma's own server program is not installed")
    monkeypatch.setattr("desktop_rag.commands.share_kb.PATIENT", ())
    docs = documents(tmp_path / "docs")
    with chroma_server.serving(tmp_path / "server") as url, member(tmp_path / "one", url) as one:
        indexed(one, docs)
        act(one, "share", "default", new_name=TEAM)
        with member(tmp_path / "two", url) as two:
            act(two, "join", TEAM)
    with member(tmp_path / "two", url) as two, member(tmp_path / "one", url) as one:
        with pytest.raises(StoreAway, match="does not answer"):
            act(two, "sync", TEAM)
        events = list(perform(two, SearchRequest((TEAM,), "harbour"), CancelToken()))
        assert any("does not answer: this is what was there on" in each for each in notices(events))
        assert len(events) > 1
        (docs / "new.md").write_text(f"# A heron\n\n{prose('heron', 9)}", encoding="utf-8")
        told = done(one, IndexRequest("default"))
        assert any("does not answer" in each for each in notices(told))
        assert str(docs / "new.md") in paths(one)
    with chroma_server.serving(tmp_path / "server", url) as url:
        with member(tmp_path / "one", url) as one:
            assert act(one, "sync", "default")["sync"]["sent"] == 1
        with member(tmp_path / "two", url) as two:
            assert act(two, "sync", TEAM)["sync"]["fetched"] == 1
            assert notices(list(perform(two, SearchRequest((TEAM,), "heron"), CancelToken()))) == []


@pytest.mark.usefixtures("only_loopback")
def test_nothing_leaves_before_the_user_agrees(tmp_path: Path, only_loopback: list[str]) -> None:
    with member(tmp_path / "one", "http://203.0.113.7:8000") as one:
        indexed(one, documents(tmp_path / "docs"))
        with pytest.raises(UserError, match="sends every text of it"):
            act(one, "share", "default")
        assert only_loopback == []
        assert one.catalog.shares.all() == []


def test_what_is_shared_no_more_stays_here_and_may_go_from_the_server(
    server: str, tmp_path: Path
) -> None:
    with member(tmp_path / "one", server) as one, member(tmp_path / "two", server) as two:
        indexed(one, documents(tmp_path / "docs"))
        act(one, "share", "default", new_name=TEAM)
        act(two, "join", TEAM)
        act(one, "unshare", "default", withdraws=True)
        assert rows_on_server(server) == {}
        assert len(paths(one)) == len(paths(two, TEAM)) == 5
        with pytest.raises(UserError, match="is not shared"):
            act(one, "sync", "default")
        with pytest.raises(UserError, match="no more"):
            act(two, "sync", TEAM)
        assert len(paths(two, TEAM)) == 5


def test_what_the_user_took_out_stays_out(server: str, tmp_path: Path) -> None:
    docs = documents(tmp_path / "docs")
    with member(tmp_path / "one", server) as one, member(tmp_path / "two", server) as two:
        indexed(one, docs)
        act(one, "share", "default", new_name=TEAM)
        act(two, "join", TEAM)
        removed(two, docs / "mountain.md", TEAM)
        act(two, "sync", TEAM)
        assert str(docs / "mountain.md") not in paths(two, TEAM)
        assert len(paths(two, TEAM)) == 4


def test_a_base_of_another_model_is_read_and_not_written(
    server: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    docs = documents(tmp_path / "docs")
    with member(tmp_path / "one", server) as one:
        indexed(one, docs)
        act(one, "share", "default", new_name=TEAM)
    with member(tmp_path / "two", server) as two:
        monkeypatch.setattr(two.models.embedder, "fingerprint", "another/model")
        events = done(two, KbRequest("join", TEAM))
        assert any("another embedding model" in each for each in notices(events))
        assert len(found(two, "harbour", TEAM)) > 1
        kb = two.catalog.kbs.get(TEAM).id
        rows = list(two.catalog.embeddings.of_chunks(kb, "another/model"))
        assert len(rows) == two.catalog.kbs.get(TEAM).chunks
        assert np.isfinite(rows[0][2]).all()
        with pytest.raises(UserError, match="made with another embedding model"):
            act(two, "share", TEAM)


Change = Callable[[dict[str, Any]], None]


def _every(**values: Any) -> Change:
    return lambda metadata: metadata.update(values)


@pytest.mark.parametrize(
    "change",
    [
        _every(chunk="[]"),
        _every(chunk="[" * 100_000),
        _every(document="00" * 16),
        *slow(
            _every(chunk="[[[["),
            _every(chunk='["text","",[0,99999999],["line",1,0,99999999,null,[]]]'),
            _every(chunk=7),
            _every(chunks=2**31, pieces=2**31),
            _every(pieces=0),
            _every(recipe="other"),
            _every(notes="7"),
        ),
    ],
)
def test_rows_that_nobody_of_us_wrote_are_not_taken_in_and_harm_nothing(
    server: str, tmp_path: Path, change: Change
) -> None:
    with member(tmp_path / "one", server) as one:
        indexed(one, documents(tmp_path / "docs"))
        act(one, "share", "default", new_name=TEAM)
    import chromadb

    client = chromadb.HttpClient(host="127.0.0.1", port=int(server.rsplit(":", 1)[1]))
    for collection in client.list_collections():
        got = collection.get(include=["metadatas"])
        for metadata in got["metadatas"]:
            change(metadata)
        collection.update(ids=got["ids"], metadatas=got["metadatas"])
    chroma_server.close(client)
    with member(tmp_path / "two", server) as two:
        events = done(two, KbRequest("join", TEAM))
        kb = two.catalog.kbs.get(TEAM)
        assert kb.chunks == 0
        assert events[-1].as_json()["name"] == TEAM
        assert two.indexes.of(kb.id).check() is None


def test_a_shared_collection_that_names_a_function_is_refused(server: str, tmp_path: Path) -> None:
    from chromadb import HttpClient

    client = HttpClient(host="127.0.0.1", port=int(server.rsplit(":", 1)[1]))
    with chroma_server.spying() as built:
        from chromadb.utils.embedding_functions import known_embedding_functions

        function = known_embedding_functions["sentence_transformer"]()
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(type(function), "get_config", lambda _: chroma_server.REMOTE_CODE)
            name = shared_rows.collection(TEAM, shared_rows.RECORDS)
            client.create_collection(name, embedding_function=function)
        built.clear()
        with (
            member(tmp_path / "two", server) as two,
            pytest.raises(UserError, match="names an embedding function"),
        ):
            act(two, "join", TEAM)
        assert built == []
    chroma_server.close(client)


def test_what_is_not_whole_waits_and_the_rest_is_there(server: str, tmp_path: Path) -> None:
    with member(tmp_path / "one", server) as one:
        indexed(one, documents(tmp_path / "docs"))
        act(one, "share", "default", new_name=TEAM)
        key = next(iter(on_server(server).documents))
        with closing(rest.ChromaServer(rest.ServerAddress(server))) as client:
            name = shared_rows.collection(TEAM, shared_rows.PASSAGES)
            client.collection(name).delete([shared_rows.part_key(key, 0)])
        with member(tmp_path / "two", server) as two:
            row = act(two, "join", TEAM)
            assert row["files"] == sum(each.document != key for each in on_server(server).files)


def test_a_consent_that_was_taken_back_ends_the_sending_and_not_the_reading(
    server: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("desktop_rag.commands.share_kb.is_local_server", lambda _: False)
    docs = documents(tmp_path / "docs")
    with member(tmp_path / "one", server) as one:
        indexed(one, docs)
        kb = one.catalog.kbs.get("default").id
        with pytest.raises(UserError, match="sends every text of it"):
            act(one, "share", "default", new_name=TEAM)
        act(one, "share", "default", new_name=TEAM, agrees=True)
        assert server in one.catalog.consents.places(kb)
        one.catalog.consents.revoke(kb, server)
        (docs / "new.md").write_text(f"# New\n\n{prose('heron', 9)}", encoding="utf-8")
        told = notices(indexed(one, docs))
        assert any("you took your consent back" in each for each in told)
        assert len(on_server(server).files) == 5


def test_the_doctor_says_how_far_it_is_and_that_a_server_answers_anybody(
    server: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with member(tmp_path / "one", server) as one:
        indexed(one, documents(tmp_path / "docs"))
        act(one, "share", "default", new_name=TEAM)
        kb = one.catalog.kbs.get("default").id

        def checks() -> list[dict[str, Any]]:
            rows = [each.as_json() for each in done(one, DescribeRequest("doctor"))]
            return [row for row in rows if row["name"] == "sharing"]

        (row,) = checks()
        assert row["status"] == "ok"
        assert TEAM in row["detail"]
        monkeypatch.setattr("desktop_rag.index.chroma_server.is_local_server", lambda _: False)
        assert "answers everybody" in checks()[1]["detail"]
        known = one.catalog.shares.get(kb)
        assert known is not None
        one.catalog.shares.put(replace(known, away=1.0))
        assert checks()[0]["status"] == "warning"


def test_nobody_writes_into_what_others_share_without_saying_so(
    server: str, tmp_path: Path
) -> None:
    with member(tmp_path / "one", server) as one, member(tmp_path / "two", server) as two:
        indexed(one, documents(tmp_path / "first"))
        indexed(two, documents(tmp_path / "second"))
        act(one, "share", "default")
        with pytest.raises(UserError, match="Somebody shares a knowledge base “default” there"):
            act(two, "share", "default")
        assert len(on_server(server, "default").files) == 5
        act(one, "share", "default")  # its own
        act(two, "share", "default", together=True)
        assert len(on_server(server, "default").files) == 10
        told = done(two, KbRequest("delete", "default"))
        assert any("stays on" in each for each in notices(told))


def test_a_file_that_waits_to_be_read_again_is_not_withdrawn(server: str, tmp_path: Path) -> None:
    docs = documents(tmp_path / "docs")
    with member(tmp_path / "one", server) as one:
        indexed(one, docs)
        act(one, "share", "default", new_name=TEAM)
        one.catalog.files.enqueue(one.catalog.kbs.get("default").id, [str(docs / "mountain.md")])
        assert not any(act(one, "sync", "default")["sync"].values())
        assert not any(each.removed for each in on_server(server).files)
