"""Which pages of a PDF text recognition is for, and what becomes of them with it."""

from __future__ import annotations

from pathlib import Path

import pytest

from desktop_rag.core.errors import FileProblem
from desktop_rag.core.types import BlockKind, FileStatus
from desktop_rag.parsing.format_registry import parse
from desktop_rag.parsing.ocr.page_recognizer import PageRecognizer
from desktop_rag.parsing.ocr.recognized_page import RecognizedLine, RecognizedPage
from tests.parsing.ocr.drawn_pages import LAMPS, SHIPS, column, page
from tests.parsing.sample_files import Pdf, PdfPage, Put, paragraph

SENTENCE = "A sentence that is long enough to be worth finding."
SHORT = Put(72, 780, "Enclosure 4 to the letter of May")
TEXT = PdfPage(paragraph(700, SENTENCE))
PICTURE = PdfPage(picture=True)
BLANK = RecognizedPage(595, 842, 0, ())


def recognised(texts: tuple[str, ...] = SHIPS) -> RecognizedPage:
    lines = (
        RecognizedLine(text, 72, 100 + 15 * at, 300, 112 + 15 * at, 0.95)
        for at, text in enumerate(texts)
    )
    return RecognizedPage(595, 842, 0, tuple(lines))


def written(tmp_path: Path, *pages: PdfPage) -> Path:
    return Pdf(pages).write(tmp_path / "a.pdf")


def problem(path: Path, pages: dict[int, RecognizedPage]) -> FileProblem:
    with pytest.raises(FileProblem) as caught:
        parse(path, pages)
    return caught.value


def test_pages_that_are_pictures_are_to_be_recognised(tmp_path: Path) -> None:
    document = parse(written(tmp_path, TEXT, PICTURE, TEXT, PICTURE))
    assert document.unread_pages == (2, 4)
    assert document.notes == ("2 of 4 pages are pictures without text and were not read.",)


def test_a_scan_without_text_says_which_pages_it_has(tmp_path: Path) -> None:
    found = problem(written(tmp_path, PICTURE, PICTURE), {})
    assert (found.status, found.unread_pages) == (FileStatus.NEEDS_OCR, (1, 2))


def test_what_was_recognised_stands_between_the_other_pages(tmp_path: Path) -> None:
    path = written(tmp_path, TEXT, PICTURE, TEXT)
    document = parse(path, {2: recognised()})
    texts = [(block.place.value, block.text) for block in document.blocks]
    assert texts == [(1, SENTENCE), (2, " ".join(SHIPS)), (3, SENTENCE)]
    assert (document.notes, document.unread_pages) == ((), ())
    assert {block.kind for block in document.blocks} == {BlockKind.TEXT}
    box = document.blocks[1].boxes[0]
    assert (box.x0, box.y0, box.x1, box.y1) == (74.2, 100, 297.8, 112)


def test_letters_that_are_shapes_are_to_be_recognised(tmp_path: Path) -> None:
    frame, outlines = PdfPage(shapes=4), PdfPage(shapes=200)
    path = written(tmp_path, TEXT, frame, outlines)
    assert parse(path).unread_pages == (3,)
    assert parse(path, {3: recognised()}).blocks[-1].text == " ".join(SHIPS)


def test_a_picture_under_a_line_of_text_is_to_be_recognised(tmp_path: Path) -> None:
    covered = PdfPage((SHORT,), picture=True)
    full = PdfPage(paragraph(700, *SHIPS), picture=True)
    path = written(tmp_path, covered, full)
    document = parse(path)
    assert document.unread_pages == (1,)
    assert document.notes == ()
    assert document.blocks[0].text == SHORT.text
    assert parse(path, {1: recognised(LAMPS)}).blocks[0].text == " ".join(LAMPS)


def test_of_a_page_s_own_text_and_the_recognised_one_the_longer_is_read(tmp_path: Path) -> None:
    path = written(tmp_path, PdfPage((SHORT,), picture=True))
    document = parse(path, {1: recognised(("Enclosure",))})
    assert [block.text for block in document.blocks] == [SHORT.text]
    assert document.unread_pages == ()


def test_what_was_recognised_of_pages_with_text_is_not_read_twice(tmp_path: Path) -> None:
    document = parse(written(tmp_path, TEXT, PICTURE), {1: recognised(), 2: recognised(LAMPS)})
    assert [block.text for block in document.blocks] == [SENTENCE, " ".join(LAMPS)]


def test_pages_without_text_on_them_are_read(tmp_path: Path) -> None:
    document = parse(written(tmp_path, TEXT, PICTURE), {2: BLANK})
    assert (document.notes, document.unread_pages) == ((), ())
    found = problem(written(tmp_path, PICTURE), {1: BLANK})
    assert (found.status, found.what) == (FileStatus.EMPTY, "No text was found on the pages.")


def test_pages_that_stay_unread_are_told(tmp_path: Path) -> None:
    document = parse(written(tmp_path, PICTURE, PICTURE, PICTURE), {2: recognised()})
    assert document.unread_pages == (1, 3)
    assert document.notes == ("2 of 3 pages are pictures without text and were not read.",)


def test_letters_without_meaning_are_to_be_recognised(tmp_path: Path) -> None:
    strange = PdfPage((Put(72, 700, "\ue000\ue001\ue002\ue003\ue004\ue005\ue006\ue007"),))
    path = written(tmp_path, TEXT, strange)
    assert parse(path).unread_pages == (2,)
    document = parse(path, {2: recognised()})
    assert document.blocks[-1].text == " ".join(SHIPS)
    assert document.notes == ()


def test_a_real_scan_is_read_from_end_to_end(tmp_path: Path) -> None:
    frames = [page(column(texts)) for texts in (SHIPS, LAMPS)]
    frames[0].save(tmp_path / "a.pdf", resolution=150, save_all=True, append_images=frames[1:])
    unread = problem(tmp_path / "a.pdf", {}).unread_pages
    assert unread == (1, 2)
    recognizer = PageRecognizer(seconds=200)
    try:
        pages = {number: recognizer.recognize(tmp_path / "a.pdf", number) for number in unread}
    finally:
        recognizer.close()
    document = parse(tmp_path / "a.pdf", pages)
    texts = [(block.place.value, block.text) for block in document.blocks]
    assert texts == [(1, " ".join(SHIPS)), (2, " ".join(LAMPS))]
    assert (document.pages, document.unread_pages, document.notes) == (2, (), ())
