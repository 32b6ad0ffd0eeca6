"""What the middle says before the first question."""

from __future__ import annotations

from dataclasses import replace

import pytest
from PySide6.QtWidgets import QLabel
from pytestqt.qtbot import QtBot

from desktop_rag.core.catalog_records import FileRow
from desktop_rag.core.types import FileStatus
from desktop_rag.gui.chat.welcome import Welcome
from tests.gui.test_item_models import row, snapshot

READY = row("/d/notes/a.md")
LOCKED = row("/d/notes/b.pdf", FileStatus.ENCRYPTED, 0)
QUEUED = row("/d/notes/c.md", FileStatus.QUEUED, 0)


@pytest.mark.parametrize(
    ("rows", "said"),
    [
        ((), "Your documents are being read"),
        ((LOCKED, QUEUED), "Your documents are being read"),
        ((LOCKED,), "None of these files could be read"),
        ((LOCKED, READY), "What would you like to know?"),
    ],
)
def test_it_says_what_became_of_the_files(
    qtbot: QtBot, rows: tuple[FileRow, ...], said: str
) -> None:
    welcome = Welcome()
    qtbot.addWidget(welcome)
    welcome.show_shelf(snapshot(*rows))
    assert said in [label.text() for label in welcome.findChildren(QLabel)]


def test_of_folders_that_are_away_it_does_not_say_that_they_are_read(qtbot: QtBot) -> None:
    welcome = Welcome()
    qtbot.addWidget(welcome)
    there = snapshot()
    away = tuple(replace(branch, is_away=True) for branch in there.branches)
    welcome.show_shelf(replace(there, branches=away))
    said = [label.text() for label in welcome.findChildren(QLabel)]
    assert "Your documents can't be reached" in said
    assert "Your documents are being read" not in said
