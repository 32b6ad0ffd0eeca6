from __future__ import annotations

from desktop_rag.core.types import LocatorKind
from desktop_rag.parsing.parsed_document import BlockLocator
from desktop_rag.parsing.table_blocks import CellRow, is_header, pipe_table, table_blocks_of


def place_of(row: CellRow) -> BlockLocator:
    return BlockLocator(LocatorKind.ROW, row.number)


def sheet(*rows: tuple[str, ...]) -> list[CellRow]:
    return [CellRow(at, cells) for at, cells in enumerate(rows, start=1)]


def texts(*rows: tuple[str, ...]) -> list[list[str]]:
    return [[row.text for row in block.rows] for block in table_blocks_of(sheet(*rows), place_of)]


def test_names_are_told_from_values() -> None:
    below = [("Tea", "1.50"), ("Coffee", "2.50")]
    assert is_header(("name", "price"), below)
    assert not is_header(("Tea", "1.50"), below)
    assert not is_header(("name", ""), below)
    assert not is_header(("name", "name"), below)
    assert not is_header(("name", "price"), [])
    assert not is_header(("yes", "no", "yes"), [("no", "yes", "yes")])


def test_a_blank_row_parts_tables_with_headers_of_their_own() -> None:
    found = texts(("name", "price"), ("Tea", "1"), ("", ""), ("city", "country"), ("Rome", "Italy"))
    assert found == [
        ["name | price", "name: Tea; price: 1"],
        ["city | country", "city: Rome; country: Italy"],
    ]


def test_a_table_goes_on_after_a_blank_row() -> None:
    found = texts(("name", "price"), ("Tea", "1"), ("", ""), ("Coffee", "2"))
    assert found[1] == ["name: Coffee; price: 2"]


def test_a_caption_above_the_names_stays_a_line() -> None:
    found = texts(("Prices of 2024", ""), ("name", "price"), ("Tea", "1"))
    assert found == [["Prices of 2024", "name | price", "name: Tea; price: 1"]]


def test_cells_between_bars_tell_their_header() -> None:
    place = BlockLocator(LocatorKind.SLIDE, 3)
    (block,) = pipe_table(sheet(("name", "price"), ("Tea", "1")), place)
    assert block.header == "name | price"
    assert [row.text for row in block.rows] == ["name | price", "Tea | 1"]
    assert block.text == "name | price\nTea | 1"


def test_columns_of_the_same_name_keep_it() -> None:
    found = texts(("shop", "sold", "sold"), ("Rome", "12", "7"), ("Oslo", "3", ""))
    assert found[0][1:] == ["shop: Rome; sold: 12; sold: 7", "shop: Oslo; sold: 3"]
