"""An answer and its sources in the real window: pointed at, clicked, read in every kind of file.

A document of pages is gone through as well: mark by mark, larger and smaller, word by word.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from itertools import product
from pathlib import Path

import numpy as np
import pytest
from PySide6.QtCore import QPoint, QPointF, QRect, QRectF, Qt
from PySide6.QtGui import QGuiApplication, QHelpEvent, QImage
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QToolButton, QToolTip, QWidget

from desktop_rag.gui.controllers.transcript import Turn
from desktop_rag.gui.viewer.document_viewer import DocumentViewer
from desktop_rag.gui.viewer.pdf_painting import HIT_NOW, MARK, MARK_NOW
from desktop_rag.gui.viewer.pdf_scroll_area import STEP
from desktop_rag.gui.viewer.table_model import DocumentTableModel
from testing.sample_folder import SAMPLES, copied
from testing.window_driver import Driver, pause, wait_for
from tests.gui.desktop_spy import Desktop

pytestmark = pytest.mark.timeout(180)

_A4 = 595  # points across
_INK = 20  # colours, at least, where letters are drawn


@pytest.fixture(scope="module")
def driver(
    qapp: QApplication, tmp_path_factory: pytest.TempPathFactory, read_samples: Path
) -> Iterator[Driver]:
    made = Driver(
        qapp,
        copied(read_samples, tmp_path_factory.mktemp("answers") / "data"),
        answering__reuse="false",
        retrieval__rerank_milliseconds="0",  # else a busy computer answers otherwise
    )
    made.window.resize(1320, 840)
    made.open()
    made.wait_until_read(7)
    yield made
    made.close()


ASKED = {
    "Lease agreement.docx": "How long is the notice period of the lease?",
    "Sales by region.xlsx": "Who is the contact of Kiso Outdoor?",
    "Delivery delayed.eml": "How late did the ship with the frames leave Kaohsiung?",
    "Lighthouse project.pptx": "How many visitors are wanted in the first season?",
    "差旅报销制度.md": "一线城市的住宿标准是每晚多少元？",
}


@pytest.mark.parametrize(
    ("file", "said"),
    [
        ("Lease agreement.docx", "The notice period is three months to the end of a month."),
        ("Delivery delayed.eml", "The ship with the frames left Kaohsiung nine days late;"),
        ("Lighthouse project.pptx", "At least 15,000 visitors in the first season"),
        ("差旅报销制度.md", "一线城市每晚不超过550元，其他城市每晚不超过380元。"),
    ],
)
def test_a_click_opens_the_text_of_a_document_with_the_passage_marked(
    driver: Driver, file: str, said: str
) -> None:
    turn, viewer = opened(driver, file)
    cited = [each for each in turn.citations if each.path.endswith(file)]
    quotes = [
        folded(each.quote) for each in sorted(cited, key=lambda each: each.locator.start or 0)
    ]
    assert any(said in quote for quote in quotes)
    assert marked(viewer, MARK_NOW) == folded(cited[0].quote)
    assert marked(viewer) == " ".join(quotes)


def test_a_click_opens_the_sheet_of_a_workbook_with_the_row_marked(driver: Driver) -> None:
    _, viewer = clicked(driver, "Sales by region.xlsx")
    model, cells = viewer.table_view.model, viewer.table_view.cells
    wait_for(lambda: cells.hasFocus() and "sales@kiso.example" in marked_cells(model))
    rows = {row for row in range(model.rowCount()) if model.color(row, 0) == MARK_NOW}
    assert len(rows) == 1
    assert rows <= set(cells.around(0))
    assert "Kiso Outdoor" in marked_cells(model)


def marked_cells(model: DocumentTableModel) -> list[str]:
    """Return the cells of the mark that is gone to."""
    places = product(range(model.rowCount()), range(model.columnCount()))
    return [model.cell(*each) for each in places if model.color(*each) == MARK_NOW]


def opened(driver: Driver, file: str) -> tuple[Turn, DocumentViewer]:
    """Ask what a document answers, and click on the number that stands for it."""
    turn, viewer = clicked(driver, file)
    wait_for(lambda: viewer.text_view.hasFocus() and marked(viewer))
    return turn, viewer


def clicked(driver: Driver, file: str) -> tuple[Turn, DocumentViewer]:
    """Ask, and click, without waiting for the document."""
    turn = asked(driver, ASKED[file])
    driver.click_citation(next(each.n for each in turn.citations if each.path.endswith(file)))
    viewer = driver.window.sources.viewer
    document = viewer.document
    assert document is not None
    assert document.path == str(SAMPLES / file)
    return turn, viewer


def marked(viewer: DocumentViewer, colour: str = "") -> str:
    """Return what is marked in a text, all of it or in one colour."""
    shown = viewer.text_view.extraSelections()
    made = [each for each in shown if each.format.background().color().name().endswith(colour)]
    return folded(" ".join(each.cursor.selectedText() for each in made))


def folded(text: str) -> str:
    return " ".join(text.split())


def test_the_original_of_a_text_is_one_click_away(driver: Driver) -> None:
    _, viewer = opened(driver, "差旅报销制度.md")
    go_to_the_original(viewer, SAMPLES / "差旅报销制度.md")


def go_to_the_original(viewer: DocumentViewer, file: Path) -> None:
    with Desktop() as desktop:
        press(viewer.bar.outside)
        wait_for(lambda: desktop.opened)
        assert desktop.opened == [str(file)]
        if sys.platform == "linux":  # elsewhere a program of the system is called
            press(viewer.bar.in_folder)
            wait_for(lambda: len(desktop.opened) > 1)
            assert desktop.opened == [str(file), str(file.parent)]


@pytest.mark.parametrize(
    ("file", "wanted"),
    [
        ("Lease agreement.docx", "3. Term and notice\n\nThe lease begins on 1 April 2024 and runs"),
        ("Delivery delayed.eml", "with the\nframes left Kaohsiung nine days late; the carrier now"),
        ("差旅报销制度.md", "三、住宿标准\n\n一线城市每晚不超过550元，其他城市"),
    ],
)
def test_the_mouse_selects_in_a_text_and_ctrl_c_copies_it(
    driver: Driver, file: str, wanted: str
) -> None:
    _, viewer = opened(driver, file)
    QApplication.processEvents()  # the panes make room for a document that is opened
    view, port = viewer.text_view, viewer.text_view.viewport()
    first, *_, last = wanted.splitlines()
    start, end = view.document().find(first), view.document().find(last)
    start.setPosition(start.selectionStart())
    where = [view.cursorRect(each).center() for each in (start, end)]
    assert all(port.rect().contains(each) for each in where)
    QGuiApplication.clipboard().setText("before")
    QTest.mousePress(port, Qt.MouseButton.LeftButton, pos=where[0])
    QTest.mouseMove(port, (where[0] + where[1]) / 2)
    QTest.mouseMove(port, where[1])
    QTest.mouseRelease(port, Qt.MouseButton.LeftButton, pos=where[1])
    assert driver.window.focusWidget() is view
    QTest.keyClick(view, Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier)
    assert QGuiApplication.clipboard().text() == wanted


def asked(driver: Driver, question: str) -> Turn:
    """Ask in a conversation of its own."""
    driver.window.sources.close_document()
    driver.context.chat.new()
    driver.ask(question)
    return driver.wait_for_answer()


def test_the_mouse_finds_quotes_of_sentences_and_sentences_of_quotes(driver: Driver) -> None:
    turn = asked(driver, "How many passengers travelled in 2024?")
    view, sources = driver.window.chat.view, driver.window.sources
    wait_for(lambda: sources.turn is turn)
    found = view.document().find(turn.citations[0].quote[:20])
    assert not found.isNull()
    move(view.viewport(), view.cursorRect(found).center())
    wait_for(lambda: sources.model.pointed_rows() == [turn.citations[0].n - 1])
    move(view.viewport(), QPoint(2, 2))
    wait_for(lambda: sources.model.pointed_rows() == [])

    row = sources.list.visualRect(sources.model.index(turn.citations[0].n - 1)).center()
    move(sources.list.viewport(), row)
    wait_for(view.extraSelections)
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
    viewer, place = driver.window.sources.viewer, turn.citations[0].locator
    wait_for(lambda: viewer.page == place.value and viewer.page_view.mark_rects())
    driver.window.sources.close_document()


def move(widget: QWidget, at: QPoint) -> None:
    QTest.mouseMove(widget, at)
    pause(30)


@pytest.fixture
def report(driver: Driver) -> Iterator[DocumentViewer]:
    """The pages of the annual report, opened by a click on a number; three places are cited."""
    viewer = opened_report(driver)
    yield viewer
    viewer.finder.leave()
    viewer.page_view.fit_width()
    driver.window.sources.close_document()


def opened_report(driver: Driver) -> DocumentViewer:
    question = "How many passengers travelled in 2024, and by how much did fuel and power fall?"
    turn = asked(driver, question)
    driver.click_citation(turn.citations[0].n)
    wait_until_marked(driver.window.sources.viewer)
    return driver.window.sources.viewer


def test_pages_that_follow_a_workbook_tell_their_marks(driver: Driver) -> None:
    clicked(driver, "Sales by region.xlsx")
    cells = driver.window.sources.viewer.table_view.cells
    wait_for(cells.isVisible)
    assert opened_report(driver).bar.marks.text().endswith(" / 3")
    driver.window.sources.close_document()


def test_a_click_opens_the_pages_of_a_document_and_buttons_go_over_its_marks(
    driver: Driver, report: DocumentViewer
) -> None:
    assert driver.turn is not None
    quotes = sorted(driver.turn.citations, key=lambda each: each.locator.start or 0)
    assert len(quotes) == 3
    begun = quotes.index(driver.turn.citations[0])
    assert report.bar.marks.text() == f"{begun + 1} / 3", "at what the first number stands for"
    assert colours(report, report.page_view.viewport().rect()) >= {MARK, MARK_NOW}
    following, previous = report.bar.next_mark, report.bar.previous_mark
    steps = (following, 1), (following, 2), (previous, 1), (previous, 0), (previous, -1)
    for button, by in steps:
        press(button)
        at = (begun + by) % 3
        wait_for(lambda: is_marked(report))
        now = report.bar.marks.text(), report.page
        assert now == (f"{at + 1} / 3", quotes[at].locator.value)
        wait_for(lambda: on_page(quotes[at].quote) in heard(report))  # noqa: B023 - called at once


def test_the_original_of_the_pages_is_one_click_away(report: DocumentViewer) -> None:
    go_to_the_original(report, SAMPLES / "Annual report 2024.pdf")


def test_zooming_changes_the_size_of_the_pages_and_keeps_the_mark_in_sight(
    report: DocumentViewer,
) -> None:
    view, bar, page = report.page_view, report.bar, report.page
    larger, smaller = (bar.zoom_in, STEP), (bar.zoom_out, 1 / STEP)
    for button, factor in (larger, larger, larger, smaller, smaller, smaller, smaller, smaller):
        before = view.on_screen(page).width()
        press(button)
        assert view.on_screen(page).width() / before == pytest.approx(factor, rel=0.01)
        percent = view.on_screen(page).width() / (_A4 * 96 / 72) * 100
        assert int(bar.zoom.text().partition("%")[0]) == pytest.approx(percent, abs=1)
        wait_until_marked(report)


def test_words_are_found_in_the_pages_that_a_citation_opened(
    driver: Driver, report: DocumentViewer
) -> None:
    finder, port = report.finder, report.page_view.viewport().rect()
    driver.window.activateWindow()
    wait_for(report.page_view.hasFocus)  # once the pages are there
    QTest.keyClick(report.page_view, Qt.Key.Key_F, Qt.KeyboardModifier.ControlModifier)
    wait_for(finder.isVisible)
    assert not driver.window.find_bar.isVisible()
    QTest.keyClicks(finder.edit, "FERRY")
    wait_for(lambda: finder.count.text() == "2 / 3")
    for place, page in (("3 / 3", 3), ("1 / 3", 1), ("2 / 3", 2), ("3 / 3", 3)):
        QTest.keyClick(finder.edit, Qt.Key.Key_Return)
        assert (finder.count.text(), report.page) == (place, page)
    wait_for(lambda: HIT_NOW in colours(report, port))
    QTest.keyClick(driver.window, Qt.Key.Key_Escape)
    assert not finder.isVisible()
    assert HIT_NOW not in colours(report, port)
    assert driver.window.sources.is_reading, "the document stays open"


def wait_until_marked(viewer: DocumentViewer) -> None:
    """Wait until the pages are drawn with their marks; what is there instead is told."""

    def state() -> object:
        view, note = viewer.page_view, viewer.note
        shown = view.isVisible(), len(view.stack), view.is_whole, view.viewport().rect()
        at = view.page, view.percent, view.mark_rects()
        return viewer.document, viewer.bar.marks.text(), shown, at, note.isVisible()

    wait_for(lambda: is_marked(viewer) and viewer.bar.marks.text(), state=state)


def is_marked(viewer: DocumentViewer) -> bool:
    """Say whether the pages are drawn, and the current mark is in sight over its words."""
    view, document = viewer.page_view, viewer.document
    if document is None or document.mark is None or not len(view.stack) or not view.is_whole:
        return False
    corner, scale = QPointF(view.on_screen(document.page).topLeft()), view.stack.scale
    lines = [
        QRectF(corner + QPointF(box.x0, box.y0) * scale, corner + QPointF(box.x1, box.y1) * scale)
        for box in document.mark.boxes
    ]
    return bool(lines) and all(is_painted(viewer, line) for line in lines)


def is_painted(viewer: DocumentViewer, line: QRectF) -> bool:
    """Say whether a line is in sight, if not as far as it goes, with a marker over its letters."""
    port = QRectF(viewer.page_view.viewport().rect())
    if line.top() < port.top() or line.bottom() > port.bottom() or not line.intersects(port):
        return False
    found = colours(viewer, (line & port).toAlignedRect())
    return MARK_NOW in found and len(found) > _INK


def colours(viewer: DocumentViewer, part: QRect) -> set[str]:
    """Return the colours that are painted in a part of the pages' viewport."""
    shot = viewer.page_view.viewport().grab(part).toImage()
    pixels = np.frombuffer(shot.convertToFormat(QImage.Format.Format_RGB32).constBits(), np.uint32)
    return {f"#{each & 0xFFFFFF:06x}" for each in np.unique(pixels)}


def on_page(quote: str) -> str:
    """Return a quote as its page shows it: names of columns do not stand beside each cell."""
    return " ".join(re.sub(r"; \d{4}: ", " ", quote).split())


def heard(viewer: DocumentViewer) -> str:
    """Return what a screen reader is told of the words under the mark."""
    lines = viewer.page_view.accessibleDescription().splitlines()
    return next((" ".join(line.split()) for line in lines if line.startswith("Marked:")), "")


def press(button: QToolButton) -> None:
    assert button.isVisible()
    QTest.mouseClick(button, Qt.MouseButton.LeftButton)
