"""Read Excel's binary workbook (.xlsb): a zip whose parts are records of a number and a length.

The records are read here, one after the other, because the libraries that read them lay a sheet out
with all its empty cells (python-calamine), so that two cells far apart take all memory.
"""

from __future__ import annotations

import posixpath
import re
import struct
import zipfile
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO

from desktop_rag.core.phrases import Phrase
from desktop_rag.parsing import file_problems
from desktop_rag.parsing.formats import ooxml_text
from desktop_rag.parsing.formats.ooxml_package import (
    DAMAGE,
    DamagedPart,
    OoxmlPackage,
    is_disk_error,
    raise_the_disks,
    repaired_archive,
)
from desktop_rag.parsing.formats.xlsx import (
    MOST_CELLS,
    MOST_CHARACTERS,
    MOST_COLUMNS,
    MOST_ROWS,
    MOST_SHEETS,
    place_in_sheet,
)
from desktop_rag.parsing.formats.xlsx_cell_values import NumberFormats, cell_text, value_text
from desktop_rag.parsing.parsed_document import Block, ParsedDocument
from desktop_rag.parsing.table_blocks import CellRow, clean, table_blocks_of

# Records' numbers.
_ROW = 0
_RK, _ERROR, _BOOLEAN, _REAL, _STRING, _SHARED = range(2, 8)
_FORMULA = {8: _STRING, 9: _REAL, 10: _BOOLEAN, 11: _ERROR}  # with the kind of its value
_RICH_STRING = 62
_SHARED_STRING, _FORMAT, _STYLE = 19, 44, 47
_WORKBOOK, _SHEET = 153, 156
_STYLES_BEGIN, _STYLES_END = 617, 618
_SHEET_PART = re.compile(r"xl/worksheets/[^/]*?(\d*)\.bin", re.IGNORECASE)
_CELL_HEAD = 8  # bytes: the column, and the style below flags
_LONGEST_RECORD = 4_000_000
_MOST_RECORDS = 4_000_000  # of one workbook
_ERRORS = {
    0x00: "#NULL!", 0x07: "#DIV/0!", 0x0F: "#VALUE!", 0x17: "#REF!", 0x1D: "#NAME?",
    0x24: "#NUM!", 0x2A: "#N/A", 0x2B: "#GETTING_DATA",
}  # fmt: skip


@dataclass(slots=True)
class _Book:
    """What a workbook's parts say about its sheets' cells."""

    sheets: list[tuple[str, str, bool]] = field(default_factory=list)  # name, part, is hidden
    strings: list[str] = field(default_factory=list)
    formats: NumberFormats = field(default_factory=NumberFormats)


def parse_xlsb(path: Path) -> ParsedDocument:
    """Return a workbook's sheets, hidden ones too, with the values that were last computed."""
    try:
        with repaired_archive(path) as whole, zipfile.ZipFile(whole) as archive:
            reader = _Reader(OoxmlPackage(archive))
            blocks = tuple(reader.blocks())
            notes = (*ooxml_text.damage_notes([], is_saved=whole != path), *reader.notes())
            title, metadata = ooxml_text.title(archive), ooxml_text.metadata(archive)
    except DAMAGE as error:
        if is_disk_error(error):
            raise
        raise file_problems.corrupt("The workbook is damaged.") from error
    if not blocks and reader.has_lost_a_part:
        raise file_problems.corrupt("The workbook is damaged.")
    return ParsedDocument(clean(title), blocks, notes=notes, metadata=metadata)


class _Reader:
    """Reads one workbook."""

    def __init__(self, package: OoxmlPackage) -> None:
        self._package = package
        self._book = _Book()
        self._cells = MOST_CELLS
        self._records_left = _MOST_RECORDS
        self._room = MOST_CHARACTERS
        self._lost: list[str] = []
        self._is_text_lost = False

    @property
    def has_lost_a_part(self) -> bool:
        """Whether a sheet, or the texts of all, could not be read to the end."""
        return bool(self._lost) or self._is_text_lost

    def blocks(self) -> Iterator[Block]:
        """Yield the tables of all sheets."""
        self._read_book()
        for name, part, _ in self._book.sheets[:MOST_SHEETS]:
            for block in table_blocks_of(self._rows(name, part), place_in_sheet(name), self._room):
                self._room -= len(block.text)
                yield block

    def notes(self) -> tuple[str, ...]:
        """Return what the user should know."""
        made = []
        if self._cells <= 0 or self._room <= 0 or len(self._book.sheets) > MOST_SHEETS:
            made.append("The workbook is very large; only the beginning of it was read.")
        made += [
            Phrase("The sheet {0} is damaged; only what comes before that was read.", name)
            for name in self._lost
        ]
        if self._is_text_lost:
            made += ooxml_text.damage_notes(["xl/sharedStrings.xml"])
        if hidden := ", ".join(name for name, _, is_hidden in self._book.sheets if is_hidden):
            made.append(
                Phrase("Sheets that are hidden in the workbook were read as well: {0}.", hidden)
            )
        return tuple(made)

    def _read_book(self) -> None:
        main = next(
            (part for _, kind, part in self._package.relations("") if kind == "officeDocument"),
            "xl/workbook.bin",
        )
        related = self._package.relations(main)
        kinds = {kind: part for _, kind, part in related}
        folder = posixpath.dirname(main)
        self._read_strings(kinds.get("sharedStrings", f"{folder}/sharedStrings.bin"))
        self._read_styles(kinds.get("styles", f"{folder}/styles.bin"))
        self._read_sheets(main, {key: (kind, part) for key, kind, part in related})

    def _read_strings(self, part: str) -> None:
        room = MOST_CHARACTERS
        if part not in self._package:
            return
        try:
            for kind, raw in self._records(part):
                if kind == _SHARED_STRING and room > 0:
                    self._book.strings.append(clean(_string(raw, 1)[0]))
                    room -= len(self._book.strings[-1])
        except DAMAGE as error:
            raise_the_disks(error)
            self._is_text_lost = True

    def _read_styles(self, part: str) -> None:
        formats, is_inside = self._book.formats, False
        try:
            for kind, raw in self._records(part) if part in self._package else ():
                if kind in {_STYLES_BEGIN, _STYLES_END}:
                    is_inside = kind == _STYLES_BEGIN
                elif kind == _FORMAT:
                    number = int.from_bytes(raw[:2], "little")
                    formats.add_code(str(number), _string(raw, 2)[0])
                elif kind == _STYLE and is_inside:
                    formats.add_style(str(int.from_bytes(raw[2:4], "little")))
        except DAMAGE as error:
            raise_the_disks(error)  # without them dates are numbers

    def _read_sheets(self, main: str, related: dict[str, tuple[str, str]]) -> None:
        """List the sheets in the workbook's order; by their parts' names when that is lost."""
        try:
            for kind, raw in self._records(main):
                if kind == _WORKBOOK:
                    self._book.formats.set_epoch(str(raw[0] & 1))
                elif kind == _SHEET:
                    key, at = _string(raw, 8)
                    sort, part = related.get(key, ("", ""))
                    if part in self._package and sort != "chartsheet":
                        name = _string(raw, at)[0][:200]
                        self._book.sheets.append((name, part, bool(raw[0])))
        except DAMAGE as error:
            raise_the_disks(error)
            listed = {part for _, part, _ in self._book.sheets}
            found = filter(None, map(_SHEET_PART.fullmatch, self._package.names()))
            parts = sorted((int(match.group(1) or 0), match.group(0)) for match in found)
            left = [part for _, part in parts if part not in listed]
            self._book.sheets += [(Path(part).stem, part, False) for part in left]

    def _rows(self, name: str, part: str) -> Iterator[CellRow]:
        """Yield the rows that hold something, until the sheet's end, its damage or the bounds."""
        number, cells = 0, dict[int, str]()
        try:
            for kind, raw in self._records(part):
                if kind == _ROW:
                    yield from _row(number, cells)
                    number, cells = int.from_bytes(raw[:4], "little") + 1, {}
                elif text := self._text(_FORMULA.get(kind, kind), raw):
                    cells[int.from_bytes(raw[:4], "little")] = text
                    self._cells -= 1
                if self._cells <= 0:
                    break
        except DAMAGE as error:
            raise_the_disks(error)
            self._lost.append(name)
        yield from _row(number, cells)

    def _text(self, kind: int, raw: bytes) -> str:
        """Return a cell's text from the record that it is; nothing of other records."""
        style = str(int.from_bytes(raw[4:7], "little"))
        if kind == _SHARED:
            at = int.from_bytes(raw[_CELL_HEAD : _CELL_HEAD + 4], "little")
            return self._book.strings[at] if at < len(self._book.strings) else ""
        if kind == _STRING:
            return clean(_string(raw, _CELL_HEAD)[0])
        if kind == _RICH_STRING:
            return clean(_string(raw, _CELL_HEAD + 1)[0])
        if kind == _RK:
            return cell_text(_plain(_rk(raw)), "n", style, self._book.formats)
        if kind == _REAL:
            value: float = struct.unpack_from("<d", raw, _CELL_HEAD)[0]
            return cell_text(_plain(value), "n", style, self._book.formats)
        if kind == _BOOLEAN:
            return value_text(bool(raw[_CELL_HEAD]))
        return _ERRORS.get(raw[_CELL_HEAD], "") if kind == _ERROR else ""

    def _records(self, part: str) -> Iterator[tuple[int, bytes]]:
        """Yield the records of a part, each with its number; `DamagedPart` where they end early."""
        with self._package.open(part) as source:
            while first := source.read(1):
                kind = first[0]
                if kind & 0x80:
                    kind = kind & 0x7F | (_byte(source) & 0x7F) << 7
                length = _length(source)
                raw = source.read(length)
                if len(raw) < length:
                    raise DamagedPart("it ends within a record")
                self._records_left -= 1
                if self._records_left < 0:
                    raise DamagedPart("it has more records than are read")
                yield kind, raw


def _row(number: int, cells: dict[int, str]) -> Iterator[CellRow]:
    kept = {at: cells[at] for at in sorted(cells) if at < MOST_COLUMNS}
    if kept and number <= MOST_ROWS:
        yield CellRow(number, tuple(kept.values()), tuple(kept))


def _byte(source: IO[bytes]) -> int:
    raw = source.read(1)
    if not raw:
        raise DamagedPart("it ends within a record")
    return raw[0]


def _length(source: IO[bytes]) -> int:
    """Return a record's length: up to four bytes of seven bits, the lowest first."""
    length = 0
    for at in range(4):
        byte = _byte(source)
        length |= (byte & 0x7F) << 7 * at
        if not byte & 0x80:
            break
    if length > _LONGEST_RECORD:
        raise DamagedPart("no record is so long")
    return length


def _string(raw: bytes, at: int) -> tuple[str, int]:
    """Return the text that stands at a place of a record, and where it ends."""
    length = int.from_bytes(raw[at : at + 4], "little")
    end = at + 4 + (0 if length == 0xFFFFFFFF else 2 * length)
    if end > len(raw):
        raise DamagedPart("a text is longer than its record")
    return raw[at + 4 : end].decode("utf-16-le", "replace"), end


def _rk(raw: bytes) -> float:
    """Return a number of four bytes: a whole one or the high half of a real one, or a hundredth."""
    (stored,) = struct.unpack_from("<i", raw, _CELL_HEAD)
    if stored & 2:
        value: float = stored >> 2
    else:
        (value,) = struct.unpack("<d", bytes(4) + struct.pack("<i", stored & ~3))
    return value / 100 if stored & 1 else value


def _plain(value: float) -> str:
    """Return a number as a workbook of XML would store it."""
    return str(int(value)) if value == int(value) and abs(value) < 1e15 else repr(value)
