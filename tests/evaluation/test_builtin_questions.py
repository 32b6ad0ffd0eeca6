"""The questions that come with the program, and the documents that answer them."""

from __future__ import annotations

import json
from collections import Counter

import pytest

from desktop_rag.core.language import language
from desktop_rag.core.paths import resources
from desktop_rag.evaluation.answer_metrics import holds
from desktop_rag.evaluation.builtin_questions import (
    builtin_checksum,
    builtin_corpus,
    builtin_questions,
    kind_of,
    language_of,
)
from desktop_rag.evaluation.datasets import EvalQuestion

QUESTIONS = builtin_questions()
DOCUMENTS = {each.id: each for each in builtin_corpus()}
SHARES = {
    ("en", "single"): 20,
    ("en", "multi"): 20,
    ("en", "none"): 10,
    ("zh", "single"): 20,
    ("zh", "multi"): 20,
    ("zh", "none"): 10,
}


def test_there_are_so_many_of_each_kind_and_language() -> None:
    assert Counter((language_of(each), kind_of(each)) for each in QUESTIONS) == SHARES


def test_the_first_of_them_are_a_fair_sample() -> None:
    for start in range(0, 100, 10):
        ten = QUESTIONS[start : start + 10]
        counts = Counter((language_of(each), kind_of(each)) for each in ten)
        assert counts == {key: number / 10 for key, number in SHARES.items()}


def test_no_question_and_no_document_is_there_twice() -> None:
    assert len({each.id for each in QUESTIONS}) == len({e.question for e in QUESTIONS}) == 100
    corpus = builtin_corpus()
    assert len(DOCUMENTS) == len({each.text for each in corpus}) == len(corpus) == 110
    assert len({each.title for each in corpus}) == len(corpus)


@pytest.mark.parametrize("item", QUESTIONS, ids=lambda each: each.id)
def test_a_question_has_what_its_kind_needs(item: EvalQuestion) -> None:
    assert item.gold <= set(DOCUMENTS)
    needed = {"single": {1}, "multi": {2, 3}, "none": {0}}[kind_of(item)]
    assert len(item.gold) in needed
    assert bool(item.answers) is bool(item.gold)
    assert len(set(item.answers)) == len(item.answers)
    assert language(item.question) == language_of(item)
    if item.answers:
        texts = [f"{DOCUMENTS[each].title}\n{DOCUMENTS[each].text}" for each in item.gold]
        assert any(holds(text, item.answers) for text in texts)


def test_documents_are_short_texts_in_their_language() -> None:
    for each in DOCUMENTS.values():
        named = each.id.split("-")[0]
        assert language(each.text) == named
        length = len(each.text.split()) if named == "en" else len(each.text)
        assert 60 <= length <= 250, each.id


def test_every_document_but_a_few_neighbours_is_needed_by_a_question() -> None:
    needed = {name for each in QUESTIONS for name in each.gold}
    assert len(set(DOCUMENTS) - needed) < 20


def test_kind_and_language_stand_in_the_file_as_well() -> None:
    lines = (resources() / "evaluation" / "questions.jsonl").read_text("utf-8").splitlines()
    rows = [json.loads(line) for line in lines]
    assert all(row["id"].startswith(f"{row['language']}-{row['kind']}-") for row in rows)


def test_the_checksum_names_the_content() -> None:
    assert builtin_checksum() == builtin_checksum()
    assert len(builtin_checksum()) == 16
