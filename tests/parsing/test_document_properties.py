"""What documents of each format say of themselves, read as users' files are."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

import docx
import openpyxl
import pypdfium2
import pytest

from desktop_rag.core.document_metadata import DocumentMetadata
from desktop_rag.parsing import format_registry
from desktop_rag.parsing.parsed_document import ParsedDocument
from desktop_rag.parsing.sandbox.document_stream import pack_head, unpack_head

_TEXT = "The agreement between the parties ends when either of them gives notice of it to all."
_WRITTEN = datetime(2023, 7, 31, 12, 0, 5, tzinfo=UTC)


def _read(path: Path) -> DocumentMetadata:
    return format_registry.parse(path).metadata


def test_a_word_file_tells_its_properties(tmp_path: Path) -> None:
    document = docx.Document()
    document.add_paragraph(_TEXT)
    properties = document.core_properties
    properties.author, properties.keywords, properties.subject = "Ann; Bob", "lease, rent", "Flats"
    properties.created = properties.modified = _WRITTEN.replace(tzinfo=None)
    document.save(str(tmp_path / "a.docx"))
    dated = _WRITTEN.timestamp()
    told = DocumentMetadata(("Ann", "Bob"), (), ("lease", "rent"), "Flats", dated, dated, "en")
    assert _read(tmp_path / "a.docx") == told


def test_a_workbook_tells_its_properties(tmp_path: Path) -> None:
    book = openpyxl.Workbook()
    assert book.active is not None
    book.active.append(["the agreement", _TEXT])
    book.properties.creator = "Ann"
    book.save(tmp_path / "a.xlsx")
    assert _read(tmp_path / "a.xlsx").authors == ("Ann",)


@pytest.mark.parametrize(
    ("name", "text", "told"),
    [
        (
            "a.eml",
            ("From: Ann <ann@x.org>\nTo: Bob <bob@x.org>\nCc: c@x.org\nSubject: Flats\n"
            f"Date: Mon, 31 Jul 2023 12:00:05 +0000\n\n{_TEXT}\n"),
            DocumentMetadata(
                ("Ann <ann@x.org>",), ("Bob <bob@x.org>", "c@x.org"), (), "Flats",
                _WRITTEN.timestamp(), None, "en",
            ),
        ),
        (
            "a.md",
            f"---\nauthor: Ann\ntags: [lease, rent]\ndate: 2023-07-31\n---\n\n{_TEXT}",
            DocumentMetadata(
                ("Ann",), (), ("lease", "rent"), "",
                datetime(2023, 7, 31, tzinfo=UTC).timestamp(), None, "en",
            ),
        ),
        (
            "a.html",
            ("<html><head><meta name='author' content='Ann'><meta name='keywords' "
            "content='lease, rent'><meta property='article:published_time' "
            f"content='2023-07-31T12:00:05Z'></head><body><p>{_TEXT}</p></body></html>"),
            DocumentMetadata(
                ("Ann",), (), ("lease", "rent"), "", _WRITTEN.timestamp(), None, "en"
            ),
        ),
        ("a.txt", _TEXT, DocumentMetadata(language="en")),
    ],
)  # fmt: skip
def test_a_text_tells_its_properties(
    tmp_path: Path, name: str, text: str, told: DocumentMetadata
) -> None:
    (tmp_path / name).write_text(text, encoding="utf-8")
    assert _read(tmp_path / name) == told


@pytest.mark.parametrize(
    ("name", "author"),
    [
        ("docling__legacy_sample.doc", "Christoph Auer"),
        ("docling__legacy_sample.ppt", "Maxim Lysak"),
        ("easyexcel__byName.xls", "庄家钜"),
        ("docling__odf_presentation_01.odp", "Maxim Lysak"),
        ("docling__text_document_03.odt", "Cesar Berrospi Ramis"),
        ("docling__powerpoint_bad_text.pptx", "Pia Bardesono"),
        ("epub-tests__css-epub-line-break.epub", "Wendy Reid"),
        ("docling__msg_simple.msg", "Alice Example <alice@example.com>"),
    ],
)
def test_a_real_file_names_its_author(shared: Path, name: str, author: str) -> None:
    found = next((shared / "documents").rglob(name))
    assert _read(found).authors == (author,)


def test_a_pdf_tells_when_it_was_made(shared: Path) -> None:
    found = next((shared / "documents").rglob("docling__dualpipe.pdf"))
    document = pypdfium2.PdfDocument(found)
    stands = document.get_metadata_value("CreationDate")
    document.close()
    made = _read(found).created
    assert made is not None
    assert stands.startswith(f"D:{datetime.fromtimestamp(made, UTC):%Y%m}")


def test_properties_cross_the_parsers_pipe() -> None:
    parsed = ParsedDocument(
        "", (), metadata=DocumentMetadata(("Ann",), (), ("k",), "S", 1.5, None, "de")
    )
    assert unpack_head(pack_head(parsed.head)) == parsed.head
