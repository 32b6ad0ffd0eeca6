"""Notes as files, opened again by other programs' readers."""

from __future__ import annotations

import io
import json
import zipfile
from collections.abc import Iterator
from pathlib import Path

import docx
import pytest
from lxml import etree
from pypdf import PdfReader
from PySide6.QtWidgets import QApplication

from desktop_rag.catalog.stored_answer import passage_row
from desktop_rag.core.cancel import CancelToken
from desktop_rag.core.errors import UserError
from desktop_rag.core.note_records import NewNote, NoteId, NoteKind
from desktop_rag.gui.controllers import note_export
from desktop_rag.gui.controllers.jobs import JobRunner
from desktop_rag.gui.controllers.note_export import NoteExport
from desktop_rag.gui.controllers.notes import NotesController
from testing.qt_wait import wait_for
from testing.sample_answers import citation, passage
from tests.gui.controllers.conversation_setup import Talks

TEXT = """# Costs

Fuel costs **fell** by *a lot* [1], see [the web](https://example.org/a?b=1&c=2).

1. The ferry `Sula` [2]
   - which is electric

   and new
2. Diesel

> As it says [3].

| | 2024 |
|---|---|
| 燃料 | 41,300 [1] |

```
if a < b:
    run()
```

5. five
"""


@pytest.fixture
def talks(qapp: QApplication, tmp_path: Path) -> Iterator[Talks]:
    made = Talks(tmp_path / "home")
    yield made
    made.close()


def add(talks: Talks, title: str, text: str) -> NoteId:
    kept = {
        "sources": [passage_row(passage(n)) for n in (1, 2, 3)],
        "citations": [citation(n).as_json() for n in (1, 2)],
    }
    return talks.catalog.notes.add(NewNote(NoteKind.ANSWER, title, text, json.dumps(kept)))


def export(talks: Talks, form: str, *notes: NoteId) -> Path:
    path = talks.home.parent / f"notes{note_export.NOTE_FORMS[form]}"
    return note_export.write(talks.folder, NoteExport(notes, path, form), CancelToken())


def test_markdown_has_the_note_and_its_sources_and_no_question(talks: Talks) -> None:
    path = export(talks, "markdown", add(talks, "Why?", TEXT), add(talks, "Other", "So [1]."))
    text = path.read_text(encoding="utf-8")
    assert text.startswith("# Why?\n\n# Costs\n")
    assert "- \\[2\\] Report 2. /tmp/report.pdf, page 2\n  > quote 2\n" in text
    assert "\\[3\\] Report 3." in text, "a number without a quote stands for what matched"
    assert text.count("**Sources**") == 2
    assert "\n---\n" in text


def test_a_source_that_is_no_longer_cited_is_not_listed(talks: Talks) -> None:
    text = export(talks, "markdown", add(talks, "Why?", "Only this [2].")).read_text("utf-8")
    assert "Report 2" in text
    assert "Report 1" not in text


def test_a_word_file_opens_with_headings_lists_tables_and_links(talks: Talks) -> None:
    path = export(talks, "docx", add(talks, "Why & <how>?", TEXT), add(talks, "Other", "So [1]."))
    opened = docx.Document(str(path))
    styles = [(each.style.name, each.text) for each in opened.paragraphs]
    assert styles[:3] == [
        ("Heading 1", "Why & <how>?"),
        ("Heading 2", "Costs"),
        ("Normal", "Fuel costs fell by a lot [1], see the web."),
    ]
    assert ("List Paragraph", "The ferry Sula [2]") in styles
    assert ("Quote", "As it says [3].") in styles
    assert ("Code", "if a < b:\n    run()") in styles
    assert ("Source", "[2] Report 2. /tmp/report.pdf, page 2") in styles
    assert ("Heading 1", "Other") in styles
    (table,) = opened.tables
    assert [[cell.text for cell in row.cells] for row in table.rows] == [
        ["", "2024"],
        ["燃料", "41,300 [1]"],
    ]
    bold = [each.text for each in opened.paragraphs[2].runs if each.bold]
    assert bold == ["fell"]
    addresses = [each.target_ref for each in opened.part.rels.values() if each.is_external]
    assert addresses == ["https://example.org/a?b=1&c=2"]


def test_each_link_of_a_word_file_leads_to_a_source_and_each_list_begins_anew(
    talks: Talks,
) -> None:
    path = export(talks, "docx", add(talks, "Why?", TEXT), add(talks, "Other", "So [1]."))
    with zipfile.ZipFile(io.BytesIO(path.read_bytes())) as package:
        parts = {name: etree.fromstring(package.read(name)) for name in package.namelist()}
    body = parts["word/document.xml"]
    space = {"w": "http://schemas.openxmlformats.org/wordprocessingml/2006/main"}
    anchors = body.xpath("//w:hyperlink/@w:anchor", namespaces=space)
    marks = body.xpath("//w:bookmarkStart/@w:name", namespaces=space)
    assert set(anchors) <= set(marks)
    assert len(set(marks)) == len(marks) == 4
    used = body.xpath("//w:numId/@w:val", namespaces=space)
    assert used == ["2", "1", "2", "3"]
    starts = parts["word/numbering.xml"].xpath(
        "//w:num[@w:numId=3]/w:lvlOverride[1]/w:startOverride/@w:val", namespaces=space
    )
    assert starts == ["5"]


@pytest.mark.parametrize(
    "text", ["", "\x00\x0b\ufffe control \ud800", "[x](javascript:alert(1)) ![p](file:///a)",
             "<script>alert(1)</script>", "| a |\n|---|\n", "- \n  - deep\n    - deeper [9]",
             "**[`code`](https://example.org)** [1]", "]]> &amp; <w:p/>"],
)  # fmt: skip
def test_whatever_a_note_says_a_word_file_opens(talks: Talks, text: str) -> None:
    path = export(talks, "docx", add(talks, text, text))
    opened = docx.Document(str(path))
    external = [each.target_ref for each in opened.part.rels.values() if each.is_external]
    assert all(each.startswith("https://") for each in external)


def test_a_pdf_opens_with_the_text_of_all_notes(talks: Talks) -> None:
    long = "\n\n".join(f"Paragraph {n} says a few words more than that." for n in range(120))
    path = export(talks, "pdf", add(talks, "Why?", TEXT), add(talks, "Long", long))
    read = PdfReader(path)
    text = " ".join(" ".join(page.extract_text() for page in read.pages).split())
    assert len(read.pages) > 2
    assert "Fuel costs fell by a lot [1]" in text
    assert "Report 2" in text
    assert "Paragraph 119" in text
    assert present_title(read) == "Desktop RAG"


def present_title(read: PdfReader) -> str | None:
    return read.metadata.title if read.metadata is not None else None


def test_a_pdf_is_made_in_a_lane_of_its_own(talks: Talks, tmp_path: Path) -> None:
    """Its thread is not the window's."""
    jobs = JobRunner()
    notes = NotesController(jobs, talks.folder)
    written: list[Path] = []
    notes.exported.connect(written.append)
    note = add(talks, "Why?", TEXT)
    notes.export(NoteExport((note,), tmp_path / "a.pdf", "pdf"))
    wait_for(lambda: written)
    assert PdfReader(written[0]).pages[0].extract_text()
    jobs.close()
    notes.deleteLater()


def test_what_can_not_be_written_is_told(talks: Talks, tmp_path: Path) -> None:
    wanted = NoteExport((add(talks, "Why?", TEXT),), tmp_path / "none" / "a.docx", "docx")
    with pytest.raises(UserError, match="could not be written"):
        note_export.write(talks.folder, wanted, CancelToken())
