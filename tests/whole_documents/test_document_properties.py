"""What is asked of documents' properties: of a mail's head, cited, and of files' own properties."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import docx
import pytest

from desktop_rag.core.events import Answer, DocumentAnswered
from desktop_rag.whole_documents.property_question import DocumentProperty, asked_property
from testing.ollama_double import OllamaDouble
from testing.ollama_double.server import refused_url
from tests.whole_documents.documents_setup import DocumentsSetup, assert_cited, read_documents

MAIL = """From: Anna Berg <anna@berg.example>
To: Karl Weiss <karl@weiss.example>
Cc: office@berg.example
Date: Fri, 1 Mar 2024 09:30:00 +0000
Subject: The roof | of the barn
MIME-Version: 1.0
Content-Type: multipart/mixed; boundary=b

--b
Content-Type: text/plain; charset=utf-8

The carpenter comes on Monday and mends the roof.

--b
Content-Type: message/rfc822

From: someone.else@weiss.example
Subject: Planks

There are twelve planks of oak in the shed.

--b--
"""


@pytest.fixture
def documents(tmp_path: Path) -> Iterator[DocumentsSetup]:
    """A mail with a mail in it, a text with properties, and one without."""
    folder = tmp_path / "documents"
    folder.mkdir()
    (folder / "mail.eml").write_text(MAIL, encoding="utf-8")
    (folder / "garden.md").write_text("# Garden\n\nThe society planted twelve apple trees.\n")
    report = docx.Document()
    report.core_properties.author = "Maria Lopez"
    report.core_properties.created = datetime(2023, 7, 31, 12, tzinfo=UTC)
    report.add_paragraph("The harbour was dredged in the spring, and the quay was repaired.")
    report.save(str(folder / "report.docx"))
    read_documents(tmp_path / "home", folder, refused_url())
    made = DocumentsSetup.opened(tmp_path / "home", folder, refused_url())
    yield made
    made.workspace.close()


@pytest.mark.parametrize(
    ("question", "said"),
    [
        ("Who sent this message?", "“Anna Berg <anna@berg.example>” [1]"),
        ("谁发的这封邮件？", "“Anna Berg <anna@berg.example>” [1]"),
        (
            "To whom was it sent?",
            "“Karl Weiss <karl@weiss.example>” [1], “office@berg.example” [1]",
        ),
        ("When was it written?", "“Fri, 1 Mar 2024 09:30:00 +0000” [1]"),
        ("What is the subject of the mail?", "“The roof \\| of the barn” [1]"),
    ],
)
def test_a_mail_answers_from_its_own_head_with_its_place(
    documents: DocumentsSetup, question: str, said: str
) -> None:
    answer = documents.answer("each", "mail.eml", question=question)
    assert answer.text.splitlines()[2] == f"| mail.eml | {said} |"
    assert answer.mode == "extracted"
    assert answer.searches == 0
    assert_cited(answer, documents.workspace)
    assert {each.locator.value for each in answer.citations} == {"head"}


def test_a_property_that_stands_nowhere_in_the_text_says_where_it_is_from(
    documents: DocumentsSetup, tmp_path: Path
) -> None:
    file = str(tmp_path / "rows.csv")
    names = ("report.docx", "garden.md")
    answer = documents.answer("each", *names, question="Who is the author?", file=file)
    first, second = answer.text.splitlines()[2:]
    assert first == "| report.docx | Maria Lopez (from the file’s properties) |"
    assert second == "| garden.md | Not found in this document. |"
    assert (answer.mode, answer.citations) == ("extracted", ())
    row = list(csv.reader(io.StringIO(Path(file).read_text("utf-8-sig"))))[1]
    assert row[:4] == ["report.docx", "Maria Lopez (from the file’s properties)", "", ""]
    dated = documents.answer("each", "report.docx", question="文件是什么时候创建的？")
    assert "2023-07-31（取自文件属性）" in dated.text


def test_a_model_is_not_asked_what_the_properties_say(
    documents: DocumentsSetup, tmp_path: Path
) -> None:
    documents.workspace.close()
    with OllamaDouble() as double:
        made = DocumentsSetup.opened(tmp_path / "home", documents.folder, double.url)
        events = made.events("each", "mail.eml", "garden.md", question="Who wrote it?")
        made.workspace.close()
    rows = [each for each in events if isinstance(each, DocumentAnswered)]
    assert rows[0].text == "“Anna Berg <anna@berg.example>” [1]"
    answer = events[-1]
    assert isinstance(answer, Answer)
    assert answer.llm_calls <= 1  # of the garden's text, which tells no author


def test_a_removed_document_loses_its_row(documents: DocumentsSetup) -> None:
    names = ("report.docx", "mail.eml")
    answer = documents.answer("each", *names, question="Who is the author?", new_chat=True)
    documents.remove("report.docx")
    _, text, payload = documents.kept(answer.chat_id)
    assert "Maria" not in text + payload
    assert "Anna Berg" in text


@pytest.mark.parametrize(
    ("question", "asked"),
    [
        ("How many pages does each contract have?", DocumentProperty.PAGES),
        ("Who wrote each report?", DocumentProperty.AUTHORS),
        ("Who was the e-mail sent to?", DocumentProperty.RECIPIENTS),
        ("When was the document last changed?", DocumentProperty.MODIFIED),
        ("What are the keywords?", DocumentProperty.KEYWORDS),
        ("每份合同有多少页？", DocumentProperty.PAGES),
        ("这些文件的作者分别是谁？", DocumentProperty.AUTHORS),
        ("郵件的主旨是什麼？", DocumentProperty.SUBJECT),
        ("When was the contract signed?", None),
        ("What is the date of the contract?", None),
        ("Who wrote the first offer?", None),
        ("Who is the author of the theory?", None),
        ("What does page 3 say?", None),
        ("合同是什么时候签订的？", None),
        ("作者的观点是什么？", None),
        ("第一页写了什么？", None),
    ],
)
def test_a_property_is_asked_for_where_nothing_else_is(
    question: str, asked: DocumentProperty | None
) -> None:
    assert asked_property(question) is asked
