"""The columns of a table that is known by its lines alone: white gaps that its rows share.

What stands over the rows names the columns. A name over several columns is told for each of them:
`2023 › Revenue`. Lines may come of a PDF's text or of text recognition.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from statistics import median

from desktop_rag.parsing.file_problems import FIRST_WIDE
from desktop_rag.parsing.formats.pdf_lines import LineWord, TextLine

Span = tuple[float, float]

# In heights of the line: what parts two pieces, two columns, two words.
_PIECE_GAP = 1.3
_COLUMN_GAP = 0.35
_WORD_GAP = 0.1
_NAME_GAP = 0.6  # two words of a name over columns are not as far apart
MOST_STEP = 1.8  # in heights of its font: from one line of a cell to the next
_MOST_COLUMNS = 40
_ALIGNED = 2.5  # points from a column's edge, or its middle
_LEFT_OUT = 0.4  # of the usual width: what it costs to leave a column without a name
_CROSSED = 12  # one row of so many may cross a gap between columns
_SIGN = re.compile(r"[$€£¥]|[A-Z]{2,3}\$|US\$|[$€£¥]?\s?\(")  # stands before its number
_UNIT = re.compile(r"[%)]|\)\s?%|\(\d\)")  # stands behind it
_CURRENCY = re.compile(r"([A-Z]{2,3}|US)?[$€£¥]")
_UNIT_NAME = re.compile(r"[(（].*|.*[)）]|单位.*|單位.*")
PART = " › "


@dataclass(frozen=True, slots=True)
class TableCell:
    """A cell's text, and the columns that it stands in (from 0): the first and the last."""

    text: str
    first: int
    last: int


@dataclass(frozen=True, slots=True)
class _Way:
    """A way to give columns to pieces: what it costs in points, and each piece's columns."""

    cost: float
    groups: tuple[tuple[int, int], ...]

    @property
    def used(self) -> int:
        return self.groups[-1][1] + 1 if self.groups else 0


def pieces(line: TextLine) -> list[LineWord]:
    """Return what stands between the wide gaps of a line; a sign stays with its number."""
    if line.ruled:
        return list(line.words)
    found: list[list[LineWord]] = []
    for word in sorted(line.placed_words, key=_left):
        near = found and word.x0 - found[-1][-1].x1 <= _PIECE_GAP * line.size
        if near and not _CURRENCY.fullmatch(word.text):
            found[-1].append(word)
        else:
            found.append([word])
    return _with_signs([_joined(words, line.size) for words in found])


def in_rows(lines: Iterable[TextLine]) -> list[TextLine]:
    """Return a table's lines from top to bottom, those joined that stand side by side.

    The cells of a row may be drawn one after the other, each with all its lines.
    """
    rows: list[list[TextLine]] = []
    for line in sorted(lines, key=_top):
        if rows and _is_beside(line, rows[-1]):
            rows[-1].append(line)
        else:
            rows.append([line])
    return [_as_one(row) if len(row) > 1 else row[0] for row in rows]


def _is_beside(line: TextLine, row: Sequence[TextLine]) -> bool:
    """Say whether a line stands on the height of a row's first one, and over none of its lines."""
    first = row[0]
    overlap = min(line.y1, first.y1) - max(line.y0, first.y0)
    if overlap <= 0.5 * min(line.height, first.height):
        return False
    return all(line.x1 <= each.x0 + 1 or line.x0 >= each.x1 - 1 for each in row)


def _as_one(row: Sequence[TextLine]) -> TextLine:
    words = tuple(sorted((word for line in row for word in line.placed_words), key=_left))
    return replace(
        row[0],
        text=" ".join(word.text for word in words),
        x0=min(each.x0 for each in row), y0=min(each.y0 for each in row),
        x1=max(each.x1 for each in row), y1=max(each.y1 for each in row),
        bold=all(each.bold for each in row),
        cells=sum(each.cells for each in row),
        words=words,
    )  # fmt: skip


def columns_of(rows: Sequence[TextLine]) -> list[Span]:
    """Return the columns that rows share, from left to right; hardly any row crosses a gap."""
    size = median(row.size for row in rows)
    edges: list[tuple[float, int]] = []
    for row in rows:
        for piece in pieces(row):
            edges += ((piece.x0, 1), (piece.x1, -1))
    most_crossing = len(rows) // _CROSSED
    columns: list[Span] = []
    depth, began = 0, 0.0
    for x, step in sorted(edges):
        if depth <= most_crossing < depth + step:
            began = x
        elif depth + step <= most_crossing < depth:
            if columns and began - columns[-1][1] < _COLUMN_GAP * size:
                began = columns.pop()[0]
            columns.append((began, x))
        depth += step
    return columns if len(columns) <= _MOST_COLUMNS else []


def cells_of(line: TextLine, columns: Sequence[Span]) -> list[TableCell]:
    """Return a line's cells; what stands over a gap between columns is parted there, if it can."""
    cells: list[TableCell] = []
    for piece in _split(line, columns, 0.0):
        first, last = _columns_under(piece, columns)
        if cells and first <= cells[-1].last:
            before = cells.pop()
            text = f"{before.text} {piece.text}"
            cells.append(TableCell(text, before.first, max(before.last, last)))
        else:
            cells.append(TableCell(piece.text, first, last))
    return cells


def column_names(head: Iterable[TextLine], columns: Sequence[Span]) -> dict[int, str]:
    """Return the names of columns by the lines that stand over them, from top to bottom."""
    names: dict[int, str] = {}
    wide: set[int] = set()
    complete = False
    head = list(head)
    leaves = _leaf_spans(head, columns)
    for line in head:
        cells = _head_cells(line, columns, leaves)
        if len(cells) < 2 and (complete or _UNIT_NAME.fullmatch(cells[0].text)):
            continue  # a label over the rows, or what the values are counted in
        for cell in cells:
            span = range(cell.first, cell.last + 1)
            if len(span) > 1 and _UNIT_NAME.fullmatch(cell.text):
                continue
            for at in span:
                names[at] = _under(names.get(at, ""), cell.text, is_part=at in wide)
            wide = wide.union(span) if len(span) > 1 else wide.difference(span)
        complete = complete or (not wide and len(names) >= len(columns) - 1)
    if _UNIT_NAME.fullmatch(names.get(0, "")):
        del names[0]  # it says what the values are counted in
    return {at: name.rstrip(" :：,") for at, name in names.items()}


def _under(above: str, name: str, *, is_part: bool) -> str:
    """Return the name of a column under what stands above it."""
    if not above:
        return name
    if is_part and not above.endswith(","):
        return f"{above}{PART}{name}"
    return joined_text(above, name)


def joined_text(before: str, after: str) -> str:
    """Return the lines of a cell as one text."""
    if before and after and before[-1] >= FIRST_WIDE and after[0] >= FIRST_WIDE:
        return before + after
    return f"{before} {after}".strip()


def _top(line: TextLine) -> float:
    return line.y0


def _left(word: LineWord) -> float:
    return word.x0


def _joined(words: Sequence[LineWord], size: float) -> LineWord:
    text = words[0].text
    for before, word in pairwise(words):
        text += f"{' ' if word.x0 - before.x1 > _WORD_GAP * size else ''}{word.text}"
    return LineWord(text, words[0].x0, max(word.x1 for word in words))


def _with_signs(found: Sequence[LineWord]) -> list[LineWord]:
    """Join currency signs to the number that follows, and per cent to the one before."""
    joined: list[LineWord] = []
    for piece in found:
        sign = joined and _SIGN.fullmatch(joined[-1].text)
        if joined and (sign or _UNIT.fullmatch(piece.text)):
            before = joined.pop()
            text = f"{before.text} {piece.text}" if sign else f"{before.text}{piece.text}"
            joined.append(LineWord(text, before.x0, piece.x1))
        else:
            joined.append(piece)
    return joined


def _split(line: TextLine, columns: Sequence[Span], least: float) -> Iterator[LineWord]:
    """Yield a line's pieces, parted where a gap between columns lies between two words.

    The words have to be `least` apart.
    """
    for piece in pieces(line):
        first, last = _columns_under(piece, columns)
        words = [word for word in line.placed_words if piece.x0 <= word.x0 <= piece.x1]
        if first == last or len(words) < 2:
            yield piece
            continue
        groups: list[list[LineWord]] = []
        for word in sorted(words, key=_left):
            near = groups and word.x0 - groups[-1][-1].x1 < least
            if groups and (near or not _is_parted(groups[-1][-1], word, columns)):
                groups[-1].append(word)
            else:
                groups.append([word])
        yield from _with_signs([_joined(group, line.size) for group in groups])


def _is_parted(one: LineWord, other: LineWord, columns: Sequence[Span]) -> bool:
    """Say whether the white between two words is that between two columns."""
    return any(
        one.x1 <= after[0] + 1 and other.x0 >= before[1] - 1 and one.x1 < other.x0
        and one.x0 < before[1] and other.x1 > after[0]
        for before, after in pairwise(columns)
    )  # fmt: skip


def _columns_under(piece: LineWord, columns: Sequence[Span]) -> tuple[int, int]:
    """Return the first and last column that a piece stands in, else the nearest one."""
    under = [at for at, (x0, x1) in enumerate(columns) if piece.x0 < x1 and piece.x1 > x0]
    if under:
        return under[0], under[-1]
    away = [max(x0 - piece.x1, piece.x0 - x1) for x0, x1 in columns]
    nearest = away.index(min(away))
    return nearest, nearest


def _leaf_spans(head: Sequence[TextLine], columns: Sequence[Span]) -> list[Span]:
    """Return where the names of single columns stand, else those columns of values themselves.

    A name over several columns is centred on their names, which are not always on the values.
    """
    for line in reversed(head):
        found = [(piece.x0, piece.x1) for piece in pieces(line) if not _is_label(piece, columns)]
        if len(found) == len(columns) - 1:
            return found
    return list(columns[1:])


def _head_cells(line: TextLine, columns: Sequence[Span], leaves: Sequence[Span]) -> list[TableCell]:
    """Return the cells of a line over the rows: each over the columns that it is centred on."""
    found = list(_split(line, columns, _NAME_GAP * line.size))
    over = [piece for piece in found if not _is_label(piece, columns)]
    cells = [TableCell(piece.text, 0, 0) for piece in found if _is_label(piece, columns)]
    groups = _groups(over, leaves)
    cells += [
        TableCell(piece.text, first + 1, last + 1)
        for piece, (first, last) in zip(over, groups, strict=True)
    ]
    return cells


def _is_label(piece: LineWord, columns: Sequence[Span]) -> bool:
    """Say whether a piece stands over the first column, which names the rows."""
    return len(columns) < 2 or (piece.x0 < columns[0][1] and piece.x1 <= columns[1][0] + 1)


def _groups(over: Sequence[LineWord], columns: Sequence[Span]) -> list[tuple[int, int]]:
    """Return for each piece of a line the columns that it spans.

    One each, where all are aligned with columns; else neighbouring columns are given to the pieces
    so that each stands near the middle of its own, and few columns are left out.
    """
    single = _single_columns(over, columns)
    if single:
        return [(at, at) for at in single]
    pitch = (columns[-1][1] - columns[0][0]) / len(columns) if columns else 1.0
    ways: list[_Way] = [_Way(0.0, ())] * (len(columns) > 0)
    for piece in over:
        ways = _continued(ways, piece, columns, pitch)
    if not ways:
        return [_columns_under(piece, columns) if columns else (0, 0) for piece in over]
    left_out = (way.cost + pitch * (len(columns) - way.used) * _LEFT_OUT for way in ways)
    return list(min(zip(left_out, ways, strict=True), key=_cost)[1].groups)


def _continued(
    ways: Iterable[_Way], piece: LineWord, columns: Sequence[Span], pitch: float
) -> list[_Way]:
    """Return the best ways to give columns to one more piece, one for each column that is last."""
    best: dict[int, _Way] = {}
    for way in ways:
        for first in range(way.used, len(columns)):
            skipped = way.cost + pitch * (first - way.used) * _LEFT_OUT
            for last in range(first, len(columns)):
                middle = (columns[first][0] + columns[last][1]) / 2
                cost = skipped + abs(middle - (piece.x0 + piece.x1) / 2)
                if last not in best or cost < best[last].cost:
                    best[last] = _Way(cost, (*way.groups, (first, last)))
    return list(best.values())


def _cost(priced: tuple[float, _Way]) -> float:
    return priced[0]


def _single_columns(over: Sequence[LineWord], columns: Sequence[Span]) -> list[int]:
    """Return the column of each piece of a line where each has its own, else nothing."""
    under = [_columns_under(piece, columns) for piece in over]
    firsts = [first for first, _ in under]
    distinct = len(set(firsts)) == len(firsts)
    if len(over) == len(columns) and distinct and all(a == b for a, b in under):
        return firsts
    if len(over) < 2:
        return []
    for edge in (_left_edge, _right_edge, _middle):
        aligned = [_aligned(edge(piece), [edge(_word(each)) for each in columns]) for piece in over]
        known = [at for at in aligned if at is not None]
        if len(known) == len(over) == len(set(known)):
            return known
    return []


def _aligned(x: float, edges: Sequence[float]) -> int | None:
    return next((at for at, edge in enumerate(edges) if abs(edge - x) <= _ALIGNED), None)


def _word(column: Span) -> LineWord:
    return LineWord("", *column)


def _left_edge(piece: LineWord) -> float:
    return piece.x0


def _right_edge(piece: LineWord) -> float:
    return piece.x1


def _middle(piece: LineWord) -> float:
    return (piece.x0 + piece.x1) / 2
