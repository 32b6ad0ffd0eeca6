from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from desktop_rag.core.search_text import search_text
from desktop_rag.core.table_rows import named_row, plain_row, without_names

HEADER = "Year Ended December 31, 2022 2021 Average Balance Port"


def test_names_that_the_header_has_are_left_out_of_every_row() -> None:
    rows = "\n".join(
        (
            named_row({1: "2022", 2: "2021"}, {0: "Net sales", 1: "1,034.9", 2: "929.2"}),
            named_row({0: "Port", 1: "2022 › Average Balance"}, {0: "North", 1: "14"}),
            "Total",
        )
    )
    assert without_names(rows, HEADER) == "Net sales 1,034.9 929.2\nNorth 14\nTotal"


def test_a_row_keeps_all_its_names_where_one_is_not_in_the_header() -> None:
    row = "Port: North; Captain: Ann; 2022: 14"
    assert without_names(row, HEADER) == row


def test_running_text_and_cells_between_bars_stay_as_they_are() -> None:
    for text in ("Port: open at 2022: 14 ships.", plain_row(["Port", "", "2022: 14"]), ""):
        assert without_names(text, HEADER) == text
    sentence = "Ships sail; in 2022: fourteen of them; see the port's list"
    assert without_names(sentence, HEADER) == sentence


def test_search_reads_the_context_and_the_rows_below_it() -> None:
    read = search_text("Report\nYear 2022 2021", "Sales; 2022: 5; 2021: 4")
    assert read == "Report\nYear 2022 2021\nSales 5 4"


@given(st.lists(st.text("ab 1:;|\n", max_size=8), min_size=1, max_size=4))
def test_no_value_is_lost(values: list[str]) -> None:
    cells = {at: " ".join(value.split()) for at, value in enumerate(values)}
    filled = {at: value for at, value in cells.items() if value}
    row = named_row(dict.fromkeys(filled, "Name"), filled)
    kept = without_names(row, "Name")
    assert all(word in kept for value in filled.values() for word in value.split())
