"""The window's own doing: keys, drops, dialogs."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
import shiboken6
from PySide6.QtCore import QMimeData, QPoint, Qt, QUrl
from PySide6.QtGui import QDragEnterEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QFileDialog, QMessageBox, QToolButton
from pytestqt.qtbot import QtBot

from desktop_rag.core.errors import StoreDamaged
from desktop_rag.core.events import Notice
from desktop_rag.core.requests import OpenRequest
from desktop_rag.gui.controllers.app_context import AppContext
from desktop_rag.gui.controllers.transcript import Transcript, fold
from desktop_rag.gui.main_window import MainWindow
from desktop_rag.gui.mode_rail import Mode
from desktop_rag.gui.shortcuts import ShortcutsDialog
from desktop_rag.gui.theme import Theme
from testing.sample_answers import answer
from testing.window_driver import pause, wait_for


def no_home(context: AppContext) -> None:
    """Stand for a data folder that is never opened here."""


@pytest.fixture
def window(qtbot: QtBot, theme: Theme, tmp_path: Path) -> Iterator[MainWindow]:
    context = AppContext(tmp_path, no_home)
    made = MainWindow(theme, context)
    made.centre.show_chat()
    made.show()
    yield made
    made.close()
    made.deleteLater()
    context.deleteLater()
    pause(10)


def drag(window: MainWindow, *urls: QUrl) -> tuple[QDragEnterEvent, QMimeData]:
    mime = QMimeData()
    mime.setUrls(list(urls))
    event = QDragEnterEvent(
        QPoint(5, 5),
        Qt.DropAction.CopyAction,
        mime,
        Qt.MouseButton.LeftButton,
        Qt.KeyboardModifier.NoModifier,
    )
    event.ignore()
    window.dragEnterEvent(event)
    return event, mime


def test_local_files_may_be_dropped_and_web_addresses_not(window: MainWindow) -> None:
    taken, _kept = drag(window, QUrl.fromLocalFile("/tmp/a.pdf"))
    refused, _kept = drag(window, QUrl("https://example.org/a.pdf"))
    assert taken.isAccepted()
    assert not refused.isAccepted()


def test_what_a_second_start_names_is_added(window: MainWindow) -> None:
    window.raise_with(OpenRequest(paths=("/tmp/a.pdf",)))
    assert window.context.library.adding.pending == (("default", ("/tmp/a.pdf",)),)


def test_f1_shows_the_keys_and_closing_frees_them(window: MainWindow) -> None:
    window.activateWindow()
    QTest.keyClick(window, Qt.Key.Key_F1)
    wait_for(lambda: window.findChildren(ShortcutsDialog))
    (dialog,) = window.findChildren(ShortcutsDialog)
    dialog.reject()
    wait_for(lambda: not shiboken6.isValid(dialog))


def test_ctrl_n_begins_a_conversation_and_goes_to_the_question(window: MainWindow) -> None:
    window.context.chat.show(fold(Transcript().begun("Why?", ""), answer("So [1].", 1)))
    assert window.sources.model.rowCount() > 0
    QTest.keyClick(window, Qt.Key.Key_N, Qt.KeyboardModifier.ControlModifier)
    assert window.context.chat.transcript == Transcript()
    assert window.sources.model.rowCount() == 0


def test_ctrl_f_finds_in_the_conversation_and_escape_leaves(window: MainWindow) -> None:
    window.context.chat.show(fold(Transcript().begun("Why?", ""), answer("The harbour is shut.")))
    QTest.keyClick(window, Qt.Key.Key_F, Qt.KeyboardModifier.ControlModifier)
    assert window.find_bar.isVisible()
    QTest.keyClicks(window.find_bar.edit, "harbour")
    assert window.chat.view.textCursor().selectedText() == "harbour"
    QTest.keyClick(window, Qt.Key.Key_Escape)
    assert not window.find_bar.isVisible()


def test_a_question_that_is_offered_is_asked_by_a_click(window: MainWindow) -> None:
    window.centre.show_home()
    window.centre.home.question_picked.emit("Why?")
    assert window.context.chat.transcript.turns[-1].question == "Why?"
    assert window.centre.mode is Mode.ASK


def test_choosing_files_does_not_block_and_the_dialog_is_freed(window: MainWindow) -> None:
    QTest.keyClick(window, Qt.Key.Key_O, Qt.KeyboardModifier.ControlModifier)
    (dialog,) = window.findChildren(QFileDialog)
    dialog.filesSelected.emit(["/tmp/a.pdf", "/tmp/b.pdf"])
    assert window.context.library.adding.pending == (("default", ("/tmp/a.pdf", "/tmp/b.pdf")),)
    dialog.reject()
    wait_for(lambda: not shiboken6.isValid(dialog))


def test_a_damaged_folder_is_told_with_its_remedy_and_the_window_goes(window: MainWindow) -> None:
    window.context.refused.emit(StoreDamaged("It is newer.", "Update the program."))
    (box,) = window.findChildren(QMessageBox)
    assert (box.text(), box.informativeText()) == ("It is newer.", "Update the program.")
    box.accept()
    wait_for(lambda: not window.isVisible())


def test_a_folder_whose_name_looks_like_html_is_told_as_it_is(window: MainWindow) -> None:
    window.context.refused.emit(StoreDamaged("/d/<b>x</b> is newer.", "Update."))
    (box,) = window.findChildren(QMessageBox)
    assert box.textFormat() == Qt.TextFormat.PlainText
    box.accept()
    wait_for(lambda: not window.isVisible())


def test_every_button_without_a_text_has_a_name(window: MainWindow) -> None:
    nameless = [
        button
        for button in window.findChildren(QToolButton)
        if not button.text()
        and not button.accessibleName()
        and button.objectName() != "qt_toolbar_ext_button"
    ]
    assert nameless == []


def test_size_and_knowledge_base_are_kept(qtbot: QtBot, theme: Theme, tmp_path: Path) -> None:
    for shown in ("default", "work"):
        context = AppContext(tmp_path, no_home)
        window = MainWindow(theme, context)
        window.show()
        assert context.library.snapshot.current == shown
        window.resize(1111, 707)
        context.library.switch("work")
        window.close()
        size = window.size()
        window.deleteLater()
        context.deleteLater()
        pause(10)
    assert (size.width(), size.height()) == (1111, 707)


def test_a_window_800_pixels_wide_holds_two_panes_side_by_side(window: MainWindow) -> None:
    window.centre.show_files()
    window.resize(800, 600)
    window.panes.open_side()
    pause(20)
    assert window.width() == 800
    left, middle = window.side, window.centre
    assert left.mapTo(window, left.rect().topRight()).x() < middle.mapTo(window, QPoint()).x()
    assert middle.mapTo(window, middle.rect().topRight()).x() < 800


def test_what_a_run_says_of_links_and_drives_is_shown_once(window: MainWindow) -> None:
    bar = window.chat.notice
    away, link = "/m/usb cannot be reached now; what is known of its files is kept.", "/d\n.md"
    notices = [away, *(f"The link /d/{n}.md leads away." for n in range(3)), f"The link {link}."]
    for text in [notices[0], *notices]:
        window.context.library._hear(Notice(text))
    for mode in Mode:
        window.centre.show_mode(mode)
        pause(10)
        assert bar.isVisible(), f"whoever is at {mode} is told, too"
    assert bar.objectName() == "banner", "it is no complaint"
    assert bar.text.splitlines() == [*notices[2:4], "The link /d\ufffd.md."]
    bar.dismiss.click()
    window.context.library._hear(Notice(away))
    assert bar.isHidden()
    window.context.library._hear(Notice("Something new is said."))
    assert bar.text == "Something new is said."
