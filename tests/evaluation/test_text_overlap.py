"""BLEU and ROUGE-L, held against the libraries that are known for them."""

from __future__ import annotations

import random

import pytest
from rouge_score.rouge_scorer import RougeScorer
from sacrebleu import sentence_bleu

from desktop_rag.evaluation.text_overlap import bleu, common_length, rouge_l, without_citations

PAIRS = [
    ("The cat sat on the mat.", "The cat lay on the mat, and slept."),
    ("Revenue rose by 12 percent to 480 million.", "Revenue fell by 12 percent to 408 million."),
    ("Nothing in common", "Quite other words here"),
    ("one two three", "one two three"),
    ("a b a b c a b", "b a b a c b a"),
]


@pytest.mark.parametrize(("told", "known"), PAIRS)
def test_rouge_l_of_english_is_that_of_the_known_library(told: str, known: str) -> None:
    theirs = RougeScorer(["rougeL"]).score(known, told)["rougeL"].fmeasure
    assert rouge_l(told, known) == pytest.approx(theirs)


def test_rouge_l_of_chinese_is_that_of_the_known_library_over_characters() -> None:
    class Characters:
        def tokenize(self, text: str) -> list[str]:
            return [each for each in text if each.isalnum()]

    told, known = "合同金额为三百万元，于五月到期。", "合同的金额是三百五十万元，六月到期。"
    theirs = RougeScorer(["rougeL"], tokenizer=Characters()).score(known, told)["rougeL"]
    assert rouge_l(told, known) == pytest.approx(theirs.fmeasure)
    assert 0.5 < rouge_l(told, known) < 1.0


def test_the_longest_common_subsequence_is_that_of_the_table() -> None:
    dice = random.Random(5)
    for _ in range(200):
        one, other = ([dice.choice("abcd") for _ in range(dice.randrange(90))] for _ in range(2))
        row = [0] * (len(other) + 1)
        for word in one:
            last = 0
            for at, each in enumerate(other, start=1):
                last, row[at] = row[at], max(row[at], row[at - 1], last + (word == each))
        assert common_length(one, other) == row[-1]


@pytest.mark.parametrize(
    ("told", "known", "tokenizer"),
    [
        (*PAIRS[0], "13a"),
        (*PAIRS[1], "13a"),
        ("合同金额为三百万元。", "合同的金额为三百五十万元。", "zh"),
        ("契約の金額は三百万円です。", "契約金額は三百五十万円です。", "char"),
    ],
)
def test_bleu_is_that_of_sacrebleu_for_the_language(told: str, known: str, tokenizer: str) -> None:
    theirs = sentence_bleu(told, [known], tokenize=tokenizer).score / 100
    assert bleu(told, known) == pytest.approx(theirs)
    assert 0.1 < theirs < 1.0


def test_of_nothing_nothing_is_said() -> None:
    assert bleu("", "Something.") == rouge_l("", "Something.") == rouge_l("…", "Something.") == 0.0
    assert bleu("Something else entirely.", "") == 0.0
    assert bleu("好", "好") == pytest.approx(1.0)
    assert rouge_l("Yes.", "yes") == 1.0


def test_numbers_of_sources_do_not_count() -> None:
    assert without_citations("It rose [1]. It fell[12].") == "It rose. It fell."
    assert without_citations("See [a] and [2024 report].") == "See [a] and [2024 report]."
