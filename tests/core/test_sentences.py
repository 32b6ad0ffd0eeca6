from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from desktop_rag.core.sentences import sentences


def cut(text: str) -> list[str]:
    return [span.of(text) for span in sentences(text)]


@pytest.mark.parametrize(
    "whole",
    [
        "Dr. Smith met Mrs. Jones on Jan. 5 at Acme Inc. in Boston.",
        "It costs $3.50 (see Fig. 3, e.g. the U.S. edition).",
        "J. R. R. Tolkien wrote it.",
        "Version 2.0.1 is out.",
        "He asked what it was... and left.",
    ],
)
def test_a_full_stop_inside_a_sentence_does_not_end_it(whole: str) -> None:
    assert cut(whole) == [whole]


def test_sentences_end_at_their_marks() -> None:
    assert cut('He left. "Really?" she asked. So it was! Why?') == [
        "He left.",
        '"Really?" she asked.',
        "So it was!",
        "Why?",
    ]


def test_an_abbreviation_may_end_a_sentence_that_another_clearly_follows() -> None:
    assert cut("She works for Acme Corp. The firm is old.") == [
        "She works for Acme Corp.",
        "The firm is old.",
    ]


def test_chinese_and_japanese_sentences_need_no_space() -> None:
    assert cut("今天很好。“你好！”真的吗？是3.5万元。") == [
        "今天很好。",
        "“你好！”",
        "真的吗？",
        "是3.5万元。",
    ]
    assert cut("東京は首都です。人口は多い。") == ["東京は首都です。", "人口は多い。"]


def test_a_citation_belongs_to_the_sentence_before_it() -> None:
    assert cut("Nine serve. [1] They sit for life [2][3]. 共九人。[4]就职终身。") == [
        "Nine serve. [1]",
        "They sit for life [2][3].",
        "共九人。[4]",
        "就职终身。",
    ]


def test_list_items_and_headings_stand_alone() -> None:
    text = "Duties\n\n1. Pay the rent\n2. Keep it clean. Always.\n- no dogs\n（一）总则\n（二）附则"
    assert cut(text) == [
        "Duties",
        "1. Pay the rent",
        "2. Keep it clean.",
        "Always.",
        "- no dogs",
        "（一）总则",
        "（二）附则",
    ]


def test_lines_that_a_page_has_wrapped_are_one_sentence() -> None:
    text = (
        "The tenant shall give notice in writing at least\nthree months before the end. It is due."
    )
    assert cut(text) == [text[: text.index(" It")], "It is due."]


def test_rows_of_a_table_stay_apart() -> None:
    assert cut("Year | Revenue | Cost of everything that was sold\n2023 | 4.1 | 3.9") == [
        "Year | Revenue | Cost of everything that was sold",
        "2023 | 4.1 | 3.9",
    ]
    rows = "name: A. B; note: It ends. Here\nname: C; note: none"
    spans = sentences(rows, by_line=True)
    assert [span.of(rows) for span in spans] == rows.splitlines()


@given(st.text(alphabet="ab A.!?。！\n\t”[1]-|", max_size=60))
def test_no_letter_is_lost_and_none_comes_twice(text: str) -> None:
    spans = sentences(text)
    assert "".join("".join(span.of(text).split()) for span in spans) == "".join(text.split())
    assert all(a.end <= b.start for a, b in pairwise(spans))
