"""Pictures in OpenDocument: where what was found on them stands, in packages and flat files."""

from __future__ import annotations

import base64
from pathlib import Path

import pytest

from desktop_rag.core.errors import FileProblem
from desktop_rag.core.types import FileStatus
from desktop_rag.parsing.format_registry import embedded_pages, parse
from desktop_rag.parsing.parsed_document import ParsedDocument
from tests.parsing.open_documents import flat_odf, odf_parts, packed, written
from tests.parsing.sample_pictures import LINES, found, picture

TEXT = "\n".join(LINES)
OTHER = "\n".join(reversed(LINES))
RED, BLUE = picture("red").read(), picture("blue").read()
FRAME = '<draw:frame><draw:image href="{}"/></draw:frame>'
SHOWN_RED, SHOWN_BLUE = FRAME.format("Pictures/red.png"), FRAME.format("./Pictures/blue.png")
CELL = "<table:table-cell>{}</table:table-cell>"
MATH = '<math xmlns="http://www.w3.org/1998/Math/MathML"><mi>x</mi></math>'


def package(path: Path, kind: str, body: str) -> Path:
    parts: dict[str, str | bytes] = {**odf_parts(kind, body)}
    parts |= {"Pictures/red.png": RED, "Pictures/blue.png": BLUE, "Pictures/no.emf": b"?"}
    parts |= {"Pictures/lime.png": picture("lime").read(), "Thumbnails/thumbnail.png": RED}
    return written(path, packed(parts))


def shown(document: ParsedDocument) -> list[tuple[int | str, str]]:
    return [(block.place.value, block.text) for block in document.blocks]


def test_a_text_s_picture_follows_its_paragraph_or_its_table(tmp_path: Path) -> None:
    formula = f'<draw:frame><draw:object>{MATH}</draw:object><draw:image href="Pictures/lime.png"/>'
    row = CELL.format("<text:p>Pier</text:p>") + CELL.format(
        f"<text:p>Plan {SHOWN_BLUE}{formula}</draw:frame></text:p>"
    )
    path = package(
        tmp_path / "a.odt",
        "text",
        f"<text:h>One</text:h><text:p>Sea {SHOWN_RED} and sky.</text:p><text:p>{formula}"
        f"</draw:frame></text:p>{FRAME.format('Pictures/no.emf')}{FRAME.format('gone.png')}"
        f"<table:table><table:table-row>{row}</table:table-row></table:table>"
        f"<text:p>End. {SHOWN_RED}{FRAME.format('https://example.org/a.png')}</text:p>",
    )
    first = shown(parse(path))
    assert parse(path).unread_pages == (1, 2)
    assert [each.raw for each in embedded_pages(path, 1).values()] == [RED, BLUE]
    again = shown(parse(path, {1: found(*LINES), 2: found(*reversed(LINES))}))
    assert again == [*first[:2], ("One", TEXT), *first[2:-1], ("One", OTHER), first[-1]]
    assert first[1] == ("One", "Sea and sky.")
    assert first[-1] == ("One", "End.")


def test_a_slide_s_picture_has_its_slide(tmp_path: Path) -> None:
    path = package(
        tmp_path / "a.odp",
        "presentation",
        f"<draw:page>{SHOWN_BLUE}</draw:page><draw:page><draw:g>{SHOWN_RED}</draw:g></draw:page>",
    )
    with pytest.raises(FileProblem) as caught:
        parse(path)
    assert caught.value.status is FileStatus.NEEDS_OCR
    assert caught.value.unread_pages == (1, 2)
    assert shown(parse(path, {1: found(), 2: found(*LINES)})) == [(2, TEXT)]


def test_a_sheet_s_pictures_follow_its_rows(tmp_path: Path) -> None:
    cell = CELL.format("<text:p>{}</text:p>")
    rows = "".join(
        f"<table:table-row>{cell.format(name)}{cell.format(at)}</table:table-row>"
        for at, name in enumerate(("Pier", "North"))
    )
    one = f"<table:table table:name='One'>{rows}<table:table-row>"
    path = package(
        tmp_path / "a.ods",
        "spreadsheet",
        f"{one}{CELL.format(SHOWN_BLUE)}</table:table-row></table:table>"
        f"<table:table table:name='Two'><table:shapes>{SHOWN_RED}</table:shapes>{rows}"
        "</table:table><table:table table:name='Three'><table:shapes>"
        f"{FRAME.format('Pictures/lime.png')}</table:shapes></table:table>",
    )
    assert parse(path).unread_pages == (1, 2, 3)
    pages = {1: found(*LINES), 2: found(*reversed(LINES)), 3: found(*LINES * 2)}
    texts = [block.text for block in parse(path, pages).blocks]
    places = [block.place.value for block in parse(path, pages).blocks]
    assert (places, texts[1::2]) == (
        ["One", "One", "Two", "Two", "Three"], [TEXT, OTHER],
    )  # fmt: skip
    assert texts[-1] == "\n".join(LINES * 2)


def test_a_picture_in_a_flat_file_is_looked_at(tmp_path: Path) -> None:
    held = base64.encodebytes(RED).decode()
    body = f"<draw:frame><draw:image><office:binary-data>{held}</office:binary-data></draw:image>"
    path = written(
        tmp_path / "a.fodt", flat_odf("text", f"<text:p>Sea.</text:p>{body}</draw:frame>")
    )
    assert [each.raw for each in embedded_pages(path, 1).values()] == [RED]
    assert shown(parse(path, {1: found(*LINES)})) == [("body", "Sea."), ("body", TEXT)]
