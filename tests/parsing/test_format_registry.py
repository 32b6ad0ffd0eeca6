from __future__ import annotations

import json
import os
import zipfile
from pathlib import Path

import docx
import openpyxl
import pptx
import pytest
from PIL import Image

from desktop_rag.core.errors import FileProblem
from desktop_rag.core.types import FileStatus
from desktop_rag.parsing.format_detection import BY_EXTENSION, FileFormat
from desktop_rag.parsing.format_registry import EXTENSIONS, parse, problem_of
from desktop_rag.parsing.ocr.recognized_page import RecognizedLine, RecognizedPage
from tests.attacks.documents import workbook
from tests.parsing.old_office_samples import (
    bin_cell,
    binary_workbook,
    compound_file,
    old_workbook,
    outlook_mail,
    presentation,
    wide,
    word_file,
)
from tests.parsing.open_documents import epub_parts, flat_odf, odf, packed, page
from tests.parsing.sample_files import one_page, paragraph
from tests.parsing.sample_pictures import encoded

SENTENCE = "A sentence that is long enough to be worth finding."
COMPOUND = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(504)


FAR = '<row r="99999999999"><c r="A99999999999"><v>1</v></c></row>'


def problem(path: Path) -> FileProblem:
    with pytest.raises(FileProblem) as caught:
        parse(path)
    assert caught.value.what.endswith(".")
    assert caught.value.remedy.endswith(".")
    return caught.value


def word_file_of_today(path: Path, text: str = SENTENCE) -> Path:
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


WORD, SLIDES, BOOK = (".docx", ".docm", ".dotx", ".dotm"), ".pptx", ".xlsx"
OF_SLIDES = (SLIDES, ".pptm", ".ppsx", ".ppsm", ".potx", ".potm")


def write_sample(path: Path) -> None:
    """Write a file of the format that its ending names, with one sentence in it."""
    old = {
        ".doc": word_file(f"{SENTENCE}\r"), ".dot": word_file(f"{SENTENCE}\r"),
        **dict.fromkeys((".ppt", ".pps", ".pot"), presentation([{4: SENTENCE}])),
        **dict.fromkeys((".xls", ".xlt"), old_workbook({"Sheet": [[SENTENCE]]})),
        ".xlsb": binary_workbook({"Sheet": [bin_cell(0, 0, 6, wide(SENTENCE))]}),
        **dict.fromkeys((".msg", ".oft"), outlook_mail({0x1000: SENTENCE})),
        ".rtf": b"{\\rtf1 " + SENTENCE.encode() + b"\\par}",
    }  # fmt: skip
    if path.suffix in old:
        path.write_bytes(old[path.suffix])
    elif path.suffix == ".pdf":
        one_page(*paragraph(700, SENTENCE)).write(path)
    elif path.suffix in WORD:
        word_file_of_today(path)
    elif path.suffix in {BOOK, ".xlsm", ".xltx", ".xltm"}:
        book = openpyxl.Workbook()
        book.template = path.suffix in {".xltx", ".xltm"}
        book.worksheets[0]["A1"] = SENTENCE
        book.save(path)
    elif path.suffix in OF_SLIDES:
        slides = pptx.Presentation()
        slides.slides.add_slide(slides.slide_layouts[5]).shapes[0].text_frame.text = SENTENCE
        slides.save(str(path))
    elif path.suffix in OPEN:
        path.write_bytes(open_file(path.suffix[1:]))
    else:
        is_mail = path.suffix in {".eml", ".mht", ".mhtml", ".mbox"}
        head = "Subject: A word\n\n" if is_mail else ""
        path.write_text(f"{head}{SENTENCE}\n")


@pytest.mark.parametrize("ending", sorted(EXTENSIONS))
def test_every_format_that_is_listed_is_read(tmp_path: Path, ending: str) -> None:
    path = tmp_path / f"a{ending}"
    pages: dict[int, RecognizedPage] = {}
    if BY_EXTENSION[ending] is FileFormat.PICTURE:
        path.write_bytes(encoded(Image.new("RGB", (300, 200)), ending))
        line = RecognizedLine(SENTENCE, 10, 10, 140, 20, 1.0)
        pages[1] = RecognizedPage(150, 100, 0, (line,))
    else:
        write_sample(path)
    assert any(SENTENCE in block.text for block in parse(path, pages).blocks)


@pytest.mark.parametrize(
    ("ending", "main", "other"),
    [
        (".docx", "wordprocessingml.document", "wordprocessingml.template"),
        (".docx", "vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml",
         "vnd.ms-word.document.macroEnabled.main+xml"),
        (".pptx", "presentationml.presentation.main", "presentationml.slideshow.main"),
        (".pptx", "vnd.openxmlformats-officedocument.presentationml.presentation.main+xml",
         "vnd.ms-powerpoint.slideshow.macroEnabled.main+xml"),
        (".xlsx", "spreadsheetml.sheet.main", "spreadsheetml.template.main"),
    ],
)  # fmt: skip
def test_templates_shows_and_files_with_macros_are_read(
    tmp_path: Path, ending: str, main: str, other: str
) -> None:
    write_sample(plain := tmp_path / f"a{ending}")
    varied = with_other_type(plain, main, other)
    assert [b.text for b in parse(varied).blocks] == [SENTENCE]
    assert not parse(varied).notes


def with_other_type(path: Path, main: str, other: str) -> Path:
    """Return a copy of an Office file whose main part says that it is another kind of file."""
    varied = path.with_stem("varied")
    with zipfile.ZipFile(path) as archive, zipfile.ZipFile(varied, "w") as changed:
        for name in archive.namelist():
            part = archive.read(name)
            if name == "[Content_Types].xml":
                assert main.encode() in part
                part = part.replace(main.encode(), other.encode())
            changed.writestr(name, part)
    return varied


def test_a_link_out_of_a_template_is_no_damage(tmp_path: Path) -> None:
    path = word_file_of_today(tmp_path / "a.docx")
    document = docx.Document(str(path))
    document.part.relate_to("http://example.org/a.html", "x/hyperlink", is_external=True)
    document.save(str(path))
    assert not parse(with_other_type(path, ".document.main", ".template.main")).notes


@pytest.mark.parametrize("name", ["a.svg", "a.7z", "a", "a.exe", "a.odg"])
def test_other_formats_are_unsupported(tmp_path: Path, name: str) -> None:
    path = tmp_path / name
    path.write_text(SENTENCE)
    assert problem(path).status is FileStatus.UNSUPPORTED


def test_nothing_and_hardly_anything_are_empty(tmp_path: Path) -> None:
    for number, content in enumerate([b"", b" \n\t\n", b"a"]):
        path = tmp_path / f"{number}.txt"
        path.write_bytes(content)
        assert problem(path).status is FileStatus.EMPTY


def test_a_word_that_somebody_wrote_is_read_and_one_on_a_drawn_page_is_not(tmp_path: Path) -> None:
    written, drawn = tmp_path / "a.txt", tmp_path / "a.pdf"
    written.write_text("Hello there.")
    one_page(*paragraph(700, "Page 7 of 9")).write(drawn)
    assert [each.text for each in parse(written).blocks] == ["Hello there."]
    assert problem(drawn).status is FileStatus.EMPTY


def test_cells_that_were_left_out_are_no_picture(tmp_path: Path) -> None:
    path = tmp_path / "far.xlsx"
    path.write_bytes(workbook(FAR))
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
    path = word_file_of_today(tmp_path / "a.docx").rename(tmp_path / name)
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
    word_file_of_today(tmp_path / "a.docx")
    for name, kept in (("a.xlsx", 1000), ("a.docx", 1200)):
        path = tmp_path / name
        path.write_bytes(path.read_bytes()[:kept])
        assert problem(path).status is FileStatus.CORRUPT


def test_an_office_file_whose_directory_is_lost_is_read_with_a_note(tmp_path: Path) -> None:
    path = word_file_of_today(tmp_path / "a.docx")
    path.write_bytes(path.read_bytes()[:-200])
    document = parse(path)
    assert document.blocks[0].text == SENTENCE
    assert document.notes[0] == "The file is damaged; what could be saved of it was read."


def test_an_encrypted_office_file_is_encrypted(tmp_path: Path) -> None:
    path = tmp_path / "a.xlsx"
    path.write_bytes(COMPOUND + "EncryptedPackage".encode("utf-16-le"))
    assert problem(path).status is FileStatus.ENCRYPTED


def test_a_compound_file_of_another_program_is_unsupported_by_its_name(tmp_path: Path) -> None:
    path = tmp_path / "a.doc"
    for stream, program in (("VisioDocument", "Visio"), ("PerfectOffice_MAIN", "WordPerfect")):
        path.write_bytes(compound_file({stream: SENTENCE.encode()}))
        found = problem(path)
        assert found.status is FileStatus.UNSUPPORTED
        assert program in found.what
    path.write_bytes(b"\xffWPC" + bytes(100))
    assert "WordPerfect" in problem(path).what


def test_an_empty_compound_file_is_corrupt_where_its_name_is_known(tmp_path: Path) -> None:
    for name, status in (("a.doc", FileStatus.CORRUPT), ("a.bin", FileStatus.UNSUPPORTED)):
        (tmp_path / name).write_bytes(COMPOUND)
        assert problem(tmp_path / name).status is status


def test_an_encrypted_file_in_a_whole_compound_file_is_encrypted(tmp_path: Path) -> None:
    path = tmp_path / "a.xlsb"
    path.write_bytes(compound_file({"EncryptedPackage": bytes(5000), "EncryptionInfo": b"x"}))
    assert problem(path).status is FileStatus.ENCRYPTED


def test_a_pdf_at_the_head_of_a_compound_file_does_not_make_it_one(tmp_path: Path) -> None:
    path = tmp_path / "a.msg"
    path.write_bytes(outlook_mail({0x1000: SENTENCE, 0x0037: b"%PDF-1.7"}))
    assert b"%PDF-" in path.read_bytes()[:1024]
    assert parse(path).blocks[0].text == SENTENCE


def test_an_archive_that_swells_is_too_large(tmp_path: Path) -> None:
    path = word_file_of_today(tmp_path / "a.docx")
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
