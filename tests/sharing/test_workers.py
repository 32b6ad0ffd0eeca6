"""Several workers read one folder onto a real Chroma server: each file once, whatever happens."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import threading
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any, cast

import psutil
import pytest

from desktop_rag.commands import index_worker
from desktop_rag.commands.dispatch import perform
from desktop_rag.core.cancel import CancelToken
from desktop_rag.core.errors import Cancelled, StoreAway, UserError
from desktop_rag.core.events import Event, FileDone, IndexDone
from desktop_rag.core.requests import IndexRequest, ShowRequest
from desktop_rag.core.types import FileStatus
from desktop_rag.index import chroma_server as rest
from desktop_rag.sharing.lease_rows import LeaseRow, LeaseRows, failed
from desktop_rag.sharing.leases import Leases, WorkerHeartbeat
from desktop_rag.sharing.row_sender import RowSender
from desktop_rag.sharing.shared_store import SharedStore, place_of
from desktop_rag.workspace import Workspace
from tests.conftest import REPOSITORY
from tests.index import chroma_server
from tests.indexing.indexed_folder import prose
from tests.sharing.team import (
    TEAM,
    act,
    indexed,
    member,
    on_server,
    paths,
    rows_on_server,
)

BEAT = 0.05  # seconds


def folder(at: Path, files: int = 24) -> Path:
    """Write documents of different lengths, in a folder below as well."""
    (at / "below").mkdir(parents=True)
    for number in range(files):
        text = f"# On topic {number}\n\n{prose(f'topic {number}', 5 + number * 3)}"
        place = at / "below" if number % 3 else at
        (place / f"{number}.md").write_text(text, encoding="utf-8")
    return at


def write(docs: Path, name: str, topic: str) -> None:
    (docs / name).write_text(f"# On the {topic}\n\n{prose(topic, 12)}", encoding="utf-8")


def begun(workspace: Workspace) -> Workspace:
    """Let a data folder share the team's knowledge base for writing."""
    try:
        act(workspace, "join", TEAM)
    except UserError:
        workspace.catalog.kbs.ensure(TEAM)
    act(workspace, "share", TEAM, new_name=TEAM)
    return workspace


def working(workspace: Workspace, docs: Path, **more: Any) -> Iterator[Event]:
    """Begin a worker's run, with quick heartbeats."""
    request = IndexRequest(TEAM, (str(docs),), worker=True, **more)
    return index_worker.run(workspace, request, more.pop("token", CancelToken()), BEAT)


def worked(workspace: Workspace, docs: Path, **more: Any) -> dict[str, str]:
    """Let a worker run to its end; return the outcomes that it told, by name."""
    events = list(working(workspace, docs, **more))
    assert isinstance(events[-1], IndexDone)
    told = [each for each in events if isinstance(each, FileDone)]
    assert len({each.path for each in told}) == len(told)
    return {Path(each.path).name: each.status.value for each in told}


def lease_rows(url: str) -> tuple[list[LeaseRow], dict[str, int]]:
    """Return the leases and heartbeats on a server."""
    with closing(rest.ChromaServer(rest.ServerAddress(url))) as server:
        rows = LeaseRows(SharedStore.opened(server, TEAM).leases())
        writers = {each.writer for each in on_server(url).files}
        return [row for each in writers for row in rows.of_folder(each)], rows.beats()


def texts(workspace: Workspace, kb: str) -> Counter[tuple[str, str, str]]:
    """Return each chunk's file, by name, with its place and text."""
    made: Counter[tuple[str, str, str]] = Counter()
    for path in paths(workspace, kb):
        for row in perform(workspace, ShowRequest((kb,), (path,)), CancelToken()):
            told = row.as_json()
            made[Path(path).name, str(told["locator"]), told["text"]] += 1
    return made


def require_no_leases(url: str) -> None:
    rows, beats = lease_rows(url)
    assert [row for row in rows if not row.status] == []
    assert beats == {}


@pytest.mark.parametrize("moment", range(8))
def test_of_those_who_claim_at_once_one_has_the_file(server: str, moment: int) -> None:
    names = [f"{number:032x}" for number in range(12)]
    with closing(rest.ChromaServer(rest.ServerAddress(server))) as client:
        rows = LeaseRows(client.made("leases"))
        start = threading.Barrier(3)
        won: list[set[str]] = []

        def claim(worker: str) -> None:
            heart = WorkerHeartbeat(rows, worker)
            leases = Leases(rows, "f" * 16, heart, worker, retry=False)
            order = names if int(worker, 16) % 2 else names[::-1]
            start.wait()
            won.append(leases.claim(order))

        threads = [
            threading.Thread(target=claim, args=(f"{moment}{number}" * 8,)) for number in range(3)
        ]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    assert sorted(name for each in won for name in each) == names


def together(*jobs: tuple[Workspace, Path]) -> list[dict[str, str]]:
    """Let workers run at the same time; return what each told."""
    told: list[dict[str, str]] = [{} for _ in jobs]
    failures: list[BaseException] = []

    def work(number: int) -> None:
        try:
            told[number] = worked(*jobs[number], folder="our documents")
        except BaseException as error:  # noqa: BLE001 - told to the test
            failures.append(error)

    threads = [threading.Thread(target=work, args=(number,)) for number in range(len(jobs))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert failures == []
    assert all(told)
    return told


def test_two_workers_divide_a_folder_and_it_is_as_one_index_of_it(
    server: str, tmp_path: Path
) -> None:
    docs = folder(tmp_path / "here" / "docs")
    elsewhere = shutil.copytree(docs, tmp_path / "there" / "other", copy_function=shutil.copy2)
    with (
        member(tmp_path / "one", server) as one,
        member(tmp_path / "two", server) as two,
        member(tmp_path / "alone", "") as alone,
    ):
        begun(one)
        begun(two)
        first, second = together((one, docs), (two, elsewhere))
        assert first.keys().isdisjoint(second)
        assert len(first | second) == 24
        assert set((first | second).values()) == {"ready"}
        records = on_server(server)
        assert len(records.files) == len(records.documents) == 24
        assert all(each.whole for each in records.documents.values())
        roots = {str(docs), str(elsewhere)}
        assert len({each.writer for each in records.files}) == 1
        assert any(all(each.path.startswith(root) for each in records.files) for root in roots)
        require_no_leases(server)
        for number in range(16):
            place = docs / "below" if number % 3 else docs
            write(place, f"{number}.md", f"heron {number}")
            copied = elsewhere / place.relative_to(docs) / f"{number}.md"
            shutil.copy2(place / f"{number}.md", copied)
        first, second = together((one, docs), (two, elsewhere))
        assert first.keys().isdisjoint(second)
        assert len(first | second) == 16
        assert len(on_server(server).documents) == 24  # those before are gone, whoever ended last
        indexed(alone, docs)
        wanted = texts(alone, "default")
        for workspace in (one, two):
            act(workspace, "sync", TEAM)
            assert texts(workspace, TEAM) == wanted
        assert rows_on_server(server)["passages"] == wanted.total()
        assert worked(two, elsewhere, folder="our documents") == {}
        act(one, "unshare", TEAM, withdraws=True)
        assert rows_on_server(server) == {}


def test_two_who_read_the_same_files_anyway_double_nothing(
    server: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    docs = folder(tmp_path / "docs", 6)
    told: list[dict[str, str]] = []
    both = threading.Barrier(2)

    def claim(self: Leases, names: Any) -> set[str]:
        return set(names)

    send = RowSender.send

    def together(self: Any, *words: Any) -> Any:
        both.wait(60)  # each has read what the other has
        return send(self, *words)

    monkeypatch.setattr(Leases, "claim", claim)
    monkeypatch.setattr(RowSender, "send", together)
    monkeypatch.setattr("desktop_rag.commands.worker_batches._SHARES", 1)
    with member(tmp_path / "one", server) as one, member(tmp_path / "two", server) as two:
        begun(one)
        begun(two)
        threads = [
            threading.Thread(target=lambda each=each: told.append(worked(each, docs)))
            for each in (one, two)
        ]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert [len(each) for each in told] == [6, 6]
        act(one, "sync", TEAM)
        assert len(paths(one, TEAM)) == 6
        chunks = one.catalog.kbs.get(TEAM).chunks
        assert rows_on_server(server)["passages"] == chunks
        assert len(on_server(server).files) == 6


_DIES = """
import sys, time
from pathlib import Path
from desktop_rag.commands import index_worker
from desktop_rag.core.cancel import CancelToken
from desktop_rag.core.requests import IndexRequest
from desktop_rag.sharing.row_sender import RowSender
from tests.sharing.team import TEAM, member

def stop(*words):
    print("at work", flush=True)
    time.sleep(600)

if __name__ == "__main__":
    RowSender.send = stop
    home, url, docs = sys.argv[1:]
    with member(Path(home), url) as workspace:
        request = IndexRequest(TEAM, (docs,), worker=True)
        list(index_worker.run(workspace, request, CancelToken(), 0.05))
"""


def test_a_killed_worker_s_files_are_taken_over(server: str, tmp_path: Path) -> None:
    docs = folder(tmp_path / "docs", 8)
    with member(tmp_path / "one", server) as one:
        begun(one)
    process = subprocess.Popen(
        [sys.executable, "-c", _DIES, str(tmp_path / "one"), server, str(docs)],
        cwd=REPOSITORY,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert process.stdout is not None
    assert process.stdout.readline() == "at work\n"
    os.kill(process.pid, signal.SIGKILL)
    process.wait()
    process.stdout.close()
    assert list((tmp_path / "one").glob("scratch-*"))
    with closing(rest.ChromaServer(rest.ServerAddress(server))) as client:
        rows = LeaseRows(SharedStore.opened(client, TEAM).leases())
        (dead,) = rows.beats()
    with member(tmp_path / "two", server) as two:
        begun(two)
        told = worked(two, docs)
        assert len(told) == 8
        assert len(paths(two, TEAM)) == 8
    require_no_leases(server)
    assert dead not in lease_rows(server)[1]
    with member(tmp_path / "one", server) as one:
        assert not list((tmp_path / "one").glob("scratch-*"))
        assert worked(one, docs) == {}
        assert len(paths(one, TEAM)) == 8


def test_a_worker_is_dead_when_its_heartbeat_stands_still_for_six_looks() -> None:
    heart = WorkerHeartbeat(cast("LeaseRows", None), "me")  # nothing is asked
    assert not heart.is_dead("gone")
    for beat in range(20):
        assert ("gone" in heart.dead()) == (beat >= 6)
        assert not heart.is_dead("alive")
        assert heart.is_dead("slow") == (beat >= 7)  # first seen at the first look
        heart.look({"alive": beat, "slow": 3, "me": 0})
    heart.look({"alive": 20, "slow": 4})
    assert not heart.is_dead("slow")
    assert heart.is_dead("gone")
    assert not heart.is_dead("me")


def test_what_changes_or_goes_follows_whoever_read_it_first(server: str, tmp_path: Path) -> None:
    docs = folder(tmp_path / "docs", 5)
    with member(tmp_path / "one", server) as one, member(tmp_path / "two", server) as two:
        begun(one)
        begun(two)
        assert len(worked(one, docs)) == 5
        before = {each.path: each for each in on_server(server).files}
        write(docs, "0.md", "heron")
        (docs / "3.md").unlink()
        assert worked(two, docs) == {"0.md": "ready", "3.md": "deleted"}
        records = on_server(server)
        after = {each.path: each for each in records.files}
        assert before.keys() == after.keys()
        changed = {path for path in after if after[path] != before[path]}
        assert changed == {str(docs / "0.md"), str(docs / "3.md")}
        assert after[str(docs / "3.md")].removed
        assert len(records.documents) == 4  # those that no file has are gone
        assert worked(one, docs) == {}
        assert len(paths(one, TEAM)) == 4
        told = " ".join(str(each) for each in texts(one, TEAM))
        assert "heron" in told
        assert "topic 3" not in told
        assert rows_on_server(server)["passages"] == one.catalog.kbs.get(TEAM).chunks
        require_no_leases(server)


@pytest.mark.slow
def test_a_file_that_cannot_be_read_is_told_once_and_tried_again_when_asked_or_changed(
    server: str, tmp_path: Path
) -> None:
    docs = folder(tmp_path / "docs", 2)
    (docs / "bad.pdf").write_bytes(b"%PDF-1.7 and nothing")
    with member(tmp_path / "one", server) as one, member(tmp_path / "two", server) as two:
        begun(one)
        begun(two)
        first = worked(one, docs)
        assert first["bad.pdf"] not in ("ready", "unchanged")
        (row,) = lease_rows(server)[0]
        assert row.status == first["bad.pdf"]
        assert row.sentence()
        assert worked(two, docs) == {}
        (done,) = [e for e in working(two, docs) if isinstance(e, IndexDone)]
        assert done.files == {"unchanged": 2, first["bad.pdf"]: 1}
        assert worked(two, docs, retry=True) == {"bad.pdf": first["bad.pdf"]}
        assert worked(one, docs) == {}
        assert len(lease_rows(server)[0]) == 1
        sample = next((REPOSITORY / "resources" / "samples").glob("*.pdf"))
        (docs / "bad.pdf").write_bytes(sample.read_bytes())
        assert worked(one, docs) == {"bad.pdf": "ready"}
        assert lease_rows(server)[0] == []
        (docs / "bad.pdf").write_bytes(b"%PDF-1.7 and nothing")
        assert worked(two, docs) == first.fromkeys(["bad.pdf"], first["bad.pdf"])
        assert len(paths(two, TEAM)) == 2  # what it was before is not shown any more
        assert worked(one, docs) == {}


def test_a_stopped_worker_gives_its_files_back(server: str, tmp_path: Path) -> None:
    docs = folder(tmp_path / "docs", 8)
    token = CancelToken()
    with member(tmp_path / "one", server) as one, member(tmp_path / "two", server) as two:
        begun(one)
        begun(two)
        request = IndexRequest(TEAM, (str(docs),), worker=True)
        events = index_worker.run(one, request, token, BEAT)
        next(event for event in events if isinstance(event, FileDone))
        held = [row for row in lease_rows(server)[0] if not row.status]
        token.cancel()
        began = time.monotonic()
        with pytest.raises(Cancelled):
            list(events)
        assert time.monotonic() - began < 10
        assert held
        require_no_leases(server)
        assert not list((tmp_path / "one").glob("scratch-*"))
        begun_by_one = len(on_server(server).files)
        assert 0 < begun_by_one < 8
        assert len(worked(two, docs)) == 8 - begun_by_one
        assert len(paths(two, TEAM)) == 8


def test_who_does_not_share_for_writing_cannot_be_a_worker(server: str, tmp_path: Path) -> None:
    docs = folder(tmp_path / "docs", 1)
    with member(tmp_path / "one", server) as one, member(tmp_path / "two", server) as two:
        one.catalog.kbs.create(TEAM)
        with pytest.raises(UserError, match="kb join NAME"):
            worked(one, docs)
        begun(one)
        act(two, "join", TEAM)
        before = rows_on_server(server)
        with pytest.raises(UserError, match="--agree"):
            worked(two, docs)
        with pytest.raises(UserError, match="no folder"):
            worked(one, docs / "0.md")
        assert rows_on_server(server) == before
        with pytest.raises(UserError, match="There is no"):
            worked(one, tmp_path / "nowhere")
        indexed(one, docs, TEAM)
        with pytest.raises(UserError, match="by itself already"):
            worked(one, docs)


def test_another_folder_of_the_same_name_is_not_taken_for_it(server: str, tmp_path: Path) -> None:
    first, second = folder(tmp_path / "a" / "docs", 2), tmp_path / "b" / "docs"
    second.mkdir(parents=True)
    write(second, "other.md", "heron")
    with member(tmp_path / "one", server) as one:
        begun(one)
        worked(one, first)
        with pytest.raises(UserError, match="--folder"):
            worked(one, second)
        assert worked(one, second, folder="docs") == {"other.md": "ready"}  # it lies, and is wrong
        assert len(paths(one, TEAM)) == 3
        assert worked(one, second, folder="second") == {"other.md": "ready"}
        assert len(paths(one, TEAM)) == 4


def test_an_empty_folder_takes_nothing_out(server: str, tmp_path: Path) -> None:
    docs = folder(tmp_path / "docs", 2)
    with member(tmp_path / "one", server) as one:
        begun(one)
        worked(one, docs)
        shutil.rmtree(docs)
        docs.mkdir()
        assert worked(one, docs) == {}
        assert len(paths(one, TEAM)) == 2
        folder(docs / "again", 1)
        assert not any(each.removed for each in on_server(server).files)


def test_what_one_worker_leaves_out_is_not_taken_out(server: str, tmp_path: Path) -> None:
    docs = folder(tmp_path / "docs", 4)
    with member(tmp_path / "one", server) as one:
        begun(one)
        assert len(worked(one, docs)) == 4
        assert worked(one, docs, exclude=("0.md",)) == {}
        assert len(paths(one, TEAM)) == 4


@pytest.mark.slow
def test_a_server_that_goes_away_is_said_and_the_next_run_goes_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    if chroma_server.program() is None:
        pytest.skip("Chroma's own server program is not installed")
    monkeypatch.setattr("desktop_rag.commands.share_kb.PATIENT", ())
    docs = folder(tmp_path / "docs", 8)
    with chroma_server.serving(tmp_path / "server") as url, member(tmp_path / "one", url) as one:
        begun(one)
        events = working(one, docs)
        assert next(e for e in events if isinstance(e, FileDone)).status is FileStatus.READY
        (process,) = (p for p in psutil.Process().children() if p.name() == "chroma")
        process.kill()
        with pytest.raises(StoreAway, match="does not answer"):
            list(events)
        assert not list((tmp_path / "one").glob("scratch-*"))
    with chroma_server.serving(tmp_path / "server", url), member(tmp_path / "two", url) as two:
        begun(two)
        assert 0 < len(worked(two, docs)) < 8  # what the first had claimed runs out
        assert len(paths(two, TEAM)) == 8
        require_no_leases(url)


def test_rows_that_nobody_of_us_wrote_harm_nothing(server: str, tmp_path: Path) -> None:
    docs = folder(tmp_path / "docs", 3)
    with member(tmp_path / "one", server) as one:
        begun(one)
        worked(one, docs)
        with closing(rest.ChromaServer(rest.ServerAddress(server))) as client:
            collection = SharedStore.opened(client, TEAM).leases()
            for page in collection.rows(["metadatas"]):
                bad: list[dict[str, Any]] = [
                    dict(each or {}) | {"root": "\0", "beats": "x", "attempt": -1}
                    for each in page.metadatas or ()
                ]
                collection.upsert(page.ids, [place_of(each) for each in page.ids], bad)
        write(docs, "new.md", "heron")
        assert worked(one, docs) == {"new.md": "ready"}


def test_a_failed_lease_says_why_in_a_sentence() -> None:
    held = LeaseRow("f" * 16, "a" * 32, 2, "b" * 16)
    row = failed(held, FileStatus.CORRUPT, "It is damaged.")
    assert (row.key, row.status, row.sentence()) == (held.key, "corrupt", "It is damaged.")
    assert failed(held, FileStatus.CORRUPT, "x" * 20_000).sentence() == ""
    assert held.sentence() == ""
