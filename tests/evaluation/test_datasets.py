from __future__ import annotations

import gzip
import json
from pathlib import Path

import pytest

from desktop_rag.core.errors import UserError
from desktop_rag.evaluation.datasets import checksum, read_corpus, read_questions

ENTRY = {"id": 7, "title": "Seven", "text": "A number, and a line separator\u2028within."}
ITEM = {"id": "q", "question": "Which?", "answers": [], "gold": ["7"]}


def written(path: Path, *rows: object, packed: bool = False) -> Path:
    raw = "\n".join(json.dumps(row, ensure_ascii=False) for row in rows).encode()
    path.write_bytes(gzip.compress(raw) if packed else raw)
    return path


@pytest.mark.parametrize("packed", [False, True])
def test_a_corpus_is_read_gzipped_or_not(tmp_path: Path, packed: bool) -> None:
    (entry,) = read_corpus(written(tmp_path / "corpus", ENTRY, packed=packed))
    assert (entry.id, entry.title, entry.text) == ("7", "Seven", ENTRY["text"])


def test_questions_are_read_up_to_the_limit(tmp_path: Path) -> None:
    path = written(tmp_path / "questions", ITEM, ITEM, ITEM)
    assert len(read_questions(path)) == 3
    (first,) = read_questions(path, 1)
    assert first.gold == {"7"}
    assert first.answers == ()


def test_answers_in_lists_of_lists_are_each_a_text(tmp_path: Path) -> None:
    path = written(tmp_path / "questions", ITEM | {"answers": [["French", "Spanish"], "Latin", 3]})
    (item,) = read_questions(path)
    assert item.answers == ("French", "Spanish", "Latin", "3")


def test_a_bad_line_is_named(tmp_path: Path) -> None:
    path = written(tmp_path / "questions.jsonl", ITEM, {"id": "q"})
    with pytest.raises(UserError, match=r"Line 2 of questions\.jsonl"):
        read_questions(path)


@pytest.mark.parametrize("text", ["", "\n  \n"])
def test_a_file_without_a_line_is_told(tmp_path: Path, text: str) -> None:
    file = tmp_path / "nothing.jsonl"
    file.write_text(text)
    with pytest.raises(UserError, match=r"nothing\.jsonl holds no passages"):
        read_corpus(file)
    with pytest.raises(UserError, match=r"nothing\.jsonl holds no questions"):
        read_questions(file)


@pytest.mark.parametrize("field", ["answers", "gold"])
def test_a_text_where_a_list_belongs_is_not_read_by_its_letters(tmp_path: Path, field: str) -> None:
    path = written(tmp_path / "questions.jsonl", ITEM | {field: "Paris"})
    with pytest.raises(UserError, match=r"Line 1 of questions\.jsonl") as told:
        read_questions(path)
    assert "lists" in told.value.remedy


def test_a_missing_or_broken_file_is_told(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="cannot be read"):
        read_corpus(tmp_path / "nowhere")
    broken = tmp_path / "broken"
    broken.write_bytes(gzip.compress(b"{}" * 1000)[:20])
    with pytest.raises(UserError, match="cannot be read"):
        read_corpus(broken)


def test_a_checksum_follows_the_content(tmp_path: Path) -> None:
    one, other = written(tmp_path / "a", ENTRY), written(tmp_path / "b", ITEM)
    assert checksum(one) != checksum(other)
    assert checksum(one) == checksum(written(tmp_path / "c", ENTRY))
