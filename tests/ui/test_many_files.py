"""A library of very many files is shown and changed without keeping the window waiting."""

from __future__ import annotations

import time

from PySide6.QtWidgets import QTreeView

from desktop_rag.core.types import FileStatus
from desktop_rag.ui.library.model import LibraryModel
from tests.ui.driving import pause
from tests.ui.test_models import row, shelf

FILES = tuple(row(f"/d/notes/{n:05}.md") for n in range(20_000))


def test_twenty_thousand_files_are_shown_changed_and_added_to_at_once(qtbot) -> None:
    model, view = LibraryModel(), QTreeView()
    qtbot.addWidget(view)
    view.setUniformRowHeights(True)
    view.setModel(model)
    view.show()
    fewer = (*FILES[:5_000], *FILES[5_100:])
    changed = (*fewer[:-1], row(fewer[-1].path, FileStatus.CORRUPT))
    slowest = 0.0
    for content in (shelf(*fewer), shelf(*changed), shelf(*FILES)):
        began = time.perf_counter()
        model.show_shelf(content)
        view.expandAll()
        pause(1)
        slowest = max(slowest, time.perf_counter() - began)
    assert model.rowCount(model.index(0, 0)) == len(FILES)
    assert slowest < 2.0
