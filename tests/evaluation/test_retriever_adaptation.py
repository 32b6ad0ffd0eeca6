"""How questions are dealt, and by what a verdict is given."""

from __future__ import annotations

import pytest

from desktop_rag.core.catalog_records import RetrieverAdaptation
from desktop_rag.evaluation.datasets import EvalQuestion
from desktop_rag.evaluation.retriever_adaptation import QuestionGain, divided, verdict


def test_no_document_has_questions_in_two_parts() -> None:
    items = [EvalQuestion(str(n), f"Question {n}?", (), frozenset()) for n in range(300)]
    documents = {
        each.id: frozenset({f"d{int(each.id) % 60}", f"d{int(each.id) * 7 % 60}"})
        if int(each.id) % 3 == 0
        else frozenset({f"d{int(each.id) % 60}"})
        for each in items
    }
    parts = divided(items, documents)
    found = [
        {name for each in part for name in documents[each.id]}
        for part in (parts.trained, parts.validation, parts.held_out)
    ]
    assert found[0].isdisjoint(found[1])
    assert found[0].isdisjoint(found[2])
    assert found[1].isdisjoint(found[2])
    assert 120 <= len(parts.held_out) <= 150
    assert len(parts.trained) > len(parts.validation) > 10
    assert {each.id for each in divided(items[::-1], documents).held_out} == {
        each.id for each in parts.held_out
    }


def test_a_document_with_most_of_the_questions_is_trained_on() -> None:
    items = [EvalQuestion(str(n), f"Question {n}?", (), frozenset()) for n in range(100)]
    documents = {each.id: frozenset({f"d{max(60, int(each.id))}"}) for each in items}
    parts = divided(items, documents)
    assert {each.id for each in parts.trained} >= {str(n) for n in range(61)}
    assert len(parts.trained) + len(parts.validation) + len(parts.held_out) == 100
    assert len(parts.held_out) > len(parts.validation) > 4


@pytest.mark.parametrize(
    ("found", "lost", "is_gain"),
    [(0, 0, False), (2, 0, False), (6, 0, True), (12, 10, False), (12, 1, True)],
)
def test_a_gain_is_one_whose_interval_excludes_zero(found: int, lost: int, is_gain: bool) -> None:
    same = [QuestionGain(1.0, 0.0, 1.0, 1.0)] * (60 - found - lost)
    gains = [QuestionGain(0, 0, 1, 0)] * found + [QuestionGain(1, 0, 0, 0)] * lost + same
    told = verdict(RetrieverAdaptation("model", "", 9, 40), gains)
    assert told.held_out == 60
    assert told.recall_after - told.recall_before == pytest.approx(
        100 * (found - lost) / 60, abs=0.11
    )
    assert told.gain_low <= told.recall_after - told.recall_before <= told.gain_high
    assert told.vector_before == 0
    assert told.is_gain is is_gain
