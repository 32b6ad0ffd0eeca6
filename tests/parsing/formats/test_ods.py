from __future__ import annotations

from pathlib import Path

import pytest

from desktop_rag.core.errors import FileProblem
from desktop_rag.core.types import FileStatus
from desktop_rag.parsing.format_registry import parse
from desktop_rag.parsing.formats.ods import parse_ods
from desktop_rag.parsing.formats.ods_cell_values import cell_text
from desktop_rag.parsing.parsed_document import ParsedDocument
from tests.parsing.open_documents import flat_odf, odf, odf_parts, packed, written

HIDDEN = (
    '<style:style style:name="ta2" style:family="table">'
    '<style:table-properties table:display="false"/></style:style>'
)


def cell(text: str, more: str = "") -> str:
    return f"<table:table-cell {more}><text:p>{text}</text:p></table:table-cell>"


def row(*cells: str, more: str = "") -> str:
    return f"<table:table-row {more}>{''.join(cells)}</table:table-row>"


def sheet(name: str, *rows: str, more: str = "") -> str:
    return f'<table:table table:name="{name}" {more}>{"".join(rows)}</table:table>'


def read(tmp_path: Path, *sheets: str, styles: str = "") -> ParsedDocument:
    return parse_ods(written(tmp_path / "a.ods", odf("spreadsheet", "".join(sheets), styles)))


def rows(document: ParsedDocument) -> list[tuple[int | str, str | None, str]]:
    return [
        (row.place.value, row.place.cells, row.text)
        for block in document.blocks
        for row in block.rows
    ]


def test_rows_say_their_columns_and_their_cells(tmp_path: Path) -> None:
    empty = '<table:table-cell table:number-columns-repeated="2"/>'
    document = read(
        tmp_path,
        sheet("Ships", row(cell("Name"), empty, cell("Tons")), row(cell("Ada"), empty, cell("14"))),
        sheet("Piers", row(empty, cell("Old pier"))),
    )
    assert rows(document) == [
        ("Ships", "A1:D1", "Name | Tons"),
        ("Ships", "A2:D2", "Name: Ada; Tons: 14"),
        ("Piers", "C1:C1", "Old pier"),
    ]


def test_rows_count_on_over_repeated_blank_ones(tmp_path: Path) -> None:
    blank = row("<table:table-cell/>", more='table:number-rows-repeated="1048000"')
    document = read(tmp_path, sheet("S", row(cell("a")), blank, row(cell("b"))))
    assert [place for _, place, _ in rows(document)] == ["A1:A1", "A1048002:A1048002"]


def test_repeated_cells_are_given_a_bounded_number_of_times(tmp_path: Path) -> None:
    many = 'table:number-columns-repeated="99999999"'
    more = 'table:number-rows-repeated="99999999"'
    document = read(tmp_path, sheet("S", row(cell("x", many), more=more)))
    assert len(rows(document)) == 1000
    assert rows(document)[0][2].count("x") == 256
    assert document.notes == ("The workbook is very large; only the beginning of it was read.",)
    few = read(tmp_path, sheet("S", row(cell("x", 'table:number-columns-repeated="3"'))))
    assert rows(few) == [("S", "A1:C1", "x | x | x")]


def test_hidden_sheets_are_read_with_a_note(tmp_path: Path) -> None:
    document = read(tmp_path, sheet("B", row(cell("b")), more='table:style-name="ta2"'),
                    styles=HIDDEN)  # fmt: skip
    assert rows(document) == [("B", "A1:A1", "b")]
    assert document.notes == ("Sheets that are hidden in the workbook were read as well: B.",)


def test_comments_shapes_and_copies_of_other_files_are_no_cells(tmp_path: Path) -> None:
    noted = (
        "<table:table-cell><office:annotation><text:p>Remark</text:p></office:annotation>"
        "<text:p>Value</text:p><text:p>below</text:p></table:table-cell>"
    )
    shapes = "<table:shapes><draw:frame><text:p>Shape</text:p></draw:frame></table:shapes>"
    linked = sheet("'file:///b.ods'#S", "<table:table-source/>", row(cell("copy")))
    document = read(tmp_path, sheet("S", shapes, row(noted)), linked)
    assert rows(document) == [("S", "A1:A1", "Value below")]


@pytest.mark.parametrize(
    ("given", "shown"),
    [
        ({"value-type": "float", "value": "1234.50"}, "1234.5"),
        ({"value-type": "percentage", "value": "0.125"}, "12.5%"),
        ({"value-type": "currency", "value": "12", "currency": "EUR"}, "12 EUR"),
        ({"value-type": "date", "date-value": "2026-03-01"}, "2026-03-01"),
        ({"value-type": "date", "date-value": "2026-03-01T08:30:00.000000000"},
         "2026-03-01 08:30:00"),
        ({"value-type": "time", "time-value": "PT08H30M05S"}, "08:30:05"),
        ({"value-type": "time", "time-value": "PT30H00M00S"}, "1 day, 6:00:00"),
        ({"value-type": "boolean", "boolean-value": "true"}, "TRUE"),
        ({"value-type": "date", "date-value": "soon"}, "as it is shown"),
        ({"value-type": "string"}, "as it is shown"),
    ],
)  # fmt: skip
def test_values_are_shown_as_in_excel(given: dict[str, str], shown: str) -> None:
    assert cell_text(given, " as it  is shown ") == shown


def test_a_flat_spreadsheet_is_read(tmp_path: Path) -> None:
    body = sheet("S", row(cell("The ships sail at seven.")))
    path = written(tmp_path / "a.fods", flat_odf("spreadsheet", body))
    assert parse(path).blocks[0].place.value == "S"


def test_rows_before_the_damage_are_read_with_a_note(tmp_path: Path) -> None:
    body = sheet("S", row(cell("The ships sail at seven.")), row(cell("Cut")))
    parts = odf_parts("spreadsheet", body)
    parts["content.xml"] = parts["content.xml"].partition("Cut")[0]
    document = parse(written(tmp_path / "a.ods", packed(parts)))
    assert len(rows(document)) == 1
    assert document.notes == ("The file is damaged; what could be saved of it was read.",)


@pytest.mark.parametrize("content", ["nothing", '<!DOCTYPE a [<!ENTITY b "c">]><a>&b;</a>'])
def test_a_spreadsheet_without_content_is_corrupt(tmp_path: Path, content: str) -> None:
    parts = odf_parts("spreadsheet", "") | {"content.xml": content}
    with pytest.raises(FileProblem) as caught:
        parse(written(tmp_path / "a.ods", packed(parts)))
    assert caught.value.status is FileStatus.CORRUPT
