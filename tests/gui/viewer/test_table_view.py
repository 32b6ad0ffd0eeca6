"""Tables on screen: cells, rows that are marked, sheets, what is found and copied."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QColor, QGuiApplication
from pytestqt.qtbot import QtBot

from desktop_rag.core.paths import resources
from desktop_rag.core.types import UsedRows
from desktop_rag.gui.controllers.open_document import OpenDocument
from desktop_rag.gui.viewer.pdf_painting import HIT_NOW, MARK, MARK_NOW
from desktop_rag.gui.viewer.table_model import DocumentTableModel
from testing.qt_wait import wait_for
from tests.gui.viewer.viewer_driver import Reading

ORDERS = "Order,Region,Amount\n" + "".join(
    f"A{n},{'North' if n % 3 else 'South'},{n}.50\n" for n in range(1, 901)
)
Sheets = Mapping[str, Sequence[Sequence[object]]]
Book = Callable[[str, Sheets], Path]


@pytest.fixture
def orders(reading: Reading) -> Path:
    path = reading.library.write("orders.csv", ORDERS)
    reading.library.index()
    return path


@pytest.fixture
def book(reading: Reading) -> Book:
    def made(name: str, sheets: Sheets) -> Path:
        import openpyxl

        workbook = openpyxl.Workbook()
        del workbook[workbook.sheetnames[0]]
        for title, rows in sheets.items():
            sheet = workbook.create_sheet(title)
            for row in rows:
                sheet.append(list(row))
        path = reading.library.docs / name
        workbook.save(path)
        reading.library.index()
        return path

    return made


def model(reading: Reading) -> DocumentTableModel:
    return reading.viewer.table_view.model


def row(reading: Reading, at: int) -> list[str]:
    return [model(reading).cell(at, column) for column in range(model(reading).columnCount())]


def colored(reading: Reading, color: str) -> list[tuple[int, int]]:
    shown = model(reading)
    places = [(r, c) for r in range(shown.rowCount()) for c in range(shown.columnCount())]
    return [place for place in places if shown.color(*place) == color]


def used(document: OpenDocument, reading: Reading, *rows: str, total: int = 900) -> OpenDocument:
    """Return a document as an answer opens it that was made from rows that begin so."""
    number = document.document_id
    assert number is not None
    text = reading.library.workspace.catalog.documents.text(number)
    starts = [text.index(each) for each in rows]
    ranges = tuple((at, text.index("\n", at)) for at in starts)
    return replace(document, used=(UsedRows(number, len(rows), total, ("Amount",), ranges),))


def test_a_csv_opens_as_a_table_with_its_marked_row_in_sight(
    reading: Reading, orders: Path
) -> None:
    reading.open(reading.opened(orders, "Order: A700; Region: North"))
    view = reading.viewer.table_view
    assert reading.viewer._stack.currentWidget() is view
    horizontal, vertical = Qt.Orientation.Horizontal, Qt.Orientation.Vertical
    assert [model(reading).headerData(n, horizontal) for n in range(3)] == [
        "Order", "Region", "Amount",
    ]  # fmt: skip
    assert model(reading).rowCount() == 900
    assert model(reading).headerData(699, vertical) == "701"
    assert row(reading, 699) == ["A700", "North", "700.50"]
    assert {place[0] for place in colored(reading, MARK_NOW)} == {699}
    assert 699 in view.cells.around(0)
    amount = model(reading).index(699, 2)
    align = model(reading).data(amount, Qt.ItemDataRole.TextAlignmentRole)
    assert align & Qt.AlignmentFlag.AlignRight
    assert row(reading, 5) == ["", "", ""], "what is out of sight was read"


def test_all_rows_that_a_result_rests_on_are_marked_and_gone_to(
    reading: Reading, orders: Path
) -> None:
    document = reading.opened(orders, "Order: A30; Region: South")
    rows = "Order: A3; ", "Order: A30; ", "Order: A600; "
    reading.open(used(document, reading, *rows))
    assert {place[0] for place in colored(reading, MARK)} == {2, 599}
    assert {place[0] for place in colored(reading, MARK_NOW)} == {29}
    said = reading.viewer.table_view.note.text()
    assert said.startswith("The result rests on 3 of 900 rows.")
    assert reading.viewer.bar.marks.text() == "2 / 3"
    reading.viewer.bar.next_mark.click()
    assert {place[0] for place in colored(reading, MARK_NOW)} == {599}
    assert 599 in reading.viewer.table_view.cells.around(0)
    reading.viewer.bar.next_mark.click()
    assert reading.viewer.bar.marks.text() == "1 / 3"


def test_where_all_rows_count_the_columns_are_marked(reading: Reading, orders: Path) -> None:
    document = reading.opened(orders, "Order: A1; Region: North")
    assert document.document_id is not None
    text = reading.library.workspace.catalog.documents.text(document.document_id)
    whole = (text.index("Order: A1; "), len(text))
    rests = UsedRows(document.document_id, 900, 900, ("Amount",), (whole,))
    reading.open(replace(document, used=(rests,)))
    assert reading.viewer.table_view.note.text().startswith("The result rests on all 900 rows.")
    assert {column for _, column in colored(reading, MARK)} == {2}
    assert len(colored(reading, MARK)) == 899, "the cited row has the stronger colour"


def test_a_passage_from_the_list_is_marked_alone(reading: Reading, orders: Path) -> None:
    document = reading.opened(orders, "Order: A3; Region: South")
    reading.open(used(document, reading, "Order: A3; ", "Order: A600; "))
    reading.viewer.bar.passages.click()
    wait_for(reading.viewer.chunks.model.rowCount)
    reading.viewer.chunks.list.setCurrentIndex(reading.viewer.chunks.model.index(1))
    reading.viewer.chunks.list.activated.emit(reading.viewer.chunks.model.index(1))
    wait_for(lambda: 599 not in {place[0] for place in colored(reading, MARK)})
    assert not reading.viewer.table_view.note.isVisible()


def test_the_sheet_of_the_mark_is_shown_and_another_can_be_chosen(
    reading: Reading, book: Book
) -> None:
    head = ("Item", "Price")
    sheets = {"May": [head, ("Tea", 3), ("Milk", 4)], "June": [head, ("Rice", 5), ("Salt", 6)]}
    path = book("shop.xlsx", sheets)
    reading.open(reading.opened(path, "Item: Salt; Price: 6"))
    view = reading.viewer.table_view
    assert [view.chooser.itemText(n) for n in range(view.chooser.count())] == ["May", "June"]
    assert (view.chooser.currentText(), row(reading, 1)) == ("June", ["Salt", "6"])
    view.chooser.setCurrentIndex(0)
    view.chooser.activated.emit(0)
    wait_for(reading.is_shown)
    assert row(reading, 0) == ["Tea", "3"]
    assert colored(reading, MARK_NOW) == []


def test_titles_and_blank_rows_leave_the_sheet_s_numbers_right(
    reading: Reading, book: Book
) -> None:
    path = book("a.xlsx", {"S": [("Stock",), (None,), ("Item", "Price"), ("Tea", 3), ("Rice", 4)]})
    reading.open(reading.opened(path, "Item: Tea"))
    vertical = Qt.Orientation.Vertical
    numbers = [model(reading).headerData(n, vertical) for n in range(3)]
    assert numbers == ["1", "4", "5"]
    assert row(reading, 0)[0] == "Stock"


def test_words_are_found_in_cells_and_not_in_the_names_of_columns(
    reading: Reading, book: Book
) -> None:
    head = ("Item", "Price")
    path = book("b.xlsx", {"May": [head, ("Tea", 3)], "June": [head, ("Rice", 5), ("Tea", 6)]})
    reading.open(reading.opened(path, "Item: Tea; Price: 3"))
    assert reading.search("tea") == "1 / 2"
    assert colored(reading, HIT_NOW) == [(0, 0)]
    reading.viewer.finder.following.click()
    wait_for(reading.is_shown)
    assert reading.viewer.table_view.chooser.currentText() == "June"
    assert colored(reading, HIT_NOW) == [(1, 0)]
    reading.viewer.finder.edit.clear()
    assert reading.search("Item") == "No place found"


def test_cells_are_copied_as_a_table_and_no_formula(reading: Reading) -> None:
    path = reading.library.write("f.csv", "Name,Sum\n=cmd(),5\nBob,<b>6\n")
    reading.library.index()
    reading.open(reading.opened(path, "Name: Bob"))
    cells = reading.viewer.table_view.cells
    cells.setCurrentIndex(model(reading).index(0, 0))
    cells.selectColumn(0)
    cells.copy()
    wait_for(lambda: QGuiApplication.clipboard().text().startswith("Name\n"))
    assert QGuiApplication.clipboard().text() == "Name\n'=cmd()\nBob\n"
    cells.selectRow(1)
    cells.copy()
    wait_for(lambda: "<td>&lt;b&gt;6</td>" in QGuiApplication.clipboard().mimeData().html())


def test_the_text_is_a_click_away_and_so_is_the_table(reading: Reading, orders: Path) -> None:
    reading.open(reading.opened(orders, "Order: A5; Region: North"))
    bar = reading.viewer.bar
    assert bar.as_table.isVisible()
    assert bar.as_table.isChecked()
    bar.as_text.click()
    wait_for(reading.is_shown)
    assert reading.viewer._stack.currentWidget() is reading.viewer.text_view
    bar.as_table.click()
    wait_for(reading.is_shown)
    assert reading.viewer._stack.currentWidget() is reading.viewer.table_view


def test_a_text_with_a_table_opens_as_a_text_unless_an_answer_comes_from_the_table(
    reading: Reading,
) -> None:
    table = "| Name | Amount |\n|---|---|\n| Ann | 5 |\n| Bob | 7 |\n"
    path = reading.library.write("t.md", f"# Pay\n\nWe pay on Mondays.\n\n{table}")
    reading.library.index()
    document = reading.opened(path, "Ann | 5")
    reading.open(document)
    assert reading.viewer._stack.currentWidget() is reading.viewer.text_view
    assert reading.viewer.bar.as_table.isVisible()
    reading.viewer.leave()
    reading.open(used(document, reading, "Ann | 5", total=2))
    assert reading.viewer._stack.currentWidget() is reading.viewer.table_view
    assert [row(reading, n) for n in range(2)] == [["Ann", "5"], ["Bob", "7"]]


def test_a_text_without_a_table_offers_none(reading: Reading) -> None:
    path = reading.library.write("t.md", "# Pay\n\nWe pay on Mondays.\n")
    reading.library.index()
    reading.open(reading.opened(path, "Mondays"))
    assert not reading.viewer.bar.as_table.isVisible()


def test_of_a_file_that_is_gone_the_stored_table_is_shown(reading: Reading, orders: Path) -> None:
    document = reading.opened(orders, "Order: A5; Region: North")
    orders.unlink()
    reading.open(document)
    assert reading.viewer.note.isVisible()
    assert row(reading, 4) == ["A5", "North", "5.50"]


def test_rows_of_a_text_that_was_changed_are_not_marked(reading: Reading, orders: Path) -> None:
    document = reading.opened(orders, "Order: A700; Region: North")
    document = used(document, reading, "Order: A700; ", "Order: A9; ")
    document = replace(document, texts=("Order: A700; Region: North",), content_hash="other")
    orders.write_text(ORDERS.replace("A1,", "A1 first,"), encoding="utf-8")
    reading.library.index()
    reading.open(document)
    assert {place[0] for place in colored(reading, MARK_NOW)} == {699}
    assert colored(reading, MARK) == []


def test_a_wide_table_has_all_its_columns_and_narrow_ones(reading: Reading) -> None:
    names = ",".join(f"c{n}" for n in range(400))
    values = ",".join(str(n) for n in range(400))
    path = reading.library.write("wide.csv", f"{names}\n{values}\n{values}\n")
    reading.library.index()
    reading.open(reading.opened(path, "c0: 0"))
    assert model(reading).columnCount() == 400
    assert row(reading, 1)[399] == "399"
    assert reading.viewer.table_view.cells.columnWidth(3) < 60


def test_the_model_keeps_what_qt_asks_of_one(
    reading: Reading, orders: Path, qtmodeltester: object
) -> None:
    reading.open(reading.opened(orders, "Order: A5; Region: North"))
    qtmodeltester.check(model(reading))  # type: ignore[attr-defined]


def test_a_selected_cell_is_offered_to_be_asked_about(
    reading: Reading, orders: Path, qtbot: QtBot
) -> None:
    reading.open(reading.opened(orders, "Order: A5; Region: North"))
    cells = reading.viewer.table_view.cells
    cells.selectRow(4)
    assert cells.selected == "A5\tNorth\t5.50"
    assert model(reading).data(model(reading).index(4, 0), Qt.ItemDataRole.BackgroundRole) == (
        QColor(MARK_NOW)
    )


def test_a_table_on_a_page_is_a_click_away_where_there_is_room(reading: Reading) -> None:
    samples = resources() / "samples" / "Annual report 2024.pdf"
    reading.library.run(samples)
    report = reading.opened(samples, "Fuel")
    bar = reading.viewer.bar
    reading.open(report)
    assert reading.viewer._stack.currentWidget() is reading.viewer.page_view
    assert bar.as_text.text() == "Pages"
    bar.as_table.click()
    wait_for(reading.is_shown)
    assert reading.viewer._stack.currentWidget() is reading.viewer.table_view
    bar.as_text.click()
    assert reading.viewer._stack.currentWidget() is reading.viewer.page_view
    reading.pane.resize(320, 600)
    assert bar.zoom_in.isVisible()
    assert not bar.as_table.isVisible()
