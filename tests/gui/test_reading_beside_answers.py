"""In the real window: a citation opens its document beside the sentence that was clicked."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QTextCursor
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from testing.window_driver import Driver, pause, wait_for

QUESTIONS = ("Who repairs the lighthouse?", "When does the ferry sail?", "What does coal cost?")
SENTENCES = (
    "The lighthouse of Vard is repaired by Edda Vinter, who has done so for twenty years.",
    "The ferry sails at noon, and in the winter it sails at ten, weather permitting.",
    "Coal costs forty crowns a ton, which is more than it was in any year before.",
)


@pytest.fixture(params=["en", "zh"])
def driver(qapp: QApplication, tmp_path: Path, request: pytest.FixtureRequest) -> Iterator[Driver]:
    docs = tmp_path / "docs"
    docs.mkdir()
    for number, said in enumerate(SENTENCES):
        around = "\n\n".join(f"Nothing of note in year {19 * number + n}." for n in range(20))
        text = f"# Paper {number}\n\n{said}\n\n{around}\n"
        (docs / f"paper {number}.md").write_text(text, encoding="utf-8")
    made = Driver(
        qapp, tmp_path / "data", window__expert_tools="false", window__language=request.param
    )
    made.window.resize(1320, 560)
    made.open()
    made.drop(docs)
    made.wait_until_read(3)
    for question in QUESTIONS:
        made.ask(question)
        made.wait_for_answer()
    yield made
    made.close()


def citation_in_sight(driver: Driver) -> tuple[QPoint, QTextCursor]:
    """Return where a citation lies that is not at the top of what is in sight."""
    view = driver.window.chat.view
    for y in range(100, view.viewport().height(), 4):
        for x in range(0, view.viewport().width(), 4):
            at = QPoint(x, y)
            if view.anchorAt(at).startswith("cite:"):
                return at, view.cursorForPosition(at)
    raise AssertionError


def test_the_sentence_that_was_clicked_stays_where_it_was(driver: Driver) -> None:
    view, sources = driver.window.chat.view, driver.window.sources
    view.go_to(1)
    pause(60)
    at, clicked = citation_in_sight(driver)
    before, width = view.cursorRect(clicked).top(), view.viewport().width()
    QTest.mouseClick(view.viewport(), Qt.MouseButton.LeftButton, pos=at)
    wait_for(sources.viewer.text_view.toPlainText)
    pause(60)
    assert view.viewport().width() < width - 200, "the reader takes its room from the conversation"
    assert abs(view.cursorRect(clicked).top() - before) <= 2
    assert not sources.viewer.bar.passages.isChecked()
    assert not sources.viewer.chunks.isVisible()
    sources.close_document()
    pause(60)
    assert view.viewport().width() == width
    assert abs(view.cursorRect(clicked).top() - before) <= 2


def is_full_screen(driver: Driver) -> bool:
    return bool(driver.window.windowState() & Qt.WindowState.WindowFullScreen)


def test_a_document_is_read_in_full_screen_and_esc_leaves_it(driver: Driver) -> None:
    window, panes = driver.window, driver.window.panes
    QTest.keyClick(window, Qt.Key.Key_F11)
    assert not is_full_screen(driver), "there is no document"
    row = driver.context.library.snapshot.files[0]
    window.centre.read_file(row.path)
    viewer = window.sources.viewer
    wait_for(viewer.text_view.toPlainText)
    QTest.keyClick(window, Qt.Key.Key_F11)
    pause(60)
    assert is_full_screen(driver)
    assert not panes.rail.isVisible()
    assert not window.chat.isVisible()
    assert viewer.width() >= window.width() - 8
    QTest.keyClick(window, Qt.Key.Key_Escape)
    pause(60)
    assert not is_full_screen(driver)
    assert panes.rail.isVisible()
    assert window.chat.isVisible()
    assert window.sources.is_reading, "the document stays open"
    viewer.bar.full_screen.click()
    assert is_full_screen(driver)
    viewer.bar.back.click()
    pause(60)
    assert not is_full_screen(driver), "what was shown is closed"
    assert panes.rail.isVisible()


def test_the_full_screen_is_not_what_the_next_start_begins_with(driver: Driver) -> None:
    window = driver.window
    window.centre.read_file(driver.context.library.snapshot.files[0].path)
    wait_for(window.sources.viewer.text_view.toPlainText)
    QTest.keyClick(window, Qt.Key.Key_F11)
    assert is_full_screen(driver)
    window._kept_geometry.save(window, window.panes, "")
    assert not is_full_screen(driver)


def test_what_leads_elsewhere_leaves_the_full_screen(driver: Driver) -> None:
    window = driver.window
    window.centre.read_file(driver.context.library.snapshot.files[0].path)
    wait_for(window.sources.viewer.text_view.toPlainText)
    QTest.keyClick(window, Qt.Key.Key_F11)
    assert is_full_screen(driver)
    window.sources.viewer.bar.only.click()
    pause(60)
    assert not is_full_screen(driver)
    assert window.chat.composer.edit.isVisible()
