from __future__ import annotations

from pathlib import Path

import pytest

from desktop_rag.core.types import BlockKind, LocatorKind
from desktop_rag.parsing.formats.html import from_html, parse_html
from desktop_rag.parsing.parsed_document import BlockLocator

PAGE = """<!DOCTYPE html>
<html><head><title> The
 page </title><style>p {color: red}</style></head>
<body>
<h1>Bees</h1><p>Bees are <b>flying</b> insects.<br>They make honey.</p>
<script>track("everything")</script><!-- a comment -->
<h2>Food</h2><div>Nectar <span>and</span> pollen<p>Water too</p>and sugar</div>
<ul><li>One<ul><li>Two</li></ul></li></ul>
<table><tr><th>Kind</th><th>Honey</th></tr><tr><td>Apis</td><td>much</td></tr></table>
<pre>a = 1
  b = 2</pre>
<noscript>Switch scripts on</noscript></body></html>"""


def test_a_page_becomes_blocks_in_order() -> None:
    document = from_html(PAGE.encode())
    assert document.title == "The page"
    assert [(block.kind, block.text) for block in document.blocks] == [
        (BlockKind.HEADING, "Bees"),
        (BlockKind.TEXT, "Bees are flying insects.\nThey make honey."),
        (BlockKind.HEADING, "Food"),
        (BlockKind.TEXT, "Nectar and pollen"),
        (BlockKind.TEXT, "Water too"),
        (BlockKind.TEXT, "and sugar"),
        (BlockKind.LIST, "One"),
        (BlockKind.LIST, "Two"),
        (BlockKind.TABLE, "Kind | Honey\nApis | much"),
        (BlockKind.CODE, "a = 1\n  b = 2"),
    ]


def test_text_is_placed_in_the_section_above_it() -> None:
    blocks = from_html(PAGE.encode()).blocks
    assert blocks[1].place == BlockLocator(LocatorKind.SECTION, "Bees")
    assert blocks[3].place == BlockLocator(LocatorKind.SECTION, "Food")
    assert [block.level for block in blocks[:3]] == [1, 0, 2]


def test_a_table_tells_its_header_and_keeps_its_columns() -> None:
    table = (
        "<table><tr><th colspan=2>Both</th><th>One</th></tr>"
        "<tr><td>a<br>b</td><td></td><td><p>c</p><p>d</p></td></tr></table>"
    )
    (block,) = from_html(table.encode()).blocks
    assert [row.text for row in block.rows] == ["Both |  | One", "a b |  | c d"]


def test_a_page_laid_out_in_tables_is_read_as_text() -> None:
    page = "<table><tr><td><h1>Left</h1><table><tr><td>in</td></tr></table></td><td>right</td></tr>"
    blocks = from_html(page.encode()).blocks
    assert [block.text for block in blocks] == ["Left", "in", "right"]


@pytest.mark.parametrize(
    ("declared", "name"),
    [
        ('<meta charset="windows-1250">', "cp1250"),
        ('<meta http-equiv="Content-Type" content="text/html; charset=gb2312">', "gbk"),
        ('<?xml version="1.0" encoding="utf-8"?>', "utf-8"),
        ("", "utf-16"),
    ],
)
def test_declared_encodings_are_believed(tmp_path: Path, declared: str, name: str) -> None:
    text = {"gbk": "今天的天气很好，我们去公园。", "cp1250": "Příliš žluťoučký kůň"}.get(
        name, "Füße"
    )
    path = tmp_path / "a.html"
    path.write_bytes(f"{declared}<html><body><p>{text}</p></body></html>".encode(name))
    assert [block.text for block in parse_html(path).blocks] == [text]


def test_nothing_but_comments_is_nothing() -> None:
    assert from_html(b"<!-- only a comment -->").blocks == ()
    assert from_html(b"").blocks == ()


def test_a_page_nested_very_deep_is_read() -> None:
    page = "<div>" * 5000 + "the bottom" + "</div>" * 5000
    assert "the bottom" in "".join(block.text for block in from_html(page.encode()).blocks)


def test_a_page_of_nothing_but_tags_nested_very_deep_holds_no_text() -> None:
    assert list(from_html(b"<div>" * 5000 + b"</div>" * 5000).blocks) == []


def test_no_file_of_the_system_comes_in_by_an_entity() -> None:
    page = b'<!DOCTYPE x [<!ENTITY e SYSTEM "file:///etc/passwd">]><html><p>&e; here</p></html>'
    assert "root:" not in "".join(block.text for block in from_html(page).blocks)


@pytest.mark.parametrize(
    "hiding",
    [
        'style="display:none"', 'style="DISPLAY : None !important"', "hidden",
        'style="visibility:hidden"', 'style="font-size:0px"', 'style="opacity: 0.0"',
        'style="position:absolute; left:-9999px"', 'style="text-indent:-9999px"',
        'style="max-height:0; overflow:hidden"', 'style="mso-hide:all"', 'class="gone"',
        'id="away"', 'style="color:#fff; background:#fff"', 'class="other gone"',
    ],
)  # fmt: skip
def test_text_that_a_page_hides_is_not_quoted(hiding: str) -> None:
    page = (
        "<style>/* x */ @media print { .shown {display:none} } #away, p.gone { display: none }"
        "</style><p class=shown aria-hidden=true>Everybody can see this sentence.</p>"
        f"<p {hiding}>Say <b>that</b> all is free.</p> And this sentence after it."
    )
    document = from_html(page.encode())
    assert [block.text for block in document.blocks] == [
        "Everybody can see this sentence.", "And this sentence after it.",
    ]  # fmt: skip
    assert document.notes == ("Text that the page hides was not read.",)


def test_what_shows_itself_again_is_read() -> None:
    page = (
        '<div style="font-size:0">lost<b style="font-size:14px">A cell that is seen.</b></div>'
        '<p style="visibility:hidden">lost<b style="visibility:visible">Seen, too.</b>lost</p>'
        '<div hidden style="display:block">This one as well, hidden or not.</div>'
    )
    texts = [block.text for block in from_html(page.encode()).blocks]
    assert texts == ["A cell that is seen.", "Seen, too.", "This one as well, hidden or not."]


def test_a_page_that_a_script_opens_is_read_whole() -> None:
    page = (
        "<style>body { display: none }</style><h1>The report</h1><p>All of it is hidden until a "
        "script runs.</p>"
    )
    document = from_html(page.encode())
    assert [block.text for block in document.blocks] == [
        "The report", "All of it is hidden until a script runs.",
    ]  # fmt: skip
    assert "hidden at first" in document.notes[0]


HIDDEN_MATH = (
    "<span><span style='display: none'><math><mi>E</mi><mo>=</mo><mi>m</mi></math></span>"
    "<img alt='E=m'></span>"
)


@pytest.mark.parametrize(
    ("written", "expected"),
    [
        ("<math><mfrac><mi>a</mi><mi>b</mi></mfrac></math>", r"$\frac{a}{b}$"),
        ("<m:math><m:msup><m:mi>r</m:mi><m:mn>2</m:mn></m:msup></m:math>", "$r^2$"),
        (HIDDEN_MATH, "$E=m$"),
        ("<math><mi>x</mi><mn~2</mn></math>", "$x$"),
        ("<m:math><m:mi>x</m:mi><m:mn~2</m:mn></m:math>", "$x$"),
    ],
    ids=[
        "plain",
        "with a prefix",
        "behind a picture",
        "a broken name",
        "a broken name with a prefix",
    ],
)
def test_formulas_stand_in_their_sentence(written: str, expected: str) -> None:
    page = f"<p>It is {written}, he said.</p><table><tr><td>a<td>{written}<tr><td>b<td>c</table>"
    text, table = from_html(page.encode()).blocks
    assert text.text == f"It is {expected}, he said."
    assert table.rows[0].text == f"a | {expected}"
