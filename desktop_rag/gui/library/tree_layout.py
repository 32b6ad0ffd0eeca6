"""Where the nodes of a document's tree are drawn, as far as they are opened.

Each node stands over what it was opened to, in the row of its level; one that stands under several
is placed under the first of them, and has lines to the others. The spans of a row's nodes follow
each other and never overlap, so what is in sight is found by halving. A node's box keeps within the
part of its span that is in sight: whoever looks at passages sees what stands over them.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field

from PySide6.QtCore import QRectF

from desktop_rag.gui.controllers.document_tree import DocumentTree

MARGIN = 12.0
"""Pixels around all."""
_GAP = 8.0  # pixels between boxes
_WIDE, _NARROW = 148.0, 104.0  # pixels of a text's box, and of a passage's
_BETWEEN = 1.0  # heights of a box between two rows


@dataclass(frozen=True, slots=True)
class NodeSpan:
    """From where to where a node, and all that it was opened to, reaches; `wide` is its box."""

    point: int
    left: float
    right: float
    wide: float


@dataclass(slots=True)
class TreeLayout:
    """All nodes that are shown, row by row. `box_height` in pixels."""

    tree: DocumentTree
    opened: set[int]
    box_height: float
    spans: dict[int, NodeSpan] = field(default_factory=dict)
    rows: dict[int, list[NodeSpan]] = field(default_factory=lambda: defaultdict(list))
    width: float = 0.0

    @property
    def height(self) -> float:
        """How high all of it is, in pixels, whatever is opened."""
        rows = self.tree.height + 1 if self.tree.points else 0
        return rows * self._pitch - self.box_height * _BETWEEN + 2 * MARGIN

    def row_at(self, y: float) -> int:
        """Return the level whose row is at a height; -1 between two rows."""
        level = self.tree.height - int((y - MARGIN) // self._pitch)
        return level if self._top(level) <= y <= self._top(level) + self.box_height else -1

    def in_sight(self, seen: QRectF) -> Iterator[NodeSpan]:
        """Yield the nodes that reach into a part of the drawing."""
        for row in self.rows.values():
            begin = bisect_right(row, seen.left(), key=lambda each: each.right)
            end = bisect_left(row, seen.right(), key=lambda each: each.left)
            yield from row[begin:end]

    def box(self, span: NodeSpan, seen: QRectF) -> QRectF:
        """Return a node's box while that much is in sight."""
        left = (span.left + span.right - span.wide) / 2
        if span.left < seen.right() and span.right > seen.left():
            low = max(span.left, seen.left() + _GAP)
            high = min(span.right, seen.right() - _GAP)
            if high - low >= span.wide:
                left = (low + high - span.wide) / 2
            else:
                left = span.right - span.wide if span.left < seen.left() else span.left
        top = self._top(self.tree.points[span.point].level)
        return QRectF(round(left), top, span.wide, self.box_height)

    @property
    def _pitch(self) -> float:
        return self.box_height * (1 + _BETWEEN)

    def _top(self, level: int) -> float:
        return MARGIN + (self.tree.height - level) * self._pitch


def lay_out_tree(tree: DocumentTree, opened: set[int], box_height: float) -> TreeLayout:
    """Return where the tops and all that was opened are drawn."""
    made = TreeLayout(tree, opened, box_height)
    placed = set(tree.tops)

    def place(point: int, left: float) -> float:
        """Place a node and what is under it; return where the next one begins."""
        node = tree.points[point]
        begin = left
        if point in opened:
            own = [child for child in node.children if child not in placed]
            placed.update(own)
            for child in own:
                left = place(child, left)
        wide = _WIDE if node.level else _NARROW
        right = max(left, begin + wide + _GAP)
        span = NodeSpan(point, begin, right - _GAP, wide)
        made.spans[point] = span
        made.rows[node.level].append(span)
        return right

    left = MARGIN
    for top in tree.tops:
        left = place(top, left)
    made.width = left - _GAP + MARGIN
    return made
