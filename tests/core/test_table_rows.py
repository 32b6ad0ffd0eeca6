from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from desktop_rag.core.search_text import search_text
from desktop_rag.core.table_rows import bare_cells, named_row, plain_row

HEADER = "Year Ended December 31, 2022 2021 Average Balance Port"


def test_names_that_the_header_has_are_left_out_of_every_row() -> None:
    rows = "\n".join(
        (
            named_row({1: "2022", 2: "2021"}, {0: "Net sales", 1: "1,034.9", 2: "929.2"}),
            named_row({0: "Port", 1: "2022 › Average Balance"}, {0: "North", 1: "14"}),
            "Total",
        )
    )
    assert bare_cells(rows, HEADER) == "Net sales 1,034.9 929.2\nNorth 14\nTotal"


def test_a_name_that_is_not_in_the_header_stays() -> None:
    assert bare_cells("Port: North; Captain: Ann; 2022: 14", HEADER) == "North; Captain: Ann 14"


def test_cells_between_bars_stand_side_by_side() -> None:
    assert bare_cells(plain_row(["Port", "", "14"]), HEADER) == "Port  14"


def test_running_text_stays_as_it_is() -> None:
    for text in (
        "The port: open at 2022: 14 ships.",
        "Ships sail; in 2022: fourteen of them; see the port's list",
        "",
    ):
        assert bare_cells(text, HEADER) == text


def test_search_reads_the_context_and_the_rows_below_it() -> None:
    read = search_text("Report\nYear 2022 2021", "Sales; 2022: 5; 2021: 4")
    assert read == "Report\nYear 2022 2021\nSales 5 4"


@given(st.lists(st.text("ab 1:;|\n", max_size=8), min_size=1, max_size=4))
def test_no_value_is_lost(values: list[str]) -> None:
    cells = {at: " ".join(value.split()) for at, value in enumerate(values)}
    filled = {at: value for at, value in cells.items() if value}
    row = named_row(dict.fromkeys(filled, "Name"), filled)
    kept = bare_cells(row, "Name")
    assert all(word in kept for value in filled.values() for word in value.split())
