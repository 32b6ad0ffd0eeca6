from __future__ import annotations

from pathlib import Path
from textwrap import wrap

from desktop_rag.core.types import BlockKind
from desktop_rag.parsing.format_registry import parse
from desktop_rag.parsing.parsed_document import Block
from tests.parsing.sample_files import Put, one_page

LEFT = (
    "Every summer the river carries less water than it did a generation ago, and the towns along "
    "its banks have begun to count what remains. The council keeps a register of wells in which "
    "each owner writes how deep the water stands on the first of the month."
)
RIGHT = (
    "Nobody planned the register as a measurement, yet it has become the longest series of its "
    "kind in the valley. The engineers who repaired the old mill used it to choose the height of "
    "the weir, and the school teaches arithmetic from its columns of numbers."
)


def column(x: float, text: str, width: int = 38) -> list[Put]:
    return [Put(x, 700 - 14 * at, line, size=10) for at, line in enumerate(wrap(text, width))]


def line_by_line(*columns: list[Put]) -> list[Put]:
    """Return columns drawn as some writers do: the first line of each, then the second."""
    rows = range(max(map(len, columns)))
    return [puts[at] for at in rows for puts in columns if at < len(puts)]


def read(tmp_path: Path, *puts: Put) -> list[Block]:
    return list(parse(one_page(*puts).write(tmp_path / "a.pdf")).blocks)


def told(blocks: list[Block]) -> str:
    return " ".join(" ".join(block.text for block in blocks).split())


def test_columns_drawn_line_by_line_are_read_one_after_the_other(tmp_path: Path) -> None:
    blocks = read(tmp_path, *line_by_line(column(50, LEFT), column(310, RIGHT)))
    assert told(blocks) == f"{LEFT} {RIGHT}"
    assert {block.kind for block in blocks} == {BlockKind.TEXT}


def test_three_columns_drawn_line_by_line_are_read_under_their_title(tmp_path: Path) -> None:
    columns = [column(x, text, 26) for x, text in ((40, LEFT), (220, RIGHT), (400, LEFT))]
    title = Put(40, 750, "The register of wells and its columns", size=24)
    blocks = read(tmp_path, title, *line_by_line(*columns))
    assert told(blocks) == f"{title.text} {LEFT} {RIGHT} {LEFT}"


def test_a_heading_across_columns_that_are_drawn_line_by_line_parts_them(tmp_path: Path) -> None:
    lower = [
        Put(put.x, put.y - 200, put.text, put.size)
        for put in line_by_line(column(50, RIGHT), column(310, LEFT))
    ]
    across = Put(50, 535, "What the engineers read in the register of wells", size=20)
    upper = line_by_line(column(50, LEFT), column(310, RIGHT))
    blocks = read(tmp_path, *upper, across, *lower)
    assert told(blocks) == f"{LEFT} {RIGHT} {across.text} {RIGHT} {LEFT}"


def test_lines_drawn_from_the_foot_of_the_page_are_read_from_its_top(tmp_path: Path) -> None:
    blocks = read(tmp_path, *reversed(column(50, LEFT)))
    assert told(blocks) == LEFT


def test_a_table_of_words_is_read_row_by_row(tmp_path: Path) -> None:
    names = ("Harbour and lighthouse", "Municipal waterworks", "Cemetery and chapel", "Old mill")
    uses = ("Closed for repairs in spring", "Open on working days", "Always open", "On request")
    cells = [Put(50, 700 - 16 * at, name) for at, name in enumerate(names)]
    others = [Put(330, 700 - 16 * at, use) for at, use in enumerate(uses)]
    (table,) = read(tmp_path, *line_by_line(cells, others))
    assert table.kind is BlockKind.TABLE
    assert [row.text for row in table.rows] == [
        f"{name}\t{use}" for name, use in zip(names, uses, strict=True)
    ]


def test_the_order_that_the_content_follows_is_kept(tmp_path: Path) -> None:
    """Addresses side by side are no columns that the rectangles would tell."""
    one, other = ("From", "Mill Lane 3", "Waterford"), ("To", "Chapel Row 8", "Fairbank")
    puts = [
        Put(x, 700 - 14 * at, text)
        for x, lines in ((50, one), (320, other))
        for at, text in enumerate(lines)
    ]
    assert told(read(tmp_path, *puts)) == " ".join((*one, *other))


def test_columns_whose_lines_stand_on_different_heights_are_parted_as_well(tmp_path: Path) -> None:
    right = [Put(put.x, put.y - 5, put.text, put.size) for put in column(310, RIGHT)]
    blocks = read(tmp_path, *line_by_line(column(50, LEFT), right))
    assert told(blocks) == f"{LEFT} {RIGHT}"


def test_paragraphs_drawn_in_no_order_are_read_column_by_column(tmp_path: Path) -> None:
    texts = [f"{LEFT} Part {name}." for name in ("one", "two", "three", "four", "five", "six")]
    paragraphs = [
        [Put(50 + 260 * (at // 3), put.y - 130 * (at % 3), put.text, 10) for put in column(0, text)]
        for at, text in enumerate(texts)
    ]
    mixed = [put for at in (5, 4, 3, 2, 1, 0) for put in paragraphs[at]]
    assert told(read(tmp_path, *mixed)) == " ".join(texts)


def test_a_table_with_cells_of_several_lines_keeps_the_order_of_its_rows(tmp_path: Path) -> None:
    texts = (LEFT, RIGHT, RIGHT, LEFT)
    cells = [
        [Put(50 + 260 * (at % 2), put.y - 150 * (at // 2), put.text, 10) for put in column(0, text)]
        for at, text in enumerate(texts)
    ]
    blocks = read(tmp_path, *(put for cell in cells for put in cell))
    assert told(blocks) == " ".join(texts)


def test_a_sentence_goes_on_in_the_next_column_and_a_footnote_waits(tmp_path: Path) -> None:
    lines = wrap(f"{LEFT} {RIGHT}", 38)
    half = len(lines) // 2
    left = [Put(50, 700 - 14 * at, line, size=10) for at, line in enumerate(lines[:half])]
    note = Put(50, 560, "1 See the minutes of the council.", size=7)
    right = [Put(310, 700 - 14 * at, line, size=10) for at, line in enumerate(lines[half:])]
    blocks = read(tmp_path, *left, note, *right)
    assert [block.text for block in blocks] == [f"{LEFT} {RIGHT}", note.text]


def test_a_word_broken_at_the_end_of_a_column_is_whole_again(tmp_path: Path) -> None:
    left = [
        Put(50, 700, "The council keeps a register of wells,"),
        Put(50, 686, "and reads in the archae-"),
    ]
    right = [
        Put(330, 700, "ological collection what was written"),
        Put(330, 686, "there in every dry year."),
    ]
    (block,) = read(tmp_path, *left, *right)
    assert "the archaeological collection what" in block.text
