"""Where an entity and those around it are drawn. The same ones are always in the same places.

The entity is in the middle, the others stand left and right of it in rows of their own, the
strongest on top: so no two names, and no two words on lines, are ever over each other.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from PySide6.QtCore import QPointF, QRectF
from PySide6.QtGui import QFont, QFontMetricsF

from desktop_rag.core.derived_events import EntityNeighbour, EntityNeighbourhood
from desktop_rag.core.sanitize import sanitize_name

INNER = 7.0
"""Pixels left and right of a name in its box."""
_ABOVE = 3.0  # pixels over and under it
_GAP = 5.0  # pixels between rows
_MARGIN = 10.0  # pixels around all
_BEND, _EARLY_BEND = 0.9, 0.25  # of the way to a box: where its line bends, and one with words
_LEAST_WAY, _NARROW_WAY = 44.0, 30.0  # pixels between the middle and the boxes
_MOST_NAME, _MOST_MIDDLE = 210.0, 0.3  # pixels of a box; of the width that the middle takes
_LEAST_NAME = 56.0
_NARROW = 400.0  # pixels of a room in which all others stand on the right
_FEWEST_ROWS = 8  # are drawn in a room however low


class EntityPlace(NamedTuple):
    """A neighbour's box, and its line: from `start` by a bend to `turn`, then level to `end`.

    `row` is what belongs to the line and not to the box: a click on it means the pair.
    """

    neighbour: EntityNeighbour
    box: QRectF
    row: QRectF
    start: QPointF
    turn: QPointF
    end: QPointF
    is_right: bool


class EntityGraphLayout(NamedTuple):
    """A neighbourhood in its place; `height` is what it takes."""

    name: str
    middle: QRectF
    places: tuple[EntityPlace, ...]
    height: float


def lay_out_entities(
    around: EntityNeighbourhood, width: float, height: float, font: QFont, bold: QFont
) -> EntityGraphLayout:
    """Return where all is drawn in a room of so many pixels; it may take more height than that.

    Of the neighbours those are drawn, the strongest, that there is height for, but at least 8 rows.
    They are in `font`, the entity in the middle in `bold`.
    """
    metrics = QFontMetricsF(font)
    row = round(metrics.height() + 2 * _ABOVE) + _GAP
    is_narrow = width < _NARROW
    fit = max(_FEWEST_ROWS, int((height + _GAP - 2 * _MARGIN) // row)) * (1 if is_narrow else 2)
    drawn = around.neighbours[:fit]
    sides = ((), drawn) if is_narrow else (drawn[1::2], drawn[::2])
    rows = max(1, *map(len, sides))
    high = max(height, rows * row - _GAP + 2 * _MARGIN)
    middle = _middle(around.name, width, high, bold)
    if is_narrow:
        middle.moveLeft(_MARGIN)
        room = width - middle.right() - _NARROW_WAY - _MARGIN
    else:
        room = (width - middle.width()) / 2 - _LEAST_WAY - _MARGIN
    places: list[EntityPlace] = []
    for at, side in enumerate(sides):
        wide = max(_LEAST_NAME, min(_MOST_NAME, room, _widest(side, metrics)))
        top = (high - (len(side) * row - _GAP)) / 2
        left = width - _MARGIN - wide if at else _MARGIN
        for number, each in enumerate(side):
            box = QRectF(left, round(top + number * row), wide, row - _GAP)
            places.append(_placed(each, box, middle, is_right=bool(at)))
    order = {each.name: at for at, each in enumerate(drawn)}
    places.sort(key=lambda each: order[each.neighbour.name])
    return EntityGraphLayout(around.name, middle, tuple(places), high)


def relation_words(triple: str, one: str, other: str) -> tuple[str, bool]:
    """Return what a triple says between two names, and whether it says it of the first.

    The whole triple where it does not begin with one of them and end with the other.
    """
    for subject, object_, is_first in ((one, other, True), (other, one, False)):
        begins = triple.casefold().startswith(subject.casefold())
        ends = triple.casefold().endswith(object_.casefold())
        between = triple[len(subject) : len(triple) - len(object_)].strip()
        if begins and ends and between:
            return between, is_first
    return triple, True


def _middle(name: str, width: float, height: float, font: QFont) -> QRectF:
    metrics = QFontMetricsF(font)
    own = metrics.horizontalAdvance(sanitize_name(name)) + 4 * INNER
    wide, high = min(own, _MOST_MIDDLE * width), round(metrics.height() + 2 * INNER)
    return QRectF(round((width - wide) / 2), round((height - high) / 2), round(wide), high)


def _widest(side: Sequence[EntityNeighbour], metrics: QFontMetricsF) -> float:
    names = [metrics.horizontalAdvance(sanitize_name(each.name)) for each in side]
    return round(max(names, default=0.0) + 2 * INNER + 2)


def _placed(
    neighbour: EntityNeighbour, box: QRectF, middle: QRectF, *, is_right: bool
) -> EntityPlace:
    start = QPointF(middle.right() if is_right else middle.left(), middle.center().y())
    end = QPointF(box.left() if is_right else box.right(), box.center().y())
    bend = _EARLY_BEND if neighbour.triples else _BEND
    turn = QPointF(start.x() + (end.x() - start.x()) * bend, end.y())
    left, right = min(turn.x(), end.x()), max(turn.x(), end.x())
    row = QRectF(left, box.top(), right - left, box.height())
    return EntityPlace(neighbour, box, row, start, turn, end, is_right)
