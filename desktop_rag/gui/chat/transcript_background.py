"""What is painted behind the words of a conversation: bubbles, rails, and graphs of passages."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from PySide6.QtCore import QPoint, QPointF, QRectF, Qt
from PySide6.QtGui import QPainter, QPen, QTextBlock, QTextBlockFormat, QTextFrame

from desktop_rag.gui.chat import passage_graph
from desktop_rag.gui.chat.passage_graph import GraphLayout, GraphNode
from desktop_rag.gui.chat.timeline_writer import TimelineProperty
from desktop_rag.gui.chat.virtual_transcript import VirtualTranscript
from desktop_rag.gui.colors import Colors
from desktop_rag.gui.controllers.transcript import Turn

_DOT = 3.5  # pixels of its radius


class _Strip(NamedTuple):
    """A paragraph of a timeline in sight: its form, its box, and the height of its first line.

    `below` is where the next one begins: lines are higher than their boxes tell.
    """

    form: QTextBlockFormat
    box: QRectF
    line: float
    below: float


class TranscriptBackground:
    """Paints for one roll, and knows what it painted where."""

    def __init__(self, roll: VirtualTranscript) -> None:
        self._roll = roll

    def paint(self, painter: QPainter, rect: QRectF, colors: Colors, chosen: str) -> None:
        """Paint what lies behind the words in a part of the view; `chosen` is a link's address."""
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.fillRect(rect, colors.of("base"))
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(colors.of("bubble"))
        for bubble in self._bubbles():
            if bubble.intersects(rect):
                painter.drawRoundedRect(bubble, 10, 10)
        for timeline in self._timelines():
            for strip in self._strips(timeline):
                _paint_strip(painter, strip, colors)
        for made in self._graphs():
            passage_graph.paint(painter, made, colors, self._roll.font(), chosen)

    def node_at(self, at: QPoint) -> GraphNode | None:
        """Return the passage of a graph under a point of the view, None where there is none."""
        found = (passage_graph.node_at(made, QPointF(at)) for made in self._graphs())
        return next((each for each in found if each is not None), None)

    def graphs(self) -> tuple[GraphLayout, ...]:
        """Return the graphs in sight, as they lie in the view."""
        return tuple(self._graphs())

    @property
    def _offset(self) -> QPointF:
        across, down = self._roll.horizontalScrollBar(), self._roll.verticalScrollBar()
        return QPointF(-across.value(), -down.value())

    def _bubbles(self) -> Iterator[QRectF]:
        layout = self._roll.document().documentLayout()
        for writer in self._roll.sheet.writers:
            if writer.question is not None:
                box = layout.frameBoundingRect(writer.question).translated(self._offset)
                yield box.adjusted(0, 2, 0, -4)

    def _timelines(self) -> Iterator[QTextFrame]:
        """Yield the timelines in sight."""
        layout = self._roll.document().documentLayout()
        sight = QRectF(self._roll.viewport().rect()).translated(-self._offset)
        for writer in self._roll.sheet.writers:
            if writer.steps is not None and layout.frameBoundingRect(writer.steps).intersects(
                sight
            ):
                yield writer.steps

    def _strips(self, timeline: QTextFrame) -> Iterator[_Strip]:
        """Yield the paragraphs of a timeline that are in sight."""
        document = self._roll.document()
        layout, end = document.documentLayout(), self._roll.viewport().height()
        top = self._roll.cursorForPosition(QPoint(0, 0)).position()
        begin = max(timeline.firstPosition(), top)
        block: QTextBlock = document.findBlock(begin)
        while block.isValid() and block.position() <= timeline.lastPosition():
            box = layout.blockBoundingRect(block).translated(self._offset)
            if box.top() > end:
                return
            after = block.next()
            if block.blockFormat().hasProperty(TimelineProperty.RAIL):
                line = block.layout().lineAt(0)
                high = line.height() if line.isValid() else 0.0
                next_box = layout.blockBoundingRect(after).translated(self._offset)
                below = next_box.top() - after.blockFormat().topMargin()
                yield _Strip(block.blockFormat(), box, high, max(below, box.bottom()))
            block = after

    def _graphs(self) -> Iterator[GraphLayout]:
        turns = self._roll.sheet.content.turns
        for timeline in self._timelines():
            for strip in self._strips(timeline):
                if strip.form.hasProperty(TimelineProperty.GRAPH):
                    number = strip.form.intProperty(TimelineProperty.GRAPH)
                    yield self._graph(turns[number], number, strip)

    def _graph(self, turn: Turn, number: int, strip: _Strip) -> GraphLayout:
        box = strip.box.translated(strip.form.leftMargin(), 0)
        return passage_graph.lay_out_graph(turn, number, box, self._roll.font())


def _paint_strip(painter: QPainter, strip: _Strip, colors: Colors) -> None:
    """Paint the rail beside a paragraph, and its dot."""
    x = strip.box.left() + strip.form.doubleProperty(TimelineProperty.RAIL)
    y = strip.box.top() + strip.line / 2 + 1
    ends = strip.form.stringProperty(TimelineProperty.END)
    above = strip.box.top() - strip.form.topMargin() - 1
    begin, end = (y if "first" in ends else above), (y if "last" in ends else strip.below)
    painter.setPen(QPen(colors.of("border"), 1.5))
    painter.drawLine(QPointF(x, begin), QPointF(x, end))
    dot = strip.form.stringProperty(TimelineProperty.DOT)
    if dot:
        role = colors.of(dot.removeprefix("-"))
        painter.setPen(QPen(role, 1.5))
        painter.setBrush(colors.of("base") if dot.startswith("-") else role)
        painter.drawEllipse(QPointF(x, y), _DOT, _DOT)
