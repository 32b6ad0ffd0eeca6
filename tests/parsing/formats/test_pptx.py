from __future__ import annotations

import zipfile
from pathlib import Path
from typing import Any

import pptx
import pytest
from pptx.util import Inches

from desktop_rag.core.types import BlockKind
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
    with zipfile.ZipFile(path) as archive:
        parts = {name: archive.read(name) for name in archive.namelist()}
    name = "ppt/slides/slide1.xml"
    parts[name] = parts[name].replace(b"</p:spTree>", f"{shapes}</p:spTree>".encode())
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
