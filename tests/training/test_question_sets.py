from __future__ import annotations

from pathlib import Path

import pytest

from training import question_sets
from training.question_sets import FOR_TRAINING, MEASURED_ONLY, MULTIHOP, Guard, normalised


def test_case_accents_and_marks_tell_no_two_questions_apart() -> None:
    assert normalised("Who wrote “Élan”?") == normalised("who wrote elan")
    assert normalised("谁写了这本书？") == "谁写了这本书"


def test_no_question_that_is_measured_on_is_trained_on(shared: Path) -> None:
    data = shared / "data"
    names = [*MULTIHOP, *MEASURED_ONLY]
    measured = {
        normalised(q.text) for name in names for q in question_sets.measured_questions(data, name)
    }
    trained = {
        normalised(q.text)
        for name in (*MULTIHOP, *FOR_TRAINING)
        for q in question_sets.training_questions(data, name)
    }
    assert len(measured) > 1000
    assert len(trained) > 5000
    assert not measured & trained


def test_a_question_of_the_training_file_that_is_measured_on_is_left_out(shared: Path) -> None:
    data = shared / "data"
    guard = Guard(data)
    every = [
        row["question"] for row in question_sets.rows(data / "multihop/musique/train.jsonl.gz")
    ]
    assert 0 < sum(not guard.allows(text) for text in every) < 10


def test_what_choices_are_made_on_is_held_out_of_training(shared: Path) -> None:
    data = shared / "data"
    for name in MULTIHOP:
        trained = {q.id for q in question_sets.training_questions(data, name)}
        held_out = {q.id for q in question_sets.training_questions(data, name, held_out=True)}
        assert len(trained) > 3 * len(held_out) > 30
        assert not trained & held_out


def test_a_set_to_measure_on_is_refused(shared: Path) -> None:
    with pytest.raises(ValueError, match="no set to train on"):
        question_sets.training_questions(shared / "data", "scifact_train")


def test_rows_are_the_same_bytes_whenever_they_are_written(tmp_path: Path) -> None:
    one, other = tmp_path / "one.gz", tmp_path / "other.gz"
    for path in (one, other):
        assert question_sets.write_rows(path, [{"a": "é"}, {"a": "字"}]) == 2
    assert one.read_bytes() == other.read_bytes()
    assert [row["a"] for row in question_sets.rows(one)] == ["é", "字"]
