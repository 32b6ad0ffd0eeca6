"""What stands beside each other stands on one line, and what is below on one edge."""

from __future__ import annotations

from itertools import combinations
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, QRect
from PySide6.QtWidgets import QApplication, QFrame, QStackedWidget, QWidget
from pytestqt.qtbot import QtBot

from desktop_rag.gui.chat.welcome import FirstSteps
from desktop_rag.gui.controllers.app_context import AppContext
from desktop_rag.gui.controllers.transcript import Transcript
from desktop_rag.gui.main_window import MainWindow
from desktop_rag.gui.theme import HEAD, READING, SMALL, Theme, scaled
from desktop_rag.gui.viewer.viewer_toolbar import ViewerToolbar
from testing.narrowing import narrow, present
from testing.window_driver import pause

NARROWEST = 216  # pixels, of the right pane in a window 800 wide


@pytest.fixture
def window(qapp: QApplication, qtbot: QtBot, theme: Theme, tmp_path: Path) -> MainWindow:
    made = MainWindow(theme, AppContext(tmp_path, lambda _: None))
    qtbot.addWidget(made)
    made.centre.show_chat()
    made.show()
    return made


def place(widget: QWidget) -> QRect:
    """Return where a widget is in its window."""
    return QRect(widget.mapTo(widget.window(), QPoint()), widget.size())


def test_the_heads_of_the_panes_end_on_one_line(window: MainWindow) -> None:
    window.context.chat.show(Transcript().begun("Why?", ""))
    pause(20)
    lines = [line for line in window.findChildren(QFrame, "line") if line.isVisible()]
    tops = {place(line).top() for line in lines if place(line).top() < 2 * HEAD}
    assert len(lines) >= 2
    assert tops == {HEAD}


@pytest.mark.parametrize("width", [1150, 1320, 1900])
def test_the_question_is_as_wide_as_the_answers_above_it(window: MainWindow, width: int) -> None:
    window.resize(width, 700)
    narrow(window.chat.view.parent(), QStackedWidget).setCurrentWidget(window.chat.view)
    pause(30)
    frame = present(window.chat.composer.findChild(QFrame, "composer"))
    text, view = place(frame), window.chat.view
    column = place(view.viewport())
    assert text.left() - column.left() == pytest.approx(column.right() - text.right(), abs=2)
    assert text.width() == pytest.approx(view._column(), abs=2)
    assert text.width() <= 721, "a pixel more where what is left of the pane is odd"


def test_in_the_narrowest_pane_nothing_above_a_document_lies_on_other_things(
    qtbot: QtBot, theme: Theme
) -> None:
    bar = ViewerToolbar(theme)
    qtbot.addWidget(bar)
    bar.resize(NARROWEST, 90)
    bar.show()
    bar.show_title("Northwind Ferries: annual report 2024", "/d/report.pdf")
    bar.show_page(2, 13)
    bar.show_marks(4, 5)
    bar.show_zoom(100)
    bar.set_paged(paged=True)
    pause(20)
    shown = [each for each in bar.second.findChildren(QWidget) if each.isVisible()]
    assert len(shown) >= 5
    for one, other in combinations(shown, 2):
        assert not place(one).intersects(place(other)), (one, other)
    assert all(bar.rect().contains(place(each)) for each in shown)


def test_a_text_without_marks_has_no_empty_row_above_it(qtbot: QtBot, theme: Theme) -> None:
    bar = ViewerToolbar(theme)
    qtbot.addWidget(bar)
    bar.show()
    bar.set_paged(paged=False)
    bar.show_marks(0, 1)
    bar.show_place("")
    assert not bar.second.isVisible()
    bar.show_place("12%")
    assert bar.second.isVisible()


def test_a_first_start_says_what_to_do_on_the_ground_of_the_conversation(
    window: MainWindow, theme: Theme
) -> None:
    pause(20)
    steps = window.chat.welcome.findChild(FirstSteps)
    assert steps is not None
    assert steps.isVisible()
    ground = window.chat.welcome.grab().toImage().pixelColor(3, 3)
    assert ground.name() == theme.colors.base


def test_what_is_read_is_larger_than_the_rest_and_small_print_hardly_smaller(
    window: MainWindow,
) -> None:
    usual = window.font().pointSizeF()
    assert window.chat.view.font().pointSizeF() == pytest.approx(usual * READING, abs=0.1)
    assert window.sources.viewer.text_view.font().pointSizeF() > usual
    assert scaled(window.font(), SMALL).pointSizeF() >= 0.9 * usual
