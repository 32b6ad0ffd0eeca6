"""The program started again on the same data folder: the window is as it was left."""

from __future__ import annotations

from collections.abc import Callable, Generator
from pathlib import Path
from typing import Any, cast

from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest

from desktop_rag.gui.main_window import MainWindow
from testing.sample_folder import SAMPLES
from tests.scripted_program import Stage

Steps = Generator[Callable[[], object], None, Any]


def test_a_window_comes_back_where_it_was_with_its_panes_as_wide(tmp_path: Path) -> None:
    with Stage(tmp_path / "stage", arrange_and_close, look) as stage:
        first = stage.start(tmp_path / "home")
        before = stage.told(0)
        assert first.wait(60) == 0
        stage.start(tmp_path / "home")
        after = stage.told(1)
    assert before["place"] == [60, 70, 1100, 640]
    assert before["panes"] != before["panes before"]
    assert (after["place"], after["panes"]) == (before["place"], before["panes"])


def test_restart_now_brings_back_window_conversation_and_what_was_typed(tmp_path: Path) -> None:
    with Stage(tmp_path / "stage", arrange_and_restart, look_again) as stage:
        stage.start(tmp_path / "home")
        before, after = stage.told(0), stage.told(1)
    assert before["asked"] == ["What is this?"]
    told = ("place", "panes", "asked", "answers", "typed")
    assert {key: after[key] for key in told} == {key: before[key] for key in told}


def arrange_and_close(window: MainWindow) -> Steps:
    said = yield from arrange(window)
    window.close()
    return said


def arrange_and_restart(window: MainWindow) -> Steps:
    said = yield from arrange(window)
    window.context.settings.change("models.threads", 1)
    window.context.settings.restart()
    return said


def look(window: MainWindow) -> Steps:
    yield lambda: window.context.offers.strategies  # the last that comes by itself
    yield lambda: window.centre.home.conversations
    if not window.context.chat.transcript.turns:
        window.centre.home.conversations[0].click()
    yield lambda: window.context.chat.transcript.turns and window.sources.isVisible()
    yield lambda: window.panes.splitter.sizes()[2] > 0
    said = seen(window)
    window.close()
    return said


def look_again(window: MainWindow) -> Steps:
    """Look when what was said and what was typed has been read from the catalog."""
    yield lambda: window.context.chat.transcript.turns and window.chat.composer.edit.toPlainText()
    return (yield from look(window))


def arrange(window: MainWindow) -> Steps:
    """Move the window, ask, drag a handle between panes, and begin to type."""
    window.setGeometry(60, 70, 1100, 640)
    yield lambda: window.panes.width() == 1100
    window.add((str(SAMPLES / "Meeting notes.md"),))
    yield lambda: window.context.library.snapshot.ready == 1
    edit = window.chat.composer.edit
    edit.setPlainText("What is this?")
    QTest.keyClick(edit, Qt.Key.Key_Return)
    yield (
        lambda: window.context.chat.transcript.turns and not window.context.chat.transcript.running
    )
    window.panes.open_sources()
    yield lambda: window.panes.splitter.sizes()[2] > 0
    before = window.panes.splitter.sizes()
    drag(window, 1, 50)
    drag(window, 2, -40)
    edit.setPlainText("half a question")
    return seen(window) | {"panes before": before}


def drag(window: MainWindow, number: int, across: int) -> None:
    handle = window.panes.splitter.handle(number)
    at = handle.rect().center()
    QTest.mousePress(handle, Qt.MouseButton.LeftButton, pos=at)
    QTest.mouseMove(handle, at + QPoint(across, 0))
    QTest.mouseRelease(handle, Qt.MouseButton.LeftButton, pos=at + QPoint(across, 0))


def seen(window: MainWindow) -> dict[str, Any]:
    turns = window.context.chat.transcript.turns
    return {
        "place": list(cast("tuple[int, ...]", window.geometry().getRect())),
        "panes": window.panes.splitter.sizes(),
        "asked": [turn.question for turn in turns],
        "answers": [turn.text for turn in turns],
        "typed": window.chat.composer.edit.toPlainText(),
    }
