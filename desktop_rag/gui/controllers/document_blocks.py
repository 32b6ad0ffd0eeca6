"""Text of a document as headings, paragraphs and tables, from what its chunks say of it.

A table's text, which the parser joined for reading, is taken apart into cells.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import islice
from typing import TYPE_CHECKING

from desktop_rag.core.types import BlockKind, LocatorKind
from desktop_rag.gui.controllers.open_document import (
    DocumentCell,
    DocumentLine,
    DocumentRow,
    DocumentTable,
)

if TYPE_CHECKING:
    from desktop_rag.catalog.document_queries import ChunkOutline

_BORDER = re.compile(r" \| |\t")  # between the cells of a row without names
_PAIR = re.compile(r"(?:^|; )([^:;|]{1,80}): ")
_MOST_COLUMNS = 60

Range = tuple[int, int]
_LONGEST_HEADING = 60  # characters of one that is told by its look
_SENTENCE_ENDS = ".!?。！？"
_ENDS = f"{_SENTENCE_ENDS},;:，；："
_MOST_ROWS = 200  # of one table: a longer one goes on in the next


def table_of(
    text: str, lines: Sequence[Range], numbers: Sequence[int | None], at: int
) -> DocumentTable:
    """Return lines (ranges of `text`) as a table; `at` is where `text` begins in the document."""
    names = _names([text[start:end] for start, end in lines])
    rows = []
    for (start, end), number in zip(lines, numbers, strict=True):
        cells = _cells(text[start:end], names)
        placed = (DocumentCell(column, at + start + a, at + start + b) for column, a, b in cells)
        rows.append(DocumentRow(tuple(placed), number))
    first = tuple(text[cell.start - at : cell.end - at] for cell in rows[0].cells)
    return DocumentTable(names, tuple(rows), headed=bool(names) and set(first) <= set(names))


def _names(lines: Sequence[str]) -> tuple[str, ...]:
    """Return the column names that rows such as `Port: Stava; Cars: 12` carry; none for borders."""
    if any(map(_BORDER.search, lines[1:])):
        return ()
    counts = Counter(name for line in lines for name in dict.fromkeys(_PAIR.findall(line)))
    least = 2 if len(lines) > 3 else 1
    header = _BORDER.split(lines[0]) if _BORDER.search(lines[0]) else []
    if any(counts[name] for name in header):
        return tuple(header)[:_MOST_COLUMNS]
    names = tuple(name for name, count in counts.items() if count >= least)
    return names[:_MOST_COLUMNS] if len(names) > 1 else ()


def _cells(line: str, names: tuple[str, ...]) -> Iterator[tuple[int, int, int]]:
    """Yield column, start and end of each cell of a line."""
    pairs = list(_pairs(line, names)) if names else []
    if pairs:
        yield from pairs
        return
    at = column = 0
    for column, border in enumerate(islice(_BORDER.finditer(line), _MOST_COLUMNS - 1), start=1):
        yield column - 1, at, border.start()
        at = border.end()
    yield column, at, len(line)


def _pairs(line: str, names: tuple[str, ...]) -> Iterator[tuple[int, int, int]]:
    found = [match for match in _PAIR.finditer(line) if match.group(1) in names]
    if not found or found[0].start() > 0:
        return
    for match, after in zip(found, [*found[1:], None], strict=True):
        end = after.start() if after is not None else len(line)
        yield names.index(match.group(1)), match.end(), end


def blocks_of(
    text: str, start: int, pieces: Sequence[ChunkOutline], names: frozenset[str]
) -> Iterator[DocumentLine | DocumentTable]:
    """Yield the lines of a text that begins at `start`; those of one table together.

    `pieces` are the chunks that it touches, `names` the headings that it lies under.
    """
    kinds = _Kinds(pieces)
    rows: list[tuple[int, int]] = []
    numbers: list[int | None] = []
    table = told = -1
    for each in _lines(text, start, names):
        line = replace(each, kind=BlockKind.TEXT) if kinds.is_code(each.start) else each
        where = kinds.table(line.start) if line.kind is BlockKind.TEXT else -1
        blank = not text[line.start - start : line.end - start].strip()
        if rows and (where != table or blank or len(rows) >= _MOST_ROWS):
            yield from _closed(text, start, rows, numbers, kinds.caption(table, told))
            told = table
            rows, numbers = [], []
        if where >= 0 and not blank:
            table = where
            rows.append((line.start - start, line.end - start))
            numbers.append(kinds.number(line.start, text, start))
        else:
            yield line
    if rows:
        yield from _closed(text, start, rows, numbers, kinds.caption(table, told))


def _closed(
    text: str,
    start: int,
    rows: list[tuple[int, int]],
    numbers: list[int | None],
    caption: str,
) -> Iterator[DocumentLine | DocumentTable]:
    """Yield rows as a table; as lines where no column can be told."""
    made = table_of(text, rows, numbers, start)
    columns = max((cell.column for row in made.rows for cell in row.cells), default=0)
    if columns or any(number is not None for number in numbers):
        yield replace(made, caption=caption)
    else:
        yield from (DocumentLine(start + first, start + last) for first, last in rows)


def _lines(text: str, start: int, names: frozenset[str]) -> Iterator[DocumentLine]:
    """Yield every line, those marked as headings that are one of the names, or look like one.

    The names lack headings of sections so short that a chunk holds several.
    """
    lines = text.splitlines(keepends=True)
    bare = [line.strip() for line in lines]
    said = [at for at, line in enumerate(bare) if line]
    looking = {
        at
        for before, at, after in zip([None, *said], said, said[1:], strict=False)
        if _is_alone(bare, at)
        and not (_is_alone(bare, after) or bare[after] in names)
        and (before is None or bare[before] in names or bare[before][-1] in _SENTENCE_ENDS)
    }
    for at, line in enumerate(lines):
        is_heading = bare[at] in names or at in looking
        kind = BlockKind.HEADING if is_heading else BlockKind.TEXT
        yield DocumentLine(start, start + len(line.rstrip("\r\n")), kind)
        start += len(line)


def _is_alone(lines: Sequence[str], at: int) -> bool:
    """Say whether a line is short, ends as no sentence does, and has blank ones around it.

    So are a heading, a verse, a signature; only a heading stands between sentences.
    """
    around = [*lines[max(0, at - 1) : at], *lines[at + 1 : at + 2]]
    return len(lines[at]) <= _LONGEST_HEADING and lines[at][-1] not in _ENDS and not any(around)


class _Kinds:
    """Knows in which table a place of the text stands, and in which row of its sheet."""

    def __init__(self, pieces: Sequence[ChunkOutline]) -> None:
        self._pieces = [each for each in pieces if each.locator.start is not None]
        self._starts = [each.locator.start or 0 for each in self._pieces]
        self._tables = list(_numbered(self._pieces))

    def table(self, at: int) -> int:
        """Return the number of the table at an offset, -1 where there is none.

        Chunks of one sheet are one table, chunks of rows that follow each other, too.
        """
        index = self._index(at)
        return self._tables[index] if index >= 0 else -1

    def is_code(self, at: int) -> bool:
        """Say whether an offset lies in a piece of code, in which nothing is a heading."""
        index = self._index(at)
        return index >= 0 and self._pieces[index].kind is BlockKind.CODE

    def caption(self, table: int, told: int) -> str:
        """Return the name of the sheet that a table is, unless it was told already."""
        for piece, number in zip(self._pieces, self._tables, strict=True):
            if number == table != told and piece.locator.kind is LocatorKind.SHEET:
                return str(piece.locator.value)
        return ""

    def number(self, at: int, text: str, start: int) -> int | None:
        """Return the row of a sheet that the line at an offset is."""
        index = self._index(at)
        locator = self._pieces[index].locator
        first = locator.first_row
        if first is None or locator.start is None or locator.start < start:
            return None
        return first + text.count("\n", locator.start - start, at - start)

    def _index(self, at: int) -> int:
        index = bisect_right(self._starts, at) - 1
        if index < 0 or (self._pieces[index].locator.end or 0) <= at:
            return -1
        return index


def _numbered(pieces: Sequence[ChunkOutline]) -> Iterator[int]:
    """Yield for each chunk the number of its table, -1 for what is none."""
    number = 0
    for before, piece in zip([None, *pieces], pieces, strict=False):
        number += before is None or not _goes_on(before, piece)
        yield number if piece.kind is BlockKind.TABLE else -1


def _goes_on(one: ChunkOutline, other: ChunkOutline) -> bool:
    same = (one.kind, one.locator.kind) == (other.kind, other.locator.kind)
    flowing = other.locator.kind is LocatorKind.ROW
    return same and (flowing or one.locator.value == other.locator.value)
