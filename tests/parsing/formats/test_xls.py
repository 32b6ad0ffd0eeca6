from __future__ import annotations

import io
import struct
from pathlib import Path

import pytest
import xlrd
from xlrd.formula import FormulaError

from desktop_rag.core.cancel import CancelToken
from desktop_rag.core.errors import FileProblem
from desktop_rag.core.types import FileStatus, LocatorKind
from desktop_rag.parsing.format_registry import parse
from desktop_rag.parsing.parsed_document import ParsedDocument
from desktop_rag.parsing.sandbox.parser_pool import ParserPool
from tests.parsing.old_office_samples import Cell, biff, compound_file, old_workbook
from tests.parsing.parser_scoring import entries, score

SENTENCE = "A sentence that is long enough to be worth finding."
ROWS: list[list[Cell]] = [
    ["Harbour", "Share", "Day", "Open"],
    ["North 港口", (0.255, "0.0%"), (43831.0, "yyyy-mm-dd"), True],
    ["South", (12.5, "0.00"), (43831.5, "d/m/yy h:mm"), False],
]


def read(raw: bytes, path: Path) -> ParsedDocument:
    path.write_bytes(raw)
    return parse(path)


def problem(raw: bytes, path: Path) -> FileStatus:
    with pytest.raises(FileProblem) as caught:
        read(raw, path)
    return caught.value.status


def test_rows_stand_under_their_header_as_in_a_workbook_of_today(tmp_path: Path) -> None:
    (table,) = read(old_workbook({"Ships": ROWS}), tmp_path / "a.xls").blocks
    assert [row.text for row in table.rows] == [
        "Harbour | Share | Day | Open",
        "Harbour: North 港口; Share: 25.5%; Day: 2020-01-01; Open: TRUE",
        "Harbour: South; Share: 12.5; Day: 2020-01-01 12:00:00; Open: FALSE",
    ]
    place = table.rows[1].place
    assert (place.kind, place.value, place.cells) == (LocatorKind.SHEET, "Ships", "A2:D2")


def test_hidden_sheets_are_read_with_a_note(tmp_path: Path) -> None:
    sheets: dict[str, list[list[Cell]]] = {"Ships": ROWS, "Secret": [[SENTENCE]]}
    document = read(old_workbook(sheets, hidden="Secret"), tmp_path / "a.xlt")
    assert document.blocks[-1].text == SENTENCE
    assert document.blocks[-1].place.value == "Secret"
    assert "Secret" in document.notes[0]


def test_cells_far_from_each_other_keep_their_places(tmp_path: Path) -> None:
    near = struct.pack("<HHHd", 0, 1, 0, 7.0)
    raw = old_workbook({"Ships": [[SENTENCE, 7.0]]})
    far = raw.replace(near, struct.pack("<HHHd", 65_535, 255, 0, 7.0))
    assert far != raw
    document = read(far, tmp_path / "a.xls")
    assert [block.text for block in document.blocks] == [SENTENCE, "7"]
    assert document.blocks[1].place.cells == "IV65536:IV65536"


def test_a_password_is_told_and_no_cell_is_empty(tmp_path: Path) -> None:
    secret = old_workbook({"Ships": ROWS}, more=biff(0x2F, bytes(6)))
    assert problem(secret, tmp_path / "a.xls") is FileStatus.ENCRYPTED
    assert problem(old_workbook({"Ships": []}), tmp_path / "b.xls") is FileStatus.EMPTY


def test_a_damaged_workbook_is_corrupt(tmp_path: Path) -> None:
    raw = old_workbook({"Ships": ROWS})
    assert problem(raw[:600], tmp_path / "a.xls") is FileStatus.CORRUPT
    stream = compound_file({"Workbook": b"no records at all, but words" * 300})
    assert problem(stream, tmp_path / "b.xls") is FileStatus.CORRUPT


def test_a_defined_name_that_the_library_breaks_over_is_passed_over(tmp_path: Path) -> None:
    formula = b"\x2d" + bytes(8)  # an area that moves, which a name may not have
    head = struct.pack("<HBBHHHBBBB", 0, 0, 1, len(formula), 0, 0, 0, 0, 0, 0)
    raw = old_workbook({"Ships": ROWS}, more=biff(0x18, head + b"\0x" + formula))
    with pytest.raises(FormulaError):
        xlrd.open_workbook(file_contents=raw, logfile=io.StringIO())
    (table,) = read(raw, tmp_path / "a.xls").blocks
    assert table.rows[2].text.startswith("Harbour: South")


@pytest.mark.parametrize("ending", [".xls", ".doc"])
def test_a_text_that_calls_itself_old_office_is_read_as_text(tmp_path: Path, ending: str) -> None:
    path = tmp_path / f"a{ending}"
    path.write_text("Harbour\tShips\nNorth\t14\nSouth\t21\n", encoding="utf-8")
    text = "\n".join(block.text for block in parse(path).blocks)
    assert "North" in text
    assert ("Ships: 14" in text) == (ending == ".xls")


def test_sectors_in_a_circle_end_in_a_clean_state(shared: Path) -> None:
    path = shared / "documents" / "xls" / "phpspreadsheet__oleloop.xls"
    pool = ParserPool(1, 30.0, 512)
    try:
        ((_, outcome, seconds),) = pool.run([path], CancelToken())
    finally:
        pool.close()
    assert isinstance(outcome, FileProblem)
    assert outcome.status is FileStatus.CORRUPT
    assert seconds < 20


def test_the_real_workbooks_are_read(shared: Path) -> None:
    made = score(shared / "documents", entries(shared / "documents", ["xls"]))
    assert made.fitting == made.files, made.wrong
    assert made.found == made.phrases > 0, made.wrong
    assert made.right == made.placed > 0, made.wrong
