"""Read tables: CSV and TSV by row, Excel workbooks by sheet and cell range."""

from __future__ import annotations

import csv
import datetime as dt
import io
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from desktop_rag.core.types import LocatorKind
from desktop_rag.engine.ingest.parse import problems
from desktop_rag.engine.ingest.parse.blocks import Block, ParsedDocument, Place
from desktop_rag.engine.ingest.parse.ooxml import DAMAGE
from desktop_rag.engine.ingest.parse.tables import Row, clean, tables
from desktop_rag.engine.ingest.parse.text import read_text

_DELIMITERS = ",;\t|"
_SAMPLE_ROWS = 50
_LONGEST_FIELD = 50_000_000


def parse_csv(path: Path) -> ParsedDocument:
    """Return the rows of a CSV or TSV file; rows count from 1, the header is row 1."""
    text = read_text(path).replace("\0", "")
    csv.field_size_limit(_LONGEST_FIELD)
    reader = csv.reader(io.StringIO(text), delimiter=_delimiter(text))
    rows = (Row(at, tuple(map(clean, cells))) for at, cells in enumerate(reader, start=1))
    try:
        return ParsedDocument("", tuple(tables(rows, _row_place)))
    except csv.Error as error:
        raise problems.corrupt("The file is not a table of separated values.") from error


def parse_xlsx(path: Path) -> ParsedDocument:
    """Return a workbook's sheets, hidden ones too, with the values that were last computed."""
    import openpyxl

    with warnings.catch_warnings(), path.open("rb") as file:  # by its name it would be refused
        warnings.simplefilter("ignore")
        try:
            book = openpyxl.load_workbook(file, read_only=True, data_only=True)
            try:
                blocks = tuple(block for sheet in book.worksheets for block in _sheet(sheet))
                title = str(book.properties.title or "") if book.properties else ""
            finally:
                book.close()
        except DAMAGE as error:
            raise problems.corrupt("The workbook is damaged.") from error
    return ParsedDocument(clean(title), blocks)


def shown(value: Any, number_format: str = "") -> str:
    """Return a cell's value as a reader would write it."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return "TRUE" if value else "FALSE"
    if isinstance(value, dt.datetime):
        return _moment(value)
    if isinstance(value, float):
        return _number(value, number_format)
    return clean(str(value))


def _moment(value: dt.datetime) -> str:
    if value.time() == dt.time():
        return value.date().isoformat()
    return value.isoformat(" ", "seconds")


def _number(value: float, number_format: str) -> str:
    if "%" in number_format:
        return f"{value * 100:.10g}%"
    return f"{value:.15g}" if abs(value) < 1e15 else str(value)


def _sheet(sheet: Any) -> Iterator[Block]:
    """Yield a sheet's tables; the size that the file claims is not believed."""
    sheet.reset_dimensions()
    name = sheet.title

    def place(row: Row) -> Place:
        filled = row.filled()
        first, last = _column(filled[0]), _column(filled[-1])
        return Place(LocatorKind.SHEET, name, f"{first}{row.number}:{last}{row.number}")

    yield from tables(_rows(sheet), place)


def _rows(sheet: Any) -> Iterator[Row]:
    for at, cells in enumerate(sheet.iter_rows(), start=1):
        texts = tuple(shown(cell.value, _format(cell)) for cell in cells)
        yield Row(at, texts)


def _format(cell: Any) -> str:
    return cell.number_format if isinstance(cell.value, float) else ""


def _column(index: int) -> str:
    """Return a column's letters: 0 is A, 26 is AA."""
    letters = ""
    index += 1
    while index:
        index, rest = divmod(index - 1, 26)
        letters = chr(65 + rest) + letters
    return letters


def _row_place(row: Row) -> Place:
    return Place(LocatorKind.ROW, row.number)


def _delimiter(text: str) -> str:
    """Return the separator that gives most rows the same number of columns, over one."""
    best, best_score = ",", 0.0
    for each in _DELIMITERS:
        rows = csv.reader(io.StringIO(text), delimiter=each)
        try:
            widths = [len(row) for row, _ in zip(rows, range(_SAMPLE_ROWS), strict=False) if row]
        except csv.Error:
            continue
        usual = max(set(widths), key=widths.count, default=1)
        score = (usual > 1) * widths.count(usual) / max(1, len(widths)) * min(usual, 5)
        if score > best_score:
            best, best_score = each, score
    return best
