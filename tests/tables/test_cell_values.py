import datetime as dt
from decimal import Decimal

import pytest

from desktop_rag.tables.cell_values import ColumnKind, column_values

NUMBERS: dict[str, tuple[list[str], list[str], str]] = {
    "english": (["1,234.5", "12", "-3"], ["1234.5", "12", "-3"], ""),
    "european where the column shows it": (
        ["1.234,56", "1.234", "7,5"],
        ["1234.56", "1234", "7.5"],
        "",
    ),
    "spaces for thousands": (["1 234,5", "12 000"], ["1234.5", "12000"], ""),
    "brackets are negative": (["(1,234)", "56"], ["-1234", "56"], ""),
    "a minus behind": (["12-", "3"], ["-12", "3"], ""),
    "wide digits": (["１２３", "４"], ["123", "4"], ""),
    "ten thousands": (["3.2万", "1亿", "5"], ["32000.0", "100000000", "5"], ""),
    "millions": (["1.5 million", "2 million"], ["1500000.0", "2000000"], ""),
    "per cent": (["12%", "7.5%"], ["12", "7.5"], "%"),
    "currency": (["€ 5", "€6.50", "7"], ["5", "6.50", "7"], "€"),
    "yuan in words": (["5万元", "3元"], ["50000", "3"], "¥"),
    "a unit": (["12 kg", "3.5 kg"], ["12", "3.5"], "kg"),
    "exponents": (["1e3", "2"], ["1E+3", "2"], ""),
}


@pytest.mark.parametrize("case", NUMBERS)
def test_numbers_are_read_as_they_are_written(case: str) -> None:
    cells, wanted, unit = NUMBERS[case]
    found = column_values(cells)
    assert found.kind is ColumnKind.NUMBER
    assert [Decimal(each) for each in wanted] == list(found.values)
    assert found.unit == unit


@pytest.mark.parametrize(
    "cells",
    [
        ["2024-03-05", "2023-12-31"],
        ["2024年3月5日", "2023年12月31日"],
        ["05.03.2024", "31.12.2023"],
        ["3/5/2024", "12/31/2023"],
        ["5/3/2024", "31/12/2023"],
        ["5-Mar-2024", "31 December 2023"],
        ["20240305", "20231231"],
    ],
)
def test_dates_are_read_in_one_order_for_the_whole_column(cells: list[str]) -> None:
    found = column_values(cells)
    assert found.kind is ColumnKind.DATE
    assert found.values == (dt.datetime(2024, 3, 5), dt.datetime(2023, 12, 31))


def test_cells_that_are_no_numbers_are_counted_and_left_out() -> None:
    found = column_values(["1", "2", "3", "4", "5", "6", "7", "8", "9", "about ten", "", "n/a"])
    assert (found.kind, found.misfits, found.filled) == (ColumnKind.NUMBER, 1, 10)
    assert found.values[9:] == (None, None, None)


@pytest.mark.parametrize(
    "cells", [["007", "12"], ["A1", "B2"], ["1", "two", "three"], ["91330402089454841234"], [""]]
)
def test_codes_and_words_stay_text(cells: list[str]) -> None:
    assert column_values(cells).kind is ColumnKind.TEXT


def test_amounts_in_two_currencies_are_not_added_up() -> None:
    found = column_values(["$5", "$6", "$7", "$8", "$9", "€4"])
    assert (found.unit, found.misfits) == ("$", 1)
    assert sum(each for each in found.values if isinstance(each, Decimal)) == 35
