"""What a column's cells mean: numbers, dates or text, decided over the whole column.

Numbers are read as English, European and Chinese documents write them (`1,234.5`, `1.234,56`,
`(1,234)`, `3.2万`, `12%`, `€ 5`), dates as ISO, `2024年3月5日`, `05.03.2024`, `19-Dec-1960`. A cell
that does not fit its column is text, and is counted.
"""

from __future__ import annotations

import datetime as dt
import re
import unicodedata
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from decimal import Decimal
from enum import StrEnum
from functools import partial
from itertools import islice

_FITTING = 0.8  # of a column's cells that must be numbers, or dates
_LOOKED_AT, _HOPEFUL = 500, 0.5  # different cells that are tried first, and how many must fit
_LONGEST = 64  # characters of a cell that can be a number or a date
_MOST_DIGITS = 15  # of a number; what has more is a code
_EMPTY = frozenset(
    [
        "-",
        "–",
        "—",
        "--",
        "---",
        "/",
        ".",
        "..",
        "...",
        "n/a",
        "na",
        "n.a.",
        "#n/a",
        "nan",
        "none",
        "null",
        "nil",
        "?",
        "无",
        "無",
        "暂无",
        "不详",
        "未知",
        "空",
    ]
)
_CURRENCY = re.compile(
    r"[$€£¥₹₩]|\b(?:USD|EUR|GBP|CNY|RMB|JPY|CHF|HKD)\b|人民币|美元|欧元|元|円|圆", re.IGNORECASE
)
_SAME_CURRENCY = {
    "usd": "$", "美元": "$", "eur": "€", "欧元": "€", "gbp": "£", "cny": "¥", "rmb": "¥",
    "人民币": "¥", "元": "¥", "圆": "¥", "jpy": "円",
}  # fmt: skip
_TIMES = {
    "万亿": 10**12, "百万": 10**6, "千万": 10**7, "亿": 10**8, "億": 10**8, "万": 10**4,
    "萬": 10**4, "thousand": 10**3, "million": 10**6, "billion": 10**9, "bn": 10**9,
}  # fmt: skip
_SPACE = " \u00a0\u2009\u202f'’"
_ENGLISH = re.compile(
    rf"(?:\d{{1,3}}(?:,\d{{3}})+|\d{{1,3}}(?:[{_SPACE}]\d{{3}})+|\d*)(?:\.\d+)?(?:e[+-]?\d{{1,3}})?",
    re.IGNORECASE,
)
_EUROPEAN = re.compile(rf"(?:\d{{1,3}}(?:\.\d{{3}})+|\d{{1,3}}(?:[{_SPACE}]\d{{3}})+|\d*)(?:,\d+)?")
_UNIT = re.compile(
    r"(?P<number>.*\d)\s*(?P<unit>[a-zA-Zµ°]{1,4}[²³]?|[一-鿿]{1,4}|[a-z]{5,8}(?<=ion|and))"
)
_SIGNS = str.maketrans({"−": "-", "–": "-", "‐": "-"})
_MONTHS = {
    name: number
    for number, names in enumerate(
        (
            ("jan", "january"), ("feb", "february"), ("mar", "march"), ("apr", "april"),
            ("may",), ("jun", "june"), ("jul", "july"), ("aug", "august"),
            ("sep", "sept", "september"), ("oct", "october"), ("nov", "november"),
            ("dec", "december"),
        ),
        start=1,
    )
    for name in names
}  # fmt: skip
_TIME = r"(?:[ T]+(?P<hour>\d{1,2}):(?P<minute>\d\d)(?::(?P<second>\d\d)(?:\.\d+)?)?Z?)?"
_YEAR_FIRST = re.compile(
    rf"(?P<year>(?:1[5-9]|20|21)\d\d)[-/.年](?P<month>\d{{1,2}})"
    rf"(?:[-/.月](?P<day>\d{{1,2}})日?|月)?{_TIME}"
)
_PLAIN_DIGITS = re.compile(r"(?P<year>(?:19|20)\d\d)(?P<month>\d\d)(?P<day>\d\d)")
_YEAR_LAST = re.compile(
    rf"(?P<one>\d{{1,2}})(?P<by>[-/.])(?P<two>\d{{1,2}})(?P=by)(?P<year>\d{{4}}){_TIME}"
)
_NAMED_MONTH = re.compile(
    rf"(?:(?P<day>\d{{1,2}})[-. ]+)?(?P<name>[a-z]{{3,9}})\.?[-, ]*(?:(?P<other>\d{{1,2}}),? +)?"
    rf"(?P<year>\d{{4}}){_TIME}",
    re.IGNORECASE,
)


class ColumnKind(StrEnum):
    """What the cells of a column are."""

    NUMBER = "number"
    DATE = "date"
    TEXT = "text"


@dataclass(frozen=True, slots=True)
class ColumnValues:
    """A column's cells as values: a row's `Decimal`, `datetime`, text, or None for an empty cell.

    `unit` stands behind (`%`, `kg`) or before (a currency) every number. `misfits` counts cells
    that hold something of another kind than the column: they are None, too.
    """

    kind: ColumnKind
    values: tuple[Decimal | dt.datetime | str | None, ...]
    unit: str = ""
    misfits: int = 0
    filled: int = 0


@dataclass(frozen=True, slots=True)
class _Number:
    """A number as a cell writes it, with its currency, or the unit behind it."""

    value: Decimal
    unit: str = ""


def column_values(cells: Sequence[str]) -> ColumnValues:
    """Decide what a column's cells are, and return them as values."""
    plain = {cell: _plain(cell) for cell in dict.fromkeys(cells)}
    distinct = Counter[str]()
    for cell, count in Counter(cells).items():
        if plain[cell]:
            distinct[plain[cell]] += count
    filled = distinct.total()
    first = Counter(dict(islice(distinct.items(), _LOOKED_AT)))
    for read in (_read_dates, _read_numbers):
        if len(read(first)) < _HOPEFUL * len(first):
            continue
        found = read(distinct)
        fitting = sum(distinct[cell] for cell in found)
        if fitting and fitting >= _FITTING * filled:
            kind = ColumnKind.DATE if read is _read_dates else ColumnKind.NUMBER
            values = {cell: _value(found.get(text)) for cell, text in plain.items()}
            units = {each.unit for each in found.values() if isinstance(each, _Number)} - {""}
            unit = units.pop() if units else ""
            read_cells = tuple(map(values.__getitem__, cells))
            return ColumnValues(kind, read_cells, unit, filled - fitting, filled)
    texts = {cell: (cell if text else None) for cell, text in plain.items()}
    return ColumnValues(ColumnKind.TEXT, tuple(map(texts.__getitem__, cells)), filled=filled)


def parse_number(text: str) -> Decimal | None:
    """Return the number that a text says in figures, None where it says none."""
    found = _number(_plain(text), european=False) or _number(_plain(text), european=True)
    return None if found is None else found.value


def _plain(cell: str) -> str:
    """Return a cell in one width of characters; "" for one that says that it is empty."""
    text = unicodedata.normalize("NFKC", cell).translate(_SIGNS).strip()
    return "" if text.casefold() in _EMPTY else text


def _value(found: _Number | dt.datetime | None) -> Decimal | dt.datetime | None:
    return found.value if isinstance(found, _Number) else found


def _read_numbers(cells: Counter[str]) -> dict[str, _Number]:
    """Return the cells that are numbers of one unit, read with the point or comma they show."""
    if any(re.fullmatch(r"0\d+", cell) for cell in cells):
        return {}  # codes
    english = _numbers(cells, european=False)
    european = _numbers(cells, european=True)
    only_english = sum(cells[each] for each in english.keys() - european.keys())
    only_european = sum(cells[each] for each in european.keys() - english.keys())
    found = european if only_european > only_english else english
    units = Counter[str]()
    for cell, number in found.items():
        units[number.unit] += cells[cell]
    usual = max((each for each in units if each), key=units.__getitem__, default="")
    kept = {"", usual} if usual and usual != "%" else {usual if units[usual] >= units[""] else ""}
    return {cell: number for cell, number in found.items() if number.unit in kept}


def _numbers(cells: Iterable[str], *, european: bool) -> dict[str, _Number]:
    read = {cell: _number(cell, european=european) for cell in cells}
    return {cell: number for cell, number in read.items() if number is not None}


def _number(text: str, *, european: bool) -> _Number | None:
    """Return a number with its unit, None for text that is none."""
    if len(text) > _LONGEST or not any(map(str.isdigit, text)):
        return None
    text, currency = _without_currency(text)
    is_negative = text.startswith("(") and text.endswith(")")
    text = text[1:-1].strip() if is_negative else text
    if text[:1] in "+-" or text[-1:] == "-":
        is_negative ^= "-" in (text[0], text[-1])
        text = text.strip("+-").strip()
    text, unit, times = _without_unit(text)
    pattern = _EUROPEAN if european else _ENGLISH
    if not text or (currency and unit) or pattern.fullmatch(text) is None:
        return None
    digits = text.translate(str.maketrans("", "", f"{_SPACE}{'.' if european else ','}"))
    if sum(map(str.isdigit, digits.partition("e")[0].partition(".")[0])) > _MOST_DIGITS:
        return None
    value = Decimal(digits.replace(",", ".")) * times
    return _Number(-value if is_negative else value, currency or unit)


def _without_currency(text: str) -> tuple[str, str]:
    found = _CURRENCY.search(text)
    if found is None:
        return text, ""
    sign = found.group().casefold()
    return _CURRENCY.sub("", text).strip(), _SAME_CURRENCY.get(sign, sign)


def _without_unit(text: str) -> tuple[str, str, int]:
    """Return a number without `%`, a unit, or what it is multiplied by, with those."""
    if text.endswith("%"):
        return text[:-1].strip(), "%", 1
    found = _UNIT.fullmatch(text)
    if found is None:
        return text, "", 1
    unit = found["unit"]
    for name, times in _TIMES.items():
        if unit.casefold().startswith(name):
            return found["number"], unit[len(name) :], times
    return found["number"], unit, 1


def _read_dates(cells: Counter[str]) -> dict[str, dt.datetime]:
    """Return the cells that are dates; days stand before months where a cell shows it."""
    parted = [found for cell in cells if (found := _YEAR_LAST.fullmatch(cell))]
    is_day_first = any(int(each["one"]) > 12 or each["by"] == "." for each in parted)
    read: Callable[[str], dt.datetime | None] = partial(_date, is_day_first=is_day_first)
    dates = {cell: read(cell) for cell in cells if len(cell) <= _LONGEST}
    return {cell: date for cell, date in dates.items() if date is not None}


def _date(cell: str, *, is_day_first: bool) -> dt.datetime | None:
    if found := _YEAR_FIRST.fullmatch(cell) or _PLAIN_DIGITS.fullmatch(cell):
        return _moment(found, int(found["month"]), int(found["day"] or 1))
    if found := _YEAR_LAST.fullmatch(cell):
        one, two = int(found["one"]), int(found["two"])
        return _moment(found, *((two, one) if is_day_first else (one, two)))
    found = _NAMED_MONTH.fullmatch(cell)
    if found is None or found["name"].casefold() not in _MONTHS:
        return None
    return _moment(
        found, _MONTHS[found["name"].casefold()], int(found["day"] or found["other"] or 1)
    )


def _moment(found: re.Match[str], month: int, day: int) -> dt.datetime | None:
    told = found.groupdict()
    hour, minute, second = (int(told.get(name) or 0) for name in ("hour", "minute", "second"))
    try:
        return dt.datetime(int(found["year"]), month, day, hour, minute, second)
    except ValueError:
        return None
