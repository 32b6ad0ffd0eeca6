"""The drawing of an entity and those around it: clicked on, walked through with the keys."""

from __future__ import annotations

from PySide6.QtCore import QPointF, QRectF, Qt, Signal
from PySide6.QtGui import (
    QFont,
    QFontMetricsF,
    QKeyEvent,
    QPainter,
    QPainterPath,
    QPen,
    QResizeEvent,
)
from PySide6.QtWidgets import QWidget

from desktop_rag.core.derived_events import EntityNeighbour, EntityNeighbourhood
from desktop_rag.core.sanitize import sanitize_name
from desktop_rag.gui.display_text import fill
from desktop_rag.gui.library.drawing_area import DrawingArea
from desktop_rag.gui.library.entity_graph_layout import (
    INNER,
    EntityGraphLayout,
    EntityPlace,
    lay_out_entities,
    relation_words,
)
from desktop_rag.gui.theme import Theme, scaled

_SIZE = 0.85  # of the window's font
_THICKEST, _MANY = 2.4, 6.0  # pixels of a line; of so many passages or triples
_HEAD = 7  # pixels of an arrow's head
_FEW = "nnnnn"  # fewer letters than these on a line tell nothing
_CUT = Qt.TextElideMode.ElideRight
_CENTRED = Qt.AlignmentFlag.AlignCenter
_ABOVE = Qt.AlignmentFlag.AlignHCenter | Qt.AlignmentFlag.AlignBottom
_NOTHING = EntityNeighbourhood("", (), ())


class EntityGraphView(DrawingArea):
    """Shows a neighbourhood.

    `chosen_changed` comes when another neighbour, or the entity itself, is chosen; `walk_asked`
    carries the name of one that is to be in the middle; `back_asked` asks for the one before.
    `drawn_changed` comes when there is room for more of them, or for fewer.
    """

    chosen_changed = Signal()
    drawn_changed = Signal()
    walk_asked = Signal(object)
    back_asked = Signal()

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(theme, parent)
        self.around = _NOTHING
        self.layout_of_all = EntityGraphLayout("", QRectF(), (), 0.0)
        self._at = -1
        self.setAccessibleName(self.tr("Graph of entities"))
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)

    @property
    def chosen(self) -> EntityNeighbour | None:
        """The neighbour that is chosen; None for the entity in the middle."""
        return self.around.neighbours[self._at] if self._at >= 0 else None

    def show_neighbourhood(self, around: EntityNeighbourhood) -> None:
        """Show another one; the entity in its middle is chosen."""
        self.around = around
        self._lay_out()
        self._choose(-1)

    def clear_all(self) -> None:
        """Show nothing."""
        self.around, self._at = _NOTHING, -1
        self._lay_out()

    def told_of(self, neighbour: EntityNeighbour) -> str:
        """Return how a neighbour is joined with the entity, in a few lines."""
        lines = list(neighbour.triples)
        if neighbour.by == "synonym":
            cosine = f"{neighbour.weight:.2f}"
            lines.append(fill(self.tr("Nearly the same name (cosine %1)"), cosine))
        if neighbour.chunks:
            lines.append(self.tr("Together in %n passage(s)", "", len(neighbour.chunks)))
        return "\n".join(lines)

    def draw(self, painter: QPainter, seen: QRectF) -> None:
        """Paint the lines, then the boxes over them."""
        del seen
        if not self.around.name:
            return
        painter.setFont(self._font())
        for at, each in enumerate(self.layout_of_all.places):
            self._draw_line(painter, each, is_chosen=at == self._at)
        for at, each in enumerate(self.layout_of_all.places):
            self._draw_box(painter, each.box, each.neighbour.name, at)
        painter.setFont(self._bold())
        self._draw_box(painter, self.layout_of_all.middle, self.around.name, -1)

    def tip_at(self, at: QPointF) -> str:
        """Return the whole name, and how it is joined."""
        found = self._index_at(at)
        if found is None:
            return ""
        if found < 0:
            return self.around.name
        neighbour = self.around.neighbours[found]
        return f"{neighbour.name}\n{self.told_of(neighbour)}"

    def can_click(self, at: QPointF) -> bool:
        """Tell whether a name or a line is there."""
        return self._index_at(at) is not None

    def click(self, at: QPointF) -> None:
        """Walk to a name; choose the pair whose line it is, or the entity in the middle."""
        found = self._index_at(at)
        if found is None:
            return
        if found >= 0 and self.layout_of_all.places[found].box.contains(at):
            self.walk_asked.emit(self.around.neighbours[found].name)
        else:
            self._choose(found)

    def keyPressEvent(self, event: QKeyEvent) -> None:  # noqa: N802 - Qt's
        """Choose with the arrows, walk with Return, go back with Backspace."""
        key = event.key()
        neighbour = self.chosen
        if key in (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Space):
            if neighbour is not None:
                self.walk_asked.emit(neighbour.name)
        elif key == Qt.Key.Key_Backspace:
            self.back_asked.emit()
        elif key in (Qt.Key.Key_Up, Qt.Key.Key_Down):
            self._step(1 if key == Qt.Key.Key_Down else -1)
        elif key in (Qt.Key.Key_Left, Qt.Key.Key_Right):
            self._cross(to_right=key == Qt.Key.Key_Right)
        elif key == Qt.Key.Key_Home:
            self._choose(-1)
        else:
            super().keyPressEvent(event)

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802 - Qt's
        """Lay all out anew."""
        super().resizeEvent(event)
        before, drawn = self._at, len(self.layout_of_all.places)
        self._lay_out()
        if self._at != before:
            self._choose(self._at)
        elif len(self.layout_of_all.places) != drawn:
            self.drawn_changed.emit()

    def _lay_out(self) -> None:
        room = self.viewport().size()
        size = float(room.width()), float(room.height())
        self.layout_of_all = lay_out_entities(self.around, *size, self._font(), self._bold())
        if self._at >= len(self.layout_of_all.places):
            self._at = -1
        self.set_extent(room.width(), self.layout_of_all.height)

    def _choose(self, at: int) -> None:
        self._at = at
        places = self.layout_of_all.places
        self.reveal(places[at].box if at >= 0 else self.layout_of_all.middle)
        neighbour = self.chosen
        name = self.around.name if neighbour is None else neighbour.name
        told = "" if neighbour is None else self.told_of(neighbour)
        self.tell("\n".join(filter(None, (name, told))))
        self.viewport().update()
        self.chosen_changed.emit()

    def _step(self, by: int) -> None:
        """Go up or down on a side; from the middle to the strongest."""
        places = self.layout_of_all.places
        if self._at < 0:
            self._choose(0 if places else -1)
            return
        is_right = places[self._at].is_right
        side = [at for at, each in enumerate(places) if each.is_right == is_right]
        to = side.index(self._at) + by
        if 0 <= to < len(side):
            self._choose(side[to])

    def _cross(self, *, to_right: bool) -> None:
        """Go from a side to the middle, from there to the other side."""
        places = self.layout_of_all.places
        if self._at >= 0:
            if places[self._at].is_right != to_right:
                self._choose(-1)
            return
        side = [at for at, each in enumerate(places) if each.is_right == to_right]
        if side:
            self._choose(side[0])

    def _index_at(self, at: QPointF) -> int | None:
        if self.around.name and self.layout_of_all.middle.contains(at):
            return -1
        for number, each in enumerate(self.layout_of_all.places):
            if each.box.contains(at) or each.row.contains(at):
                return number
        return None

    def _font(self) -> QFont:
        return scaled(self.font(), _SIZE)

    def _bold(self) -> QFont:
        return scaled(self.font(), 1.0, bold=True)

    def _draw_box(self, painter: QPainter, box: QRectF, name: str, at: int) -> None:
        colors = self._theme.colors
        is_chosen, is_middle = at == self._at, at < 0
        painter.setBrush(colors.of("soft" if is_middle or is_chosen else "raised"))
        line = "accent" if is_chosen else "accent_line" if is_middle else "border"
        painter.setPen(QPen(colors.of(line), 2.0 if is_chosen and self.hasFocus() else 1.0))
        painter.drawRoundedRect(box.adjusted(0.5, 0.5, -0.5, -0.5), 6, 6)
        painter.setPen(colors.of("accent_text" if is_middle else "text"))
        metrics = QFontMetricsF(painter.font())
        room = box.adjusted(INNER, 0, -INNER, 0)
        shown = metrics.elidedText(sanitize_name(name), _CUT, room.width())
        painter.drawText(room, _CENTRED, shown)

    def _draw_line(self, painter: QPainter, place: EntityPlace, *, is_chosen: bool) -> None:
        colors, joined = self._theme.colors, place.neighbour
        across = place.turn.x() - place.start.x()
        path = QPainterPath(place.start)
        path.cubicTo(
            QPointF(place.start.x() + across * 0.7, place.start.y()),
            QPointF(place.start.x() + across * 0.3, place.end.y()),
            place.turn,
        )
        path.lineTo(place.end)
        weight = 1.0 if joined.by == "synonym" else min(_MANY, joined.weight)
        pen = QPen(colors.of("accent" if is_chosen else "accent_line"))
        pen.setWidthF(1.0 + (_THICKEST - 1.0) * (weight - 1.0) / (_MANY - 1.0))
        if joined.by == "synonym":
            pen.setStyle(Qt.PenStyle.DashLine)
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.setPen(pen)
        painter.drawPath(path)
        if joined.triples:
            self._draw_words(painter, place)

    def _draw_words(self, painter: QPainter, place: EntityPlace) -> None:
        """Write on a line what a triple says; its arrow goes from the subject to the object."""
        colors, joined = self._theme.colors, place.neighbour
        words, is_first = relation_words(joined.triples[0], self.around.name, joined.name)
        out = 1.0 if place.is_right else -1.0
        head = place.end if is_first else place.turn
        point = out if is_first else -out
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(colors.of("accent"))
        corners = QPointF(-_HEAD * point, -4), QPointF(-_HEAD * point, 4)
        painter.drawPolygon([head, head + corners[0], head + corners[1]])
        metrics = QFontMetricsF(painter.font())
        room = place.row.adjusted(_HEAD, 0, -_HEAD, 0)
        room.setTop(place.end.y() - metrics.height() - 1)
        room.setBottom(place.end.y() - 1)
        if room.width() >= metrics.horizontalAdvance(_FEW):
            painter.setPen(colors.of("muted"))
            shown = metrics.elidedText(sanitize_name(words), _CUT, room.width())
            painter.drawText(room, _ABOVE, shown)
