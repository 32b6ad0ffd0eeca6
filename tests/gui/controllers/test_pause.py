"""When files are not read: the user's pause, the battery, and what goes first."""

from __future__ import annotations

import threading
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import psutil
import pytest
from PySide6.QtWidgets import QApplication

from desktop_rag.catalog.file_rules import PAUSED
from desktop_rag.core.cancel import CancelToken
from desktop_rag.core.requests import FilesRequest, IndexRequest
from desktop_rag.core.settings import Ingest, Settings
from desktop_rag.gui.controllers.data_folder import DataFolder
from desktop_rag.gui.controllers.folder_watch import FolderWatch
from desktop_rag.gui.controllers.ingest_queue import IngestQueue, Pause
from desktop_rag.gui.controllers.jobs import InlineRunner, Lane
from desktop_rag.gui.controllers.library import Indexing, LibraryController
from desktop_rag.gui.controllers.library_commands import CommandDone
from desktop_rag.gui.controllers.system_watch import SystemState, SystemWatch, is_on_battery
from testing.narrowing import narrow
from tests.gui.controllers.folder_owner import OwnedFolder
from tests.gui.controllers.test_library import home

__all__ = ["home"]
ON_BATTERY, ON_MAINS = SystemState(saves_power=True), SystemState()


class Desk:
    """A library, without the long job of its lane."""

    def __init__(self, home: OwnedFolder) -> None:
        self.runner = InlineRunner()
        folder = DataFolder(lambda: home)
        self.library = LibraryController(self.runner, folder)
        self.runner.start(Lane.INGEST, folder.open)
        self.runner.drain()


@pytest.fixture
def context(home: OwnedFolder, qapp: QApplication) -> Desk:
    home.workspace.catalog.kbs.create("default")
    return Desk(home)


def test_a_pause_is_kept_in_the_catalog(context: Desk, home: OwnedFolder) -> None:
    context.library.pause_reading()
    context.runner.drain()
    assert home.workspace.catalog.choices.figure(PAUSED) == 1
    context.library.resume()
    context.runner.drain()
    assert home.workspace.catalog.choices.figure(PAUSED) == 0
    assert context.library.ingest_queue.take() == IndexRequest("default", only_known=True)


def pause(context: Desk) -> Pause:
    return context.library.pause


def test_on_battery_reading_rests_and_goes_on_by_itself(context: Desk) -> None:
    context.library.surroundings.changed.emit(ON_BATTERY)
    assert pause(context) is Pause.BATTERY
    context.library.surroundings.changed.emit(ON_MAINS)
    assert pause(context) is Pause.NONE


def children() -> int:
    """Return how many processes there are of this one: parsers may be children's children."""
    return len(psutil.Process().children(recursive=True))


@pytest.mark.parametrize(("pause", "started"), [(Pause.BATTERY, False), (Pause.NONE, True)])
def test_no_parser_starts_ahead_of_changes_that_are_not_read(
    home: OwnedFolder, tmp_path: Path, pause: Pause, started: bool
) -> None:
    folder = tmp_path / "followed"
    folder.mkdir()
    catalog = home.workspace.catalog
    catalog.kbs.add_source(catalog.kbs.create("default").id, str(folder), is_folder=True)
    ingest_queue = IngestQueue()
    ingest_queue.set_pause(pause)
    before = children()
    with closing(FolderWatch(home.workspace, ingest_queue)) as following:
        following.refresh()
        (folder / "note.txt").write_text("The ferry sails at seven.", encoding="utf-8")
        found: list[IndexRequest] = []
        while not found:
            found = following.changes(CancelToken())
    for thread in threading.enumerate():
        if thread.name == "parser-start":
            thread.join()
    assert (children() > before) is started


def test_who_reads_anyway_is_not_interrupted_until_the_next_time(context: Desk) -> None:
    changed = context.library.surroundings.changed
    changed.emit(ON_BATTERY)
    context.library.resume()
    changed.emit(ON_BATTERY)
    assert pause(context) is Pause.NONE
    changed.emit(ON_MAINS)
    changed.emit(ON_BATTERY)
    assert pause(context) is Pause.BATTERY


def test_mains_power_does_not_end_the_users_own_pause(context: Desk) -> None:
    context.library.pause_reading()
    context.library.surroundings.changed.emit(ON_BATTERY)
    context.library.surroundings.changed.emit(ON_MAINS)
    assert context.library.pause is Pause.USER


@pytest.mark.parametrize(
    ("plugged", "expected"), [(True, False), (False, True), (None, False), ("none", False)]
)
def test_a_battery_counts_only_where_it_is_in_use(
    monkeypatch: pytest.MonkeyPatch, plugged: bool | str | None, expected: bool
) -> None:
    class Battery:
        power_plugged = plugged

    found = None if plugged == "none" else Battery()
    monkeypatch.setattr(psutil, "sensors_battery", lambda: found, raising=False)
    assert is_on_battery() is expected
    monkeypatch.delattr(psutil, "sensors_battery", raising=False)
    assert is_on_battery() is False


@pytest.mark.parametrize("error", [FileNotFoundError(), NotImplementedError(), psutil.Error()])
def test_a_battery_that_cannot_be_asked_counts_as_none(
    monkeypatch: pytest.MonkeyPatch, error: Exception
) -> None:
    def fail() -> None:
        raise error

    monkeypatch.setattr(psutil, "sensors_battery", fail, raising=False)
    assert is_on_battery() is False


@pytest.fixture
def watch(home: OwnedFolder, qapp: QApplication, request: pytest.FixtureRequest) -> SystemWatch:
    """What looks at the battery, with the setting on or off."""
    home.workspace.catalog.kbs.create("default")
    settings = Settings(ingest=Ingest(pause_on_battery=request.param))
    folder = DataFolder(
        lambda: OwnedFolder(replace(home.workspace, settings=settings), closes=False)
    )
    runner = InlineRunner()
    runner.start(Lane.INGEST, folder.open)
    return SystemWatch(runner, folder)


@pytest.mark.parametrize(
    ("watch", "plugged", "saves"),
    [(True, False, True), (True, True, False), (False, False, False)],
    indirect=["watch"],
)
def test_on_battery_power_is_saved_unless_the_setting_is_off(
    watch: SystemWatch, monkeypatch: pytest.MonkeyPatch, plugged: bool, saves: bool
) -> None:
    class Battery:
        power_plugged = plugged

    monkeypatch.setattr(psutil, "sensors_battery", Battery, raising=False)
    watch.look()
    narrow(watch._jobs, InlineRunner).drain()
    assert watch.known.saves_power is saves


def test_what_is_wanted_first_elsewhere_ends_the_run_which_goes_on_after(context: Desk) -> None:
    ingest_queue = context.library.ingest_queue
    begun = IndexRequest("default", ("/d",), only_known=True)
    current = ingest_queue.begin(begun)
    context.library.activity = Indexing("default")
    decision = FilesRequest("first", "other", ("/e/a.txt",))
    context.library.commands.done.emit(CommandDone(decision, 0))
    assert current.cancelled
    assert ingest_queue.take() == IndexRequest("other", ("/e/a.txt",), only_known=True)
    assert ingest_queue.take() == begun
