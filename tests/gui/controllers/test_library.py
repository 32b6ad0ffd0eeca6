"""The library's controller over a real data folder."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from desktop_rag.bootstrap import open_workspace
from desktop_rag.core.cancel import CancelToken
from desktop_rag.core.errors import Cancelled, StoreDamaged, UserError
from desktop_rag.core.events import IndexDone
from desktop_rag.core.requests import IndexRequest, KbRequest, RemoveRequest
from desktop_rag.core.settings import Settings
from desktop_rag.gui.controllers.data_folder import DataFolder, FolderOpened, HandedOver
from desktop_rag.gui.controllers.ingest_queue import IngestQueue
from desktop_rag.gui.controllers.ingest_worker import RequestDone, RequestStarted, run_request
from desktop_rag.gui.controllers.jobs import InlineRunner, Lane
from desktop_rag.gui.controllers.library import LibraryController
from testing.narrowing import narrow
from tests.gui.controllers.folder_owner import OwnedFolder


@pytest.fixture
def home(tmp_path: Path) -> Iterator[OwnedFolder]:
    made = OwnedFolder(open_workspace(tmp_path / "data", Settings()))
    yield made
    made.close()


@pytest.fixture
def context(home: OwnedFolder) -> tuple[InlineRunner, LibraryController]:
    runner, folder = InlineRunner(), DataFolder(lambda: home)
    library = LibraryController(runner, folder)
    runner.start(Lane.INGEST, folder.open)
    runner.drain()
    return runner, library


def note(tmp_path: Path) -> Path:
    file = tmp_path / "notes" / "boat.md"
    file.parent.mkdir()
    file.write_text("# Boat\n\nThe boat Sula was built in Vard in 2023 and runs on batteries.\n")
    return file


def done(home: OwnedFolder, chore: object) -> list[object]:
    return list(run_request(home.workspace, chore, IngestQueue(), CancelToken()))  # type: ignore[arg-type]


def test_what_was_indexed_is_on_the_shelf(
    home: OwnedFolder, context: tuple[InlineRunner, LibraryController], tmp_path: Path
) -> None:
    runner, library = context
    file = note(tmp_path)
    events = done(home, IndexRequest("default", (str(file.parent),)))
    assert isinstance(events[0], RequestStarted)
    assert isinstance(events[-1], RequestDone)
    assert any(isinstance(event, IndexDone) for event in events)
    library.refresh()
    runner.drain()
    snapshot = library.snapshot
    assert [row.path for row in snapshot.files] == [str(file)]
    assert (snapshot.ready, snapshot.problems, snapshot.waiting) == (1, 0, 0)
    done(home, RemoveRequest("default", (str(file.parent),)))
    library.refresh()
    runner.drain()
    assert library.snapshot.branches == ()


def test_the_first_shelf_is_one_with_files(
    home: OwnedFolder, context: tuple[InlineRunner, LibraryController], tmp_path: Path
) -> None:
    runner, library = context
    home.workspace.catalog.kbs.create("a empty one")
    done(home, IndexRequest("samples", (str(note(tmp_path)),)))
    library.refresh()
    runner.drain()
    assert library.snapshot.current == "samples"
    assert len(library.snapshot.files) == 1


def test_the_knowledge_base_of_last_time_comes_first(
    home: OwnedFolder, context: tuple[InlineRunner, LibraryController], tmp_path: Path
) -> None:
    runner, library = context
    done(home, IndexRequest("samples", (str(note(tmp_path)),)))
    done(home, IndexRequest("work", (str(tmp_path / "notes"),)))
    library.start_with("work")
    library.refresh()
    runner.drain()
    assert library.snapshot.current == "work"


def test_an_error_of_one_request_is_told_and_the_next_is_done(
    home: OwnedFolder, tmp_path: Path
) -> None:
    taken = done(home, KbRequest("create", "work")), done(home, KbRequest("create", "work"))
    assert taken[0][-1] == RequestDone(KbRequest("create", "work"))
    assert isinstance(narrow(taken[1][-1], RequestDone).error, UserError)
    bug = done(home, "no request at all")
    assert isinstance(narrow(bug[-1], RequestDone).error, Exception)
    assert not isinstance(narrow(bug[-1], RequestDone).error, UserError)


def test_stopping_a_request_is_not_stopping_the_lane(home: OwnedFolder, tmp_path: Path) -> None:
    ingest_queue = IngestQueue()
    events = []
    for event in run_request(
        home.workspace, IndexRequest("x", (str(note(tmp_path)),)), ingest_queue, CancelToken()
    ):
        events.append(event)
        ingest_queue.stop_current()
    assert events[-1] == RequestDone(narrow(events[0], RequestStarted).chore, stopped=True)


def test_stopping_the_lane_ends_the_request_too(home: OwnedFolder, tmp_path: Path) -> None:
    token = CancelToken()
    work = run_request(
        home.workspace, IndexRequest("x", (str(note(tmp_path)),)), IngestQueue(), token
    )
    next(work)
    token.cancel()
    with pytest.raises(Cancelled):
        list(work)


def test_a_folder_that_cannot_be_opened_says_so_to_every_lane() -> None:
    def broken() -> None:
        raise StoreDamaged("It is broken.", "Restore a backup.")

    folder = DataFolder(broken)
    with pytest.raises(StoreDamaged):
        folder.open(CancelToken())
    with pytest.raises(StoreDamaged):
        folder.get(CancelToken())


def test_a_folder_that_another_window_has_is_handed_over() -> None:
    folder = DataFolder(lambda: None)
    assert folder.open(CancelToken()) == HandedOver()
    with pytest.raises(Cancelled):
        folder.get(CancelToken())


def test_a_lane_that_is_cancelled_does_not_wait_for_the_folder(home: OwnedFolder) -> None:
    folder = DataFolder(lambda: home)
    token = CancelToken()
    token.cancel()
    with pytest.raises(Cancelled):
        folder.get(token)
    assert folder.open(CancelToken()) == FolderOpened()
    assert folder.get(CancelToken()) is home.workspace


def test_the_lanes_find_everything_imported_when_the_folder_is_open() -> None:
    script = (
        "import sys\n"
        "from desktop_rag.gui.controllers.data_folder import load_engine\n"
        "load_engine()\n"
        "before = {name.split('.')[0] for name in sys.modules}\n"
        "import desktop_rag.commands.index_files, desktop_rag.commands.ask\n"
        "import desktop_rag.gui.controllers.folder_watch, desktop_rag.models.ollama\n"
        "assert {'pydantic', 'ollama', 'watchdog', 'tantivy'} <= before, before\n"
        "assert {name.split('.')[0] for name in sys.modules} == before\n"
        "assert 'chromadb' not in before\n"
    )
    subprocess.run([sys.executable, "-c", script], check=True)


def test_every_folder_that_is_added_is_followed_though_the_first_is_stopped(
    home: OwnedFolder, context: tuple[InlineRunner, LibraryController], tmp_path: Path
) -> None:
    runner, library = context
    catalog = home.workspace.catalog
    kb = catalog.kbs.create("default").id
    folders = [note(tmp_path).parent, tmp_path / "more"]
    folders[1].mkdir()
    library.add(tuple(map(str, folders)))
    runner.drain()
    library.ingest_queue.begin(library.ingest_queue.take())
    library.stop()
    assert str(folders[1]) in {source.path for source in catalog.kbs.sources(kb)}


def test_what_waits_goes_with_a_new_name_only_when_it_is_given(
    home: OwnedFolder, context: tuple[InlineRunner, LibraryController]
) -> None:
    runner, library = context
    for name in ("notes", "work"):
        home.workspace.catalog.kbs.create(name)
    library.commands.complained.disconnect()
    library.ingest_queue.put(IndexRequest("notes", ("/x",)))
    library.change_base(KbRequest("rename", "notes", new_name="work"))
    runner.drain()
    assert library.ingest_queue.take() == IndexRequest("notes", ("/x",))
    library.ingest_queue.put(IndexRequest("notes", ("/x",)))
    library.change_base(KbRequest("rename", "notes", new_name=" letters "))
    runner.drain()
    assert library.ingest_queue.take() == IndexRequest("letters", ("/x",))
