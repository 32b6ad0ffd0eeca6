"""What the shown base's files lack, counted anew while somebody looks."""

from __future__ import annotations

from PySide6.QtWidgets import QApplication

from desktop_rag.core.catalog_records import FileRead, FileStamp
from desktop_rag.core.index_health import HealthKind, IndexHealth
from desktop_rag.core.types import FileStatus
from desktop_rag.gui.controllers.data_folder import DataFolder
from desktop_rag.gui.controllers.index_health import IndexHealthController
from desktop_rag.gui.controllers.jobs import InlineRunner, Lane
from testing.qt_wait import wait_for
from tests.gui.controllers.folder_owner import OwnedFolder
from tests.gui.controllers.test_library import home

__all__ = ["home"]


class Watched:
    """A controller, its runner, and what it told."""

    def __init__(self, home: OwnedFolder) -> None:
        self.runner, folder = InlineRunner(), DataFolder(lambda: home)
        self.runner.start(Lane.INGEST, folder.open)
        self.catalog = home.workspace.catalog
        self.controller = IndexHealthController(self.runner, folder)
        self.told: list[IndexHealth] = []
        self.controller.health_changed.connect(self.told.append)

    def fail(self, kb: str, path: str) -> None:
        read = FileRead(self.catalog.kbs.ensure(kb).id, path, FileStamp(5, 7, path))
        self.catalog.files.record(read, FileStatus.FAILED, "The disk was away.")

    def look(self, kb: str) -> None:
        self.controller.look(kb)
        self.runner.drain()

    def counts(self) -> list[tuple[str, int]]:
        return [(each.kb, each.of(HealthKind.FAILED).files) for each in self.told]


def test_nothing_is_counted_until_somebody_looks(home: OwnedFolder, qapp: QApplication) -> None:
    watched = Watched(home)
    watched.fail("default", "/d/a")
    watched.look("default")
    assert watched.counts() == []
    watched.controller.watch("default", is_watched=True)
    watched.runner.drain()
    assert watched.counts() == [("default", 1)]


def test_what_changes_is_counted_after_a_rest_and_told_once(
    home: OwnedFolder, qapp: QApplication
) -> None:
    watched = Watched(home)
    watched.controller.watch("nowhere", is_watched=True)
    watched.runner.drain()
    assert watched.told == [IndexHealth("nowhere", 0, recognizes_text=True)]
    watched.fail("default", "/d/a")
    watched.look("default")
    watched.fail("default", "/d/b")
    watched.look("default")
    watched.look("default")
    assert watched.counts()[1:] == [("default", 1)], "it rests"

    def is_told() -> bool:
        watched.runner.drain()
        return watched.counts()[-1] == ("default", 2)

    wait_for(is_told)
    assert len(watched.told) == 3


def test_another_base_is_counted_at_once(home: OwnedFolder, qapp: QApplication) -> None:
    watched = Watched(home)
    watched.fail("default", "/d/a")
    watched.catalog.kbs.ensure("other")
    watched.controller.watch("default", is_watched=True)
    watched.runner.drain()
    watched.look("other")
    assert watched.counts() == [("default", 1), ("other", 0)]
    watched.look("default")
    assert watched.counts()[2:] == [("default", 1)], "what is shown is told again"
