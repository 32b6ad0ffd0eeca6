"""The panes in a wide window and in a narrow one, and where the window was."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import QByteArray, QRect, QSettings, Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QMainWindow
from pytestqt.qtbot import QtBot

from desktop_rag.gui.controllers.app_context import AppContext
from desktop_rag.gui.controllers.transcript import Transcript
from desktop_rag.gui.main_window import MainWindow
from desktop_rag.gui.mode_rail import Mode
from desktop_rag.gui.session_state import fit, pane_choices
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


def drag(window: MainWindow, *sizes: int) -> None:
    """Give the panes widths as a person does who drags their edges."""
    window.panes.splitter.setSizes(list(sizes))
    window.panes.splitter.splitterMoved.emit(sizes[0], 1)


def test_a_wide_window_shows_all_panes_that_hold_anything(window: MainWindow) -> None:
    window.resize(1000, 700)
    window.centre.show_chat()
    assert outer_panes(window) == (False, False), "there is no conversation yet"
    window.centre.show_files()
    assert outer_panes(window) == (True, False)
    window.centre.show_chat()
    ask(window)
    assert outer_panes(window) == (False, True)
    window.context.chat.show(Transcript())
    assert outer_panes(window) == (False, False)
    window.centre.show_home()
    assert outer_panes(window) == (False, False)


def test_the_rail_says_where_one_is_and_leads_elsewhere(window: MainWindow) -> None:
    rail = window.panes.rail
    assert rail.isVisible()
    assert rail.width() == 48
    for mode in (Mode.ASK, Mode.LIBRARY, Mode.HOME):
        rail.modes[mode].click()
        assert window.centre.mode is mode
        assert [each for each in Mode if rail.modes[each].isChecked()] == [mode]
    rail.modes[Mode.HOME].click()
    assert rail.modes[Mode.HOME].isChecked(), "a click on the one that is shown changes nothing"


def test_sources_have_their_width_again_when_they_come_back(window: MainWindow) -> None:
    window.resize(1200, 700)
    window.centre.show_chat()
    ask(window)
    drag(window, 0, 700, 400)
    before = window.panes.splitter.sizes()
    window.context.chat.show(Transcript())
    pause(10)
    assert window.panes.splitter.sizes()[2] == 0
    ask(window)
    pause(10)
    assert window.panes.splitter.sizes()[2] == before[2]


def test_each_mode_keeps_the_widths_of_its_own(window: MainWindow) -> None:
    window.resize(1200, 700)
    window.centre.show_files()
    drag(window, 420, 700, 0)
    library = window.panes.splitter.sizes()
    window.centre.show_chat()
    ask(window)
    drag(window, 0, 800, 330)
    asking = window.panes.splitter.sizes()
    window.centre.show_files()
    pause(10)
    assert window.panes.splitter.sizes()[::2] == library[::2]
    window.centre.show_chat()
    pause(10)
    assert window.panes.splitter.sizes()[::2] == asking[::2]


def test_what_is_hidden_at_the_left_stays_hidden_in_that_mode(window: MainWindow) -> None:
    window.resize(1200, 700)
    window.centre.show_files()
    window.panes.rail.side.click()
    assert outer_panes(window) == (False, False)
    window.centre.show_home()
    assert not window.panes.rail.side.isVisible(), "there is none"
    window.centre.show_files()
    assert outer_panes(window) == (False, False)
    window.panes.rail.side.click()
    assert outer_panes(window) == (True, False)


def test_a_document_gets_the_larger_half(window: MainWindow, tmp_path: Path) -> None:
    window.resize(1300, 700)
    window.centre.show_files()
    window.sources.open_file(str(tmp_path / "none.md"))
    pause(10)
    side, _, reader = window.panes.splitter.sizes()
    assert side == 0
    assert 0.55 <= reader / window.panes.splitter.width() <= 0.6
    window.sources.close_document()
    assert outer_panes(window) == (True, False)


def test_the_list_of_sources_comes_on_demand(
    qapp: QApplication, qtbot: QtBot, tmp_path: Path
) -> None:
    simple = Theme(qapp, "light", is_expert=False)
    window = MainWindow(simple, AppContext(tmp_path, lambda _: None))
    qtbot.addWidget(window)
    window.show()
    window.resize(1200, 700)
    window.centre.show_chat()
    ask(window)
    assert outer_panes(window) == (False, False)
    window.chat.sources_wanted.emit(0)
    assert outer_panes(window) == (False, True)
    window.sources.close_list.click()
    assert outer_panes(window) == (False, False)
    window.chat.sources_wanted.emit(0)
    window.chat.sources_wanted.emit(0)
    assert outer_panes(window) == (False, False), "asked for again it goes"


def test_sources_do_not_come_by_themselves_into_a_narrow_window(window: MainWindow) -> None:
    window.resize(*LARGE_TEXT)
    window.centre.show_chat()
    ask(window)
    assert outer_panes(window) == (False, False)
    window.resize(1000, 700)
    assert outer_panes(window) == (False, True)


def test_a_window_fits_a_screen_at_300_percent(window: MainWindow) -> None:
    smallest = window.minimumSizeHint()
    assert smallest.width() <= LARGE_TEXT[0]
    assert smallest.height() <= LARGE_TEXT[1]


def test_in_a_narrow_window_sources_cover_the_conversation(window: MainWindow) -> None:
    window.resize(*LARGE_TEXT)
    window.centre.show_chat()
    ask(window)
    pause(10)
    assert window.centre.isVisible()
    window.panes.rail.answer.click()
    assert outer_panes(window) == (False, True)
    assert not window.centre.isVisible()
    QTest.keyClick(window, Qt.Key.Key_Escape)
    window.context.chat.show(Transcript())
    assert outer_panes(window) == (False, False)
    assert window.centre.isVisible()


def test_in_a_narrow_window_every_pane_keeps_the_room_it_needs(window: MainWindow) -> None:
    window.resize(*LARGE_TEXT)
    window.centre.show_files()
    for turn in (window.panes.rail.side.click, lambda: window.sources.open_file("/none")):
        turn()
        pause(10)
        shown = [pane for pane in (window.side, window.centre, window.sources) if pane.isVisible()]
        assert all(pane.width() >= pane.minimumWidth() for pane in shown)
        inside = [pane.mapTo(window, pane.rect().bottomRight()).x() for pane in shown]
        assert max(inside) < window.width()


def test_a_document_is_read_in_all_of_a_narrow_window(window: MainWindow) -> None:
    window.resize(900, 600)
    window.centre.show_files()
    window.panes.rail.side.click()
    assert outer_panes(window) == (True, False)
    window.sources.open_file("/none")
    assert outer_panes(window) == (False, True)
    assert window.sources.width() > 800
    window.panes.rail.side.click()
    assert outer_panes(window) == (True, False), "what is asked for comes"
    assert not window.sources.is_reading


def test_a_window_made_wide_again_shows_all_panes(window: MainWindow) -> None:
    window.centre.show_chat()
    ask(window)
    window.resize(*LARGE_TEXT)
    window.resize(1000, 700)
    assert outer_panes(window) == (False, True)


@pytest.mark.parametrize("kept", ["", "[]", "{", '{"ask": 3}', '{"ask": {"sizes": [1]}}', "null"])
def test_what_was_kept_of_the_panes_otherwise_is_passed_over(kept: str) -> None:
    assert pane_choices(kept) == {}


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


def test_panes_are_as_they_were_left(
    qapp: QApplication, qtbot: QtBot, theme: Theme, tmp_path: Path
) -> None:
    first = MainWindow(theme, AppContext(tmp_path, lambda _: None))
    qtbot.addWidget(first)
    first.show()
    first.resize(1200, 700)
    first.centre.show_files()
    drag(first, 420, 700, 0)
    kept = first.panes.splitter.sizes()
    first.close()
    second = MainWindow(theme, AppContext(tmp_path, lambda _: None))
    qtbot.addWidget(second)
    second.show()
    second.resize(1200, 700)
    second.centre.show_files()
    pause(10)
    assert second.panes.splitter.sizes()[::2] == kept[::2]
