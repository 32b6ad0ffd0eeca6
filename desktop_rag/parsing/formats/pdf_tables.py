"""Tables of a page: lines with wide gaps in them, and the short lines that belong to those.

A row stays one line, label and numbers together; what stands above the first row of numbers (the
years, the units) is the header, which says what the numbers of every row are.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from desktop_rag.core.types import BlockKind, Box
from desktop_rag.parsing.formats.pdf_lines import TextLine, latin_length
from desktop_rag.parsing.parsed_document import Block, BlockLocator, TableRow

# A label or a caption between rows is short; a longer line is running text.
_LONGEST_LABEL = 100
_NEAR = 3
_MOST_HEADER_LINES = 6
MONTHS = "january|february|march|april|may|june|july|august|september|october|november|december"
_DATES = re.compile(
    rf"\b(19|20)\d\d\b|\b({MONTHS})\s+\d{{1,2}}\b|\bq[1-4]\b|\(\d\)|\d{{1,4}}\s?[年月日]",
    re.IGNORECASE,
)
_AMOUNT = re.compile(r"\d[\d,]*[.,]\d|[$€£¥%]")
_VALUE = re.compile(r"\d|[—–]\s|[—–]$")


def table_numbers(lines: Sequence[TextLine]) -> list[int | None]:
    """Return for each line the number of the table that it belongs to, None for running text."""
    inside = [line.cells > 1 for line in lines]
    inside = [inside[at] or _belongs(lines, inside, at) for at in range(len(lines))]
    numbers: list[int | None] = []
    number = 0
    for at, belongs in enumerate(inside):
        if at and not (belongs and inside[at - 1] and _below(lines[at - 1], lines[at])):
            number += 1
        numbers.append(number if belongs else None)
    lonely = {n for n in numbers if n is not None and not _is_table(lines, numbers, n)}
    return [None if n in lonely else n for n in numbers]


def table_block(lines: Sequence[TextLine], place: BlockLocator) -> Block:
    """Return a table, one row a line; a label that takes two lines stands with its numbers."""
    boxes: list[Box] = []
    text = ""
    for at, line in enumerate(lines):
        if text:
            text += " " if _continues(lines[at - 1], line) else "\n"
        boxes.append(line.box(len(text)))
        text += line.text
    rows = tuple(TableRow(each, place) for each in text.split("\n"))
    return Block(BlockKind.TABLE, text, place, boxes=tuple(boxes), rows=rows, header=_header(lines))


def _belongs(lines: Sequence[TextLine], rows: Sequence[bool], at: int) -> bool:
    """Say whether a line without gaps is a label among rows, or a heading over their columns."""
    line = lines[at]
    if latin_length(line.text) > _LONGEST_LABEL or line.text.endswith((".", "。")):
        return False
    above, below = any(rows[max(0, at - _NEAR) : at]), any(rows[at + 1 : at + 1 + _NEAR])
    if not below:
        return False
    left, right = min(each.x0 for each in lines), max(each.x1 for each in lines)
    return above or line.x0 > left + 0.25 * (right - left)


def _below(one: TextLine, other: TextLine) -> bool:
    step = other.y1 - one.y1
    return -0.5 * one.height < step < 5 * max(one.height, other.height)


def _is_table(lines: Sequence[TextLine], numbers: Sequence[int | None], number: int) -> bool:
    mine = [line for line, each in zip(lines, numbers, strict=True) if each == number]
    rows = [line for line in mine if line.cells > 1]
    return len(rows) > 1 or (len(rows) == 1 and rows[0].cells > 2)


def _continues(last: TextLine, line: TextLine) -> bool:
    """Say whether a row goes on: its label broke before the numbers."""
    return last.cells == 1 and line.text[:1].islower() and not last.text.endswith((":", "."))


def _header(lines: Sequence[TextLine]) -> str:
    """Return the lines above the first one with a label and values; nothing if there are none."""
    head: list[str] = []
    for line in lines[: _MOST_HEADER_LINES + 1]:
        if _has_values(line):
            return " ".join(head)
        head.append(line.text)
    return lines[0].text if lines[0].bold and not all(line.bold for line in lines) else ""


def _has_values(line: TextLine) -> bool:
    """Say whether a line is a row of values; years and dates alone name columns."""
    text = _DATES.sub("", line.text)
    return len(_AMOUNT.findall(text)) > 1 or (line.cells > 1 and bool(_VALUE.search(text)))
