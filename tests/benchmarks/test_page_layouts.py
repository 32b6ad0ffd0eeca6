from __future__ import annotations

import string
from dataclasses import replace
from pathlib import Path
from random import Random

import pypdfium2
import pytest
from reportlab.pdfbase.ttfonts import TTFontFile

from benchmarks.page_layouts.layout_table import layout_table
from benchmarks.page_layouts.made_document import MadeDocument, MadeTable
from benchmarks.page_layouts.page_set import KINDS, write_page_set
from benchmarks.page_layouts.readings import (
    Cell,
    Reading,
    own_reading,
    reading_of,
    rival_reading,
)
from benchmarks.page_layouts.scans import write_scan
from benchmarks.page_layouts.scores import Score, expected_cells, score_of
from benchmarks.page_layouts.sentences import LANGUAGES
from desktop_rag.core.types import BlockKind, LocatorKind
from desktop_rag.parsing.formats import pdf
from desktop_rag.parsing.parsed_document import Block, BlockLocator, ParsedDocument, TableRow

TABLE = MadeTable(
    (("", "North", "North"), ("", "Plan", "Actual")),
    (("Fuel oil", "1,200", "(30)"), ("Wages", "", "7")),
)
MADE = MadeDocument("name", "kind", "en", 1, ("One two three.\nFour five.",), (TABLE,), ("7",))
PAGE = BlockLocator(LocatorKind.PAGE, 1)
FONTS = Path(__file__).parents[2] / "benchmarks" / "page_layouts" / "fonts"


def table(*rows: str, header: str = "") -> ParsedDocument:
    made = tuple(TableRow(row, PAGE) for row in rows)
    block = Block(BlockKind.TABLE, "\n".join(rows), PAGE, rows=made, header=header)
    return ParsedDocument("", (block,))


def perfect(made: MadeDocument) -> Reading:
    cells = tuple(cell for each in made.tables for cell in expected_cells(each))
    return Reading(tuple(made.texts[0].split("\n")), cells)


def test_there_are_so_many_pages_and_they_are_always_the_same(tmp_path: Path) -> None:
    one, other = tmp_path / "one", tmp_path / "other"
    one.mkdir()
    other.mkdir()
    made = list(write_page_set(one))
    assert sum(each.pages for each in made) == 76
    assert list(write_page_set(other)) == made
    for path in one.iterdir():
        assert path.read_bytes() == (other / path.name).read_bytes()


def test_nothing_stands_beyond_a_page(tmp_path: Path) -> None:
    for made in write_page_set(tmp_path):
        with pypdfium2.PdfDocument(made.path(tmp_path)) as opened:
            for page in opened:
                width, height = page.get_size()
                for at in page.get_objects():
                    x0, y0, x1, y1 = at.get_bounds()
                    assert min(x0, y0) > 20, made.name
                    assert max(x1 - width, y1 - height) < -20 or page.get_rotation(), made.name


def test_the_fonts_hold_every_character_of_the_sentences() -> None:
    for language, font in (("zh", "NotoSansSC"), ("he", "DejaVuSansHebrew")):
        known = TTFontFile(str(FONTS / f"{font}.ttf")).charToGlyph
        words = "".join(word for words in LANGUAGES[language].values() for word in words)
        assert {char for char in words + string.digits if ord(char) not in known} == set()


def test_the_fonts_hold_every_character_of_the_pages(tmp_path: Path) -> None:
    known = TTFontFile(str(FONTS / "NotoSansSC.ttf")).charToGlyph
    for made in write_page_set(tmp_path):
        if made.language == "zh":
            assert {char for char in made.texts[0] if ord(char) not in known} <= {"\n"}


def test_a_perfect_reading_scores_one_and_a_shuffled_one_less(tmp_path: Path) -> None:
    for made in write_page_set(tmp_path, [KINDS[0], "table, some rules"]):
        score = score_of(made, perfect(made))
        assert score.text == 1
        assert score.cells in (1, None)
        lines = list(perfect(made).lines)
        Random(3).shuffle(lines)
        assert score_of(made, Reading(tuple(lines))).text < 0.9


def test_page_numbers_and_the_place_of_a_footnote_do_not_count(tmp_path: Path) -> None:
    made = next(write_page_set(tmp_path, ["paper"]))
    # A footnote on one page and a figure on another, before or after the cut sentence's end.
    assert len(made.texts) == 10
    for text in made.texts:
        lines = (*made.furniture, *text.split("\n"), made.furniture[-1])
        assert score_of(made, Reading(lines)).text == 1


def test_a_sentence_over_a_page_s_end_may_be_read_before_what_stands_between(
    tmp_path: Path,
) -> None:
    for made in write_page_set(tmp_path, ["report over pages"]):
        told = pdf.parse(made.path(tmp_path))
        assert made.cut
        assert all(each in made.texts[-1].replace("\n", " ") for each in made.cut)
        score = score_of(made, reading_of(told))
        assert (score.text, score.sentences) == (1, 1)
        halves = [half for each in told.blocks for half in in_two(each.text, made.cut)]
        assert score_of(made, Reading((), (), tuple(halves))).sentences == 0


def in_two(text: str, cut: tuple[str, ...]) -> tuple[str, ...]:
    at = next((text.index(each) + len(each) // 2 for each in cut if each in text), len(text))
    return text[:at], text[at:]


def test_of_a_cell_its_value_its_label_and_its_heads_must_be_right() -> None:
    cells = expected_cells(TABLE)
    assert cells[1] == Cell("Fuel oil", "North Plan", "1,200")
    assert [each.value for each in cells] == ["Fuel oil", "1,200", "(30)", "Wages", "7"]
    assert score_of(MADE, Reading((), tuple(cells))).cells == 1
    for wrong in ({"value": "1,201"}, {"label": "Interest"}, {"head": "South"}):
        found = [cells[0], replace(cells[1], **wrong), *cells[2:]]
        assert score_of(MADE, Reading((), tuple(found))).cells == pytest.approx(0.8)


@pytest.mark.parametrize(
    "document",
    [
        table("Fuel oil; North Plan: 1,200; North Actual: (30)", "Wages; North Actual: 7"),
        table("Fuel oil | 1,200 | (30)", "Wages | | 7", header=" | North › Plan | North › Actual"),
    ],
)
def test_cells_are_told_by_names_or_by_bars(document: ParsedDocument) -> None:
    reading = reading_of(document)
    assert score_of(MADE, reading).cells == 1
    assert reading.lines[1:] == ("Fuel oil 1,200 (30)", "Wages 7")


def test_text_drawn_as_it_is_read_is_read_so(tmp_path: Path) -> None:
    kinds = ("three columns", "box beside the text", "lists", "formulas", "page on its side")
    made = list(write_page_set(tmp_path, kinds))
    scores = [score_of(each, own_reading(each.path(tmp_path))) for each in made]
    assert {each.kind for each in scores} == set(kinds)
    assert [each.name for each in scores if each.text < 0.97] == []


def test_a_scan_is_a_picture_without_text_and_always_the_same(tmp_path: Path) -> None:
    made = next(write_page_set(tmp_path, ["paper"]))
    one, other = tmp_path / "one", tmp_path / "other"
    for scan in (one, other):
        write_scan(made.path(tmp_path), scan)
    with pypdfium2.PdfDocument(one) as opened, pypdfium2.PdfDocument(other) as again:
        assert len(opened) == made.pages
        assert opened[0].get_textpage().count_chars() == 0
        assert opened[0].get_size() == pytest.approx((595, 842), abs=1)
        drawn, redrawn = (each[1].render(scale=1).to_numpy() for each in (opened, again))
        assert (drawn == redrawn).all()


def test_of_a_rival_s_table_as_many_rows_are_heads_as_there_are() -> None:
    grid = [["", "North", None], ["", "Plan", "Actual"], *TABLE.rows]
    reading = rival_reading({"lines": ["text"], "tables": [grid]}, 2)
    assert score_of(MADE, reading).cells == 1


def test_the_table_has_a_row_for_each_layout_and_one_for_all() -> None:
    good, bad = Score("a", "lists", 1, 1.0, None), Score("b", "tables", 3, 0.5, 0.25)
    lines = layout_table({"text": [good, bad], "rival": [good]}).splitlines()
    assert lines[0] == "| layout | pages | text | rival | cells: text |"
    assert lines[2:] == [
        "| lists | 1 | 1.000 | 1.000 | – |",
        "| tables | 3 | 0.500 | – | 0.250 |",
        "| **all** | 4 | 0.625 | 1.000 | 0.250 |",
    ]
