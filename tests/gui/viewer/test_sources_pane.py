"""The list of sources: what points at it, and what it points at."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtCore import QEvent, QPoint, Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QMenu
from pytestqt.qtbot import QtBot

from desktop_rag.core.catalog_records import REMOVED_TITLE
from desktop_rag.core.types import Citation, Locator, LocatorKind
from desktop_rag.gui.chat import clipboard, source_tooltips
from desktop_rag.gui.controllers.data_folder import DataFolder
from desktop_rag.gui.controllers.jobs import InlineRunner
from desktop_rag.gui.controllers.transcript import Transcript, Turn, fold
from desktop_rag.gui.controllers.viewer import ViewerController
from desktop_rag.gui.theme import Theme
from desktop_rag.gui.viewer.source_delegate import _quote
from desktop_rag.gui.viewer.source_list_model import (
    SourceRole,
    SourceRow,
    matched_locator,
    source_location,
)
from desktop_rag.gui.viewer.sources_pane import SourcesPane
from testing.qt_wait import pause
from testing.sample_answers import answer, passage


def nobody() -> None:
    """Stand for a data folder that is never opened."""


@pytest.fixture
def pane(qtbot: QtBot, theme: Theme, tmp_path: Path) -> Iterator[SourcesPane]:
    jobs = InlineRunner()
    reader = ViewerController(jobs, DataFolder(nobody), tmp_path)
    made = SourcesPane(theme, reader)
    qtbot.addWidget(made)
    made.resize(400, 700)
    made.show()
    yield made
    reader.deleteLater()
    jobs.deleteLater()


def turn() -> Turn:
    transcript = Transcript().begun("Why?", "")
    return fold(transcript, answer("A [1]. B [2]. C [1].", 1, 2, 1)).turns[0]


def row_center(pane: SourcesPane, row: int) -> QPoint:
    return pane.list.visualRect(pane.model.index(row)).center()


def test_the_source_under_the_mouse_is_told_and_that_there_is_none(pane: SourcesPane) -> None:
    pane.show_turn(turn())
    told: list[object] = []
    pane.source_pointed.connect(told.append)
    port = pane.list.viewport()
    QTest.mouseMove(port, row_center(pane, 0))
    pause(20)
    QTest.mouseMove(port, row_center(pane, 1))
    pause(20)
    QApplication.sendEvent(port, QEvent(QEvent.Type.Leave))
    assert told == [1, 2, None]


def test_the_source_that_is_chosen_with_the_keys_is_told(pane: SourcesPane) -> None:
    pane.show_turn(turn())
    told: list[object] = []
    pane.source_pointed.connect(told.append)
    pane.list.setFocus()
    pane.list.setCurrentIndex(pane.model.index(0))
    QTest.keyClick(pane.list, Qt.Key.Key_Down)
    assert told == [1, 2]


def test_the_quotes_of_a_sentence_are_marked_each_with_its_own_words(pane: SourcesPane) -> None:
    pane.show_turn(turn())
    pane.mark_quotes((1,))
    rows = [pane.model.index(row).data(SourceRole.ENTRY) for row in range(2)]
    assert [(each.number, each.pointed) for each in rows] == [(1, False), (2, True)]
    pane.mark_quotes((0, 1))
    assert pane.model.pointed_rows() == [0, 1]
    pane.mark_quotes(None)
    assert pane.model.pointed_rows() == []


def test_marking_survives_nothing_of_another_turn(pane: SourcesPane) -> None:
    pane.show_turn(turn())
    pane.mark_quotes((0, 99))
    assert pane.model.pointed_rows() == [0]
    pane.show_turn(None)
    pane.mark_quotes((0,))
    assert pane.model.pointed_rows() == []


def test_the_same_number_of_another_turn_is_told_anew(pane: SourcesPane) -> None:
    pane.open_citation(turn(), 1)
    pane.close_document()
    told: list[object] = []
    pane.source_pointed.connect(told.append)
    pane.show_turn(turn())
    QTest.mouseMove(pane.list.viewport(), row_center(pane, 0))
    pause(20)
    QTest.mouseMove(pane.list.viewport(), QPoint(1, 1))
    pause(20)
    assert told[-1:] == [1]


def test_a_quote_is_copied_with_its_source(pane: SourcesPane) -> None:
    pane.show_turn(turn())
    pane.list.setCurrentIndex(pane.model.index(1))
    pane.list.setFocus()
    QTest.keyClick(pane.list, Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier)
    lines = QGuiApplication.clipboard().text().splitlines()
    assert lines[0] == "“quote 2”"
    assert lines[1].startswith("[2] Report 2, report.pdf · page 2")
    assert lines[2] == "/tmp/report.pdf"


def test_what_can_be_done_with_a_source_stands_in_a_menu(pane: SourcesPane) -> None:
    pane.show_turn(turn())
    pane.list.customContextMenuRequested.emit(row_center(pane, 0))
    (menu,) = pane.list.findChildren(QMenu)
    assert [each.text() for each in menu.actions()] == [
        "Open in its document",
        "Show among the passages of its document",
        "Copy the quote with its source",
        "Ask about this file",
        "Why was this found?",
    ]
    menu.actions()[1].trigger()
    assert pane.is_reading
    assert pane.viewer.bar.passages.isChecked()
    menu.close()


def test_a_source_that_was_removed_opens_nothing(pane: SourcesPane) -> None:
    said = turn()
    gone = replace(said.sources[0], title=REMOVED_TITLE, path="", section="")
    said = replace(said, sources=(gone, *said.sources[1:]))
    pane.open_citation(said, 1)
    assert not pane.is_reading
    pane.open_citation(said, 2)
    assert pane.is_reading
    assert "page" not in source_tooltips.of_source(said, 1)
    assert "Click" not in source_tooltips.of_source(said, 1)
    assert "page" not in source_tooltips.source_announcement(said, 1)
    assert "Click" in source_tooltips.of_source(said, 2)


def test_a_source_shows_what_matched_at_its_own_place() -> None:
    text = "Garden society. Present: Amira. Next meeting: 3 October."
    big = Locator(LocatorKind.LINE, 1, 100, 100 + len(text))
    at = 100 + text.index("Next")
    source = replace(passage(1, "/tmp/notes.md", text), locator=big, section="Next meeting")
    source = replace(source, match=(at, 100 + len(text)), match_value=17)
    assert _quote(SourceRow(source)) == "Next meeting: 3 October."
    assert source_location(source, matched_locator(source)) == "notes.md · line 17 · Next meeting"
    assert source_location(source, source.place_of(116, 131)) == "notes.md · line 1"
    said = replace(turn(), sources=(source,), citations=())
    assert "line 17" in source_tooltips.of_source(said, 1)
    assert "line 17" in source_tooltips.source_announcement(said, 1)
    assert "Amira" not in source_tooltips.of_source(said, 1) + source_tooltips.source_announcement(
        said, 1
    )
    near = Citation(
        1, source.chunk_id, source.path, source.place_of(116, 131), "Present: Amira.", 0
    )
    said = replace(said, citations=(near,))
    assert "line 17" not in source_tooltips.of_source(
        said, 1
    ) + source_tooltips.source_announcement(said, 1)
    assert ", line 1 (/tmp/notes.md)" in clipboard.with_sources(said)


def test_a_heading_that_is_the_place_is_said_once() -> None:
    where = Locator(LocatorKind.SECTION, "6. Equipment", 100, 180)
    source = replace(passage(1, "/tmp/lease.docx"), locator=where, section="Lease > 6. Equipment")
    assert source_location(source, matched_locator(source)) == "lease.docx · section 6. Equipment"
