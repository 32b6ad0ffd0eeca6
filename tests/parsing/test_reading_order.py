from __future__ import annotations

from random import Random

from desktop_rag.parsing.ocr.recognized_page import RecognizedLine
from desktop_rag.parsing.reading_order import in_reading_order

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


def test_a_page_may_have_columns_in_its_lower_half_alone() -> None:
    above = [piece(f"Line {at} of an abstract across the page", 0, at, 420) for at in range(20)]
    columns = [*running("left", 0, range(22, 30)), *running("right", 220, range(22, 30))]
    assert ordered([*above, *columns]) == [*above, *columns]


def test_numbers_side_by_side_are_no_columns() -> None:
    rows = [
        piece("72.8 72.3 84.8 66.2 74.4 71.2 83.4", x, row) for row in range(9) for x in (0, 220)
    ]
    assert ordered(rows) == rows


def test_of_a_page_in_hebrew_the_right_column_comes_first() -> None:
    line = "\u05e9\u05dc\u05d5\u05dd " * 5
    right = [piece(line, 220, row) for row in range(8)]
    left = [piece(line, 0, row) for row in range(8)]
    assert ordered([*right, *left]) == [*right, *left]


def test_a_page_without_text_has_no_order() -> None:
    assert in_reading_order([]) == []
