"""Archives in the window: said what they are, and looked into when they are asked for."""

from __future__ import annotations

from pathlib import Path

from desktop_rag.core.types import FileStatus
from desktop_rag.gui.controllers.library import Idle
from desktop_rag.gui.library import library_text
from testing.window_driver import Driver, wait_for
from tests.gui.menu_clicks import pick_for_base, pick_for_row
from tests.parsing.archive_files import zipped

OTTER = "The otter sleeps on its back and holds a stone against its chest."
CLOSED = "archive, not read"


def states(driver: Driver) -> list[str]:
    return [library_text.state(row) for row in driver.context.library.snapshot.files]


def test_the_menu_opens_and_closes_the_archives(driver: Driver, tmp_path: Path) -> None:
    library, pane = driver.context.library, driver.window.side.library
    path = tmp_path / "papers.zip"
    path.write_bytes(zipped({"notes/otter.txt": OTTER}))
    driver.drop(path)
    wait_for(lambda: states(driver) == [CLOSED])
    wait_for(lambda: library.activity == Idle())
    driver.window.centre.show_files()
    bar = driver.window.centre.files.bar
    wait_for(lambda: bar.not_read.text() == "1 not read")
    assert not bar.problems.isVisible()

    pick_for_base(pane, "Look into archives")
    wait_for(lambda: [row.status for row in library.snapshot.files] == [FileStatus.READY])
    assert library.snapshot.opens_archives
    driver.ask("How does the otter sleep?")
    turn = driver.wait_for_answer()
    assert "back" in turn.text
    assert turn.sources[0].locator.value == "notes/otter.txt"

    pick_for_base(pane, "Look into archives")
    wait_for(lambda: states(driver) == [CLOSED])
    assert not library.snapshot.opens_archives


def test_the_menu_of_an_archive_opens_those_of_its_knowledge_base(
    driver: Driver, tmp_path: Path
) -> None:
    library = driver.context.library
    (tmp_path / "papers.zip").write_bytes(zipped({"notes/otter.txt": OTTER}))
    driver.drop(tmp_path / "papers.zip")
    wait_for(lambda: states(driver) == [CLOSED])
    driver.window.centre.show_files()
    page = driver.window.centre.files
    wait_for(lambda: page.view.model().rowCount() == 1)
    pick_for_row(page.view, 0, "Look into the archives of this knowledge base")
    wait_for(lambda: [row.status for row in library.snapshot.files] == [FileStatus.READY])
