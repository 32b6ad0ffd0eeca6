"""Show a workbook's cell as a reader would write it: its stored value, under its number format."""

from __future__ import annotations

import datetime as dt
from typing import Any

from desktop_rag.parsing.table_blocks import clean


class NumberFormats:
    """The number formats of a workbook's styles, in the order in which cells refer to them."""

    def __init__(self) -> None:
        self._codes: dict[str, str] = {}
        self._styles: list[str] = []
        self._known: dict[str, tuple[str, bool, bool]] = {}
        self._is_mac = False

    def set_epoch(self, date1904: str) -> None:
        """Say whether days count from 1904, as on old Macs."""
        self._is_mac = date1904.strip().lower() in {"1", "true", "on"}

    def add_code(self, number: str, code: str) -> None:
        """Add a format of the workbook's own."""
        self._codes[number] = code

    def add_style(self, number: str) -> None:
        """Add the next style, which shows numbers in a format."""
        self._styles.append(number)

    def of(self, style: str) -> tuple[str, bool, bool]:
        """Return a style's format, and whether it shows dates and spans of time."""
        if style not in self._known:
            self._known[style] = self._look(style)
        return self._known[style]

    def moment(self, value: float, *, is_span: bool) -> Any:
        """Return a count of days as a date, a time or a span; ValueError when it is none."""
        from openpyxl.utils.datetime import MAC_EPOCH, WINDOWS_EPOCH, from_excel

        return from_excel(value, MAC_EPOCH if self._is_mac else WINDOWS_EPOCH, timedelta=is_span)

    def date_text(self, value: float, code: str) -> str:
        """Return a count of days as a reader would write it under a format's code."""
        from openpyxl.styles.numbers import is_timedelta_format

        try:
            return value_text(self.moment(value, is_span=is_timedelta_format(code)))
        except (ValueError, OverflowError):
            return "#VALUE!"

    def _look(self, style: str) -> tuple[str, bool, bool]:
        from openpyxl.styles.numbers import (
            BUILTIN_FORMATS,
            is_date_format,
            is_timedelta_format,
        )

        at = int(style) if style.isdecimal() and len(style) < 9 else 0
        number = self._styles[at] if at < len(self._styles) else ""
        code = self._codes.get(number)
        if code is None and number.isdecimal() and len(number) < 9:
            code = BUILTIN_FORMATS.get(int(number))
        if code is None:
            return "", False, False
        return code, is_date_format(code), is_timedelta_format(code)


def cell_text(raw: str, kind: str, style: str, formats: NumberFormats) -> str:
    """Return the text of a cell of a kind (`n`, `b`, `d`, `e`, `str` …) from its stored value."""
    try:
        if kind == "n":
            return _numeric(raw, style, formats)
        if kind == "b":
            return value_text(bool(int(raw)))
        if kind == "d":
            from openpyxl.utils.datetime import from_ISO8601

            return value_text(from_ISO8601(raw))  # type: ignore[no-untyped-call]
    except (ValueError, OverflowError):
        pass  # shown as it is stored
    return clean(raw)


def _numeric(raw: str, style: str, formats: NumberFormats) -> str:
    code, is_date, is_span = formats.of(style)
    value: float = float(raw) if any(mark in raw for mark in ".Ee") else int(raw)
    if is_date:
        try:
            return value_text(formats.moment(value, is_span=is_span))
        except (ValueError, OverflowError):
            return "#VALUE!"
    return value_text(value, code)


def value_text(value: Any, number_format: str = "") -> str:
    """Return a cell's value as a reader would write it."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return "TRUE" if value else "FALSE"
    if isinstance(value, dt.datetime):
        return _moment(value)
    if isinstance(value, float):
        return _number(value, number_format)
    return clean(str(value))


def _moment(value: dt.datetime) -> str:
    if value.time() == dt.time():
        return value.date().isoformat()
    return value.isoformat(" ", "seconds")


def _number(value: float, number_format: str) -> str:
    if "%" in number_format:
        return f"{value * 100:.10g}%"
    return f"{value:.15g}" if abs(value) < 1e15 else str(value)
