"""Pictures in e-books and web pages: which count, and where what was found on them stands."""

from __future__ import annotations

import base64
from pathlib import Path
from urllib.parse import quote

import pytest

from desktop_rag.core.errors import FileProblem
from desktop_rag.core.types import FileStatus
from desktop_rag.parsing.format_registry import embedded_pages, parse
from desktop_rag.parsing.ocr.page_pictures import page_picture_in
from desktop_rag.parsing.parsed_document import ParsedDocument
from tests.parsing.open_documents import epub_parts, packed, page, written
from tests.parsing.sample_pictures import LINES, found, picture

TEXT = "\n".join(LINES)
RED, BLUE = picture("red").read(), picture("blue").read()


def data(raw: bytes) -> str:
    return f"data:image/png;base64,{base64.b64encode(raw).decode()}"


def shown(document: ParsedDocument) -> list[tuple[int | str, str]]:
    return [(block.place.value, block.text) for block in document.blocks]


def colours(path: Path) -> list[tuple[int, ...]]:
    """Return the colours that recognition gets to see, each as blue, green, red."""
    pages = embedded_pages(path, 1)
    assert list(pages) == list(range(1, len(pages) + 1))
    pixels = [page_picture_in(each.raw, each.page).pixels[0, 0] for each in pages.values()]
    return [tuple(int(value) for value in pixel) for pixel in pixels]


def book(tmp_path: Path, *bodies: str) -> Path:
    parts: dict[str, str | bytes] = {**epub_parts({
        f"text/c{at}.xhtml": page(body) for at, body in enumerate(bodies)
    })}  # fmt: skip
    parts |= {"OEBPS/art/red.png": RED, "OEBPS/art/a blue.png": BLUE, "OEBPS/art/no.png": b"?"}
    parts["OEBPS/art/icon.png"] = picture("green", 64, 64).read()
    parts["OEBPS/unused.png"] = picture("white").read()
    return written(tmp_path / "a.epub", packed(parts))


def test_what_stands_on_a_book_s_picture_follows_the_text_that_shows_it(tmp_path: Path) -> None:
    svg = '<svg xmlns:xlink="http://www.w3.org/1999/xlink"><image xlink:href="{}"/></svg>'
    path = book(
        tmp_path,
        f"<div>{svg.format('../art/red.png')}</div><h1>One</h1><p>Sea <img src='../art/red.png'/>"
        "and <img src='../art/icon.png'/> <img src='../art/no.png'/> <img src='gone.png'/> sky.</p>"
        "<table><tr><th>Pier</th><th>Plan</th></tr>"
        "<tr><td>1</td><td><img src='../art/a%20blue.png'/></td></tr></table><p>End.</p>",
        "<p>After.</p><img src='../art/a%20blue.png'/>",
    )
    first = parse(path)
    assert (first.unread_pages, first.notes) == ((1, 2), ())
    assert colours(path) == [(0, 0, 255), (255, 0, 0)]
    before = shown(first)
    again = parse(path, {1: found(*LINES), 2: found(*reversed(LINES))})
    assert again.unread_pages == ()
    other = "\n".join(reversed(LINES))
    assert shown(again) == [("body", TEXT), *before[:3], ("One", other), *before[3:]]
    assert [text for _, text in before[3:]] == ["End.", "After."]


def test_a_comic_waits_for_recognition(tmp_path: Path) -> None:
    path = book(tmp_path, "<img src='../art/red.png'/>", "<img src='../art/a%20blue.png'/>")
    with pytest.raises(FileProblem) as caught:
        parse(path)
    assert caught.value.status is FileStatus.NEEDS_OCR
    assert caught.value.unread_pages == (1, 2)
    assert shown(parse(path, {1: found(), 2: found(*LINES)})) == [("body", TEXT)]
    with pytest.raises(FileProblem) as caught:
        parse(path, {1: found(), 2: found()})
    assert caught.value.status is FileStatus.EMPTY


def test_a_picture_in_a_page_s_address_is_looked_at_and_no_other(tmp_path: Path) -> None:
    (tmp_path / "beside.png").write_bytes(BLUE)
    (tmp_path / "a.html").write_text(
        f"<h1>One</h1><p>Before <img src='{data(RED)}'> it.</p><p>After.</p>"
        f"<img src='beside.png'><img src='file://{tmp_path}/beside.png'>"
        f"<img src='https://example.org/a.png'><div hidden><img src='{data(BLUE)}'></div>"
        f"<img src='data:image/png,{quote(picture('lime').read())}'><img src='data:,'><img>"
        f"<img src='{data(picture('lime', 100).read())}'><img src='data:image/png;base64,!'>"
    )
    path = tmp_path / "a.html"
    assert colours(path) == [(0, 0, 255), (0, 255, 0)]
    document = parse(path, {1: found(*LINES)})
    assert shown(document) == [
        ("One", "One"), ("One", "Before it."), ("One", TEXT), ("One", "After."),
    ]  # fmt: skip
    assert document.unread_pages == (2,)


def test_a_picture_of_a_fiction_book_follows_its_paragraph(tmp_path: Path) -> None:
    held = "".join(
        f'<binary id="{name}" content-type="image/png">{base64.b64encode(raw).decode()}</binary>'
        for name, raw in (("a", RED), ("b", BLUE), ("c", b"?"))
    )
    path = written(
        tmp_path / "a.fb2",
        '<FictionBook xmlns:l="http://www.w3.org/1999/xlink"><body><section><title><p>One</p>'
        '</title><image l:href="#b"/><p>Sea <image l:href="#a"/> and sky.</p><p>End.</p>'
        f'<image l:href="#b"/><image l:href="#c"/><image l:href="#d"/></section></body>{held}'
        "</FictionBook>",
    )
    assert colours(path) == [(255, 0, 0), (0, 0, 255)]
    assert shown(parse(path, {2: found(*LINES)})) == [
        ("One", "One"), ("One", "Sea and sky."), ("One", TEXT), ("One", "End."),
    ]  # fmt: skip


def test_what_is_kept_for_recognition_is_bounded_and_goes_on_from_any_number(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    several = [picture("red", 400 + at).read() for at in range(4)]
    path = written(tmp_path / "a.html", "".join(f"<img src='{data(raw)}'>" for raw in several))
    room = len(several[0]) + len(several[1])
    monkeypatch.setattr("desktop_rag.parsing.formats.embedded_pictures._MOST_KEPT", room)
    assert list(embedded_pages(path, 1)) == [1, 2]
    assert [each.raw for each in embedded_pages(path, 3).values()] == several[2:]
    monkeypatch.setattr("desktop_rag.parsing.formats.embedded_pictures._MOST_KEPT", 1)
    assert list(embedded_pages(path, 2)) == [2]
    with pytest.raises(FileProblem):
        embedded_pages(path, 5)


def test_a_picture_that_claims_to_be_huge_does_not_count(tmp_path: Path) -> None:
    raw = bytearray(RED)
    raw[16:24] = (100_000).to_bytes(4, "big") * 2  # its width and height
    path = written(tmp_path / "a.html", f"<p>Sea and sky.</p><img src='{data(bytes(raw))}'>")
    assert parse(path).unread_pages == ()
