from __future__ import annotations

from random import Random

from desktop_rag.parsing.ocr.reading_order import in_reading_order
from desktop_rag.parsing.ocr.recognized_page import RecognizedLine

HEIGHT, STEP = 10.0, 14.0


def piece(text: str, x: float, row: float, width: float = 200) -> RecognizedLine:
    return RecognizedLine(text, x, row * STEP, x + width, row * STEP + HEIGHT, 1.0)


def running(name: str, x: float, rows: range) -> list[RecognizedLine]:
    return [piece(f"{name} {row} is a line of running text", x, row) for row in rows]


def ordered(lines: list[RecognizedLine]) -> list[RecognizedLine]:
    """Return the order that is found, whatever order the lines came in."""
    mixed = list(lines)
    Random(7).shuffle(mixed)
    return in_reading_order(mixed)


def test_two_columns_are_read_one_after_the_other() -> None:
    lines = [*running("left", 0, range(8)), *running("right", 220, range(8))]
    assert ordered(lines) == lines


def test_three_columns_are_read_one_after_the_other() -> None:
    lines = [line for at in range(3) for line in running(f"column {at}", 220 * at, range(8))]
    assert ordered(lines) == lines


def test_a_title_stands_before_its_columns_and_a_note_across_after_them() -> None:
    title = piece("A title across both of the columns of this page", 20, 0, 380)
    note = piece("A note across both of the columns of this page", 20, 12, 380)
    columns = [*running("left", 0, range(2, 10)), *running("right", 220, range(2, 10))]
    assert ordered([title, *columns, note]) == [title, *columns, note]


def test_what_stands_across_parts_the_columns_above_from_those_below() -> None:
    above = [*running("left", 0, range(6)), *running("right", 220, range(6))]
    across = piece("A heading across both of the columns of this page", 20, 8, 380)
    below = [*running("left", 0, range(10, 16)), *running("right", 220, range(10, 16))]
    assert ordered([*above, across, *below]) == [*above, across, *below]


def test_a_table_is_read_row_by_row() -> None:
    cells = [piece(f"{row}.{at}", 120 * at, row, 60) for row in range(9) for at in range(4)]
    assert ordered(cells) == cells


def test_pieces_of_one_row_that_slope_a_little_stay_in_their_row() -> None:
    row = [RecognizedLine(str(at), 60.0 * at, 0.9 * at, 60.0 * at + 40, 0.9 * at + 10, 1.0)
           for at in range(5)]  # fmt: skip
    assert ordered(row) == row


def test_what_stands_on_its_side_comes_last() -> None:
    stamp = RecognizedLine("arXiv 1234", 0, 20, 10, 220, 1.0)
    lines = running("left", 20, range(12))
    assert ordered([stamp, *lines]) == [*lines, stamp]


def test_a_page_without_text_has_no_order() -> None:
    assert in_reading_order([]) == []
