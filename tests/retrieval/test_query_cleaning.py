from __future__ import annotations

import pytest

from desktop_rag.retrieval.query_cleaning import without_answer_instructions


@pytest.mark.parametrize(
    ("question", "left"),
    [
        (
            "What was Albany's revenue? If data is not available, return 'N/A'. Answer in euros.",
            "What was Albany's revenue?",
        ),
        ("Who is the chair? Please answer in one sentence.", "Who is the chair?"),
        ("Which posts changed? Give me the titles only.", "Which posts changed?"),
        ("缓冲区面积是多少？请用一句话回答。", "缓冲区面积是多少？"),
    ],
)
def test_sentences_on_how_to_answer_are_left_out(question: str, left: str) -> None:
    assert without_answer_instructions(question) == left


@pytest.mark.parametrize(
    "question",
    [
        "Answer to the Ultimate Question",
        "If the lease ends early, who pays?",
        "I moved in May. Who pays for repairs? The tap drips.",
        "The tenant moved out. If the lease ends early, who bears the cost?",
        "",
    ],
)
def test_everything_else_stays_as_it_is(question: str) -> None:
    assert without_answer_instructions(question) == question
