"""Rows of tables in Markdown: which are heads, and where a citation stands, in the last cell."""

from __future__ import annotations

import re

_BEHIND = re.compile(r"[ \t]*(?<!\\)\|[ \t]*((?:\[\d{1,3}\][ \t]*)+)$")
_HEAD = re.compile(
    r"^(?=[^\n]*\|)[^\n]*\n(?=[ \t]*\|?[ \t]*:?-+:?[ \t]*\|[ \t|:-]*$)",
    re.MULTILINE,
)


def citations_into_cell(row: str) -> str:
    """Return a row whose citations stand in its last cell, not behind it."""
    if not row.lstrip().startswith("|") or row.count("|") < 2:
        return row  # of a row that only begins, the citation is the first cell
    return _BEHIND.sub(lambda found: f" {found[1].rstrip()} |", row)


def cite_row(row: str, marker: str) -> str:
    """Return a row with a citation at the end of its last cell."""
    if not row.endswith("|") or row.endswith("\\|"):
        return f"{row} {marker}"
    return f"{row[:-1].rstrip()} {marker} |"


def header_lines(text: str) -> list[tuple[int, int]]:
    """Return where the lines begin and end that name the columns of the tables in a text."""
    return [found.span() for found in _HEAD.finditer(text)]
