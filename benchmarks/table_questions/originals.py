"""Rows of the original files, read with other libraries than the program's own parsers.

What the questions' answers are computed from: nothing of `desktop_rag` is imported here.
"""

from __future__ import annotations

import csv
from collections import defaultdict
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation
from pathlib import Path
from typing import Any

Row = dict[str, str]
Part = str | Decimal
Gold = list[tuple[Part, ...]]
"""Rows of an answer, each a name and a figure, or one of them; a single figure is one row."""
Test = Callable[[Row], bool]


def always(row: Row) -> bool:
    return bool(row)


@dataclass(frozen=True, slots=True)
class Originals:
    """The folder of documents and the folder of Chinese tables."""

    documents: Path
    chinese: Path

    def csv(self, name: str) -> list[Row]:
        """Return a CSV file's rows."""
        folder = self.documents / "csv" if name.isascii() else self.chinese
        with (folder / name).open(encoding="utf-8-sig", newline="") as file:
            return [dict(row) for row in csv.DictReader(file)]

    def xlsx(self, name: str, sheet: str, header: int = 1) -> list[Row]:
        """Return a sheet's rows under the row that names the columns."""
        import openpyxl

        book = openpyxl.load_workbook(self.documents / "xlsx" / name, data_only=True)
        rows = [list(row) for row in book[sheet].iter_rows(values_only=True)]
        return _rows(rows[header - 1 :])

    def xls(self, name: str, sheet: str, header: int = 1) -> list[Row]:
        """Return the same of an old workbook."""
        import xlrd

        found = xlrd.open_workbook(str(self.documents / "xls" / name)).sheet_by_name(sheet)
        return _rows([found.row_values(at) for at in range(header - 1, found.nrows)])

    def html(self, name: str, first: str) -> list[Row]:
        """Return the rows of the table whose first cell begins with a text."""
        from lxml import html

        tree = html.fromstring((self.documents / "html" / name).read_bytes())
        for table in tree.iter("table"):
            rows = [
                [" ".join(cell.text_content().split()) for cell in row if cell.tag in ("td", "th")]
                for row in table.iter("tr")
            ]
            if rows and rows[0] and rows[0][0].startswith(first):
                return _rows(rows)
        raise LookupError(name)


def _rows(rows: list[list[Any]]) -> list[Row]:
    names = [str(each or "").strip() for each in rows[0]]
    return [
        {name: _text(cell) for name, cell in zip(names, row, strict=False)}
        for row in rows[1:]
        if any(cell not in (None, "") for cell in row)
    ]


def _text(cell: Any) -> str:
    if cell is None:
        return ""
    if isinstance(cell, float) and cell.is_integer():
        return str(int(cell))
    return str(cell).strip()


def number(text: str) -> Decimal | None:
    """Return a plain number, None for what is none."""
    try:
        found = Decimal(text.replace(",", "").replace("%", "").replace("$", "").strip())
    except InvalidOperation:
        return None
    return found if found.is_finite() else None


def numbers(rows: Iterable[Row], name: str, test: Test = always) -> list[Decimal]:
    found = (number(row.get(name, "")) for row in rows if test(row))
    return [each for each in found if each is not None]


def count(rows: Iterable[Row], test: Test = always) -> Gold:
    return [(Decimal(sum(map(test, rows))),)]


def total(rows: Iterable[Row], name: str, test: Test = always) -> Gold:
    return [(sum(numbers(rows, name, test), Decimal(0)),)]


def mean(rows: Iterable[Row], name: str, test: Test = always) -> Gold:
    found = numbers(rows, name, test)
    return [(sum(found, Decimal(0)) / len(found),)]


def distinct(rows: Iterable[Row], name: str, test: Test = always) -> Gold:
    return [(Decimal(len({row[name] for row in rows if test(row) and row[name]})),)]


def highest(rows: Iterable[Row], label: str, name: str, n: int = 1, *, low: bool = False) -> Gold:
    """Return the n rows with the highest (or lowest) figures."""
    found = [(row[label], number(row.get(name, ""))) for row in rows]
    kept = [(label, value) for label, value in found if value is not None]
    kept.sort(key=lambda pair: pair[1], reverse=not low)
    return [*kept[:n]]


def by_group(
    rows: Iterable[Row], group: str, name: str = "", test: Test = always
) -> dict[str, list[Decimal]]:
    """Return the figures of each group, of an empty one, too; without a name, ones to count."""
    found: dict[str, list[Decimal]] = defaultdict(list)
    for row in rows:
        value = number(row[name]) if name else Decimal(1)
        if test(row) and value is not None:
            found[row[group]].append(value)
    return found


def sums(groups: dict[str, list[Decimal]]) -> Gold:
    return [(name, sum(values, Decimal(0))) for name, values in groups.items()]


def means(groups: dict[str, list[Decimal]]) -> Gold:
    return [(name, sum(values, Decimal(0)) / len(values)) for name, values in groups.items()]


def best(groups: dict[str, list[Decimal]], n: int = 1, *, low: bool = False) -> Gold:
    """Return the n groups with the highest (or lowest) sums, with all that share the last place."""
    found = [(name, sum(values, Decimal(0))) for name, values in groups.items()]
    found.sort(key=lambda pair: pair[1], reverse=not low)
    last = found[:n][-1][1]
    return [pair for at, pair in enumerate(found) if at < n or pair[1] == last]
