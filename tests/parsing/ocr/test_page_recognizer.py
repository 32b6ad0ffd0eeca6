"""The recogniser in its confined child process, on pages drawn here."""

from __future__ import annotations

import io
import json
import subprocess
import sys
from base64 import b64encode
from collections.abc import Iterator
from pathlib import Path

import pytest
from PIL import Image

from desktop_rag.core.cancel import CancelToken
from desktop_rag.core.errors import Cancelled, FileProblem
from desktop_rag.core.types import FileStatus
from desktop_rag.parsing.format_registry import parse
from desktop_rag.parsing.formats.recognized_lines import recognized_lines
from desktop_rag.parsing.ocr.page_recognizer import PageRecognizer
from desktop_rag.parsing.ocr.recognized_page import RecognizedPage
from desktop_rag.parsing.sandbox.child_process import ChildProcess
from testing.slow_cases import slow
from tests.attacks.pictured_documents import LINES as DRAWN
from tests.attacks.pictured_documents import pictured_documents
from tests.parsing.ocr.drawn_pages import (
    CHINESE,
    LAMPS,
    SENTENCES,
    SHIPS,
    column,
    page,
    saved,
)

WORDS = list(SHIPS)
_PICTURED = ("html", "fb2", "odp", "ods", "fodt", "rtf", "mhtml", "mbox", "msg")


@pytest.fixture(scope="module")
def recognizer() -> Iterator[PageRecognizer]:
    made = PageRecognizer(seconds=200)
    yield made
    made.close()


def texts(found: RecognizedPage) -> list[str]:
    """Return the lines in the order in which they are read."""
    return [line.text for line in recognized_lines({1: found}, 0.0)[1]]


@pytest.mark.parametrize("name", ["a.png", "a.jpg", "a.tiff", "a.webp", "a.pdf"])
def test_words_are_read_with_their_places(
    recognizer: PageRecognizer, tmp_path: Path, name: str
) -> None:
    path = saved(page(column(SHIPS)), tmp_path / name)
    found = recognizer.recognize(path, 1)
    assert texts(found) == WORDS
    assert found.confidence > 0.9
    points = found.width / 1240  # a pixel, of the 1240 across
    first = found.lines[0]
    assert first.x0 / points == pytest.approx(150, abs=12)
    assert first.y0 / points == pytest.approx(205, abs=15)
    assert (first.y1 - first.y0) / points == pytest.approx(38, abs=15)


def cut_out() -> bytes:
    """Return a picture of some lines, as a PNG file."""
    made = io.BytesIO()
    page(column(SHIPS)).crop((0, 100, 1000, 500)).save(made, "PNG")
    return made.getvalue()


def test_a_picture_in_a_document_is_read_by_its_number(
    recognizer: PageRecognizer, tmp_path: Path
) -> None:
    other = io.BytesIO()
    page(column(LAMPS)).crop((0, 100, 1000, 500)).save(other, "JPEG")
    held = "".join(
        f"<p>Words of the page.</p><img src='data:image/png;base64,{b64encode(raw).decode()}'>"
        for raw in (cut_out(), other.getvalue())
    )
    path = tmp_path / "a.html"
    path.write_text(held)
    numbers = parse(path).unread_pages
    assert numbers == (1, 2)
    recognized = {number: recognizer.recognize(path, number) for number in numbers}
    assert [block.text for block in parse(path, recognized).blocks] == [
        "Words of the page.", "\n".join(SHIPS), "Words of the page.", "\n".join(LAMPS),
    ]  # fmt: skip
    (tmp_path / "a.png").write_bytes(cut_out())
    assert recognizer.picture_key(path, 1) == recognizer.picture_key(tmp_path / "a.png", 1)
    with pytest.raises(FileProblem) as caught:
        recognizer.recognize(path, 3)
    assert caught.value.status is FileStatus.CORRUPT


@pytest.mark.parametrize("ending", ["epub", "eml", "odt", *slow(*_PICTURED)])
def test_a_picture_in_a_document_of_any_format_is_read(
    recognizer: PageRecognizer, tmp_path: Path, ending: str
) -> None:
    path = tmp_path / f"a.{ending}"
    path.write_bytes(pictured_documents()[f"shown.{ending}"])
    numbers = parse(path).unread_pages
    recognized = {number: recognizer.recognize(path, number) for number in numbers}
    read = parse(path, recognized)
    assert read.unread_pages == ()
    texts = [" ".join(block.text.split()) for block in read.blocks]
    assert " ".join(DRAWN.split()) in texts


def test_chinese_is_read_without_spaces(recognizer: PageRecognizer, tmp_path: Path) -> None:
    path = saved(page(column(SENTENCES), CHINESE, 36), tmp_path / "a.png")
    assert texts(recognizer.recognize(path, 1)) == list(SENTENCES)


@pytest.mark.parametrize("degrees", [90, *slow(180, 270)])
def test_a_page_that_lies_wrongly_is_read_and_its_places_are_those_shown(
    recognizer: PageRecognizer, tmp_path: Path, degrees: int
) -> None:
    upright = saved(page(column(SHIPS)), tmp_path / "upright.png")
    turned = page(column(SHIPS)).rotate(-degrees, expand=True)  # clockwise
    found = recognizer.recognize(saved(turned, tmp_path / "turned.png"), 1)
    assert texts(found) == WORDS
    assert found.turn == pytest.approx(360 - degrees, abs=0.5)
    known = recognizer.recognize(upright, 1).lines[0]
    x0, y0, x1, y1 = known.x0, known.y0, known.x1, known.y1
    wide, high = 620.0, 877.0
    wanted = {
        90: (high - y1, x0, high - y0, x1),
        180: (wide - x1, high - y1, wide - x0, high - y0),
        270: (y0, wide - x1, y1, wide - x0),
    }[degrees]
    line = found.lines[0]
    shown = found.shown((line.x0, line.y0, line.x1, line.y1))
    assert shown == pytest.approx(wanted, abs=6)


def test_a_page_that_slopes_is_read_line_by_line(
    recognizer: PageRecognizer, tmp_path: Path
) -> None:
    wide = [(100.0 + 620 * at, 200.0 + 50 * row, text)
            for row, pair in enumerate(zip(SHIPS, LAMPS, strict=True))
            for at, text in enumerate(pair)]  # fmt: skip
    sloping = page(wide, size=26).rotate(2, fillcolor="white", resample=Image.Resampling.BICUBIC)
    found = recognizer.recognize(saved(sloping, tmp_path / "a.png"), 1)
    assert texts(found) == [*SHIPS, *LAMPS]
    assert found.turn == pytest.approx(2, abs=0.4)
    middles = {line.text: (line.y0 + line.y1) / 2 for line in found.lines}
    assert middles[SHIPS[0]] == pytest.approx(middles[LAMPS[0]], abs=2)  # level again


def test_two_columns_are_read_one_after_the_other(
    recognizer: PageRecognizer, tmp_path: Path
) -> None:
    lines = [*column(SHIPS, 100), *column(LAMPS, 720)]
    found = recognizer.recognize(saved(page(lines, size=26), tmp_path / "a.png"), 1)
    assert texts(found) == [*SHIPS, *LAMPS]


def test_a_page_without_text_has_no_lines(recognizer: PageRecognizer, tmp_path: Path) -> None:
    path = saved(page([]), tmp_path / "a.png")
    assert recognizer.recognize(path, 1) == RecognizedPage(620, 877, 0, ())


@pytest.mark.parametrize("size", [(1, 1), (4, 3000), (3000, 4), (30, 30)])
def test_pictures_of_odd_sizes_are_looked_at(
    recognizer: PageRecognizer, tmp_path: Path, size: tuple[int, int]
) -> None:
    path = saved(Image.new("RGB", size, "white"), tmp_path / "a.png")
    assert recognizer.recognize(path, 1).lines == ()


def test_the_same_page_has_the_same_key_in_any_file(
    recognizer: PageRecognizer, tmp_path: Path
) -> None:
    keys = [
        recognizer.picture_key(saved(page(column(words)), tmp_path / name), 1)
        for name, words in (("a.png", SHIPS), ("b.bmp", SHIPS), ("c.png", LAMPS))
    ]
    assert keys[0] == keys[1] != keys[2]


def test_a_file_that_changed_is_looked_at_anew(recognizer: PageRecognizer, tmp_path: Path) -> None:
    path = saved(page(column(SHIPS)), tmp_path / "a.png")
    key = recognizer.picture_key(path, 1)
    saved(page(column(LAMPS)), path)
    assert recognizer.picture_key(path, 1) != key
    assert texts(recognizer.recognize(path, 1)) == list(LAMPS)


def test_one_page_s_problem_is_not_the_next_one_s(
    recognizer: PageRecognizer, tmp_path: Path
) -> None:
    bad = tmp_path / "bad.png"
    bad.write_bytes(b"\x89PNG\r\n\x1a\n" + bytes(50))
    good = saved(page(column(SHIPS)), tmp_path / "a.png")
    with pytest.raises(FileProblem) as caught:
        recognizer.recognize(bad, 1)
    assert caught.value.status is FileStatus.CORRUPT
    with pytest.raises(FileProblem) as caught:
        recognizer.picture_key(tmp_path / "gone.png", 1)
    assert caught.value.status is FileStatus.FAILED
    assert texts(recognizer.recognize(good, 1)) == WORDS


def test_a_page_that_takes_too_long_is_given_up(tmp_path: Path) -> None:
    path = saved(page(column(SHIPS)), tmp_path / "a.png")
    hasty = PageRecognizer(seconds=0.05)
    try:
        with pytest.raises(FileProblem) as caught:
            hasty.recognize(path, 1)
        assert caught.value.status is FileStatus.TIMEOUT
    finally:
        hasty.close()


def test_a_stop_ends_recognition(recognizer: PageRecognizer, tmp_path: Path) -> None:
    path = saved(page(column(SHIPS)), tmp_path / "a.png")
    token = CancelToken()
    token.cancel()
    with pytest.raises(Cancelled):
        recognizer.recognize(path, 1, token)


def nonsense(request: bytes) -> bytes:
    """Answer as a child that somebody took over."""
    return str(json.loads(request)[1]).encode()


@pytest.mark.parametrize(
    "reply", ["", "null", "{}", '{"width": 1e999}', "[" * 5000, "a" * 64 + "!"]
)
def test_a_reply_that_makes_no_sense_costs_its_page(reply: str) -> None:
    recognizer = PageRecognizer()
    recognizer._child = ChildProcess(nonsense, 30, 500)
    try:
        for ask in (recognizer.recognize, recognizer.picture_key):
            with pytest.raises(FileProblem) as caught:
                ask(Path(reply), 1)
            assert caught.value.status is FileStatus.FAILED
    finally:
        recognizer.close()


def test_the_process_that_asks_does_not_load_the_recogniser() -> None:
    modules = "desktop_rag.parsing.ocr.page_recognizer, desktop_rag.parsing.sandbox.parser_pool"
    told = subprocess.run(
        [sys.executable, "-c", f"import {modules}, sys; print(*sys.modules)"],
        capture_output=True,
        text=True,
        check=True,
    )
    assert not {"cv2", "rapidocr", "onnxruntime", "PIL"} & set(told.stdout.split())
