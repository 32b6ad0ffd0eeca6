"""Read an Excel workbook: sheets, hidden ones too, with the values that were last computed.

A sheet is read as a stream of the cells that exist, so what it costs follows from what it holds and
never from the row and column numbers that it names. Past the bounds below the rest is left out.
"""

from __future__ import annotations

import posixpath
import re
import zipfile
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

from desktop_rag.core.types import LocatorKind
from desktop_rag.engine.ingest.parse import ooxml, problems
from desktop_rag.engine.ingest.parse.blocks import Block, ParsedDocument, Place
from desktop_rag.engine.ingest.parse.cells import Formats, value_of
from desktop_rag.engine.ingest.parse.package import DAMAGE, Package, sound, stream
from desktop_rag.engine.ingest.parse.tables import Row, clean, tables

# What Excel itself can hold.
_MOST_ROWS = 1_048_576
_MOST_COLUMNS = 16_384
# What is read of one workbook: tags of all its parts, cells that hold something, characters.
_MOST_TAGS = 12_000_000
_MOST_CELLS = 2_000_000
_MOST_CHARACTERS = 30_000_000
_MOST_SHEETS = 2_000

_REFERENCE = re.compile(r"\$?([A-Za-z]{1,3})\$?([0-9]*)")
_SHEET_PART = re.compile(r"xl/worksheets/[^/]*?(\d*)\.xml", re.IGNORECASE)


class _Spent(Exception):
    """A workbook's bounds are reached: what was read so far is what is read."""


@dataclass(slots=True)
class _Budget:
    """What may still be read of a workbook."""

    tags: int = _MOST_TAGS
    cells: int = _MOST_CELLS
    characters: int = _MOST_CHARACTERS
    is_spent: bool = False

    def tag(self) -> None:
        """Count a tag."""
        self.tags -= 1
        if self.tags < 0:
            raise self.end()

    def cell(self, text: str) -> None:
        """Count a cell that holds something."""
        self.cells -= 1
        self.characters -= len(text)
        if self.cells < 0 or self.characters < 0:
            raise self.end()

    def end(self) -> _Spent:
        """Return that no more is read."""
        self.is_spent = True
        return _Spent()


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
    formats: Formats = field(default_factory=Formats)


def parse_xlsx(path: Path) -> ParsedDocument:
    """Return a workbook's sheets."""
    try:
        with sound(path) as whole, zipfile.ZipFile(whole) as archive:
            reader = _Reader(Package(archive))
            blocks = tuple(reader.blocks())
            notes = reader.notes(is_saved=whole != path)
            title = ooxml.title(archive)
    except DAMAGE as error:
        raise problems.corrupt("The workbook is damaged.") from error
    if not blocks and reader.has_lost_a_sheet:
        raise problems.corrupt("The workbook is damaged.")
    return ParsedDocument(clean(title), blocks, notes=notes)


class _Reader:
    """Reads one workbook."""

    def __init__(self, package: Package) -> None:
        self._package = package
        self._budget = _Budget()
        self._book = _Book()
        self._hidden: list[str] = []
        self._lost: list[str] = []
        self._is_outside = False

    @property
    def has_lost_a_sheet(self) -> bool:
        """Whether a sheet could not be read to its end."""
        return bool(self._lost)

    def blocks(self) -> Iterator[Block]:
        """Yield the tables of all sheets."""
        try:
            self._read_book()
            for sheet in self._book.sheets[:_MOST_SHEETS]:
                self._hidden += [sheet.name] if sheet.is_hidden else []
                yield from _tables(self._rows(sheet), sheet.name)
        except _Spent:
            pass

    def notes(self, *, is_saved: bool) -> tuple[str, ...]:
        """Return what the user should know; `is_saved` says that the archive had to be mended."""
        made = []
        if self._budget.is_spent or len(self._book.sheets) > _MOST_SHEETS:
            made.append("The workbook is very large; only the beginning of it was read.")
        if self._is_outside:
            made.append("Cells outside of the rows and columns that a sheet has were left out.")
        made += [f"The sheet {name} is damaged; what comes before was read." for name in self._lost]
        lost = {sheet.part for sheet in self._book.sheets}
        parts = [name for name in self._package.damaged if name not in lost]
        made += ooxml.damage_notes(parts, is_saved=is_saved)
        if self._hidden:
            names = ", ".join(self._hidden)
            made.append(f"Sheets that are hidden in the workbook were read as well: {names}.")
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
        self._book.sheets = self._listed(main, {key: (kind, part) for key, kind, part in related})

    def _listed(self, main: str, related: dict[str, tuple[str, str]]) -> list[_Sheet]:
        """Return the sheets in the workbook's order; by their parts' names when that is lost."""
        sheets: list[_Sheet] = []

        def on_start(tag: str, attributes: dict[str, str]) -> None:
            self._budget.tag()
            if tag == "workbookPr":
                self._book.formats.set_epoch(attributes.get("date1904", ""))
            elif tag == "sheet":
                at = next((v for k, v in attributes.items() if k.endswith(":id")), "")
                kind, part = related.get(at, ("", ""))
                name = attributes.get("name", "")[:200]
                is_hidden = attributes.get("state", "visible") != "visible"
                if part in self._package and kind != "chartsheet":
                    sheets.append(_Sheet(name, part, is_hidden))

        is_whole = self._package.scan(main, on_start)
        listed = {each.part for each in sheets}
        if is_whole and sheets and related:
            return sheets
        found = filter(None, map(_SHEET_PART.fullmatch, self._package.names()))
        parts = sorted((int(match.group(1) or 0), match.group(0)) for match in found)
        return sheets + [_Sheet(Path(p).stem, p) for _, p in parts if p not in listed]

    def _read_strings(self, part: str) -> None:
        """Read the texts that cells share, furigana left out."""
        strings, held = self._book.strings, _Text(self._budget)

        def on_end(tag: str) -> None:
            held.end(tag)
            if tag == "si":
                strings.append(clean(held.take().replace("x005F_", "")))
                self._budget.characters -= len(strings[-1])
                if len(strings) > _MOST_CELLS or self._budget.characters < 0:
                    raise self._budget.end()

        if part in self._package:
            with suppress(_Spent):
                self._package.scan(part, held.start, held.text, on_end)
            self._budget.characters = _MOST_CHARACTERS

    def _read_styles(self, part: str) -> None:
        formats = self._book.formats
        inside = [False]

        def on_start(tag: str, attributes: dict[str, str]) -> None:
            self._budget.tag()
            if tag == "numFmt":
                formats.add_code(attributes.get("numFmtId", ""), attributes.get("formatCode", ""))
            elif tag in {"cellXfs", "cellStyleXfs", "cellStyles", "dxfs"}:
                inside[0] = tag == "cellXfs"
            elif tag == "xf" and inside[0]:
                formats.add_style(attributes.get("numFmtId", ""))

        if part in self._package:
            self._package.scan(part, on_start)

    def _rows(self, sheet: _Sheet) -> Iterator[Row]:
        """Yield the rows that hold something, until the sheet's end, its damage or the bounds."""
        cells = _Cells(self._book, self._budget)
        try:
            with self._package.open(sheet.part) as source:
                for _ in stream(source, cells.start, cells.text, cells.end):
                    yield from cells.take()
        except _Spent:
            yield from cells.take()
            raise
        except DAMAGE:
            yield from cells.take()
            self._lost.append(sheet.name)
        finally:
            self._is_outside |= cells.is_outside


def _tables(rows: Iterator[Row], name: str) -> Iterator[Block]:
    def place(row: Row) -> Place:
        filled = row.filled()
        first, last = _letters(filled[0]), _letters(filled[-1])
        return Place(LocatorKind.SHEET, name, f"{first}{row.number}:{last}{row.number}")

    yield from tables(rows, place)


class _Text:
    """Gathers the text of a string's runs: what stands in `t`, but not over it as furigana."""

    def __init__(self, budget: _Budget) -> None:
        self._budget = budget
        self._pieces: list[str] = []
        self._is_open = False
        self._aside = False

    def start(self, tag: str, _attributes: dict[str, str]) -> None:
        self._budget.tag()
        if tag == "rPh":
            self._aside = True
        self._is_open = tag == "t" and not self._aside

    def text(self, text: str) -> None:
        if self._is_open:
            self._pieces.append(text)

    def end(self, tag: str) -> None:
        self._is_open = False
        if tag == "rPh":
            self._aside = False

    def take(self) -> str:
        text = "".join(self._pieces)
        self._pieces.clear()
        return text


class _Cells:
    """Turns a sheet's tags into rows."""

    def __init__(self, book: _Book, budget: _Budget) -> None:
        self.is_outside = False
        self._book = book
        self._budget = budget
        self._rows: list[Row] = []
        self._cells: dict[int, str] = {}
        self._number = 0
        self._column = -1
        self._type = "n"
        self._style = 0
        self._is_cell = False
        self._value: list[str] = []
        self._is_value = False
        self._inline = _Text(budget)
        self._is_inline = False

    def take(self) -> Iterator[Row]:
        """Yield the rows that are complete, and forget them."""
        rows, self._rows = self._rows, []
        yield from rows

    def start(self, tag: str, attributes: dict[str, str]) -> None:
        """Take up a tag."""
        if self._is_inline:
            self._inline.start(tag, attributes)
            return
        self._budget.tag()
        if tag == "c":
            self._begin_cell(attributes)
        elif self._is_cell and tag == "v":
            self._is_value = not self._value
        elif self._is_cell and tag == "is":
            self._is_inline = True
        elif tag == "row":
            self._cells = {}
            self._column = -1
            self._number = _row_number(attributes.get("r", ""), self._number)

    def text(self, text: str) -> None:
        """Take up text."""
        if self._is_value:
            self._value.append(text)
        elif self._is_inline:
            self._inline.text(text)

    def end(self, tag: str) -> None:
        """Take up the end of a tag."""
        if tag == "is":
            self._is_inline = False
        elif self._is_inline:
            self._inline.end(tag)
        elif tag == "v":
            self._is_value = False
        elif tag == "c":
            self._end_cell()
        elif tag == "row" and self._cells:
            columns = tuple(sorted(self._cells))
            texts = tuple(self._cells[at] for at in columns)
            self._rows.append(Row(self._number, texts, columns))
            self._cells = {}

    def _begin_cell(self, attributes: dict[str, str]) -> None:
        reference = attributes.get("r")
        match = _REFERENCE.fullmatch(reference) if reference else None
        self._column = _index(match.group(1)) if match else self._column + 1
        self._type = attributes.get("t", "n")
        style = attributes.get("s", "0")
        self._style = int(style) if style.isdecimal() and len(style) < 9 else 0
        self._is_cell = True
        self._value.clear()
        self._inline.take()

    def _end_cell(self) -> None:
        self._is_cell = False
        raw = self._inline.take() if self._type == "inlineStr" else "".join(self._value)
        if not raw:
            return
        if self._column >= _MOST_COLUMNS or not 0 < self._number <= _MOST_ROWS:
            self.is_outside = True
            return
        if self._type == "s":
            text = self._shared(raw)
        else:
            text = value_of(raw, self._type, self._style, self._book.formats)
        if text:
            self._budget.cell(text)
            self._cells[self._column] = text

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


def _index(letters: str) -> int:
    """Return a column's index: A is 0, AA is 26."""
    index = 0
    for letter in letters.upper():
        index = index * 26 + ord(letter) - 64
    return index - 1


def _letters(index: int) -> str:
    """Return a column's letters: 0 is A, 26 is AA."""
    letters = ""
    index += 1
    while index:
        index, rest = divmod(index - 1, 26)
        letters = chr(65 + rest) + letters
    return letters
