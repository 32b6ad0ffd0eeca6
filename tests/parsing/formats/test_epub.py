from __future__ import annotations

from pathlib import Path

import pytest

from desktop_rag.core.errors import FileProblem
from desktop_rag.core.types import BlockKind, FileStatus
from desktop_rag.parsing.format_registry import parse
from desktop_rag.parsing.formats.epub import parse_epub
from desktop_rag.parsing.parsed_document import ParsedDocument
from tests.parsing.open_documents import epub_parts, packed, page, written

METADATA = "<dc:creator>Ann Lee</dc:creator><dc:title>The Sea</dc:title>"
SENTENCE = "The ships sail at seven every morning."
NAVIGATION = 'media-type="application/xhtml+xml" properties="nav"'
PROTECTED = (
    '<encryption xmlns="urn:oasis:names:tc:opendocument:xmlns:container" '
    'xmlns:enc="http://www.w3.org/2001/04/xmlenc#"><enc:EncryptedData>'
    '<enc:EncryptionMethod Algorithm="{way}"/><enc:CipherData>'
    '<enc:CipherReference URI="OEBPS/{name}"/></enc:CipherData></enc:EncryptedData></encryption>'
)
AES, FONT = "http://www.w3.org/2001/04/xmlenc#aes128-cbc", "http://www.idpf.org/2008/embedding"


def read(tmp_path: Path, parts: dict[str, str]) -> ParsedDocument:
    return parse_epub(written(tmp_path / "a.epub", packed(parts)))


def shown(document: ParsedDocument) -> list[tuple[str, int | str, str]]:
    return [(b.kind.value, b.place.value, b.text) for b in document.blocks]


def test_documents_are_read_in_the_order_of_the_book(tmp_path: Path) -> None:
    documents = {
        "b.xhtml": page("<h1>One</h1><p>First&nbsp;text.</p>"),
        "a.xhtml": page("<p>It goes on.</p><h1>Two</h1><p>Second.</p>"),
    }
    document = read(tmp_path, epub_parts(documents, metadata=METADATA))
    assert document.title == "The Sea"
    assert shown(document) == [
        ("meta", "head", "Title: The Sea\nAuthor: Ann Lee"),
        ("heading", "One", "One"),
        ("text", "One", "First text."),
        ("text", "One", "It goes on."),
        ("heading", "Two", "Two"),
        ("text", "Two", "Second."),
    ]


def test_the_contents_are_not_read_beside_the_text(tmp_path: Path) -> None:
    contents = '<nav><h2>In this book</h2><ol><li><a href="a.xhtml">One</a></li></ol></nav>'
    documents = {"nav.xhtml": page(contents), "a.xhtml": page("<h1>One</h1><p>Text.</p>")}
    document = read(tmp_path, epub_parts(documents, items={"nav.xhtml": NAVIGATION}))
    assert [text for _, _, text in shown(document)] == ["In this book", "One", "Text."]


def test_a_drawing_and_what_stands_for_another_kind_are_read(tmp_path: Path) -> None:
    drawing = (
        '<svg xmlns="http://www.w3.org/2000/svg"><text>Drawn <tspan>words</tspan></text></svg>'
    )
    documents = {"a.svg": drawing, "b.pic": "binary", "c.xhtml": page(f"<p>{SENTENCE}</p>")}
    items = {
        "a.svg": 'media-type="image/svg+xml"',
        "b.pic": 'media-type="image/x-own" fallback="d2"',
    }
    document = read(tmp_path, epub_parts(documents, items=items))
    assert [text for _, _, text in shown(document)] == ["Drawn words", SENTENCE]


def test_what_scripts_would_show_is_read(tmp_path: Path) -> None:
    body = page(f'<p>Short.</p><p>Also short.</p><p style="display:none">{SENTENCE}</p>')
    items = {"a.xhtml": 'media-type="application/xhtml+xml" properties="scripted"'}
    scripted = read(tmp_path, epub_parts({"a.xhtml": body}, items=items))
    assert SENTENCE in [text for _, _, text in shown(scripted)]
    plain = read(tmp_path, epub_parts({"a.xhtml": body + SENTENCE * 3}))
    assert SENTENCE not in [text for _, _, text in shown(plain)]
    assert plain.notes == ("Text that the page hides was not read.",)


def test_a_protected_book_is_encrypted(tmp_path: Path) -> None:
    parts = epub_parts({"a.xhtml": "\x01\x02"}, metadata=METADATA)
    parts["META-INF/encryption.xml"] = PROTECTED.format(way=AES, name="a.xhtml")
    with pytest.raises(FileProblem) as caught:
        read(tmp_path, parts)
    assert caught.value.status is FileStatus.ENCRYPTED


def test_obscured_fonts_protect_no_text(tmp_path: Path) -> None:
    parts = epub_parts({"a.xhtml": page(f"<p>{SENTENCE}</p>")})
    parts["META-INF/encryption.xml"] = PROTECTED.format(way=FONT, name="a.otf")
    document = read(tmp_path, parts)
    assert (document.blocks[0].text, document.notes) == (SENTENCE, ())


def test_a_missing_document_is_told(tmp_path: Path) -> None:
    parts = epub_parts({"a.xhtml": page(f"<p>{SENTENCE}</p>"), "b.xhtml": "gone"})
    del parts["OEBPS/b.xhtml"]
    document = read(tmp_path, parts)
    assert document.blocks[0].text == SENTENCE
    assert document.notes == ("A part of the book is damaged or missing and was not read.",)


def test_a_book_without_its_order_is_read_as_its_pages_lie(tmp_path: Path) -> None:
    parts = epub_parts({"a.xhtml": page(f"<p>{SENTENCE}</p>")})
    del parts["OEBPS/book.opf"]
    assert read(tmp_path, parts).blocks[0].text == SENTENCE


def test_a_book_of_pictures_has_no_text_but_its_description(tmp_path: Path) -> None:
    document = read(tmp_path, epub_parts({"a.xhtml": page("<img/>")}, metadata=METADATA))
    assert [block.kind for block in document.blocks] == [BlockKind.META]


def test_an_archive_that_is_no_book_is_corrupt(tmp_path: Path) -> None:
    with pytest.raises(FileProblem) as caught:
        parse(written(tmp_path / "a.epub", packed({"readme.txt": SENTENCE})))
    assert caught.value.status is FileStatus.CORRUPT


def test_a_book_is_told_by_its_content(tmp_path: Path) -> None:
    parts = epub_parts({"a.xhtml": page(f"<p>{SENTENCE}</p>")})
    path = written(tmp_path / "a.zip", packed(parts))
    assert parse(path).blocks[0].text == SENTENCE


def test_formulas_are_read_and_gaps_are_counted_once_for_the_book(tmp_path: Path) -> None:
    math = '<math xmlns="http://www.w3.org/1998/Math/MathML">{}<mi>x</mi>{}</math>'
    deep = math.format("<mrow>" * 90, "</mrow>" * 90)
    body = f"<p>For {math.format('', '')} and {deep}.</p>"
    pages = {name: page(body) for name in ("a.xhtml", "b.xhtml")}
    document = read(tmp_path, epub_parts(pages))
    assert [b.text for b in document.blocks if "For" in b.text] == ["For $x$ and [formula]."] * 2
    assert "could not be read: 2" in "".join(document.notes)
