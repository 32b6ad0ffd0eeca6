"""Markdown cut into prose, code and tables."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from desktop_rag.gui.chat.markdown_blocks import (
    MarkdownBlock,
    blocks_of_kind,
    cells,
    rows_closed,
    split_blocks,
    stable_cuts,
)

TABLE = "| a | b |\n|---|---:|\n| 1 | **2** |"


def test_prose_code_and_tables_are_told_apart_in_order() -> None:
    text = f"One.\n\n```python\nx = [1]\n\ny\n```\nTwo.\n{TABLE}\n\nThree."
    assert split_blocks(text) == (
        MarkdownBlock("prose", "One."),
        MarkdownBlock("code", "x = [1]\n\ny", "python"),
        MarkdownBlock("prose", "Two."),
        MarkdownBlock("table", TABLE),
        MarkdownBlock("prose", "Three."),
    )


def test_code_in_a_list_loses_the_lists_indent_and_keeps_its_own() -> None:
    (code,) = blocks_of_kind("1. Run:\n   ```bash\n   if x\n     y\n   ```\n2. Then.", "code")
    assert code == MarkdownBlock("code", "if x\n  y", "bash", 3)


def test_a_fence_that_is_not_closed_reaches_to_the_end() -> None:
    assert split_blocks("```\na\n| b |\n|---|")[-1] == MarkdownBlock("code", "a\n| b |\n|---|")


def test_a_longer_fence_holds_a_shorter_one() -> None:
    assert blocks_of_kind("````\n```\nx\n```\n````", "code") == (
        MarkdownBlock("code", "```\nx\n```"),
    )


def test_a_citation_behind_a_row_goes_into_its_last_cell() -> None:
    (table,) = blocks_of_kind("| a | b | [1]\n|---|---|\n| 1 | 2 | [1][2]", "table")
    assert table.text == "| a | b [1] |\n|---|---|\n| 1 | 2 [1][2] |"
    assert rows_closed("```\n| a | [1]\n```") == "```\n| a | [1]\n```"


@pytest.mark.parametrize("text", ["a | b", "a | b\nc | d", "---", "x\n---\ny", "| a | b |\n|---|"])
def test_what_only_resembles_a_table_is_prose(text: str) -> None:
    assert [piece.kind for piece in split_blocks(text)] == ["prose"]


def test_cells_are_words_without_the_ruled_line() -> None:
    assert cells(TABLE) == (("a", "b"), ("1", "2"))
    assert cells("a \\| b | c\n---|---\n1 |") == (("a | b", "c"), ("1",))


def test_an_answer_is_cut_where_new_paragraphs_begin() -> None:
    first, second = "First paragraph.\n\n", "- a list\n\n- of two\n\n"
    assert stable_cuts(f"{first}{second}A third") == [len(first + second)]
    assert stable_cuts(f"{first}Second one") == [len(first)]
    assert stable_cuts("Only one so far") == []


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
    assert stable_cuts(text) == []


@given(st.lists(st.sampled_from(["a b", "", "```", "- x", "| a | b |", "|---|---|", "  y"])))
def test_cuts_stay_while_more_comes_and_change_nothing(lines: list[str]) -> None:
    text = "\n".join(lines)
    whole = stable_cuts(text)
    for at in range(len(text) + 1):
        so_far = stable_cuts(text[:at])
        assert so_far == whole[: len(so_far)]
    parts = [text[start:end] for start, end in pairwise([0, *whole, len(text)])]
    assert lines_of(*(piece for part in parts for piece in split_blocks(part))) == lines_of(
        *split_blocks(text)
    )


def lines_of(*cut: MarkdownBlock) -> list[tuple[str, str]]:
    return [(piece.kind, line) for piece in cut for line in piece.text.split("\n") if line]
