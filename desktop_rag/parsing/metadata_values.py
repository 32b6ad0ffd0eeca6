"""Values of documents' properties, as formats write them, in the one form that is kept.

A value that is none (a date in the year 0, a name of line noise) is left out: nothing stands still
for a wrong one.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from datetime import UTC, datetime, timedelta, timezone
from email.utils import getaddresses, parsedate_to_datetime

from desktop_rag.core.document_metadata import LONGEST_VALUE, MOST_NAMES

_ISO = re.compile(
    r"\s*(\d{4})(?:-?(\d{2})(?:-?(\d{2})(?:[T ](\d{2}):?(\d{2})(?::?(\d{2}))?(?:\.\d+)?"
    r"\s*(Z|UTC|[+-]\d{2}:?\d{2})?)?)?)?"
)
_PDF = re.compile(
    r"\s*(?:D:)?(\d{4})(\d{2})?(\d{2})?(\d{2})?(\d{2})?(\d{2})?\s*(Z|[+-]\d{2}'?(?:\d{2})?'?)?"
)
_OFFSET = re.compile(r"([+-])(\d{2}):?'?(\d{2})?")
_PARTING = re.compile(r"\s*[;\n]\s*")
_KEYWORD_PARTING = re.compile(r"\s*[;,\n、，；]\s*")
_WINDOWS_EPOCH = datetime(1601, 1, 1, tzinfo=UTC)
_FIRST_YEAR, _LAST_YEAR = 1900, 2100


def iso_date(text: str | None) -> float | None:
    """Return a date of ISO 8601 in Unix seconds, also of a year or a month alone; None for none.

    One that names no zone is told in UTC.
    """
    return _date(_ISO.match(text or ""))


def pdf_date(text: str | None) -> float | None:
    """Return a date as PDF writes it (`D:20230731120000+02'00'`); None for none."""
    return _date(_PDF.match(text or ""))


def mail_date(text: str | None) -> float | None:
    """Return a date as mails write it (RFC 5322), or in ISO 8601; None for none."""
    try:
        found = parsedate_to_datetime(text or "")
    except (ValueError, IndexError, TypeError, OverflowError):
        return iso_date(text)
    return _seconds(found if found.tzinfo else found.replace(tzinfo=UTC))


def file_time(count: int) -> float | None:
    """Return a moment of Windows (tenths of microseconds since 1601) in Unix seconds."""
    try:
        return _seconds(_WINDOWS_EPOCH + timedelta(microseconds=count // 10))
    except OverflowError:
        return None


def people(text: str | None) -> tuple[str, ...]:
    """Return the people whom a property names: one a line, or parted by semicolons."""
    return names(_PARTING.split(text or ""))


def mail_people(*heads: str | None) -> tuple[str, ...]:
    """Return the people of a mail's heads, each with name and address as they are there."""
    return names(each for head in heads if head for each in _addressed(head))


def _addressed(head: str) -> list[str]:
    """Return the people of one head; the whole head where it is not as it should be."""
    try:
        people = getaddresses([head])
    except RecursionError:  # comments in comments without end
        return [head]
    found = [
        f"{name} <{address}>" if name and address else name or address for name, address in people
    ]
    return list(filter(None, found)) or [head]


def keywords(*texts: str | None) -> tuple[str, ...]:
    """Return keywords, which commas or semicolons part."""
    return names(word for text in texts for word in _KEYWORD_PARTING.split(text or ""))


def names(values: Iterable[str | None]) -> tuple[str, ...]:
    """Return values, each once, without those that hold no letter; not too many or too long."""
    kept: dict[str, None] = {}
    for value in values:
        line = one_line(value)
        if any(map(str.isalnum, line)):
            kept[line] = None
        if len(kept) == MOST_NAMES:
            break
    return tuple(kept)


def one_line(value: str | None) -> str:
    """Return a value on one line, not too long."""
    return " ".join((value or "")[: 4 * LONGEST_VALUE].split())[:LONGEST_VALUE]


def _date(found: re.Match[str] | None) -> float | None:
    if found is None:
        return None
    *parts, zone = found.groups()
    year, month, day, hour, minute, second = (int(part) if part else None for part in parts)
    try:
        moment = datetime(
            year or 0, month or 1, day or 1, hour or 0, minute or 0, second or 0, tzinfo=_zone(zone)
        )
    except ValueError:
        return None
    return _seconds(moment)


def _zone(text: str | None) -> timezone:
    found = _OFFSET.match(text or "")
    if found is None:
        return UTC
    sign, hours, minutes = found.groups()
    offset = timedelta(hours=min(int(hours), 23), minutes=min(int(minutes or 0), 59))
    return timezone(-offset if sign == "-" else offset)


def _seconds(moment: datetime) -> float | None:
    return moment.timestamp() if _FIRST_YEAR <= moment.year <= _LAST_YEAR else None
