from __future__ import annotations

from pathlib import Path

import pytest
from PIL import Image

from desktop_rag.core.cancel import CancelToken
from desktop_rag.core.errors import FileProblem
from desktop_rag.core.types import BlockKind, FileStatus, LocatorKind
from desktop_rag.parsing.format_registry import parse
from desktop_rag.parsing.ocr.page_recognizer import PageRecognizer
from desktop_rag.parsing.ocr.recognized_page import RecognizedLine, RecognizedPage
from desktop_rag.parsing.parsed_document import ParsedDocument
from desktop_rag.parsing.sandbox.parser_pool import ParserPool, ParseTask
from tests.parsing.ocr.drawn_pages import SHIPS, column, page, saved
from tests.parsing.sample_pictures import TURNED_PHOTO

EMPTY = RecognizedPage(620, 877, 0, ())


def line(text: str, x: float, y: float, height: float = 12) -> RecognizedLine:
    return RecognizedLine(text, x, y, x + 6 * len(text), y + height, 0.95)


def running(y: float = 100, confidence: float = 0.95) -> tuple[RecognizedLine, ...]:
    return tuple(
        RecognizedLine(text, 72, y + 15 * at, 300, y + 12 + 15 * at, confidence)
        for at, text in enumerate(SHIPS)
    )


def recognised(*lines: RecognizedLine, turn: float = 0) -> RecognizedPage:
    return RecognizedPage(620, 877, turn, lines)


def problem(path: Path, pages: dict[int, RecognizedPage]) -> FileProblem:
    with pytest.raises(FileProblem) as caught:
        parse(path, pages)
    return caught.value


@pytest.fixture
def scan(tmp_path: Path) -> Path:
    frames = [Image.new("1", (1240, 1754), 1) for _ in range(3)]
    frames[0].save(tmp_path / "scan.tif", save_all=True, append_images=frames[1:])
    return tmp_path / "scan.tif"


def test_a_picture_that_was_not_recognised_says_which_pages_it_has(scan: Path) -> None:
    found = problem(scan, {})
    assert found.status is FileStatus.NEEDS_OCR
    assert found.unread_pages == (1, 2, 3)


def test_the_pages_to_recognise_come_through_the_child_process(scan: Path) -> None:
    pool = ParserPool(1, 60, 2048)
    try:
        ((_, unread, _),) = pool.run([scan], CancelToken())
        assert isinstance(unread, FileProblem)
        assert unread.unread_pages == (1, 2, 3)
        given = ParseTask(scan, {1: recognised(*running()), 3: EMPTY})
        ((path, read, _),) = pool.run([given], CancelToken())
        assert path == scan
        assert isinstance(read, ParsedDocument)
        assert read.unread_pages == (2,)
        assert read.blocks[0].text == " ".join(SHIPS)
    finally:
        pool.close()


def test_a_picture_without_text_is_empty(scan: Path) -> None:
    found = problem(scan, dict.fromkeys((1, 2, 3), EMPTY))
    assert (found.status, found.unread_pages) == (FileStatus.EMPTY, ())
    assert found.what == "No text was found in the picture."


def test_a_picture_of_a_word_or_two_is_empty(scan: Path) -> None:
    pages = {1: recognised(line("by deepset", 72, 100)), 2: EMPTY, 3: EMPTY}
    found = problem(scan, pages)
    assert found.status is FileStatus.EMPTY
    assert found.what == "Hardly any text was found in the picture."


def test_pages_that_stay_unread_are_told(scan: Path) -> None:
    document = parse(scan, {2: recognised(*running())})
    assert document.pages == 3
    assert document.unread_pages == (1, 3)
    assert document.notes == ("2 of 3 pages are pictures without text and were not read.",)
    assert [block.place.value for block in document.blocks] == [2]
    assert document.blocks[0].place.kind is LocatorKind.PAGE


def test_a_page_that_was_hard_to_read_is_told(scan: Path) -> None:
    good, bad = recognised(*running()), recognised(*running(confidence=0.55))
    assert parse(scan, {1: good, 2: bad, 3: EMPTY}).notes == ("Page 2 was hard to read.",)
    told = parse(scan, {1: bad, 2: bad, 3: good}).notes
    assert told == ("2 of 3 recognised pages were hard to read.",)


def test_large_letters_are_a_heading_and_small_differences_are_none(scan: Path) -> None:
    rough = [
        RecognizedLine(each.text, each.x0, each.y0, each.x1, each.y1 + at % 2 * 1.8, 0.9)
        for at, each in enumerate(running())
    ]
    title = line("The harbour and its ships", 72, 40, 24)
    blocks = parse(scan, dict.fromkeys((1, 2, 3), recognised(title, *rough))).blocks
    kinds = [(block.kind, block.text) for block in blocks if block.place.value == 1]
    assert kinds == [(BlockKind.HEADING, title.text), (BlockKind.TEXT, " ".join(SHIPS))]


def test_cells_beside_each_other_are_the_rows_of_a_table(scan: Path) -> None:
    cells = (("Pier", "Ships", "Crowns"), ("North", "14", "1,250"), ("South", "21", "2,480"))
    lines = [line(text, 72 + 150 * at, 100 + 16 * row) for row, texts in enumerate(cells)
             for at, text in enumerate(texts)]  # fmt: skip
    document = parse(scan, {1: recognised(*lines, *running(200))})
    table = document.blocks[0]
    assert table.kind is BlockKind.TABLE
    assert [row.text for row in table.rows] == [
        "Pier Ships Crowns",
        "Pier: North; Ships: 14; Crowns: 1,250",
        "Pier: South; Ships: 21; Crowns: 2,480",
    ]
    assert table.header == "Pier Ships Crowns"


def test_words_that_are_broken_at_a_line_s_end_are_whole_again(scan: Path) -> None:
    lines = (line("The keepers of the light-", 72, 100), line("house watch all night.", 72, 115))
    document = parse(scan, {1: recognised(*lines)})
    assert document.blocks[0].text == "The keepers of the lighthouse watch all night."


def test_boxes_are_those_of_the_page_as_shown(scan: Path) -> None:
    upright = parse(scan, {1: recognised(*running())}).blocks[0].boxes
    over = parse(scan, {1: recognised(*running(), turn=180)}).blocks[0].boxes
    assert (upright[0].x0, upright[0].y0, upright[0].x1, upright[0].y1) == (74.2, 100, 297.8, 112)
    assert (over[0].x0, over[0].y0, over[0].x1, over[0].y1) == (322.2, 765, 545.8, 777)
    assert [box.start for box in upright] == [box.start for box in over]


def test_a_drawn_page_is_read_from_end_to_end(tmp_path: Path) -> None:
    path = saved(page(column(SHIPS)), tmp_path / "a.png")
    recognizer = PageRecognizer(seconds=200)
    try:
        pages = {1: recognizer.recognize(path, 1)}
    finally:
        recognizer.close()
    document = parse(path, pages)
    assert [block.text for block in document.blocks] == [" ".join(SHIPS)]
    assert (document.notes, document.unread_pages) == ((), ())
    assert len(document.blocks[0].boxes) == len(SHIPS)


@pytest.mark.parametrize("name", ["a.pdf", "a.docx", "a.txt", "a.jpg", "a"])
def test_a_picture_is_known_by_its_bytes(tmp_path: Path, name: str) -> None:
    Image.new("RGB", (30, 20), "white").save(tmp_path / "made.png")
    path = (tmp_path / "made.png").rename(tmp_path / name)
    assert problem(path, {}).unread_pages == (1,)


@pytest.mark.parametrize("name", ["a.png", "a.jpeg", "a.tif", "a.bmp", "a.webp", "a.gif", "a.heic"])
def test_text_that_calls_itself_a_picture_is_corrupt(tmp_path: Path, name: str) -> None:
    (tmp_path / name).write_text("BM is how this text begins, and it is no picture at all.")
    assert problem(tmp_path / name, {}).status is FileStatus.CORRUPT


@pytest.mark.parametrize("name", ["photo.heic", "photo.HEIF", "photo.jpg", "photo"])
def test_a_telephone_s_photo_waits_to_be_recognised(tmp_path: Path, name: str) -> None:
    (tmp_path / name).write_bytes(TURNED_PHOTO.read_bytes())
    assert problem(tmp_path / name, {}).unread_pages == (1,)


def test_a_film_is_no_picture(tmp_path: Path) -> None:
    (tmp_path / "film.mp4").write_bytes(b"\0\0\0\x18ftypisom\0\0\2\0isomiso2mp41" + bytes(500))
    assert problem(tmp_path / "film.mp4", {}).status is FileStatus.UNSUPPORTED


def test_a_raw_photograph_is_no_tiff(tmp_path: Path) -> None:
    Image.new("RGB", (30, 20)).save(tmp_path / "made.tif")
    path = (tmp_path / "made.tif").rename(tmp_path / "a.nef")
    assert problem(path, {}).status is FileStatus.UNSUPPORTED


def test_a_sentence_goes_on_from_frame_to_frame(scan: Path) -> None:
    begun = (line("The keepers of the light watch all night, and", 72, 700),
             line("in the morning they go to the village to sell", 72, 715))  # fmt: skip
    rest = (line("the fish of the day before. The ships leave", 72, 60), line("at noon.", 72, 75))
    whole, after = parse(scan, {1: recognised(*begun), 2: recognised(*rest)}).blocks
    assert whole.text.endswith("they go to the village to sell the fish of the day before.")
    assert (whole.place.value, [box.page for box in whole.boxes]) == (1, [None, None, 2])
    assert (after.place.value, after.text) == (2, "The ships leave at noon.")
    apart = parse(scan, {1: recognised(*begun), 3: recognised(*rest)}).blocks
    assert [block.text for block in apart][1].startswith("the fish of the day before.")
