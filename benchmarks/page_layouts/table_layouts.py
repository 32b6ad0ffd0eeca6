"""Layouts with tables: all rules, some or none, over pages, turned pages."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from benchmarks.page_layouts.made_document import MadeTable
from benchmarks.page_layouts.made_tables import (
    Rules,
    TableStyle,
    amounts_table,
    draw_table,
    grouped_table,
    noted_table,
    texts_table,
)
from benchmarks.page_layouts.page_writer import Frame, PageWriter
from benchmarks.page_layouts.sentences import TextSource
from benchmarks.page_layouts.text_layouts import MARGIN, Styles, styles_of

Made = Callable[[TextSource], MadeTable]
WriterOf = Callable[[], PageWriter]


_ROOM_FOR_TABLE = 390.0  # points: with the text before and after it


@dataclass(frozen=True, slots=True)
class _Sheet:
    """What a page with tables is written with."""

    writer: PageWriter
    source: TextSource
    styles: Styles

    def frame(self) -> Frame:
        """Return the page within its margins."""
        width, height = self.writer.size
        return Frame(0, MARGIN, height - 60, 60, width - 2 * MARGIN)

    def text(self, frame: Frame, sentences: int = 3) -> float:
        """Set a heading and a paragraph; return where they end."""
        y = self.writer.paragraph(self.source.heading(), self.styles.heading, frame)
        told = self.source.paragraph(sentences)
        return self.writer.paragraph(told, self.styles.body, replace(frame, top=y - 4)) - 12

    def table_style(self, table: MadeTable, rules: Rules, width: float) -> TableStyle:
        """Return how a table is drawn within a width."""
        body = replace(self.styles.body, indent=0.0, hyphenated=False)
        head = replace(self.styles.heading, size=body.size, leading=body.leading)
        low = any(not any(row[1:]) for row in table.rows)  # rows that head others: a statement
        return TableStyle(rules, head, body, _widths(table, width), low=low)


def _widths(table: MadeTable, width: float) -> tuple[float, ...]:
    """Return widths of columns: wide ones for texts."""
    columns = list(zip(*table.heads, *table.rows, strict=True))
    longest = [max(map(len, column)) for column in columns]
    wide = [at for at, most in enumerate(longest) if most > 40]
    fixed = [130.0 if at == 0 else 0.0 if at in wide else 82.0 for at in range(len(columns))]
    rest = width - sum(fixed)
    return tuple(rest / len(wide) if at in wide else each for at, each in enumerate(fixed))


def page_with_table(
    source: TextSource, made: Made, rules: Rules, writer_of: WriterOf = PageWriter
) -> PageWriter:
    """Return a page with text, a table, text, a table, text."""
    sheet = _Sheet(writer_of(), source, styles_of(source.language))
    frame = sheet.frame()
    y = frame.top
    while not sheet.writer.tables or y - frame.bottom > _ROOM_FOR_TABLE:
        y = sheet.text(replace(frame, top=y))
        table = made(source)
        style = sheet.table_style(table, rules, frame.width)
        y = draw_table(sheet.writer, table, style, (0, frame.x, y)) - 24
        sheet.writer.tables.append(table)
    sheet.text(replace(frame, top=y))
    return sheet.writer


def long_table(source: TextSource, rules: Rules) -> PageWriter:
    """Return a table over two pages, its heads repeated on the second one."""
    sheet = _Sheet(PageWriter(), source, styles_of(source.language))
    frame = sheet.frame()
    words = [amounts_table(source, 12, 4) for _ in range(4)]
    heads = words[0].heads
    rows = tuple((f"{source.random.randint(100, 999)} {row[0]}", *row[1:])
                 for each in words for row in each.rows)  # fmt: skip
    whole = MadeTable(heads, rows)
    style = sheet.table_style(whole, rules, frame.width)
    y = sheet.text(frame)
    fitting = int((y - frame.bottom) / style.height(rows[0])) - 2
    draw_table(sheet.writer, MadeTable(heads, rows[:fitting]), style, (0, frame.x, y))
    y = draw_table(sheet.writer, MadeTable(heads, rows[fitting:]), style, (1, frame.x, frame.top))
    sheet.text(replace(frame, page=1, top=y - 24))
    sheet.writer.tables.append(whole)
    return sheet.writer


def amounts(source: TextSource) -> MadeTable:
    """Return labels with amounts in three or four columns."""
    return amounts_table(source, source.random.randint(6, 9), source.random.randint(3, 4))


def grouped(source: TextSource) -> MadeTable:
    """Return a table with two rows of heads."""
    return grouped_table(source, source.random.randint(5, 7), 2)


def texts(source: TextSource) -> MadeTable:
    """Return a table whose cells take several lines."""
    return texts_table(source, 4)


def noted(source: TextSource) -> MadeTable:
    """Return a table with remarks in some rows."""
    return noted_table(source, source.random.randint(6, 8))
