"""Sentences over a page's end are told whole where they begin; what only looks like one is not."""

from __future__ import annotations

from pathlib import Path

import pytest

from desktop_rag.core.types import BlockKind
from desktop_rag.parsing.format_registry import parse
from desktop_rag.parsing.parsed_document import Block
from tests.parsing.sample_files import Pdf, PdfPage, Put, paragraph

BEGUN = (
    "The committee met in March and agreed on the budget of the harbour.",
    "It found that the costs of the new lighthouse will be met by all the",
)
REST = ("towns along the eastern shore. The keepers of the light are paid by", "the crown alone.")
WHOLE = (
    "It found that the costs of the new lighthouse will be met by all the "
    "towns along the eastern shore."
)
AFTERWARDS = "The keepers of the light are paid by the crown alone."
ABOVE = tuple(f"The {n} harbour of the coast was visited by ships from far away" for n in
              ("northern", "eastern", "southern", "western"))  # fmt: skip
NOTE = (Put(50, 70, "1 Minutes of the meeting of March, page seven", 8),)
TABLE = tuple(
    Put(50 + 150 * column, 700 - 16 * row, cell)
    for row, cells in enumerate((("Pier", "Ships", "Crowns"), ("North", "14", "1,250.00"),
                                 ("South", "21", "2,480.50"), ("West", "33", "9,120.75")))
    for column, cell in enumerate(cells)
)  # fmt: skip


def read(tmp_path: Path, *pages: tuple[Put, ...]) -> list[tuple[int | str, BlockKind, str]]:
    return [(block.place.value, block.kind, block.text) for block in blocks(tmp_path, *pages)]


def texts(tmp_path: Path, *pages: tuple[Put, ...]) -> list[tuple[int | str, str]]:
    return [(page, text) for page, kind, text in read(tmp_path, *pages) if kind is BlockKind.TEXT]


def blocks(tmp_path: Path, *pages: tuple[Put, ...]) -> tuple[Block, ...]:
    return parse(Pdf(tuple(map(PdfPage, pages))).write(tmp_path / "a.pdf")).blocks


def test_the_rest_of_a_sentence_stands_where_it_begins_and_nowhere_else(tmp_path: Path) -> None:
    found = texts(tmp_path, paragraph(120, *BEGUN), paragraph(740, *REST))
    assert found == [(1, f"{BEGUN[0]} {WHOLE}"), (2, AFTERWARDS)]


def test_the_rest_s_boxes_say_on_which_page_they_lie(tmp_path: Path) -> None:
    whole, rest = blocks(tmp_path, paragraph(120, *BEGUN), paragraph(740, *REST))
    assert [box.page for box in whole.boxes] == [None, None, 2]
    moved, left = whole.boxes[-1], rest.boxes[0]
    assert whole.text[moved.start : moved.end] == "towns along the eastern shore."
    assert rest.text[left.start : left.end] == "The keepers of the light are paid by"
    assert (moved.y0, moved.y1) == (left.y0, left.y1)
    assert moved.x0 == pytest.approx(50, abs=2)
    assert moved.x1 == pytest.approx(left.x0, abs=6)
    assert [box.page for box in rest.boxes] == [None, None]


def test_a_paragraph_that_ends_with_the_sentence_leaves_nothing_behind(tmp_path: Path) -> None:
    second = (*paragraph(740, "towns along the eastern shore."), *paragraph(690, *BEGUN[:1]))
    found = texts(tmp_path, paragraph(120, *BEGUN), second)
    assert found == [(1, f"{BEGUN[0]} {WHOLE}"), (2, BEGUN[0])]


def test_a_word_that_the_page_s_end_broke_is_whole(tmp_path: Path) -> None:
    first = paragraph(120, BEGUN[0], "It found that the costs of the new light are a consider-")
    found = texts(tmp_path, first, paragraph(740, "able burden for the towns."))
    begun = first[1].text.removesuffix("-")
    assert found == [(1, f"{BEGUN[0]} {begun}able burden for the towns.")]


def test_what_stands_between_stays_on_its_page(tmp_path: Path) -> None:
    heads = [(Put(50, 780, "Harbour report"), Put(300, 30, str(n))) for n in range(1, 5)]
    caption = Put(50, 630, "Table 1. Ships by pier, and what they paid in the year before")
    pages = (
        (*heads[0], *paragraph(176, *ABOVE, *BEGUN), *NOTE),
        (*heads[1], *TABLE, caption, *paragraph(600, *REST)),
        (*heads[2], *paragraph(740, "In April nothing at all happened in the harbour.")),
        (*heads[3], *paragraph(740, "In May the first ships of the year came from the south.")),
    )
    found = [each for each in read(tmp_path, *pages) if each[0] in (1, 2)]
    assert [text for page, _, text in found if page == 1] == [
        "Harbour report", " ".join((*ABOVE, BEGUN[0], WHOLE)), NOTE[0].text,
    ]  # fmt: skip
    assert [kind for page, kind, _ in found if page == 2] == [
        BlockKind.TABLE, BlockKind.TEXT, BlockKind.TEXT,
    ]  # fmt: skip
    assert [text for _, _, text in found[-2:]] == [caption.text, AFTERWARDS]


def test_a_heading_that_goes_on_over_pages_does_not_part_a_sentence(tmp_path: Path) -> None:
    head = Put(50, 780, "4. Loans (continued)", bold=True)
    found = texts(tmp_path, paragraph(120, *BEGUN), (head, *paragraph(740, *REST)))
    assert found == [(1, f"{BEGUN[0]} {WHOLE}"), (2, AFTERWARDS)]


def test_a_line_that_stands_on_top_of_both_pages_does_not_part_a_sentence(tmp_path: Path) -> None:
    top = Put(50, 780, "Minutes of the harbour of Norrholm")
    first = (top, *paragraph(176, *ABOVE, *BEGUN))
    second = (top, *paragraph(740, *REST), *paragraph(690, *ABOVE))
    found = texts(tmp_path, first, second)
    assert (1, " ".join((*ABOVE, BEGUN[0], WHOLE))) in found
    assert (2, AFTERWARDS) in found


def test_a_footnote_in_letters_as_large_is_passed_over(tmp_path: Path) -> None:
    note = Put(50, 88, "*The minutes of the meeting of March, page seven")
    found = texts(tmp_path, (*paragraph(190, *ABOVE, *BEGUN), note), paragraph(740, *REST))
    assert [text for _, text in found] == [
        " ".join((*ABOVE, BEGUN[0], WHOLE)), note.text, AFTERWARDS,
    ]  # fmt: skip


def test_a_page_that_begins_as_sentences_do_is_none_s_rest(tmp_path: Path) -> None:
    found = texts(tmp_path, paragraph(120, *BEGUN), paragraph(740, "It paid for the light."))
    assert found == [(1, " ".join(BEGUN)), (2, "It paid for the light.")]


def test_the_last_column_goes_on_in_the_first_one(tmp_path: Path) -> None:
    prose = [f"words of the column go on and on in line {n} so" for n in "abcdefgh"]
    left = [Put(40, 700 - 14 * at, line, 9) for at, line in enumerate(prose)]
    right = [Put(310, 700 - 14 * at, line, 9) for at, line in enumerate(prose)]
    end = Put(310, 588, "that its last sentence has no end on the page and", 9)
    begin = Put(40, 700, "ends on the next one. Then all is said and done in", 9)
    second = (begin, *(Put(each.x, each.y - 14, each.text, 9) for each in (*left, *right)))
    first, *_ = texts(tmp_path, (*left, *right, end), second)
    assert first[1].endswith("has no end on the page and ends on the next one.")


@pytest.mark.parametrize(
    "second",
    [
        paragraph(740, "Towns along the eastern shore pay for the light. They agreed to it."),
        paragraph(740, "a) towns along the eastern shore pay for the light of the harbour."),
        (Put(50, 740, "towns along the eastern shore pay for the light.", 18),),
        (Put(50, 740, "towns along the eastern shore pay for the light.", bold=True),
         *paragraph(700, *BEGUN)),
        (Put(50, 760, "The Eastern Shore", 18, bold=True), *paragraph(700, *REST)),
        paragraph(740, f"{'and of all the other towns along the shore ' * 11}as well."),
    ],
    ids=["capital", "item", "large", "bold", "heading", "long"],
)  # fmt: skip
def test_what_is_not_one_sentence_stays_apart(tmp_path: Path, second: tuple[Put, ...]) -> None:
    begun = (*BEGUN[:1], "It found that the costs of the new lighthouse will be met by tall towers")
    found = texts(tmp_path, paragraph(120, *begun), second)
    assert found[0] == (1, " ".join(begun))


@pytest.mark.parametrize("end", [".", "!", ":", ";", ".”"])
def test_a_sentence_that_has_ended_does_not_go_on(tmp_path: Path, end: str) -> None:
    begun = (BEGUN[0], f"It found that the costs of the new lighthouse will be met by all{end}")
    found = texts(tmp_path, paragraph(120, *begun), paragraph(740, *REST))
    assert [page for page, _ in found] == [1, 2]
    assert found[1][1].startswith("towns along")


def test_a_name_may_follow_a_word_that_ends_no_sentence(tmp_path: Path) -> None:
    found = texts(
        tmp_path, paragraph(120, *BEGUN), paragraph(740, "Crown in its towns and harbours.")
    )
    assert found == [(1, f"{BEGUN[0]} {BEGUN[1]} Crown in its towns and harbours.")]


CHINESE = (
    "委员会于三月举行会议并就下一年度的工作预算达成一致意见，",
    "会议认为新灯塔的建设费用应当由东部海岸沿线的各个城镇共同",
)


def test_chinese_goes_on_where_its_last_line_is_full(tmp_path: Path) -> None:
    found = texts(
        tmp_path, paragraph(120, *CHINESE), paragraph(740, "承担。灯塔看守人由王室支付。")
    )
    assert found == [(1, f"{''.join(CHINESE)}承担。"), (2, "灯塔看守人由王室支付。")]


def test_chinese_ends_where_its_last_line_has_room(tmp_path: Path) -> None:
    begun = (CHINESE[0], "会议认为新灯塔的建设费用")
    found = texts(tmp_path, paragraph(120, *begun), paragraph(740, "灯塔看守人由王室支付工资。"))
    assert found == [(1, "".join(begun)), (2, "灯塔看守人由王室支付工资。")]


def test_text_in_another_column_is_not_passed_over(tmp_path: Path) -> None:
    beside = [Put(480, 120 - 14 * at, text) for at, text in enumerate(("Prices are", "in crowns"))]
    found = texts(tmp_path, (*beside, *paragraph(120, *BEGUN)), paragraph(740, *REST))
    assert (2, " ".join(REST)) in found
