"""A text as lines and tables."""

from __future__ import annotations

from desktop_rag.catalog.document_queries import ChunkOutline
from desktop_rag.core.types import BlockKind, Locator, LocatorKind
from desktop_rag.gui.controllers.document_blocks import blocks_of
from desktop_rag.gui.controllers.open_document import DocumentLine, DocumentTable


def piece(
    text: str, part: str, kind: LocatorKind, value: int | str, cells: str | None = None
) -> ChunkOutline:
    start = text.index(part)
    place = Locator(kind, value, start, start + len(part), cells=cells)
    return ChunkOutline(0, BlockKind.TABLE, "", place)


def cells(text: str, table: DocumentTable) -> list[list[str]]:
    return [[text[cell.start : cell.end] for cell in row.cells] for row in table.rows]


def headings(text: str, *names: str, pieces: tuple[ChunkOutline, ...] = ()) -> list[str]:
    found = blocks_of(text, 0, pieces, frozenset(names))
    lines = [block for block in found if isinstance(block, DocumentLine)]
    return [text[each.start : each.end] for each in lines if each.kind is BlockKind.HEADING]


def test_headings_are_told_by_their_name_or_by_standing_between_sentences() -> None:
    text = "Report\n\nIt was a long year, and a good one.\n\nFleet\n\nTwo ferries sail.\nMore."
    assert headings(text, "Report") == ["Report", "Fleet"]
    assert headings(text.replace("one.\n", "one\n"), "Report") == ["Report"]


def test_verses_signatures_and_last_lines_are_no_headings() -> None:
    poem = "I. Spring\n\nApril is the month\n\nthat breeds lilacs\n\nout of the land.\n\nEnd"
    assert headings(poem, "I. Spring") == ["I. Spring"]
    letter = "Dear Edda,\n\nThe ferry is late.\n\nBest,\n\nMallori\n\nP. S. It came."
    assert headings(letter) == []


def test_a_line_of_code_is_no_heading() -> None:
    text = "High water comes twice a day.\n\ntide = 3.2\n\nIt is measured in metres."
    place = Locator(LocatorKind.PART, "cell 2", text.index("tide"), text.index("tide") + 10)
    assert headings(text) == ["tide = 3.2"]
    assert headings(text, pieces=(ChunkOutline(0, BlockKind.CODE, "", place),)) == []


def test_rows_with_names_become_cells_and_keep_their_places() -> None:
    text = "Before\n\nPort | Cars | Note\nPort: A; Cars: 1; Note: x; y: z\nPort: B; Note: none"
    part = text[text.index("Port |") :]
    (table,) = [
        block
        for block in blocks_of(
            text, 0, (piece(text, part, LocatorKind.SHEET, "S", "A1:C3"),), frozenset()
        )
        if isinstance(block, DocumentTable)
    ]
    assert (table.names, table.headed, table.caption) == (("Port", "Cars", "Note"), True, "S")
    assert cells(text, table) == [["Port", "Cars", "Note"], ["A", "1", "x; y: z"], ["B", "none"]]
    assert [row.number for row in table.rows] == [1, 2, 3]
    assert [cell.column for cell in table.rows[2].cells] == [0, 2]


def test_a_stretch_that_begins_later_counts_from_there() -> None:
    text = "a | b\nc | d"
    place = Locator(LocatorKind.ROW, 12, 1000, 1000 + len(text))
    (table,) = blocks_of(text, 1000, (ChunkOutline(0, BlockKind.TABLE, "", place),), frozenset())
    assert isinstance(table, DocumentTable)
    assert [row.number for row in table.rows] == [12, 13]
    assert table.rows[1].cells[1].start == 1000 + text.index("d")


def test_cells_between_tabs_keep_their_columns() -> None:
    text = "Wages\t139\t\t131\nResult\t61\t38"
    (table,) = blocks_of(text, 0, (piece(text, text, LocatorKind.PAGE, 2),), frozenset())
    assert isinstance(table, DocumentTable)
    assert cells(text, table) == [["Wages", "139", "", "131"], ["Result", "61", "38"]]


def test_rows_without_columns_stay_lines() -> None:
    text = "Wages 139 131\nResult 61 38"
    found = tuple(blocks_of(text, 0, (piece(text, text, LocatorKind.PAGE, 2),), frozenset()))
    assert [type(each) for each in found] == [DocumentLine, DocumentLine]


def test_every_character_of_a_line_is_kept() -> None:
    text = "one\n\n  two  \nthree\n"
    lines = [
        block for block in blocks_of(text, 0, (), frozenset()) if isinstance(block, DocumentLine)
    ]
    assert [text[line.start : line.end] for line in lines] == ["one", "", "  two  ", "three"]


def test_long_tables_are_parted() -> None:
    text = "\n".join(f"{n} | x" for n in range(500))
    tables = tuple(blocks_of(text, 0, (piece(text, text, LocatorKind.ROW, 1),), frozenset()))
    assert [len(each.rows) for each in tables if isinstance(each, DocumentTable)] == [200, 200, 100]
