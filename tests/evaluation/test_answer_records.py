"""Answers that are kept as they come."""

from __future__ import annotations

from pathlib import Path

from desktop_rag.evaluation.answer_records import FAILED, AnswerRecord, AnswerRecordFile
from desktop_rag.evaluation.datasets import EvalQuestion


def record(question: str, text: str = "Oslo [1].", mode: str = "generated") -> AnswerRecord:
    return AnswerRecord(question, text, mode, ("d1",), "single_pass", 2, 300, 40, 1.5)


def test_what_was_kept_is_read_again(tmp_path: Path) -> None:
    file = AnswerRecordFile(tmp_path / "answers", {"way": "ircot"})
    assert file.read() == {}
    for each in (record("a"), record("b", "第二行\n“新”")):
        file.add(each)
    assert file.read() == {"a": record("a"), "b": record("b", "第二行\n“新”")}
    file.clear()
    file.clear()
    assert file.read() == {}


def test_what_a_kill_has_cut_costs_that_answer_alone(tmp_path: Path) -> None:
    file = AnswerRecordFile(tmp_path, {"way": "ircot"})
    file.add(record("a"))
    whole = file.path.read_bytes()
    for length in range(len(whole)):
        file.path.write_bytes(whole + whole[:length])
        assert file.read()["a"] == record("a")
        file.add(record("b"))
        assert set(file.read()) == {"a", "b"}


def test_an_answer_that_failed_is_no_answer(tmp_path: Path) -> None:
    file = AnswerRecordFile(tmp_path, {"way": "ircot"})
    file.add(record("a", "", FAILED))
    assert file.read() == {}
    file.add(record("a"))
    assert file.read() == {"a": record("a")}


def test_each_key_has_answers_of_its_own(tmp_path: Path) -> None:
    one, other = (AnswerRecordFile(tmp_path, {"digest": name}) for name in ("1", "2"))
    one.add(record("a"))
    assert other.read() == {}
    assert AnswerRecordFile(tmp_path, {"digest": "1"}).read() == {"a": record("a")}


def test_figures_are_made_of_it() -> None:
    item = EvalQuestion("a", "Where?", ("Oslo",), frozenset({"d1"}))
    graded = record("a").graded(item)
    assert (graded.cited, graded.refused, graded.score) == (frozenset({"d1"}), False, 1.0)
    assert (graded.answer.llm_calls, graded.answer.seconds) == (2, 1.5)
    assert record("a", "Not found.", "refused").graded(item).refused
