from __future__ import annotations

from pathlib import Path

import pytest

from desktop_rag.core.errors import FileProblem
from desktop_rag.core.types import BlockKind, FileStatus, LocatorKind
from desktop_rag.parsing.format_registry import parse
from desktop_rag.parsing.formats.pdf import title_of
from desktop_rag.parsing.parsed_document import Block, BlockLocator
from tests.parsing.sample_files import Pdf, PdfPage, Put, one_page, paragraph

PROSE = ("The committee met in March and agreed on a budget for the", "following year of work.")

CHINESE_PROSE = (
    "委员会于三月举行会议，就下一年度的工作预算达成一致意见，",
    "并决定将会议结果提交全体大会审议。",
)


def text_of(blocks: tuple[Block, ...]) -> str:
    return "\n".join(block.text for block in blocks)


def test_every_page_keeps_its_number(tmp_path: Path) -> None:
    pages = tuple(PdfPage(paragraph(700, f"This is the page called {n}.")) for n in "abc")
    document = parse(Pdf(pages).write(tmp_path / "a.pdf"))
    assert document.pages == 3
    assert [(b.place.value, b.text) for b in document.blocks] == [
        (1, "This is the page called a."),
        (2, "This is the page called b."),
        (3, "This is the page called c."),
    ]


def test_a_line_has_its_box_from_the_top_left(tmp_path: Path) -> None:
    document = parse(one_page(Put(100, 700, "Hello boxes of the world")).write(tmp_path / "a.pdf"))
    (box,) = document.blocks[0].boxes
    assert box.x0 == pytest.approx(100, abs=2)
    assert box.y1 == pytest.approx(100, abs=4)  # the page is 800 high, the baseline at 700
    assert 80 < box.y0 < box.y1
    assert (box.start, box.end) == (0, len("Hello boxes of the world"))


def test_letters_of_a_font_that_is_not_here_are_read_at_their_places(tmp_path: Path) -> None:
    page = one_page(Put(100, 700, "Hello boxes of the world", drawn=False))
    (block,) = parse(page.write(tmp_path / "a.pdf")).blocks
    assert block.text == "Hello boxes of the world"
    (box,) = block.boxes
    assert box.x0 == pytest.approx(100, abs=2)
    assert box.x1 == pytest.approx(100 + 24 * 6, abs=4)  # each letter is half its size wide
    assert box.y0 < box.y1 == pytest.approx(100, abs=4)


def test_boxes_follow_rotation_and_crop(tmp_path: Path) -> None:
    turned = PdfPage((Put(100, 700, "Hello boxes of the world"),), "/Rotate 90")
    cropped = PdfPage((Put(100, 700, "Hello boxes of the world"),), "/CropBox[50 100 600 750]")
    document = parse(Pdf((turned, cropped)).write(tmp_path / "a.pdf"))
    first, second = (block.boxes[0] for block in document.blocks)
    # Turned by a quarter: x as shown counts from the page's bottom, and the text runs down.
    assert first.x0 == pytest.approx(697, abs=5)
    assert first.y0 == pytest.approx(100, abs=2)
    assert first.y1 - first.y0 > first.x1 - first.x0
    assert second.x0 == pytest.approx(50, abs=2)
    assert second.y1 == pytest.approx(50, abs=4)


def test_offsets_of_boxes_point_at_their_lines(tmp_path: Path) -> None:
    document = parse(one_page(*paragraph(700, *PROSE)).write(tmp_path / "a.pdf"))
    (block,) = document.blocks
    assert [block.text[box.start : box.end] for box in block.boxes] == list(PROSE)
    assert block.text == " ".join(PROSE)


def test_words_broken_at_line_ends_are_whole_again(tmp_path: Path) -> None:
    lines = ("Sales depend on the weather, which is a consider-", "able risk for the company.")
    document = parse(one_page(*paragraph(700, *lines)).write(tmp_path / "a.pdf"))
    assert "a considerable risk" in text_of(document.blocks)


@pytest.mark.parametrize(
    ("end", "start", "whole"),
    [
        ("a report (consider-", "able in length) on", "a report (considerable in length) on"),
        ("un rapport sur l'adminis-", "tration de la ville", "sur l’administration de la ville"),
        ("a summary of the state-of-the-", "art method and", "the state-of-the-art method and"),
        ("for the fiscal year 2022-", "ended as planned by", "fiscal year 2022-ended as"),
    ],
)
def test_a_hyphen_at_a_line_end_goes_where_it_breaks_a_word(
    tmp_path: Path, end: str, start: str, whole: str
) -> None:
    lines = (f"The committee wrote {end}", f"{start} the wishes of all members.")
    document = parse(one_page(*paragraph(700, *lines)).write(tmp_path / "a.pdf"))
    assert whole in text_of(document.blocks)


def test_larger_and_bold_lines_are_headings(tmp_path: Path) -> None:
    puts = (
        Put(50, 750, "Annual accounts", size=24),
        *paragraph(700, *PROSE),
        Put(50, 650, "Liquidity", bold=True),
        *paragraph(630, *PROSE),
    )
    document = parse(one_page(*puts).write(tmp_path / "a.pdf"))
    headings = [(b.text, b.level) for b in document.blocks if b.kind is BlockKind.HEADING]
    assert headings == [("Annual accounts", 1), ("Liquidity", 6)]
    assert document.title == "Annual accounts"


def test_numbered_chinese_lines_are_headings_as_english_ones_are(tmp_path: Path) -> None:
    names = ("第一章 总则", "第二节 会议", "1.2 范围", "三、附则", "（四）预算", "其他事项")
    puts = [Put(50, 750 - 40 * at, name, bold=True) for at, name in enumerate(names)]
    path = one_page(*puts, *paragraph(400, *CHINESE_PROSE * 5)).write(tmp_path / "a.pdf")
    found = [(b.text, b.level) for b in parse(path).blocks if b.kind is BlockKind.HEADING]
    assert found == list(zip(names, (4, 5, 5, 5, 5, 6), strict=True))


def test_chinese_units_sentences_and_long_lines_are_no_headings(tmp_path: Path) -> None:
    names = ("（单位：万元）", "单位：万元", "会议于三月举行。", "会议" * 30)
    puts = [Put(10, 750 - 40 * at, name, bold=True, size=9) for at, name in enumerate(names)]
    prose = [Put(10, 500 - 14 * at, CHINESE_PROSE[0], size=9) for at in range(12)]
    blocks = parse(one_page(*puts, *prose).write(tmp_path / "a.pdf")).blocks
    assert [block.text for block in blocks if block.kind is BlockKind.HEADING] == []


@pytest.mark.parametrize("title", ["年报", "员工手册", "Coverage of the survey"])
def test_what_looks_like_no_title_may_be_one(tmp_path: Path, title: str) -> None:
    page = PdfPage((Put(50, 750, title, size=24), *paragraph(700, *CHINESE_PROSE)))
    assert parse(Pdf((page,)).write(tmp_path / "a.pdf")).title == title
    assert title_of(title, [], 12) == title


@pytest.mark.parametrize("named", ["EDGAR PDF", "Chapter 2", "目录", "第1章", "章", "文档1"])
def test_what_tells_nothing_of_a_document_is_no_title(named: str) -> None:
    assert title_of(named, [], 12) == ""


def test_units_dates_and_bullets_are_no_headings(tmp_path: Path) -> None:
    names = ("(in thousands)", "December 31, 2022", "- first", "and so on", "Item 7. Liquidity")
    puts = [Put(50, 750 - 40 * at, name, bold=True) for at, name in enumerate(names)]
    path = one_page(*puts, *paragraph(500, *PROSE, *PROSE)).write(tmp_path / "a.pdf")
    found = [(b.text, b.level) for b in parse(path).blocks if b.kind is BlockKind.HEADING]
    assert found == [("Item 7. Liquidity", 4)]


@pytest.mark.parametrize("date", ["May 3, 2024", "As of July 31", "Quarter ended October 1, 2022"])
def test_a_line_of_dates_alone_is_no_heading_in_any_month(tmp_path: Path, date: str) -> None:
    path = one_page(Put(50, 750, date, bold=True), *paragraph(700, *PROSE * 2))
    kinds = {block.kind for block in parse(path.write(tmp_path / "a.pdf")).blocks}
    assert kinds == {BlockKind.TEXT}


def test_words_that_count_sections_make_headings_of_sentences(tmp_path: Path) -> None:
    names = ("Part II. Accounts.", "Item 1B. Comments.", "Section 12a. Scope.", "Note 3. Taxes.")
    puts = [Put(50, 750 - 40 * at, name, bold=True) for at, name in enumerate((*names, "Others."))]
    path = one_page(*puts, *paragraph(500, *PROSE * 4)).write(tmp_path / "a.pdf")
    found = [(b.text, b.level) for b in parse(path).blocks if b.kind is BlockKind.HEADING]
    assert found == list(zip(names, (4, 4, 5, 5), strict=True))


def test_the_metadata_title_wins_unless_a_program_made_it_up(tmp_path: Path) -> None:
    page = PdfPage((Put(50, 750, "Annual accounts", size=24), *paragraph(700, *PROSE)))
    assert parse(Pdf((page,), title="Accounts 2024").write(tmp_path / "a.pdf")).title == (
        "Accounts 2024"
    )
    assert parse(Pdf((page,), title="Microsoft Word - x.doc").write(tmp_path / "b.pdf")).title == (
        "Annual accounts"
    )


def test_an_annual_report_is_called_by_its_company_and_year(tmp_path: Path) -> None:
    puts = paragraph(
        700, "FORM 10-K", "For the fiscal year ended December 31, 2022", "MILLER & SONS, INC.",
        "(Exact name of registrant as specified in its charter)",
    )  # fmt: skip
    document = parse(one_page(*puts).write(tmp_path / "a.pdf"))
    assert document.title == "MILLER & SONS, INC., annual report, year ended December 31, 2022"


def table_page() -> PdfPage:
    rows = [
        ("", "2022", "2021"),
        ("Net sales", "1,034.9", "929.2"),
        ("Cost of goods", "645.1", "550.6"),
        ("Gross profit", "389.8", "378.6"),
    ]
    puts = list(paragraph(700, *PROSE))
    for at, cells in enumerate(rows):
        for x, cell in zip((50, 350, 450), cells, strict=True):
            if cell:
                puts.append(Put(x, 640 - 16 * at, cell))
    return PdfPage((*puts, *paragraph(540, *PROSE)))


def test_rows_of_a_table_stay_together_under_their_header(tmp_path: Path) -> None:
    document = parse(Pdf((table_page(),)).write(tmp_path / "a.pdf"))
    (table,) = [b for b in document.blocks if b.kind is BlockKind.TABLE]
    assert [row.text for row in table.rows] == [
        "2022 2021",
        "Net sales; 2022: 1,034.9; 2021: 929.2",
        "Cost of goods; 2022: 645.1; 2021: 550.6",
        "Gross profit; 2022: 389.8; 2021: 378.6",
    ]
    assert table.header == "2022 2021"
    assert len(table.boxes) == 4


def test_dots_that_lead_to_a_number_are_shortened(tmp_path: Path) -> None:
    puts = paragraph(
        700, "Introduction " + "." * 80 + " 3", "Methods " + "." * 85 + " 14", "End" + "." * 90
    )
    text = text_of(parse(one_page(*puts).write(tmp_path / "a.pdf")).blocks)
    assert "Introduction … 3" in text
    assert "Methods … 14" in text
    assert "..." not in text


def test_columns_are_read_one_after_the_other(tmp_path: Path) -> None:
    left = [Put(50, 700 - 14 * n, f"The left column, its line number {n}") for n in range(5)]
    right = [Put(320, 700 - 14 * n, f"The right column, line number {n}") for n in range(5)]
    text = text_of(parse(one_page(*left, *right).write(tmp_path / "a.pdf")).blocks)
    places = [text.index(put.text) for put in (*left, *right)]
    assert places == sorted(places)


def test_numbered_cards_that_hold_one_line_each_are_no_running_heads(tmp_path: Path) -> None:
    lines = [f"Section {number} of the register of ships." for number in range(1, 31)]
    document = parse(
        Pdf(tuple(PdfPage((Put(72, 700, e),)) for e in lines)).write(tmp_path / "a.pdf")
    )
    assert [b.text for b in document.blocks] == lines


def test_running_heads_are_told_once_and_page_numbers_never(tmp_path: Path) -> None:
    pages = tuple(
        PdfPage(
            (
                Put(50, 780, "Miller & Sons Annual Report"),
                *paragraph(700, f"Chapter text number {name} has its own words.", *PROSE),
                Put(300, 20, f"{number}"),
            )
        )
        for number, name in enumerate(("one", "two", "three", "four", "five"), start=11)
    )
    document = parse(Pdf(pages).write(tmp_path / "a.pdf"))
    heads = [b for b in document.blocks if "Miller & Sons" in b.text]
    assert [(b.kind, b.place) for b in heads] == [
        (BlockKind.META, BlockLocator(LocatorKind.PAGE, 1))
    ]
    assert not any(block.text.strip().isdigit() for block in document.blocks)


def test_a_short_chinese_running_head_is_told_once_and_page_numbers_never(tmp_path: Path) -> None:
    pages = tuple(
        PdfPage(
            (
                Put(50, 780, "年报"),
                *paragraph(700, f"委员会{name}月的会议", *CHINESE_PROSE, f"共有{name}人出席"),
                Put(300, 20, f"第{name}页"),
            )
        )
        for name in "一二三四五"
    )
    document = parse(Pdf(pages).write(tmp_path / "a.pdf"))
    heads = [(b.kind, b.place.value, b.text) for b in document.blocks if "年报" in b.text]
    assert heads == [(BlockKind.META, 1, "年报")]
    assert "页" not in text_of(document.blocks)


def test_the_header_of_a_chinese_table_is_its_years(tmp_path: Path) -> None:
    rows = [("2022年", "2021年"), ("净利润", "1,034.9", "929.2"), ("营业成本", "645.1", "550.6")]
    puts = [
        Put(x, 640 - 16 * at, cell)
        for at, cells in enumerate(rows)
        for x, cell in zip((450, 350, 50), reversed(cells), strict=False)
    ]
    path = one_page(*sorted(puts, key=lambda put: (-put.y, put.x))).write(tmp_path / "a.pdf")
    (table,) = [b for b in parse(path).blocks if b.kind is BlockKind.TABLE]
    assert table.header == "2022年 2021年"


def test_pictures_of_pages_need_ocr(tmp_path: Path) -> None:
    path = Pdf((PdfPage(picture=True), PdfPage(picture=True))).write(tmp_path / "a.pdf")
    with pytest.raises(FileProblem) as caught:
        parse(path)
    assert caught.value.status is FileStatus.NEEDS_OCR


def test_some_pages_of_pictures_are_noted(tmp_path: Path) -> None:
    pages = (PdfPage(paragraph(700, *PROSE)), PdfPage(picture=True))
    document = parse(Pdf(pages).write(tmp_path / "a.pdf"))
    assert document.notes == ("1 of 2 pages are pictures without text and were not read.",)


def test_damaged_pages_are_noted_and_make_a_damaged_file_when_there_are_no_others(
    tmp_path: Path,
) -> None:
    pages = (PdfPage(paragraph(700, *PROSE)), PdfPage(damaged=True))
    document = parse(Pdf(pages).write(tmp_path / "some.pdf"))
    assert [block.place.value for block in document.blocks] == [1]
    assert document.notes == ("1 of 2 pages are damaged and were not read.",)
    with pytest.raises(FileProblem) as caught:
        parse(Pdf((PdfPage(damaged=True),) * 2).write(tmp_path / "all.pdf"))
    assert caught.value.status is FileStatus.CORRUPT


def test_a_page_whose_letters_have_no_meaning_is_left_out_and_noted(tmp_path: Path) -> None:
    nonsense = PdfPage(paragraph(700, "(cid:12)(cid:34)(cid:5) (cid:120)(cid:7)(cid:88)"))
    pages = (PdfPage(paragraph(700, *PROSE)), nonsense)
    document = parse(Pdf(pages).write(tmp_path / "mixed.pdf"))
    assert "cid" not in text_of(document.blocks)
    assert document.notes == ("1 of 2 pages have letters that cannot be told.",)
    with pytest.raises(FileProblem) as caught:
        parse(Pdf((nonsense,)).write(tmp_path / "all.pdf"))
    assert caught.value.status is FileStatus.NEEDS_OCR


def test_blank_pages_are_empty(tmp_path: Path) -> None:
    with pytest.raises(FileProblem) as caught:
        parse(Pdf((PdfPage(), PdfPage())).write(tmp_path / "a.pdf"))
    assert caught.value.status is FileStatus.EMPTY


def test_a_password_is_told_and_an_empty_one_opens(tmp_path: Path) -> None:
    page = PdfPage(paragraph(700, *PROSE))
    with pytest.raises(FileProblem) as caught:
        parse(Pdf((page,), password="secret").write(tmp_path / "a.pdf"))
    assert caught.value.status is FileStatus.ENCRYPTED
    document = parse(Pdf((page,), password="").write(tmp_path / "b.pdf"))
    assert PROSE[0] in text_of(document.blocks)


def test_a_truncated_pdf_is_corrupt(tmp_path: Path) -> None:
    path = one_page(*paragraph(700, *PROSE)).write(tmp_path / "a.pdf")
    path.write_bytes(path.read_bytes()[:100])
    with pytest.raises(FileProblem) as caught:
        parse(path)
    assert caught.value.status is FileStatus.CORRUPT
