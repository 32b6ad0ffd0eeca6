from __future__ import annotations

import zipfile
from pathlib import Path
from typing import Any

import pptx
import pytest
from pptx.util import Inches

from desktop_rag.core.errors import FileProblem
from desktop_rag.core.types import BlockKind, FileStatus
from desktop_rag.parsing.format_registry import parse
from desktop_rag.parsing.parsed_document import ParsedDocument

FORMULA = (
    '<mc:AlternateContent xmlns:mc="http://schemas.openxmlformats.org/markup-compatibility/2006">'
    '<mc:Choice xmlns:a14="http://schemas.microsoft.com/office/drawing/2010/main" Requires="a14">'
    "<p:sp><p:txBody><a:p><a:r><a:t>Then </a:t></a:r><a14:m>"
    '<m:oMath xmlns:m="http://schemas.openxmlformats.org/officeDocument/2006/math">'
    "<m:r><m:t>E=m</m:t></m:r><m:sSup><m:e><m:r><m:t>c</m:t></m:r></m:e><m:sup><m:r><m:t>2</m:t>"
    "</m:r></m:sup></m:sSup></m:oMath></a14:m></a:p></p:txBody></p:sp></mc:Choice>"
    "<mc:Fallback><p:sp><p:txBody><a:p><a:r><a:t> </a:t></a:r></a:p></p:txBody></p:sp>"
    "</mc:Fallback></mc:AlternateContent>"
)
OLD_FORMULA = (
    '<p:graphicFrame><a:graphic><a:graphicData><p:oleObj progId="Equation.3"/></a:graphicData>'
    "</a:graphic></p:graphicFrame>"
)


def texts(document: ParsedDocument) -> list[str]:
    return [block.text for block in document.blocks]


def with_shapes(path: Path, shapes: str) -> ParsedDocument:
    """Return what is read of a presentation when its first slide holds these shapes as well."""
    return with_part(path, "ppt/slides/slide1.xml", "</p:spTree>", f"{shapes}</p:spTree>")


def with_part(path: Path, part: str, before: str, after: str) -> ParsedDocument:
    """Return what is read of a package when one text of a part is another."""
    with zipfile.ZipFile(path) as archive:
        parts = {name: archive.read(name) for name in archive.namelist()}
    assert before.encode() in parts[part]
    parts[part] = parts[part].replace(before.encode(), after.encode())
    with zipfile.ZipFile(path, "w") as archive:
        for each, content in parts.items():
            archive.writestr(each, content)
    return parse(path)


def test_shapes_are_read_as_they_stand_and_the_title_first(tmp_path: Path) -> None:
    made: Any = pptx.Presentation()
    slide = made.slides.add_slide(made.slide_layouts[5])
    for text, left, top in (("Low", 1, 5), ("Right", 5, 3), ("Left", 1, 3.01), ("Top", 1, 0)):
        box = slide.shapes.add_textbox(Inches(left), Inches(top), Inches(2), Inches(1))
        box.text_frame.text = text
    slide.shapes.title.text = "The plan"
    made.save(str(tmp_path / "a.pptx"))
    document = parse(tmp_path / "a.pptx")
    assert texts(document) == ["The plan", "Top", "Left", "Right", "Low"]
    assert document.blocks[0].kind is BlockKind.HEADING


@pytest.fixture
def empty(tmp_path: Path) -> Path:
    made: Any = pptx.Presentation()
    made.slides.add_slide(made.slide_layouts[6])
    made.save(str(tmp_path / "a.pptx"))
    return tmp_path / "a.pptx"


def test_a_slide_s_formula_stands_in_its_sentence(empty: Path) -> None:
    document = with_shapes(empty, FORMULA)
    assert [(b.text, b.place.value) for b in document.blocks] == [("Then $E=mc^2$", 1)]


def test_an_old_formula_on_a_slide_leaves_a_gap(empty: Path) -> None:
    document = with_shapes(empty, FORMULA + OLD_FORMULA)
    assert texts(document) == ["Then $E=mc^2$", "[formula]"]
    assert len(document.notes) == 1


def test_what_stands_on_each_slide_is_told_apart_from_its_text(empty: Path) -> None:
    def shape(kind: str) -> str:
        text = f"<p:txBody><a:p><a:r><a:t>{kind} text</a:t></a:r></a:p></p:txBody>"
        return f'<p:sp><p:nvSpPr><p:nvPr><p:ph type="{kind}"/></p:nvPr></p:nvSpPr>{text}</p:sp>'

    document = with_shapes(empty, "".join(map(shape, ("body", "ftr", "sldNum"))))
    assert [(b.text, b.kind) for b in document.blocks] == [
        ("body text", BlockKind.TEXT), ("ftr text", BlockKind.META),
    ]  # fmt: skip


def test_groups_are_read_where_they_stand(tmp_path: Path) -> None:
    made: Any = pptx.Presentation()
    slide = made.slides.add_slide(made.slide_layouts[6])
    low = slide.shapes.add_textbox(Inches(1), Inches(6), Inches(2), Inches(1))
    low.text_frame.text = "Below the group"
    group = slide.shapes.add_group_shape()
    for text, top in (("Second", 3), ("First", 2)):
        box = group.shapes.add_textbox(Inches(1), Inches(top), Inches(2), Inches(1))
        box.text_frame.text = text
    made.save(str(tmp_path / "a.pptx"))
    assert texts(parse(tmp_path / "a.pptx")) == ["First", "Second", "Below the group"]


LINKS = "ppt/_rels/presentation.xml.rels"
UNSURE = "The list of slides is damaged; they may be shown in another order."


@pytest.fixture
def three(tmp_path: Path) -> Path:
    """Three slides, each with a title."""
    made: Any = pptx.Presentation()
    for title in ("One", "Two", "Three"):
        made.slides.add_slide(made.slide_layouts[5]).shapes.title.text = title
    path = tmp_path / "three.pptx"
    made.save(str(path))
    return path


def slide_ids(path: Path) -> list[str]:
    return [slide.rId for slide in pptx.Presentation(str(path)).slides._sldIdLst]


def test_a_slide_that_no_link_leads_to_is_read_in_its_place(three: Path) -> None:
    second = slide_ids(three)[1]
    document = with_part(three, LINKS, f'"{second}"', '"rId99"')
    assert texts(document) == ["One", "Two", "Three"]
    assert [block.place.value for block in document.blocks] == [1, 2, 3]
    assert document.notes == (UNSURE,)


def test_a_link_to_a_part_that_is_not_there_loses_no_slide(three: Path) -> None:
    document = with_part(three, LINKS, "slides/slide2.xml", "slides/slidf2.xml")
    assert texts(document) == ["One", "Two", "Three"]
    assert document.notes == (UNSURE,)


def test_two_links_to_one_slide_lose_no_other(three: Path) -> None:
    first, _, third = slide_ids(three)
    document = with_part(three, "ppt/presentation.xml", f'"{third}"', f'"{first}"')
    assert texts(document) == ["One", "Two", "Three"]
    assert document.notes == (UNSURE,)


def test_a_broken_tag_in_the_list_of_slides_loses_none(three: Path) -> None:
    document = with_part(three, "ppt/presentation.xml", "<p:sldId ", "=p:sldId ")
    assert texts(document) == ["One", "Two", "Three"]
    assert document.notes == (UNSURE,)


def test_notes_that_no_link_leads_to_are_told(three: Path) -> None:
    made: Any = pptx.Presentation(str(three))
    made.slides[1].notes_slide.notes_text_frame.text = "Say it slowly."
    made.save(str(three))
    assert "Say it slowly." in texts(parse(three))
    document = with_part(three, "ppt/slides/_rels/slide2.xml.rels", "<Relationship ", "<Relation ")
    assert texts(document) == ["One", "Two", "Three"]
    assert document.notes == ("A part of the file is damaged and was not read (notes).",)


def test_the_names_of_parts_are_the_same_in_upper_and_lower_case(three: Path) -> None:
    document = with_part(three, LINKS, "slides/slide2.xml", "Slides/Slide2.XML")
    assert texts(document) == ["One", "Two", "Three"]
    assert document.notes == ()


def test_a_slide_that_was_taken_out_of_the_list_is_not_shown(three: Path) -> None:
    made: Any = pptx.Presentation(str(three))
    listed = made.slides._sldIdLst
    listed.remove(listed[1])
    made.save(str(three))
    document = parse(three)
    assert texts(document) == ["One", "Three"]
    assert document.notes == ()


def test_a_presentation_without_slides_is_empty_and_not_damaged(tmp_path: Path) -> None:
    pptx.Presentation().save(str(tmp_path / "none.pptx"))
    with pytest.raises(FileProblem) as caught:
        parse(tmp_path / "none.pptx")
    assert caught.value.status is FileStatus.EMPTY
