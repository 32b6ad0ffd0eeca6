from __future__ import annotations

import struct
import zipfile
from pathlib import Path

import pytest

from desktop_rag.core.errors import FileProblem
from desktop_rag.core.types import FileStatus, LocatorKind
from desktop_rag.parsing.format_registry import parse
from desktop_rag.parsing.parsed_document import ParsedDocument
from tests.parsing.old_office_samples import bin_cell, bin_record, binary_workbook, wide

RK, ERROR, BOOLEAN, REAL, TEXT, SHARED, FORMULA = 2, 3, 4, 5, 6, 7, 9
SENTENCE = "A sentence that is long enough to be worth finding."


def read(raw: bytes, path: Path) -> ParsedDocument:
    path.write_bytes(raw)
    return parse(path)


def real(value: float) -> bytes:
    return struct.pack("<d", value)


def ships() -> list[tuple[int, int, bytes]]:
    return [
        bin_cell(0, 0, SHARED, struct.pack("<I", 0)),
        bin_cell(0, 1, TEXT, wide("Share")),
        bin_cell(0, 2, TEXT, wide("Day")),
        bin_cell(1, 0, TEXT, wide("North 港口")),
        bin_cell(1, 1, REAL, real(0.255), style=1),
        bin_cell(1, 2, RK, struct.pack("<I", 43831 << 2 | 2), style=2),
        bin_cell(2, 0, SHARED, struct.pack("<I", 1)),
        bin_cell(2, 1, FORMULA, real(0.5) + bytes(20), style=1),
        bin_cell(2, 2, ERROR, b"\x2a"),
    ]


def test_rows_stand_under_their_header_as_in_a_workbook_of_xml(tmp_path: Path) -> None:
    raw = binary_workbook({"Ships": ships()}, ["0.0%", "yyyy-mm-dd"], ["Harbour", "South"])
    (table,) = read(raw, tmp_path / "a.xlsb").blocks
    assert [row.text for row in table.rows] == [
        "Harbour | Share | Day",
        "Harbour: North 港口; Share: 25.5%; Day: 2020-01-01",
        "Harbour: South; Share: 50%; Day: #N/A",
    ]
    place = table.rows[1].place
    assert (place.kind, place.value, place.cells) == (LocatorKind.SHEET, "Ships", "A2:C2")


def test_short_numbers_are_whole_real_or_hundredths(tmp_path: Path) -> None:
    high = struct.unpack("<I", real(1.5)[4:])[0]
    numbers = (7 << 2 | 2, 725 << 2 | 3, high, high | 1)
    cells = [bin_cell(0, at, RK, struct.pack("<I", each)) for at, each in enumerate(numbers)]
    cells.append(bin_cell(1, 0, TEXT, wide(SENTENCE)))
    (table,) = read(binary_workbook({"Ships": cells}), tmp_path / "a.xlsb").blocks
    assert table.rows[0].text == "7 | 7.25 | 1.5 | 0.015"


def test_two_cells_far_apart_cost_no_more_than_two_cells(tmp_path: Path) -> None:
    cells = [bin_cell(0, 0, TEXT, wide(SENTENCE)), bin_cell(1_048_575, 16_383, BOOLEAN, b"\1")]
    document = read(binary_workbook({"Ships": cells}), tmp_path / "a.xlsb")
    assert [block.text for block in document.blocks] == [SENTENCE, "TRUE"]
    assert document.blocks[1].place.cells == "XFD1048576:XFD1048576"


def test_a_sheet_that_breaks_off_is_read_up_to_there(tmp_path: Path) -> None:
    cells = [bin_cell(0, 0, TEXT, wide(SENTENCE)), (1, 0, b"\x06\x7f")]
    document = read(binary_workbook({"Ships": cells}), tmp_path / "a.xlsb")
    assert document.blocks[0].text == SENTENCE
    assert "Ships" in document.notes[0]


def test_nothing_is_empty_and_a_lost_workbook_is_corrupt(tmp_path: Path) -> None:
    for raw, status in (
        (binary_workbook({"Ships": []}), FileStatus.EMPTY),
        (binary_workbook({"Ships": [(0, 0, b"\x06\x7f")]}), FileStatus.CORRUPT),
        (binary_workbook({"Ships": ships()})[:400], FileStatus.CORRUPT),
    ):
        with pytest.raises(FileProblem) as caught:
            read(raw, tmp_path / "a.xlsb")
        assert caught.value.status is status


def test_sheets_are_found_where_their_list_is_damaged(tmp_path: Path) -> None:
    raw = binary_workbook({"Ships": [bin_cell(0, 0, TEXT, wide(SENTENCE))]})
    path = tmp_path / "a.xlsb"
    path.write_bytes(raw)
    with zipfile.ZipFile(path) as archive:
        parts = {name: archive.read(name) for name in archive.namelist()}
    parts["xl/workbook.bin"] = bin_record(156, struct.pack("<III", 0, 1, 900))
    with zipfile.ZipFile(path, "w") as archive:
        for name, part in parts.items():
            archive.writestr(name, part)
    (block,) = parse(path).blocks
    assert (block.text, block.place.value) == (SENTENCE, "sheet0")
