from __future__ import annotations

import zipfile
from pathlib import Path

import pytest

from desktop_rag.core.types import BlockKind
from desktop_rag.parsing.format_registry import parse
from desktop_rag.parsing.parsed_document import ParsedDocument

W = (
    'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main" '
    'xmlns:m="http://schemas.openxmlformats.org/officeDocument/2006/math" '
    'xmlns:o="urn:schemas-microsoft-com:office:office" '
    'xmlns:mc="http://schemas.openxmlformats.org/markup-compatibility/2006"'
)
STYLES = """
<w:style w:styleId="a1"><w:name w:val="heading 2"/></w:style>
<w:style w:styleId="own"><w:name w:val="Chapter"/><w:basedOn w:val="a1"/></w:style>
<w:style w:styleId="plain"><w:name w:val="Not a chapter"/><w:basedOn w:val="a1"/>
  <w:pPr><w:outlineLvl w:val="9"/></w:pPr></w:style>
<w:style w:styleId="clause"><w:name w:val="Clause"/>
  <w:pPr><w:numPr><w:numId w:val="2"/></w:numPr></w:pPr></w:style>
"""
NUMBERING = """
<w:abstractNum w:abstractNumId="0">
  <w:lvl w:ilvl="0"><w:start w:val="1"/><w:numFmt w:val="upperRoman"/><w:lvlText w:val="%1."/>
  </w:lvl>
  <w:lvl w:ilvl="1"><w:start w:val="1"/><w:numFmt w:val="lowerLetter"/><w:lvlText w:val="%1.%2)"/>
  </w:lvl>
</w:abstractNum>
<w:abstractNum w:abstractNumId="1">
  <w:lvl w:ilvl="0"><w:start w:val="3"/><w:numFmt w:val="chineseCountingThousand"/>
    <w:lvlText w:val="第%1条"/></w:lvl>
</w:abstractNum>
<w:abstractNum w:abstractNumId="2">
  <w:lvl w:ilvl="0"><w:numFmt w:val="bullet"/><w:lvlText w:val="·"/></w:lvl>
</w:abstractNum>
<w:num w:numId="1"><w:abstractNumId w:val="0"/></w:num>
<w:num w:numId="2"><w:abstractNumId w:val="1"/></w:num>
<w:num w:numId="3"><w:abstractNumId w:val="2"/></w:num>
<w:num w:numId="4"><w:abstractNumId w:val="0"/>
  <w:lvlOverride w:ilvl="0"><w:startOverride w:val="1"/></w:lvlOverride></w:num>
"""


def word(folder: Path, body: str, **parts: str) -> ParsedDocument:
    """Return what is read of a package that holds these paragraphs."""
    path = folder / "a.docx"
    texts = {"styles": STYLES, "numbering": NUMBERING, "document": f"<w:body>{body}</w:body>"}
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("[Content_Types].xml", "<Types/>")
        archive.writestr("word/_rels/document.xml.rels", "<Relationships/>")
        for name, text in (texts | parts).items():
            archive.writestr(f"word/{name}.xml", f"<w:{name} {W}>{text}</w:{name}>")
    return parse(path)


def paragraph(text: str, properties: str = "") -> str:
    return f"<w:p><w:pPr>{properties}</w:pPr><w:r><w:t>{text}</w:t></w:r></w:p>"


def styled(text: str, style: str) -> str:
    return paragraph(text, f'<w:pStyle w:val="{style}"/>')


def numbered(text: str, key: int, level: int = 0) -> str:
    inside = f'<w:ilvl w:val="{level}"/><w:numId w:val="{key}"/>'
    return paragraph(text, f"<w:numPr>{inside}</w:numPr>")


def texts(document: ParsedDocument) -> list[str]:
    return [block.text for block in document.blocks]


def test_formulas_stand_in_their_sentence(tmp_path: Path) -> None:
    formula = "<m:oMath><m:r><m:t>m=1</m:t></m:r></m:oMath>"
    own_line = f"<w:p><m:oMathPara>{formula}</m:oMathPara></w:p>"
    body = f"<w:p><w:r><w:t>For </w:t></w:r>{formula}<w:r><w:t>, go.</w:t></w:r></w:p>{own_line}"
    assert texts(word(tmp_path, body)) == ["For $m=1$, go.", "$$m=1$$"]


def test_a_formula_that_is_not_read_leaves_a_gap_that_says_so(tmp_path: Path) -> None:
    old = '<w:r><w:object><o:OLEObject ProgID="Equation.3"/></w:object></w:r>'
    deep = "<m:e>" * 90 + "</m:e>" * 90
    body = (
        f"<w:p><w:r><w:t>The angle is </w:t></w:r>{old}<w:r><w:t>.</w:t></w:r></w:p>"
        f"<w:p><w:r><w:t>And </w:t></w:r><m:oMath>{deep}</m:oMath></w:p>"
    )
    document = word(tmp_path, body)
    assert texts(document) == ["The angle is [formula].", "And [formula]"]
    (note,) = document.notes
    assert "could not be read: 2" in note


def test_numbers_are_counted_as_word_shows_them(tmp_path: Path) -> None:
    body = "".join(
        (
            numbered("Scope", 1), numbered("Persons", 1, 1), numbered("Places", 1, 1),
            numbered("Terms", 1), numbered("Words", 1, 1), numbered("A mark", 3),
            numbered("Anew", 4), numbered("Second", 4),
            styled("租金", "clause"), styled("押金", "clause"),
        )
    )  # fmt: skip
    document = word(tmp_path, body)
    assert texts(document) == [
        "I. Scope", "I.a) Persons", "I.b) Places", "II. Terms", "II.a) Words", "A mark",
        "I. Anew", "II. Second", "第三条 租金", "第四条 押金",
    ]  # fmt: skip
    assert {block.kind for block in document.blocks} == {BlockKind.LIST}


def test_a_style_is_a_heading_by_what_it_is_based_on(tmp_path: Path) -> None:
    outlined = paragraph("By its outline", '<w:outlineLvl w:val="2"/>')
    body = styled("One", "a1") + styled("Two", "own") + styled("Three", "plain") + outlined
    levels = [(b.text, b.level) for b in word(tmp_path, body).blocks]
    assert levels == [("One", 2), ("Two", 2), ("Three", 0), ("By its outline", 3)]


def test_cells_stay_in_their_columns_when_some_are_merged(tmp_path: Path) -> None:
    def cell(text: str, properties: str = "") -> str:
        return f"<w:tc><w:tcPr>{properties}</w:tcPr>{paragraph(text)}</w:tc>"

    begins, goes_on = '<w:vMerge w:val="restart"/>', "<w:vMerge/>"
    wide = '<w:gridSpan w:val="2"/>'
    table = (
        f"<w:tbl><w:tr>{cell('Fruit')}{cell('Price')}{cell('Year')}</w:tr>"
        f"<w:tr>{cell('Apple', begins)}{cell('2')}{cell('2024')}</w:tr>"
        f"<w:tr>{cell('', goes_on)}{cell('3')}{cell('2025')}</w:tr>"
        f"<w:tr>{cell('None', wide)}{cell('2026')}</w:tr></w:tbl>"
    )
    (block,) = word(tmp_path, table).blocks
    assert [row.text for row in block.rows] == [
        "Fruit | Price | Year", "Apple | 2 | 2024", " | 3 | 2025", "None |  | 2026",
    ]  # fmt: skip


def test_a_table_of_one_cell_is_a_frame_around_text(tmp_path: Path) -> None:
    inside = styled("Leave", "a1") + paragraph("Thirty days a year.")
    document = word(tmp_path, f"<w:tbl><w:tr><w:tc>{inside}</w:tc></w:tr></w:tbl>")
    assert [(b.kind, b.text) for b in document.blocks] == [
        (BlockKind.HEADING, "Leave"), (BlockKind.TEXT, "Thirty days a year."),
    ]  # fmt: skip


def test_nothing_is_read_twice_or_out_of_a_review(tmp_path: Path) -> None:
    box = f"<w:txbxContent>{paragraph('In the box')}</w:txbxContent>"
    both = (
        f"<mc:AlternateContent><mc:Choice>{box}</mc:Choice><mc:Fallback>{box}</mc:Fallback>"
        "</mc:AlternateContent>"
    )
    body = (
        f"<w:p><w:r><w:t>Beside </w:t></w:r><w:r>{both}</w:r><w:r><w:t>the box</w:t></w:r></w:p>"
        "<w:p><w:moveFrom><w:r><w:t>Was here. </w:t></w:r></w:moveFrom>"
        "<w:ins><w:r><w:t>Is here.</w:t></w:r></w:ins>"
        "<w:del><w:r><w:delText>Gone.</w:delText></w:r></w:del></w:p>"
        f"<w:sdt><w:sdtContent>{paragraph('In a control')}</w:sdtContent></w:sdt>"
    )
    assert texts(word(tmp_path, body)) == [
        "Beside the box", "In the box", "Is here.", "In a control",
    ]  # fmt: skip


def test_what_stands_beside_the_text_has_its_part(tmp_path: Path) -> None:
    document = word(
        tmp_path, paragraph("The text"), header1=paragraph("Above"), header2=paragraph("Above"),
        footer1=paragraph("Below"), footnotes=paragraph("A note"), comments=paragraph("A remark"),
    )  # fmt: skip
    assert [(b.place.value, b.text, b.kind) for b in document.blocks] == [
        ("header", "Above", BlockKind.META), ("footer", "Below", BlockKind.META),
        ("body", "The text", BlockKind.TEXT), ("footnotes", "A note", BlockKind.TEXT),
        ("comments", "A remark", BlockKind.TEXT),
    ]  # fmt: skip


@pytest.mark.parametrize("part", ["styles", "numbering"])
def test_a_linked_part_that_is_missing_is_told(tmp_path: Path, part: str) -> None:
    word(tmp_path, paragraph("The text of it"))
    with (
        zipfile.ZipFile(tmp_path / "a.docx") as whole,
        zipfile.ZipFile(tmp_path / "b.docx", "w") as cut,
    ):
        for name in whole.namelist():
            if name == "word/_rels/document.xml.rels":
                relation = f'<Relationship Id="r1" Type="x/{part}" Target="{part}.xml"/>'
                space = "http://schemas.openxmlformats.org/package/2006/relationships"
                cut.writestr(name, f'<Relationships xmlns="{space}">{relation}</Relationships>')
            elif name != f"word/{part}.xml":
                cut.writestr(name, whole.read(name))
    document = parse(tmp_path / "b.docx")
    assert texts(document) == ["The text of it"]
    assert document.notes == (f"A part of the file is damaged ({part}); its text was read.",)


def test_formulas_that_a_field_computes_are_read(tmp_path: Path) -> None:
    code = r"<w:r><w:instrText> EQ \f(1,2) </w:instrText></w:r>"
    marks = [f'<w:r><w:fldChar w:fldCharType="{each}"/></w:r>' for each in ("begin", "end")]
    simple = r'<w:fldSimple w:instr=" EQ \r(x)"/>'
    body = f"<w:p><w:r><w:t>Of </w:t></w:r>{marks[0]}{code}{marks[1]}<w:r><w:t> or </w:t></w:r>"
    assert texts(word(tmp_path, f"{body}{simple}</w:p>")) == [r"Of $\frac{1}{2}$ or $\sqrt{x}$"]


def field(code: str, *result: str) -> str:
    marks = {
        each: f'<w:r><w:fldChar w:fldCharType="{each}"/></w:r>'
        for each in ("begin", "separate", "end")
    }
    shown = "".join(f"<w:r><w:t>{each}</w:t></w:r>" for each in result)
    return f"{marks['begin']}{code}{marks['separate']}{shown}{marks['end']}"


def test_what_a_formulas_field_showed_before_is_not_there_twice(tmp_path: Path) -> None:
    code = r"<w:r><w:instrText> EQ \f(1,2) </w:instrText></w:r>"
    page = field("<w:r><w:instrText>PAGE</w:instrText></w:r>", "7")
    simple = r'<w:fldSimple w:instr=" EQ \r(x)"><w:r><w:t>root</w:t></w:r></w:fldSimple>'
    body = f"<w:p>{field(code, '1', '/2')}<w:r><w:t> or </w:t></w:r>{simple}{page}</w:p>"
    assert texts(word(tmp_path, body)) == [r"$\frac{1}{2}$ or $\sqrt{x}$7"]


def test_a_field_in_a_formulas_field_gives_what_it_shows(tmp_path: Path) -> None:
    number = field(r"<w:r><w:instrText>SEQ Eq \n</w:instrText></w:r>", "3")
    code = [f"<w:r><w:instrText>{each}</w:instrText></w:r>" for each in (r"EQ \f(1,", ")")]
    body = f"<w:p>{field(code[0] + number + code[1], '1/3')}<w:r><w:t> ends</w:t></w:r></w:p>"
    assert texts(word(tmp_path, body)) == [r"$\frac{1}{3}$ ends"]


def test_a_field_that_does_not_end_takes_no_text_away(tmp_path: Path) -> None:
    code = r"<w:r><w:instrText>EQ \f(1,2)</w:instrText></w:r>"
    begun = field(code, "kept").removesuffix('<w:r><w:fldChar w:fldCharType="end"/></w:r>')
    assert texts(word(tmp_path, f"<w:p>{begun}</w:p>")) == [r"$\frac{1}{2}$kept"]


def test_signs_of_the_font_symbol_are_read(tmp_path: Path) -> None:
    font = '<w:rPr><w:rFonts w:ascii="Symbol"/></w:rPr>'
    body = (
        '<w:p><w:r><w:sym w:font="Symbol" w:char="F061"/></w:r>'
        f"<w:r>{font}<w:t>\uf0a3\uf062</w:t></w:r><w:r><w:t>\uf062 end</w:t></w:r>"
        '<w:r><w:sym w:font="Wingdings" w:char="F04A"/></w:r></w:p>'
    )
    assert texts(word(tmp_path, body)) == ["α≤β\uf062 end"]


@pytest.mark.parametrize("program", ["Equation.DSMT4", "Equation.KSEE3", "MathMagic", "AxMath"])
def test_objects_of_formula_editors_leave_a_gap(tmp_path: Path, program: str) -> None:
    old = f'<w:r><w:object><o:OLEObject ProgID="{program}"/></w:object></w:r>'
    document = word(tmp_path, f"<w:p><w:r><w:t>The angle is </w:t></w:r>{old}</w:p>")
    assert texts(document) == ["The angle is [formula]"]
