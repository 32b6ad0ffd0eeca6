"""Rows of tables as text: `Net sales; 2022: 1,034.9; 2021: 929.2`, or their cells between bars.

A person and a language model need a value's column beside it. Search compares short texts, where
names repeated in every row leave no room for the rows; it reads them once, in the header.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

_PAIR = re.compile(r"(?P<parting>^|; )(?P<name>[^:;|\n]{1,120}): (?=\S)")
_WORD = re.compile(r"\w+")
_BAR = " | "


def plain_row(cells: Sequence[str]) -> str:
    """Return cells side by side, trailing empty ones left out."""
    kept = list(cells)
    while kept and not kept[-1]:
        kept.pop()
    return _BAR.join(kept)


def tabbed_row(cells: Sequence[str]) -> str:
    """Return cells with tabs between them: on a page they stand apart, and no border is drawn."""
    return "\t".join(cells).rstrip("\t")


def named_row(names: Mapping[int, str], cells: Mapping[int, str]) -> str:
    """Return `name: value` pairs of the cells that hold something, both by their columns."""
    pairs = []
    for at, cell in cells.items():
        name = names.get(at, "")
        pairs.append(f"{name}: {cell}" if name else cell)
    return "; ".join(pairs)


def bare_cells(text: str, header: str) -> str:
    """Return rows as their cells alone: no bars, nor names whose every word `header` has."""
    if "; " not in text and _BAR not in text:
        return text
    known = set(_WORD.findall(header))

    def kept(pair: re.Match[str]) -> str:
        if known.issuperset(_WORD.findall(pair["name"])):
            return " " if pair["parting"] else ""
        return pair.group()

    return "\n".join(
        _PAIR.sub(kept, row) if "; " in row else row.replace(_BAR, " ") for row in text.split("\n")
    )
