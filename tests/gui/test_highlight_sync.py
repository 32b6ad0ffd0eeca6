"""Answer and documents point at each other, through the whole window."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from desktop_rag.gui.chat.sentence_highlights import HoveredSentence
from desktop_rag.gui.controllers.app_context import AppContext
from desktop_rag.gui.controllers.transcript import Transcript, fold
from desktop_rag.gui.main_window import MainWindow
from desktop_rag.gui.theme import Theme
from testing.qt_wait import pause
from testing.sample_answers import answer


def no_home(context: AppContext) -> None:
    """Stand for a data folder that is never opened here."""


@pytest.fixture
def window(qtbot: QtBot, theme: Theme, tmp_path: Path) -> Iterator[MainWindow]:
    context = AppContext(tmp_path, no_home)
    made = MainWindow(theme, context)
    made.centre.show_chat()
    made.show()
    context.chat.show(fold(Transcript().begun("Why?", ""), answer("A so [1]. B so [2].", 1, 2)))
    yield made
    made.close()
    made.deleteLater()
    context.deleteLater()
    pause(10)


def test_a_sentence_marks_the_sources_that_it_rests_on(window: MainWindow) -> None:
    window.chat.view.sentence_pointed.emit(HoveredSentence(0, 1, (1,)))
    assert window.sources.model.pointed_rows() == [1]
    window.chat.view.sentence_pointed.emit(None)
    assert window.sources.model.pointed_rows() == []


def test_a_source_marks_the_sentences_that_cite_it(window: MainWindow) -> None:
    window.sources.source_pointed.emit(2)
    assert window.chat.view._marks.source == (0, 2)
    window.sources.source_pointed.emit(None)
    assert window.chat.view._marks.source is None


def test_an_answer_that_follows_another_is_not_marked_by_its_source(window: MainWindow) -> None:
    window.sources.source_pointed.emit(2)
    window.context.chat.show(fold(Transcript().begun("Why?", ""), answer("C so [2].", 1, 2)))
    window.sources.show_turn(None)
    window.sources.source_pointed.emit(None)
    assert window.chat.view._marks.source is None


def test_marks_of_an_answer_go_when_the_document_is_closed(window: MainWindow) -> None:
    (turn,) = window.context.chat.transcript.turns
    for _ in range(2):  # the same citation again, too
        window.sources.open_citation(turn, 2)
        assert window.chat.view._marks.source == (0, 2)
        window.sources.close_document()
        assert window.chat.view._marks.source is None
    row = window.sources.model.index(window.sources.model.row_of(2))
    window.sources._pick(row)
    assert window.chat.view._marks.source == (0, 2)


def test_selected_text_goes_quoted_into_the_question(window: MainWindow) -> None:
    window.chat.composer.edit.setPlainText("What does it mean?")
    window.sources.viewer.ask_wanted.emit("Fuel  and\npower")
    assert window.chat.composer.edit.toPlainText() == "“Fuel and power”\nWhat does it mean?"


def test_ctrl_f_searches_what_has_the_focus(window: MainWindow) -> None:
    window.sources.open_file("/nowhere/a.pdf")
    window.sources.viewer.page_view.show()
    window.sources.viewer.bar.search.setFocus()
    QTest.keyClick(window, Qt.Key.Key_F, Qt.KeyboardModifier.ControlModifier)
    assert window.sources.viewer.finder.isVisible()
    assert not window.find_bar.isVisible()
    QTest.keyClick(window, Qt.Key.Key_Escape)
    assert not window.sources.viewer.finder.isVisible()
    assert window.sources.is_reading
    window.chat.composer.edit.setFocus()
    QTest.keyClick(window, Qt.Key.Key_F, Qt.KeyboardModifier.ControlModifier)
    assert window.find_bar.isVisible()
