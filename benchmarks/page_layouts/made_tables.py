"""Tables to lay out: their cells, and how they are drawn."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum
from itertools import groupby

from benchmarks.page_layouts.made_document import MadeTable, PlacedLine
from benchmarks.page_layouts.page_writer import PageWriter
from benchmarks.page_layouts.sentences import TextSource
from benchmarks.page_layouts.typesetting import Style, broken_lines


class Rules(Enum):
    """Which lines a table is drawn with."""

    ALL = "around every cell"
    HORIZONTAL = "above and below the head, and at the end"
    NONE = "none"


@dataclass(frozen=True, slots=True)
class TableStyle:
    """How a table is drawn: its lines, the styles of heads and cells, each column's width.

    `pad` is left free at either side of a cell. Where values stand `low`, they are beside the last
    line of their row's label, else beside the first.
    """

    rules: Rules
    head: Style
    cell: Style
    widths: tuple[float, ...]
    pad: float = 4.0
    low: bool = False

    def height(self, row: Sequence[str]) -> float:
        """Return the height of a row, whose cells may take several lines."""
        most = max(len(self.lines(cell, at, self.cell)) for at, cell in enumerate(row))
        return most * self.cell.leading + self.pad

    def lines(self, cell: str, column: int, style: Style) -> list[str]:
        """Return the lines of a cell."""
        width = self.widths[column] - 2 * self.pad
        return [line.text for line in broken_lines(cell, style, width)] if cell else []


def amounts_table(source: TextSource, rows: int, columns: int) -> MadeTable:
    """Return labels with amounts: some negative ones in parentheses, some cells empty."""
    heads = ("", *source.several("column", columns))
    labels = source.several("label", rows)
    body = tuple((label, *(_amount(source) for _ in range(columns))) for label in labels)
    return MadeTable((heads,), _none_without_values(body))


def grouped_table(source: TextSource, rows: int, groups: int) -> MadeTable:
    """Return a table with two rows of heads: each upper one stands over two lower ones."""
    names = source.several("group", groups)
    lower = source.several("column", 2)
    upper = ("", *(name for name in names for _ in lower))
    labels = source.several("label", rows)
    body = tuple((label, *(_amount(source) for _ in upper[1:])) for label in labels)
    return MadeTable((upper, ("", *(lower * groups))), _none_without_values(body))


def texts_table(source: TextSource, rows: int) -> MadeTable:
    """Return a table of labels, sentences that take several lines, and an amount."""
    heads = source.several("column", 3)
    body = tuple(
        (label, _clause(source), _amount(source) or "0") for label in source.several("label", rows)
    )
    label = "名称" if source.language == "zh" else "Item"
    note = "说明" if source.language == "zh" else "Description"
    return MadeTable(((label, note, heads[0]),), body)


def noted_table(source: TextSource, rows: int) -> MadeTable:
    """Return labels with amounts and, in some rows, a short note."""
    table = amounts_table(source, rows, 2)
    head = "备注" if source.language == "zh" else "Remarks"
    notes = [source.one("note") if source.random.random() < 0.6 else "" for _ in table.rows]
    body = tuple((*row, note) for row, note in zip(table.rows, notes, strict=True))
    return MadeTable(((*table.heads[0], head),), body)


def statement_table(source: TextSource) -> MadeTable:
    """Return a statement of two years: rows that head others, long labels, totals, currencies."""
    chinese = source.language == "zh"
    year = source.random.randint(2005, 2024)
    total = "合计" if chinese else "Total"
    rows: list[tuple[str, ...]] = []
    labels = source.several("label", 8)
    for group in source.several("group", 2):
        rows.append((group, "", ""))
        mine = [labels.pop() for _ in range(4)]
        mine[1] = _long_label(source, mine[1])
        values = [[_value(source) for _ in range(2)] for _ in mine]
        first = [f"$ {value}" for value in values[0]]
        rows += ((label, *each) for label, each in zip(mine, [first, *values[1:]], strict=True))
        rows.append((f"{total} {group}", *(f"$ {_value(source)}" for _ in range(2))))
    return MadeTable((("", str(year), str(year - 1)),), tuple(rows))


def draw_table(
    writer: PageWriter, table: MadeTable, style: TableStyle, place: tuple[int, float, float]
) -> float:
    """Draw a table at a page, its left edge and its upper one; return its lower edge."""
    page, x, y = place
    cells = _Cells(writer, style, page, x)
    edges = [y]
    for heads in table.heads:
        cells.heads(heads, y, centred=len(table.heads) > 1)
        y -= style.head.leading + style.pad
    edges.append(y)
    for row in table.rows:
        cells.row(row, y)
        y -= style.height(row)
        edges.append(y)
    _rule(writer, style, (page, x), edges)
    return y


@dataclass(frozen=True, slots=True)
class _Cells:
    """Sets the cells of a table on a page, from its left edge."""

    writer: PageWriter
    style: TableStyle
    page: int
    x: float

    def heads(self, heads: Sequence[str], y: float, *, centred: bool) -> None:
        """Set column heads, equal neighbours once over all their columns."""
        at = 0
        for name, same in groupby(heads):
            count = len(list(same))
            left = self.x + sum(self.style.widths[:at])
            width = sum(self.style.widths[at : at + count])
            if name:
                room = width - self.style.head.width(name) - 2 * self.style.pad
                moved = room / 2 if centred else room if at and self._numeric(at) else 0.0
                self._line(name, self.style.head, left + self.style.pad + moved, y)
            at += count

    def row(self, row: Sequence[str], y: float) -> None:
        """Set a row's cells, amounts to the right."""
        left = self.x
        label_lines = len(self.style.lines(row[0], 0, self.style.cell))
        for at, cell in enumerate(row):
            part = self.writer.part()
            down = y - (label_lines - 1) * self.style.cell.leading if at and self.style.low else y
            sign, value = ("$", cell[2:]) if cell.startswith("$ ") else ("", cell)
            if sign:
                self._line(sign, self.style.cell, left + 24, down)
            for line in self.style.lines(value, at, self.style.cell):
                room = self.style.widths[at] - self.style.cell.width(line) - 2 * self.style.pad
                moved = room if at and self._numeric(at) else 0.0
                self._line(line, self.style.cell, left + self.style.pad + moved, down, part)
                down -= self.style.cell.leading
            left += self.style.widths[at]

    def _numeric(self, column: int) -> bool:
        return self.style.widths[column] < 100

    def _line(self, text: str, style: Style, x: float, y: float, part: int = 0) -> None:
        self.writer.put(PlacedLine(
            self.page, part or self.writer.part(), text, x, y - style.leading + 2,
            style.font, style.size,
        ))  # fmt: skip


def _rule(
    writer: PageWriter, style: TableStyle, place: tuple[int, float], edges: Sequence[float]
) -> None:
    page, x = place
    right = x + sum(style.widths)
    if style.rules is Rules.NONE:
        return
    shown = edges if style.rules is Rules.ALL else [edges[0], edges[1], edges[-1]]
    writer.rules += [(page, x, y, right, y) for y in shown]
    if style.rules is Rules.ALL:
        for at in range(len(style.widths) + 1):
            across = x + sum(style.widths[:at])
            writer.rules.append((page, across, edges[0], across, edges[-1]))


def _clause(source: TextSource) -> str:
    """Return a sentence without what parts the cells of a row that is told with its names."""
    return source.sentence().replace("; ", ", and ")


def _amount(source: TextSource) -> str:
    random = source.random
    if random.random() < 0.08:
        return ""
    value = f"{random.randint(3, 98_000):,}"
    if random.random() < 0.2:
        return f"({value})"
    return f"{random.randint(1, 99)}.{random.randint(0, 9)}%" if random.random() < 0.1 else value


def _value(source: TextSource) -> str:
    value = f"{source.random.randint(100, 98_000):,}"
    return f"({value})" if source.random.random() < 0.2 else value


def _long_label(source: TextSource, label: str) -> str:
    what, where = source.one("what"), source.one("where")
    return f"{label}（{where}{what}）" if source.language == "zh" else f"{label}, {what} {where}"


def _none_without_values(rows: tuple[tuple[str, ...], ...]) -> tuple[tuple[str, ...], ...]:
    """Return rows with an amount put where a row had none at all."""
    return tuple(row if any(row[1:]) else (row[0], "17", *row[2:]) for row in rows)
