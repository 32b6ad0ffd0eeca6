from __future__ import annotations

import os
import stat
import threading
import time
from collections.abc import Iterator
from multiprocessing.connection import Client
from pathlib import Path
from types import GeneratorType

import pytest

from desktop_rag.core.cancel import CancelToken
from desktop_rag.core.errors import OwnedElsewhere
from desktop_rag.core.events import Event, Notice
from desktop_rag.core.requests import OpenRequest
from desktop_rag.ipc import client, ownership
from desktop_rag.ipc.owner import Owner
from desktop_rag.ipc.wire import Call, pack, unpack
from testing.narrowing import narrow
from testing.timeouts import SOON
from tests.ipc.scripted_owner import INDEX, SEARCH, Work, owner, search, sent


def test_a_client_gets_the_lines_and_the_end_of_its_call(tmp_path: Path) -> None:
    here = owner(tmp_path, Work())
    try:
        assert sent(tmp_path, SEARCH) == [
            {"line": {"event": "notice", "code": "hello", "text": "hello"}},
            {"end": 0},
        ]
    finally:
        here.close()


def test_several_clients_are_served_at_once(tmp_path: Path) -> None:
    work = Work()
    here = owner(tmp_path, work)
    waiting = threading.Thread(target=sent, args=(tmp_path, search("wait")))
    waiting.start()
    try:
        assert work.began.wait(SOON)
        assert sent(tmp_path, SEARCH)[-1] == {"end": 0}
    finally:
        work.go_on.set()
        waiting.join()
        here.close()


@pytest.mark.parametrize(
    ("query", "end"),
    [
        ("fail", {"end": 1, "what": "It is broken.", "remedy": "Mend it."}),
        ("usage", {"end": 2, "what": "It is wrong.", "remedy": "Say it differently."}),
        ("bug", {"end": 1, "bug": True}),
        ("panic", {"end": 1, "bug": True}),
    ],
)
def test_errors_reach_the_client_in_words(
    tmp_path: Path, query: str, end: dict[str, object], caplog: pytest.LogCaptureFixture
) -> None:
    here = owner(tmp_path, Work())
    try:
        assert sent(tmp_path, search(query)) == [end]
        assert ("ZeroDivisionError" in caplog.text) == (query == "bug")
    finally:
        here.close()


def test_a_window_that_has_closed_takes_no_paths_but_makes_room(tmp_path: Path) -> None:
    taken: list[OpenRequest] = []
    window = owner(tmp_path, Work(), taken.append)
    connection = client.connect(tmp_path)
    window.close()
    with connection:
        connection.send_bytes(pack({"verb": "open", "paths": ["/docs"]}))
        assert unpack(connection.recv_bytes()) == {"leaving": True}
    assert taken == []


def test_a_panic_ends_the_owners_own_call_too(tmp_path: Path) -> None:
    here = owner(tmp_path, Work())
    try:
        assert list(here.run_here(search("panic"))) == [{"end": 1, "bug": True}]
    finally:
        here.close()


def test_a_call_that_comes_when_the_owner_has_closed_is_moved_and_not_begun(
    tmp_path: Path,
) -> None:
    work = Work()
    here = owner(tmp_path, work)
    connection = client.connect(tmp_path)
    here.close()
    assert list(client.call_frames(connection, SEARCH)) == [{"moved": 0.0}]
    assert not work.began.is_set()


def test_a_client_that_stops_reading_stops_the_work(tmp_path: Path) -> None:
    work = Work()
    here = owner(tmp_path, work)
    try:
        frames = client.call_frames(client.connect(tmp_path), search("wait"))
        next(frames)
        narrow(frames, GeneratorType).close()
        assert work.stopped.wait(SOON)
    finally:
        here.close()


def test_a_client_that_dies_stops_its_work(tmp_path: Path) -> None:
    work = Work()
    here = owner(tmp_path, work)
    try:
        connection = client.connect(tmp_path)
        frames = client.call_frames(connection, search("wait"))
        next(frames)
        connection.close()
        assert work.stopped.wait(SOON)
    finally:
        here.close()


def test_who_does_not_know_the_key_is_not_served(tmp_path: Path) -> None:
    work = Work()
    here = owner(tmp_path, work)
    try:
        (tmp_path / "owner.key").write_bytes(b"another key, thirty-two bytes ..")
        with pytest.raises(OwnedElsewhere):
            client.connect(tmp_path)
        assert not work.began.is_set()
    finally:
        here.close()


def test_a_connection_without_a_word_does_not_keep_others_from_being_served(tmp_path: Path) -> None:
    here = owner(tmp_path, Work())
    known = ownership.read_address(tmp_path)
    assert known is not None
    silent = Client(known.address)
    try:
        assert sent(tmp_path, SEARCH)[-1] == {"end": 0}
    finally:
        silent.close()
        here.close()


@pytest.mark.skipif(os.name != "posix", reason="modes are POSIX's")
def test_only_the_user_can_reach_the_owner(tmp_path: Path) -> None:
    here = owner(tmp_path, Work())
    try:
        known = ownership.read_address(tmp_path)
        assert known is not None
        assert stat.S_IMODE(Path(known.address).parent.stat().st_mode) == 0o700
        for name in ("owner.key", "owner.json", "owner.lock"):
            assert stat.S_IMODE((tmp_path / name).stat().st_mode) == 0o600
        assert stat.S_IMODE(tmp_path.stat().st_mode) == 0o700
    finally:
        here.close()


def test_a_folder_has_one_owner_at_a_time(tmp_path: Path) -> None:
    here = owner(tmp_path, Work())
    assert not ownership.FolderLock(tmp_path).acquire()
    here.close()
    again = ownership.FolderLock(tmp_path)
    assert again.acquire()
    again.release()


def test_an_owner_that_closes_finishes_short_work_and_moves_long_work(tmp_path: Path) -> None:
    work = Work()
    here = owner(tmp_path, work)
    got: dict[str, list[dict[str, object]]] = {}

    def ask(name: str) -> None:
        got[name] = sent(tmp_path, search("wait") if name == "short" else INDEX)

    threads = [threading.Thread(target=ask, args=(name,)) for name in ("short", "long")]
    threads[0].start()
    assert work.began.wait(SOON)
    threads[1].start()
    while not work.done:
        time.sleep(0.01)
    closing = threading.Thread(target=here.close)
    closing.start()
    threads[1].join(SOON)
    assert got["long"][-1] == {"moved": 0.0}
    assert closing.is_alive()
    work.go_on.set()
    closing.join(SOON)
    threads[0].join(SOON)
    assert got["short"][-1] == {"end": 0}
    assert work.closed.is_set()


def test_a_command_makes_room_for_a_window(tmp_path: Path) -> None:
    here = owner(tmp_path, Work())
    frames = here.run_here(INDEX)
    next(frames)
    assert client.ask_to_open(tmp_path, OpenRequest()) == {"leaving": True}
    end = list(frames)[-1]
    assert end["moved"] > 5
    here.close()


def test_a_window_is_shown_again_with_the_paths_of_a_second_start(tmp_path: Path) -> None:
    shown: list[OpenRequest] = []
    here = owner(tmp_path, Work(), shown.append)
    try:
        assert client.ask_to_open(tmp_path, OpenRequest(("/a", "/b"), "work", "ask")) == {"end": 0}
        assert shown == [OpenRequest(("/a", "/b"), "work", "ask")]
    finally:
        here.close()


def test_after_ctrl_c_an_owner_moves_all_work_at_once(tmp_path: Path) -> None:
    work = Work()
    here = owner(tmp_path, work)
    got: list[dict[str, object]] = []
    waiting = threading.Thread(target=lambda: got.extend(sent(tmp_path, search("wait"))))
    waiting.start()
    assert work.began.wait(SOON)
    assert here.abandon()
    waiting.join()
    assert got[-1] == {"moved": 0.0}


def test_two_first_starts_agree_on_one_key(tmp_path: Path) -> None:
    data_dir = ownership.make_folder(tmp_path)
    starts = threading.Barrier(8)
    keys: set[bytes] = set()

    def start() -> None:
        starts.wait()
        keys.add(ownership.shared_key(data_dir))

    threads = [threading.Thread(target=start) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(keys) == 1
    assert [each.name for each in data_dir.iterdir()] == ["owner.key"]


def test_a_call_is_not_run_far_ahead_of_whoever_reads_it(tmp_path: Path) -> None:
    made: list[int] = []
    stopped = threading.Event()

    def flood(call: Call, token: CancelToken) -> Iterator[Event]:
        try:
            for number in range(100_000):
                made.append(number)
                yield Notice(f"{number}")
        finally:
            stopped.set()

    lock = ownership.FolderLock(tmp_path)
    assert lock.acquire()
    here = Owner(lock, flood, lambda: None)
    here.start()
    frames = here.run_here(SEARCH)
    try:
        read = [next(frames) for _ in range(3)]
        time.sleep(0.3)  # in which the call would run ahead, if it were let
        assert [each["line"]["text"] for each in read] == ["0", "1", "2"]
        assert len(made) < 100
    finally:
        narrow(frames, GeneratorType).close()
        assert stopped.wait(2)
        here.close()
