"""Markdown cut into prose, code and tables."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from desktop_rag.ui.chat.pieces import Piece, blocks, cells, cuts, pieces, rows_closed

TABLE = "| a | b |\n|---|---:|\n| 1 | **2** |"


def test_prose_code_and_tables_are_told_apart_in_order() -> None:
    text = f"One.\n\n```python\nx = [1]\n\ny\n```\nTwo.\n{TABLE}\n\nThree."
    assert pieces(text) == (
        Piece("prose", "One."),
        Piece("code", "x = [1]\n\ny", "python"),
        Piece("prose", "Two."),
        Piece("table", TABLE),
        Piece("prose", "Three."),
    )


def test_code_in_a_list_loses_the_lists_indent_and_keeps_its_own() -> None:
    (code,) = blocks("1. Run:\n   ```bash\n   if x\n     y\n   ```\n2. Then.", "code")
    assert code == Piece("code", "if x\n  y", "bash", 3)


def test_a_fence_that_is_not_closed_reaches_to_the_end() -> None:
    assert pieces("```\na\n| b |\n|---|")[-1] == Piece("code", "a\n| b |\n|---|")


def test_a_longer_fence_holds_a_shorter_one() -> None:
    assert blocks("````\n```\nx\n```\n````", "code") == (Piece("code", "```\nx\n```"),)


def test_a_citation_behind_a_row_goes_into_its_last_cell() -> None:
    (table,) = blocks("| a | b | [1]\n|---|---|\n| 1 | 2 | [1][2]", "table")
    assert table.text == "| a | b [1] |\n|---|---|\n| 1 | 2 [1][2] |"
    assert rows_closed("```\n| a | [1]\n```") == "```\n| a | [1]\n```"


@pytest.mark.parametrize("text", ["a | b", "a | b\nc | d", "---", "x\n---\ny", "| a | b |\n|---|"])
def test_what_only_resembles_a_table_is_prose(text: str) -> None:
    assert [piece.kind for piece in pieces(text)] == ["prose"]


def test_cells_are_words_without_the_ruled_line() -> None:
    assert cells(TABLE) == (("a", "b"), ("1", "2"))
    assert cells("a \\| b | c\n---|---\n1 |") == (("a | b", "c"), ("1",))


def test_an_answer_is_cut_where_new_paragraphs_begin() -> None:
    first, second = "First paragraph.\n\n", "- a list\n\n- of two\n\n"
    assert cuts(f"{first}{second}A third") == [len(first + second)]
    assert cuts(f"{first}Second one") == [len(first)]
    assert cuts("Only one so far") == []


@pytest.mark.parametrize(
    "text",
    [
        "- one\n\n- two",
        "1. one\n\n2. two",
        "1. one\n\n   more of it",
        "```\ncode\n\nmore code",
        "Text.\n\n12",
        "> said\n\n> more",
    ],
)
def test_what_may_still_belong_to_what_is_before_it_is_not_cut_off(text: str) -> None:
    assert cuts(text) == []


@given(st.lists(st.sampled_from(["a b", "", "```", "- x", "| a | b |", "|---|---|", "  y"])))
def test_cuts_stay_while_more_comes_and_change_nothing(lines: list[str]) -> None:
    text = "\n".join(lines)
    whole = cuts(text)
    for at in range(len(text) + 1):
        so_far = cuts(text[:at])
        assert so_far == whole[: len(so_far)]
    parts = [text[start:end] for start, end in pairwise([0, *whole, len(text)])]
    assert lines_of(*(piece for part in parts for piece in pieces(part))) == lines_of(*pieces(text))


def lines_of(*cut: Piece) -> list[tuple[str, str]]:
    return [(piece.kind, line) for piece in cut for line in piece.text.split("\n") if line]
