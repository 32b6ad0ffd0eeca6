"""Which rows a question is about: cells that it names, numbers that it compares, years and months.

A condition is a value; `shape_sql` writes it as SQL.
"""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal

from desktop_rag.tables.cell_values import ColumnKind, parse_number
from desktop_rag.tables.mentions import ColumnMention, ValueMention
from desktop_rag.tables.question_words import Word
from desktop_rag.tables.typed_table import Column, TypedTable

_AMOUNT = (
    r"[$€£¥]? ?(?P<{0}>\d[\d,]*(?:\.\d+)?)(?P<{0}_scale> ?(?:thousand|million|billion|万|亿))?"
)
_ABOVE = (
    r"more than|over|above|greater than|higher than|larger than|bigger than|exceed(?:s|ing)?|"
    r"大于|超过|高于|多于|>(?!=)"
)
_AT_LEAST = r"at least|no less than|not less than|>=|≥|不少于|不低于|不小于|至少|大于等于"
_BELOW = r"less than|under|below|fewer than|lower than|smaller than|小于|低于|少于|不到|不足|<(?!=)"
_AT_MOST = r"at most|no more than|not more than|up to|<=|≤|不超过|不高于|不多于|至多|小于等于"
_COMPARED = re.compile(
    rf"(?P<at_least>{_AT_LEAST})|(?P<at_most>{_AT_MOST})|(?P<above>{_ABOVE})|(?P<below>{_BELOW})"
)
_NUMBER_BEHIND = re.compile(rf"\s*(?:or equal to )?{_AMOUNT.format('amount')}")
_BEFORE_LIMIT = re.compile(
    rf"{_AMOUNT.format('amount')}[^\d\s，,]{{0,3}}?"
    r"(?P<word>及?以上|及?以下|or more|or less|and above)"
)
_BETWEEN = re.compile(
    rf"between {_AMOUNT.format('low')} and {_AMOUNT.format('high')}"
    rf"|在?(?P<low2>\d[\d,.]*)(?:到|至|[-~])(?P<high2>\d[\d,.]*)之?间"
)
_OPERATORS = {"above": ">", "at_least": ">=", "below": "<", "at_most": "<="}
_SCALES = {"thousand": 10**3, "million": 10**6, "billion": 10**9, "万": 10**4, "亿": 10**8}
_YEAR = re.compile(r"(?<!\d)(?P<year>(?:1[5-9]|20|21)\d\d)(?!\d)(?: ?年)?")
_MONTHS = [
    "january",
    "february",
    "march",
    "april",
    "may",
    "june",
    "july",
    "august",
    "september",
    "october",
    "november",
    "december",
]
_MONTH = re.compile(
    rf"(?:(?P<year>\d{{4}}) ?年 ?(?P<number>\d{{1,2}}) ?月)|\b(?P<name>{'|'.join(_MONTHS)})\b"
    rf"(?:,? (?P<of>\d{{4}}))?|(?<!\d)(?P<year2>\d{{4}})-(?P<number2>\d{{2}})(?!\d|-)"
)
_SINCE = re.compile(
    r"\b(?P<after>after|since|later than)\s+(?P<one>\d{4})\b"
    r"|\b(?P<before>before|until|earlier than)\s+(?P<two>\d{4})\b"
    r"|(?P<three>\d{4}) ?年?(?:之后|以后|后)|(?P<four>\d{4}) ?年?(?:之前|以前|前)"
    r"|(?P<five>\d{4}) ?年?(?:以来|起)"
)
_EQUALS = re.compile(
    r"\s*(?:of|is|was|=|equals?|为|是|等于)?\s*(?P<number>\d+(?:\.\d+)?)(?![\d,.]*\d)"
)

Operand = Decimal | dt.date | str


@dataclass(frozen=True, slots=True)
class Condition:
    """Rows whose cell in a column is one of `operands`, or stands to the first as told.

    `operator` is `in`, `>`, `>=`, `<`, `<=`, `between`, `year` or `month` (of a date).
    """

    column: Column
    operator: str
    operands: tuple[Operand, ...]


def conditions_of(
    text: str,
    asked: Sequence[Word],
    table: TypedTable,
    columns: Sequence[ColumnMention],
    values: Sequence[ValueMention],
) -> tuple[list[Condition], set[int]]:
    """Return the conditions of a question, `plain` as it is, and which of its words say them."""
    reader = _ConditionReader(text, asked, table, columns)
    found = [*_named_cells(values), *reader.read()]
    return found, reader.meant


def _named_cells(values: Sequence[ValueMention]) -> Iterator[Condition]:
    """Yield a condition for each column whose cells are named, unless all rows meet it."""
    by_column: dict[str, list[ValueMention]] = {}
    for each in values:
        by_column.setdefault(each.column.name, []).append(each)
    for mentions in by_column.values():
        column = mentions[0].column
        cells = tuple(dict.fromkeys(each.value for each in mentions))
        if set(column.cells.values) != set(cells):
            yield Condition(column, "in", cells)


class _ConditionReader:
    """Reads comparisons and dates; a part of the text says one thing only."""

    def __init__(
        self,
        text: str,
        asked: Sequence[Word],
        table: TypedTable,
        columns: Sequence[ColumnMention],
    ) -> None:
        self._text = text
        self._asked = asked
        self._table = table
        self._columns = columns
        self._taken: list[tuple[int, int]] = [
            (asked[each.first].start, asked[each.end - 1].end)
            for each in columns
            if each.share >= 0.9
        ]
        self.meant: set[int] = set()

    def read(self) -> Iterator[Condition]:
        """Yield the conditions in the text."""
        yield from self._between()
        yield from self._compared()
        yield from self._since()
        yield from self._equal()
        yield from self._months()
        yield from self._years()

    def _between(self) -> Iterator[Condition]:
        for found in _BETWEEN.finditer(self._text):
            if found["low2"]:
                low, high = parse_number(found["low2"]), parse_number(found["high2"])
            else:
                low, high = _amount(found, "low"), _amount(found, "high")
            column = self._near(found.start(), ColumnKind.NUMBER)
            if column is not None and low is not None and high is not None:
                yield self._told(found.span(), Condition(column, "between", (low, high)))

    def _compared(self) -> Iterator[Condition]:
        for found in _COMPARED.finditer(self._text):
            behind = _NUMBER_BEHIND.match(self._text, found.end())
            if behind is None or self._is_taken(behind.span("amount")):
                continue
            amount = _amount(behind, "amount")
            column = self._near(found.start(), ColumnKind.NUMBER)
            if column is not None and amount is not None:
                operator = _OPERATORS[str(found.lastgroup)]
                span = (found.start(), behind.end())
                yield self._told(span, Condition(column, operator, (amount,)))
        for found in _BEFORE_LIMIT.finditer(self._text):
            amount = _amount(found, "amount")
            column = self._near(found.start(), ColumnKind.NUMBER)
            if column is None or amount is None or self._is_taken(found.span("amount")):
                continue
            operator = "<=" if "下" in found["word"] or "less" in found["word"] else ">="
            yield self._told(found.span(), Condition(column, operator, (amount,)))

    def _since(self) -> Iterator[Condition]:
        for found in _SINCE.finditer(self._text):
            group = next(name for name in ("one", "two", "three", "four", "five") if found[name])
            year = int(found[group])
            column = self._near(found.start(), ColumnKind.DATE)
            if column is None or self._is_taken(found.span(group)) or not 1500 <= year < 2200:
                continue
            is_before = group in ("two", "four")
            is_with = group == "five" or (group == "one" and found["after"] == "since")
            operator = "<" if is_before else ">="
            begin = dt.date(year if is_before or is_with else year + 1, 1, 1)
            yield self._told(found.span(), Condition(column, operator, (begin,)))

    def _equal(self) -> Iterator[Condition]:
        """Yield `month number 6`: a column of whole numbers with one behind its name."""
        for each in self._columns:
            if each.column.kind is not ColumnKind.NUMBER or each.share < 0.9:
                continue
            found = _EQUALS.match(self._text, self._asked[each.end - 1].end)
            number = parse_number(found["number"]) if found else None
            if (
                found
                and number in each.column.cells.values
                and not self._is_taken(found.span("number"))
            ):
                yield self._told(found.span("number"), Condition(each.column, "in", (number,)))  # type: ignore[arg-type]

    def _months(self) -> Iterator[Condition]:
        dates = self._near(0, ColumnKind.DATE)
        if dates is None:
            return
        for found in _MONTH.finditer(self._text):
            if self._is_taken(found.span()):
                continue
            year = found["year"] or found["of"] or found["year2"]
            number = found["number"] or found["number2"]
            month = int(number) if number else _MONTHS.index(found["name"]) + 1
            yield self._told(found.span(), Condition(dates, "month", (Decimal(month),)))
            if year:
                yield Condition(dates, "year", (Decimal(year),))

    def _years(self) -> Iterator[Condition]:
        """Yield `in 2014`, of a column of years, else of dates."""
        for found in _YEAR.finditer(self._text):
            if self._is_taken(found.span("year")):
                continue
            year = Decimal(found["year"])
            columns = [each for each in self._table.columns if _has_year(each, year)]
            dates = self._near(found.start(), ColumnKind.DATE)
            if columns:
                yield self._told(found.span(), Condition(columns[0], "in", (year,)))
            elif dates is not None:
                yield self._told(found.span(), Condition(dates, "year", (year,)))

    def _near(self, at: int, kind: ColumnKind) -> Column | None:
        """Return the column of a kind that is named next to a place, else the only one there is."""
        named = [each for each in self._columns if each.column.kind is kind]
        if named:
            return min(named, key=lambda each: self._distance(each, at)).column
        every = [each for each in self._table.columns if each.kind is kind]
        return every[0] if len(every) == 1 else None

    def _distance(self, mention: ColumnMention, at: int) -> int:
        start, end = self._asked[mention.first].start, self._asked[mention.end - 1].end
        return at - end if end <= at else (start - at) * 2

    def _is_taken(self, span: tuple[int, int]) -> bool:
        return any(span[0] < end and start < span[1] for start, end in self._taken)

    def _told(self, span: tuple[int, int], condition: Condition) -> Condition:
        self._taken.append(span)
        self.meant.update(
            at for at, word in enumerate(self._asked) if word.start < span[1] and span[0] < word.end
        )
        return condition


def _amount(found: re.Match[str], name: str) -> Decimal | None:
    number = parse_number(found[name].rstrip(",."))
    scale = (found[f"{name}_scale"] or "").strip()
    return None if number is None else number * _SCALES.get(scale, 1)


def _has_year(column: Column, year: Decimal) -> bool:
    """Say whether a column holds years, and this one."""
    if column.kind is not ColumnKind.NUMBER or year not in column.cells.values:
        return False
    return all(
        each is None or (isinstance(each, Decimal) and 1800 <= each <= 2200)
        for each in column.cells.values
    )
