"""Filling values into a sentence, and joining phrases, as the window's language writes it."""

from __future__ import annotations

import re
from collections.abc import Iterable

from PySide6.QtCore import QCoreApplication

_GAP = re.compile(r"%([1-9])")


def fill(text: str, *values: object) -> str:
    """Return a sentence with its %1, %2 and so on filled in; a value that holds %2 stays so."""

    def value(found: re.Match[str]) -> str:
        number = int(found[1])
        return str(values[number - 1]) if number <= len(values) else found[0]

    return _GAP.sub(value, text)


def join_details(*parts: str) -> str:
    """Return a thing and what is said of it (a title and a place), without what is empty."""
    return QCoreApplication.translate("Beside", ", ").join(filter(None, parts))


def join_list(things: Iterable[str]) -> str:
    """Return things of one kind, one behind the other."""
    return QCoreApplication.translate("Listed", ", ").join(things)
