"""Tables whose cells have borders: the lines in a grid of rules become one line for each row.

A cell that goes over several rows is told in each of them, so that a row can be read by itself.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from statistics import median

from desktop_rag.parsing.formats.pdf_lines import LineWord, TextLine
from desktop_rag.parsing.formats.pdf_ruling_lines import PageRules, Rule
from desktop_rag.parsing.formats.table_grid import in_rows, joined_text, pieces

_VALUE = re.compile(r"[\d—–]")
_TOUCH = 3.0  # points between rules that meet
_MOST_CELLS = 5000
_LONGEST_CELL = 1500  # characters: what has more is a frame around text
_LONGEST_REPEATED = 80
_WORDS_APART = 0.3  # in heights of the font: words that are nearer stand in one cell
_BEYOND = 3.0  # points that a text may go over its border
_INSET = 0.3  # in heights of the font: what is left free at a cell's borders


@dataclass(frozen=True, slots=True)
class _Cell:
    """A cell's first and last column and row, from 0."""

    left: int
    top: int
    right: int
    bottom: int


@dataclass(frozen=True, slots=True)
class _RuledGrid:
    """The borders of a table's columns and rows, and its cells; `cells` by their first place."""

    xs: tuple[float, ...]
    ys: tuple[float, ...]
    cell_at: Mapping[tuple[int, int], _Cell]

    def cell_of(self, x: float, y: float) -> _Cell | None:
        """Return the cell around a point."""
        column, row = _band(self.xs, x), _band(self.ys, y)
        return None if column is None or row is None else self.cell_at[column, row]


def with_ruled_rows(lines: Sequence[TextLine], rules: PageRules) -> list[TextLine]:
    """Return a page's lines, those in a grid of rules put together to one for each of its rows."""
    current = list(lines)
    for number, grid in enumerate(_grids(rules), start=1):
        inside = [line for line in current if grid.cell_of(*_middle(line)) is not None]
        rows = _rows(inside, grid, number)
        if rows:
            taken = {id(line) for line in inside}
            at = next(at for at, line in enumerate(current) if id(line) in taken)
            rest = [line for line in current[at:] if id(line) not in taken]
            current = [*current[:at], *rows, *rest]
    return current


def _middle(line: TextLine) -> tuple[float, float]:
    return (line.x0 + line.x1) / 2, (line.y0 + line.y1) / 2


def _band(edges: Sequence[float], at: float) -> int | None:
    return next((n for n, (one, other) in enumerate(pairwise(edges)) if one <= at < other), None)


def _grids(rules: PageRules) -> Iterator[_RuledGrid]:
    """Yield the grids that rules make, of two columns and two rows at least."""
    for level, upright in _components(rules):
        xs = _clustered([rule.at for rule in upright], [e for r in level for e in (r.start, r.end)])
        ys = _clustered([rule.at for rule in level], [e for r in upright for e in (r.start, r.end)])
        if len(xs) > 2 and len(ys) > 2 and len(xs) * len(ys) <= _MOST_CELLS:
            yield _RuledGrid(xs, ys, _cells(xs, ys, level, upright))


def _components(rules: PageRules) -> Iterator[tuple[list[Rule], list[Rule]]]:
    """Yield level and upright rules that meet, directly or by others."""
    left = set(range(len(rules.upright)))
    level_left = set(range(len(rules.level)))
    while level_left:
        waiting, level, upright = [(True, level_left.pop())], list[Rule](), list[Rule]()
        while waiting:
            is_level, number = waiting.pop()
            rule = (rules.level if is_level else rules.upright)[number]
            (level if is_level else upright).append(rule)
            others, source = (left, rules.upright) if is_level else (level_left, rules.level)
            met = [each for each in others if _meet(rule, source[each])]
            others.difference_update(met)
            waiting += [(not is_level, each) for each in met]
        if upright:
            yield level, upright


def _meet(one: Rule, other: Rule) -> bool:
    return (
        one.start - _TOUCH <= other.at <= one.end + _TOUCH
        and other.start - _TOUCH <= one.at <= other.end + _TOUCH
    )


def _clustered(places: Iterable[float], ends: Iterable[float]) -> tuple[float, ...]:
    """Return the places of borders, and the outermost ends of the others where none are there."""
    found: list[float] = []
    for place in sorted(places):
        if not found or place - found[-1] > _TOUCH:
            found.append(place)
    outer = list(ends)
    if outer and found and min(outer) < found[0] - 2 * _TOUCH:
        found.insert(0, min(outer))
    if outer and found and max(outer) > found[-1] + 2 * _TOUCH:
        found.append(max(outer))
    return tuple(found)


def _cells(
    xs: Sequence[float], ys: Sequence[float], level: Sequence[Rule], upright: Sequence[Rule]
) -> dict[tuple[int, int], _Cell]:
    """Return the cell that each place of the grid belongs to: over what no rule parts."""
    owner = {(x, y): (x, y) for x in range(len(xs) - 1) for y in range(len(ys) - 1)}

    def root(place: tuple[int, int]) -> tuple[int, int]:
        while owner[place] != place:
            place = owner[place]
        return place

    for x, y in list(owner):
        middle_x, middle_y = (xs[x] + xs[x + 1]) / 2, (ys[y] + ys[y + 1]) / 2
        if x + 2 < len(xs) and not _is_drawn(upright, xs[x + 1], middle_y):
            owner[root((x + 1, y))] = root((x, y))
        if y + 2 < len(ys) and not _is_drawn(level, ys[y + 1], middle_x):
            owner[root((x, y + 1))] = root((x, y))
    places: dict[tuple[int, int], list[tuple[int, int]]] = defaultdict(list)
    for place in owner:
        places[root(place)].append(place)
    found: dict[tuple[int, int], _Cell] = {}
    for same in places.values():
        columns, rows = [x for x, _ in same], [y for _, y in same]
        cell = _Cell(min(columns), min(rows), max(columns), max(rows))
        found.update(dict.fromkeys(same, cell))
    return found


def _is_drawn(rules: Iterable[Rule], at: float, across: float) -> bool:
    return any(abs(rule.at - at) <= _TOUCH and rule.start < across < rule.end for rule in rules)


def _rows(lines: Sequence[TextLine], grid: _RuledGrid, number: int) -> list[TextLine]:
    """Return a line for each row of a grid, nothing where it is no table."""
    texts: dict[_Cell, list[str]] = defaultdict(list)
    for line in lines:
        for cell, text in _by_cell(line, grid):
            texts[cell].append(text)
    if any(sum(map(len, each)) > _LONGEST_CELL for each in texts.values()):
        return []
    if not lines:
        return []
    size = median(line.size for line in lines)
    rows: list[TextLine] = []
    for row in range(len(grid.ys) - 1):
        inside = [line for line in lines if _band(grid.ys, _middle(line)[1]) == row]
        if _holds_rows(inside):
            return []
        if _overlap(cell for cell in texts if cell.top == row):
            rows += (_apart(line, number) for line in in_rows(inside))
        elif words := _row(texts, grid, row, size):
            rows.append(_line(words, inside, (grid.ys[row], grid.ys[row + 1]), number))
    is_whole = not _characters(lines) - _characters(rows)
    return rows if is_whole and sum(row.cells > 1 for row in rows) > 1 else []


def _characters(lines: Iterable[TextLine]) -> Counter[str]:
    return Counter(char for line in lines for char in line.text if not char.isspace())


def _holds_rows(lines: Sequence[TextLine]) -> bool:
    """Say whether lines between two rules are rows themselves: values stand in most columns.

    Statements of accounts have rules here and there, and none between most rows.
    """
    rows = [pieces(line) for line in in_rows(lines)]
    most = max(map(len, rows), default=0)
    full = [row for row in rows if len(row) > 1 and len(row) * 3 >= most * 2]
    return sum(any(_is_value(piece.text) for piece in row) for row in full) > 1


def _is_value(text: str) -> bool:
    return not any(map(str.isalpha, text)) and bool(_VALUE.search(text))


def _overlap(cells: Iterable[_Cell]) -> bool:
    """Say whether cells share columns: rows of a header that no rule parts."""
    ordered = sorted((cell.left, cell.right) for cell in cells)
    return any(after[0] <= before[1] for before, after in pairwise(ordered))


def _apart(line: TextLine, number: int) -> TextLine:
    words = tuple(pieces(line))
    return replace(line, words=words, cells=len(words), ruled=number)


def _line(
    words: Sequence[LineWord], inside: Sequence[TextLine], heights: tuple[float, float], number: int
) -> TextLine:
    """Return a row as one line as high as its cells."""
    return TextLine(
        text=" ".join(word.text for word in words),
        x0=words[0].x0, y0=heights[0], x1=words[-1].x1, y1=heights[1],
        size=median([line.size for line in inside] or [heights[1] - heights[0]]),
        bold=bool(inside) and all(line.bold for line in inside),
        cells=len(words),
        words=tuple(words),
        ruled=number,
    )  # fmt: skip


def _by_cell(line: TextLine, grid: _RuledGrid) -> Iterator[tuple[_Cell, str]]:
    """Yield the parts of a line that lie in different cells; words beside each other stay whole.

    A name over several columns may have the borders of those drawn through it.
    """
    _, y = _middle(line)
    groups: list[list[LineWord]] = []
    for word in line.placed_words:
        near = groups and word.x0 - groups[-1][-1].x1 < _WORDS_APART * line.size
        if near:
            groups[-1].append(word)
        else:
            groups.append([word])
    for group in groups:
        x0, x1 = group[0].x0 + _BEYOND, group[-1].x1 - _BEYOND
        middles = ((one + other) / 2 for one, other in pairwise(grid.xs))
        places = (x for x in (x0, (x0 + x1) / 2, x1, *middles) if min(x0, x1) <= x <= max(x0, x1))
        cells = [cell for x in places if (cell := grid.cell_of(x, y))]
        cells = cells or [cell for cell in [grid.cell_of(*_middle(line))] if cell]
        yield _spanned(cells), " ".join(word.text for word in group)


def _spanned(cells: Sequence[_Cell]) -> _Cell:
    return _Cell(
        min(cell.left for cell in cells), min(cell.top for cell in cells),
        max(cell.right for cell in cells), max(cell.bottom for cell in cells),
    )  # fmt: skip


def _row(
    texts: Mapping[_Cell, Sequence[str]], grid: _RuledGrid, row: int, size: float
) -> list[LineWord]:
    """Return the cells of a row, each from its left border to its right one."""
    words: list[LineWord] = []
    for cell, lines in texts.items():
        text = ""
        for line in lines:
            text = joined_text(text, line)
        repeated = cell.top < row <= cell.bottom and len(text) <= _LONGEST_REPEATED
        if text and (cell.top == row or repeated):
            inset = _INSET * size
            x0, x1 = grid.xs[cell.left] + inset, grid.xs[cell.right + 1] - inset
            words.append(LineWord(text, x0, max(x0, x1)))
    return sorted(words, key=_left)


def _left(word: LineWord) -> float:
    return word.x0
