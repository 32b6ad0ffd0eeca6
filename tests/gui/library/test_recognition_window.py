"""Scans in the window: read when nothing else waits, and found then."""

from __future__ import annotations

from pathlib import Path

from desktop_rag.core.types import FileStatus
from desktop_rag.gui.controllers.library import Idle
from desktop_rag.gui.library import library_text
from testing.window_driver import Driver, wait_for
from tests.indexing.test_recognition import HERON, OTTER, scan


def test_a_scan_is_read_when_nothing_else_waits(driver: Driver, tmp_path: Path) -> None:
    library = driver.context.library
    docs = tmp_path / "docs"
    docs.mkdir()
    scan(docs / "scan.pdf", HERON, OTTER)
    (docs / "notes.md").write_text("# Notes\n\n" + "The ferry is late. " * 20, "utf-8")
    told = set()
    library.activity_changed.connect(lambda now: told.add(library_text.stage(now)))
    driver.drop(docs)

    def is_read() -> bool:
        rows = {Path(row.path).name: row.status for row in library.snapshot.files}
        return rows == {"scan.pdf": FileStatus.READY, "notes.md": FileStatus.READY}

    wait_for(is_read)
    wait_for(lambda: library.activity == Idle())
    assert any(each.startswith("Reading page ") for each in told)
    driver.ask("How does the otter sleep?")
    turn = driver.wait_for_answer()
    assert "back" in turn.text
    assert turn.sources[0].locator.value == 2
