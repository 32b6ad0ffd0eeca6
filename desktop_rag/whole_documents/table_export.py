"""Writes the rows of documents as a table: CSV with a byte order mark, for spreadsheets, or XLSX.

No cell is a formula: what a document says is text.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Sequence
from pathlib import Path, PurePath

from desktop_rag.core.document_table import AnswerRow
from desktop_rag.core.errors import UserError, full_disk
from desktop_rag.core.formula_escape import escape_formula
from desktop_rag.core.phrases import Phrase
from desktop_rag.core.unicode import valid_text
from desktop_rag.generation.prompts import Prompts

_WIDTHS = (28, 60, 60, 16, 50)  # of the columns of a sheet, in characters
_LONGEST_CELL = 32_767  # characters that a spreadsheet's cell holds


def write_rows(file: str, rows: Sequence[AnswerRow], prompts: Prompts) -> None:
    """Write rows under the names of columns in the question's language.

    A `UserError` where the file can't be written; one that was there is replaced as a whole.
    """
    names = prompts.text("each/table_columns").split(" | ")
    table = [names, *(_cells(each) for each in rows)]
    escaped = [[escape_formula(valid_text(cell))[:_LONGEST_CELL] for cell in row] for row in table]
    made = _xlsx(escaped) if file.lower().endswith(".xlsx") else _csv(escaped)
    path = Path(file)
    beside = path.with_name(f".{path.name}.part")
    try:
        beside.write_bytes(made)
        beside.replace(path)
    except OSError as error:
        beside.unlink(missing_ok=True)
        raise full_disk(error) or UserError(
            Phrase("{0} can't be written: {1}.", file, error.strerror or "unknown"),
            "Name another file.",
        ) from error


def _cells(row: AnswerRow) -> list[str]:
    quotes = "\n".join(dict.fromkeys(" ".join(each.quote.split()) for each in row.citations))
    places = "\n".join(dict.fromkeys(each.locator.label() for each in row.citations))
    return [PurePath(row.path).name, row.answer, quotes, places, row.path]


def _csv(table: Iterable[Sequence[str]]) -> bytes:
    text = io.StringIO(newline="")
    csv.writer(text).writerows(table)
    return text.getvalue().encode("utf-8-sig")


def _xlsx(table: Iterable[Sequence[str]]) -> bytes:
    from openpyxl import Workbook
    from openpyxl.cell.cell import ILLEGAL_CHARACTERS_RE
    from openpyxl.styles import Alignment, Font

    book = Workbook()
    sheet = book.worksheets[0]
    for number, row in enumerate(table, start=1):
        for column, cell in enumerate(row, start=1):
            made = sheet.cell(number, column, ILLEGAL_CHARACTERS_RE.sub("", cell))
            made.data_type = "s"
            made.alignment = Alignment(wrap_text=True, vertical="top")
            if number == 1:
                made.font = Font(bold=True)
    for letter, width in zip("ABCDE", _WIDTHS, strict=True):
        sheet.column_dimensions[letter].width = width
    sheet.freeze_panes = "A2"
    written = io.BytesIO()
    book.save(written)
    return written.getvalue()
