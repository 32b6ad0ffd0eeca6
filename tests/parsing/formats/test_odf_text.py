from __future__ import annotations

from pathlib import Path

import pytest

from desktop_rag.core.errors import FileProblem
from desktop_rag.core.types import BlockKind, FileStatus, LocatorKind
from desktop_rag.parsing.format_registry import parse
from desktop_rag.parsing.formats.odf_text import parse_odp, parse_odt
from desktop_rag.parsing.parsed_document import ParsedDocument
from tests.parsing.open_documents import encrypted_odf, flat_odf, odf, odf_parts, packed, written

HIDING = (
    '<style:style style:name="Gone" style:family="text">'
    '<style:text-properties text:display="none"/></style:style>'
    '<style:style style:name="T1" style:family="text" style:parent-style-name="Gone"/>'
)
SENTENCE = "<text:p>The ships sail at seven every morning.</text:p>"


def text(tmp_path: Path, body: str, styles: str = "", title: str = "") -> ParsedDocument:
    raw = odf("text", body, styles, title=title)
    return parse_odt(written(tmp_path / "a.odt", raw))


def shown(document: ParsedDocument) -> list[tuple[str, int | str, str]]:
    return [(block.kind.value, block.place.value, block.text) for block in document.blocks]


def test_headings_place_the_paragraphs_under_them(tmp_path: Path) -> None:
    body = (
        "<text:p>Before.</text:p>"
        '<text:h text:outline-level="2">The <text:span>harbour</text:span></text:h>'
        "<text:p>Ships<text:tab/>sail<text:s text:c='3'/>at<text:line-break/>seven.</text:p>"
        "<text:list><text:list-item><text:p>One</text:p><text:list><text:list-item>"
        "<text:p>Within</text:p></text:list-item></text:list></text:list-item></text:list>"
    )
    document = text(tmp_path, body, title="About harbours")
    assert document.title == "About harbours"
    assert shown(document) == [
        ("text", "body", "Before."),
        ("heading", "The harbour", "The harbour"),
        ("text", "The harbour", "Ships sail at\nseven."),
        ("list", "The harbour", "One"),
        ("list", "The harbour", "Within"),
    ]
    assert document.blocks[1].level == 2


def test_a_paragraph_in_the_style_of_a_heading_is_one(tmp_path: Path) -> None:
    styles = (
        '<style:style style:name="P1" style:family="paragraph" style:parent-style-name="Title"/>'
        '<style:style style:name="P2" style:parent-style-name="Heading_20_3"/>'
    )
    body = '<text:p text:style-name="P1">All</text:p><text:p text:style-name="P2">Part</text:p>'
    assert [(b.text, b.level) for b in text(tmp_path, body, styles).blocks] == [
        ("All", 1),
        ("Part", 3),
    ]


def test_merged_and_repeated_cells_keep_their_columns(tmp_path: Path) -> None:
    body = (
        "<table:table><table:table-header-rows><table:table-row>"
        '<table:table-cell table:number-columns-spanned="2"><text:p>City</text:p>'
        "</table:table-cell><table:covered-table-cell/>"
        "<table:table-cell><text:p>Ships</text:p></table:table-cell></table:table-row>"
        "</table:table-header-rows><table:table-row>"
        '<table:table-cell table:number-columns-repeated="2"><text:p>Ost</text:p><text:p>ende'
        "</text:p></table:table-cell><table:table-cell><text:p>14</text:p></table:table-cell>"
        "</table:table-row></table:table>"
    )
    table = text(tmp_path, body).blocks[0]
    assert table.kind is BlockKind.TABLE
    assert [row.text for row in table.rows] == ["City |  | Ships", "Ost ende | Ost ende | 14"]


def test_a_cell_that_claims_to_be_a_billion_is_bounded(tmp_path: Path) -> None:
    cell = '<table:table-cell table:number-columns-repeated="99999999"><text:p>x</text:p>'
    row = f'<table:table-row table:number-rows-repeated="99999999">{cell}</table:table-cell>'
    table = text(tmp_path, f"<table:table>{row}</table:table-row></table:table>").blocks[0]
    assert len(table.rows) == 100
    assert table.rows[0].text.count("x") == 100


def test_footnotes_and_comments_stand_after_the_text(tmp_path: Path) -> None:
    note = (
        '<text:note text:note-class="footnote"><text:note-citation>1</text:note-citation>'
        "<text:note-body><text:p>Since 1900.</text:p></text:note-body></text:note>"
    )
    comment = "<office:annotation><dc:creator>Ann</dc:creator><text:p>Check.</text:p>"
    body = f"<text:p>Ships{note} sail{comment}</office:annotation>.</text:p>"
    assert shown(text(tmp_path, body)) == [
        ("text", "body", "Ships sail."),
        ("text", "footnotes", "Since 1900."),
        ("text", "comments", "Check."),
    ]


def test_deleted_and_hidden_text_is_left_out(tmp_path: Path) -> None:
    body = (
        "<text:tracked-changes><text:changed-region><text:deletion><text:p>Deleted.</text:p>"
        "</text:deletion></text:changed-region></text:tracked-changes>"
        '<text:p>Seen <text:span text:style-name="T1">unseen </text:span>again.</text:p>'
        '<text:section text:display="none"><text:p>Hidden part.</text:p></text:section>'
    )
    document = text(tmp_path, body, HIDING)
    assert shown(document) == [("text", "body", "Seen again.")]
    assert document.notes == ("Text that the document hides was not read.",)


def test_text_in_frames_is_read_once(tmp_path: Path) -> None:
    box = "<draw:frame><draw:text-box><text:p>In a box.</text:p></draw:text-box></draw:frame>"
    body = f"<text:p>Around{box} it.</text:p>"
    assert [text for _, _, text in shown(text(tmp_path, body))] == ["Around it.", "In a box."]


def test_slides_are_numbered_and_have_their_notes(tmp_path: Path) -> None:
    slide = (
        '<draw:page><draw:frame presentation:class="title"><draw:text-box><text:p>{0}</text:p>'
        "</draw:text-box></draw:frame><draw:g><draw:custom-shape><text:p>Shape {0}</text:p>"
        "</draw:custom-shape></draw:g><presentation:notes><draw:frame><draw:text-box>"
        "<text:p>Say {0}</text:p></draw:text-box></draw:frame></presentation:notes></draw:page>"
    )
    raw = odf("presentation", slide.format("one") + slide.format("two"))
    document = parse_odp(written(tmp_path / "a.odp", raw))
    assert document.pages == 2
    assert shown(document) == [
        ("heading", 1, "one"), ("text", 1, "Shape one"), ("text", 1, "Say one"),
        ("heading", 2, "two"), ("text", 2, "Shape two"), ("text", 2, "Say two"),
    ]  # fmt: skip
    assert document.blocks[0].place.kind is LocatorKind.SLIDE


@pytest.mark.parametrize("name", ["a.odt", "a.docx", "a.txt", "a.zip"])
def test_the_kind_is_told_by_the_content(tmp_path: Path, name: str) -> None:
    path = written(tmp_path / name, odf("text", SENTENCE))
    assert "seven" in parse(path).blocks[0].text


@pytest.mark.parametrize("name", ["a.fodt", "a.odt", "a.fodp"])
def test_a_flat_file_is_read(tmp_path: Path, name: str) -> None:
    path = written(tmp_path / name, flat_odf("text", SENTENCE))
    assert "seven" in parse(path).blocks[0].text


def test_an_encrypted_file_is_encrypted(tmp_path: Path) -> None:
    with pytest.raises(FileProblem) as caught:
        parse(written(tmp_path / "a.odt", encrypted_odf()))
    assert caught.value.status is FileStatus.ENCRYPTED


def test_what_stands_before_the_damage_is_read_with_a_note(tmp_path: Path) -> None:
    parts = odf_parts("text", SENTENCE + "<text:p>More of it.</text:p>")
    parts["content.xml"] = parts["content.xml"].partition("More")[0]
    document = parse(written(tmp_path / "a.odt", packed(parts)))
    assert "seven" in document.blocks[0].text
    assert document.notes == ("The file is damaged; what could be saved of it was read.",)


@pytest.mark.parametrize("content", ["", "no XML at all", "<office/>"])
def test_a_file_without_content_is_corrupt(tmp_path: Path, content: str) -> None:
    parts = odf_parts("text", "") | {"content.xml": content}
    with pytest.raises(FileProblem) as caught:
        parse(written(tmp_path / "a.odt", packed(parts)))
    assert caught.value.status is FileStatus.CORRUPT


def test_frames_in_frames_without_end_are_read_to_their_text(tmp_path: Path) -> None:
    deep = "<draw:g>" * 900 + SENTENCE + "</draw:g>" * 900
    assert "seven" in text(tmp_path, deep).blocks[0].text


MATH = (
    '<math xmlns="http://www.w3.org/1998/Math/MathML" display="block"><semantics>'
    "<msup><mi>r</mi><mn>2</mn></msup><annotation encoding='StarMath 5.0'>r^2</annotation>"
    "</semantics></math>"
)


@pytest.mark.parametrize("is_inside", [True, False], ids=["in the file", "as an object"])
def test_formulas_stand_in_their_sentence(tmp_path: Path, *, is_inside: bool) -> None:
    link = 'xlink:href="./Object 1" xmlns:xlink="http://www.w3.org/1999/xlink"'
    held = f"<draw:object>{MATH}</draw:object>" if is_inside else f"<draw:object {link}/>"
    frame = f"<draw:frame>{held}<draw:image/></draw:frame>"
    body = f"<text:p>It covers {frame}, as told.</text:p>"
    parts = odf_parts("text", body) | ({} if is_inside else {"Object 1/content.xml": MATH})
    document = parse_odt(written(tmp_path / "a.odt", packed(parts)))
    assert [block.text for block in document.blocks] == ["It covers $r^2$, as told."]


def test_a_formula_on_a_slide_is_a_text_of_its_own(tmp_path: Path) -> None:
    frame = f"<draw:frame><draw:object>{MATH}</draw:object></draw:frame>"
    raw = odf("presentation", f"<draw:page>{frame}</draw:page>")
    document = parse_odp(written(tmp_path / "a.odp", raw))
    assert shown(document) == [("text", 1, "$r^2$")]


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("Object 1/content.xml", MATH.replace("<msup>", "<mrow>" * 90 + "<msup>")),
        ("Object 1/content.xml", "<math" + " " * 1_000_001 + "/>"),
        ("Object 1", b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + "Equation Native".encode("utf-16-le")),
    ],
    ids=["deep", "large", "old editor"],
)
def test_a_formula_that_is_not_read_leaves_a_gap(
    tmp_path: Path, name: str, content: str | bytes
) -> None:
    tag = "object-ole" if isinstance(content, bytes) else "object"
    link = 'xlink:href="./Object 1" xmlns:xlink="http://www.w3.org/1999/xlink"'
    body = f"<text:p>It is <draw:frame><draw:{tag} {link}/><draw:image/></draw:frame>.</text:p>"
    parts = odf_parts("text", body) | {name: content}
    document = parse_odt(written(tmp_path / "a.odt", packed(parts)))
    assert [block.text for block in document.blocks] == ["It is [formula]."]
    assert "could not be read: 1" in "".join(document.notes)
