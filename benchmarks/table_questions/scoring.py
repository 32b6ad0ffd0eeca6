"""Whether an answer is exact: each figure and name of the gold answer stands where it should.

A single figure must stand in the answer's first paragraph; of groups, each name and its figure must
stand on one line, and of ranked ones in the right order. A table must have no other rows.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from decimal import ROUND_HALF_UP, Decimal

from benchmarks.table_questions.originals import Gold, Part

_NUMBER = re.compile(r"(?<![\w.,])-?\d{1,3}(?:,\d{3})+(?:\.\d+)?|(?<![\w.,])-?\d+(?:\.\d+)?")
_CITED = re.compile(r"\[\d+\]")
_LEAST_PLACES = 2


def is_exact(text: str, gold: Gold, *, is_single: bool, is_ranked: bool) -> bool:
    """Tell whether an answer says exactly the gold answer."""
    plain = unicodedata.normalize("NFKC", _CITED.sub(" ", text))
    if is_single:
        first = plain.strip().split("\n\n")[0]
        return all(_says(first, part) for part in gold[0])
    lines = plain.split("\n")
    found = [_line(lines, row) for row in gold]
    rows = [line for line in lines if line.startswith("|")][2:]
    if any(at is None for at in found) or (rows and len(rows) != len(gold)):
        return False
    if not is_ranked:
        return True
    figures = [row[-1] for row in gold]
    order = sorted(range(len(gold)), key=lambda at: found[at] or 0)
    return [figures[at] for at in order] == figures  # those that share a place in any order


def _line(lines: Sequence[str], row: Sequence[Part]) -> int | None:
    for at, line in enumerate(lines):
        if all(_says(line, part) for part in row):
            return at
    return None


def _says(text: str, part: Part) -> bool:
    if isinstance(part, str):
        return unicodedata.normalize("NFKC", part).casefold() in text.casefold()
    return any(_same(found.group(), part) for found in _NUMBER.finditer(text))


def _same(written: str, value: Decimal) -> bool:
    """Tell whether a figure is a value, rounded to the places that it shows: two at least."""
    figure = Decimal(written.replace(",", ""))
    exponent = figure.as_tuple().exponent
    places = -exponent if isinstance(exponent, int) else 0
    if figure == value:
        return True
    if places < _LEAST_PLACES:
        return False
    return figure == value.quantize(Decimal(1).scaleb(-places), ROUND_HALF_UP)
