"""A question to each document: a row each, cited, and the tables that are written of it."""

from __future__ import annotations

import csv
import io
from pathlib import Path

import pytest
from openpyxl import load_workbook

from desktop_rag.core.document_table import rows_of, table_head, table_row
from desktop_rag.core.errors import UserError
from desktop_rag.core.events import Answer, DocumentAnswered
from desktop_rag.generation.prompts import Prompts
from desktop_rag.whole_documents.table_export import write_rows
from testing.ollama_double import OllamaDouble
from tests.whole_documents.documents_setup import DocumentsSetup, assert_cited

QUESTION = "How high is the monthly rent?"


def test_each_document_has_a_row_of_its_own(bare: DocumentsSetup) -> None:
    events = bare.events("each", "first.md", "second.md", "garden.md", question=QUESTION)
    answer = events[-1]
    assert isinstance(answer, Answer)
    rows = [each for each in events if isinstance(each, DocumentAnswered)]
    assert [Path(each.path).name for each in rows] == ["first.md", "second.md", "garden.md"]
    assert "1,200" in rows[0].text
    assert "1,350" in rows[1].text
    assert (rows[2].mode, rows[2].text) == ("refused", "Not found in this document.")
    assert all(each.path == row.path for row in rows for each in row.citations)
    assert_cited(answer, bare.workspace)
    assert "sources" not in rows[0].as_json()


def test_a_chinese_question_has_a_chinese_table(bare: DocumentsSetup) -> None:
    answer = bare.answer("each", "合同.md", "garden.md", question="月租金是多少？")
    assert answer.text.startswith("| 文档 | 回答 |")
    assert "5000元" in answer.text
    assert "此文档中没有找到。" in answer.text


@pytest.mark.parametrize(
    ("question", "answering"),
    [
        ("Who is the landlord?", {"first.md": "Anna Berg", "second.md": "Anna Berg"}),
        ("How long is the notice period?", {"first.md": "30 days", "second.md": "60 days"}),
        ("How many trees were planted?", {"garden.md": "twelve apple trees"}),
        ("Which colour has the door?", {}),
    ],
)
def test_only_documents_that_answer_say_something(
    bare: DocumentsSetup, question: str, answering: dict[str, str]
) -> None:
    names = ("first.md", "second.md", "合同.md", "garden.md")
    events = bare.events("each", *names, question=question)
    rows = {
        Path(each.path).name: each.text
        for each in events
        if isinstance(each, DocumentAnswered) and each.mode != "refused"
    }
    assert rows.keys() == answering.keys()
    assert all(answering[name] in rows[name] for name in answering)


def test_a_model_says_it_in_a_sentence_and_what_is_unsupported_becomes_a_quote(
    modelled: DocumentsSetup, double: OllamaDouble
) -> None:
    double.say("The rent is 1,200 EUR a month. [1]", "The rent is 7 shells of pearl. [1]")
    answer = modelled.answer("each", "first.md", "second.md", question=QUESTION)
    first, second = answer.text.splitlines()[2:]
    assert first == "| first.md | The rent is 1,200 EUR a month. [1] |"
    assert second.startswith("| second.md | “The monthly rent is 1,350 EUR")
    assert answer.mode == "generated"


def test_rows_are_written_as_csv_and_as_a_workbook(bare: DocumentsSetup, tmp_path: Path) -> None:
    for name in ("rows.csv", "rows.xlsx"):
        file = str(tmp_path / name)
        bare.answer("each", "first.md", "garden.md", question=QUESTION, file=file)
    raw = (tmp_path / "rows.csv").read_bytes()
    assert raw.startswith(b"\xef\xbb\xbf")
    head, first, second = csv.reader(io.StringIO(raw.decode("utf-8-sig"), newline=""))
    assert head == ["Document", "Answer", "Quote", "Place", "File"]
    assert first[0] == "first.md"
    assert "1,200" in first[2]
    assert second[1] == "Not found in this document."
    sheet = load_workbook(tmp_path / "rows.xlsx").worksheets[0]
    assert [[cell.value or "" for cell in row] for row in sheet.iter_rows()] == [
        head,
        first,
        second,
    ]


def test_no_cell_of_a_table_is_a_formula(tmp_path: Path) -> None:
    row = table_row("=1+1.md", "=HYPERLINK(“x”) [1]")
    rows = rows_of(table_head("Document | Answer") + row, ["/d/=1+1.md"], ())
    assert rows[0].answer == "=HYPERLINK(“x”)"
    for name in ("t.csv", "t.xlsx"):
        write_rows(str(tmp_path / name), rows, Prompts("en"))
    cells = list(csv.reader((tmp_path / "t.csv").read_text("utf-8-sig").splitlines()))[1]
    assert cells[:2] == ["'=1+1.md", "'=HYPERLINK(“x”)"]
    sheet = load_workbook(tmp_path / "t.xlsx").worksheets[0]
    assert [sheet["A2"].data_type, sheet["B2"].data_type] == ["s", "s"]


def test_a_table_that_cannot_be_written_is_said(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="can't be written"):
        write_rows(str(tmp_path / "nowhere" / "t.csv"), [], Prompts("en"))


def test_bars_in_names_and_answers_stay_in_their_cells() -> None:
    row = table_row("a|b_c.md", "one | two [1]")
    assert row == "| a\\|b_c.md | one \\| two [1] |\n"
    (made,) = rows_of(table_head("D | A") + row, ["/d/a|b_c.md"], ())
    assert made.answer == "one | two"
