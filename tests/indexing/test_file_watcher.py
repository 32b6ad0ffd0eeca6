from __future__ import annotations

import shutil
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from desktop_rag.core.cancel import CancelToken
from desktop_rag.core.catalog_records import FollowedPath
from desktop_rag.core.types import KbId
from desktop_rag.indexing.file_watcher import Debounce, Watcher
from desktop_rag.indexing.scan import Scope
from testing.timeouts import NEVER, SOON
from tests.indexing.indexed_folder import IndexedFolder, Watching, prose
from tests.network_drive import NoDrive, mounted

QUICK = Debounce(quiet=0.3, longest=1.5, restless=3.0, tick=0.05, poll=0.5, flood=300)


class Followed:
    """A folder that is watched, and the batches that come of it."""

    def __init__(self, root: Path, pace: Debounce = QUICK, *, poll_all: bool = False) -> None:
        self.root = root
        self.watcher = Watcher(pace, poll_all=poll_all)
        self.follow()

    def follow(self) -> None:
        source = FollowedPath(1, KbId(1), str(self.root), is_folder=True)
        self.watcher.follow(Scope([source], (), Path("/nowhere")))

    def next(self, seconds: float = SOON) -> set[str]:
        paths = self.watcher.wait(CancelToken(), seconds)
        return {str(Path(path).relative_to(self.root)) for path in paths}

    def all(self, seconds: float = 2.0) -> set[str]:
        end, paths = time.monotonic() + seconds, set()
        while time.monotonic() < end:
            paths |= self.next(0.2)
        return paths


@pytest.fixture
def followed(tmp_path: Path) -> Iterator[Followed]:
    (tmp_path / "root").mkdir()
    made = Followed(tmp_path / "root")
    yield made
    made.watcher.close()


def test_created_changed_moved_and_deleted_files_are_noticed(followed: Followed) -> None:
    (followed.root / "a.txt").write_text("x")
    assert followed.next() == {"a.txt"}
    (followed.root / "a.txt").write_text("xy")
    assert followed.next() == {"a.txt"}
    (followed.root / "a.txt").rename(followed.root / "b.txt")
    assert followed.next() == {"a.txt", "b.txt"}
    (followed.root / "b.txt").unlink()
    assert followed.next() == {"b.txt"}


def test_reading_a_file_is_no_change(followed: Followed) -> None:
    (followed.root / "a.txt").write_text("x")
    followed.next()
    (followed.root / "a.txt").read_text()
    assert followed.next(1.0) == set()


def test_what_is_ignored_wakes_nobody(followed: Followed) -> None:
    (followed.root / ".git").mkdir()
    (followed.root / ".git" / "index").write_text("x")
    (followed.root / "~$a.docx").write_text("x")
    assert followed.next(1.0) == set()


def test_a_burst_comes_as_one_batch(followed: Followed) -> None:
    for i in range(50):
        (followed.root / f"{i}.txt").write_text("x")
    assert len(followed.next()) == 50
    assert followed.next(0.5) == set()


def test_a_new_folder_is_watched_too(followed: Followed) -> None:
    (followed.root / "sub").mkdir()
    (followed.root / "sub" / "a.txt").write_text("x")
    assert "sub" in followed.all()
    (followed.root / "sub" / "b.txt").write_text("x")
    assert "sub/b.txt" in followed.all()


def test_a_file_that_is_being_written_is_waited_for(followed: Followed) -> None:
    stop = threading.Event()

    def write() -> None:
        with (followed.root / "slow.txt").open("w") as file:
            while not stop.wait(0.1):
                file.write("x")
                file.flush()

    writer = threading.Thread(target=write)
    writer.start()
    (followed.root / "quick.txt").write_text("x")
    assert followed.next() == {"quick.txt"}
    stop.set()
    writer.join()
    assert followed.next() == {"slow.txt"}


def test_a_file_that_never_rests_comes_after_a_while(followed: Followed) -> None:
    end = time.monotonic() + SOON
    seen: set[str] = set()
    with (followed.root / "log.txt").open("w") as file:
        while time.monotonic() < end and not seen:
            file.write("x")
            file.flush()
            seen = followed.next(0.1)
    assert seen == {"log.txt"}


def test_a_flood_makes_the_whole_folder_be_looked_through(followed: Followed) -> None:
    for i in range(400):
        (followed.root / f"{i}.txt").write_text("x")
    assert followed.next() == {"."}


def test_a_folder_that_goes_away_and_comes_back_is_looked_through(followed: Followed) -> None:
    followed.root.rename(followed.root.with_name("away"))
    followed.all(0.5)
    followed.root.with_name("away").rename(followed.root)
    assert "." in followed.all(1.0)
    (followed.root / "a.txt").write_text("x")
    assert "a.txt" in followed.all(1.0)


def test_a_folder_that_is_replaced_is_looked_through_and_watched(followed: Followed) -> None:
    shutil.rmtree(followed.root)
    followed.root.mkdir()
    assert "." in followed.all(1.0)
    (followed.root / "a.txt").write_text("x")
    assert "a.txt" in followed.all(1.0)


def test_a_folder_without_events_is_looked_through_from_time_to_time(tmp_path: Path) -> None:
    polled = Followed(tmp_path, poll_all=True)
    try:
        assert polled.next(2.0) == {"."}
        assert polled.next(0.2) == set()
        assert polled.next(2.0) == {"."}
    finally:
        polled.watcher.close()


@pytest.mark.skipif(sys.platform != "linux", reason="the drive is made with Linux's FUSE")
@pytest.mark.parametrize(("kind", "is_polled"), [("fuse.sshfs", True), ("fuse", False)])
def test_a_network_drive_is_known_and_looked_through_from_time_to_time(
    tmp_path: Path, kind: str, is_polled: bool
) -> None:
    """A drive of another kind gives the events of what is done here, and is not looked through."""
    (tmp_path / "served").mkdir()
    (tmp_path / "served" / "a.txt").write_text("x")
    try:
        with mounted(tmp_path / "served", tmp_path / "drive", kind) as drive:
            followed = Followed(drive)
            try:
                (tmp_path / "served" / "c.txt").write_text("by somebody else: no event comes")
                assert followed.all(1.5) == ({"."} if is_polled else set())
                (drive / "a.txt").rename(drive / "b.txt")
                assert followed.next() == ({"."} if is_polled else {"a.txt", "b.txt"})
            finally:
                followed.watcher.close()
    except NoDrive as error:
        pytest.skip(str(error))


def test_what_begins_to_change_is_told_once_before_it_has_settled(tmp_path: Path) -> None:
    told: list[float] = []
    watcher = Watcher(QUICK, stirred=lambda: told.append(time.monotonic()))
    try:
        source = FollowedPath(1, KbId(1), str(tmp_path), is_folder=True)
        watcher.follow(Scope([source], (), Path("/nowhere")))
        assert watcher.wait(CancelToken(), 0.3) == ()
        assert not told
        for name in ("a.txt", "b.txt"):
            (tmp_path / name).write_text("text")
        assert watcher.wait(CancelToken(), 5.0)
        assert len(told) == 1
        assert time.monotonic() - told[0] > QUICK.quiet / 2
        (tmp_path / "a.txt").write_text("another text")
        assert watcher.wait(CancelToken(), 5.0)
        assert len(told) == 2
    finally:
        watcher.close()


def test_closing_ends_every_thread(tmp_path: Path) -> None:
    before = set(threading.enumerate())
    watched = Followed(tmp_path)
    assert set(threading.enumerate()) != before
    watched.watcher.close()
    assert set(threading.enumerate()) == before


def test_a_stop_ends_the_wait_at_once(followed: Followed) -> None:
    token = CancelToken()
    threading.Timer(0.2, token.cancel).start()
    assert followed.watcher.wait(token, NEVER) == ()


def test_a_watched_library_follows_its_folder(library: IndexedFolder) -> None:
    library.write("first.md", prose("harbour"))
    watching = Watching(library)
    try:
        watching.rounds(1)
        library.write("second.md", prose("mountain"))
        watching.until(("first.md", "ready"), ("second.md", "ready"))
        (library.docs / "second.md").rename(library.docs / "third.md")
        watching.until(("third.md", "moved"))
        library.write("first.md", prose("volcano"))
        watching.rounds(4)
        (library.docs / "third.md").unlink()
        watching.until(("third.md", "deleted"))
    finally:
        watching.stop()
    assert library.finds("volcano") == {"first.md"}
    assert library.finds("harbour") == library.finds("mountain") == set()
    assert library.is_sound()


def test_what_happened_while_nobody_watched_is_found(library: IndexedFolder) -> None:
    gone, kept = (
        library.write("gone.md", prose("harbour")),
        library.write("kept.md", prose("valley")),
    )
    library.index()
    gone.unlink()
    kept.rename(library.docs / "moved.md")
    library.write("new.md", prose("mountain"))
    watching = Watching(library)
    try:
        watching.until(("gone.md", "deleted"), ("moved.md", "moved"), ("new.md", "ready"))
    finally:
        watching.stop()


def test_a_moved_folder_keeps_all_its_chunks(library: IndexedFolder) -> None:
    for i in range(3):
        library.write(f"old/{i}.md", prose(f"topic{i}"))
    watching = Watching(library)
    try:
        watching.rounds(1)
        library.embedder.embedded.clear()
        (library.docs / "old").rename(library.docs / "new")
        watching.until(*[(f"new/{i}.md", "moved") for i in range(3)])
    finally:
        watching.stop()
    assert library.embedder.embedded == []
