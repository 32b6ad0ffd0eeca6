"""Checks of what stands in a file that anybody may have written: type, length and range."""

from __future__ import annotations

import math
import re
from enum import StrEnum
from typing import Any, TypeVar

from desktop_rag.core.phrases import Phrase

E = TypeVar("E", bound=StrEnum)

LARGEST = (1 << 63) - 1  # what SQLite can hold
LONGEST_PATH = 32_767  # of any system
_HEX = re.compile(r"[0-9a-f]{8,128}")
_LONE = re.compile("[\ud800-\udfff]")


class InvalidFieldError(ValueError):
    """A value is not what it has to be; the message says how, in a few words."""


def record(value: Any, *names: str) -> dict[str, Any]:
    """Return an object that has exactly these fields."""
    if not isinstance(value, dict) or value.keys() != set(names):
        raise InvalidFieldError(Phrase("it is no object of {0}", ", ".join(names)))
    return value


def row(value: Any, length: int | None = None) -> list[Any]:
    """Return a list, of this length if one is given."""
    if not isinstance(value, list) or len(value) != (len(value) if length is None else length):
        raise InvalidFieldError("it is no list of the right length")
    return value


def texts(value: Any, longest: int = LARGEST) -> tuple[str, ...]:
    """Return a list of texts."""
    return tuple(text(each, longest) for each in row(value))


def text(value: Any, longest: int = LARGEST) -> str:
    """Return a text of valid Unicode."""
    if not isinstance(value, str) or len(value) > longest:
        raise InvalidFieldError("a text is missing or too long")
    if not value.isascii() and _LONE.search(value):
        raise InvalidFieldError("a text is no Unicode")
    return value


def path(value: Any) -> str:
    """Return a path: any text that a system could have as one, of whichever system."""
    if not text(value, LONGEST_PATH) or "\0" in value:
        raise InvalidFieldError("a path is none")
    return str(value)


def digest(value: Any) -> str:
    """Return a hash in hexadecimal digits."""
    if not _HEX.fullmatch(text(value)):
        raise InvalidFieldError("a hash is none")
    return str(value)


def flag(value: Any) -> bool:
    """Return true or false."""
    if not isinstance(value, bool):
        raise InvalidFieldError("it is neither true nor false")
    return value


def number(value: Any, low: int, high: int) -> int:
    """Return a whole number between two, both included."""
    if type(value) is not int or not low <= value <= high:
        raise InvalidFieldError(Phrase("a number is not between {0} and {1}", low, high))
    return value


def real(value: Any, low: float, high: float) -> float:
    """Return a finite number between two."""
    if type(value) not in (int, float) or not math.isfinite(value) or not low <= value <= high:
        raise InvalidFieldError(
            Phrase("a number is not between {0} and {1}", f"{low:g}", f"{high:g}")
        )
    return float(value)


def word(value: Any, kind: type[E]) -> E:
    """Return one of the words of a kind."""
    return kind(text(value, 100))
