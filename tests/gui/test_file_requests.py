"""Files from a file manager: `open --read` and `open --ask`, in the library, outside, not read."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractButton, QApplication, QMessageBox

from desktop_rag.core.requests import KbRequest, OpenRequest
from desktop_rag.gui import language
from desktop_rag.gui.mode_rail import Mode
from testing.narrowing import present
from testing.window_driver import SAMPLES, Driver, pause, wait_for

REPORT, POLICY = SAMPLES / "Annual report 2024.pdf", SAMPLES / "差旅报销制度.md"


def call(driver: Driver, purpose: str, *paths: Path) -> None:
    """Do what a second start does."""
    driver.context.called.emit(OpenRequest(tuple(map(str, paths)), purpose=purpose))


def box_of(driver: Driver) -> QMessageBox:
    wait_for(lambda: driver.window.findChild(QMessageBox) is not None)
    return present(driver.window.findChild(QMessageBox))


def press(box: QMessageBox, role: QMessageBox.ButtonRole) -> None:
    (button,) = [each for each in box.buttons() if box.buttonRole(each) is role]
    assert isinstance(button, QAbstractButton)
    QTest.mouseClick(button, Qt.MouseButton.LeftButton)


def test_a_file_of_the_library_is_read_whichever_knowledge_base_it_lies_in(
    driver: Driver,
) -> None:
    driver.drop(POLICY)
    driver.wait_until_read(1)
    driver.context.library.change_base(KbRequest("create", "second"))
    wait_for(lambda: driver.context.library.snapshot.current == "second")
    call(driver, "read", POLICY)
    sources = driver.window.sources
    wait_for(lambda: sources.is_reading and sources.viewer.document is not None)
    assert present(sources.viewer.document).path == str(POLICY)
    assert driver.window.findChild(QMessageBox) is None


def test_what_is_not_in_the_library_is_added_where_the_user_agrees_and_shown_when_read(
    driver: Driver,
) -> None:
    call(driver, "read", REPORT)
    box = box_of(driver)
    assert box.text() == "“Annual report 2024.pdf” is not in your library."
    assert box.informativeText() == "Add it to “My documents”? It stays where it is."
    assert not driver.context.library.snapshot.files
    press(box, QMessageBox.ButtonRole.AcceptRole)
    driver.wait_until_read(1)
    sources = driver.window.sources
    wait_for(lambda: sources.is_reading and sources.viewer.document is not None)
    assert present(sources.viewer.document).path == str(REPORT)


def test_whoever_cancels_adds_nothing(driver: Driver) -> None:
    call(driver, "read", REPORT, POLICY)
    box = box_of(driver)
    assert box.text() == "2 files are not in your library."
    assert "Annual report 2024.pdf" in box.informativeText()
    press(box, QMessageBox.ButtonRole.RejectRole)
    pause(200)
    assert not driver.context.library.snapshot.files
    assert driver.context.library.adding.pending == ()


def test_a_file_is_asked_alone(driver: Driver) -> None:
    driver.drop(SAMPLES)
    driver.wait_until_read(3)
    driver.window.centre.show_files()
    call(driver, "ask", REPORT)
    wait_for(lambda: driver.window.centre.mode is Mode.ASK)
    asked = driver.window.chat.composer.asked("How much did fuel cost?")
    assert present(asked.scope).paths == (str(REPORT),)
    driver.ask("How much did fuel and power cost in 2024?")
    turn = driver.wait_for_answer()
    assert {each.path for each in turn.sources} == {str(REPORT)}


def test_a_file_that_could_not_be_read_is_told_of(driver: Driver, tmp_path: Path) -> None:
    broken = tmp_path / "broken.pdf"
    broken.write_bytes(b"%PDF-1.4\n" + b"x" * 500)
    driver.drop(broken)
    driver.wait_until_read(1)
    call(driver, "read", broken)
    complaint = driver.window.chat.complaint
    wait_for(lambda: "broken.pdf" in complaint.accessibleName())
    assert "it has not been read" in complaint.accessibleName()


def test_a_folder_that_is_followed_is_shown_in_the_library(driver: Driver, tmp_path: Path) -> None:
    (tmp_path / "papers").mkdir()
    (tmp_path / "papers" / "note.md").write_text("# Harbour\n\nIt opens at six.", "utf-8")
    driver.drop(tmp_path / "papers")
    driver.wait_until_read(1)
    call(driver, "read", tmp_path / "papers")
    wait_for(lambda: driver.window.centre.mode is Mode.LIBRARY)
    assert driver.window.findChild(QMessageBox) is None


def test_it_is_asked_in_chinese(qapp: QApplication, driver: Driver) -> None:
    language.speak(qapp, "zh")
    call(driver, "ask", POLICY)
    box = box_of(driver)
    assert box.text() == "“差旅报销制度.md”不在您的资料库中。"
    assert box.informativeText() == "要将它添加到“我的文档”吗？它会留在原处。"
    press(box, QMessageBox.ButtonRole.AcceptRole)
    wait_for(lambda: driver.window.centre.mode is Mode.ASK)
    asked = driver.window.chat.composer.asked("一线城市的住宿标准是多少？")
    assert present(asked.scope).paths == (str(POLICY),)


def test_a_first_start_does_it_too(qapp: QApplication, tmp_path: Path) -> None:
    first = Driver(qapp, tmp_path / "data")
    first.open()
    first.drop(POLICY)
    first.wait_until_read(1)
    first.close()
    again = Driver(qapp, tmp_path / "data")
    again.window.show_wanted(OpenRequest((str(POLICY),), purpose="read"))
    again.open()
    wait_for(lambda: again.window.sources.viewer.document is not None)
    assert present(again.window.sources.viewer.document).path == str(POLICY)
    again.close()


def test_each_box_adds_what_it_names(driver: Driver) -> None:
    call(driver, "read", REPORT)
    first = box_of(driver)
    call(driver, "read", POLICY)
    wait_for(lambda: len(driver.window.findChildren(QMessageBox)) == 2)
    press(first, QMessageBox.ButtonRole.AcceptRole)
    driver.wait_until_read(1)
    assert [each.path for each in driver.context.library.snapshot.files] == [str(REPORT)]


def test_what_is_there_and_what_is_added_are_asked_together(driver: Driver) -> None:
    driver.drop(REPORT)
    driver.wait_until_read(1)
    call(driver, "ask", REPORT, POLICY)
    press(box_of(driver), QMessageBox.ButtonRole.AcceptRole)
    driver.wait_until_read(2)
    asked = driver.window.chat.composer.asked("?")
    assert set(present(asked.scope).paths) == {str(REPORT), str(POLICY)}


def test_a_folder_is_asked_as_a_folder(driver: Driver, tmp_path: Path) -> None:
    (tmp_path / "papers").mkdir()
    (tmp_path / "papers" / "note.md").write_text("# Harbour\n\nIt opens at six.", "utf-8")
    call(driver, "ask", tmp_path / "papers")
    press(box_of(driver), QMessageBox.ButtonRole.AcceptRole)
    driver.wait_until_read(1)
    wait_for(lambda: not driver.window.chat.composer.scope.is_gone)
    driver.ask("When does the harbour open?")
    found = {each.path for each in driver.wait_for_answer().retrieved}
    assert found == {str(tmp_path / "papers" / "note.md")}
