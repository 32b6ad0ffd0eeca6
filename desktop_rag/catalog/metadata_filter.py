"""The filter of documents: what a user writes after `--where`, and what it lets pass.

`path:reports/* ext:pdf,docx title:"annual report" after:2023-01-01 before:2024-07`: parts are
joined by "and"; a date names its beginning, local time. Of what documents say of themselves:
`author:curie to:sales@example.org keyword:radium subject:invoice language:en,zh
written-after:2023 written-before:2024 min-pages:10 max-pages:50`; where a document does not say it,
it does not pass. `path:` takes several patterns, `a/*|b.md`: any of them; `kb:NAME` behind it lets
all documents of a knowledge base pass beside them.
"""

from __future__ import annotations

import math
import shlex
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import PurePath
from typing import Any

from desktop_rag.core.catalog_records import MetadataFilter
from desktop_rag.core.document_metadata import NO_METADATA, DocumentMetadata
from desktop_rag.core.errors import UsageError
from desktop_rag.core.path_filter import PathPatterns, longest_pattern, path_patterns
from desktop_rag.core.phrases import Phrase

_WORDS = {
    "title": "title", "author": "author", "to": "recipient", "keyword": "keyword",
    "subject": "subject",
}  # fmt: skip
_LISTS = {"ext": "extensions", "language": "language"}
_DAYS = {
    "after": "after", "before": "before", "written-after": "written_after",
    "written-before": "written_before",
}  # fmt: skip
_COUNTS = {"min-pages": "fewest_pages", "max-pages": "most_pages"}
_KEYS = ("path", "kb", *_WORDS, *_LISTS, *_DAYS, *_COUNTS)
_LONGEST_NUMBER = 10
_LONGEST = 2000  # a pattern takes the square of its length: 30,000 brackets took minutes
_LONGEST_OF_ALL = 200_000
_DATES = ("%Y-%m-%d", "%Y-%m", "%Y")


def parse_filter(text: str) -> MetadataFilter:
    """Read a filter; a UsageError when a part is not `key:value` with a known key."""
    _check_length(len(text), _LONGEST_OF_ALL)
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
        found |= _place(key, value, found) if key in ("path", "kb") else _field(key, value)
    return MetadataFilter(**found)


def _check_length(length: int, most: int) -> None:
    if length > most:
        remedy = Phrase("Write at most {0} characters.", f"{most:,}")
        raise UsageError("The filter is too long.", remedy)


def _place(key: str, value: str, found: dict[str, Any]) -> dict[str, Any]:
    """Return where documents may lie: `path:` begins anew, `kb:` adds to it."""
    if key == "path":
        _check_length(longest_pattern(value), _LONGEST)
        return {"path": path_patterns(value)}
    before: PathPatterns = found.get("path", PathPatterns())
    return {"path": replace(before, kbs=before.kbs | {value})}


@dataclass(frozen=True, slots=True)
class FilterTarget:
    """A file that a filter judges; `modified` is in Unix seconds."""

    path: str
    title: str
    modified: float
    pages: int | None = None
    metadata: DocumentMetadata = NO_METADATA
    kb: str = ""


def matches_filter(where: MetadataFilter, file: FilterTarget) -> bool:
    """Say whether a filter lets a file pass; letters' case is ignored."""
    name = PurePath(file.path).name
    if not where.path.lets_pass(file.path, file.kb):
        return False
    if where.extensions and PurePath(name).suffix.lower().lstrip(".") not in where.extensions:
        return False
    if where.title and not _holds(f"{file.title} {name}", where.title):
        return False
    return (
        _is_between(file.modified, where.after, where.before)
        and _is_between(file.metadata.dated, where.written_after, where.written_before)
        and _has_pages(file.pages, where)
        and _says(file.metadata, where)
    )


def _says(metadata: DocumentMetadata, where: MetadataFilter) -> bool:
    """Say whether what a document says of itself is what is asked for."""
    if where.language and metadata.language not in where.language:
        return False
    asked = (
        (where.author, metadata.authors),
        (where.recipient, metadata.recipients),
        (where.keyword, metadata.keywords),
        (where.subject, (metadata.subject,)),
    )
    return all(not words or any(_holds(each, words) for each in told) for words, told in asked)


def _has_pages(pages: int | None, where: MetadataFilter) -> bool:
    if where.fewest_pages is None and where.most_pages is None:
        return True
    most = math.inf if where.most_pages is None else where.most_pages
    return pages is not None and (where.fewest_pages or 0) <= pages <= most


def _is_between(moment: float | None, after: float | None, before: float | None) -> bool:
    if after is None and before is None:
        return True
    if moment is None or (after is not None and moment < after):
        return False
    return before is None or moment < before


def _holds(text: str, words: tuple[str, ...]) -> bool:
    text = text.casefold()
    return all(word in text for word in words)


def _field(key: str, value: str) -> dict[str, Any]:
    """Return one part of a filter as the field that it sets."""
    _check_length(len(value), _LONGEST)
    if key in _WORDS:
        return {_WORDS[key]: tuple(value.casefold().split())}
    if key in _LISTS:
        return {_LISTS[key]: tuple(each.lower().strip(". ") for each in value.split(","))}
    if key in _DAYS:
        return {_DAYS[key]: _date(value)}
    return {_COUNTS[key]: _count(value)}


def _count(text: str) -> int:
    if not (text.isascii() and text.isdigit() and len(text) < _LONGEST_NUMBER):
        raise UsageError(Phrase("“{0}” is no number of pages.", text), "Write it as 12.")
    return int(text)


def _date(text: str) -> float:
    for form in _DATES:
        try:
            return datetime.strptime(text, form).timestamp()
        except ValueError:
            continue
    raise UsageError(Phrase("“{0}” is no date.", text), "Write it as 2024-07-31, 2024-07 or 2024.")
