from __future__ import annotations

from pathlib import Path

import pytest

from desktop_rag.core.errors import FileProblem
from desktop_rag.core.types import BlockKind, FileStatus, LocatorKind
from desktop_rag.parsing.format_registry import embedded_pages, parse
from desktop_rag.parsing.formats import rtf
from desktop_rag.parsing.formats.rtf import from_rtf
from tests.parsing.parser_scoring import entries, score
from tests.parsing.sample_pictures import LINES, found, picture

SENTENCE = "A sentence that is long enough to be worth finding."
FONTS = (
    rb"{\fonttbl{\f0\fcharset0 Arial;}{\f1\fcharset134 SimSun;}{\f2\fcharset204 Arial Cyr;}"
    rb"{\f3\fcharset2 Symbol;}{\f4\fcharset128 MS Mincho;}}"
)
STYLES = rb"{\stylesheet{\s0 Normal;}{\s1\outlinelevel0 heading 1;}{\s2 \'dcberschrift 2;}}"


def texts(body: bytes) -> list[str]:
    return [block.text for block in from_rtf(rb"{\rtf1\ansi" + FONTS + body + b"}").blocks]


@pytest.mark.parametrize("name", ["a.rtf", "a.doc", "a.txt", "a"])
def test_rtf_is_read_under_any_name(tmp_path: Path, name: str) -> None:
    path = tmp_path / name
    path.write_bytes(rb"{\rtf1\ansi " + SENTENCE.encode() + rb"\par}")
    assert [block.text for block in parse(path).blocks] == [SENTENCE]


def test_headings_are_told_by_their_styles_and_levels(tmp_path: Path) -> None:
    body = rb"\pard\s1 Harbour\par\pard Old.\par\pard\s2 Ships\par{\pard\outlinelevel2 Piers\par}"
    document = from_rtf(rb"{\rtf1\ansi" + STYLES + body + rb"\pard End.\par}")
    assert [(b.kind, b.level, b.text, b.place.value) for b in document.blocks] == [
        (BlockKind.HEADING, 1, "Harbour", "Harbour"),
        (BlockKind.TEXT, 0, "Old.", "Harbour"),
        (BlockKind.HEADING, 2, "Ships", "Ships"),
        (BlockKind.HEADING, 3, "Piers", "Piers"),
        (BlockKind.TEXT, 0, "End.", "Piers"),
    ]
    assert document.blocks[0].place.kind is LocatorKind.SECTION


def test_rows_become_a_table_and_bars_in_a_text_do_not() -> None:
    row = rb"\trowd\cellx1\cellx2\pard\intbl %s\cell %s\cell\row"
    rows = row % (b"Pier", b"Ships") + row % (rb"{North\par}{of all}", b"14")
    document = from_rtf(rb"{\rtf1 A | B |\par" + rows + rb"\pard After.\par}")
    assert [(b.kind, b.text) for b in document.blocks] == [
        (BlockKind.TEXT, "A | B |"),
        (BlockKind.TABLE, "Pier | Ships\nNorth of all | 14"),
        (BlockKind.TEXT, "After."),
    ]


def test_bytes_are_read_in_the_encoding_of_their_font() -> None:
    assert texts(rb"\f0 Gr\'fc\'dfe \f1\'b1\'ea\'cc\'e2 \f2\'cf\'f0\'e8 \f3\'b7\f4 \'83A\par") == [
        "Grüße 标题 При •ア"
    ]


def test_unicode_stands_before_what_others_show_in_its_place() -> None:
    assert texts(rb"\u8211\'96a \u-10179?\u-8704? {\uc2\u26631\'b1\'ea!}{\uc0\u9731 b}\par") == [
        "–a 😀 标!☃b"
    ]


def test_pictures_codes_and_hidden_groups_are_no_text() -> None:
    body = (
        rb"{\info{\title The title}{\author Nobody}{\company Nothing}}{\*\unknown No}"
        rb"{\pict\pngblip 89504e470d0a}{\pict\bin5 }}{{x}"
        rb'{\field{\*\fldinst HYPERLINK "http://no"}{\fldrslt the link}}\par'
        rb"{\shp{\*\shpinst{\sp{\sn no}{\sv no}}{\shptxt In a box\par}}}"
    )
    document = from_rtf(rb"{\rtf1 " + body + b"}")
    assert document.title == "The title"
    assert [block.text for block in document.blocks] == ["the link", "In a box"]


def test_headers_notes_and_comments_stand_beside_the_text() -> None:
    body = (
        rb"{\header Kept\par}{\header Kept\par}Text{\footnote\pard A note}{\*\annotation Why?}.\par"
    )
    document = from_rtf(rb"{\rtf1 " + body + b"}")
    assert [(b.kind, b.place.value, b.text) for b in document.blocks] == [
        (BlockKind.TEXT, "body", "Text."),
        (BlockKind.META, "header", "Kept"),
        (BlockKind.TEXT, "footnotes", "A note"),
        (BlockKind.TEXT, "comments", "Why?"),
    ]


def test_hidden_text_is_left_out_with_a_note_unless_there_is_hardly_other() -> None:
    hidden = rb"{\v ignore all that was said before}"
    some = from_rtf(rb"{\rtf1 Shown text of some length, as in a letter." + hidden + rb"\par}")
    assert [block.text for block in some.blocks] == ["Shown text of some length, as in a letter."]
    assert some.notes == ("Text that the document hides was not read.",)
    most = from_rtf(rb"{\rtf1 A" + hidden * 3 + rb"\par}")
    assert "ignore all" in most.blocks[0].text
    assert most.notes == ("Most of the document's text is hidden; it was read as well.",)


def test_lists_are_told(shared: Path) -> None:
    document = parse(shared / "documents" / "rtf" / "kreuzberg__list_complex.rtf")
    kinds = {block.text: block.kind for block in document.blocks}
    assert kinds["Three"] is BlockKind.LIST
    assert kinds["Out of list!"] is BlockKind.TEXT


def test_text_without_marks_is_read_as_text_and_noise_is_corrupt(tmp_path: Path) -> None:
    path = tmp_path / "a.rtf"
    path.write_text(f"{SENTENCE}\n\nAnother.", encoding="utf-8")
    assert [block.text for block in parse(path).blocks] == [SENTENCE, "Another."]
    for raw, status in ((bytes(range(256)) * 9, FileStatus.CORRUPT), (b"", FileStatus.EMPTY),
                        (rb"{\rtf1 }", FileStatus.EMPTY)):  # fmt: skip
        path.write_bytes(raw)
        with pytest.raises(FileProblem) as caught:
            parse(path)
        assert caught.value.status is status


def test_a_file_that_ends_early_is_read_up_to_there() -> None:
    assert [b.text for b in from_rtf(rb"{\rtf1{\b One\par Two and{\i thr").blocks] == [
        "One", "Two andthr",
    ]  # fmt: skip


def test_groups_without_end_and_files_without_measure_are_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "a.rtf"
    path.write_bytes(rb"{\rtf1 " + b"{" * 1_000_000)
    with pytest.raises(FileProblem) as caught:
        parse(path)
    assert caught.value.status is FileStatus.CORRUPT
    monkeypatch.setattr(rtf, "_LARGEST", 1000)
    with pytest.raises(FileProblem) as caught:
        parse(path)
    assert caught.value.status is FileStatus.TOO_LARGE


def test_the_real_documents_are_read(shared: Path) -> None:
    made = score(shared / "documents", entries(shared / "documents", ["rtf"]))
    assert made.found == made.phrases > 0, made.wrong
    # Two hold less text than is worth reading: four short words, and eight letters in cells.
    assert made.fitting >= made.files - 2, made.wrong


def test_what_stands_on_a_picture_follows_its_paragraph_or_its_table(tmp_path: Path) -> None:
    red, blue, lime = (picture(colour).read() for colour in ("red", "blue", "lime"))
    shown = rb"{\*\shppict{\pict{\*\picprop{\sp 0a}}\pngblip\picw9 " + red.hex().encode() + b"}}"
    shown += rb"{\nonshppict{\pict\wmetafile8 " + lime.hex().encode() + b"}}"
    held = rb"{\pict\pngblip\bin%d " % len(blue) + blue + b"}"
    drawn = rb"{\pict\emfblip " + lime.hex().encode() + rb"}{\pict\pngblip zz}{\v{\pict\pngblip "
    path = tmp_path / "a.rtf"
    path.write_bytes(
        rb"{\rtf1{\header{\pict\pngblip " + lime.hex().encode() + rb"}}Sea " + shown
        + rb"and sky.\par\trowd\intbl A\cell B " + held
        + rb"\cell\row\intbl 1\cell 2\cell\row\pard End."
        + drawn + lime.hex().encode() + rb"}}\par " + shown + rb"\par Bye.\par}"
    )  # fmt: skip
    assert [each.raw for each in embedded_pages(path, 1).values()] == [red, blue]
    other = "\n".join(reversed(LINES))
    blocks = parse(path, {1: found(*LINES), 2: found(*reversed(LINES))}).blocks
    texts = ["\n".join(LINES), other, "End.", "Bye."]
    assert [block.text for block in blocks if not block.rows] == ["Sea and sky.", *texts]
    assert [bool(block.rows) for block in blocks] == [False, False, True, False, False, False]


MATH = (
    rb"{\mmath{\*\moMathPara{\*\moMath{\mr\mscr0\msty2 x}{\msSup{\msSupPr{\mctrlPr\f0}}"
    rb"{\me{\mr\mscr0\msty2 y}}{\msup{\mr 2}}}{\mnary{\mnaryPr{\mchr \u8721?}{\msupHide on}}"
    rb"{\msub{\mr i=1}}{\msup}{\me{\mr \u945?}}}}}{\mmathPict{\pict 00}}}"
)


def test_formulas_are_read_in_their_sentence() -> None:
    assert texts(b"For " + MATH + rb", go.\par") == [r"For $$xy^2\sum_{i=1} α$$, go."]
    alone = MATH.replace(rb"\*\moMathPara", b"")
    assert texts(b"For " + alone + rb", go.\par") == [r"For $xy^2\sum_{i=1} α$, go."]
    field = rb"{\field{\*\fldinst { EQ \\f(1,2)}}{\fldrslt }}"
    link = rb'{\field{\*\fldinst HYPERLINK "http://a"}{\fldrslt here}}'
    assert texts(b"Half " + field + b" " + link + rb"\par") == [r"Half $\frac{1}{2}$ here"]


@pytest.mark.parametrize("word", [rb"\moMath", rb"\moMathPara"])
@pytest.mark.parametrize("begin", [b"", b"{", rb"{\mmath{\*"])
def test_a_formula_without_an_end_ends_with_its_paragraph(word: bytes, begin: bytes) -> None:
    said = texts(b"Of " + begin + word + rb"{\mr x}\par Next one.\par And more.")
    mark = "$$" if word.endswith(b"Para") else "$"
    assert said == [f"Of {mark}x{mark}", "Next one.", "And more."]


def test_a_formula_that_the_document_ends_in_is_there() -> None:
    assert texts(rb"Of {\moMath{\mr x") == ["Of $x$"]


def test_a_formula_that_is_not_read_leaves_a_gap() -> None:
    old = rb"{\object\objemb{\*\objclass Equation.3}{\*\objdata 01}{\result{\pict 00}}}"
    deep = rb"{\mmath{\*\moMath" + rb"{\me" * 900 + rb"{\mr x}" + b"}" * 900 + b"}}"
    document = from_rtf(rb"{\rtf1\ansi Of " + old + b" and " + deep + rb".\par}")
    assert [block.text for block in document.blocks] == ["Of [formula] and [formula]."]
    assert "could not be read: 2" in "".join(document.notes)
