"""The ways in which something becomes a note, each by the menu or the link that offers it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QTextCursor
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QTextEdit

from desktop_rag.core.note_records import Note, NoteKind
from testing.narrowing import present
from testing.ollama_double import OllamaDouble
from testing.window_driver import Driver, pause, wait_for
from tests.gui.menu_clicks import pick_line

FERRY = "# Ferry\n\nThe ferry Solveig carries forty cars across the fjord. It sails at six."
SAID = "The ferry Solveig carries **forty** cars [1]. It sails at six [1]."


@pytest.fixture
def asked(qapp: QApplication, tmp_path: Path) -> Iterator[Driver]:
    """A window with an answer that a model wrote of a document."""
    path = tmp_path / "ferry.md"
    path.write_text(FERRY, encoding="utf-8")
    with OllamaDouble() as ollama:
        driver = Driver(qapp, tmp_path / "data", ollama__host=ollama.url)
        driver.open()
        driver.drop(path)
        driver.wait_until_read(1)
        ollama.say(SAID)
        driver.ask("How many cars does the ferry Solveig carry?")
        driver.wait_for_answer()
        yield driver
        driver.close()


def note_of(driver: Driver) -> Note:
    """Wait for the note that is saved next."""
    wait_for(lambda: driver.context.notes.rows)
    return driver.context.notes.rows[0]


def select(view: QTextEdit, words: str) -> None:
    cursor = view.document().find(words)
    assert not cursor.isNull(), words
    view.setTextCursor(cursor)


def test_an_answer_is_saved_by_the_link_below_it_and_the_notice_leads_to_it(
    asked: Driver,
) -> None:
    asked.click_link("note:0")
    note = note_of(asked)
    assert (note.kind, note.text) == (NoteKind.ANSWER, SAID)
    notice = asked.window.note_saving.notice
    wait_for(notice.isVisible)
    centre = asked.window.centre
    assert centre.rect().contains(notice.geometry())
    QTest.mouseClick(notice.open, Qt.MouseButton.LeftButton)
    page = centre.notes
    wait_for(lambda: page.panel.note is not None and page.panel.note.note.id == note.id)
    assert page.isVisible()
    assert not notice.isVisible()


def test_what_is_selected_in_an_answer_is_saved_with_its_source(asked: Driver) -> None:
    view = asked.window.chat.view
    select(view, "carries forty cars")
    pick_line(view.viewport(), "Save as note")
    note = note_of(asked)
    assert (note.kind, note.text) == (NoteKind.SELECTION, "carries forty cars [1]")


def test_what_goes_over_several_turns_is_not_offered(asked: Driver) -> None:
    view = asked.window.chat.view
    view.setTextCursor(QTextCursor(view.document()))
    assert view.selected_part() is None, "nothing is selected"
    asked.ask("And how many cars does the ferry Solveig carry?")
    asked.wait_for_answer()
    view.selectAll()
    assert view.selected_part() is None


def test_a_source_is_saved_from_its_menu(asked: Driver) -> None:
    sources = asked.window.sources
    wait_for(sources.list.isVisible)
    index = sources.model.index(0)
    pick_line(sources.list.viewport(), "Save as note", sources.list.visualRect(index).center())
    note = note_of(asked)
    assert note.kind is NoteKind.QUOTE
    assert note.text == "> The ferry Solveig carries forty cars across the fjord. [1]"


def test_what_is_selected_in_a_document_is_saved_and_leads_back_to_it(asked: Driver) -> None:
    sources, turn = asked.window.sources, present(asked.turn)
    sources.open_citation(turn, 1)
    view = sources.viewer.text_view
    wait_for(lambda: "sails at six" in view.toPlainText())
    select(view, "sails at six")
    pick_line(view.viewport(), "Save as note")
    note = note_of(asked)
    assert (note.kind, note.text, note.kbs) == (NoteKind.QUOTE, "> sails at six [1]", ("default",))
    sources.close_document()
    asked.window.note_saving.notice.open.click()
    panel = asked.window.centre.notes.panel
    wait_for(lambda: panel.note is not None)
    pause(100)
    shown = present(panel.note).turn
    assert shown.sources[0].path == turn.sources[0].path
    assert shown.citations[0].quote == "sails at six"
