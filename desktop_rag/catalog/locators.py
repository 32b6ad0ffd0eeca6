"""Locators as compact JSON, and the locator of a range that spans several chunks."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import replace
from typing import Any

from desktop_rag.core.errors import CatalogDamaged
from desktop_rag.core.types import Box, Locator, LocatorKind


def to_row(locator: Locator) -> list[Any]:
    """Return a locator as `[kind, value, start, end, cells, [[x0, y0, x1, y1, start, end] …]]`.

    A box on another page than the locator's ends with that page.
    """
    boxes = [
        [*(round(at, 2) for at in (b.x0, b.y0, b.x1, b.y1)), b.start, b.end]
        + ([] if b.page is None else [b.page])
        for b in locator.boxes
    ]
    return [locator.kind, locator.value, locator.start, locator.end, locator.cells, boxes]


def pack(locator: Locator) -> str:
    """Return a locator's row as JSON."""
    return json.dumps(to_row(locator), ensure_ascii=False, separators=(",", ":"))


def unpack(packed: str) -> Locator:
    """Read `pack`'s form; a `CatalogDamaged` where it is another."""
    try:
        kind, value, start, end, cells, boxes = json.loads(packed)
        placed = tuple(Box(*box) for box in boxes)
        return Locator(LocatorKind(kind), value, start, end, placed, cells)
    except (ValueError, TypeError) as error:
        raise CatalogDamaged from error


def joined(locators: Iterable[Locator], start: int, end: int) -> Locator:
    """Return the locator of a range from those of the chunks that it touches, in order.

    The unit is the first one's, and boxes come only from chunks on the same page: most do not say
    on which page they lie.
    """
    touched = list(locators)
    first = touched[0]
    same = [each for each in touched if (each.kind, each.value) == (first.kind, first.value)]
    boxes = dict.fromkeys(box for each in same for box in each.boxes)
    cells = _cells([each.cells for each in same if each.cells])
    return replace(first, boxes=tuple(boxes), cells=cells).narrowed(start, end)


def _cells(ranges: list[str]) -> str | None:
    """Return `A2:F9` for `A2:F4` … `A7:F9`."""
    if not ranges:
        return None
    low, high = ranges[0].split(":")[0], ranges[-1].split(":")[-1]
    return low if low == high else f"{low}:{high}"
