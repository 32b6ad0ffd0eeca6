"""What the menu of the files' table offers, carried out by the real engine on real files."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path

import pytest
from PySide6.QtCore import QDateTime, QLocale, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from desktop_rag.core.requests import KbRequest
from desktop_rag.gui.controllers.file_query import FileColumn
from desktop_rag.gui.controllers.library import Idle
from desktop_rag.gui.library.file_table_page import FileTablePage
from desktop_rag.gui.library.removal_dialog import RemovalDialog
from testing.window_driver import Driver, wait_for
from tests.gui.desktop_spy import Desktop
from tests.gui.menu_clicks import pick_for_row
from tests.parsing.sample_files import Pdf, PdfPage, one_page, paragraph

pytestmark = pytest.mark.timeout(180)

SAID = {
    "harbour.md": "The harbour master of Vard is called Edda Vinter.",
    "tower.md": "The tower of Brunn was painted white by Olaf Kvist.",
    "kennel.md": "The old dog of the ferryman is called Bruno Bark.",
}
DAMAGED = {
    "museum.pdf": "The letter of the museum was written by Signe Aas.",
    "dentist.pdf": "The letter of the dentist was written by Torleif Lie.",
}
ROUTES = ("From Vard to Holm.", "From Holm to Brunn.", "From Brunn to the open sea.")
SUMMER = datetime(2021, 6, 14, 9, 5)
WINTER = datetime(2023, 12, 3, 18, 40)


@pytest.fixture(scope="module")
def docs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder of notes, of two letters that are damaged, and of routes on three pages."""
    folder = tmp_path_factory.mktemp("files") / "docs"
    folder.mkdir()
    for name, said in SAID.items():
        (folder / name).write_text(f"# Notes\n\n{said}\n\n" + "It rained all day. " * 200)
    for name, said in DAMAGED.items():
        size = one_page(*paragraph(700, said)).write(folder / name).stat().st_size
        (folder / name).write_bytes(b"%PDF-1.4".ljust(size, b" "))
    pages = (PdfPage(paragraph(700, "The ferry's routes in each season:", each)) for each in ROUTES)
    date(Pdf(tuple(pages)).write(folder / "routes.pdf"), SUMMER)
    return folder


def date(file: Path, moment: datetime) -> None:
    """Let a file have been changed last at a moment of the local time."""
    os.utime(file, (moment.timestamp(), moment.timestamp()))


@pytest.fixture(scope="module")
def opened(
    qapp: QApplication, docs: Path, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Driver]:
    made = Driver(qapp, tmp_path_factory.mktemp("home") / "data")
    made.open()
    made.drop(docs)
    made.wait_until_read(len(SAID) + len(DAMAGED) + 1)
    yield made
    made.close()


@pytest.fixture
def driver(opened: Driver) -> Iterator[Driver]:
    """The window with its table shown."""
    opened.window.activateWindow()
    QTest.keyClick(opened.window, Qt.Key.Key_3, Qt.KeyboardModifier.ControlModifier)
    wait_for(lambda: opened.window.centre.shows_files)
    yield opened
    opened.window.sources.close_document()
    opened.window.centre.show_chat()


def table(driver: Driver) -> FileTablePage:
    return driver.window.centre.files


def row_of(driver: Driver, name: str) -> int:
    """Return the row that a file has in the table, -1 for none."""
    model = table(driver).model
    rows = [model.index(row, FileColumn.NAME).data() for row in range(model.rowCount())]
    return rows.index(name) if name in rows else -1


def cell(driver: Driver, name: str, column: FileColumn) -> str:
    """Return what the table says of a file in a column; nothing where it does not have it."""
    row = row_of(driver, name)
    return str(table(driver).model.index(row, column).data()) if row >= 0 else ""


def state_of(driver: Driver, name: str) -> str:
    return cell(driver, name, FileColumn.STATE)


def choose(driver: Driver, name: str, *wanted: str) -> None:
    """Click on a file with the right button, and on what its menu offers, and the menu in that."""
    view = table(driver).view
    wait_for(lambda: row_of(driver, name) >= 0)
    pick_for_row(view, row_of(driver, name), *wanted)
    driver.window.activateWindow()  # as a window manager does, which the tests' screen lacks


def answer(driver: Driver, question: str) -> str:
    """Ask in a conversation of its own, and come back to the table."""
    driver.window.centre.show_chat()
    driver.context.chat.new()
    driver.ask(question)
    text = driver.wait_for_answer().text
    driver.window.centre.show_files()
    return text


def as_shown(moment: datetime) -> str:
    """Return a moment as people of this place write it."""
    written = QDateTime.fromString(moment.isoformat(), Qt.DateFormat.ISODate)
    return QLocale().toString(written, QLocale.FormatType.ShortFormat)


def test_each_file_tells_its_pages_its_last_change_and_why_it_was_not_read(
    driver: Driver, docs: Path
) -> None:
    wait_for(lambda: cell(driver, "routes.pdf", FileColumn.CHANGED) == as_shown(SUMMER))
    assert cell(driver, "routes.pdf", FileColumn.PAGES) == "3"
    assert cell(driver, "routes.pdf", FileColumn.REASON) == ""
    assert cell(driver, "harbour.md", FileColumn.PAGES) == "", "a note has no pages"
    assert state_of(driver, "dentist.pdf") == "Damaged"
    assert not table(driver).view.isColumnHidden(FileColumn.REASON)
    assert cell(driver, "dentist.pdf", FileColumn.REASON) == (
        "The PDF is damaged. Open it in its own program and save it anew, or fetch it again."
    )

    date(docs / "routes.pdf", WINTER)
    driver.context.library.update_all()
    wait_for(lambda: cell(driver, "routes.pdf", FileColumn.CHANGED) == as_shown(WINTER))
    assert cell(driver, "routes.pdf", FileColumn.PAGES) == "3"
    date(docs / "routes.pdf", SUMMER)
    driver.context.library.update_all()
    wait_for(lambda: driver.context.library.activity == Idle())


def test_a_file_that_gave_no_passages_is_a_warning_and_never_ready(
    driver: Driver, docs: Path
) -> None:
    wait_for(lambda: driver.context.library.activity == Idle())
    snapshot = driver.context.library.snapshot
    ready, before = snapshot.ready, snapshot.problems
    silent = docs.with_name("silent")
    silent.mkdir()
    (silent / "blank.txt").write_text(" \n\t\n " * 50)
    Pdf((PdfPage(picture=True), PdfPage(picture=True))).write(silent / "pictures.pdf")
    driver.drop(silent)
    wait_for(lambda: state_of(driver, "blank.txt") == "No text")
    wait_for(lambda: state_of(driver, "pictures.pdf") == "No text")  # once they were recognised
    wait_for(lambda: driver.context.library.activity == Idle())
    for name, why in (("blank.txt", "holds no text"), ("pictures.pdf", "No text was found")):
        assert cell(driver, name, FileColumn.PASSAGES) == "0"
        assert why in cell(driver, name, FileColumn.REASON)
    switch = table(driver).bar.problems
    wait_for(lambda: switch.isVisible() and switch.text() == f"{before + 2} with problems")
    assert driver.context.library.snapshot.ready == ready

    for group, are_there in (("Ready", False), ("Problems", True), ("0 passages", True)):
        pick_group(driver, group)
        wait_for(lambda: (row_of(driver, "blank.txt") >= 0) == are_there)  # noqa: B023 - called at once
        assert (row_of(driver, "pictures.pdf") >= 0) == are_there
        assert (row_of(driver, "harbour.md") >= 0) == (group == "Ready")
    pick_group(driver, "All states")
    wait_for(lambda: row_of(driver, "harbour.md") >= 0 and row_of(driver, "blank.txt") >= 0)


def pick_group(driver: Driver, text: str) -> None:
    """Choose which files are shown, with the arrow keys."""
    group = table(driver).group
    group.setFocus()
    QTest.keyClick(group, Qt.Key.Key_Home)
    while group.currentText() != text:
        last = group.currentIndex()
        QTest.keyClick(group, Qt.Key.Key_Down)
        assert group.currentIndex() > last


def test_retry_reads_the_chosen_file_again_and_no_other(driver: Driver, docs: Path) -> None:
    wait_for(lambda: {state_of(driver, name) for name in DAMAGED} == {"Damaged"})
    for name, said in DAMAGED.items():
        before = (docs / name).stat()
        whole = one_page(*paragraph(700, said)).write(docs.with_name(name))
        os.utime(whole, ns=(before.st_atime_ns, before.st_mtime_ns))
        whole.replace(docs / name)  # of the same size and time: for a look at it, unchanged
    choose(driver, "museum.pdf", "Retry")
    wait_for(lambda: state_of(driver, "museum.pdf") == "Ready")
    wait_for(lambda: driver.context.library.activity == Idle())
    assert state_of(driver, "dentist.pdf") == "Damaged"
    assert "Signe Aas" in answer(driver, "Who wrote the letter of the museum?")


def test_an_excluded_file_is_not_found_until_it_is_included_again(driver: Driver) -> None:
    question = "Who painted the tower of Brunn?"
    assert "Olaf Kvist" in answer(driver, question)
    choose(driver, "tower.md", "Exclude")
    wait_for(lambda: state_of(driver, "tower.md") == "Excluded")
    assert "Olaf Kvist" not in answer(driver, question)
    choose(driver, "tower.md", "Include again")
    wait_for(lambda: state_of(driver, "tower.md") == "Ready")
    assert "Olaf Kvist" in answer(driver, question)


def test_a_file_is_moved_to_another_knowledge_base_and_back_by_its_menu(driver: Driver) -> None:
    library, question = driver.context.library, "What is the harbour master of Vard called?"
    wait_for(lambda: state_of(driver, "harbour.md") == "Ready")
    library.change_base(KbRequest("create", "second"))
    wait_for(lambda: "second" in [kb.name for kb in library.snapshot.kbs])
    wait_for(lambda: library.snapshot.current == "second" and not table(driver).model.rowCount())
    library.switch("default")
    wait_for(lambda: state_of(driver, "harbour.md") == "Ready")
    choose(driver, "harbour.md", "Move to", "second")
    wait_for(lambda: row_of(driver, "harbour.md") < 0)
    assert "Edda Vinter" not in answer(driver, question)
    library.switch("second")
    wait_for(lambda: state_of(driver, "harbour.md") == "Ready")
    wait_for(lambda: table(driver).model.rowCount() == 1)
    assert "Edda Vinter" in answer(driver, question)
    choose(driver, "harbour.md", "Move to", "My documents")
    wait_for(lambda: row_of(driver, "harbour.md") < 0)
    library.switch("default")
    wait_for(lambda: state_of(driver, "harbour.md") == "Ready")
    assert "Edda Vinter" in answer(driver, question)


def test_a_removed_file_is_gone_for_good_and_stays_on_the_disk(driver: Driver, docs: Path) -> None:
    question = "What is the old dog of the ferryman called?"
    assert "Bruno Bark" in answer(driver, question)
    choose(driver, "kennel.md", "Remove from the knowledge base")
    wait_for(lambda: driver.window.findChildren(RemovalDialog))
    (box,) = driver.window.findChildren(RemovalDialog)
    QTest.mouseClick(box.go, Qt.MouseButton.LeftButton)
    driver.window.activateWindow()
    wait_for(lambda: row_of(driver, "kennel.md") < 0)
    looked: list[object] = []
    driver.context.library.indexed.connect(looked.append)
    driver.context.library.update_all()
    wait_for(lambda: looked)
    driver.context.library.indexed.disconnect(looked.append)
    assert "Bruno Bark" not in answer(driver, question)
    assert row_of(driver, "kennel.md") < 0
    assert SAID["kennel.md"] in (docs / "kennel.md").read_text()


def test_the_passages_of_a_file_are_shown_beside_the_table(driver: Driver, docs: Path) -> None:
    wait_for(lambda: state_of(driver, "harbour.md") == "Ready")
    model = table(driver).model
    number = int(model.index(row_of(driver, "harbour.md"), FileColumn.PASSAGES).data())
    choose(driver, "harbour.md", "Show its passages")
    viewer = driver.window.sources.viewer
    wait_for(viewer.chunks.model.rowCount)
    listed = [
        viewer.chunks.model.index(row).data() for row in range(viewer.chunks.model.rowCount())
    ]
    assert viewer.chunks.isVisible()
    assert len(listed) == number > 1
    assert any(SAID["harbour.md"] in each for each in listed)
    wait_for(lambda: SAID["harbour.md"] in viewer.text_view.toPlainText())
    assert driver.window.centre.shows_files
    QTest.keyClick(driver.window, Qt.Key.Key_Escape)
    assert not driver.window.sources.is_reading
    assert driver.window.centre.shows_files, "one step back, to the table alone"


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere a program of the system is called")
def test_a_file_opens_in_the_system_s_program_or_is_shown_in_its_folder(
    driver: Driver, docs: Path
) -> None:
    with Desktop() as desktop:
        choose(driver, "harbour.md", "Open")
        wait_for(lambda: desktop.opened == [str(docs / "harbour.md")])
        choose(driver, "harbour.md", "Show in folder")
        wait_for(lambda: desktop.opened[1:] == [str(docs)])
