"""A library of very many files changes in few steps: each step costs a view a look at all rows."""

from __future__ import annotations

import pytest
from PySide6.QtTest import QSignalSpy
from pytestqt.qtbot import QtBot

from desktop_rag.core.catalog_records import FileRow
from desktop_rag.core.types import FileStatus
from desktop_rag.gui.library.file_tree_model import MOST_FILES, FileTreeModel
from tests.gui.test_item_models import row, snapshot

FILES = tuple(row(f"/d/notes/{n:05}.md") for n in range(20_000))


@pytest.mark.parametrize(
    "left",
    [(*FILES[:5_000], *FILES[5_100:]), FILES[::2], ()],
    ids=["a run of files", "every other file", "all files"],
)
def test_files_go_and_come_back_in_few_steps(left: tuple[FileRow, ...], qtbot: QtBot) -> None:
    model = FileTreeModel()
    model.show_shelf(snapshot(*FILES))
    removed, inserted = QSignalSpy(model.rowsRemoved), QSignalSpy(model.rowsInserted)
    model.show_shelf(snapshot(*left))
    assert shown(model) == names(left)[:MOST_FILES]
    assert removed.count() <= 32
    model.show_shelf(snapshot(*FILES))
    assert shown(model) == names(FILES)[:MOST_FILES]
    assert inserted.count() <= 32


def test_a_change_of_one_file_is_told_as_one_change(qtbot: QtBot) -> None:
    model = FileTreeModel()
    model.show_shelf(snapshot(*FILES))
    removed, inserted = QSignalSpy(model.rowsRemoved), QSignalSpy(model.rowsInserted)
    model.show_shelf(snapshot(*FILES[:-1], row(FILES[-1].path, FileStatus.CORRUPT)))
    assert (removed.count(), inserted.count()) == (0, 0)


def names(files: tuple[FileRow, ...]) -> list[str]:
    return [each.path.rpartition("/")[2] for each in files]


def shown(model: FileTreeModel) -> list[str]:
    top = model.index(0, 0)
    return [model.index(n, 0, top).data() for n in range(model.rowCount(top))]
