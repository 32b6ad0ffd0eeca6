"""Nothing is cut off: in both languages, at the sizes that a screen of 1920 × 1080 has room for."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import (
    QAbstractButton,
    QApplication,
    QCheckBox,
    QComboBox,
    QDialog,
    QLabel,
    QPushButton,
    QToolButton,
    QWidget,
)

from desktop_rag.core.requests import NoteRequest
from desktop_rag.gui import display_scale
from desktop_rag.gui.error_dialog import ErrorDialog
from desktop_rag.gui.main_window import MainWindow
from desktop_rag.gui.settings.settings_dialog import SettingsDialog
from desktop_rag.gui.shortcuts import ShortcutsDialog
from desktop_rag.gui.widgets.elided_label import ElidedLabel
from desktop_rag.gui.widgets.flat_combo import FlatCombo
from testing.sample_folder import copied
from testing.window_driver import Driver, pause, wait_for

SIZES = {"100 %": (1320, 840), "150 %": (1280, 690), "200 %": (960, 510), "300 %": (640, 330)}


@pytest.fixture(scope="module", params=["en", "zh"])
def driver(
    request: pytest.FixtureRequest,
    qapp: QApplication,
    tmp_path_factory: pytest.TempPathFactory,
    read_samples: Path,
) -> Iterator[Driver]:
    """A window in a language that has read the samples and answered a question."""
    folder = copied(read_samples, tmp_path_factory.mktemp(request.param) / "data")
    made = Driver(qapp, folder, window__language=request.param)
    made.open()
    made.wait_until_read(7)
    made.ask("How long is the notice period for ending the lease?")
    made.wait_for_answer()
    yield made
    made.close()


@pytest.fixture(params=SIZES)
def window(request: pytest.FixtureRequest, driver: Driver) -> Iterator[MainWindow]:
    driver.window.resize(*SIZES[request.param])
    pause(60)
    assert driver.window.size().toTuple() == SIZES[request.param], "the window fits the screen"
    yield driver.window
    for dialog in driver.window.findChildren(QDialog):
        dialog.close()
    driver.window.sources.close_document()
    driver.window.centre.show_chat()
    driver.window.centre.show_files()
    pause(30)


def cut_off(window: QWidget) -> list[str]:
    """Return the words that have less room than they need, and what hangs over the edge."""
    found = []
    for widget in window.findChildren(QWidget):
        if not widget.isVisible() or widget.window() is not window:
            continue
        text = words(widget)
        if text and widget.width() < width_of(widget):
            found.append(f"“{text}” has {widget.width()} of {width_of(widget)} pixels")
        if text and widget.height() + 1 < least_height(widget):
            found.append(f"“{text}” is {widget.height()} high, of {least_height(widget)}")
    return found


def settled(window: QWidget) -> list[str]:
    """Return what is cut off once the window has had time to give everything its place."""
    for _ in range(100):
        if not cut_off(window):
            break
        pause(50)
    return cut_off(window)


def words(widget: QWidget) -> str:
    """Return what a widget shows that may not be cut: what ends in … says so itself."""
    if isinstance(widget, (ElidedLabel, FlatCombo, QComboBox)):
        return ""
    only_icon = Qt.ToolButtonStyle.ToolButtonIconOnly
    if isinstance(widget, QToolButton) and widget.toolButtonStyle() == only_icon:
        return "" if not widget.icon().isNull() else widget.text()
    if isinstance(widget, (QPushButton, QToolButton, QCheckBox, QLabel)):
        return widget.text()
    return ""


def width_of(widget: QWidget) -> int:
    if isinstance(widget, QLabel):
        rich = widget.wordWrap() or "\n" in widget.text() or "<" in widget.text()
        return 0 if rich else widget.fontMetrics().horizontalAdvance(widget.text())
    assert isinstance(widget, QAbstractButton)
    beside = widget.iconSize().width() if not widget.icon().isNull() else 0
    return widget.fontMetrics().horizontalAdvance(widget.text().replace("&", "")) + beside


def least_height(widget: QWidget) -> int:
    if isinstance(widget, QLabel) and widget.wordWrap():
        return widget.heightForWidth(widget.width())
    return widget.fontMetrics().height()


def test_the_panes(window: MainWindow) -> None:
    assert settled(window) == []


def test_a_document(window: MainWindow, driver: Driver) -> None:
    assert driver.turn is not None
    window.sources.open_citation(driver.turn, 1)
    pause(200)
    assert settled(window) == []


def test_the_conversations(window: MainWindow) -> None:
    window.centre.back_to_chat()
    pause(60)
    assert settled(window) == []


def test_the_table_of_files(window: MainWindow) -> None:
    window.centre.show_files()
    pause(60)
    assert settled(window) == []


def test_what_files_lack(window: MainWindow) -> None:
    window.centre.show_health()
    pause(600)
    assert settled(window) == []


def test_the_notes(window: MainWindow, driver: Driver) -> None:
    notes = driver.context.notes
    window.centre.show_notes()
    pause(60)
    assert settled(window) == [], "of the empty page"
    chat = driver.context.chat.transcript.chat_id or 0
    notes.add(NoteRequest("add", chat_id=chat))
    wait_for(lambda: notes.shown is not None)
    pause(60)
    assert settled(window) == []
    notes.delete([each.id for each in notes.rows])
    pause(200)
    assert settled(window) == []


def test_the_settings(window: MainWindow) -> None:
    window.settings.open()
    pause(100)
    (dialog,) = window.findChildren(SettingsDialog)
    wait_for(lambda: all(page.is_filled for page in dialog.pages))
    for row in range(dialog.navigation.count()):
        dialog.navigation.setCurrentRow(row)
        pause(100)
        assert settled(dialog) == []
    assert_fits(dialog, window)


def fault(window: MainWindow) -> ErrorDialog:
    box = ErrorDialog(Path("/tmp"), window)
    box.tell(ValueError(), 2, "report")
    return box


@pytest.mark.parametrize("made", [ShortcutsDialog, fault])
def test_small_dialogs(window: MainWindow, made: Callable[[QWidget], QDialog]) -> None:
    dialog = made(window)
    dialog.open()
    pause(60)
    assert settled(dialog) == []
    assert_fits(dialog, window)


def assert_fits(dialog: QWidget, window: MainWindow) -> None:
    """A dialog can be made as small as the screen is: its window is that large here."""
    assert dialog.minimumSizeHint().width() <= max(640, window.width())
    assert dialog.minimumSizeHint().height() <= max(330, window.height())


SHOW = """
import os, sys
from pathlib import Path
from desktop_rag.gui import display_scale as scale
app = scale.application(Path(sys.argv[1]), {})
print(app.primaryScreen().devicePixelRatio(), os.environ.get("QT_SCALE_FACTOR"))
"""


@pytest.mark.parametrize(
    ("percent", "outside", "ratio"),
    [(100, None, 1.0), (150, None, 1.5), (300, None, 3.0), (200, "1.5", 3.0)],
)
def test_the_size_in_the_settings_comes_on_top_of_the_system_s(
    tmp_path: Path, percent: int, outside: str | None, ratio: float
) -> None:
    (tmp_path / "settings.json").write_text(json.dumps({"window": {"scale": percent}}), "utf-8")
    environment = os.environ | {"QT_QPA_PLATFORM": "offscreen"}
    environment |= {"QT_SCALE_FACTOR": outside} if outside else {}
    ended = subprocess.run(
        [sys.executable, "-c", SHOW, str(tmp_path)],
        env=environment,
        capture_output=True,
        text=True,
        check=True,
    )
    assert ended.stdout.split() == [str(ratio), str(outside)], "and nothing else inherits it"


def test_settings_that_cannot_be_read_leave_the_size_alone(tmp_path: Path) -> None:
    (tmp_path / "settings.json").write_text("{", "utf-8")
    assert display_scale.percent(tmp_path, {}) == 100
    assert display_scale.percent(tmp_path / "none", {"window.scale": "150"}) == 150
