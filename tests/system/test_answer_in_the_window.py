"""An answer and its sources in the real window: pointed at, clicked, read in every kind of file."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QHelpEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QToolTip, QWidget

from desktop_rag.app.transcript import Turn
from desktop_rag.ui.sources.viewer import Viewer
from tests.ui.driving import SAMPLES, Driver, pause, wait_for

pytestmark = pytest.mark.timeout(180)


@pytest.fixture(scope="module")
def driver(qapp: QApplication, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Driver]:
    made = Driver(qapp, tmp_path_factory.mktemp("answers") / "data")
    made.window.resize(1320, 840)
    made.open()
    made.drop(SAMPLES)
    made.wait_until_read(7)
    yield made
    made.close()


@pytest.mark.parametrize(
    ("question", "file", "said"),
    [
        ("How long is the notice period of the lease?", "Lease agreement.docx", "three months"),
        ("Who is the contact of Kiso Outdoor?", "Sales by region.xlsx", ""),
        ("When do the cargo bikes arrive?", "Delivery delayed.eml", ""),
        ("How many visitors are wanted in the first season?", "Lighthouse project.pptx", ""),
        ("一线城市的住宿标准是每晚多少元？", "差旅报销制度.md", "550元"),
    ],
)
def test_a_click_opens_the_text_of_a_document_with_the_passage_marked(
    driver: Driver, question: str, file: str, said: str
) -> None:
    turn = asked(driver, question)
    assert said in turn.text
    number = next((n for n, each in enumerate(turn.sources, 1) if each.path.endswith(file)), 0)
    assert number, [each.path for each in turn.sources]
    driver.window.sources.open_citation(turn, number)
    viewer = driver.window.sources.viewer
    wait_for(lambda: viewer.bar.title.toolTip().endswith(file))
    wait_for(lambda: marked(viewer))
    quotes = [each.quote for each in turn.citations if each.n == number]
    wanted = quotes[0] if quotes else turn.sources[number - 1].text
    assert set(marked(viewer).split()) & set(wanted.split())
    assert viewer.bar.outside.isEnabled(), "the way to the original"
    driver.window.sources.close_document()


def marked(viewer: Viewer) -> str:
    shown = viewer.text_view.extraSelections()
    return " ".join(each.cursor.selectedText() for each in shown).strip()


def asked(driver: Driver, question: str) -> Turn:
    """Ask in a conversation of its own."""
    driver.window.sources.close_document()
    driver.desk.chat.new()
    driver.ask(question)
    return driver.wait_for_answer()


def test_the_mouse_finds_quotes_of_sentences_and_sentences_of_quotes(driver: Driver) -> None:
    turn = asked(driver, "How many passengers travelled in 2024?")
    view, sources = driver.window.chat.view, driver.window.sources
    wait_for(lambda: sources.turn is turn)
    found = view.document().find(turn.citations[0].quote[:20])
    assert not found.isNull()
    move(view.viewport(), view.cursorRect(found).center())
    wait_for(lambda: sources.model.pointed_rows() == [turn.citations[0].n - 1], 5)
    move(view.viewport(), QPoint(2, 2))
    wait_for(lambda: sources.model.pointed_rows() == [], 5)

    row = sources.list.visualRect(sources.model.index(turn.citations[0].n - 1)).center()
    move(sources.list.viewport(), row)
    wait_for(view.extraSelections, 5)
    assert turn.citations[0].quote[:20] in view.extraSelections()[0].cursor.selectedText()


def test_resting_on_a_number_shows_its_passage(driver: Driver) -> None:
    turn = asked(driver, "Who was elected chair of the board?")
    view = driver.window.chat.view
    number = view.document().find("\u20091\u2009")
    assert not number.isNull()
    number.setPosition(number.selectionStart() + 1)
    at = view.cursorRect(number).center()
    event = QHelpEvent(QHelpEvent.Type.ToolTip, at, view.viewport().mapToGlobal(at))
    QApplication.sendEvent(view.viewport(), event)
    assert "Ingrid Solheim" in QToolTip.text()
    assert "page" in QToolTip.text()
    QToolTip.hideText()
    QTest.mouseClick(view.viewport(), Qt.MouseButton.LeftButton, pos=at)
    wait_for(driver.window.sources.viewer.page_view.mark_rects)
    assert driver.window.sources.viewer.page == turn.citations[0].locator.value
    driver.window.sources.close_document()


def move(widget: QWidget, at: QPoint) -> None:
    QTest.mouseMove(widget, at)
    pause(30)
