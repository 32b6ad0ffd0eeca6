"""A library of very many folders changes in few steps, and makes rows only of what is opened."""

from __future__ import annotations

import pytest
from PySide6.QtTest import QSignalSpy
from pytestqt.qtbot import QtBot

from desktop_rag.core.catalog_records import FileRow
from desktop_rag.core.types import FileStatus
from desktop_rag.gui.controllers.folder_nodes import FilePlace
from desktop_rag.gui.library.folder_tree_model import FolderTreeModel
from tests.gui.test_item_models import row, snapshot

FILES = tuple(row(f"/d/notes/{n:04}/{part}/note.md") for n in range(2_000) for part in "abcde")


@pytest.mark.parametrize(
    "left",
    [(*FILES[:100], *FILES[105:]), FILES[::10], ()],
    ids=["a folder", "every other folder", "all folders"],
)
def test_folders_go_and_come_back_in_few_steps(left: tuple[FileRow, ...], qtbot: QtBot) -> None:
    model = FolderTreeModel()
    model.show_shelf(snapshot(*FILES))
    top = model.index(0, 0)
    assert model.rowCount(top) == 2_000
    spies = [QSignalSpy(each) for each in (model.rowsRemoved, model.rowsInserted)]
    model.show_shelf(snapshot(*left))
    assert model.rowCount(model.index(0, 0)) == len({each.path[9:13] for each in left})
    model.show_shelf(snapshot(*FILES))
    assert model.rowCount(model.index(0, 0)) == 2_000
    assert all(each.count() <= 32 for each in spies)


def test_a_folder_that_nobody_opened_has_no_rows_yet(qtbot: QtBot) -> None:
    model = FolderTreeModel()
    model.show_shelf(snapshot(*FILES))
    inserted, removed = QSignalSpy(model.rowsInserted), QSignalSpy(model.rowsRemoved)
    assert model.hasChildren(model.index(0, 0))
    model.show_shelf(snapshot(*FILES[:-5], row(FILES[0].path + "x", FileStatus.CORRUPT)))
    assert (removed.count(), inserted.count()) == (0, 0)
    found = model.find(FilePlace(path="/d/notes/0042/c"))
    assert (found.data(), found.parent().data()) == ("c", "0042")
