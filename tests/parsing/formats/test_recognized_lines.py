from __future__ import annotations

import pytest

from desktop_rag.parsing.formats.recognized_lines import recognized_lines
from desktop_rag.parsing.ocr.recognized_page import RecognizedLine, RecognizedPage

HIGH = 15.0  # of ten-point letters, as they are recognised


def page(*lines: tuple[str, float, float]) -> RecognizedPage:
    """Return a page with pieces of one line: each with its text and where it begins and ends."""
    pieces = (RecognizedLine(text, x0, 100, x1, 100 + HIGH, 1.0) for text, x0, x1 in lines)
    return RecognizedPage(595, 842, 0.0, tuple(pieces))


def test_the_white_around_recognised_letters_is_cut_off() -> None:
    line = recognized_lines({1: page(("Further work", 65, 142))}, 0.0)[1][0]
    assert line.x0 == pytest.approx(67.7)
    assert line.x1 == pytest.approx(139.3)
    assert line.size == pytest.approx(12)
    narrow = recognized_lines({1: page(("l", 65, 67))}, 0.0)[1][0]
    assert 65 < narrow.x0 < narrow.x1 < 67


def test_pieces_whose_white_comes_close_are_two_cells_and_two_words_are_one() -> None:
    found = page(("Repairs and maintenance", 69, 189), ("The manufacturer", 200, 452))
    assert [line.cells for line in recognized_lines({1: found}, 0.0)[1]] == [2]
    found = page(("Repairs and", 69, 129), ("maintenance", 127, 189))
    assert [line.cells for line in recognized_lines({1: found}, 0.0)[1]] == [1]


def test_lines_are_put_in_order_however_they_were_kept() -> None:
    left = [RecognizedLine(f"left {at} goes on in the", 50, y, 250, y + HIGH, 1.0)
            for at, y in enumerate(range(100, 220, 20))]  # fmt: skip
    right = [RecognizedLine(f"right {at} goes on in the", 300, y, 500, y + HIGH, 1.0)
             for at, y in enumerate(range(100, 220, 20))]  # fmt: skip
    mixed = [line for pair in zip(right, left, strict=True) for line in pair]
    found = recognized_lines({1: RecognizedPage(595, 842, 0.0, tuple(mixed))}, 0.0)[1]
    assert [line.text for line in found] == [line.text for line in (*left, *right)]
