"""The panes in a wide window and in a narrow one, and where the window was."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import QByteArray, QRect, QSettings
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QApplication, QMainWindow
from pytestqt.qtbot import QtBot

from desktop_rag.gui.controllers.app_context import AppContext
from desktop_rag.gui.controllers.transcript import Transcript
from desktop_rag.gui.main_window import MainWindow
from desktop_rag.gui.session_state import fit
from desktop_rag.gui.theme import Theme
from testing.window_driver import pause

LARGE_TEXT = (640, 330)  # a screen of 1920 × 1080 at 300 %, less a title bar


@pytest.fixture
def window(qapp: QApplication, qtbot: QtBot, theme: Theme, tmp_path: Path) -> MainWindow:
    made = MainWindow(theme, AppContext(tmp_path, lambda _: None))
    qtbot.addWidget(made)
    made.show()
    return made


def outer_panes(window: MainWindow) -> tuple[bool, bool]:
    pause(10)
    return window.side.isVisible(), window.sources.isVisible()


def ask(window: MainWindow) -> None:
    window.context.chat.show(Transcript().begun("Why?", ""))


def test_a_wide_window_shows_all_panes_that_hold_anything(window: MainWindow) -> None:
    window.resize(1000, 700)
    assert outer_panes(window) == (True, False)
    ask(window)
    assert outer_panes(window) == (True, True)
    assert not window.panes.rail.isVisible()
    window.context.chat.show(Transcript())
    assert outer_panes(window) == (True, False)


def test_sources_have_their_width_again_when_they_come_back(window: MainWindow) -> None:
    window.resize(1200, 700)
    ask(window)
    window.panes.splitter.setSizes([300, 500, 400])
    before = window.panes.splitter.sizes()
    window.context.chat.show(Transcript())
    pause(10)
    assert window.panes.splitter.sizes()[2] == 0
    ask(window)
    pause(10)
    assert window.panes.splitter.sizes()[::2] == before[::2]


def test_sources_do_not_come_by_themselves_into_a_narrow_window(window: MainWindow) -> None:
    window.resize(*LARGE_TEXT)
    ask(window)
    assert outer_panes(window) == (True, False)
    window.resize(1000, 700)
    assert outer_panes(window) == (True, True)


def test_a_window_fits_a_screen_at_300_percent(window: MainWindow) -> None:
    smallest = window.minimumSizeHint()
    assert smallest.width() <= LARGE_TEXT[0]
    assert smallest.height() <= LARGE_TEXT[1]


def test_a_narrow_window_shows_one_of_the_outer_panes(window: MainWindow) -> None:
    window.resize(*LARGE_TEXT)
    assert outer_panes(window) == (True, False)
    assert window.panes.rail.isVisible()
    window.panes.rail.answer.click()
    assert outer_panes(window) == (False, True)
    window.panes.rail.side.click()
    assert outer_panes(window) == (True, False)
    window.panes.rail.side.click()
    assert outer_panes(window) == (False, False)
    assert not window.panes.rail.side.isChecked()


def test_in_a_narrow_window_every_pane_keeps_the_room_it_needs(window: MainWindow) -> None:
    window.resize(*LARGE_TEXT)
    for button in (window.panes.rail.answer, window.panes.rail.side):
        button.click()
        pause(10)
        shown = [pane for pane in (window.side, window.centre, window.sources) if pane.isVisible()]
        assert all(pane.width() >= pane.minimumWidth() for pane in shown)
        inside = [pane.mapTo(window, pane.rect().bottomRight()).x() for pane in shown]
        assert max(inside) < window.width()


def test_what_is_asked_for_comes_in_a_narrow_window(window: MainWindow) -> None:
    window.resize(*LARGE_TEXT)
    window.sources.reading.emit(True)
    assert outer_panes(window) == (False, True)
    window.centre.back_to_chat()
    assert outer_panes(window) == (True, False)


def test_a_window_made_wide_again_shows_all_panes(window: MainWindow) -> None:
    ask(window)
    window.resize(*LARGE_TEXT)
    window.panes.rail.side.click()
    window.resize(1000, 700)
    assert outer_panes(window) == (True, True)


def kept_at(folder: Path, place: QRect) -> None:
    """Keep a window's geometry as if its screen had been elsewhere."""
    elsewhere = QMainWindow()
    elsewhere.setGeometry(place)
    kept = QSettings(str(folder / "window.ini"), QSettings.Format.IniFormat)
    kept.setValue("frame", QByteArray(elsewhere.saveGeometry()))
    kept.sync()


@pytest.mark.parametrize(
    "place", [QRect(5000, 4000, 700, 500), QRect(-3000, -200, 700, 500), QRect(0, 0, 9000, 7000)]
)
def test_a_window_whose_screen_is_gone_comes_back_on_one_that_is_there(
    qapp: QApplication, qtbot: QtBot, theme: Theme, tmp_path: Path, place: QRect
) -> None:
    kept_at(tmp_path, place)
    window = MainWindow(theme, AppContext(tmp_path, lambda _: None))
    qtbot.addWidget(window)
    window.show()
    screen = QGuiApplication.primaryScreen().availableGeometry()
    assert screen.contains(window.geometry().center())
    assert window.width() <= screen.width()
    assert window.height() <= screen.height()
    assert window.frameGeometry().top() >= screen.top()


def test_a_window_larger_than_the_screen_is_made_to_fit_before_it_is_shown(
    qapp: QApplication, qtbot: QtBot, theme: Theme, tmp_path: Path
) -> None:
    window = MainWindow(theme, AppContext(tmp_path, lambda _: None))
    qtbot.addWidget(window)
    window.resize(5000, 4000)
    fit(window)
    window.show()
    screen = QGuiApplication.primaryScreen().availableGeometry()
    assert window.width() <= screen.width()
    assert window.height() < screen.height()


def test_a_window_that_fits_keeps_its_size(window: MainWindow) -> None:
    window.hide()
    window.resize(700, 500)
    fit(window)
    assert (window.width(), window.height()) == (700, 500)


def test_the_window_opens_as_it_was_closed(
    qapp: QApplication, qtbot: QtBot, theme: Theme, tmp_path: Path
) -> None:
    first = MainWindow(theme, AppContext(tmp_path, lambda _: None))
    qtbot.addWidget(first)
    first.show()
    first.setGeometry(40, 50, 700, 600)
    first.close()
    second = MainWindow(theme, AppContext(tmp_path, lambda _: None))
    qtbot.addWidget(second)
    assert second.geometry() == QRect(40, 50, 700, 600)
