from __future__ import annotations

import json
import os
import zipfile
from pathlib import Path

import docx
import openpyxl
import pptx
import pytest

from desktop_rag.core.errors import FileProblem
from desktop_rag.core.types import FileStatus
from desktop_rag.parsing.format_registry import EXTENSIONS, parse, problem_of
from tests.attacks.documents import workbook
from tests.parsing.open_documents import epub_parts, flat_odf, odf, packed, page
from tests.parsing.sample_files import one_page, paragraph

SENTENCE = "A sentence that is long enough to be worth finding."
COMPOUND = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(504)


FAR = '<row r="99999999999"><c r="A99999999999"><v>1</v></c></row>'
SHORT = '<row r="1"><c r="A1" t="inlineStr"><is><t>Sum</t></is></c></row>'


def problem(path: Path) -> FileProblem:
    with pytest.raises(FileProblem) as caught:
        parse(path)
    assert caught.value.what.endswith(".")
    assert caught.value.remedy.endswith(".")
    return caught.value


def word_file(path: Path, text: str = SENTENCE) -> Path:
    document = docx.Document()
    document.add_paragraph(text)
    document.save(str(path))
    return path


def test_the_formats_of_the_first_issue_are_supported() -> None:
    wanted = {"pdf", "docx", "pptx", "xlsx", "csv", "tsv", "md", "html", "htm", "xhtml", "txt"}
    assert {f".{each}" for each in wanted | {"eml"}} <= EXTENSIONS


def open_file(ending: str) -> bytes:
    """Return a file of one of the formats that a text alone does not make."""
    kinds = {"odt": "text", "ott": "text", "odp": "presentation", "otp": "presentation",
             "ods": "spreadsheet", "ots": "spreadsheet"}  # fmt: skip
    bodies = {
        "text": f"<text:p>{SENTENCE}</text:p>",
        "presentation": f"<draw:page><draw:g><text:p>{SENTENCE}</text:p></draw:g></draw:page>",
        "spreadsheet": f"<table:table><table:table-row><table:table-cell><text:p>{SENTENCE}"
        "</text:p></table:table-cell></table:table-row></table:table>",
    }
    if ending in kinds:
        return odf(kinds[ending], bodies[kinds[ending]])
    if ending.startswith("fod"):
        kind = kinds[ending[1:]]
        return flat_odf(kind, bodies[kind])
    if ending == "epub":
        return packed(epub_parts({"a.xhtml": page(f"<p>{SENTENCE}</p>")}))
    if ending == "fb2":
        return f"<FictionBook><body><p>{SENTENCE}</p></body></FictionBook>".encode()
    return json.dumps({"cells": [{"cell_type": "raw", "source": SENTENCE}]}).encode()


OPEN = (".odt", ".ott", ".odp", ".otp", ".ods", ".ots", ".fodt", ".fodp", ".fods", ".epub", ".fb2",
        ".ipynb")  # fmt: skip


@pytest.mark.parametrize("ending", sorted(EXTENSIONS))
def test_every_format_that_is_listed_is_read(tmp_path: Path, ending: str) -> None:
    path = tmp_path / f"a{ending}"
    if ending == ".pdf":
        one_page(*paragraph(700, SENTENCE)).write(path)
    elif ending == ".docx":
        word_file(path)
    elif ending == ".xlsx":
        book = openpyxl.Workbook()
        book.worksheets[0]["A1"] = SENTENCE
        book.save(path)
    elif ending == ".pptx":
        slides = pptx.Presentation()
        slides.slides.add_slide(slides.slide_layouts[5]).shapes[0].text_frame.text = SENTENCE
        slides.save(str(path))
    elif ending in OPEN:
        path.write_bytes(open_file(ending[1:]))
    else:
        is_mail = ending in {".eml", ".mht", ".mhtml", ".mbox"}
        head = "Subject: A word\n\n" if is_mail else ""
        path.write_text(f"{head}{SENTENCE}\n")
    assert any(SENTENCE in block.text for block in parse(path).blocks)


@pytest.mark.parametrize("name", ["a.jpg", "a.zip", "a", "a.exe", "a.odg"])
def test_other_formats_are_unsupported(tmp_path: Path, name: str) -> None:
    path = tmp_path / name
    path.write_text(SENTENCE)
    assert problem(path).status is FileStatus.UNSUPPORTED


def test_nothing_and_hardly_anything_are_empty(tmp_path: Path) -> None:
    spaced = b"a    b    c    d    e    f\n\ng    h    i"
    for number, content in enumerate([b"", b" \n\t\n", b"Hello there.", spaced]):
        path = tmp_path / f"{number}.txt"
        path.write_bytes(content)
        assert problem(path).status is FileStatus.EMPTY


@pytest.mark.parametrize("rows", [FAR, SHORT + FAR])
def test_cells_that_were_left_out_are_no_picture(tmp_path: Path, rows: str) -> None:
    path = tmp_path / "far.xlsx"
    path.write_bytes(workbook(rows))
    assert problem(path).status is FileStatus.EMPTY
    assert str(problem(path)) == (
        "Cells outside of the rows and columns that a sheet has were left out. "
        "The file holds hardly any other text. Open it in its own program to see what is in it."
    )


def test_a_short_chinese_note_is_not_empty(tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    path.write_text("会议改到星期三下午两点", encoding="utf-8")
    assert parse(path).blocks[0].text == "会议改到星期三下午两点"


@pytest.mark.parametrize("name", ["report.doc", "report.txt", "report.pdf", "report.docm"])
def test_a_word_file_is_read_under_any_name(tmp_path: Path, name: str) -> None:
    path = word_file(tmp_path / "a.docx").rename(tmp_path / name)
    assert parse(path).blocks[0].text == SENTENCE


@pytest.mark.parametrize("name", ["sales.xls", "sales.docx", "sales.csv"])
def test_a_workbook_is_read_under_any_name(tmp_path: Path, name: str) -> None:
    book = openpyxl.Workbook()
    book.worksheets[0]["A1"] = SENTENCE
    book.save(tmp_path / "a.xlsx")
    path = (tmp_path / "a.xlsx").rename(tmp_path / name)
    assert parse(path).blocks[0].text == SENTENCE


def test_a_pdf_is_read_under_any_name(tmp_path: Path) -> None:
    path = one_page(*paragraph(700, SENTENCE)).write(tmp_path / "scan.txt")
    assert parse(path).blocks[0].text == SENTENCE


def test_a_web_page_that_calls_itself_word_is_read(tmp_path: Path) -> None:
    path = tmp_path / "a.doc"
    path.write_text(f"<html><body><p>{SENTENCE}</p><script>x()</script></body></html>")
    assert [block.text for block in parse(path).blocks] == [SENTENCE]


def test_text_that_calls_itself_a_document_is_corrupt(tmp_path: Path) -> None:
    for name in ("a.pdf", "a.docx", "a.pptx", "a.xlsx", "a.odt", "a.ods", "a.odp", "a.epub"):
        path = tmp_path / name
        path.write_text(SENTENCE)
        assert problem(path).status is FileStatus.CORRUPT


def test_noise_that_calls_itself_text_is_corrupt(tmp_path: Path) -> None:
    texts = ("json", "xml", "py", "yaml", "rst", "srt", "log", "mbox", "mhtml", "fb2", "ipynb")
    for name in ("a.txt", "a.csv", "a.md", "a.html", "a.eml", *(f"a.{each}" for each in texts)):
        path = tmp_path / name
        path.write_bytes(b"\x7fELF\x02\x01\x01" + bytes(range(256)) * 40)
        assert problem(path).status is FileStatus.CORRUPT


def test_office_files_that_end_in_their_text_are_corrupt(tmp_path: Path) -> None:
    openpyxl.Workbook().save(tmp_path / "a.xlsx")
    word_file(tmp_path / "a.docx")
    for name, kept in (("a.xlsx", 1000), ("a.docx", 1200)):
        path = tmp_path / name
        path.write_bytes(path.read_bytes()[:kept])
        assert problem(path).status is FileStatus.CORRUPT


def test_an_office_file_whose_directory_is_lost_is_read_with_a_note(tmp_path: Path) -> None:
    path = word_file(tmp_path / "a.docx")
    path.write_bytes(path.read_bytes()[:-200])
    document = parse(path)
    assert document.blocks[0].text == SENTENCE
    assert document.notes[0] == "The file is damaged; what could be saved of it was read."


def test_an_encrypted_office_file_is_encrypted(tmp_path: Path) -> None:
    path = tmp_path / "a.xlsx"
    path.write_bytes(COMPOUND + "EncryptedPackage".encode("utf-16-le"))
    assert problem(path).status is FileStatus.ENCRYPTED


def test_an_old_office_file_is_unsupported_with_the_way_out(tmp_path: Path) -> None:
    path = tmp_path / "a.doc"
    path.write_bytes(COMPOUND)
    found = problem(path)
    assert found.status is FileStatus.UNSUPPORTED
    assert "docx" in found.remedy


def test_an_archive_that_swells_is_too_large(tmp_path: Path) -> None:
    path = word_file(tmp_path / "a.docx")
    with zipfile.ZipFile(path, "a", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("word/media/bomb.bin", bytes(300_000_000))
    assert path.stat().st_size < 1_000_000
    assert problem(path).status is FileStatus.TOO_LARGE


def test_another_archive_under_an_office_name_is_corrupt(tmp_path: Path) -> None:
    path = tmp_path / "a.docx"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("readme.txt", SENTENCE)
    assert problem(path).status is FileStatus.CORRUPT


def test_a_file_that_went_away_has_failed(tmp_path: Path) -> None:
    assert problem(tmp_path / "gone.txt").status is FileStatus.FAILED


def test_a_folder_with_a_file_name_is_unsupported(tmp_path: Path) -> None:
    (tmp_path / "a.txt").mkdir()
    assert problem(tmp_path / "a.txt").status is FileStatus.UNSUPPORTED


def test_a_pipe_is_not_waited_for(tmp_path: Path) -> None:
    if not hasattr(os, "mkfifo"):
        pytest.skip("no named pipes here")
    os.mkfifo(tmp_path / "a.txt")
    assert problem(tmp_path / "a.txt").status is FileStatus.UNSUPPORTED


def test_a_file_of_somebody_else_is_denied(tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    path.write_text(SENTENCE)
    path.chmod(0)
    if os.access(path, os.R_OK):
        pytest.skip("this user may read everything")
    assert problem(path).status is FileStatus.DENIED


@pytest.mark.parametrize("name", ["a b.txt", "a\nb.txt", "🙂.txt", "名前.txt", "a.TXT"])
def test_odd_names_are_read(tmp_path: Path, name: str) -> None:
    path = tmp_path / name
    path.write_text(SENTENCE)
    assert parse(path).blocks[0].text == SENTENCE


def test_a_part_that_a_parser_misses_is_told_from_a_file_that_is_gone(tmp_path: Path) -> None:
    gone = FileNotFoundError(2, "No such file or directory")
    path = tmp_path / "a.docx"
    assert problem_of(path, gone).what == "The file was gone before it could be read."
    path.write_bytes(b"PK")
    missed = problem_of(path, gone)
    assert (missed.status, missed.what) == (FileStatus.CORRUPT, "A part of the file is missing.")


def test_a_file_that_a_parser_may_not_read_is_told_from_one_that_the_user_may_not(
    tmp_path: Path,
) -> None:
    path = tmp_path / "a.docx"
    path.write_bytes(b"PK")
    other = problem_of(path, PermissionError(13, "Permission denied", "/etc/shadow"))
    assert other.status is FileStatus.FAILED
    assert "asked for another file" in other.what
    unfitting = problem_of(path, OSError(22, "Invalid argument"))
    assert unfitting.status is FileStatus.CORRUPT
    broken = problem_of(path, OSError(5, "Input/output error"))
    assert "Input/output error" in broken.what
