"""What the measured window does with its table of files, and a bare table does beside it."""

from __future__ import annotations

import time
from collections.abc import Callable
from functools import partial
from typing import Any

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QPersistentModelIndex, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QTableView

from benchmarks.gui_stalls import Stalls
from desktop_rag.core.catalog_records import FileRow
from desktop_rag.gui.controllers.file_query import FileColumn
from desktop_rag.gui.controllers.library import Idle
from testing.window_driver import Driver, pause, wait_for

_WORDS = "letter 99"
_STEPS = 100
_AFTER = 300  # milliseconds in which what follows on an act is seen too
_LARGEST = 600.0

Index = QModelIndex | QPersistentModelIndex
Measured = dict[str, float]


def files(driver: Driver, given: dict[str, Any]) -> dict[str, Any]:
    """Go through the window's table of files, and through a bare one of the same rows."""
    library = driver.context.library
    wait_for(lambda: len(library.snapshot.files) >= given["files"], _LARGEST)
    wait_for(lambda: library.activity == Idle(), _LARGEST)
    pause(3000)
    page, listing = driver.window.centre.files, driver.context.listing
    header = page.view.horizontalHeader()

    def is_sorted(column: FileColumn) -> Callable[[], object]:
        return lambda: listing.listing.query.column == column and not _is_asked(driver)

    def is_filtered(words: str) -> Callable[[], object]:
        return lambda: listing.listing.query.text == words and not _is_asked(driver)

    made = {"shown": _watched(driver.window.centre.show_files, lambda: len(page.model.rows) > 0)}
    made["sorted"] = _worst(
        _watched(
            partial(header.setSortIndicator, column, Qt.SortOrder.DescendingOrder),
            is_sorted(column),
        )
        for column in FileColumn
    )
    QTest.keyClicks(page.filter, _WORDS[:-1])
    made["filtered"] = _watched(
        lambda: QTest.keyClicks(page.filter, _WORDS[-1]), is_filtered(_WORDS)
    )
    _watched(page.filter.clear, is_filtered(""))
    made["scrolled"] = _scrolled(page.view)
    rows = list(page.model.rows)
    return made | {f"bare {act}": each for act, each in _bare(rows).items()}


def _is_asked(driver: Driver) -> bool:
    listing = driver.context.listing
    return listing.query != listing.listing.query


def _bare(rows: list[FileRow]) -> dict[str, Measured]:
    """Do the same with a bare table, all of it on the GUI thread."""
    model = _Bare(rows)
    view = QTableView()
    view.resize(900, 700)

    def show() -> None:
        view.setModel(model)
        view.show()

    made = {"shown": _watched(show, view.isVisible)}
    made["sorted"] = _worst(
        _watched(partial(model.order, column), lambda: True) for column in range(4)
    )
    made["filtered"] = _watched(lambda: model.keep(_WORDS), lambda: True)
    model.show(rows)
    made["scrolled"] = _scrolled(view)
    view.close()
    return made


def _watched(act: Callable[[], object], is_done: Callable[[], object]) -> Measured:
    """Say how long an act took until it was seen, and how late the loop's timers came meanwhile."""
    stalls = Stalls()
    stalls.start()
    start = time.perf_counter()
    act()
    while not is_done():
        pause(2)
        if time.perf_counter() - start > _LARGEST:
            raise TimeoutError("the table did not come to show that")
    pause(0)  # what waits to be painted
    seconds = time.perf_counter() - start
    pause(_AFTER)
    return {"seconds": seconds, "max": stalls.stop()["max"]}


def _scrolled(view: QTableView) -> Measured:
    stalls, start = Stalls(), time.perf_counter()
    stalls.start()
    bar = view.verticalScrollBar()
    for step in range(_STEPS + 1):
        bar.setValue(bar.maximum() * step // _STEPS)
        pause(15)
    return {"seconds": time.perf_counter() - start, "max": stalls.stop()["max"]}


def _worst(each: Any) -> Measured:
    made = list(each)
    return {key: max(one[key] for one in made) for key in ("seconds", "max")}


class _Bare(QAbstractTableModel):
    """Four columns of texts."""

    def __init__(self, rows: list[FileRow]) -> None:
        super().__init__()
        self._rows = [
            (row.path, str(row.status), str(row.chunks), str(row.stamp and row.stamp.size))
            for row in rows
        ]
        self._every = self._rows

    def show(self, rows: list[FileRow]) -> None:
        self.beginResetModel()
        self._rows = self._every[: len(rows)]
        self.endResetModel()

    def order(self, column: int) -> None:
        self.beginResetModel()
        self._rows = sorted(self._rows, key=lambda row: row[column], reverse=True)
        self.endResetModel()

    def keep(self, words: str) -> None:
        self.beginResetModel()
        self._rows = [row for row in self._every if all(w in row[0] for w in words.split())]
        self.endResetModel()

    def rowCount(self, parent: Index | None = None) -> int:  # noqa: N802 - Qt's
        return 0 if parent is not None and parent.isValid() else len(self._rows)

    def columnCount(self, parent: Index | None = None) -> int:  # noqa: N802 - Qt's
        return 0 if parent is not None and parent.isValid() else 4

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        shown = role == Qt.ItemDataRole.DisplayRole
        return self._rows[index.row()][index.column()] if shown else None
