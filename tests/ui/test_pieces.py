"""Markdown cut into prose, code and tables."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from desktop_rag.ui.chat.pieces import Piece, blocks, cells, pieces, rows_closed, settled

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


def test_all_up_to_the_last_new_paragraph_is_settled() -> None:
    text = "First paragraph.\n\nSecond one"
    assert settled(text) == len("First paragraph.\n\n")
    assert settled("Only one so far") == 0


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
def test_what_may_still_belong_to_what_is_before_it_is_not_settled(text: str) -> None:
    assert settled(text) == 0


@given(st.lists(st.sampled_from(["a b", "", "```", "- x", "| a | b |", "|---|---|", "  y"])))
def test_what_is_settled_stays_settled_and_cuts_the_same(lines: list[str]) -> None:
    text = "\n".join(lines)
    ends = [settled(text[:at]) for at in range(len(text) + 1)]
    assert ends == sorted(ends)
    at = settled(text)
    assert lines_of(*pieces(text[:at]), *pieces(text[at:])) == lines_of(*pieces(text))


def lines_of(*cut: Piece) -> list[tuple[str, str]]:
    return [(piece.kind, line) for piece in cut for line in piece.text.split("\n") if line]
