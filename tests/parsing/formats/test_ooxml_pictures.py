"""Pictures in Word and PowerPoint: which are looked at, and where what was found on them stands."""

from __future__ import annotations

import io
from pathlib import Path
from typing import Any

import docx
import pptx
import pytest
from pptx.oxml import parse_xml
from pptx.util import Inches

from desktop_rag.core.errors import FileProblem
from desktop_rag.core.types import FileStatus
from desktop_rag.parsing.format_registry import embedded_pages, parse
from desktop_rag.parsing.ocr.page_pictures import page_picture_in
from desktop_rag.parsing.ocr.recognized_page import RecognizedPage
from tests.parsing.sample_pictures import LINES, found, picture


def word(path: Path, *pictures: io.BytesIO, between: str = "Words between.") -> Path:
    made: Any = docx.Document()
    for each in pictures:
        made.add_picture(each)
        made.add_paragraph(between)
    made.save(str(path))
    return path


def test_what_is_on_a_picture_stands_where_the_picture_does(tmp_path: Path) -> None:
    path = word(tmp_path / "a.docx", picture("red"), picture("blue"))
    first = parse(path)
    assert [b.text for b in first.blocks] == ["Words between."] * 2
    assert (first.unread_pages, first.notes) == ((1, 2), ())
    again = parse(path, {2: found(*LINES)})
    assert [b.text for b in again.blocks] == [
        "Words between.", "\n".join(LINES), "Words between.",
    ]  # fmt: skip
    assert again.unread_pages == (1,)


def test_a_slide_s_picture_has_its_slide(tmp_path: Path) -> None:
    made: Any = pptx.Presentation()
    for colour in ("red", "blue", "red"):
        slide = made.slides.add_slide(made.slide_layouts[5])
        slide.shapes.title.text = f"On {colour}"
        slide.shapes.add_picture(picture(colour), Inches(1), Inches(2))
    made.save(str(tmp_path / "a.pptx"))
    path = tmp_path / "a.pptx"
    assert parse(path).unread_pages == (1, 2)
    document = parse(path, {1: found(*LINES), 2: found()})
    assert [(b.text, b.place.value) for b in document.blocks] == [
        ("On red", 1), ("\n".join(LINES), 1), ("On blue", 2), ("On red", 3),
    ]  # fmt: skip
    assert document.unread_pages == ()


def test_a_slide_may_be_its_background(tmp_path: Path) -> None:
    made: Any = pptx.Presentation()
    slide = made.slides.add_slide(made.slide_layouts[6])
    _, name = slide.part.get_or_add_image_part(picture("red"))
    blip = f'<a:blipFill><a:blip r:embed="{name}"/></a:blipFill>'
    spaces = " ".join(
        f'xmlns:{prefix}="http://schemas.openxmlformats.org/{kind}/2006/{name}"'
        for prefix, kind, name in (
            ("a", "drawingml", "main"), ("p", "presentationml", "main"),
            ("r", "officeDocument", "relationships"),
        )
    )  # fmt: skip
    slide._element.cSld.insert(0, parse_xml(f"<p:bg {spaces}><p:bgPr>{blip}</p:bgPr></p:bg>"))
    made.save(str(tmp_path / "a.pptx"))
    with pytest.raises(FileProblem) as caught:
        parse(tmp_path / "a.pptx")
    assert caught.value.unread_pages == (1,)
    (block,) = parse(tmp_path / "a.pptx", {1: found(*LINES)}).blocks
    assert block.text == "\n".join(LINES)


def test_icons_are_not_looked_at_and_each_picture_once(tmp_path: Path) -> None:
    path = word(
        tmp_path / "a.docx", picture("red", 64, 64), picture("blue"), picture("green", 900, 50),
        picture("blue"), picture("white"),
    )  # fmt: skip
    assert parse(path).unread_pages == (1, 2)
    pages = embedded_pages(path, 1)
    colours = [tuple(page_picture_in(pages[n].raw, 1).pixels[0, 0]) for n in (1, 2)]
    assert colours == [(255, 0, 0), (255, 255, 255)]  # blue, green, red
    with pytest.raises(FileProblem):
        embedded_pages(path, 3)


@pytest.mark.parametrize("page", [found("A mug"), found(*LINES, confidence=0.4)])
def test_a_photo_s_few_or_doubtful_letters_are_no_text(
    tmp_path: Path, page: RecognizedPage
) -> None:
    path = word(tmp_path / "a.docx", picture("red"))
    assert [b.text for b in parse(path, {1: page}).blocks] == ["Words between."]


def test_a_file_of_pictures_alone_waits_for_recognition(tmp_path: Path) -> None:
    path = word(tmp_path / "a.docx", picture("red"), between="")
    with pytest.raises(FileProblem) as caught:
        parse(path)
    assert caught.value.status is FileStatus.NEEDS_OCR
    assert caught.value.unread_pages == (1,)
    assert [b.text for b in parse(path, {1: found(*LINES)}).blocks] == ["\n".join(LINES)]
    with pytest.raises(FileProblem) as caught:
        parse(path, {1: found()})
    assert caught.value.status is FileStatus.EMPTY


def test_that_there_are_more_pictures_than_are_looked_at_is_said(tmp_path: Path) -> None:
    pictures = [picture("red", 300 + number) for number in range(202)]
    document = parse(word(tmp_path / "a.docx", *pictures))
    assert len(document.unread_pages) == 200
    assert document.notes == (
        "Text is looked for on the first 200 pictures only; the file shows more.",
    )
    assert parse(word(tmp_path / "b.docx", *pictures[:200])).notes == ()
