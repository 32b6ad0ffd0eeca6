"""Documents opened in the pane, all parts real: files are read, pages drawn by the child."""

from __future__ import annotations

import os
import time
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QMenu

from desktop_rag.core.cancel import CancelToken
from desktop_rag.core.page_geometry import PageArea
from desktop_rag.core.requests import NoteRequest
from desktop_rag.gui.controllers.open_document import StoredQuote
from desktop_rag.gui.controllers.pdf_pages import Tile, TileRequest
from testing.qt_wait import pause, wait_for
from testing.slow_cases import slow
from tests.gui.viewer.viewer_driver import Reading, page
from tests.parsing.sample_files import Pdf, PdfPage, Put

WORDS = (
    "amber basin copper dune ember fjord gale heron inlet jetty kelp lagoon marsh north otter pier"
)
TOPICS = WORDS.split()


def topic(number: int, place: int) -> str:
    """Return a few words that differ from page to page."""
    return " ".join(
        TOPICS[(number * 7 + place * 3 + step * step) % len(TOPICS)] for step in range(6)
    )


def report(reading: Reading, pages: int = 12, extra: str = "", name: str = "report.pdf") -> Path:
    made = [
        page(
            topic(n, 1), topic(n, 2), f"Ferry {TOPICS[n % 16]} number {n} sails at noon.",
            "Fuel and power were dear.", *(topic(n, k) for k in range(3, 24)), extra=extra,
        )
        for n in range(1, pages + 1)
    ]  # fmt: skip
    path = reading.pdf(name, *made)
    reading.library.index()
    return path


def on_ink(reading: Reading, rect: QRectF) -> bool:
    """Say whether there is dark ink within a rectangle of the viewport."""
    shot = reading.viewer.page_view.viewport().grab().toImage()
    inside = rect.toAlignedRect().intersected(shot.rect())
    return any(
        shot.pixelColor(x, y).lightness() < 90
        for x in range(inside.left(), inside.right())
        for y in range(inside.top(), inside.bottom())
    )


@pytest.mark.parametrize("extra", [*slow("", "/Rotate 90"), "/CropBox[50 100 600 750]/Rotate 270"])
def test_a_document_opens_at_its_mark_and_the_mark_lies_on_the_words(
    reading: Reading, extra: str
) -> None:
    path = report(reading, extra=extra)
    drawn: list[int] = []
    reading.reader.pages.drawn.connect(lambda came: drawn.append(came.wish.page))
    reading.open(reading.opened(path, f"Ferry {TOPICS[9]} number 9 sails"))
    assert reading.viewer.page == 9
    assert drawn[0] == 9
    assert min(drawn) >= 7, "the first page was never drawn"
    (mark,) = reading.viewer.page_view.mark_rects()
    assert on_ink(reading, mark)
    assert reading.viewer.bar.page.text() == "9"
    assert not reading.viewer.note.isVisible()


def test_a_sentence_over_a_page_s_end_is_marked_on_both_pages(reading: Reading) -> None:
    first = (
        *(topic(1, k) for k in range(29)),
        "The ferry to the island of the lighthouse is so",
    )
    second = ("old that nobody repairs it. Fuel was dear.", *(topic(2, k) for k in range(20)))
    path = reading.pdf("ferry.pdf", *(page(*said) for said in (first, second)))
    reading.library.index()
    reading.open(reading.opened(path, "lighthouse is so old that nobody repairs it."))
    assert reading.viewer.page == 1
    above, below = reading.viewer.page_view.mark_rects()
    pages = [reading.viewer.page_view.on_screen(number) for number in (1, 2)]
    assert QRectF(pages[0]).contains(above)
    assert QRectF(pages[1]).contains(below)
    assert on_ink(reading, above)
    assert on_ink(reading, below)
    assert below.width() < pages[1].width() / 2, "not the sentence after it"


def test_marks_are_gone_over_with_the_keys_and_around_at_the_end(reading: Reading) -> None:
    path = report(reading)
    words = [f"Ferry {TOPICS[n % 16]} number {n} sails" for n in (2, 6, 11)]
    reading.open(reading.opened(path, *words))
    assert reading.viewer.bar.marks.text() == "1 / 3"
    seen = []
    for _ in range(3):
        QTest.keyClick(reading.viewer.page_view, Qt.Key.Key_Down, Qt.KeyboardModifier.AltModifier)
        pause(30)
        wait_for(reading.is_shown)
        seen.append(reading.viewer.page)
    assert seen == [6, 11, 2]
    QTest.keyClick(reading.viewer.page_view, Qt.Key.Key_F3, Qt.KeyboardModifier.ShiftModifier)
    wait_for(lambda: reading.viewer.page == 11)


def test_a_page_number_that_is_typed_is_gone_to(reading: Reading) -> None:
    reading.open(reading.opened(report(reading), f"Ferry {TOPICS[2]} number 2 sails"))
    field = reading.viewer.bar.page
    field.setFocus()
    field.selectAll()
    QTest.keyClicks(field, "7")
    QTest.keyClick(field, Qt.Key.Key_Return)
    assert reading.viewer.page == 7
    assert reading.viewer.page_view.hasFocus()


def test_words_are_counted_over_all_pages_and_gone_over(reading: Reading) -> None:
    path = report(reading)
    reading.open(reading.opened(path, f"Ferry {TOPICS[5]} number 5 sails"))
    assert reading.search("fuel AND power") == "5 / 12"
    assert reading.viewer.page == 5
    QTest.keyClick(reading.viewer.finder.edit, Qt.Key.Key_Return)
    assert (reading.viewer.finder.count.text(), reading.viewer.page) == ("6 / 12", 6)
    shift = Qt.KeyboardModifier.ShiftModifier
    for _ in range(2):
        QTest.keyClick(reading.viewer.finder.edit, Qt.Key.Key_Return, shift)
    assert (reading.viewer.finder.count.text(), reading.viewer.page) == ("4 / 12", 4)
    assert reading.search("nowhere to be seen") == "No place found"


def unindexed(reading: Reading, pages: int) -> Path:
    """Open a long document that the index does not hold: reading it in would take long."""
    made = [
        page(topic(n, 1), "Fuel and power were dear.", *(topic(n, k) for k in range(30)))
        for n in range(1, pages + 1)
    ]
    path = reading.pdf("long.pdf", *made)
    reading.pane.open_file(str(path))
    wait_for(lambda: len(reading.viewer.page_view.stack) == pages)
    wait_for(reading.is_shown)
    return path


def test_a_long_document_is_searched_from_the_page_that_is_looked_at(reading: Reading) -> None:
    unindexed(reading, 700)
    reading.viewer.page_view.go(350)
    told: list[str] = []
    reading.viewer._pages.counted.connect(lambda: told.append(reading.viewer.finder.count.text()))
    assert reading.search("Fuel and power") == "350 / 700"
    assert reading.viewer.page == 350
    first = next(each for each in told if "/" in each)
    assert first.startswith("1 / "), "the first places are told before the last ones are found"


def test_scrolling_through_a_thousand_pages_never_stalls_the_window(reading: Reading) -> None:
    unindexed(reading, 1000)
    view = reading.viewer.page_view
    bar = view.verticalScrollBar()
    worst = 0.0
    for step in range(240):
        began = time.thread_time()  # of this thread alone: the machine may be busy elsewhere
        bar.setValue(bar.value() + (180 if step % 40 else bar.maximum() // 7))
        pause(8)
        worst = max(worst, time.thread_time() - began)
    assert worst < 0.1
    wait_for(reading.is_shown)
    assert view.pictures.bytes < 80 * 1024 * 1024


def test_text_is_selected_by_lines_with_the_mouse_and_copied(reading: Reading) -> None:
    path = reading.pdf("a.pdf", page("The first line here", "and the second line", "the third"))
    reading.library.index()
    reading.open(reading.opened(path, "The first"))
    view = reading.viewer.page_view
    wait_for(lambda: 1 in view.selecting.letters)
    rect, scale = view.on_screen(1), view.stack.scale
    start = QPointF(rect.x() + 71 * scale, rect.y() + 98 * scale)
    end = QPointF(rect.x() + 300 * scale, rect.y() + 118 * scale)
    reading.drag(start, end)
    assert view.selecting.text == "The first line here\nand the second line"
    QTest.keyClick(view, Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier)
    assert QGuiApplication.clipboard().text() == view.selecting.text
    asked: list[str] = []
    reading.viewer.ask_wanted.connect(asked.append)
    menu = QMenu(view)
    view.asking.offer(menu, view.selecting.text)
    menu.actions()[0].trigger()
    assert asked == [view.selecting.text]
    noted: list[NoteRequest] = []
    reading.pane.note_wanted.connect(noted.append)
    menu.actions()[1].trigger()
    number = reading.library.workspace.catalog.files.get(reading.library.kb, str(path))
    assert number is not None
    assert noted == [
        NoteRequest("add", text=asked[0], document_id=int(number.document_id or 0), path=str(path))
    ]
    second = QPointF(rect.x() + 100 * scale, rect.y() + 117 * scale).toPoint()
    QTest.mouseDClick(view.viewport(), Qt.MouseButton.LeftButton, pos=second)
    assert view.selecting.text == "the"
    QTest.keyClick(view, Qt.Key.Key_A, Qt.KeyboardModifier.ControlModifier)
    assert view.selecting.text.endswith("the third")


def test_a_screen_reader_hears_the_page_and_what_is_marked(reading: Reading) -> None:
    path = report(reading)
    reading.open(reading.opened(path, f"Ferry {TOPICS[4]} number 4 sails at noon."))
    view = reading.viewer.page_view
    wait_for(lambda: "Marked:" in view.accessibleDescription())
    said = view.accessibleDescription().splitlines()
    assert said[0] == "Page 4 of 12"
    assert f"Ferry {TOPICS[4]} number 4 sails at noon" in said[1]
    assert "Fuel and power were dear." in said


def test_a_file_that_is_gone_says_so_and_shows_its_text(reading: Reading) -> None:
    path = report(reading)
    document = reading.opened(path, f"Ferry {TOPICS[4]} number 4 sails at noon.")
    path.unlink()
    reading.open(document)
    assert "no longer there" in reading.viewer.note.text
    (mark,) = reading.viewer.text_view.extraSelections()
    assert "number 4 sails" in mark.cursor.selectedText()


def test_a_file_that_changed_says_so_and_shows_the_text_as_it_was_read(reading: Reading) -> None:
    path = report(reading)
    document = reading.opened(path, "Fuel and power were dear.")
    Pdf((PdfPage((Put(72, 700, "Something else"),)),)).write(path)
    reading.open(document)
    assert "has changed since it was read" in reading.viewer.note.text
    assert "Fuel and power" in reading.viewer.text_view.toPlainText()
    asked: list[str] = []
    reading.viewer.external_asked.connect(asked.append)
    reading.viewer.note.button.click()
    assert asked == [str(path)]


def test_a_file_that_was_only_touched_is_shown_as_it_is(reading: Reading) -> None:
    path = report(reading)
    document = reading.opened(path, "Fuel and power were dear.")
    path.write_bytes(path.read_bytes())
    reading.open(document)
    assert not reading.viewer.note.isVisible()
    assert reading.viewer.page_view.isVisible()


def test_a_document_that_the_index_forgot_shows_the_quote_that_was_kept(reading: Reading) -> None:
    path = report(reading)
    document = reading.opened(path, "Fuel and power were dear.")
    start = document.marks[0].start or 0
    quoted = StoredQuote("Fuel and power were dear. It was so.", start)
    reading.library.workspace.catalog.files.remove(reading.library.kb, [str(path)])
    reading.open(replace(document, quoted=quoted))
    assert "no longer holds this document" in reading.viewer.note.text
    view = reading.viewer.text_view
    assert view.toPlainText() == quoted.text
    assert [each.cursor.selectedText() for each in view.extraSelections()] == [
        "Fuel and power were dear."
    ]
    pause(100)
    assert view.toPlainText() == quoted.text


def test_in_a_changed_document_the_quote_is_found_again_on_its_new_page(reading: Reading) -> None:
    quote = "Fuel and power were dear in this year."
    path = reading.pdf("costs.pdf", page(quote, "Wages were paid in time."))
    reading.library.index()
    document = replace(reading.opened(path, quote), texts=(quote,))
    reading.pdf("costs.pdf", page("Foreword: it was a long year."), page("Contents"), page(quote))
    reading.library.index()
    reading.open(document)
    assert reading.viewer.note.text.endswith("The quote was found again: page 3.")
    assert reading.viewer.page_view.isVisible()
    assert reading.viewer.page == 3
    assert not reading.viewer.note.button.isVisible()


def test_in_a_changed_document_without_the_quote_the_kept_passage_is_shown(
    reading: Reading,
) -> None:
    quote = "Fuel and power were dear in this year."
    path = reading.pdf("costs.pdf", page(quote))
    reading.library.index()
    kept = StoredQuote(quote, 0)
    document = replace(reading.opened(path, quote), texts=(quote,), quoted=kept)
    reading.pdf("costs.pdf", page("There is nothing to be said of any cost."))
    reading.library.index()
    reading.open(document)
    assert "the quote is not in it any more" in reading.viewer.note.text
    assert reading.viewer.text_view.toPlainText() == quote
    assert reading.viewer.note.button.isVisible(), "the way to the file as it is now"


def test_a_renamed_document_is_shown_under_its_new_name(reading: Reading) -> None:
    path = report(reading)
    document = reading.opened(path, "Fuel and power were dear.")
    path = path.rename(path.with_name("accounts.pdf"))
    reading.library.index()
    reading.open(document)
    assert reading.viewer.document is not None
    assert reading.viewer.document.path == str(path)
    assert reading.viewer.page_view.isVisible()
    assert not reading.viewer.note.isVisible()


def test_a_page_that_ends_the_child_shows_its_text_and_the_others_are_drawn(
    reading: Reading, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = report(reading)
    renderer = reading.reader.pages._child()
    draw = renderer.draw

    def deadly(path: Path, page: int, area: Any, token: CancelToken | None = None) -> Any:
        if page == 4:
            area = replace(area, width=10**6, height=10**6)  # the child refuses it
        return draw(path, page, area, token)

    monkeypatch.setattr(renderer, "draw", deadly)
    document = reading.opened(path, f"Ferry {TOPICS[4]} number 4 sails at noon.")
    reading.open(document)
    spoilt = reading.viewer.page_view._spoilt
    wait_for(lambda: "Fuel and power" in spoilt.get(4, ""))
    assert list(spoilt) == [4]
    reading.viewer.page_view.go(5)
    wait_for(reading.is_shown)


def test_a_damaged_pdf_shows_the_text_and_why(reading: Reading) -> None:
    path = report(reading)
    document = reading.opened(path, "Fuel and power were dear.")
    stat = path.stat()
    path.write_bytes(b"%PDF-1.4".ljust(stat.st_size, b" "))
    os.utime(path, ns=(stat.st_atime_ns, stat.st_mtime_ns))
    reading.open(document)
    wait_for(reading.viewer.note.isVisible)
    assert "damaged" in reading.viewer.note.text
    wait_for(lambda: "Fuel and power" in reading.viewer.text_view.toPlainText())


def test_words_are_found_in_a_chinese_text(reading: Reading) -> None:
    path = reading.library.write(
        "制度.md", "# 差旅制度\n\n员工报销须十五天内提交。\n\n逾期不予报\n销。\n" * 3
    )
    reading.library.index()
    reading.open(reading.opened(path, "十五天"))
    assert reading.search("报销").endswith(" / 6")


def test_a_long_text_is_found_in_where_it_is_not_shown_yet(reading: Reading) -> None:
    lines = [f"Line {n} of the long story about {TOPICS[n % 16]}." for n in range(1500)]
    path = reading.library.write("long.txt", "\n".join(lines))
    reading.library.index()
    reading.open(reading.opened(path, "Line 20 of the long"))
    assert "Line 1432" not in reading.viewer.text_view.toPlainText()
    assert reading.search("Line 1432 of the") == "1 / 1"
    wait_for(lambda: "Line 1432" in reading.viewer.text_view.toPlainText())


def test_the_passages_of_a_file_are_listed_and_gone_to(reading: Reading) -> None:
    path = report(reading)
    reading.pane.open_file(str(path))
    chunks = reading.viewer.chunks
    wait_for(chunks.model.rowCount)
    wait_for(reading.is_shown)
    listed = reading.library.chunks(path)
    assert chunks.model.rowCount() == len(listed)
    row = next(n for n, each in enumerate(listed) if each.locator.value == 9)
    chunks.list.setCurrentIndex(chunks.model.index(row))
    wait_for(lambda: reading.viewer.page == 9)
    assert reading.viewer.page_view.mark_rects()
    said = chunks.model.index(row).data(Qt.ItemDataRole.AccessibleTextRole)
    assert said.startswith(f"{row + 1}  ·  ")
    assert "page 9  ·  " in said


def test_the_passages_are_those_of_the_file_that_is_shown(reading: Reading) -> None:
    path = report(reading)
    note = reading.library.write("note.md", "# Boat\n\nIt runs on batteries.")
    reading.library.index()
    reading.open(reading.opened(path, "Fuel and power were dear."))
    for _ in range(2):
        reading.pane.open_file(str(note))
        model = reading.viewer.chunks.model
        wait_for(model.rowCount)
        pause(200)
        assert [model.index(row).data() for row in range(model.rowCount())] == [
            each.text for each in reading.library.chunks(note)
        ]
        reading.open(reading.opened(path, "Fuel and power were dear."))


def test_a_file_without_a_text_in_the_index_says_so(reading: Reading) -> None:
    path = reading.library.docs / "picture.zip"
    path.write_bytes(b"PK")
    reading.pane.open_file(str(path))
    wait_for(lambda: "holds no text" in reading.viewer.note.text)


def test_a_page_that_is_drawn_for_a_view_before_is_not_put_into_one_without_pages(
    reading: Reading,
) -> None:
    view = reading.viewer.page_view
    assert len(view.stack) == 0
    area = PageArea.whole(2, 2)
    reading.reader.pages.drawn.emit(Tile(TileRequest(1, area), bytes(16)))
    assert TileRequest(1, area) not in view.pictures


def test_leaving_a_document_lets_go_of_its_file(reading: Reading) -> None:
    path = report(reading)
    reading.open(reading.opened(path, "Fuel and power were dear."))
    reading.viewer.bar.back.click()
    assert not reading.pane.is_reading
    assert len(reading.viewer.page_view.stack) == 0
