"""The figures of a way on the built-in questions."""

from __future__ import annotations

import pytest

from desktop_rag.evaluation.answer_breakdown import breakdown_row
from desktop_rag.evaluation.answer_metrics import GradedAnswer, exact, f1, holds
from desktop_rag.evaluation.answer_records import FAILED, AnswerRecord
from desktop_rag.evaluation.datasets import EvalQuestion


def graded(
    name: str, told: str, *known: str, mode: str = "generated", cited: tuple[str, ...] = ()
) -> GradedAnswer:
    gold = {"single": ("d1",), "multi": ("d1", "d2"), "none": ()}[name.split("-")[1]]
    record = AnswerRecord(name, told, mode, cited, "single_pass", 3, 900, 50, 2.0)
    return record.graded(EvalQuestion(name, "?", known, frozenset(gold)))


def test_figures_are_told_by_kind_and_language() -> None:
    row = breakdown_row(
        "ircot",
        [
            graded("en-single-01", "44 crowns [1].", "44 crowns", cited=("d1",)),
            graded("en-multi-01", "It is in Eastmere [2].", "Eastmere", cited=("d2", "d9")),
            graded("zh-single-01", "每天100元。", "100元", cited=("d1",)),
            graded("zh-multi-01", "未找到。", "临汐市", mode="refused"),
            graded("en-none-01", "Not found.", mode="refused"),
            graded("zh-none-01", "25元。", cited=("d1",)),
        ],
    )
    assert (row["questions"], row["strategy"], row["dataset"]) == (6, "ircot", "builtin")
    assert (row["exact"], row["holds"]) == (25.0, 75.0)
    assert row["f1_single"] == pytest.approx(100 * (1 + 2 / 3) / 2, abs=0.1)
    assert row["f1_multi"] == pytest.approx(100 * (0.4 + 0) / 2, abs=0.1)
    assert row["f1_en"] == pytest.approx(100 * (1 + 0.4) / 2, abs=0.1)
    assert row["f1_zh"] == pytest.approx(100 * (2 / 3 + 0) / 2, abs=0.1)
    assert row["f1"] == pytest.approx(100 * (1 + 0.4 + 2 / 3 + 0) / 4, abs=0.1)
    assert (row["holds_en"], row["holds_zh"]) == (100.0, 50.0)
    assert row["citation_precision"] == pytest.approx(100 * (1 + 0.5 + 1) / 3, abs=0.1)
    assert row["citation_recall"] == pytest.approx(100 * (1 + 0.5 + 1) / 3, abs=0.1)
    assert (row["refused_right"], row["refused_wrong"]) == (50.0, 25.0)
    assert (row["llm_calls"], row["prompt_tokens"], row["answer_tokens"]) == (3.0, 900, 50)
    assert (row["seconds_p50"], row["seconds"], row["failed"]) == (2.0, 12.0, 0)


def test_what_was_not_asked_has_no_figure() -> None:
    row = breakdown_row("crag", [graded("en-single-01", "", "44", mode=FAILED)])
    assert (row["f1_zh"], row["f1_multi"], row["refused_right"]) == (None, None, None)
    assert (row["failed"], row["f1_en"], row["refused_wrong"]) == (1, 0.0, 0.0)


@pytest.mark.parametrize(
    ("told", "known", "is_held"),
    [
        ("The rent is 1,450 francs [2].", "1,450 francs", True),
        ("The rent is 11,450 francs.", "1,450 francs", False),
        ("伙食补助每天100元。", "100元", True),
        ("伙食补助每天1000元。", "100元", False),
        ("应在四十八小时内报案", "四十八小时", True),
        ("Not found.", "", False),
    ],
)
def test_an_answer_holds_a_known_one_word_for_word(told: str, known: str, is_held: bool) -> None:
    assert holds(told, [known]) == float(is_held)


def test_chinese_is_compared_by_characters_whatever_the_marks() -> None:
    assert exact("２０２４年１０月３１日。", ["2024年10月31日"]) == 1.0
    assert exact("“铁”", ["铁"]) == 1.0
    assert f1("是临汐市", ["临汐市"]) == pytest.approx(6 / 7)
