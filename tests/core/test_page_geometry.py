from __future__ import annotations

from desktop_rag.core.page_geometry import PageCharacters

NOTHING = (0.0, 0.0, 0.0, 0.0)


def lines(*said: str, height: float = 10.0) -> PageCharacters:
    """Return letters six points wide on lines of a height."""
    text = "\r\n".join(said)
    boxes = []
    for row, line in enumerate(said):
        y = row * 2 * height
        boxes += [(column * 6.0, y, column * 6.0 + 6, y + height) for column in range(len(line))]
        boxes += [NOTHING, NOTHING] if row < len(said) - 1 else []
    return PageCharacters.of(text, tuple(boxes))


def test_lines_are_told_by_where_their_letters_stand() -> None:
    letters = lines("first one", "second")
    assert [letters.text[line.start : line.end] for line in letters.lines] == [
        "first one",
        "second",
    ]
    assert letters.lines[0].box == (0, 0, 54, 10)


def test_a_point_is_the_place_between_two_letters() -> None:
    letters = lines("first", "second")
    assert letters.at(13, 5) == 2
    assert letters.at(-20, 5) == 0
    assert letters.at(500, 5) == 5
    assert letters.at(500, 500) == len(letters.text)
    assert PageCharacters.of("", ()).at(3, 3) == 0


def test_a_selection_is_a_rectangle_for_each_line() -> None:
    letters = lines("first", "second", "third")
    start, end = letters.at(12, 5), letters.at(12, 45)
    boxes = list(letters.rectangles(start, end))
    assert boxes == [(12, 0, 30, 10), (0, 20, 36, 30), (0, 40, 12, 50)]
    assert letters.told(start, end) == "rst\nsecond\nth"


def test_a_word_is_what_belongs_together_and_one_character_of_chinese() -> None:
    letters = lines("don't stop 差旅")
    assert letters.word(2) == (0, 5)
    assert letters.word(8) == (6, 10)
    assert letters.word(11) == (11, 12)


def test_a_word_broken_at_the_end_of_a_line_is_whole_when_it_is_copied() -> None:
    letters = PageCharacters.of("trans\ufffe\r\nport", tuple([NOTHING] * 12))
    assert letters.told() == "transport"


def test_a_line_that_runs_down_the_page_is_one_line() -> None:
    boxes = tuple((100.0, y * 6.0, 110.0, y * 6.0 + 6) for y in range(12))
    letters = PageCharacters.of("upright text", boxes)
    (line,) = letters.lines
    assert line.upright
    assert letters.at(105, 13) == 2
