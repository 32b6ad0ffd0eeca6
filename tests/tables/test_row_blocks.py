"""Rows of tables as they are looked at: where they stand, their numbers, their cells."""

from __future__ import annotations

import pytest

from desktop_rag.tables.row_blocks import RowBlock, read_blocks
from tests.tables.conftest import Base


def read(base: Base) -> list[RowBlock]:
    (document,) = base.catalog.tables.documents([base.kb])
    return list(read_blocks(base.catalog, document.document_id))


def cells(base: Base, block: RowBlock, row: int) -> tuple[str, ...]:
    (document,) = base.catalog.tables.documents([base.kb])
    start, end = block.starts[row], block.ends[row]
    return block.form.cells(base.catalog.documents.text(document.document_id, start, end))


def test_every_line_is_a_row_with_its_number_in_the_sheet(base: Base) -> None:
    rows = "".join(f"{n},{'a: b; c' if n == 7 else ''},{n / 2}\n" for n in range(1, 400))
    base.add_text("a.csv", f"No,Note,Half\n{rows}")
    (block,) = read(base)
    assert block.form.names == ("No", "Note", "Half")
    assert block.form.header == 0
    assert list(block.numbers) == list(range(1, 401))
    assert cells(base, block, 7) == ("7", "a: b; c", "3.5")
    assert cells(base, block, 399) == ("399", "", "199.5")


def test_blank_rows_part_blocks_and_are_counted(base: Base) -> None:
    blank, head = (None,), ("Item", "Price")
    sheet = [("A title",), blank, head, ("Tea", 3), blank, ("Milk", 4), ("Rice", 5)]
    base.add_book("a.xlsx", {"Prices": sheet})
    blocks = read(base)
    assert [list(each.numbers) for each in blocks] == [[1], [3, 4], [6, 7]]
    assert [cells(base, blocks[2], n) for n in range(2)] == [("Milk", "4"), ("Rice", "5")]


def test_rows_whose_number_is_not_known_have_none(base: Base) -> None:
    blank, head = (None,), ("Item", "Price")
    sheet = [("A title",), blank, blank, head, ("Tea", 3), blank, ("Milk", 4), ("Rice", 5)]
    base.add_book("a.xlsx", {"Prices": sheet})
    assert [list(each.numbers) for each in read(base)] == [[1], [0, 0], [7, 8]]


def test_a_sheet_without_names_is_cells_side_by_side(base: Base) -> None:
    base.add_book("a.xlsx", {"Bare": [(1, 2, 3), (4, 5, 6)]})
    (block,) = read(base)
    assert (block.form.names, block.form.width) == ((), 3)
    assert cells(base, block, 1) == ("4", "5", "6")


def test_a_table_in_a_text_has_its_empty_cells(base: Base) -> None:
    rows = "| Name |  | City |\n|---|---|---|\n| Ann | 2 |  |\n| Bob | 3 | Rome |\n"
    base.add_text("t.md", f"# List\n\n{rows}")
    *_, block = read(base)
    assert block.form.names == ("Name", "", "City")
    assert [cells(base, block, n)[:3] for n in (1, 2)] == [("Ann", "2"), ("Bob", "3", "Rome")]
    assert list(block.numbers) == [0, 0, 0]


def test_stretches_that_are_read_end_at_lines(base: Base, monkeypatch: pytest.MonkeyPatch) -> None:
    base.add_text("a.csv", "No,Note\n" + "".join(f"{n},{'x' * (n % 90)}y\n" for n in range(300)))
    (whole,) = read(base)
    monkeypatch.setattr("desktop_rag.tables.row_blocks._STRETCH", 50)
    (parts,) = read(base)
    assert (parts.starts, parts.ends, parts.numbers) == (whole.starts, whole.ends, whole.numbers)
