"""The page of notes in a real window: read, write, order, search, delete, open a source."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import docx
import pytest
from PySide6.QtCore import QModelIndex, QPoint, Qt
from PySide6.QtTest import QAbstractItemModelTester, QTest
from PySide6.QtWidgets import QApplication

from desktop_rag.core.note_records import Note, NoteId, NoteKind
from desktop_rag.core.requests import NoteRequest
from desktop_rag.gui.notes.note_export_dialog import NoteExportDialog
from desktop_rag.gui.notes.note_list import NotesModel
from desktop_rag.gui.notes.notes_page import NotesPage
from desktop_rag.gui.widgets.banner import Banner
from testing.narrowing import present
from testing.window_driver import SAMPLES, Driver, pause, wait_for


def page_of(driver: Driver) -> NotesPage:
    driver.window.centre.show_notes()
    return driver.window.centre.notes


def add(driver: Driver, *texts: str) -> None:
    notes = driver.context.notes
    before = len(notes.rows)
    for text in texts:
        notes.add(NoteRequest("add", text=text, kbs=("default",)))
    wait_for(lambda: len(notes.rows) == before + len(texts))


def shown(page: NotesPage) -> list[str]:
    rows = page.list.notes
    return [str(rows.index(n).data()) for n in range(rows.rowCount())]


def stored(driver: Driver) -> list[str]:
    catalog = driver.context.folder.get(_token()).catalog
    return [each.text for each in catalog.notes.all()]


def _token() -> Any:
    from desktop_rag.core.cancel import CancelToken

    return CancelToken()


def test_without_notes_the_page_says_how_they_come_to_be(driver: Driver) -> None:
    QTest.keyClick(driver.window, Qt.Key.Key_4, Qt.KeyboardModifier.ControlModifier)
    page = driver.window.centre.notes
    wait_for(page.empty.isVisible)
    assert not page.export.isVisible()
    assert page.empty.begin.hasFocus()
    QTest.keyClick(page.empty.begin, Qt.Key.Key_Space)
    wait_for(page.panel.edit.isVisible)
    QTest.keyClicks(page.panel.edit, "My *own* words")
    QTest.keyClick(page.panel.edit, Qt.Key.Key_Escape)
    wait_for(page.panel.view.isVisible)
    wait_for(lambda: stored(driver) == ["My *own* words"])
    wait_for(lambda: "My own words" in page.panel.view.toPlainText())
    assert page.isVisible(), "Esc ended the writing, not the page"
    QTest.keyClick(page.list, Qt.Key.Key_Escape)
    assert page.isVisible(), "notes are a place, not something to leave"


def test_a_title_is_changed_where_it_stands(driver: Driver) -> None:
    page = page_of(driver)
    add(driver, "One")
    wait_for(page.panel.isVisible)
    page.panel.title.setFocus()
    page.panel.title.selectAll()
    QTest.keyClicks(page.panel.title, "Another")
    QTest.keyClick(page.panel.title, Qt.Key.Key_Return)
    wait_for(lambda: shown(page) == ["Another"])
    assert stored(driver) == ["One"]


def test_notes_are_ordered_by_keys_and_by_dragging(driver: Driver) -> None:
    page = page_of(driver)
    add(driver, "One", "Two", "Three")
    assert shown(page) == ["Three", "Two", "One"]
    page.list.setFocus()
    page.list.setCurrentIndex(page.list.notes.index(0))
    QTest.keyClick(page.list, Qt.Key.Key_Down, Qt.KeyboardModifier.AltModifier)
    wait_for(lambda: shown(page) == ["Two", "Three", "One"])
    wait_for(lambda: page.list.currentIndex().row() == 1)
    rows = page.list.notes
    dragged = rows.mimeData([rows.index(2)])
    rows.dropMimeData(dragged, Qt.DropAction.MoveAction, 0, 0, QModelIndex())
    wait_for(lambda: shown(page) == ["One", "Two", "Three"])
    page.field.setText("t")
    assert shown(page) == ["Two", "Three"]
    assert not rows.flags(rows.index(0)) & Qt.ItemFlag.ItemIsDragEnabled
    page.field.setText("nothing has this")
    assert shown(page) == []
    QTest.keyClick(page.field, Qt.Key.Key_Escape)
    assert len(shown(page)) == 3


def test_a_deleted_note_comes_back(driver: Driver) -> None:
    page = page_of(driver)
    add(driver, "One", "Two")
    page.list.setFocus()
    page.list.setCurrentIndex(page.list.notes.index(0))
    wait_for(lambda: page.panel.note is not None and page.panel.note.note.title == "Two")
    QTest.keyClick(page.list, Qt.Key.Key_Delete)
    wait_for(lambda: shown(page) == ["One"])
    wait_for(lambda: page.panel.note is not None and page.panel.note.note.title == "One")
    assert page.undo_bar.isVisible()
    QTest.mouseClick(page.undo_bar.button, Qt.MouseButton.LeftButton)
    wait_for(lambda: shown(page) == ["Two", "One"])
    wait_for(lambda: page.panel.note is not None and page.panel.note.note.title == "Two")
    assert not page.undo_bar.isVisible()


def test_a_citation_of_a_note_opens_its_document_at_the_quote(driver: Driver) -> None:
    driver.drop(SAMPLES / "Annual report 2024.pdf")
    driver.wait_until_read(1)
    driver.ask("Why did fuel costs fall in 2024?")
    turn = driver.wait_for_answer()
    chat = present(driver.context.chat.transcript.chat_id)
    driver.context.notes.add(NoteRequest("add", chat_id=chat))
    page = page_of(driver)
    wait_for(lambda: page.panel.note is not None)
    driver.context.conversations.delete([chat])
    driver.context.conversations.bury()
    view = page.panel.view
    wait_for(lambda: "1" in view.toPlainText())
    pause(100)
    click(page, "cite:1")
    sources = driver.window.sources
    wait_for(lambda: sources.is_reading and sources.viewer.document is not None)
    wait_for(sources.viewer.page_view.mark_rects)
    opened = present(sources.viewer.document)
    assert opened.path == turn.sources[0].path
    assert present(opened.mark).start == turn.citations[0].locator.start
    assert page.isVisible()


def test_notes_are_exported_from_the_page(driver: Driver, tmp_path: Path) -> None:
    page = page_of(driver)
    add(driver, "One", "Two")
    wait_for(lambda: page.panel.note is not None)
    page.panel.begin_editing()
    page.panel.edit.setPlainText("Two, as typed last")
    QTest.mouseClick(page.export, Qt.MouseButton.LeftButton)
    dialog = present(driver.window.findChild(NoteExportDialog))
    assert dialog.selectedNameFilter() == "Markdown (*.md)"
    dialog.selectNameFilter("Word document (*.docx)")
    dialog.filterSelected.emit("Word document (*.docx)")
    assert dialog.defaultSuffix() == "docx"
    path = tmp_path / "out.docx"
    dialog.fileSelected.emit(str(path))
    dialog.close()
    wait_for(path.exists)
    read = [each.text for each in docx.Document(str(path)).paragraphs]
    assert read == ["Two", "Two, as typed last", "One", "One"]
    wait_for(lambda: present(page.findChild(Banner, "banner")).isVisible())


def click(page: NotesPage, address: str) -> None:
    view = page.panel.view
    for y in range(0, view.viewport().height(), 4):
        for x in range(0, view.viewport().width(), 4):
            if view.anchorAt(QPoint(x, y)) == address:
                at = QPoint(x, y)
                QTest.mouseClick(view.viewport(), Qt.MouseButton.LeftButton, pos=at)
                return
    raise AssertionError(f"{address} is not in sight")


def test_beside_a_document_in_a_small_window_the_note_has_the_room(driver: Driver) -> None:
    page = page_of(driver)
    add(driver, "One")
    wait_for(page.panel.isVisible)
    assert page.list.isVisible()
    page.resize(330, 500)
    assert not page.list.isVisible()
    assert page.panel.isVisible()


@pytest.mark.parametrize("count", [0, 1, 3])
def test_the_list_is_a_sound_model(qapp: QApplication, count: int) -> None:
    model = NotesModel()
    mode = QAbstractItemModelTester.FailureReportingMode.Fatal
    tester = QAbstractItemModelTester(model, mode)
    notes = [Note(NoteId(n), NoteKind.OWN, f"n{n}", "", (), 0.0, 0.0) for n in range(count)]
    model.show_rows(notes, is_ordered=True)
    model.show_rows(notes[::-1], is_ordered=False)
    assert model.rowCount() == count
    tester.deleteLater()
