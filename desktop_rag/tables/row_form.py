"""How the rows of a table are written as text, told from its first ones: any row can then be read.

Where `row_text` makes whole tables to be asked, this is for looking at them: every line is a row,
also one that belongs under no names.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from desktop_rag.tables.row_text import Line, fill_cells, read_grid

LOOKED_AT = 200
"""Lines from which it is told."""
_BARS = ("\t", " | ")


@dataclass(frozen=True, slots=True)
class RowForm:
    """The names of a table's columns, and what stands between the cells of a row.

    `parting` is "" where each cell stands behind its name; `header` is the line of the names, None
    where none has them alone. `width` is how many columns there are, named or not. With `has_label`
    the rows do not tell the first name.
    """

    names: tuple[str, ...]
    width: int
    parting: str = ""
    header: int | None = None
    has_label: bool = False

    @property
    def own_names(self) -> tuple[str, ...]:
        """The names that the document gives."""
        return self.names[1:] if self.has_label else self.names

    def cells(self, row: str) -> tuple[str, ...]:
        """Return a row's cells; more than `width` where the row has more."""
        if self.parting:
            return tuple(cell.strip() for cell in row.split(self.parting))
        named = self.own_names
        cells = [""] * (len(named) + 1)
        if not fill_cells(cells, row, *_pattern(named)):
            return tuple(cell.strip() for cell in row.split(_BARS[1]))
        if self.has_label or not cells[0]:
            return tuple(cells if self.has_label else cells[1:])
        return (f"{cells[0]} {cells[1]}".strip(), *cells[2:])


def row_form(
    lines: Sequence[Line], header: str, before: Sequence[str], *, keeps_empty: bool
) -> RowForm:
    """Return how lines are written; only the first `LOOKED_AT` are looked at.

    `header`, `before` and `keeps_empty` are those of `row_text.read_grid`.
    """
    head = lines[:LOOKED_AT]
    parting = next((bar for bar in _BARS if any(bar in line.text for line in head)), _BARS[1])
    grid = read_grid(head, header, before, keeps_empty=keeps_empty)
    if grid is None or not grid.rows:
        width = max(line.text.count(parting) for line in head) + 1
        return RowForm((), width, parting)
    names = grid.own_names
    at = next((n for n, line in enumerate(head) if _is_header(line.text, names)), None)
    is_parted = at is not None and not _is_named(head, at, names)
    way = parting if is_parted else ""
    return RowForm(grid.names, len(grid.names), way, at, grid.has_label)


def _is_header(line: str, names: Sequence[str]) -> bool:
    return any(tuple(cell.strip() for cell in line.split(bar)) == tuple(names) for bar in _BARS)


def _is_named(lines: Sequence[Line], header: int, names: Sequence[str]) -> bool:
    """Say whether the rows below a header have its names in them."""
    below = lines[header + 1 : header + 9]
    return any(f"; {name}: " in f"; {line.text}" for line in below for name in names)


@lru_cache(maxsize=64)
def _pattern(names: tuple[str, ...]) -> tuple[re.Pattern[str], Mapping[str, Sequence[int]]]:
    places: dict[str, list[int]] = defaultdict(list)
    for at, name in enumerate(names, start=1):
        places[name].append(at)
    told = "|".join(re.escape(name) for name in sorted(places, key=len, reverse=True))
    return re.compile(rf"(?:^|; )({told}): "), places
