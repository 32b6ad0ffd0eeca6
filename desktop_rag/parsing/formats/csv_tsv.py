"""Read tables of separated values, CSV and TSV, by row."""

from __future__ import annotations

import csv
import io
from pathlib import Path

from desktop_rag.core.types import LocatorKind
from desktop_rag.parsing import file_problems
from desktop_rag.parsing.formats.plain_text import read_text
from desktop_rag.parsing.parsed_document import BlockLocator, ParsedDocument
from desktop_rag.parsing.table_blocks import CellRow, clean, table_blocks_of

_DELIMITERS = ",;\t|"
_SAMPLE_ROWS = 50
_LONGEST_FIELD = 50_000_000


def parse_csv(path: Path) -> ParsedDocument:
    """Return the rows of a CSV or TSV file; rows count from 1, the header is row 1."""
    text = read_text(path).replace("\0", "")
    csv.field_size_limit(_LONGEST_FIELD)
    reader = csv.reader(io.StringIO(text), delimiter=_delimiter(text))
    rows = (CellRow(at, tuple(map(clean, cells))) for at, cells in enumerate(reader, start=1))
    try:
        return ParsedDocument("", tuple(table_blocks_of(rows, _row_place)))
    except csv.Error as error:
        raise file_problems.corrupt("The file is not a table of separated values.") from error


def _row_place(row: CellRow) -> BlockLocator:
    return BlockLocator(LocatorKind.ROW, row.number)


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
