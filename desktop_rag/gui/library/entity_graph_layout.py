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
"""Pixels around a name in its box."""
_GAP = 7.0  # pixels between rows
_MARGIN = 12.0  # pixels around all
_BEND = 0.45  # of the way to a box, on which its line bends
_LEAST_WAY = 44.0  # pixels between the middle and the boxes
_MOST_NAME, _MOST_MIDDLE = 210.0, 0.3  # pixels of a box; of the width that the middle takes
_LEAST_NAME = 56.0


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

    Neighbours are in `font`, the entity in the middle in `bold`.
    """
    metrics = QFontMetricsF(font)
    row = round(metrics.height() + 2 * INNER) + _GAP
    sides = around.neighbours[1::2], around.neighbours[::2]
    rows = max(1, *map(len, sides))
    high = max(height, rows * row - _GAP + 2 * _MARGIN)
    middle = _middle(around.name, width, high, bold)
    room = (width - middle.width()) / 2 - _LEAST_WAY - _MARGIN
    places: list[EntityPlace] = []
    for at, side in enumerate(sides):
        wide = max(_LEAST_NAME, min(_MOST_NAME, room, _widest(side, metrics)))
        top = (high - (len(side) * row - _GAP)) / 2
        left = width - _MARGIN - wide if at else _MARGIN
        for number, each in enumerate(side):
            box = QRectF(left, round(top + number * row), wide, row - _GAP)
            places.append(_placed(each, box, middle, is_right=bool(at)))
    order = {each.name: at for at, each in enumerate(around.neighbours)}
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
    wide, high = min(own, _MOST_MIDDLE * width), round(metrics.height() + 3 * INNER)
    return QRectF(round((width - wide) / 2), round((height - high) / 2), round(wide), high)


def _widest(side: Sequence[EntityNeighbour], metrics: QFontMetricsF) -> float:
    names = [metrics.horizontalAdvance(sanitize_name(each.name)) for each in side]
    return round(max(names, default=0.0) + 2 * INNER + 2)


def _placed(
    neighbour: EntityNeighbour, box: QRectF, middle: QRectF, *, is_right: bool
) -> EntityPlace:
    start = QPointF(middle.right() if is_right else middle.left(), middle.center().y())
    end = QPointF(box.left() if is_right else box.right(), box.center().y())
    turn = QPointF(start.x() + (end.x() - start.x()) * _BEND, end.y())
    left, right = min(turn.x(), end.x()), max(turn.x(), end.x())
    row = QRectF(left, box.top(), right - left, box.height())
    return EntityPlace(neighbour, box, row, start, turn, end, is_right)
