from __future__ import annotations

import zipfile
from pathlib import Path
from typing import Any

import docx
import pptx
import pytest
from pptx.util import Inches

from desktop_rag.core.errors import FileProblem
from desktop_rag.core.types import BlockKind, FileStatus
from desktop_rag.engine.ingest.parse.blocks import Block, ParsedDocument
from desktop_rag.engine.ingest.parse.registry import parse

BOX = (
    '<w:p xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"><w:r><w:pict>'
    '<v:textbox xmlns:v="urn:schemas-microsoft-com:vml"><w:txbxContent><w:p><w:r>'
    "<w:t>Words in a text box</w:t></w:r></w:p></w:txbxContent></v:textbox></w:pict></w:r></w:p>"
)


def found(document: ParsedDocument, text: str) -> Block:
    (block,) = [block for block in document.blocks if text in block.text]
    return block


@pytest.fixture(scope="module")
def word(tmp_path_factory: pytest.TempPathFactory) -> ParsedDocument:
    made: Any = docx.Document()
    made.core_properties.title = "The handbook"
    made.sections[0].header.paragraphs[0].text = "Words in the header"
    made.add_paragraph("Words before any heading.")
    made.add_heading("Leave", 1)
    made.add_paragraph("Everybody has thirty days of leave a year.")
    made.add_heading("Sick leave", 2)
    made.add_paragraph("Call us by nine.", style="List Bullet")
    table = made.add_table(3, 2)
    for row, cells in zip(table.rows, (("Years", "Days"), ("1", "30"), ("10", "33")), strict=True):
        for cell, text in zip(row.cells, cells, strict=True):
            cell.text = text
    made.element.body.insert(0, docx.oxml.parse_xml(BOX))
    path = tmp_path_factory.mktemp("word") / "a.docx"
    made.save(str(path))
    return parse(path)


def test_word_headings_have_levels_and_place_what_follows(word: ParsedDocument) -> None:
    headings = [(b.text, b.level) for b in word.blocks if b.kind is BlockKind.HEADING]
    assert headings == [("Leave", 1), ("Sick leave", 2)]
    assert found(word, "thirty days").place.value == "Leave"
    assert found(word, "before any").place.value == "body"
    assert word.title == "The handbook"


def test_word_tables_keep_their_rows(word: ParsedDocument) -> None:
    (table,) = [b for b in word.blocks if b.kind is BlockKind.TABLE]
    assert [row.text for row in table.rows] == ["Years | Days", "1 | 30", "10 | 33"]
    assert table.header == "Years | Days"
    assert table.place.value == "Sick leave"


def test_word_lists_and_headers_have_their_roles(word: ParsedDocument) -> None:
    assert found(word, "by nine").kind is BlockKind.LIST
    assert found(word, "in the header").place.value == "header"


def test_words_in_text_boxes_are_not_lost(word: ParsedDocument) -> None:
    assert found(word, "Words in a text box")


@pytest.fixture(scope="module")
def slides(tmp_path_factory: pytest.TempPathFactory) -> ParsedDocument:
    made: Any = pptx.Presentation()
    first = made.slides.add_slide(made.slide_layouts[1])
    first.shapes.title.text = "The plan"
    first.placeholders[1].text = "Grow by a tenth"
    first.notes_slide.notes_text_frame.text = "Smile while saying this"
    second = made.slides.add_slide(made.slide_layouts[5])
    second.shapes.title.text = "The figures"
    table = second.shapes.add_table(2, 2, Inches(1), Inches(2), Inches(5), Inches(1)).table
    for at, text in enumerate(("Year", "Sales", "2024", "88")):
        table.cell(at // 2, at % 2).text = text
    path = tmp_path_factory.mktemp("slides") / "a.pptx"
    made.save(str(path))
    return parse(path)


def test_slides_are_counted_and_placed(slides: ParsedDocument) -> None:
    assert slides.pages == 2
    assert found(slides, "Grow by a tenth").place.value == 1
    assert found(slides, "The figures").place.value == 2
    headings = [b.text for b in slides.blocks if b.kind is BlockKind.HEADING]
    assert headings == ["The plan", "The figures"]


def test_speaker_notes_stand_with_their_slide(slides: ParsedDocument) -> None:
    assert found(slides, "Smile while").place.value == 1


def test_slide_tables_keep_their_rows(slides: ParsedDocument) -> None:
    (table,) = [b for b in slides.blocks if b.kind is BlockKind.TABLE]
    assert [row.text for row in table.rows] == ["Year | Sales", "2024 | 88"]


def test_a_word_file_without_its_document_is_corrupt(tmp_path: Path) -> None:
    path = tmp_path / "a.docx"
    docx.Document().save(str(path))
    with zipfile.ZipFile(path) as archive:
        parts = {name: archive.read(name) for name in archive.namelist()}
    parts["word/document.xml"] = b"<broken"
    with zipfile.ZipFile(path, "w") as archive:
        for name, content in parts.items():
            archive.writestr(name, content)
    with pytest.raises(FileProblem) as caught:
        parse(path)
    assert caught.value.status is FileStatus.CORRUPT
