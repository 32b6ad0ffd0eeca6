"""Read an OpenDocument spreadsheet: sheets, hidden ones too, with the values last computed.

It is read as a stream. A cell or a row that is written once and repeated a million times is given
a bounded number of times, and only where it holds something.
"""

from __future__ import annotations

import zipfile
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import groupby
from pathlib import Path
from typing import IO

from desktop_rag.core.document_metadata import NO_METADATA, DocumentMetadata
from desktop_rag.core.phrases import Phrase
from desktop_rag.core.types import BlockKind, LocatorKind
from desktop_rag.parsing import file_problems
from desktop_rag.parsing.formats.embedded_pictures import EmbeddedPictures
from desktop_rag.parsing.formats.odf_package import SAVED, described, package_parts
from desktop_rag.parsing.formats.odf_pictures import OdfPictures, odf_pictures
from desktop_rag.parsing.formats.ods_cell_values import cell_text
from desktop_rag.parsing.formats.ooxml_package import (
    DAMAGE,
    raise_the_disks,
    repaired_archive,
    stream,
)
from desktop_rag.parsing.formats.xlsx import column_letters
from desktop_rag.parsing.formats.xml_tree import descendants, read_tree, whole_text
from desktop_rag.parsing.parsed_document import Block, BlockLocator, ParsedDocument
from desktop_rag.parsing.table_blocks import CellRow, clean, table_blocks_of

# What is read of one spreadsheet; the first four as of an Excel workbook.
_MOST_CELLS = 1_500_000
_MOST_CHARACTERS = 30_000_000
_MOST_SHEETS = 2_000
_LONGEST_CELL = 1_000_000
_MOST_TAGS = 20_000_000
_MOST_COLUMNS = 16_384
_MOST_REPEATED_CELLS = 256
_MOST_REPEATED_ROWS = 1_000
_LONGEST_NAME = 200
_MOST_SHOWN = 10_000  # pictures, one that is shown again each time
_BREAKS = {"s": " ", "tab": " ", "line-break": " "}

Attributes = dict[str, str]


def parse_ods(path: Path, pictures: EmbeddedPictures | None = None) -> ParsedDocument:
    """Return a spreadsheet's sheets."""
    notes: list[str] = []
    title, metadata = "", NO_METADATA
    if zipfile.is_zipfile(path) or _is_zip(path):
        title, metadata = _described(package_parts(path, ("meta.xml",), notes)[0])
    with odf_pictures(path, pictures) as shown:
        reader = _Reader(shown)
        blocks = tuple(reader.blocks(path))
    if not blocks and reader.is_damaged:
        raise file_problems.corrupt("The workbook is damaged.")
    told = (*notes, *reader.notes(notes))
    return ParsedDocument(title, blocks, notes=told, metadata=metadata)


def _described(meta: bytes) -> tuple[str, DocumentMetadata]:
    """Return the title, and what else the workbook says of itself."""
    root = read_tree(meta)[0] if meta else None
    if root is None:
        return "", NO_METADATA
    found = next(descendants(root, "title"), None)
    return "" if found is None else clean(whole_text(found)), described([root])


def _is_zip(path: Path) -> bool:
    with path.open("rb") as file:
        return file.read(2) == b"PK"


@contextmanager
def _content(path: Path) -> Iterator[IO[bytes]]:
    if not _is_zip(path):
        with path.open("rb") as file:
            yield file
        return
    with repaired_archive(path) as whole, zipfile.ZipFile(whole) as archive:
        names = {name.lower(): name for name in archive.namelist()}
        with archive.open(names["content.xml"]) as part:
            yield part


class _Reader:
    """Reads one spreadsheet's sheets, one after the other."""

    def __init__(self, pictures: OdfPictures) -> None:
        self.is_damaged = False
        self._pictures = pictures
        self._sheets = _Sheets()
        self._tags = _MOST_TAGS
        self._characters = _MOST_CHARACTERS

    def blocks(self, path: Path) -> Iterator[Block]:
        """Yield the tables of all sheets, each followed by what its pictures show."""
        for (number, name), rows in groupby(self._rows(path), key=_sheet_of):
            cells = (row for _, _, row in rows)
            for block in table_blocks_of(cells, _place(name), self._characters):
                self._characters -= len(block.text)
                yield block
            yield from self._on_pictures(number)
            if self._characters <= 0:
                self._sheets.is_cut = True
                return
        yield from self._on_pictures(_MOST_SHEETS)

    def _on_pictures(self, last: int) -> Iterator[Block]:
        """Yield what was recognised on the pictures of the sheets up to one."""
        shown = self._sheets.shown
        while shown and shown[0][0] <= last:
            _, name, address = shown.popleft()
            if text := self._pictures.named_text(address):
                yield Block(BlockKind.TEXT, text, BlockLocator(LocatorKind.SHEET, name))

    def notes(self, known: list[str]) -> Iterator[str]:
        """Yield what the user should know, beside the notes that are known."""
        if self._sheets.is_cut:
            yield "The workbook is very large; only the beginning of it was read."
        if self.is_damaged and SAVED not in known:
            yield SAVED
        if names := ", ".join(self._sheets.hidden):
            yield Phrase("Sheets that are hidden in the workbook were read as well: {0}.", names)

    def _rows(self, path: Path) -> Iterator[tuple[str, int, CellRow]]:
        """Yield the rows that hold something, each with its sheet's name and number."""
        sheets = self._sheets
        try:
            with _content(path) as source:
                reading = stream(source, sheets.start, sheets.text, sheets.end, namespaces=True)
                for tags in reading:
                    yield from sheets.take()
                    self._tags -= tags
                    if self._tags < 0 or sheets.cells < 0 or sheets.count > _MOST_SHEETS:
                        sheets.is_cut = True
                        return
        except DAMAGE as error:
            raise_the_disks(error)
            self.is_damaged = True
            yield from sheets.take()


def _sheet_of(row: tuple[str, int, CellRow]) -> tuple[int, str]:
    return row[1], row[0]


def _place(name: str) -> Callable[[CellRow], BlockLocator]:
    def place(row: CellRow) -> BlockLocator:
        filled = row.columns or (0,)
        first, last = column_letters(filled[0]), column_letters(filled[-1])
        return BlockLocator(LocatorKind.SHEET, name, f"{first}{row.number}:{last}{row.number}")

    return place


@dataclass(slots=True)
class _Cell:
    """A cell that is being read: its attributes, and its text so far."""

    attributes: Attributes
    is_covered: bool = False
    pieces: list[str] = field(default_factory=list)
    length: int = 0


class _Sheets:
    """Turns a spreadsheet's tags into rows. Called for each of millions of tags: it does little."""

    def __init__(self) -> None:
        self.cells = _MOST_CELLS
        self.count = 0
        self.hidden: list[str] = []
        self.is_cut = False
        self.shown: deque[tuple[int, str, str]] = deque()  # pictures: sheet, its name, address
        self._unseen: set[str] = set()  # styles of hidden sheets
        self._style = ""
        self._name = ""
        self._is_linked = False  # a copy of a sheet of another file
        self._tables = self._aside = 0
        self._number = self._column = 0
        self._times = 1
        self._row: dict[int, str] = {}
        self._cell: _Cell | None = None
        self._ready: list[tuple[str, int, CellRow]] = []

    def take(self) -> list[tuple[str, int, CellRow]]:
        """Return the rows that are complete, and forget them."""
        ready, self._ready = self._ready, []
        return ready

    def start(self, tag: str, given: Attributes) -> None:
        """Take up a tag."""
        name = tag.rpartition(" ")[2]
        if name in {"annotation", "tracked-changes", "shapes"} or self._aside:
            self._aside += 1
            self._take_picture(name, given)
        elif name in {"table-cell", "covered-table-cell"}:
            self._cell = _Cell(_plain(given), name != "table-cell")
        elif self._cell is not None:
            self._inside(name)
            self._take_picture(name, given)
        elif name == "table-row":
            self._row, self._column = {}, 0
            self._times = _count(_plain(given).get("number-rows-repeated", ""))
        elif name == "table":
            self._start_table(_plain(given))
        elif name == "table-source":
            self._is_linked = True
        elif name == "style":
            self._style = _plain(given).get("name", "")
        elif name in {"table-properties", "properties"}:
            self._unseen |= {self._style} if _plain(given).get("display") == "false" else set()

    def text(self, text: str) -> None:
        """Take up text."""
        cell = self._cell
        if cell is not None and not self._aside and cell.length < _LONGEST_CELL:
            cell.pieces.append(text)
            cell.length += len(text)

    def end(self, tag: str) -> None:
        """Take up the end of a tag."""
        name = tag.rpartition(" ")[2]
        if self._aside:
            self._aside -= 1
        elif name in {"table-cell", "covered-table-cell"}:
            self._end_cell()
        elif name == "p" and self._cell is not None:
            self._cell.pieces.append(" ")
        elif name == "table-row" and self._cell is None:
            self._end_row()
        elif name == "table" and self._cell is None:
            self._tables -= 1

    def _inside(self, name: str) -> None:
        if self._cell is not None and name in _BREAKS:
            self._cell.pieces.append(_BREAKS[name])

    def _take_picture(self, name: str, given: Attributes) -> None:
        if name == "image" and len(self.shown) < _MOST_SHOWN:
            self.shown.append((self.count, self._name, _plain(given).get("href", "")))

    def _start_table(self, given: Attributes) -> None:
        self._tables += 1
        if self._tables > 1:
            return
        self._name = given.get("name", "")[:_LONGEST_NAME]
        self._is_linked = False
        self._number = 0
        self.count += 1
        if given.get("style-name", "") in self._unseen and not self._name.startswith("'file:"):
            self.hidden.append(self._name)

    def _end_cell(self) -> None:
        cell, self._cell = self._cell, None
        if cell is None:
            return
        times = _count(cell.attributes.get("number-columns-repeated", ""))
        text = cell_text(cell.attributes, "".join(cell.pieces))
        if text:
            shown = min(times, _MOST_REPEATED_CELLS)
            self.is_cut |= shown < times
            for column in range(self._column, min(self._column + shown, _MOST_COLUMNS)):
                self._row[column] = text
                self.cells -= 1
        self._column = min(self._column + times, _MOST_COLUMNS)

    def _end_row(self) -> None:
        if self._row and not self._is_linked and self._tables == 1:
            columns = tuple(sorted(self._row))
            texts = tuple(map(self._row.__getitem__, columns))
            shown = min(self._times, _MOST_REPEATED_ROWS, 1 + max(0, self.cells) // len(columns))
            self.is_cut |= shown < self._times
            for number in range(self._number + 1, self._number + 1 + shown):
                self._ready.append((self._name, self.count, CellRow(number, texts, columns)))
            self.cells -= len(columns) * (shown - 1)
        self._row = {}
        self._number += self._times


def _plain(given: Attributes) -> Attributes:
    """Return attributes by their names alone; of two that are the same, the first."""
    made: Attributes = {}
    for key, value in given.items():
        made.setdefault(key.rpartition(" ")[2], value)
    return made


def _count(times: str) -> int:
    return max(1, int(times)) if times.isascii() and times.isdigit() and len(times) < 9 else 1
