"""The filter of documents: what a user writes after `--where`, and what it lets pass.

`path:reports/* ext:pdf,docx title:"annual report" after:2023-01-01 before:2024-07`: parts are
joined by "and"; a date names its beginning, local time.
"""

from __future__ import annotations

import shlex
from datetime import datetime
from fnmatch import fnmatchcase
from pathlib import PurePath
from typing import Any

from desktop_rag.core.catalog_records import MetadataFilter
from desktop_rag.core.errors import UsageError
from desktop_rag.core.phrases import Phrase

_KEYS = ("path", "ext", "title", "after", "before")
_LONGEST = 2000  # a pattern takes the square of its length: 30,000 brackets took minutes
_DATES = ("%Y-%m-%d", "%Y-%m", "%Y")


def parse_filter(text: str) -> MetadataFilter:
    """Read a filter; a UsageError when a part is not `key:value` with a known key."""
    if len(text) > _LONGEST:
        raise UsageError(
            "The filter is too long.",
            Phrase("Write at most {0} characters.", f"{_LONGEST:,}"),
        )
    try:
        parts = shlex.split(text)
    except ValueError as error:
        raise UsageError("The filter has an open quotation mark.", "Close it.") from error
    found: dict[str, Any] = {}
    for part in parts:
        key, colon, value = part.partition(":")
        if not colon or key not in _KEYS or not value:
            raise UsageError(
                Phrase("“{0}” is no filter.", part),
                Phrase("Write key:value, with a key of {0}.", ", ".join(_KEYS)),
            )
        found |= _field(key, value)
    return MetadataFilter(**found)


def matches_filter(where: MetadataFilter, path: str, title: str, modified: float) -> bool:
    """Say whether a filter lets a file pass; letters' case is ignored."""
    name = PurePath(path).name
    if where.path and not _matches(where.path, path, name):
        return False
    if where.extensions and PurePath(path).suffix.lower().lstrip(".") not in where.extensions:
        return False
    if where.title and not _holds(f"{title} {name}".casefold(), where.title):
        return False
    if where.after is not None and modified < where.after:
        return False
    return where.before is None or modified < where.before


def _matches(pattern: str, path: str, name: str) -> bool:
    """Match a glob with the whole path, its end from some folder on, or the name."""
    pattern, path = pattern.casefold(), path.casefold()
    return any(
        fnmatchcase(each, wanted)
        for each, wanted in (
            (path, pattern),
            (path, f"*/{pattern}"),
            (path, f"*/{pattern}/*"),
            (name.casefold(), pattern),
        )
    )


def _holds(text: str, words: tuple[str, ...]) -> bool:
    return all(word in text for word in words)


def _field(key: str, value: str) -> dict[str, Any]:
    """Return one part of a filter as the field that it sets."""
    if key == "path":
        return {"path": value}
    if key == "ext":
        return {"extensions": tuple(each.lower().strip(". ") for each in value.split(","))}
    if key == "title":
        return {"title": tuple(value.casefold().split())}
    return {key: _date(value)}


def _date(text: str) -> float:
    for form in _DATES:
        try:
            return datetime.strptime(text, form).timestamp()
        except ValueError:
            continue
    raise UsageError(Phrase("“{0}” is no date.", text), "Write it as 2024-07-31, 2024-07 or 2024.")
