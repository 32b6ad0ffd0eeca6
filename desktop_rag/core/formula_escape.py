"""Cells that a spreadsheet would compute become text: a document's `=HYPERLINK(…)` leads nowhere.

After OWASP, "CSV Injection". Every table that leaves the program, through the clipboard or in a
file, passes here cell by cell.
"""

from __future__ import annotations

import re
import unicodedata

_SIGNS = "=+-@"  # and what a spreadsheet takes for them: ＝, ＋, －, ＠
_PARTS = re.compile(r"([\t\r\n\v\f\x85\u2028\u2029;])")  # where some program begins another cell
_PLAIN = re.compile(
    r"""
    [-+\uff0b\uff0d]? [\s£$€¥]* \d [\d.,'’\s]* (?:e[-+]?\d+)?  # -3.5, +1.234,56, -1e-5
    (?:[%‰°£$€¥]|[a-zµ]{1,3})?                                 # +7 %, -12 ms
    (?:\s*\[\d{1,4}\])*                                        # and the sources it rests on
    | [-+]{1,3}                                                # a dash for nothing
    """,
    re.VERBOSE | re.IGNORECASE,
)


def escape_formula(cell: str) -> str:
    """Return a cell that no spreadsheet computes: `'` before what looks like a formula.

    Numbers with a sign stay as they are.
    """
    for at in reversed(beginnings(cell)):
        cell = f"{cell[:at]}'{cell[at:]}"
    return cell


def beginnings(cell: str) -> list[int]:
    """Return where in a cell what looks like a formula begins: a cell may become several."""
    found, at = [], 0
    for part in _PARTS.split(cell):
        if _is_formula(part):
            found.append(at)
        at += len(part)
    return found


def _is_formula(part: str) -> bool:
    bare = _bare(part)
    if not bare or unicodedata.normalize("NFKC", bare[0])[0] not in _SIGNS:
        return False
    return _PLAIN.fullmatch(part.strip()) is None


def _bare(part: str) -> str:
    """Return a text from its first letter that counts: blanks, quotes, unseen signs do not."""
    for at, char in enumerate(part):
        if not (char in "\"'`“”„‘’«»" or unicodedata.category(char)[0] in "ZC"):
            return part[at:]
    return ""
