from __future__ import annotations

import itertools
from collections.abc import Sequence

from hypothesis import given, settings
from hypothesis import strategies as st

from desktop_rag.core.catalog_records import NewChunk
from desktop_rag.core.search_text import search_text
from desktop_rag.core.settings import Chunking
from desktop_rag.core.types import BlockKind, Box, LocatorKind
from desktop_rag.indexing.chunker import chunk_document
from desktop_rag.parsing.parsed_document import Block, BlockLocator, ParsedDocument, TableRow
from testing.narrowing import narrow, present

SIZES = Chunking(small_tokens=40, big_tokens=120, overlap_tokens=10)


def count(texts: Sequence[str]) -> list[int]:
    """Count words, and Chinese characters one by one, as an embedder's tokenizer about does."""
    return [len("".join(f" {c} " if c >= "\u2e80" else c for c in text).split()) for text in texts]


def page(number: int) -> BlockLocator:
    return BlockLocator(LocatorKind.PAGE, number)


def text(
    words: str, place: BlockLocator, kind: BlockKind = BlockKind.TEXT, level: int = 0
) -> Block:
    return Block(kind, words, place, level)


def sentences(n: int, word: str = "word") -> str:
    return " ".join(f"This {word} stands in sentence number {i}." for i in range(n))


def table(rows: Sequence[str], header: str, kind: LocatorKind = LocatorKind.SHEET) -> Block:
    made = tuple(
        TableRow(row, BlockLocator(kind, "Sales" if kind is LocatorKind.SHEET else i, f"A{i}:C{i}"))
        for i, row in enumerate(rows, start=2)
    )
    return Block(BlockKind.TABLE, "\n".join(rows), made[0].place, rows=made, header=header)


def extent(chunk: NewChunk) -> tuple[int, int]:
    """Return where a chunk begins and ends in its document."""
    return present(chunk.locator.start), present(chunk.locator.end)


def chunks_of(
    *blocks: Block, title: str = "Report 2022", sizes: Chunking = SIZES
) -> tuple[NewChunk, ...]:
    return chunk_document(ParsedDocument(title, blocks), "file", sizes, count)[1]


words = st.sampled_from(
    ["alpha", "beta.", "伽马。", "delta!", "x" * 30, "é", "\n", "a | b", "\ud83d", "🙂"]
)
prose = st.lists(words, max_size=150).map(" ".join)
hard = st.sampled_from(
    [
        BlockLocator(LocatorKind.PAGE, 1),
        BlockLocator(LocatorKind.PAGE, 2),
        BlockLocator(LocatorKind.SECTION, "A"),
    ]
)
plain = st.builds(
    Block,
    st.sampled_from(
        [BlockKind.TEXT, BlockKind.HEADING, BlockKind.LIST, BlockKind.CODE, BlockKind.TITLE]
    ),
    prose,
    hard,
    st.integers(1, 3),
)
tables = st.lists(prose, min_size=1, max_size=8).map(lambda rows: table(rows, "Year | Sales"))
documents = st.lists(st.one_of(plain, tables), max_size=12).map(
    lambda b: ParsedDocument("Title", tuple(b))
)


@settings(max_examples=150, deadline=None)
@given(documents)
def test_every_chunk_is_exactly_its_range_of_the_text(document: ParsedDocument) -> None:
    whole, chunks = chunk_document(document, "file", SIZES, count)
    for ordinal, chunk in enumerate(chunks):
        assert chunk.ordinal == ordinal
        assert chunk.text == whole[chunk.locator.start : chunk.locator.end]
        assert chunk.text.strip() == chunk.text != ""
        start, end = extent(chunk)
        assert chunk.big[0] <= start < end <= chunk.big[1]


@settings(max_examples=150, deadline=None)
@given(documents)
def test_no_character_of_the_document_is_lost(document: ParsedDocument) -> None:
    whole, chunks = chunk_document(document, "file", SIZES, count)
    covered: set[int] = set()
    for chunk in chunks:
        covered.update(range(*extent(chunk)))
    assert all(character.isspace() for at, character in enumerate(whole) if at not in covered)


@settings(max_examples=150, deadline=None)
@given(documents)
def test_chunks_come_in_order_and_none_is_far_too_long(document: ParsedDocument) -> None:
    _, chunks = chunk_document(document, "file", SIZES, count)
    starts = [extent(chunk)[0] for chunk in chunks]
    assert starts == sorted(starts)
    assert all(n <= SIZES.small_tokens * 1.6 for n in count([chunk.text for chunk in chunks]))


def test_a_chunk_never_crosses_a_page() -> None:
    blocks = [text(sentences(3), page(n)) for n in (1, 1, 2, 3)]
    assert [c.locator.value for c in chunks_of(*blocks)] == [1, 1, 2, 3]


def test_the_bigger_range_stays_on_the_page_and_neighbours_share_it() -> None:
    chunks = chunks_of(*(text(sentences(4), page(n)) for n in (1, 1, 1, 2)))
    first_page = {c.big for c in chunks if c.locator.value == 1}
    second_page = {c.big for c in chunks if c.locator.value == 2}
    assert len(first_page) == len(second_page) == 1
    assert first_page.pop()[1] <= second_page.pop()[0]


def test_long_paragraphs_are_cut_at_sentence_ends_in_english_and_chinese() -> None:
    chinese = "".join(f"这是第{i}句话，说的是不同的事情。" for i in range(12))
    for words in (sentences(30), chinese):
        chunks = chunks_of(text(words, page(1)))
        assert len(chunks) > 2
        assert all(chunk.text.endswith((".", "。")) for chunk in chunks)


def test_neighbours_in_running_text_overlap_by_whole_sentences() -> None:
    chunks = chunks_of(text(sentences(30), page(1)))
    for one, following in itertools.pairwise(chunks):
        shared = one.text[extent(following)[0] - extent(one)[0] :]
        assert shared.startswith("This word")
        assert 0 < count([shared])[0] <= SIZES.overlap_tokens


def test_a_heading_goes_with_the_text_that_it_stands_over() -> None:
    chunks = chunks_of(
        text("Risks", page(1), BlockKind.HEADING, 1),
        text("Market risk", page(1), BlockKind.HEADING, 2),
        text(sentences(12), page(1)),
        text("Outlook", page(1), BlockKind.HEADING, 1),
        text(sentences(5, "other"), page(1)),
    )
    assert chunks[0].text.startswith("Risks\n\nMarket risk\n\nThis word")
    assert chunks[1].section == "Risks > Market risk"
    assert chunks[1].context == "Report 2022 (file)\nRisks > Market risk"
    assert chunks[-1].text.startswith("Outlook")
    assert chunks[-1].section == "Outlook"
    assert all(chunk.kind is BlockKind.TEXT for chunk in chunks)


def test_a_heading_at_the_foot_of_a_page_joins_what_is_above_it() -> None:
    chunks = chunks_of(
        text(sentences(2), page(1)),
        text("Next chapter", page(1), BlockKind.HEADING, 1),
        text(sentences(2), page(2)),
    )
    assert len(chunks) == 2
    assert chunks[0].text.endswith("Next chapter")
    assert chunks[1].context.endswith("Next chapter")


def test_table_rows_stay_whole_with_caption_and_header_in_every_piece() -> None:
    rows = [f"{2000 + i} | {i} million of sales in the region | north and south" for i in range(20)]
    chunks = chunks_of(
        text("Table 3: Sales by year", page(1)), table(rows, "Year | Sales | Region")
    )
    tables = [chunk for chunk in chunks if chunk.kind is BlockKind.TABLE]
    assert len(tables) > 3
    assert [row for chunk in tables for row in chunk.text.split("\n")] == rows
    assert all(c.context.endswith("Table 3: Sales by year\nYear | Sales | Region") for c in tables)
    assert all("Sales" in c.context.split("\n")[1] for c in tables)
    assert tables[0].locator.cells == "A2:C4"
    assert present(tables[-1].locator.cells).endswith("C21")


def test_names_that_the_header_has_leave_more_room_for_rows() -> None:
    names = ("Average balance of the year", "Interest of the year")
    rows = [f"Loan {i}; {names[0]}: 1{i}; {names[1]}: 2{i}" for i in range(30)]
    named = chunks_of(table(rows, "Loans"))
    chunks = chunks_of(table(rows, " ".join(names)))
    assert len(chunks) * 2 < len(named)
    assert [row for chunk in chunks for row in chunk.text.split("\n")] == rows
    longest = max(search_text(each.context, each.text).count("Average") for each in chunks)
    assert longest == 1


def test_a_row_that_is_too_long_is_cut_at_its_cells() -> None:
    row = " | ".join(f"cell {i} with four words" for i in range(40))
    chunks = chunks_of(table([row], "H"))
    assert len(chunks) > 2
    assert all(chunk.text.startswith("cell") for chunk in chunks)


def test_the_later_pieces_of_a_long_row_carry_its_name() -> None:
    row = "name: Harbour Library; " + "; ".join(
        f"column {i}: four words stand here" for i in range(40)
    )
    first, *later = chunks_of(table([row], "H", LocatorKind.ROW))
    assert later
    assert "name: Harbour Library" not in first.context
    assert all(chunk.context.endswith("name: Harbour Library") for chunk in later)


def test_a_chunk_of_csv_rows_is_found_at_its_first_row() -> None:
    chunks = chunks_of(table([f"row {i} of five words" for i in range(30)], "H", LocatorKind.ROW))
    first = chunks[1]
    assert first.locator.kind is LocatorKind.ROW
    assert first.text.startswith(f"row {narrow(first.locator.value, int) - 2} of")


def test_a_chunk_of_plain_text_is_found_at_its_first_line() -> None:
    lines = "\n".join(f"Line number {i} is here." for i in range(1, 41))
    chunks = chunks_of(text(lines, BlockLocator(LocatorKind.LINE, 1)))
    assert len(chunks) > 3
    for chunk in chunks:
        assert chunk.text.startswith(f"Line number {chunk.locator.value} ")


def test_boxes_move_to_the_documents_offsets_and_only_touched_ones_stay() -> None:
    boxes = tuple(Box(0, i, 9, i + 1, i * 40, i * 40 + 39) for i in range(20))
    long = Block(
        BlockKind.TEXT,
        "\n".join(["word of five in line it..", *["x " * 18 + "end."] * 19]),
        page(2),
        boxes=boxes,
    )
    chunks = chunks_of(text("Before.", page(1)), long)
    for chunk in chunks[1:]:
        assert chunk.locator.boxes
        for box in chunk.locator.boxes:
            assert box.start < extent(chunk)[1]
            assert extent(chunk)[0] < box.end
    assert chunks[1].locator.boxes[0].start == chunks[1].locator.start == len("Before.\n\n")


def test_list_items_and_code_are_kept_together_when_they_fit() -> None:
    items = "\n".join(f"- item {i} of the list" for i in range(6))
    chunks = chunks_of(text(sentences(4), page(1)), text(items, page(1), BlockKind.LIST))
    assert chunks[-1].text == items


def test_each_piece_of_code_says_what_is_defined_there() -> None:
    lines = "\n".join(f"    line number {i} of the function" for i in range(40))
    place = BlockLocator(LocatorKind.LINE, 3)
    code = Block(BlockKind.CODE, f"def sail():\n{lines}", place, header="class Ship › def sail()")
    after = Block(BlockKind.CODE, "print(1)", BlockLocator(LocatorKind.LINE, 60))
    chunks = chunks_of(code, after)
    named = [chunk for chunk in chunks if "class Ship › def sail()" in chunk.context]
    assert len(named) > 2
    assert named == list(chunks[: len(named)])


def test_the_same_text_under_another_heading_has_another_embedding() -> None:
    one, other = (
        chunks_of(text(name, page(1), BlockKind.HEADING, 1), text(sentences(30), page(1)))
        for name in ("2021", "2022")
    )
    assert one[1].text == other[1].text
    assert one[1].embed_key != other[1].embed_key


def test_a_document_without_title_is_called_by_its_file_name() -> None:
    chunk = chunks_of(text("Some words here.", page(1)), title="")[0]
    assert chunk.context == "file"


def test_a_document_without_text_has_no_chunks() -> None:
    assert chunks_of(text("  \n ", page(1))) == ()
