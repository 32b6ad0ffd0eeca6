from __future__ import annotations

import errno
import zipfile
from pathlib import Path
from typing import IO, Any, Self

import docx
import openpyxl
import pptx
import pytest
from docx.shared import Pt
from pptx.util import Inches

from desktop_rag.core.errors import FileProblem
from desktop_rag.core.types import BlockKind, FileStatus
from desktop_rag.parsing.format_registry import parse
from desktop_rag.parsing.parsed_document import Block, ParsedDocument

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


def changed(path: Path, changes: dict[str, bytes | None]) -> Path:
    """Write a package anew with some parts replaced, or dropped."""
    with zipfile.ZipFile(path) as archive:
        parts = {name: archive.read(name) for name in archive.namelist()}
    assert changes.keys() <= parts.keys()
    with zipfile.ZipFile(path, "w") as archive:
        for name, content in (parts | changes).items():
            if content is not None:
                archive.writestr(name, content)
    return path


def word_file(path: Path) -> Path:
    made: Any = docx.Document()
    made.add_heading("Leave", 1)
    made.add_paragraph("Everybody has thirty days of leave a year.")
    made.add_table(1, 1).rows[0].cells[0].text = "In a table"
    made.save(str(path))
    return path


def test_a_word_file_without_its_document_is_corrupt(tmp_path: Path) -> None:
    path = changed(word_file(tmp_path / "a.docx"), {"word/document.xml": b"<broken"})
    with pytest.raises(FileProblem) as caught:
        parse(path)
    assert caught.value.status is FileStatus.CORRUPT


@pytest.mark.parametrize(
    ("part", "called"),
    [
        ("word/styles.xml", "styles"), ("word/numbering.xml", "numbering"),
        ("word/settings.xml", "settings"), ("docProps/core.xml", "properties"),
        ("word/_rels/document.xml.rels", "links between parts"), ("[Content_Types].xml", "types"),
    ],
)  # fmt: skip
@pytest.mark.parametrize("content", [b"<broken", None], ids=["cut", "dropped"])
def test_a_word_file_with_a_damaged_side_part_is_read_with_a_note(
    tmp_path: Path, part: str, called: str, content: bytes | None
) -> None:
    document = parse(changed(word_file(tmp_path / "a.docx"), {part: content}))
    assert [b.text for b in document.blocks] == [
        "Leave", "Everybody has thirty days of leave a year.", "In a table",
    ]  # fmt: skip
    assert found(document, "Leave").kind is BlockKind.HEADING
    told = f"A part of the file is damaged ({called}); its text was read."
    assert document.notes == (told,) or (content is None and document.notes == ())


def test_of_several_slides_a_damaged_one_is_named(tmp_path: Path) -> None:
    made: Any = pptx.Presentation()
    for text in ("The first plan of all", "The second plan of all", "The third plan of all"):
        made.slides.add_slide(made.slide_layouts[5]).shapes.title.text = text
    path = tmp_path / "a.pptx"
    made.save(str(path))
    document = parse(changed(path, {"ppt/slides/slide2.xml": b"<broken"}))
    assert [(b.text, b.place.value, b.kind) for b in document.blocks] == [
        ("The first plan of all", 1, BlockKind.HEADING),
        ("The third plan of all", 3, BlockKind.HEADING),
    ]
    assert document.notes == ("Slide 2 is damaged and was not read.",)


def test_of_several_sheets_a_damaged_one_is_named(tmp_path: Path) -> None:
    book = openpyxl.Workbook()
    book.worksheets[0]["A1"] = "A sentence in the first sheet"
    book.create_sheet("Lost")["A1"] = "A sentence in the second sheet"
    path = tmp_path / "a.xlsx"
    book.save(path)
    sheet = b"<worksheet><sheetData><row r='1'><c t='inlineStr'><is><t>Before</t></is></c></row><x"
    document = parse(changed(path, {"xl/worksheets/sheet2.xml": sheet, "xl/styles.xml": b"<"}))
    assert [b.text for b in document.blocks] == ["A sentence in the first sheet", "Before"]
    assert document.notes == (
        "The sheet Lost is damaged; only what comes before that was read.",
        "A part of the file is damaged (styles); its text was read.",
    )


def test_text_that_word_hides_is_not_quoted(tmp_path: Path) -> None:
    made: Any = docx.Document()
    line = made.add_paragraph("Everybody has thirty days of leave a year.")
    line.add_run(" Nobody can see this.").font.hidden = True
    line.add_run(" It is written in letters without size.").font.size = Pt(1)
    made.save(str(tmp_path / "a.docx"))
    document = parse(tmp_path / "a.docx")
    assert [b.text for b in document.blocks] == ["Everybody has thirty days of leave a year."]
    assert document.notes == ("Text that the document hides was not read.",)


def test_a_word_file_that_hides_everything_is_read(tmp_path: Path) -> None:
    made: Any = docx.Document()
    made.add_paragraph().add_run("All of this text is hidden.").font.hidden = True
    made.save(str(tmp_path / "a.docx"))
    assert found(parse(tmp_path / "a.docx"), "All of this")


class _BadSectors:
    """A file's part on a disk that can't be read there."""

    def __init__(self, part: IO[bytes]) -> None:
        self._part = part

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._part.close()

    def read(self, *_: int) -> bytes:
        raise OSError(errno.EIO, "Input/output error")


@pytest.mark.parametrize(
    ("name", "part"),
    [
        ("a.docx", "word/numbering.xml"),
        ("a.docx", "docProps/app.xml"),
        ("a.xlsx", "xl/worksheets/sheet2.xml"),
        ("a.xlsx", "xl/styles.xml"),
        ("a.pptx", "ppt/slides/slide2.xml"),
        ("a.pptx", "docProps/app.xml"),
    ],
)
def test_a_part_that_the_disk_keeps_back_is_no_damaged_part(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str, part: str
) -> None:
    path = tmp_path / name
    if path.suffix == ".docx":
        word_file(path)
    elif path.suffix == ".xlsx":
        book = openpyxl.Workbook()
        book.worksheets[0]["A1"] = "A sentence in the first sheet"
        book.create_sheet("Second")["A1"] = "A sentence in the second sheet"
        book.save(path)
    else:
        made: Any = pptx.Presentation()
        for text in ("The first plan of all", "The second plan of all"):
            made.slides.add_slide(made.slide_layouts[5]).shapes.title.text = text
        made.save(str(path))
    assert parse(path).blocks
    opened = zipfile.ZipFile.open

    def open_part(archive: zipfile.ZipFile, wanted: Any, *rest: Any, **more: Any) -> Any:
        source = opened(archive, wanted, *rest, **more)
        called = getattr(wanted, "filename", wanted)
        return _BadSectors(source) if called == part else source

    monkeypatch.setattr(zipfile.ZipFile, "open", open_part)
    with pytest.raises(FileProblem) as caught:
        parse(path)
    assert caught.value.status is FileStatus.FAILED
    assert "could not read the file (Input/output error)" in str(caught.value)
