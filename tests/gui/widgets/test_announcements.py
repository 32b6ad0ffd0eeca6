"""What a screen reader is told of a run."""

from __future__ import annotations

import pytest
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from desktop_rag.core.events import IndexDone
from desktop_rag.gui.controllers.data_folder import DataFolder
from desktop_rag.gui.controllers.jobs import InlineRunner
from desktop_rag.gui.controllers.library import LibraryController
from desktop_rag.gui.widgets.announcements import IndexingAnnouncer


@pytest.mark.parametrize(
    ("outcomes", "said"),
    [
        ({"unchanged": 9_000, "ready": 1}, "9001 files looked at."),
        ({"moved": 2, "deleted": 1, "unsupported": 4}, "7 files looked at."),
        ({"ready": 3, "encrypted": 1}, "4 files looked at. 1 with a problem."),
    ],
)
def test_only_what_should_be_searchable_and_is_not_is_told_as_a_problem(
    qtbot: QtBot, outcomes: dict[str, int], said: str
) -> None:
    window = QWidget()
    qtbot.addWidget(window)
    library = LibraryController(InlineRunner(), DataFolder(lambda: None))
    announcer = IndexingAnnouncer(window, library)
    with qtbot.waitSignal(announcer.said) as heard:
        library.indexed.emit(IndexDone(outcomes, 0, 1.0))
    assert heard.args == [said]
