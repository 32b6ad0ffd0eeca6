"""A knowledge base of a hundred thousand files in the real window: nothing stalls it."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QWidget

from desktop_rag.catalog.facade import Catalog
from desktop_rag.gui.controllers.file_query import FileColumn
from testing.long_conversations import Stalls, StallTimes
from testing.window_driver import Driver, pause, wait_for

pytestmark = pytest.mark.timeout(300)

MANY = 100_000
_DOCUMENTS = 500
ENDS = {  # the first and the last cell of each column that sorts downwards
    FileColumn.NAME: (f"note {MANY - 1:06}.md", "note 000000.md"),
    FileColumn.PASSAGES: ("10", "0"),
    FileColumn.FOLDER: ("away/99", "away/0"),
    FileColumn.TYPE: ("TXT", "MD"),
    FileColumn.PAGES: ("6", ""),
    FileColumn.SIZE: ("100 kB", "0 bytes"),
    FileColumn.SECONDS: ("1.2 s", ""),
    FileColumn.REASON: ("The file holds no text.", ""),
}
_LONGEST = 0.1
_HELD = 1.0  # it may wait its turn among Python's threads, for no lock and no disk


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """A data folder whose catalog knows so many files of a folder that is away."""
    home = tmp_path / "data"
    catalog = Catalog.open(home)
    kb = catalog.kbs.ensure("default").id
    catalog.kbs.add_source(kb, str(tmp_path / "away"), is_folder=True)
    catalog.close()
    with closing(sqlite3.connect(home / "catalog.sqlite")) as connection, connection:
        connection.executemany(
            "INSERT INTO documents (content_hash, recipe, title, text, pages, notes, chunk_count)"
            " VALUES (?, '', '', '', ?, '[]', ?)",
            ((f"content {n}", n % 7, n % 11) for n in range(_DOCUMENTS)),
        )
        connection.executemany(
            "INSERT INTO files (kb, path, size, mtime_ns, status, reason, seconds, changed_at,"
            " document_id) VALUES (?, ?, ?, ?, ?, ?, ?, 1, ?)",
            (_file(kb, tmp_path / "away", n) for n in range(MANY)),
        )
    return home


def _file(kb: int, folder: Path, n: int) -> tuple[object, ...]:
    """Return a row: each column differs, and none is in the order of another."""
    path = folder / str(n % 300) / f"note {n:06}.{('md', 'txt', 'pdf')[n % 3]}"
    changed = n * 7_919 % MANY * 10**9
    if n % 10:
        return kb, str(path), n, changed, "ready", "", n % 13 / 10, 1 + n % _DOCUMENTS
    status, reason = (("failed", "It broke."), ("empty", "The file holds no text."))[n // 10 % 2]
    return kb, str(path), n, changed, status, reason, 0.1, None


@pytest.fixture
def driver(qapp: QApplication, home: Path) -> Iterator[Driver]:
    made = Driver(qapp, home)
    yield made
    made.close()


@pytest.mark.slow
def test_the_table_opens_filters_sorts_and_follows_them_without_a_stall(
    driver: Driver, tmp_path: Path
) -> None:
    window, page = driver.window, driver.window.centre.files
    felt: dict[str, StallTimes] = {}
    with watched(window, felt, "opened"):
        driver.open()
        wait_for(lambda: len(driver.context.library.snapshot.files) == MANY)
        pause(1000)
    with watched(window, felt, "shown"):
        QTest.keyClick(window, Qt.Key.Key_3, Qt.KeyboardModifier.ControlModifier)
        wait_for(lambda: page.model.rowCount() == MANY)
    with watched(window, felt, "filtered"):
        page.filter.setFocus()
        QTest.keyClicks(page.filter, "note 0123")
        wait_for(lambda: 0 < page.model.rowCount() < 1000)
        page.filter.clear()
        wait_for(lambda: page.model.rowCount() == MANY)
    for column in (
        *(each for each in FileColumn if each is not FileColumn.CHANGED),
        FileColumn.CHANGED,
    ):
        with watched(window, felt, f"sorted by {column.name}"):
            page.view.sortByColumn(column, Qt.SortOrder.DescendingOrder)
            wait_for(lambda: driver.context.listing.listing.query.column == column)  # noqa: B023 - called at once
            page.view.scrollToBottom()
            pause(20)
        ends = tuple(page.model.index(row, column).data() for row in (0, MANY - 1))
        assert ends == ENDS.get(column, ends)
    fresh = tmp_path / "fresh.md"
    for said in ("The pier of Vard is old. ", "The new pier of Vard is made of oak. " * 200):
        fresh.write_text(f"# Pier\n\n{said}")
        with watched(window, felt, f"changed to {len(said)}"):
            driver.drop(fresh)
            wait_for(lambda: top(driver) == ("fresh.md", len(said) + 8))  # noqa: B023 - called at once
            assert page.model.rowCount() == MANY + 1
    assert {act: each for act, each in felt.items() if each.worked > _LONGEST} == {}
    assert {act: each for act, each in felt.items() if each.held > _HELD} == {}


@contextmanager
def watched(window: QWidget, felt: dict[str, StallTimes], act: str) -> Iterator[None]:
    """Note how long the window's thread was held up meanwhile."""
    stalls = Stalls(window)
    stalls.start()
    yield
    felt[act] = stalls.stop()


def top(driver: Driver) -> tuple[str, int]:
    """Return name and size of the first file of the table, once it is ready."""
    page = driver.window.centre.files
    is_ready = page.model.index(0, FileColumn.STATE).data() == "Ready"
    stamp = page.model.rows[0].stamp
    name = page.model.index(0, FileColumn.NAME).data() if is_ready else ""
    return name, stamp.size if stamp is not None else 0
