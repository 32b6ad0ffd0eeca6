"""The graph of passages that led to others: laid out, painted, and what lies under a point.

On the left each first passage, on the right those that may follow on it, a line between them as
thick as that is probable, and on it what led there. Pure but for the painting; what it says stands
in the text of the timeline as well.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QFont, QFontMetrics, QFontMetricsF, QPainter, QPainterPath, QPen

from desktop_rag.core.events import Chain
from desktop_rag.core.types import ChunkId
from desktop_rag.gui.chat import timeline_text
from desktop_rag.gui.chat.transcript_links import FOUND
from desktop_rag.gui.colors import Colors
from desktop_rag.gui.controllers.timeline import chains, place_of, source_number
from desktop_rag.gui.controllers.transcript import Turn
from desktop_rag.gui.display_text import join_details
from desktop_rag.gui.theme import scaled

_GAP = 8.0  # pixels between rows
_INNER = 6.0  # pixels around a title
_NODE, _NARROW_NODE, _NARROW = 0.33, 0.37, 260  # of the width, and of one of fewer pixels
_THICKEST = 3.5
_SIZE = 0.8  # of the reading font
_FEW = "nnnnn"  # fewer letters of a name than these tell nothing
_CUT = Qt.TextElideMode.ElideRight
_LEFT = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter


class GraphNode(NamedTuple):
    """A passage in its box; `address` is its link, `number` the source that it became."""

    box: QRectF
    address: str
    name: str
    place: str
    number: int = 0

    @property
    def title(self) -> str:
        """The passage's document and its place there."""
        return join_details(self.name, self.place)


class GraphEdge(NamedTuple):
    """A line from a first passage to one that follows; `link` is what led there."""

    start: QPointF
    end: QPointF
    link: str
    score: float


class GraphLayout(NamedTuple):
    """A graph in its place."""

    nodes: tuple[GraphNode, ...]
    lines: tuple[GraphEdge, ...]


def height(followed: Sequence[Chain], font: QFont) -> float:
    """Return how high the graph of these chains is in a font."""
    return _rows(followed) * (_row(font) + _GAP)


def lay_out_graph(turn: Turn, number: int, box: QRectF, font: QFont) -> GraphLayout:
    """Return the graph of turn `number` as it lies in a box; the same passage has several nodes."""
    nodes: list[GraphNode] = []
    lines: list[GraphEdge] = []
    share = _NODE if box.width() >= _NARROW else _NARROW_NODE
    high, wide, top = _row(font), box.width() * share, box.top()
    for chain in chains(turn):
        rows = max(1, len(chain.follows))
        middle = top + (rows * (high + _GAP) - _GAP) / 2
        first = QRectF(box.left(), middle - high / 2, wide, high)
        nodes.append(_node(turn, number, chain.chunk_id, first))
        for each in chain.follows:
            then = QRectF(box.right() - wide, top, wide, high)
            nodes.append(_node(turn, number, each.chunk_id, then))
            start = QPointF(first.right(), first.center().y())
            end = QPointF(then.left(), then.center().y())
            lines.append(GraphEdge(start, end, timeline_text.link(each), each.score))
            top += high + _GAP
        top += (high + _GAP) * (not chain.follows)
    return GraphLayout(tuple(nodes), tuple(lines))


def node_at(graph: GraphLayout, at: QPointF) -> GraphNode | None:
    """Return the node under a point."""
    return next((each for each in graph.nodes if each.box.contains(at)), None)


def paint(painter: QPainter, graph: GraphLayout, colors: Colors, font: QFont, chosen: str) -> None:
    """Paint a graph; the node whose address is `chosen` has the line of the focus around it."""
    painter.save()
    painter.setFont(scaled(font, _SIZE))
    for line in graph.lines:
        _paint_line(painter, line, colors)
    for node in graph.nodes:
        _paint_node(painter, node, colors, is_chosen=bool(chosen) and node.address == chosen)
    painter.restore()


def _rows(followed: Sequence[Chain]) -> int:
    return sum(max(1, len(each.follows)) for each in followed)


def _row(font: QFont) -> float:
    return round(QFontMetricsF(scaled(font, _SIZE)).height() + 2 * _INNER)


def _node(turn: Turn, number: int, chunk_id: ChunkId, box: QRectF) -> GraphNode:
    place = place_of(turn, chunk_id)
    if place < 0:
        return GraphNode(box, "", "", "")
    passage = turn.retrieved[place]
    address = f"{FOUND}{number}.{place}" if passage.path else ""
    said = timeline_text.name(passage), timeline_text.place(passage)
    return GraphNode(box, address, *said, source_number(turn, passage))


def _paint_line(painter: QPainter, line: GraphEdge, colors: Colors) -> None:
    bend = (line.end.x() - line.start.x()) * 0.18
    path = QPainterPath(line.start)
    turned = QPointF(line.start.x() + bend, line.end.y())
    path.cubicTo(
        QPointF(line.start.x() + bend * 0.7, line.start.y()),
        QPointF(line.start.x() + bend * 0.3, line.end.y()),
        turned,
    )
    path.lineTo(line.end - QPointF(5, 0))
    painter.setBrush(Qt.BrushStyle.NoBrush)
    thick = 1.0 + (_THICKEST - 1.0) * line.score
    painter.setPen(QPen(colors.of("accent_line"), thick))
    painter.drawPath(path)
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(colors.of("accent"))
    painter.drawPolygon(list(_head(line.end)))
    metrics = painter.fontMetrics()
    room = QRectF(turned.x() + 4, line.end.y() - metrics.height() - 1, 0, metrics.height())
    room.setRight(line.end.x() - 8)
    painter.setPen(colors.of("muted"))
    painter.drawText(room, _LEFT, label(line, metrics, room.width()))


def _head(end: QPointF) -> Iterator[QPointF]:
    """Yield the corners of an arrow's head."""
    yield end
    yield end + QPointF(-7, -4)
    yield end + QPointF(-7, 4)


def _paint_node(painter: QPainter, node: GraphNode, colors: Colors, *, is_chosen: bool) -> None:
    painter.setBrush(colors.of("soft" if node.number else "base"))
    line = "accent" if is_chosen else "accent_line" if node.number else "border"
    painter.setPen(QPen(colors.of(line), 2.0 if is_chosen else 1.0))
    painter.drawRoundedRect(node.box.adjusted(0.5, 0.5, -0.5, -0.5), 5, 5)
    room = node.box.adjusted(_INNER, 0, -_INNER, 0)
    metrics = painter.fontMetrics()
    if node.number:
        said = f"[{node.number}]"
        painter.setPen(colors.of("accent_text"))
        painter.drawText(room, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter, said)
        room.setRight(room.right() - metrics.horizontalAdvance(said) - _INNER / 2)
    painter.setPen(colors.of("text" if node.address else "muted"))
    painter.drawText(room, _LEFT, _title(node, metrics, room.width()))


def _title(node: GraphNode, metrics: QFontMetrics, room: float) -> str:
    """Return a passage's name in so many pixels: its place there is whole, where that can be."""
    behind = node.title.removeprefix(node.name)
    left = int(room) - metrics.horizontalAdvance(behind)
    if left < metrics.horizontalAdvance(_FEW):
        return metrics.elidedText(node.place or node.name, _CUT, int(room))
    return metrics.elidedText(node.name, _CUT, left) + behind


def label(line: GraphEdge, metrics: QFontMetrics, room: float) -> str:
    """Return what is said on a line in so many pixels: half of what led there tells nothing."""
    said = timeline_text.percent(line.score)
    whole = f"{said} {line.link}"
    return whole if metrics.horizontalAdvance(whole) <= room else said
