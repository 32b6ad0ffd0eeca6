"""Read the charts of Word and PowerPoint: their titles, and the figures that they draw."""

from __future__ import annotations

import zipfile
from collections.abc import Iterator
from itertools import islice

from lxml import etree

from desktop_rag.core.types import BlockKind
from desktop_rag.parsing.formats.ooxml_text import ParagraphReader, text_root
from desktop_rag.parsing.formats.xlsx_cell_values import NumberFormats, value_text
from desktop_rag.parsing.formats.xml_tree import attribute, children, descendants, whole_text
from desktop_rag.parsing.parsed_document import Block, BlockLocator
from desktop_rag.parsing.table_blocks import CellRow, clean, pipe_table

_MOST_SERIES = 50
_MOST_POINTS = 1000  # of one series
_MOST_CELLS = 10_000
_LARGEST = 20_000_000  # bytes of a chart, whose tree takes some ten times as much


def chart_blocks(
    archive: zipfile.ZipFile, part: str, reader: ParagraphReader, place: BlockLocator
) -> Iterator[Block]:
    """Yield a chart's titles, and a table of a row for each category, a column for each series.

    A chart that holds very much is left out, and `reader` counts it.
    """
    info = archive.NameToInfo.get(part)
    if info is not None and info.file_size > _LARGEST:
        reader.unread_charts += 1
        return
    root = text_root(archive, part)
    if root is None:
        return
    for paragraph in descendants(root, "p"):
        if text := reader.text(paragraph):
            yield Block(BlockKind.TEXT, text, place)
    yield from pipe_table(_rows(root), place)


def _rows(root: etree._Element) -> list[CellRow]:
    names: list[str] = []
    columns: list[dict[int, str]] = []
    categories: dict[int, str] = {}
    for series in islice(descendants(root, "ser"), _MOST_SERIES):
        names.append(_name(series))
        categories = dict(_points(series, "cat", "xVal")) | categories
        columns.append(dict(_points(series, "val", "yVal")))
    points = sorted({at for each in (categories, *columns) for at in each})
    rows = [("", *names)] if any(names) else []
    rows += [
        (categories.get(at, ""), *(column.get(at, "") for column in columns))
        for at in points[: _MOST_CELLS // max(len(columns), 1)]
    ]
    return [CellRow(number, cells) for number, cells in enumerate(rows, start=1)] if points else []


def _name(series: etree._Element) -> str:
    for named in children(series, "tx"):
        return clean(" ".join(map(whole_text, descendants(named, "v"))))
    return ""


def _points(series: etree._Element, *names: str) -> Iterator[tuple[int, str]]:
    """Yield a series' points as the chart keeps them beside its workbook, by their numbers."""
    known: set[int] = set()
    for held in islice(children(series, *names), 1):
        code = next((each.text or "" for each in descendants(held, "formatCode")), "")
        for point in islice(descendants(held, "pt"), _MOST_POINTS):
            number = attribute(point, "idx")
            at = int(number) if number.isdecimal() and len(number) < 7 else -1
            text = clean(whole_text(point))
            if at >= 0 and at not in known and text:  # of categories in levels, the innermost
                known.add(at)
                yield at, _figure(text, code) if code else text


def _figure(text: str, code: str) -> str:
    """Return a figure as a reader would write it, under its number format; words as they are."""
    try:
        value = float(text)
    except ValueError:
        return text
    if code != "General" and _is_date(code):
        return NumberFormats().date_text(value, code)
    return value_text(value, code)


def _is_date(code: str) -> bool:
    from openpyxl.styles.numbers import is_date_format

    return is_date_format(code)
