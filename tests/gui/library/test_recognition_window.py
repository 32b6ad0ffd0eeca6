"""Scans in the window: read when nothing else waits, and found then."""

from __future__ import annotations

from pathlib import Path

from desktop_rag.core.types import FileStatus
from desktop_rag.gui.controllers.library import Idle
from desktop_rag.gui.library import library_text
from testing.window_driver import Driver, wait_for
from tests.gui.menu_clicks import pick_for_base
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


def test_a_knowledge_base_is_switched_in_its_menu(driver: Driver, tmp_path: Path) -> None:
    library, pane = driver.context.library, driver.window.side.library
    pick_for_base(pane, "Read scans and pictures")
    wait_for(lambda: not library.snapshot.recognizes_text)
    driver.drop(scan(tmp_path / "scan.png", HERON))

    def said() -> list[str]:
        return [library_text.state(row) for row in library.snapshot.files]

    wait_for(lambda: said() == ["pictures, not read (text recognition is off)"])
    wait_for(lambda: library.activity == Idle())
    driver.window.centre.show_files()
    bar = driver.window.centre.files.bar
    wait_for(lambda: bar.not_read.text() == "1 not read")
    assert not bar.problems.isVisible()
    pick_for_base(pane, "Read scans and pictures")
    wait_for(lambda: [row.status for row in library.snapshot.files] == [FileStatus.READY])
