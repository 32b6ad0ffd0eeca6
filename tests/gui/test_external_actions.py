"""The ways out of the window."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtWidgets import QApplication, QWidget
from pytestqt.qtbot import QtBot

from desktop_rag.core.errors import UserError
from desktop_rag.gui.controllers.jobs import InlineRunner
from desktop_rag.gui.external_actions import ExternalActions
from tests.gui.desktop_spy import Desktop


@pytest.fixture
def desktop(qapp: QApplication) -> Iterator[Desktop]:
    with Desktop() as made:
        yield made


@pytest.fixture
def runner(qapp: QApplication) -> InlineRunner:
    return InlineRunner()


@pytest.fixture
def doors(qtbot: QtBot, runner: InlineRunner) -> ExternalActions:
    window = QWidget()
    qtbot.addWidget(window)
    return ExternalActions(window, runner)


def test_a_file_is_looked_for_in_a_lane_before_the_system_gets_it(
    doors: ExternalActions, runner: InlineRunner, desktop: Desktop, tmp_path: Path
) -> None:
    file = tmp_path / "合同.pdf"
    file.write_bytes(b"x")
    doors.open_outside(str(file))
    assert desktop.opened == [], "nobody looked whether it is there: that may take long"
    runner.drain()
    assert desktop.opened == [str(file)]


@pytest.mark.skipif("sys.platform != 'linux'", reason="elsewhere a program of the system is called")
def test_a_file_is_shown_in_its_folder_and_a_folder_in_itself(
    doors: ExternalActions, runner: InlineRunner, desktop: Desktop, tmp_path: Path
) -> None:
    file = tmp_path / "a.pdf"
    file.write_bytes(b"x")
    for path in (file, tmp_path):
        doors.show_in_folder(str(path))
    runner.drain()
    assert desktop.opened == [str(tmp_path)] * 2


@pytest.mark.parametrize("path", ["/nowhere/a.pdf", "a.pdf", "//server/share/a.pdf"])
def test_what_is_not_there_is_said_and_not_handed_on(
    doors: ExternalActions, runner: InlineRunner, desktop: Desktop, path: str
) -> None:
    complaints: list[UserError] = []
    doors.complained.connect(complaints.append)
    doors.open_outside(path)
    doors.show_in_folder(path)
    runner.drain()
    assert [each.what for each in complaints] == ["a.pdf is no longer there."] * 2
    assert desktop.opened == []
