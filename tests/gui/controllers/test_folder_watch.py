"""What is heard of followed folders, and whose changes are looked at first."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from desktop_rag.core.cancel import CancelToken
from desktop_rag.core.catalog_records import FileRow
from desktop_rag.core.events import FileDone, IndexDone, IndexProgress
from desktop_rag.core.requests import IndexRequest, RemoveRequest
from desktop_rag.core.types import FileStatus, KbId
from desktop_rag.gui.controllers import folder_watch
from desktop_rag.gui.controllers.data_folder import DataFolder
from desktop_rag.gui.controllers.folder_watch import FolderWatch
from desktop_rag.gui.controllers.ingest_queue import IngestQueue
from desktop_rag.gui.controllers.ingest_worker import (
    RequestDone,
    RequestStarted,
    ingest,
    run_request,
)
from testing.narrowing import narrow
from tests.gui.controllers.folder_owner import OwnedFolder
from tests.gui.controllers.test_library import home, note
from tests.indexing.test_recognition import HERON, OTTER, scan

__all__ = ["home"]


@pytest.fixture
def listener(home: OwnedFolder) -> Iterator[FolderWatch]:
    with closing(FolderWatch(home.workspace, IngestQueue())) as made:
        yield made


def heard(listener: FolderWatch) -> list[IndexRequest]:
    """Return the next changes that are heard; none when there is none for long."""
    until = time.monotonic() + 20
    found: list[IndexRequest] = []
    while not found and time.monotonic() < until:
        found = listener.changes(CancelToken())
    return found


def test_what_comes_while_its_folder_is_read_for_the_first_time_is_heard(
    home: OwnedFolder, listener: FolderWatch, tmp_path: Path
) -> None:
    file = note(tmp_path)
    late = file.with_name("late.md")
    request = IndexRequest("default", (str(file.parent),))
    ingest_queue = IngestQueue()
    for event in run_request(home.workspace, request, ingest_queue, CancelToken(), listener):
        if isinstance(event, FileDone):
            late.write_text("The pier of Vard is closed.")
    assert event == RequestDone(request)
    assert ingest_queue.take() is None, "what it has looked at is not looked at again"
    assert heard(listener) == [IndexRequest("default", (str(late),), only_known=True)]


def test_what_another_added_meanwhile_is_looked_at_afterwards(
    home: OwnedFolder, listener: FolderWatch, tmp_path: Path
) -> None:
    file = note(tmp_path)
    other = tmp_path / "other"
    other.mkdir()
    catalog = home.workspace.catalog
    catalog.kbs.add_source(catalog.kbs.create("work").id, str(other), is_folder=True)
    ingest_queue = IngestQueue()
    request = IndexRequest("default", (str(file.parent),))
    list(run_request(home.workspace, request, ingest_queue, CancelToken(), listener))
    assert ingest_queue.take() == IndexRequest("work", (str(other),), only_known=True)
    assert listener.refresh() == []
    third = tmp_path / "third"
    third.mkdir()
    catalog.kbs.add_source(catalog.kbs.names()["work"], str(third), is_folder=True)
    list(
        run_request(
            home.workspace,
            RemoveRequest("work", (str(other),)),
            ingest_queue,
            CancelToken(),
            listener,
        )
    )
    assert listener.refresh() == [IndexRequest("work", (str(third),), only_known=True)]


def test_what_changes_between_the_first_look_and_the_end_of_its_run_is_read(
    home: OwnedFolder, tmp_path: Path
) -> None:
    file = note(tmp_path)
    list(
        run_request(
            home.workspace,
            IndexRequest("default", (str(file.parent),)),
            IngestQueue(),
            CancelToken(),
        )
    )
    folder = DataFolder(lambda: home)
    folder.open(CancelToken())
    token = CancelToken()
    chores = []
    for event in ingest(folder, IngestQueue(), token):
        if isinstance(event, RequestStarted):
            chores.append(event.chore)
        if isinstance(event, IndexDone) and len(chores) == 1:
            file.with_name("late.md").write_text("The pier of Vard is closed.")
        if isinstance(event, RequestDone) and len(chores) == 2:
            break
    assert chores[0] == IndexRequest("default", only_known=True)
    assert narrow(chores[1], IndexRequest).paths == (str(file.with_name("late.md")),)


def test_a_scan_is_gone_on_with_after_what_its_recognition_gave_way_to(
    home: OwnedFolder, tmp_path: Path
) -> None:
    docs = note(tmp_path).parent
    scan(docs / "scan.pdf", HERON, OTTER)
    folder, ingest_queue, token = DataFolder(lambda: home), IngestQueue(), CancelToken()
    folder.open(token)
    ingest_queue.put(IndexRequest("default", (str(docs),)))
    late, chores = docs / "late.md", list[IndexRequest]()
    files = home.workspace.catalog.files
    for event in ingest(folder, ingest_queue, token):
        if isinstance(event, RequestStarted):
            chores.append(narrow(event.chore, IndexRequest))
        if isinstance(event, IndexProgress) and event.page == 1 and not late.exists():
            late.write_text("The pier of Vard is closed.")
            ingest_queue.put(IndexRequest("default", (str(late),)))
        row = files.get(KbId(1), str(docs / "scan.pdf"))
        if row is not None and row.status is FileStatus.READY:
            break
    assert narrow(files.get(KbId(1), str(late)), FileRow).status is FileStatus.READY
    assert sum(chore.only_recognize for chore in chores) >= 2


def test_where_something_came_is_looked_at_before_where_things_only_went(tmp_path: Path) -> None:
    (tmp_path / "here.txt").touch()
    came = IndexRequest("z", (str(tmp_path / "gone.txt"), str(tmp_path / "here.txt")))
    went = IndexRequest("a", (str(tmp_path / "gone.txt"),))
    assert sorted([went, came], key=folder_watch._only_lost) == [came, went]


def test_a_path_that_no_system_can_look_at_counts_as_gone(tmp_path: Path) -> None:
    assert folder_watch._only_lost(IndexRequest("a", (str(tmp_path / ("x" * 300)),)))
