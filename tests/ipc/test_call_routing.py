from __future__ import annotations

import time
from contextlib import closing
from pathlib import Path

import pytest

from desktop_rag.core.errors import OwnedElsewhere, UsageError, UserError
from desktop_rag.core.requests import OpenRequest
from desktop_rag.ipc import call_routing, client, ownership
from desktop_rag.ipc.call_routing import BugError
from desktop_rag.ipc.owner import Owner
from testing.timeouts import SOON
from tests.ipc.scripted_owner import INDEX, SEARCH, Start, Work, owner, search


def test_a_lone_start_does_its_work_itself_and_leaves_no_trace_of_owning(tmp_path: Path) -> None:
    start = Start(tmp_path, SEARCH, Work())
    start.join()
    assert start.owned.is_set()
    assert start.lines == [{"event": "notice", "code": "hello", "text": "hello"}]
    assert not (tmp_path / "owner.json").exists()
    assert ownership.FolderLock(tmp_path).acquire()


def test_a_second_start_is_served_by_the_first(tmp_path: Path) -> None:
    work = Work()
    here = owner(tmp_path, work)
    start = Start(tmp_path, SEARCH, Work())
    start.join()
    here.close()
    assert not start.owned.is_set()
    assert start.lines == [{"event": "notice", "code": "hello", "text": "hello"}]


@pytest.mark.parametrize(
    ("query", "kind"), [("fail", UserError), ("usage", UsageError), ("bug", BugError)]
)
@pytest.mark.parametrize("served", [False, True])
def test_errors_are_the_same_here_and_over_there(
    tmp_path: Path, query: str, kind: type[Exception], *, served: bool
) -> None:
    here = owner(tmp_path, Work()) if served else None
    start = Start(tmp_path, search(query), Work())
    start.join()
    if here:
        here.close()
    assert type(start.error) is kind


def test_an_address_that_a_killed_owner_left_does_no_harm(tmp_path: Path) -> None:
    stale = ownership.OwnerAddress("/nowhere/there.sock", 1, "window", 1)
    ownership.write_address(ownership.make_folder(tmp_path), stale)
    start = Start(tmp_path, SEARCH, Work())
    start.join()
    assert start.error is None
    assert start.owned.is_set()


def test_an_address_that_is_no_address_does_no_harm(tmp_path: Path) -> None:
    (tmp_path / "owner.json").write_text("{half", encoding="utf-8")
    start = Start(tmp_path, SEARCH, Work())
    start.join()
    assert start.error is None


def test_an_owner_that_is_silent_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(call_routing, "_PATIENCE", 0.3)
    lock = ownership.FolderLock(tmp_path)
    assert lock.acquire()
    ownership.write_address(
        tmp_path, ownership.OwnerAddress("/nowhere/there.sock", 4711, "window", 1)
    )
    start = Start(tmp_path, SEARCH, Work())
    start.join()
    lock.release()
    assert isinstance(start.error, OwnedElsewhere)
    assert "4711" in start.error.what


def test_when_the_owner_goes_its_client_becomes_the_owner_and_goes_on(tmp_path: Path) -> None:
    first = Work()
    here = owner(tmp_path, first)
    second = Work(files=len(first.done) + 60, done=first.done)
    start = Start(tmp_path, INDEX, second)
    while len(first.done) < 20:
        time.sleep(0.01)
    here.close()
    start.join()
    assert start.error is None
    assert start.owned.is_set()
    files = [line for line in start.lines if line["event"] == "file"]
    assert [line["status"] for line in files] == ["ready"] * 60
    assert len({line["path"] for line in files}) == 60
    assert start.lines[-1]["files"] == {"ready": 60}


def test_a_command_that_made_room_goes_on_as_the_windows_client(tmp_path: Path) -> None:
    done: set[str] = set()
    start = Start(tmp_path, INDEX, Work(done=done))
    assert start.owned.wait(SOON)
    while len(done) < 10:
        time.sleep(0.01)
    lock = ownership.FolderLock(tmp_path)
    assert client.ask_to_open(tmp_path, OpenRequest()) == {"leaving": True}
    while not lock.acquire():
        time.sleep(0.01)
    window_work = Work(files=50, done=done)
    window = Owner(lock, window_work.perform, window_work.close, lambda _paths: None)
    window.start()
    start.join()
    window.close()
    assert start.error is None
    assert window_work.began.is_set()
    assert start.lines[-1]["files"] == {"ready": 50}


def test_who_stops_listening_stops_its_own_work_and_releases_the_folder(tmp_path: Path) -> None:
    work = Work()
    lock = ownership.FolderLock(tmp_path)

    def own(held: ownership.FolderLock) -> Owner:
        made = Owner(held, work.perform, work.close)
        made.start()
        return made

    with closing(call_routing.execute_call(lock, search("wait"), own)) as lines:
        assert next(lines) == {"event": "notice", "code": "wait", "text": "wait"}
    assert work.stopped.is_set()
    assert work.closed.is_set()
    assert ownership.FolderLock(tmp_path).acquire()
