from __future__ import annotations

import datetime as dt
import re
import time
import zipfile
from pathlib import Path

import openpyxl
import pytest

from desktop_rag.core.errors import FileProblem
from desktop_rag.core.types import FileStatus
from desktop_rag.parsing.formats.xlsx import parse_xlsx
from desktop_rag.parsing.formats.xlsx_cell_values import value_text
from desktop_rag.parsing.parsed_document import ParsedDocument
from tests.attacks.documents import workbook

_FIRST = '<row r="1"><c r="A1" t="inlineStr"><is><t>A sound beginning</t></is></c></row>'


def book(tmp_path: Path) -> Path:
    made = openpyxl.Workbook()
    sheet = made.active
    assert sheet is not None
    sheet.title = "Sales 2024"
    sheet["B2"] = "Sales by region"
    for row in (("Region", "Sales", "Share"), ("North", 1200, 0.25), ("South", 3600.5, 0.75)):
        sheet.append((None, *row))
    for cell in ("D4", "D5"):
        sheet[cell].number_format = "0%"
    hidden = made.create_sheet("Hidden")
    hidden.sheet_state = "hidden"
    hidden["A1"] = "A remark in a hidden sheet"
    hidden["C3"] = "=1+1"
    made.create_sheet("Blank")
    path = tmp_path / "a.xlsx"
    made.properties.title = "The sales book"
    made.save(path)
    return path


def test_rows_of_a_workbook_know_sheet_and_cells(tmp_path: Path) -> None:
    document = parse_xlsx(book(tmp_path))
    found = [(r.place.value, r.place.cells, r.text) for b in document.blocks for r in b.rows]
    assert found == [
        ("Sales 2024", "B2:B2", "Sales by region"),
        ("Sales 2024", "B3:D3", "Region | Sales | Share"),
        ("Sales 2024", "B4:D4", "Region: North; Sales: 1200; Share: 25%"),
        ("Sales 2024", "B5:D5", "Region: South; Sales: 3600.5; Share: 75%"),
        ("Hidden", "A1:A1", "A remark in a hidden sheet"),
    ]
    assert document.title == "The sales book"


def test_values_are_shown_as_a_reader_would_write_them() -> None:
    assert value_text(None) == ""
    assert value_text(True) == "TRUE"
    assert value_text(0.1 + 0.2) == "0.3"
    assert value_text(1e22) == "1e+22"
    assert value_text(dt.datetime(2024, 3, 1)) == "2024-03-01"
    assert value_text(dt.datetime(2024, 3, 1, 12, 30)) == "2024-03-01 12:30:00"
    assert value_text(0.125, "0.0%") == "12.5%"


def test_a_lying_size_does_not_cut_a_sheet_off(tmp_path: Path) -> None:
    path = book(tmp_path)
    with zipfile.ZipFile(path) as archive:
        parts = {name: archive.read(name) for name in archive.namelist()}
    sheet = "xl/worksheets/sheet1.xml"
    parts[sheet], changed = re.subn(rb'(<dimension ref=)"[^"]+"', rb'\1"B2:B2"', parts[sheet])
    assert changed == 1
    with zipfile.ZipFile(path, "w") as archive:
        for name, content in parts.items():
            archive.writestr(name, content)
    assert "South" in parse_xlsx(path).blocks[0].text


def read(tmp_path: Path, content: bytes) -> ParsedDocument:
    path = tmp_path / "a.xlsx"
    path.write_bytes(content)
    began = time.process_time()
    document = parse_xlsx(path)
    assert time.process_time() - began < 15
    return document


def rows(document: ParsedDocument) -> list[tuple[str | None, str]]:
    return [(row.place.cells, row.text) for block in document.blocks for row in block.rows]


def test_a_row_that_no_sheet_has_is_left_out_at_once(tmp_path: Path) -> None:
    far = '<row r="99999999999"><c r="A99999999999"><v>1</v></c></row>'
    document = read(tmp_path, workbook(_FIRST + far))
    assert rows(document) == [("A1:A1", "A sound beginning")]
    assert document.notes == (
        "Cells outside of the rows and columns that a sheet has were left out.",
    )


def test_two_cells_in_the_corners_of_a_sheet_cost_two_cells(tmp_path: Path) -> None:
    last = '<row r="1048576"><c r="XFD1048576"><v>7</v></c></row>'
    assert rows(read(tmp_path, workbook(_FIRST + last))) == [
        ("A1:A1", "A sound beginning"), ("XFD1048576:XFD1048576", "7"),
    ]  # fmt: skip


def test_a_long_text_in_millions_of_cells_is_read_to_the_bound(tmp_path: Path) -> None:
    shared = "<si><t>" + "word " * 6500 + "</t></si>"
    cells = '<c t="s"><v>0</v></c>' * 16_000
    document = read(tmp_path, workbook(_FIRST + f"<row>{cells}</row>" * 100, shared))
    assert rows(document)[0] == ("A1:A1", "A sound beginning")
    assert len(document.blocks[0].text) < 31_000_000
    assert "only the beginning" in document.notes[0]


def test_no_entity_is_expanded(tmp_path: Path) -> None:
    bomb = '<!DOCTYPE w [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;&a;">]>'
    with pytest.raises(FileProblem) as caught:
        read(tmp_path, workbook(_FIRST.replace("A sound", "&b;"), before=bomb))
    assert caught.value.status is FileStatus.CORRUPT


def test_a_hidden_sheet_is_read_and_named(tmp_path: Path) -> None:
    assert parse_xlsx(book(tmp_path)).notes == (
        "Sheets that are hidden in the workbook were read as well: Hidden.",
    )


@pytest.mark.parametrize(
    ("part", "before", "after"),
    [
        ("xl/_rels/workbook.xml.rels", 'Id="rId1"', 'Id="rId77"'),
        ("xl/_rels/workbook.xml.rels", 'Id="rId3"', 'Id="rId1"'),
        ("xl/_rels/workbook.xml.rels", "<Relationship ", "=Relationship "),
        ("xl/workbook.xml", "<sheet ", "=sheet "),
        ("xl/workbook.xml", 'r:id="rId1"', 'r:id="rId2"'),
    ],
)
def test_a_sheet_that_no_link_leads_to_is_read_and_told(
    tmp_path: Path, part: str, before: str, after: str
) -> None:
    whole = parse_xlsx(book(tmp_path))
    with zipfile.ZipFile(tmp_path / "a.xlsx") as archive:
        parts = {name: archive.read(name) for name in archive.namelist()}
    assert before.encode() in parts[part]
    parts[part] = parts[part].replace(before.encode(), after.encode(), 1)
    with zipfile.ZipFile(tmp_path / "b.xlsx", "w") as archive:
        for name, content in parts.items():
            archive.writestr(name, content)
    document = parse_xlsx(tmp_path / "b.xlsx")
    texts = sorted(row.text for block in document.blocks for row in block.rows)
    assert texts == sorted(row.text for block in whole.blocks for row in block.rows)
    assert "The list of sheets is damaged; they may have other names or order." in document.notes
