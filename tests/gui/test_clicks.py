"""How many clicks a new user needs: real clicks on what is in sight, in the window as it ships."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QFileDialog, QPushButton, QWidget

from desktop_rag.gui.controllers.file_query import FileColumn
from desktop_rag.gui.mode_rail import Mode
from testing.narrowing import present
from testing.sample_folder import copied
from testing.window_driver import SAMPLES, Driver, pause, wait_for


class Mouse:
    """Clicks where a person could, and counts."""

    def __init__(self) -> None:
        self.clicks = 0

    def click(self, widget: QWidget, at: QPoint | None = None) -> None:
        """Click on a widget that is in sight and can be clicked."""
        wait_for(widget.isVisible)
        assert widget.isEnabled()
        where = at if at is not None else widget.rect().center()
        inside = widget.mapTo(widget.window(), where)
        assert widget.window().rect().contains(inside), "it is not in sight"
        self.clicks += 1
        QTest.mouseClick(widget, Qt.MouseButton.LeftButton, pos=where)


@pytest.fixture
def driver(qapp: QApplication, tmp_path: Path) -> Iterator[Driver]:
    yield from opened(qapp, tmp_path / "home")


@pytest.fixture
def returning(qapp: QApplication, tmp_path: Path, read_samples: Path) -> Iterator[Driver]:
    yield from opened(qapp, copied(read_samples, tmp_path / "home"))


def opened(app: QApplication, home: Path) -> Iterator[Driver]:
    made = Driver(app, home, window__expert_tools="false")
    made.window.centre.show_home()
    made.open()
    made.window.resize(1100, 700)
    yield made
    made.close()


def button(parent: QWidget, text: str) -> QPushButton:
    """Return the button that says so."""
    (found,) = (each for each in parent.findChildren(QPushButton) if each.text() == text)
    return found


def test_from_the_samples_to_the_first_answer_it_is_two_clicks(driver: Driver) -> None:
    mouse, home = Mouse(), driver.window.centre.home
    mouse.click(button(home.start, "Try the sample documents"))
    wait_for(lambda: home.questions.buttons)
    mouse.click(home.questions.buttons[0])
    turn = driver.wait_for_answer()
    assert turn.citations
    assert driver.window.centre.mode is Mode.ASK
    assert mouse.clicks == 2


def test_from_an_own_folder_to_its_answer_it_is_two_clicks_and_a_question(
    driver: Driver, tmp_path: Path
) -> None:
    folder = tmp_path / "papers"
    folder.mkdir()
    notes = (SAMPLES / "Meeting notes.md").read_bytes()
    (folder / "Meeting notes.md").write_bytes(notes)
    mouse, window = Mouse(), driver.window
    mouse.click(button(window.centre.home.start, "Add a folder…"))
    wait_for(lambda: window.findChildren(QFileDialog))
    (dialog,) = window.findChildren(QFileDialog)
    dialog.filesSelected.emit([str(folder)])
    dialog.accept()
    mouse.clicks += 1  # "Choose" in a dialog that is the system's own
    driver.wait_until_read(1)
    wait_for(lambda: not window.centre.home.is_first_start)
    wait_for(lambda: window.focusWidget() is window.chat.composer.edit)
    QTest.keyClicks(window.chat.composer.edit, "When is the next meeting?")
    QTest.keyClick(window.chat.composer.edit, Qt.Key.Key_Return)
    assert driver.wait_for_answer().citations
    assert mouse.clicks == 2


def test_an_own_file_is_looked_at_by_a_double_click_and_asked_by_one(
    returning: Driver,
) -> None:
    window, mouse = returning.window, Mouse()
    window.centre.show_files()
    files = window.centre.files
    wait_for(lambda: files.model.rowCount() == 7)
    row = next(n for n, each in enumerate(files.model.rows) if each.path.endswith("notes.md"))
    pause(50)
    place = files.view.visualRect(files.model.index(row, FileColumn.NAME)).center()
    mouse.click(files.view.viewport(), place)
    assert files.details.name.accessibleName() == "Meeting notes.md"
    assert not window.sources.is_reading, "a click only tells what the file is"
    QTest.mouseDClick(files.view.viewport(), Qt.MouseButton.LeftButton, pos=place)
    viewer = window.sources.viewer
    wait_for(lambda: "library" in viewer.text_view.toPlainText())
    mouse.click(viewer.bar.only)
    assert mouse.clicks == 2
    scope = present(window.chat.composer.scope.scope)
    assert [Path(each).name for each in scope.paths] == ["Meeting notes.md"]
    returning.ask("Why did fuel costs fall in 2024?")
    cited = {each.path for each in returning.wait_for_answer().retrieved}
    assert {Path(each).name for each in cited} <= {"Meeting notes.md"}


def test_a_question_at_home_begins_a_conversation_of_its_own(returning: Driver) -> None:
    window = returning.window
    returning.ask("Why did fuel costs fall in 2024?")
    returning.wait_for_answer()
    window.centre.show_home()
    wait_for(lambda: len(window.centre.home.conversations) == 1)
    returning.ask("When is the next meeting?")
    returning.wait_for_answer()
    assert len(returning.context.chat.transcript.turns) == 1
    window.centre.show_home()
    wait_for(lambda: len(window.centre.home.conversations) == 2)
    mouse = Mouse()
    mouse.click(window.centre.home.conversations[1])
    wait_for(lambda: returning.context.chat.transcript.title.startswith("Why did"))
    assert window.centre.mode == Mode.ASK
    window.centre.show_home()
    mouse.click(window.centre.home.bases[0])
    assert window.centre.shows_files


def test_the_details_of_a_file_say_what_mends_it(driver: Driver, tmp_path: Path) -> None:
    (tmp_path / "broken.pdf").write_bytes(b"%PDF-1.4 not really")
    driver.drop(tmp_path / "broken.pdf")
    driver.wait_until_read(1)
    files = driver.window.centre.files
    driver.window.centre.show_files()
    wait_for(lambda: files.model.rowCount() == 1)
    files.view.selectRow(0)
    wait_for(files.details.isVisible)
    assert files.details.state.text() == "Damaged"
    assert files.details.reason.text().startswith("The PDF is damaged.")
    shown = [each.text() for each in files.details.buttons if each.isVisible()]
    assert shown == ["Open"]
    (mend,) = [each for each in files.details.remedies if each.isVisible()]
    assert mend.text() == "Read again"
    before = driver.context.library.snapshot.files[0].changed_at
    Mouse().click(mend)
    wait_for(lambda: driver.context.library.snapshot.files[0].changed_at > before)
