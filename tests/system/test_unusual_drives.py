"""Folders on drives of other kinds: without events, and where upper and lower case are one."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from PySide6.QtWidgets import QApplication

from testing.window_driver import Driver, wait_for
from tests.indexing.indexed_folder import prose
from tests.network_drive import NoDrive, mounted
from tests.system.terminal import Terminal
from tests.system.test_following_folders import Watch, found

pytestmark = [
    pytest.mark.skipif(sys.platform != "linux", reason="the drives are made with Linux's FUSE"),
    pytest.mark.timeout(180),
]

UNASKED = 45  # seconds: less than the minute after which a network drive is looked at anyway


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Return the folder that lies on the drive, as the computer sees it that serves it."""
    made = tmp_path / "served"
    (made / "Papers").mkdir(parents=True)
    (made / "Papers" / "Harbour.md").write_text(f"# Harbour\n\n{prose('harbour')}")
    (made / "Papers" / "Valley.md").write_text(f"# Valley\n\n{prose('valley')}")
    return made


@pytest.fixture
def away(tmp_path: Path, folder: Path) -> Iterator[Path]:
    """Return the place of a network drive."""
    yield from shown(folder, tmp_path / "away", "fuse.sshfs")


@pytest.fixture
def caseless(tmp_path: Path, folder: Path) -> Iterator[Path]:
    """Return the place of a drive on which upper and lower case are one."""
    yield from shown(folder, tmp_path / "caseless", "any-case")


def shown(folder: Path, place: Path, option: str) -> Iterator[Path]:
    try:
        with mounted(folder, place, option):
            yield place
    except NoDrive as error:
        pytest.skip(str(error))


@pytest.fixture
def terminal(tmp_path: Path) -> Terminal:
    return Terminal(tmp_path / "home", is_forked=False)


@contextmanager
def watching(terminal: Terminal, place: Path) -> Iterator[Watch]:
    """Watch a place that is looked at twice a second, from when its two files are read."""
    often = ("--set", "ingest.poll_seconds=0.5")
    watch = Watch(terminal.start("index", place, "--watch", "--json", *often))
    try:
        watch.wait(lambda: len(watch.told()) >= 2)
        yield watch
    finally:
        watch.end()


def change(folder: Path) -> None:
    """Change a file, add one and delete one, as somebody at another computer does."""
    (folder / "Papers" / "Harbour.md").write_text(f"# Harbour\n\n{prose('volcano')}")
    (folder / "Letters").mkdir()
    (folder / "Letters" / "Island.md").write_text(f"# Island\n\n{prose('island')}")
    (folder / "Papers" / "Valley.md").unlink()


def test_a_watch_finds_by_looking_what_changed_on_a_drive_without_events(
    terminal: Terminal, folder: Path, away: Path
) -> None:
    with watching(terminal, away) as watch:
        change(folder)
        watch.wait(lambda: ("Valley.md", "deleted") in watch.told(), UNASKED)
        watch.wait(lambda: ("Island.md", "ready") in watch.told(), UNASKED)
        watch.wait(lambda: watch.told().count(("Harbour.md", "ready")) >= 2, UNASKED)
        assert found(terminal, "volcano") == {str(away / "Papers" / "Harbour.md")}
        assert found(terminal, "island") == {str(away / "Letters" / "Island.md")}
        assert found(terminal, "harbour") == found(terminal, "valley") == set()


def test_the_window_finds_by_looking_what_changed_on_a_drive_without_events(
    qapp: QApplication, tmp_path: Path, folder: Path, away: Path
) -> None:
    driver = Driver(qapp, tmp_path / "data", ingest__poll_seconds="0.5")
    driver.open()
    try:
        driver.drop(away)
        driver.wait_until_read(2)
        before = {Path(row.path).name: row.stamp for row in driver.context.library.snapshot.files}
        change(folder)
        wait_for(lambda: names(driver) == {"Harbour.md": "ready", "Island.md": "ready"}, UNASKED)
        after = {Path(row.path).name: row.stamp for row in driver.context.library.snapshot.files}
        assert after["Harbour.md"] != before["Harbour.md"]
    finally:
        driver.close()


def names(driver: Driver) -> dict[str, str]:
    rows = driver.context.library.snapshot.files
    return {Path(row.path).name: row.status.value for row in rows}


def test_a_file_renamed_in_its_case_only_is_one_file_where_case_does_not_matter(
    terminal: Terminal, folder: Path, caseless: Path
) -> None:
    papers = caseless / "Papers"
    with watching(terminal, caseless / "PAPERS") as watch:
        assert found(terminal, "harbour") == {str(papers / "Harbour.md")}, "as it is listed"
        (folder / "Papers" / "Harbour.md").rename(folder / "Papers" / "harbour.MD")
        watch.wait(lambda: ("harbour.MD", "moved") in watch.told(), UNASKED)
        assert found(terminal, "harbour") == {str(papers / "harbour.MD")}
        (listed,) = terminal.type("kb", "list", "--json").lines
        assert (listed["files"], listed["chunks"]) == (2, 2)
        states = {state for name, state in watch.told() if name == "harbour.MD"}
        assert states <= {"moved", "unchanged"}, "it is not read again"


def test_a_rename_in_the_case_only_is_followed_where_case_does_not_matter(
    qapp: QApplication, tmp_path: Path, caseless: Path
) -> None:
    papers = caseless / "Papers"
    driver = Driver(qapp, tmp_path / "data")
    driver.open()
    try:
        driver.drop(caseless)
        driver.wait_until_read(2)
        (papers / "Harbour.md").rename(papers / "aside.md")  # in one step Linux would do nothing
        (papers / "aside.md").rename(papers / "harbour.MD")
        wait_for(lambda: "harbour.MD" in names(driver))
        assert names(driver) == {"harbour.MD": "ready", "Valley.md": "ready"}
    finally:
        driver.close()


def test_a_watched_rename_in_the_case_only_leaves_one_file(
    terminal: Terminal, caseless: Path
) -> None:
    papers = caseless / "Papers"
    watch = Watch(terminal.start("index", caseless, "--watch", "--json"))
    try:
        watch.wait(lambda: len(watch.told()) >= 2)
        (papers / "Harbour.md").rename(papers / "aside.md")
        (papers / "aside.md").rename(papers / "harbour.MD")
        watch.wait(lambda: any(name == "harbour.MD" for name, _ in watch.told()))
        assert found(terminal, "harbour") == {str(papers / "harbour.MD")}
    finally:
        watch.end()


def test_a_file_that_is_followed_by_itself_stays_one_when_its_case_changes(
    terminal: Terminal, folder: Path, caseless: Path
) -> None:
    papers = caseless / "Papers"
    assert terminal.type("index", papers / "Harbour.md").status == 0
    (folder / "Papers" / "Harbour.md").rename(folder / "Papers" / "harbour.MD")
    assert terminal.type("index", papers / "harbour.MD").status == 0
    assert found(terminal, "harbour") == {str(papers / "harbour.MD")}
