"""Read Excel workbooks of before 2007 (BIFF 2 to 8) through xlrd, sheet by sheet.

Compared on real files: `python-calamine` reads the same cells, but hides the number formats that
tell percentages, and takes all memory over sectors in a circle; `sharepoint-to-text` reads fewer
files. The workbook's stream is taken out by `compound_file`, which ends such circles.
"""

from __future__ import annotations

import io
import struct
from collections.abc import Iterator
from itertools import takewhile
from pathlib import Path
from typing import TYPE_CHECKING

from desktop_rag.core.phrases import Phrase
from desktop_rag.parsing import file_problems
from desktop_rag.parsing.formats.compound_file import (
    CompoundProperties,
    compound_file,
    properties_of,
    stream_bytes,
)
from desktop_rag.parsing.formats.xlsx import (
    MOST_CELLS,
    MOST_CHARACTERS,
    MOST_SHEETS,
    place_in_sheet,
)
from desktop_rag.parsing.formats.xlsx_cell_values import NumberFormats, value_text
from desktop_rag.parsing.parsed_document import Block, ParsedDocument
from desktop_rag.parsing.table_blocks import CellRow, clean, table_blocks_of

if TYPE_CHECKING:
    from xlrd.book import Book
    from xlrd.sheet import Cell, Sheet

_OLE = b"\xd0\xcf\x11\xe0"
_RECORD = struct.Struct("<HH")
# Records' numbers.
_FILE_PASS, _END = 0x2F, 0x0A
_LEFT_OUT = {0x18, 0x218, 0x1C}  # defined names, comments
_PASSED_OVER = b"\x5f\x00"  # whether Excel computes before it saves
# What the library raises over a workbook that is broken, beside its own error.
_BROKEN = (
    AssertionError, AttributeError, LookupError, NotImplementedError, OverflowError, TypeError,
    ValueError, struct.error,
)  # fmt: skip
_EMPTY, _TEXT, _NUMBER, _DATE, _BOOLEAN, _ERROR, _BLANK = range(7)  # the library's kinds of cells


def parse_xls(path: Path) -> ParsedDocument:
    """Return a workbook's sheets, hidden ones too, with the values that were last computed."""
    stream, told = _workbook(path)
    if _is_encrypted(stream):
        raise file_problems.encrypted()
    reader = _Reader(_opened(_reduced(stream)))
    blocks = tuple(reader.blocks())
    if not blocks and reader.has_lost_a_sheet:
        raise file_problems.corrupt("The workbook is damaged.")
    return ParsedDocument(told.title, blocks, notes=reader.notes(), metadata=told.metadata)


class _Reader:
    """Reads one workbook."""

    def __init__(self, book: Book) -> None:
        self._book = book
        self._formats = NumberFormats()
        self._formats.set_epoch(str(book.datemode))
        self._cells = MOST_CELLS
        self._room = MOST_CHARACTERS
        self._hidden: list[str] = []
        self._lost: list[str] = []

    @property
    def has_lost_a_sheet(self) -> bool:
        """Whether a sheet could not be read."""
        return bool(self._lost)

    def blocks(self) -> Iterator[Block]:
        """Yield the tables of all sheets; one sheet is held at a time."""
        for number in range(min(self._book.nsheets, MOST_SHEETS)):
            name = self._book.sheet_names()[number]
            try:
                sheet = self._book.sheet_by_index(number)
            except _broken():
                self._lost.append(name)
                continue
            self._hidden += [name] if sheet.visibility else []
            for block in table_blocks_of(self._rows(sheet), place_in_sheet(name), self._room):
                self._room -= len(block.text)
                yield block
            self._book.unload_sheet(number)

    def _rows(self, sheet: Sheet) -> Iterator[CellRow]:
        """Yield the rows that hold something, until no more cells are read."""
        for number in range(sheet.nrows):
            texts = ((at, self._text(cell)) for at, cell in enumerate(sheet.row(number)))
            filled = [(at, text) for at, text in texts if text]
            if not filled:
                continue
            self._cells -= len(filled)
            if self._cells <= 0:
                return
            columns, cells = zip(*filled, strict=True)
            yield CellRow(number + 1, cells, columns)

    def _text(self, cell: Cell) -> str:
        """Return a cell as `xlsx` writes it."""
        kind, value = cell.ctype, cell.value
        if kind == _TEXT:
            return clean(value)
        if kind == _NUMBER:
            return value_text(float(value), self._code(cell))
        if kind == _DATE:
            return self._formats.date_text(float(value), self._code(cell))
        if kind == _BOOLEAN:
            return value_text(bool(value))
        return self._error(value) if kind == _ERROR else ""

    def _code(self, cell: Cell) -> str:
        """Return the format that a cell's number is shown in."""
        book = self._book
        if cell.xf_index is None or cell.xf_index >= len(book.xf_list):
            return ""
        found = book.format_map.get(book.xf_list[cell.xf_index].format_key)
        return (found.format_str or "") if found else ""

    def _error(self, code: int) -> str:
        from xlrd import error_text_from_code

        return str(error_text_from_code.get(code, ""))

    def notes(self) -> tuple[str, ...]:
        """Return what the user should know."""
        made = []
        if self._cells <= 0 or self._room <= 0 or self._book.nsheets > MOST_SHEETS:
            made.append("The workbook is very large; only the beginning of it was read.")
        made += [Phrase("The sheet {0} is damaged and was not read.", name) for name in self._lost]
        if self._hidden:
            names = ", ".join(self._hidden)
            made.append(
                Phrase("Sheets that are hidden in the workbook were read as well: {0}.", names)
            )
        return tuple(made)


def _workbook(path: Path) -> tuple[bytes, CompoundProperties]:
    """Return a workbook's stream and properties; before Excel 5 the file is the stream."""
    with path.open("rb") as file:
        if file.read(len(_OLE)) != _OLE:
            return path.read_bytes(), CompoundProperties()
    try:
        with compound_file(path) as opened:
            stream = stream_bytes(opened, "Workbook") or stream_bytes(opened, "Book")
            return stream, properties_of(opened)
    except ValueError as error:
        raise file_problems.corrupt("The workbook is damaged.") from error


def _records(stream: bytes) -> Iterator[tuple[int, int]]:
    """Yield the number of each record, and where it begins."""
    at = 0
    while at + _RECORD.size <= len(stream):
        kind, length = _RECORD.unpack_from(stream, at)
        yield kind, at
        at += _RECORD.size + length


def _is_encrypted(stream: bytes) -> bool:
    """Say whether the records before the sheets tell of a password."""
    kinds = takewhile(_END.__ne__, (kind for kind, _ in _records(stream)))
    return _FILE_PASS in kinds


def _reduced(stream: bytes) -> bytes:
    """Return a workbook whose defined names and comments are records that are passed over.

    The library breaks over some of them, and no cell's value comes from there.
    """
    made = bytearray(stream)
    for kind, at in _records(stream):
        if kind in _LEFT_OUT:
            made[at : at + 2] = _PASSED_OVER
    return bytes(made)


def _opened(stream: bytes) -> Book:
    """Return the workbook, without its formats if those are damaged; `corrupt` when it is."""
    import xlrd

    for with_formats in (True, False):
        try:
            return xlrd.open_workbook(
                file_contents=stream,
                logfile=io.StringIO(),
                formatting_info=with_formats,
                on_demand=True,
                ragged_rows=True,
            )
        except _broken() as error:
            reason = error
    raise file_problems.corrupt("The workbook is damaged.") from reason


def _broken() -> tuple[type[Exception], ...]:
    """Return what the library raises over a workbook that is broken."""
    from xlrd import XLRDError
    from xlrd.formula import FormulaError

    return (XLRDError, FormulaError, *_BROKEN)
