"""Read an Excel workbook: sheets, hidden ones too, with the values that were last computed.

A sheet is read as a stream of the cells that exist, so what it costs follows from what it holds and
never from the row and column numbers that it names. Past the bounds below the rest is left out.
"""

from __future__ import annotations

import posixpath
import re
import zipfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path

from desktop_rag.core.phrases import Phrase
from desktop_rag.core.types import LocatorKind
from desktop_rag.parsing import file_problems
from desktop_rag.parsing.formats import ooxml_text
from desktop_rag.parsing.formats.ooxml_package import (
    DAMAGE,
    OoxmlPackage,
    is_disk_error,
    raise_the_disks,
    repaired_archive,
    stream,
)
from desktop_rag.parsing.formats.xlsx_cell_values import NumberFormats, cell_text
from desktop_rag.parsing.parsed_document import Block, BlockLocator, ParsedDocument
from desktop_rag.parsing.table_blocks import CellRow, clean, table_blocks_of

# What Excel itself can hold.
MOST_ROWS = 1_048_576
MOST_COLUMNS = 16_384
# What is read of one workbook: cells that hold something, and the characters of its text, in which
# every cell repeats its column's name.
MOST_CELLS = 1_500_000
MOST_CHARACTERS = 30_000_000
MOST_SHEETS = 2_000
_LONGEST_CELL = 1_000_000  # Excel holds 32,767 characters, others more
_MOST_LETTERS = 4  # of a column's name, one more than the last column has

_SHEET_PART = re.compile(r"xl/worksheets/[^/]*?(\d*)\.xml", re.IGNORECASE)


@dataclass(slots=True)
class _Budget:
    """What may still be read of a workbook."""

    cells: int = MOST_CELLS
    characters: int = MOST_CHARACTERS

    @property
    def is_spent(self) -> bool:
        """Whether no more is read."""
        return self.cells < 0 or self.characters < 0


@dataclass(slots=True)
class _Sheet:
    name: str
    part: str
    is_hidden: bool = False


@dataclass(slots=True)
class _Book:
    """What a workbook's parts say about its sheets' cells."""

    sheets: list[_Sheet] = field(default_factory=list)
    strings: list[str] = field(default_factory=list)
    formats: NumberFormats = field(default_factory=NumberFormats)


def parse_xlsx(path: Path) -> ParsedDocument:
    """Return a workbook's sheets."""
    try:
        with repaired_archive(path) as whole, zipfile.ZipFile(whole) as archive:
            reader = _Reader(OoxmlPackage(archive))
            blocks = tuple(reader.blocks())
            is_saved = whole != path
            notes = reader.notes(is_saved=is_saved)
            title, metadata = ooxml_text.title(archive), ooxml_text.metadata(archive)
    except DAMAGE as error:
        if is_disk_error(error):
            raise
        raise file_problems.corrupt("The workbook is damaged.") from error
    if not blocks and (reader.has_lost_a_sheet or is_saved):
        raise file_problems.corrupt("The workbook is damaged.")
    return ParsedDocument(clean(title), blocks, notes=notes, metadata=metadata)


class _Reader:
    """Reads one workbook."""

    def __init__(self, package: OoxmlPackage) -> None:
        self._package = package
        self._budget = _Budget()
        self._book = _Book()
        self._hidden: list[str] = []
        self._lost: list[str] = []
        self._is_outside = False
        self._is_cut = False
        self._is_list_damaged = False
        self._room = MOST_CHARACTERS

    @property
    def has_lost_a_sheet(self) -> bool:
        """Whether a sheet could not be read to its end."""
        return bool(self._lost)

    def blocks(self) -> Iterator[Block]:
        """Yield the tables of all sheets."""
        self._read_book()
        for sheet in self._book.sheets[:MOST_SHEETS]:
            self._hidden += [sheet.name] if sheet.is_hidden else []
            for block in table_blocks_of(self._rows(sheet), place_in_sheet(sheet.name), self._room):
                self._room -= len(block.text)
                yield block
            self._is_cut |= self._room <= 0

    def notes(self, *, is_saved: bool) -> tuple[str, ...]:
        """Return what the user should know; `is_saved` says that the archive had to be mended."""
        made = []
        if self._is_cut or len(self._book.sheets) > MOST_SHEETS:
            made.append("The workbook is very large; only the beginning of it was read.")
        if self._is_outside:
            made.append("Cells outside of the rows and columns that a sheet has were left out.")
        made += [_damage(name) for name in self._lost]
        lost = {sheet.part for sheet in self._book.sheets}
        parts = [name for name in self._package.damaged if name not in lost]
        made += ooxml_text.damage_notes(parts, is_saved=is_saved)
        if self._is_list_damaged:
            made.append("The list of sheets is damaged; they may have other names or order.")
        if self._hidden:
            names = ", ".join(self._hidden)
            made.append(
                Phrase("Sheets that are hidden in the workbook were read as well: {0}.", names)
            )
        return tuple(made)

    def _read_book(self) -> None:
        package = self._package
        main = next(
            (part for _, kind, part in package.relations("") if kind == "officeDocument"),
            "xl/workbook.xml",
        )
        folder = posixpath.dirname(main)
        related = package.relations(main)
        kinds = {kind: part for _, kind, part in related}
        self._read_strings(kinds.get("sharedStrings", f"{folder}/sharedStrings.xml"))
        self._read_styles(kinds.get("styles", f"{folder}/styles.xml"))
        self._book.sheets = self._listed(main, related)

    def _listed(self, main: str, related: list[tuple[str, str, str]]) -> list[_Sheet]:
        """Return the sheets in the workbook's order.

        Where that is lost, or a link leads nowhere, those that are not listed follow by their
        parts' names.
        """
        sheets: list[_Sheet] = []
        linked = {key: (kind, part) for key, kind, part in related}
        listed: set[str] = set()
        is_sure = True

        def on_start(tag: str, attributes: dict[str, str]) -> None:
            nonlocal is_sure
            if tag == "workbookPr":
                self._book.formats.set_epoch(attributes.get("date1904", ""))
            elif tag == "sheet":
                at = next((v for k, v in attributes.items() if k.endswith(":id")), "")
                kind, part = linked.get(at, ("", ""))
                is_new = part in self._package and part not in listed
                is_sure &= is_new
                listed.add(part)
                name = attributes.get("name", "")[:200]
                is_hidden = attributes.get("state", "visible") != "visible"
                if is_new and kind != "chartsheet":
                    sheets.append(_Sheet(name, part, is_hidden))

        is_whole = self._package.scan(main, on_start)
        is_sure &= listed >= {part for _, kind, part in related if kind == "worksheet"}
        if is_whole and sheets and is_sure:
            return sheets
        self._is_list_damaged = is_whole  # else the damage of the part is told
        found = filter(None, map(_SHEET_PART.fullmatch, self._package.names()))
        parts = sorted((int(match.group(1) or 0), match.group(0)) for match in found)
        return sheets + [_Sheet(Path(p).stem, p) for _, p in parts if p not in listed]

    def _read_strings(self, part: str) -> None:
        """Read the texts that cells share, furigana left out."""
        strings, held, room = self._book.strings, _Text(), _Budget()

        def on_end(tag: str) -> None:
            held.end(tag)
            if tag == "si" and not room.is_spent:
                strings.append(clean(held.take().replace("x005F_", "")))
                room.cells -= 1
                room.characters -= len(strings[-1])

        if part in self._package:
            self._package.scan(part, held.start, held.text, on_end)
        self._is_cut |= room.is_spent

    def _read_styles(self, part: str) -> None:
        formats = self._book.formats
        inside = [False]

        def on_start(tag: str, attributes: dict[str, str]) -> None:
            if tag == "numFmt":
                formats.add_code(attributes.get("numFmtId", ""), attributes.get("formatCode", ""))
            elif tag in {"cellXfs", "cellStyleXfs", "cellStyles", "dxfs"}:
                inside[0] = tag == "cellXfs"
            elif tag == "xf" and inside[0]:
                formats.add_style(attributes.get("numFmtId", ""))

        if part in self._package:
            self._package.scan(part, on_start)

    def _rows(self, sheet: _Sheet) -> Iterator[CellRow]:
        """Yield the rows that hold something, until the sheet's end, its damage or the bounds."""
        cells = _Cells(self._book, self._budget)
        package = self._package
        try:
            with package.open(sheet.part) as source:
                for tags in stream(source, cells.start, cells.text, cells.end):
                    yield from cells.take()
                    package.tags -= tags
                    if package.tags < 0 or self._budget.is_spent:
                        self._is_cut = True
                        return
        except DAMAGE as error:
            raise_the_disks(error)
            yield from cells.take()
            self._lost.append(sheet.name)
        finally:
            self._is_outside |= cells.is_outside


def _damage(name: str) -> str:
    return Phrase("The sheet {0} is damaged; only what comes before that was read.", name)


def place_in_sheet(name: str) -> Callable[[CellRow], BlockLocator]:
    """Return what tells a row's place: the sheet, and the cells that hold something."""

    def place(row: CellRow) -> BlockLocator:
        filled = row.columns or (0,)
        first, last = column_letters(filled[0]), column_letters(filled[-1])
        return BlockLocator(LocatorKind.SHEET, name, f"{first}{row.number}:{last}{row.number}")

    return place


class _Text:
    """Gathers the text of a string's runs: what stands in `t`, but not over it as furigana."""

    def __init__(self) -> None:
        self._pieces: list[str] = []
        self._length = 0
        self._is_open = False
        self._aside = False

    def start(self, tag: str, _attributes: dict[str, str]) -> None:
        if tag == "rPh":
            self._aside = True
        self._is_open = tag == "t" and not self._aside

    def text(self, text: str) -> None:
        if self._is_open and self._length < _LONGEST_CELL:
            self._pieces.append(text)
            self._length += len(text)

    def end(self, tag: str) -> None:
        self._is_open = False
        if tag == "rPh":
            self._aside = False

    def take(self) -> str:
        text = "".join(self._pieces)
        self._pieces.clear()
        self._length = 0
        return text


class _Cells:
    """Turns a sheet's tags into rows. Called for each of millions of tags: it does little."""

    __slots__ = (
        "_after", "_attributes", "_book", "_budget", "_cells", "_inline", "_is_inline",
        "_is_value", "_number", "_reference", "_rows", "_value", "is_outside",
    )  # fmt: skip

    def __init__(self, book: _Book, budget: _Budget) -> None:
        self.is_outside = False
        self._book = book
        self._budget = budget
        self._rows: list[CellRow] = []
        self._cells: dict[int, str] = {}
        self._number = 0
        self._reference = ""  # of the last cell that has one, and how many came after it
        self._after = 0
        self._attributes: dict[str, str] = {}
        self._value = ""
        self._is_value = False
        self._inline = _Text()
        self._is_inline = False

    def take(self) -> list[CellRow]:
        """Return the rows that are complete, and forget them."""
        rows, self._rows = self._rows, []
        return rows

    def start(self, tag: str, attributes: dict[str, str]) -> None:
        """Take up a tag."""
        if self._is_inline:
            self._inline.start(tag, attributes)
        elif tag == "c":
            self._attributes = attributes
            self._value = ""
            if "r" in attributes:
                self._reference = attributes["r"]
                self._after = 0
            else:
                self._after += 1
        elif tag == "v":
            self._is_value = not self._value
        elif tag == "is":
            self._is_inline = True
            self._inline.take()
        elif tag == "row":
            self._cells = {}
            self._reference = ""
            self._after = 0
            self._number = _row_number(attributes.get("r", ""), self._number)

    def text(self, text: str) -> None:
        """Take up text."""
        if self._is_value:
            if len(self._value) < _LONGEST_CELL:
                self._value += text
        elif self._is_inline:
            self._inline.text(text)

    def end(self, tag: str) -> None:
        """Take up the end of a tag."""
        if self._is_inline:
            if tag == "is":
                self._is_inline = False
                if self._attributes.get("t") == "inlineStr":
                    self._value = self._inline.take()
            else:
                self._inline.end(tag)
        elif tag == "v":
            self._is_value = False
        elif tag == "c":
            if self._value:
                self._end_cell(self._value)
        elif tag == "row" and self._cells:
            columns = tuple(sorted(self._cells))
            texts = tuple(map(self._cells.__getitem__, columns))
            self._rows.append(CellRow(self._number, texts, columns))

    def _end_cell(self, raw: str) -> None:
        column = _index(self._reference.rstrip("0123456789$")) + self._after
        if not 0 <= column < MOST_COLUMNS or not 0 < self._number <= MOST_ROWS:
            self.is_outside = True
            return
        kind = self._attributes.get("t", "n")
        if kind == "s":
            text = self._shared(raw)
        else:
            style = self._attributes.get("s", "0")
            text = cell_text(raw, kind, style, self._book.formats)
        if text:
            self._cells[column] = text
            self._budget.cells -= 1
            self._budget.characters -= len(text)

    def _shared(self, raw: str) -> str:
        strings = self._book.strings
        at = int(raw) if raw.strip().isdecimal() and len(raw) < 12 else -1
        return strings[at] if 0 <= at < len(strings) else ""


def _row_number(given: str, before: int) -> int:
    """Return a row's number as it is given (`7`, or `7.0`), else that after the row before."""
    try:
        return int(float(given)) if given else before + 1
    except (ValueError, OverflowError):
        return before + 1


@lru_cache(MOST_COLUMNS)
def _index(letters: str) -> int:
    """Return a column's index: A is 0, AA is 26; -1 when there are no letters."""
    index = 0
    for letter in letters.replace("$", "").upper()[:_MOST_LETTERS]:
        if not "A" <= letter <= "Z":
            return -1
        index = index * 26 + ord(letter) - 64
    return index - 1


@lru_cache(MOST_COLUMNS)
def column_letters(index: int) -> str:
    """Return a column's letters: 0 is A, 26 is AA."""
    letters = ""
    index += 1
    while index:
        index, rest = divmod(index - 1, 26)
        letters = chr(65 + rest) + letters
    return letters
