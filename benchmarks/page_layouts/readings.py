"""What a program reads of a document: its text, and its tables as cells.

Of this program's tables only what the user and the search index see is taken: the text of each row,
`name: value; name: value` or cells between bars, and the table's header.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate, dropwhile
from pathlib import Path
from typing import Any

from desktop_rag.core.types import BlockKind
from desktop_rag.parsing.formats import pdf
from desktop_rag.parsing.ocr.recognized_page import NOTHING_RECOGNIZED, Recognized
from desktop_rag.parsing.parsed_document import Block, ParsedDocument

_BORDER = re.compile(r" \|(?= )|\t")  # between cells of a row without names
_PAIR, _NAME = "; ", ": "


@dataclass(frozen=True, slots=True)
class Cell:
    """A cell's value with what names it: its row's label, and the heads over its column."""

    label: str
    head: str
    value: str


@dataclass(frozen=True, slots=True)
class Reading:
    """A document as a program read it: lines of text, in its order, and the cells of its tables.

    `blocks` are its texts that are not parted, where the program knows them.
    """

    lines: tuple[str, ...]
    cells: tuple[Cell, ...] = ()
    blocks: tuple[str, ...] = ()


def own_reading(path: Path, recognized: Recognized = NOTHING_RECOGNIZED) -> Reading:
    """Return what this program reads of a PDF."""
    return reading_of(pdf.parse(path, recognized))


def reading_of(document: ParsedDocument) -> Reading:
    """Return a parsed document's text and cells."""
    lines: list[str] = []
    cells: list[Cell] = []
    for block in document.blocks:
        if block.kind is BlockKind.TABLE:
            found = list(_rows(block))
            lines += _table_lines(block, found)
            cells += (cell for row in found for cell in row)
        else:
            lines += block.text.split("\n")
    blocks = tuple(block.text for block in document.blocks)
    return Reading(tuple(lines), tuple(cells), blocks)


def rival_reading(found: Mapping[str, Any], head_rows: int) -> Reading:
    """Return what `rival_reader` wrote of a document; so many rows of its tables are heads.

    A head that is left empty is taken for the one to its left, which goes on over its column.
    """
    cells: list[Cell] = []
    for grid in found["tables"]:
        rows = [[" ".join((each or "").split()) for each in row] for row in grid]
        heads = [list(accumulate(row, _filled)) for row in rows[:head_rows]]
        names = [" ".join(filter(None, parts)) for parts in zip(*heads, strict=True)]
        cells += (cell for row in rows[head_rows:] for cell in row_cells(row, names))
    return Reading(tuple(found["lines"]), tuple(cells))


def _filled(left: str, cell: str) -> str:
    return cell or left


def row_cells(row: Sequence[str], names: Sequence[str]) -> tuple[Cell, ...]:
    """Return a row's cells that hold something, under their column's names; the first names it."""
    named = dict(enumerate(names))
    return tuple(Cell(row[0], named.get(at, ""), value) for at, value in enumerate(row) if value)


def _rows(block: Block) -> Iterator[tuple[Cell, ...]]:
    """Yield the cells of each row but of those that are the header."""
    names = _between_borders(block.header) if _BORDER.search(block.header) else ()
    for row in dropwhile(lambda each: each.text in block.header, block.rows):
        pairs = [_pair(each) for each in row.text.split(_PAIR)]
        if _BORDER.search(row.text) or not any(name for name, _ in pairs):
            yield row_cells(_between_borders(row.text), names)
        else:
            yield tuple(Cell(pairs[0][1], name, value) for name, value in pairs)


def _table_lines(block: Block, rows: Sequence[Sequence[Cell]]) -> Iterator[str]:
    """Yield a table's column names and each row's values as text."""
    told = dict.fromkeys(cell.head for row in rows for cell in row if cell.head)
    yield " ".join(filter(None, _between_borders(block.header))) if block.header else " ".join(told)
    for row in rows:
        yield " ".join(cell.value for cell in row)


def _between_borders(text: str) -> tuple[str, ...]:
    return tuple(each.strip() for each in _BORDER.split(f"{text} "))


def _pair(text: str) -> tuple[str, str]:
    name, _, value = text.rpartition(_NAME)
    return name, value
