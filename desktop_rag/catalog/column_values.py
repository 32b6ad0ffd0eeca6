"""Values as the catalog holds them, read again: what cannot be read is damage, no fault of ours."""

from __future__ import annotations

import json
from enum import StrEnum
from typing import Any, TypeVar

from desktop_rag.core.errors import CatalogDamaged

E = TypeVar("E", bound=StrEnum)


def json_value(text: str) -> Any:
    """Return what a column holds as JSON."""
    try:
        return json.loads(text)
    except (ValueError, TypeError, RecursionError) as error:
        raise CatalogDamaged from error


def enum_value(kind: type[E], text: str) -> E:
    """Return one of the words of a kind."""
    try:
        return kind(text)
    except ValueError as error:
        raise CatalogDamaged from error


def text_list(text: str) -> tuple[str, ...]:
    """Return a column's list of texts."""
    found = json_value(text)
    if not isinstance(found, list) or not all(isinstance(each, str) for each in found):
        raise CatalogDamaged
    return tuple(found)


def require_advance(number: int, than: int) -> int:
    """Return where rows that are read in order go on: only ever further on.

    A damaged table can give the same rows for ever.
    """
    if number <= than:
        raise CatalogDamaged
    return number
