from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from desktop_rag.core.types import BlockKind
from desktop_rag.parsing.format_registry import parse
from desktop_rag.parsing.parsed_document import Block
from tests.parsing.sample_files import Pdf, PdfPage, Put, paragraph

PROSE = ("The committee met in March and agreed on a budget for the", "following year of work.")
Cells = Sequence[tuple[float, str]]


def puts(*rows: Cells, top: float = 640, step: float = 16) -> list[Put]:
    """Lay rows of cells out from a height downwards, a cell at each left edge."""
    return [
        Put(x, top - step * at, cell, size=10) for at, row in enumerate(rows) for x, cell in row
    ]


def page_with(*cells: Put, below: bool = True) -> PdfPage:
    after = paragraph(300, *PROSE) if below else ()
    return PdfPage((*paragraph(720, *PROSE), *cells, *after))


def tables(tmp_path: Path, *pages: PdfPage) -> list[Block]:
    blocks = parse(Pdf(pages).write(tmp_path / "a.pdf")).blocks
    return [block for block in blocks if block.kind is BlockKind.TABLE]


def row_texts(table: Block) -> list[str]:
    return [row.text for row in table.rows]


def value_row(label: str, *values: str) -> Cells:
    return [(50, label), *((250 + 80 * at, value) for at, value in enumerate(values))]


def test_a_name_over_two_columns_is_told_for_both(tmp_path: Path) -> None:
    cells = puts(
        [(285, "2023"), (445, "2022")],
        value_row("", "Orders", "Sales", "Orders", "Sales")[1:],
        value_row("Asia", "1,204", "1,100", "980", "955"),
        value_row("Europe", "220", "210", "198", "195"),
    )
    (table,) = tables(tmp_path, page_with(*cells))
    assert row_texts(table)[2:] == [
        "Asia; 2023 › Orders: 1,204; 2023 › Sales: 1,100; 2022 › Orders: 980; 2022 › Sales: 955",
        "Europe; 2023 › Orders: 220; 2023 › Sales: 210; 2022 › Orders: 198; 2022 › Sales: 195",
    ]


def test_an_empty_cell_moves_no_value_under_another_name(tmp_path: Path) -> None:
    cells = puts(
        value_row("Port", "Ships", "Dues", "Staff"),
        value_row("North", "14", "1,250", "7"),
        [(50, "South"), (330, "2,480"), (410, "9")],
        [(50, "West"), (250, "21"), (410, "8")],
    )
    (table,) = tables(tmp_path, page_with(*cells))
    assert row_texts(table)[1:] == [
        "Port: North; Ships: 14; Dues: 1,250; Staff: 7",
        "Port: South; Dues: 2,480; Staff: 9",
        "Port: West; Ships: 21; Staff: 8",
    ]


def test_currency_signs_and_per_cent_stay_with_their_numbers(tmp_path: Path) -> None:
    cells = puts(
        value_row("", "2023", "2022")[1:],
        [(50, "Sales"), (230, "$"), (250, "1,204"), (310, "$"), (330, "1,100")],
        [(50, "Share"), (250, "11.4"), (290, "%"), (330, "10.9"), (370, "%")],
    )
    (table,) = tables(tmp_path, page_with(*cells))
    assert row_texts(table)[1:] == [
        "Sales; 2023: $ 1,204; 2022: $ 1,100",
        "Share; 2023: 11.4%; 2022: 10.9%",
    ]


def test_cells_of_several_lines_are_whole_in_whatever_order_they_are_drawn(tmp_path: Path) -> None:
    head = puts([(50, "Item"), (150, "Description"), (500, "Dues")])
    first = [
        Put(50, 620, "Harbour", size=10),
        Put(150, 620, "It was dredged before the winter by", size=10),
        Put(150, 608, "two ships.", size=10),
        Put(500, 620, "1,250", size=10),
    ]
    second = [
        Put(50, 590, "Bridge", size=10),
        Put(150, 590, "It was painted as it had been,", size=10),
        Put(500, 590, "2,480", size=10),
        Put(150, 578, "and inspected.", size=10),
    ]
    (table,) = tables(tmp_path, page_with(*head, *first, *second))
    assert row_texts(table)[1:] == [
        "Item: Harbour; Description: It was dredged before the winter by two ships.; Dues: 1,250",
        "Item: Bridge; Description: It was painted as it had been, and inspected.; Dues: 2,480",
    ]


def test_a_header_that_is_drawn_after_its_rows_names_them(tmp_path: Path) -> None:
    rows = puts(value_row("Sales", "1,204", "1,100"), value_row("Costs", "980", "955"))
    head = puts(value_row("", "2023", "2022")[1:], top=656)
    (table,) = tables(tmp_path, page_with(*rows, *head))
    assert row_texts(table)[1:] == [
        "Sales; 2023: 1,204; 2022: 1,100", "Costs; 2023: 980; 2022: 955",
    ]  # fmt: skip


def test_a_second_header_begins_a_table_of_its_own(tmp_path: Path) -> None:
    cells = puts(
        value_row("", "2023", "2022")[1:],
        value_row("Sales", "1,204", "1,100"),
        value_row("Costs", "980", "955"),
        value_row("", "2021", "2020")[1:],
        value_row("Sales", "804", "700"),
        value_row("Costs", "580", "555"),
    )
    first, second = tables(tmp_path, page_with(*cells))
    assert row_texts(first)[1:] == [
        "Sales; 2023: 1,204; 2022: 1,100", "Costs; 2023: 980; 2022: 955",
    ]  # fmt: skip
    assert row_texts(second)[1:] == [
        "Sales; 2021: 804; 2020: 700", "Costs; 2021: 580; 2020: 555",
    ]  # fmt: skip


def test_a_table_that_goes_on_over_the_page_keeps_its_names_and_units(tmp_path: Path) -> None:
    head = puts([(250, "(in thousands)")], value_row("", "2023", "2022")[1:], top=672)
    rows = puts(value_row("Sales", "1,204", "1,100"), value_row("Costs", "980", "955"))
    more = puts(value_row("Taxes", "104", "110"), value_row("Profit", "120", "35"), top=740)
    one = page_with(*head, *rows, below=False)
    other = PdfPage((*more, *paragraph(300, *PROSE)))
    first, second = tables(tmp_path, one, other)
    assert second.header == first.header == "(in thousands)\n2023 2022"
    assert row_texts(second) == ["Taxes; 2023: 104; 2022: 110", "Profit; 2023: 120; 2022: 35"]


def test_a_table_after_text_does_not_take_the_names_of_the_page_before(tmp_path: Path) -> None:
    head = puts(value_row("", "2023", "2022")[1:], top=656)
    rows = puts(value_row("Sales", "1,204", "1,100"), value_row("Costs", "980", "955"))
    one = page_with(*head, *rows, below=False)
    _, second = tables(tmp_path, one, page_with(*rows))
    assert row_texts(second) == ["Sales\t1,204\t1,100", "Costs\t980\t955"]


def test_each_row_of_a_table_has_the_box_of_its_lines(tmp_path: Path) -> None:
    cells = puts(
        value_row("", "2023", "2022")[1:],
        value_row("Sales", "1,204", "1,100"),
        value_row("Costs", "980", "955"),
    )
    (table,) = tables(tmp_path, page_with(*cells))
    told = [table.text[box.start : box.end] for box in table.boxes]
    assert told == row_texts(table)
    tops = [box.y0 for box in table.boxes]
    assert tops == sorted(tops)


def test_running_text_in_two_columns_keeps_its_lines(tmp_path: Path) -> None:
    left, right = "The ships that came from the north in", "spring had been at sea for 12 weeks and"
    cells = puts(*([(50, f"{left} {n}"), (330, f"{right} {n}")] for n in range(1800, 1806)))
    blocks = parse(Pdf((PdfPage(tuple(cells)),)).write(tmp_path / "a.pdf")).blocks
    text = "\n".join(block.text for block in blocks)
    assert ";" not in text
    assert "|" not in text
    assert all(f"{left} {n}" in text for n in range(1800, 1806))


def test_a_title_over_a_table_is_the_heading_of_it_and_of_what_follows(tmp_path: Path) -> None:
    title = Put(230, 660, "STATEMENTS OF INCOME", size=12, bold=True)
    cells = puts(
        [(250, "Years ended June 30,")],
        value_row("", "2022", "2021")[1:],
        value_row("Net sales", "1,034", "929"),
        value_row("Cost of goods sold", "650", "580"),
        value_row("Gross profit", "384", "349"),
    )
    page = page_with(title, *cells)
    blocks = parse(Pdf((page,)).write(tmp_path / "a.pdf")).blocks
    kinds = [block.kind for block in blocks]
    at = kinds.index(BlockKind.TABLE)
    assert (kinds[at - 1], blocks[at - 1].text) == (BlockKind.HEADING, "STATEMENTS OF INCOME")
    assert row_texts(blocks[at])[-1] == (
        "Gross profit; Years ended June 30, 2022: 384; Years ended June 30, 2021: 349"
    )
    assert "STATEMENTS" not in blocks[at].text + blocks[at].header


def test_three_dots_lead_to_a_value_as_many_do(tmp_path: Path) -> None:
    long = "Loans and leases, net of an allowance for losses of $14,193 and $12,416 in all"
    rows = [
        f"{label} {dots} {value}"
        for label, dots, value in (
            ("Securities held for sale", "." * 40, "476,091"),
            (f"{long}, of which some are due", "...", "1,110,124"),
            ("Premises and equipment, net", "." * 36, "15,616"),
            ("Other assets of the bank", "." * 38, "43,005"),
        )
    ]
    cells = [Put(50, 640 - 14 * at, row, size=10) for at, row in enumerate(rows)]
    (table,) = tables(tmp_path, page_with(*cells))
    assert len(table.rows) == 4
