"""Going from mode to mode with something half done: nothing is lost, hidden or mixed up."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QMimeData, Qt, QUrl
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from desktop_rag.core.errors import UserError
from desktop_rag.core.requests import KbRequest, OpenRequest
from desktop_rag.gui.controllers.document_scope import EACH, DocumentScope, ScopeItem
from desktop_rag.gui.launch import make_window
from desktop_rag.gui.mode_rail import Mode
from desktop_rag.gui.session_state import SessionState
from testing.sample_folder import copied
from testing.window_driver import SAMPLES, Driver, pause, wait_for

FUEL = "Why did fuel costs fall in 2024?"
SMALL, LARGE = (900, 600), (1300, 700)


@pytest.fixture
def driver(qapp: QApplication, tmp_path: Path, read_samples: Path) -> Iterator[Driver]:
    made = Driver(qapp, copied(read_samples, tmp_path / "home"), window__expert_tools="false")
    made.open()
    made.wait_until_read(7)
    made.window.resize(*LARGE)
    yield made
    made.close()


def answered(driver: Driver) -> None:
    driver.ask(FUEL)
    driver.wait_for_answer()


def open_a_file(driver: Driver) -> None:
    path = next(row.path for row in driver.context.library.snapshot.files if row.pages == 3)
    driver.window.centre.read_file(path)
    pause(20)


def test_what_is_typed_at_home_is_of_no_conversation(driver: Driver) -> None:
    answered(driver)
    edit, centre = driver.window.chat.composer.edit, driver.window.centre
    edit.setPlainText("more of this")
    centre.show_home()
    assert edit.toPlainText() == ""
    edit.setPlainText("something else")
    centre.show_chat()
    assert edit.toPlainText() == "more of this"
    centre.show_home()
    assert edit.toPlainText() == "something else"


def test_at_home_no_earlier_question_is_taken_in_and_none_replaced(driver: Driver) -> None:
    answered(driver)
    chat = driver.window.chat
    chat.composer.edit_question(0, FUEL)
    driver.window.centre.show_home()
    assert not chat.composer.is_editing
    QTest.keyClick(chat.composer.edit, Qt.Key.Key_Up)
    assert chat.composer.edit.toPlainText() == ""
    before = driver.context.chat.transcript.chat_id
    driver.ask("When is the next meeting?")
    driver.wait_for_answer()
    assert driver.context.chat.transcript.chat_id != before


def test_an_offered_question_goes_to_the_knowledge_base_that_answers_it(driver: Driver) -> None:
    answered(driver)
    context, chat = driver.context, driver.window.chat
    context.library.change_base(KbRequest("create", "letters"))
    wait_for(lambda: any(kb.name == "letters" for kb in context.library.snapshot.kbs))
    context.library.switch("letters")
    wait_for(lambda: context.library.snapshot.current == "letters")
    driver.drop(SAMPLES / "Delivery delayed.eml")
    driver.wait_until_read(1)
    chat.composer.ask_documents(DocumentScope(EACH, (ScopeItem("/nowhere.md", "letters"),)))
    driver.window.centre.show_home()
    assert chat.composer.chips.chosen() == ("letters",)
    driver.window.centre.home.question_picked.emit("What was delayed?")
    driver.wait_for_answer()
    assert context.chat.transcript.kbs == ("letters",)
    assert context.chat.transcript.turns[-1].task is None


@pytest.mark.parametrize("mode", [Mode.HOME, Mode.ASK, Mode.LIBRARY, Mode.NOTES])
def test_in_a_narrow_window_a_page_that_is_asked_for_is_seen(driver: Driver, mode: Mode) -> None:
    driver.window.resize(*SMALL)
    driver.window.centre.show_mode(mode)
    open_a_file(driver)
    assert not driver.window.centre.isVisible()
    driver.window.panes.rail.modes[mode].click()
    pause(20)
    assert driver.window.centre.isVisible()
    assert driver.window.centre.mode is mode


def test_a_complaint_is_seen_over_a_document_too(driver: Driver) -> None:
    driver.window.resize(*SMALL)
    open_a_file(driver)
    driver.window.chat.complain(UserError("It went wrong.", "Try again."))
    pause(20)
    assert driver.window.chat.complaint.isVisible()


@pytest.mark.parametrize("size", [SMALL, LARGE])
def test_a_document_that_is_asked_alone_leads_to_the_question(
    driver: Driver, size: tuple[int, int]
) -> None:
    driver.window.resize(*size)
    driver.window.centre.show_files()
    open_a_file(driver)
    driver.window.sources.viewer.bar.only.click()
    pause(20)
    assert driver.window.chat.composer.edit.isVisible()
    driver.window.centre.show_files()
    open_a_file(driver)
    driver.window.sources.viewer.ask_wanted.emit("a sentence of it")
    pause(20)
    assert driver.window.chat.composer.edit.isVisible()
    assert "a sentence of it" in driver.window.chat.composer.edit.toPlainText()


def test_escape_and_ctrl_f_are_of_what_is_in_sight(driver: Driver) -> None:
    window = driver.window
    answered(driver)
    window.chat.composer.edit_question(0, FUEL)
    window.centre.show_files()
    open_a_file(driver)
    QTest.keyClick(window, Qt.Key.Key_Escape)
    assert not window.sources.is_reading
    assert window.chat.composer.is_editing
    assert window.centre.files.view.hasFocus()
    QTest.keyClick(window, Qt.Key.Key_F, Qt.KeyboardModifier.ControlModifier)
    assert window.centre.files.filter.hasFocus()
    open_a_file(driver)
    window.sources.viewer.bar.search.setFocus()
    QTest.keyClick(window, Qt.Key.Key_F, Qt.KeyboardModifier.ControlModifier)
    assert window.sources.viewer.finder.isVisible()
    window.centre.show_home()
    window.sources.close_document()
    QTest.keyClick(window, Qt.Key.Key_F, Qt.KeyboardModifier.ControlModifier)
    assert not window.find_bar.isVisible()


def test_the_keyboard_stays_in_the_table_where_a_file_is_only_looked_at(driver: Driver) -> None:
    window = driver.window
    window.centre.show_files()
    view = window.centre.files.view
    wait_for(lambda: window.centre.files.model.rowCount() == 7)
    view.setFocus()
    open_a_file(driver)
    wait_for(window.sources.viewer.page_view.isVisible)
    pause(100)
    assert view.hasFocus()


def test_experts_who_are_none_any_more_leave_the_workbench(driver: Driver) -> None:
    driver.context.settings.change("window.expert_tools", True)
    driver.window.centre.show_bench()
    driver.context.settings.change("window.expert_tools", False)
    wait_for(lambda: driver.window.centre.mode is Mode.ASK)


def test_widths_say_nothing_of_the_list_of_sources(driver: Driver) -> None:
    panes = driver.window.panes
    answered(driver)
    assert not driver.window.sources.isVisible()
    panes.splitter.splitterMoved.emit(300, 1)
    driver.context.settings.change("window.expert_tools", True)
    wait_for(driver.window.sources.isVisible)
    driver.context.settings.change("window.expert_tools", False)
    wait_for(lambda: not driver.window.sources.isVisible())
    driver.click_citation(1)
    assert panes.rail.answer.isChecked()
    panes.rail.answer.click()
    assert not driver.window.sources.isVisible()


def test_files_that_are_dropped_on_the_question_are_no_text(driver: Driver) -> None:
    mime = QMimeData()
    mime.setUrls([QUrl.fromLocalFile("/d/report.pdf")])
    assert not driver.window.chat.composer.edit.canInsertFromMimeData(mime)
    words = QMimeData()
    words.setText("words")
    assert driver.window.chat.composer.edit.canInsertFromMimeData(words)


def test_a_restart_goes_on_at_the_conversation(qapp: QApplication, tmp_path: Path) -> None:
    SessionState(tmp_path).keep_chat(3)
    window, context = make_window(qapp, tmp_path, OpenRequest(), {})
    assert window.centre.mode is Mode.ASK
    window.deleteLater()
    context.deleteLater()
    pause(10)


def test_another_language_changes_no_page_and_keeps_the_keyboard_on_it(
    qapp: QApplication, tmp_path: Path
) -> None:
    driver = Driver(qapp, tmp_path, window__expert_tools="false")
    window = driver.window
    window.centre.show_home()
    driver.open()
    wait_for(lambda: window.centre.home.is_first_start)
    for mode in (Mode.HOME, Mode.NOTES):
        window.centre.show_mode(mode)
        old = window.panes
        spoken = "zh" if mode is Mode.HOME else "en"
        driver.context.settings.change("window.language", spoken)
        wait_for(lambda: window.panes is not old)  # noqa: B023
        pause(50)
        assert window.centre.mode is mode
        assert window.centre.home.is_first_start
        focus = window.focusWidget()
        assert focus is not None
        assert focus.isVisible()
    driver.close()
