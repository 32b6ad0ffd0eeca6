"""A knowledge base of a hundred thousand files in the real window: nothing stalls it."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from desktop_rag.app.query import Column
from desktop_rag.store.catalog import Catalog
from tests.ui.driving import Driver, pause, wait_for
from tests.ui.made import Stalls

pytestmark = pytest.mark.timeout(300)

MANY = 100_000
_LONGEST = 0.1


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
            "INSERT INTO files (kb, path, size, mtime_ns, status, reason, seconds, changed_at)"
            " VALUES (?, ?, ?, 1, ?, '', 0.1, 1)",
            (
                (kb, f"{tmp_path}/away/{n % 300}/note {n:06}.md", n, "empty" if n % 9 else "failed")
                for n in range(MANY)
            ),
        )
    return home


@pytest.fixture
def driver(qapp: QApplication, home: Path) -> Iterator[Driver]:
    made = Driver(qapp, home)
    made.open()
    wait_for(lambda: len(made.desk.library.shelf.files) == MANY)
    yield made
    made.close()


def test_the_table_filters_and_sorts_them_without_a_stall(driver: Driver) -> None:
    window, page = driver.window, driver.window.centre.files
    stalls = Stalls(window)
    pause(1000)
    stalls.start()
    QTest.keyClick(window, Qt.Key.Key_3, Qt.KeyboardModifier.ControlModifier)
    wait_for(lambda: page.model.rowCount() == MANY)
    shown = stalls.stop()

    stalls.start()
    page.filter.setFocus()
    QTest.keyClicks(page.filter, "note 0123")
    wait_for(lambda: 0 < page.model.rowCount() < 1000)
    page.filter.clear()
    wait_for(lambda: page.model.rowCount() == MANY)
    filtered = stalls.stop()

    stalls.start()
    page.view.sortByColumn(Column.SIZE, Qt.SortOrder.DescendingOrder)
    wait_for(lambda: page.model.index(0, Column.NAME).data() == f"note {MANY - 1:06}.md")
    page.view.scrollToBottom()
    pause(200)
    sorted_ = stalls.stop()
    assert [f.worked for f in (shown, filtered, sorted_) if f.worked > _LONGEST] == []
