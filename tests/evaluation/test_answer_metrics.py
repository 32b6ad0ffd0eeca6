from __future__ import annotations

import pytest

from desktop_rag.core.events import Answer
from desktop_rag.core.types import ChunkId, Citation, Locator, LocatorKind
from desktop_rag.evaluation import answer_metrics
from desktop_rag.evaluation.answer_metrics import GradedAnswer, exact, f1
from desktop_rag.evaluation.datasets import EvalQuestion


def marked(
    text: str, *cited: str, known: tuple[str, ...] = (), gold: tuple[str, ...] = ()
) -> GradedAnswer:
    citations = tuple(
        Citation(n, ChunkId(n), path, Locator(LocatorKind.PART, ""), "quote", 0)
        for n, path in enumerate(cited, start=1)
    )
    return GradedAnswer(
        EvalQuestion("q", "Which?", known, frozenset(gold)),
        Answer(
            text=text,
            mode="generated" if text else "refused",
            citations=citations,
            strategy="single_pass",
            model="m",
            llm_calls=1,
            searches=1,
            passages=5,
            prompt_tokens=0,
            answer_tokens=0,
            seconds=0.0,
            from_model=(),
        ),
        frozenset(cited),
    )


@pytest.mark.parametrize("told", ["The Beatles.", "beatles [1]", "BEATLES"])
def test_case_marks_articles_and_numbers_of_sources_do_not_count(told: str) -> None:
    assert exact(told, ["the Beatles"]) == 1.0


def test_f1_shares_what_is_shared() -> None:
    assert f1("red blue", ["blue green", "yellow"]) == pytest.approx(0.5)
    assert f1("北京市", ["北京"]) == pytest.approx(0.8)
    assert f1("", ["blue"]) == 0.0


@pytest.mark.parametrize(
    ("told", "known", "share"),
    [
        ("公司于2020年成立", "2020年", 4 / 9),
        ("30天", "需要30天", 2 / 3),
        ("用Qt写成", "Qt", 2 / 5),
    ],
)
def test_numbers_and_latin_words_stand_apart_from_chinese(
    told: str, known: str, share: float
) -> None:
    assert f1(told, [known]) == pytest.approx(share)


def test_a_row_tells_answers_citations_and_refusals_apart() -> None:
    row = answer_metrics.answer_row(
        "set/dev",
        "single_pass",
        [
            marked("Paris", "1", "2", known=("Paris",), gold=("1", "3")),
            marked("Rome", "4", known=("Oslo",), gold=("4",)),
            marked("", gold=()),
        ],
    )
    assert (row["exact"], row["f1"]) == (50.0, 50.0)
    assert (row["citation_precision"], row["citation_recall"]) == (75.0, 75.0)
    assert (row["refused"], row["refused_right"]) == (33.3, 100.0)
    assert row["llm_calls"] == 1.0


def test_to_refuse_what_has_an_answer_is_not_right_though_no_passage_is_known() -> None:
    assert (
        answer_metrics.answer_row("d", "s", [marked("", known=("Paris",))])["refused_right"] is None
    )


def test_without_hopeless_questions_no_refusal_is_right_or_wrong() -> None:
    assert answer_metrics.answer_row("d", "s", [marked("x", gold=("1",))])["refused_right"] is None
