"""Rows of tables in Markdown: where a citation stands."""

import pytest

from desktop_rag.core.markdown_tables import citations_into_cell


@pytest.mark.parametrize(
    ("row", "meant"),
    [
        ("| a | b | [1]", "| a | b [1] |"),
        ("| a | b | [1] [2] ", "| a | b [1] [2] |"),
        ("| a | b [1] |", "| a | b [1] |"),
        ("a | b | [1]", "a | b | [1]"),
        ("| [1]", "| [1]"),
        ("  |[1]", "  |[1]"),
    ],
)
def test_a_citation_behind_a_row_goes_into_its_last_cell(row: str, meant: str) -> None:
    assert citations_into_cell(row) == meant
