"""Lines of a table's text as cells: what the parser joined for reading, taken apart for showing."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence

from desktop_rag.gui.controllers.open_document import DocumentCell, DocumentRow, DocumentTable

_BAR = " | "
_PAIR = re.compile(r"(?:^|; )([^:;|]{1,80}): ")
_MOST_COLUMNS = 60

Range = tuple[int, int]


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
    """Return the column names that rows such as `Port: Stava; Cars: 12` carry; none for bars."""
    if any(_BAR in line for line in lines[1:]):
        return ()
    counts = Counter(name for line in lines for name in dict.fromkeys(_PAIR.findall(line)))
    least = 2 if len(lines) > 3 else 1
    header = lines[0].split(_BAR) if _BAR in lines[0] else []
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
    at = 0
    for column, cell in enumerate(line.split(_BAR, _MOST_COLUMNS - 1)):
        yield column, at, at + len(cell)
        at += len(cell) + len(_BAR)


def _pairs(line: str, names: tuple[str, ...]) -> Iterator[tuple[int, int, int]]:
    found = [match for match in _PAIR.finditer(line) if match.group(1) in names]
    if not found or found[0].start() > 0:
        return
    for match, after in zip(found, [*found[1:], None], strict=True):
        end = after.start() if after is not None else len(line)
        yield names.index(match.group(1)), match.end(), end
