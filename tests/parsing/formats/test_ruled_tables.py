from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from desktop_rag.core.types import BlockKind
from desktop_rag.parsing.format_registry import parse
from desktop_rag.parsing.parsed_document import Block
from tests.parsing.sample_files import Pdf, PdfPage, Put, paragraph

PROSE = ("The committee met in March and agreed on a budget for the", "following year of work.")
XS, YS = (50, 170, 350, 500), (640, 620, 560, 500)
Rule = tuple[float, float, float, float]


def lattice(xs: Sequence[float] = XS, ys: Sequence[float] = YS) -> list[Rule]:
    level = [(xs[0], y, xs[-1], y) for y in ys]
    return [*level, *((x, ys[0], x, ys[-1]) for x in xs)]


def cell(x: float, y: float, *lines: str) -> list[Put]:
    return [Put(x + 4, y - 12 - 11 * at, line, size=9) for at, line in enumerate(lines)]


HEAD = [*cell(50, 640, "Name"), *cell(170, 640, "Born"), *cell(350, 640, "Positions")]


def blocks_of(tmp_path: Path, puts: Sequence[Put], rules: Sequence[Rule]) -> tuple[Block, ...]:
    page = PdfPage((*paragraph(720, *PROSE), *puts, *paragraph(300, *PROSE)), rules=tuple(rules))
    return parse(Pdf((page,)).write(tmp_path / "a.pdf")).blocks


def table_of(blocks: Sequence[Block]) -> list[str]:
    (table,) = (block for block in blocks if block.kind is BlockKind.TABLE)
    return [row.text for row in table.rows]


def test_cells_of_several_lines_at_any_height_are_whole(tmp_path: Path) -> None:
    puts = [
        *HEAD,
        *cell(50, 604, "John Miller"), *cell(170, 610, "June 23, 1948", "Pin Point"),
        *cell(350, 620, "Judge,", "Court of", "Appeals"),
        *cell(50, 544, "Ruth Baker"), *cell(170, 550, "March 15, 1933", "Brooklyn"),
        *cell(350, 548, "Judge (1980)"),
    ]  # fmt: skip
    assert table_of(blocks_of(tmp_path, puts, lattice())) == [
        "Name Born Positions",
        "Name: John Miller; Born: June 23, 1948 Pin Point; Positions: Judge, Court of Appeals",
        "Name: Ruth Baker; Born: March 15, 1933 Brooklyn; Positions: Judge (1980)",
    ]


def test_bold_names_in_cells_are_no_headings(tmp_path: Path) -> None:
    names = [Put(54, 604, "John Miller", size=9, bold=True), Put(54, 544, "Ruth Baker", size=9,
                                                                 bold=True)]  # fmt: skip
    dates = [*cell(170, 610, "June 23, 1948"), *cell(170, 550, "March 15, 1933")]
    blocks = blocks_of(tmp_path, [*HEAD, *names, *dates], lattice())
    assert not [block for block in blocks if block.kind is BlockKind.HEADING]
    assert table_of(blocks)[1:] == [
        "Name: John Miller; Born: June 23, 1948", "Name: Ruth Baker; Born: March 15, 1933",
    ]  # fmt: skip


def test_a_cell_over_two_rows_is_told_in_both(tmp_path: Path) -> None:
    rules: list[Rule] = [(50, 640, 500, 640), (50, 620, 500, 620), (170, 560, 500, 560)]
    rules += [(50, 500, 500, 500), *((x, 640, x, 500) for x in XS)]
    puts = [*HEAD, *cell(50, 580, "Supreme Court")]
    puts += [*cell(170, 600, "1948"), *cell(350, 600, "Judge")]
    puts += [*cell(170, 540, "1933"), *cell(350, 540, "Chairman")]
    assert table_of(blocks_of(tmp_path, puts, rules))[1:] == [
        "Name: Supreme Court; Born: 1948; Positions: Judge",
        "Name: Supreme Court; Born: 1933; Positions: Chairman",
    ]


def test_a_frame_around_two_columns_of_text_is_no_table(tmp_path: Path) -> None:
    left = [Put(55, 630 - 12 * n, f"The left column, line number {n}", size=9) for n in range(60)]
    right = [Put(305, 630 - 12 * n, f"The right column, number {n}", size=9) for n in range(60)]
    rules = lattice((50, 300, 550), (640, 320, 2))
    page = PdfPage((*left, *right), rules=tuple(rules))
    text = "\n".join(b.text for b in parse(Pdf((page,)).write(tmp_path / "a.pdf")).blocks)
    places = [text.index(put.text) for put in (*left, *right)]
    assert places == sorted(places)


def test_text_beside_a_grid_stays_where_it_is(tmp_path: Path) -> None:
    puts = [*HEAD, *cell(50, 604, "John"), *cell(170, 604, "1948"), *cell(350, 604, "Judge"),
            *cell(50, 544, "Ruth"), *cell(170, 544, "1933"), *cell(350, 544, "Judge")]  # fmt: skip
    kinds = [block.kind for block in blocks_of(tmp_path, puts, lattice())]
    assert kinds == [BlockKind.TEXT, BlockKind.TABLE, BlockKind.TEXT]


def test_rows_between_few_rules_stay_rows(tmp_path: Path) -> None:
    labels, values = ("Sales", "Costs", "Taxes"), (("1,204", "980"), ("700", "655"), ("14", "-"))
    puts = [*cell(170, 640, "2023"), *cell(350, 640, "2022")]
    for at, (label, row) in enumerate(zip(labels, values, strict=True)):
        y = 610 - 18 * at
        puts += [*cell(50, y, label), *cell(170, y, row[0]), *cell(350, y, row[1])]
    assert table_of(blocks_of(tmp_path, puts, lattice(ys=(640, 620, 550))))[1:] == [
        "Sales; 2023: 1,204; 2022: 980",
        "Costs; 2023: 700; 2022: 655",
        "Taxes; 2023: 14; 2022: -",
    ]
