"""What others write beside the window."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from desktop_rag.bootstrap import open_workspace
from desktop_rag.core.settings import Settings
from desktop_rag.gui.controllers.catalog_watch import CatalogWatch
from desktop_rag.gui.controllers.data_folder import DataFolder
from desktop_rag.gui.controllers.jobs import InlineRunner, Lane
from tests.gui.controllers.folder_owner import OwnedFolder


@pytest.fixture
def home(tmp_path: Path) -> Iterator[OwnedFolder]:
    made = OwnedFolder(open_workspace(tmp_path / "data", Settings()))
    yield made
    made.close()


def test_only_what_another_thread_wrote_is_noticed(home: OwnedFolder, qapp) -> None:
    runner, folder = InlineRunner(), DataFolder(lambda: home)
    runner.start(Lane.INGEST, folder.open)
    watch = CatalogWatch(runner, folder, runner)
    noticed: list[None] = []

    def notice() -> None:
        noticed.append(None)

    def look() -> int:
        watch.look()
        runner.drain()
        watch.stop()
        return len(noticed)

    watch.changed.connect(notice)
    assert [look(), look()] == [0, 0]
    writer = threading.Thread(target=home.workspace.catalog.kbs.create, args=("theirs",))
    writer.start()
    writer.join()
    assert [look(), look()] == [1, 1]
