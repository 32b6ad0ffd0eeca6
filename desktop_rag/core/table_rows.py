"""Rows of tables as text: `Net sales; 2022: 1,034.9; 2021: 929.2`, or their cells between bars.

A person and a language model need a value's column beside it. Search compares short texts, where
names repeated in every row leave no room for the rows; it reads them once, in the header.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

_PAIR = re.compile(r"(?P<parting>^|; )(?P<name>[^:;|\n]{1,120}): (?=\S)")
_WORD = re.compile(r"\w+")


def plain_row(cells: Sequence[str]) -> str:
    """Return cells side by side, trailing empty ones left out."""
    kept = list(cells)
    while kept and not kept[-1]:
        kept.pop()
    return " | ".join(kept)


def named_row(names: Mapping[int, str], cells: Mapping[int, str]) -> str:
    """Return `name: value` pairs of the cells that hold something, both by their columns."""
    pairs = []
    for at, cell in cells.items():
        name = names.get(at, "")
        pairs.append(f"{name}: {cell}" if name else cell)
    return "; ".join(pairs)


def without_names(text: str, header: str) -> str:
    """Return rows without the names of their columns, where `header` has every word of those."""
    if "; " not in text:
        return text
    known = set(_WORD.findall(header))
    return "\n".join(_without_names(row, known) for row in text.split("\n"))


def _without_names(row: str, known: set[str]) -> str:
    """Return a row without its names if they are all known, else as it is."""
    named = [pair["name"] for pair in _PAIR.finditer(row)]
    if not known.issuperset(word for name in named for word in _WORD.findall(name)):
        return row
    return _PAIR.sub(lambda pair: " " if pair["parting"] else "", row)
