"""Show a cell of an OpenDocument spreadsheet as one of Excel: by its value."""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Mapping

from desktop_rag.parsing.formats.xlsx_cell_values import value_text
from desktop_rag.parsing.table_blocks import clean

_SPAN = re.compile(
    r"(-?)P(?:(\d{1,6})D)?T?(?:(\d{1,7})H)?(?:(\d{1,7})M)?(?:(\d{1,7})(?:[.,]\d*)?S)?"
)
_LAST_HOUR = 24


def cell_text(attributes: Mapping[str, str], shown: str) -> str:
    """Return a cell's text from its attributes, by their names alone, and what it shows."""
    kind = attributes.get("value-type", "")
    value = attributes.get("value", "")
    try:
        if kind in {"float", "percentage", "currency"} and value:
            return _number(kind, value, attributes.get("currency", ""))
        if kind == "date" and (date := attributes.get("date-value", "")):
            return value_text(dt.datetime.fromisoformat(date[:26]))
        if kind == "time" and (time := attributes.get("time-value", "")):
            return _time(time)
        if kind == "boolean" and (truth := attributes.get("boolean-value", "")):
            return value_text(truth == "true")
    except (ValueError, OverflowError):
        pass  # as it is shown
    return clean(shown) or clean(attributes.get("string-value", ""))


def _number(kind: str, value: str, currency: str) -> str:
    number = float(value)
    if kind == "percentage":
        return value_text(number, "%")
    text = value_text(number)
    return f"{text} {currency}" if kind == "currency" and currency else text


def _time(value: str) -> str:
    """Return a time of day, or a span of time that is longer than a day, in hours."""
    match = _SPAN.fullmatch(value)
    if match is None:
        raise ValueError(value)
    sign, *parts = match.groups()
    days, hours, minutes, seconds = (int(part or 0) for part in parts)
    span = dt.timedelta(days=days, hours=hours, minutes=minutes, seconds=seconds)
    if sign or span >= dt.timedelta(hours=_LAST_HOUR):
        return sign + str(span)
    return str((dt.datetime.min + span).time())
