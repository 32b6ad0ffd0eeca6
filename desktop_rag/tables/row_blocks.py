"""Where the rows of a document's tables stand in its text, and how to read them: block by block.

Unlike `stored_tables` it holds no cells, and leaves no line out: it is for looking at tables of any
length.
"""

from __future__ import annotations

from array import array
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import TYPE_CHECKING

from desktop_rag.catalog.table_chunks import TableChunk
from desktop_rag.core.types import DocumentId, Locator
from desktop_rag.tables.row_form import LOOKED_AT, RowForm, row_form
from desktop_rag.tables.row_text import Line
from desktop_rag.tables.stored_tables import keeps_empty_cells, place_name, regions

if TYPE_CHECKING:
    from desktop_rag.catalog.facade import Catalog

_STRETCH = 1_000_000  # characters read at a time


@dataclass(frozen=True, slots=True)
class RowBlock:
    """Rows without a blank line between them, of one form.

    Row n stands from `starts[n]` to `ends[n]` in the document's text; `numbers[n]` is its number in
    the sheet, 0 where that is not known. `head` are the first rows with their text. `name` is that
    of the sheet, or of the section, `place` where the block begins.
    """

    name: str
    place: Locator
    form: RowForm
    head: tuple[Line, ...] = field(repr=False)
    starts: array[int] = field(repr=False)
    ends: array[int] = field(repr=False)
    numbers: array[int] = field(repr=False)


def read_blocks(catalog: Catalog, document_id: DocumentId) -> Iterator[RowBlock]:
    """Yield the blocks of a document's tables, in order."""
    known: tuple[str, tuple[str, ...]] = ("", ())
    for region in regions(catalog.tables.chunks(document_id)):
        name = place_name(region[0])
        before = known[1] if known[0] == name else ()
        keeps = keeps_empty_cells(region[0])
        rows = _read_rows(catalog, document_id, region)
        numbers = _numbers(rows, region)
        for first, end in rows.blocks():
            head = tuple(rows.heads[first])
            form = row_form(head, region[0].context, before, keeps_empty=keeps)
            before = form.own_names or before
            known = name, before
            at = max(0, bisect_right(region, rows.starts[first], key=_start_of) - 1)
            places = (each[first:end] for each in (rows.starts, rows.ends, numbers))
            yield RowBlock(name, region[at].locator, form, head, *places)


@dataclass(slots=True)
class _Rows:
    """Where the lines of a region stand that are not blank, and which of its lines each is.

    `heads` are the first ones of each block with their text, by the block's first row.
    """

    starts: array[int] = field(default_factory=lambda: array("Q"))
    ends: array[int] = field(default_factory=lambda: array("Q"))
    lines: array[int] = field(default_factory=lambda: array("Q"))
    heads: dict[int, list[Line]] = field(default_factory=dict)

    def blocks(self) -> Iterator[tuple[int, int]]:
        """Yield the first row of each block, and the one after its last."""
        yield from pairwise([*self.heads, len(self.starts)])


def _read_rows(catalog: Catalog, document_id: DocumentId, region: Sequence[TableChunk]) -> _Rows:
    """Read where the lines of chunks that follow each other stand, parted at blank ones."""
    rows, number, head = _Rows(), 0, list[Line]()
    for start, text in _whole_lines(catalog, document_id, region[0].start, region[-1].end):
        at = start
        for line in text.split("\n"):
            if not line.strip():
                head = []
            else:
                if not head:
                    rows.heads[len(rows.starts)] = head
                if len(head) < LOOKED_AT:
                    head.append(Line(line, at, at + len(line)))
                rows.starts.append(at)
                rows.ends.append(at + len(line))
                rows.lines.append(number)
            at += len(line) + 1
            number += 1
    return rows


def _whole_lines(
    catalog: Catalog, document_id: DocumentId, start: int, end: int
) -> Iterator[tuple[int, str]]:
    """Yield a range of a text in stretches of whole lines, each with where it begins."""
    size = _STRETCH
    while start < end:
        text = catalog.documents.text(document_id, start, min(end, start + size))
        is_last = not text or start + len(text) >= end
        cut = len(text) if is_last else text.rfind("\n")
        if cut < 0:
            size *= 2  # a line longer than that
            continue
        yield start, text[:cut]
        start = end if is_last else start + cut + 1


def _numbers(rows: _Rows, region: Sequence[TableChunk]) -> array[int]:
    """Return the rows' numbers in their sheet, as the chunks say in which they begin and end.

    A blank line stands for any number of blank rows. Where that of a chunk cannot be told, only the
    rows before the first and after the last such line have a number.
    """
    numbers = array("Q", bytes(8 * len(rows.starts)))
    begins = [bisect_left(rows.starts, each.start) for each in region] + [len(rows.starts)]
    for chunk, (begin, end) in zip(region, pairwise(begins), strict=True):
        first, last = chunk.locator.first_row, chunk.locator.last_row
        if first is None or begin >= end:
            continue
        first += rows.starts[begin] > chunk.start  # it begins within a row
        lines = rows.lines[begin:end]
        rest = 0 if last is None else last - first - (lines[-1] - lines[0])
        for at, line in enumerate(lines):
            before, after = line - lines[0], lines[-1] - line
            if not rest or before == at:
                numbers[begin + at] = first + before
            elif after == len(lines) - 1 - at:
                numbers[begin + at] = (last or 0) - after
    return numbers


def _start_of(chunk: TableChunk) -> int:
    return chunk.start
