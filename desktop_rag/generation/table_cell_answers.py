"""Find the cell of a table row that a question asks for.

A row reads `column: value; column: value`. The column that the question names is the answer's; the
value that it names tells which row this is.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass

from desktop_rag.core.language import content_words

_PAIR = re.compile(r"(?:^|(?<=; ))(?P<name>[^:;|\n]{1,80}): ")
_SPACE = re.compile(r"\s+")


@dataclass(frozen=True, slots=True)
class RowCell:
    """One `name: value` of a row, from `start` to `end` in the row's text."""

    name: str
    value: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class CellMatch:
    """The cell that answers, and the one that tells whose row it is."""

    answer: RowCell
    identity: RowCell


def cells_of(row: str) -> list[RowCell]:
    """Return the named cells of a row, in order; none for a row without names."""
    return list(_cells(row))


def find_cell(row: str, question: str) -> CellMatch | None:
    """Return the cell that a question asks for, or None.

    The question must name a column, and a value of the row: else it may mean another row.
    """
    cells = cells_of(row)
    asked = _plain(question)
    words = set(content_words(question))
    identity = _identity(cells, asked)
    if identity is None:
        return None
    rest = asked.replace(_plain(identity.value), " ")
    named = [c for c in cells if c is not identity and _names(c.name, rest, words)]
    answer = _longest(named, by_value=False)
    return CellMatch(answer, identity) if answer else None


def identity_share(row: str, question: str) -> float:
    """Return the share of a question that one value of a row makes up: 0 where none stands in it.

    It tells a row from one that merely has a similar, longer name.
    """
    asked = _plain(question)
    identity = _identity(cells_of(row), asked)
    return len(_plain(identity.value)) / len(asked) if identity else 0.0


def _identity(cells: list[RowCell], asked: str) -> RowCell | None:
    return _longest([cell for cell in cells if _named(cell.value, asked)], by_value=True)


def _cells(row: str) -> Iterator[RowCell]:
    found = list(_PAIR.finditer(row))
    for at, pair in enumerate(found):
        end = found[at + 1].start() - 2 if at + 1 < len(found) else len(row)
        yield RowCell(pair["name"].strip(), row[pair.end() : end].strip(), pair.start(), end)


def _named(value: str, asked: str) -> bool:
    plain = _plain(value)
    return len(plain) >= 2 and plain in asked


def _names(name: str, asked: str, words: set[str]) -> bool:
    plain = _plain(name)
    if len(plain) >= 2 and plain in asked:
        return True
    needed = content_words(name)
    return bool(needed) and name.isascii() and set(needed) <= words


def _longest(cells: list[RowCell], *, by_value: bool) -> RowCell | None:
    return max(cells, key=lambda c: len(c.value if by_value else c.name), default=None)


def _plain(text: str) -> str:
    return _SPACE.sub("", unicodedata.normalize("NFKC", text)).casefold()
