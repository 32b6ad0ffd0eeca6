"""The drawing of a document's tree: levels as rows, passages at the bottom, opened node by node."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from PySide6.QtCore import QPointF, QRectF, Qt, Signal, Slot
from PySide6.QtGui import QFont, QFontMetrics, QKeyEvent, QPainter, QPainterPath, QPen
from PySide6.QtWidgets import QWidget

from desktop_rag.core.catalog_records import DerivedText
from desktop_rag.core.derived_events import SourcePassage
from desktop_rag.core.sanitize import sanitize_name
from desktop_rag.core.types import ChunkId
from desktop_rag.gui.controllers.document_tree import DocumentTree
from desktop_rag.gui.display_text import fill, locator_text
from desktop_rag.gui.library.drawing_area import DrawingArea
from desktop_rag.gui.library.tree_layout import NodeSpan, TreeLayout, lay_out_tree
from desktop_rag.gui.theme import Theme, scaled
from desktop_rag.gui.widgets.throttle import Throttle

_SIZE = 0.8  # of the window's font
_INNER = 6.0  # pixels around a text in its box
_AT_FIRST = 12  # nodes of a level that is opened at first
_READ, _PAUSE_MS = 100, 80  # passages that are read at once; after the drawing was moved
_TIP, _SHORT = 500, 80  # characters of a text under the mouse, and of one in its box
_FAR = 600.0  # pixels out of sight to which lines are drawn
_CUT = Qt.TextElideMode.ElideRight
_LEFT = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter


class DerivedTreeView(DrawingArea):
    """Shows a `DocumentTree`.

    `chosen_changed` comes when another node is chosen, `depth_changed` when more or fewer levels
    are shown; `passage_asked` carries the `SourcePassage`
    that is to be opened, `passages_wanted` the chunks in sight whose texts are not known.
    """

    chosen_changed = Signal()
    depth_changed = Signal()
    passage_asked = Signal(object)
    passages_wanted = Signal(object)

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(theme, parent)
        self._title = ""
        self._tree = DocumentTree()
        self._opened: set[int] = set()
        self._at = -1
        self._passages: dict[ChunkId, SourcePassage] = {}
        self._asked: set[ChunkId] = set()
        self.layout_of_all = TreeLayout(self._tree, set(), 1.0)
        self.lowest = 0
        self._reading = Throttle(_PAUSE_MS, self)
        self._reading.due.connect(self._want)
        self.setAccessibleName(self.tr("Tree of summaries"))

    @property
    def chosen(self) -> DerivedText | SourcePassage | None:
        """The text or passage that is chosen; None for none, or one that is not read yet."""
        return self._content(self._at)

    @property
    def can_open_more(self) -> bool:
        """Whether there is a level below those that are shown."""
        return self.lowest > 0

    @property
    def can_open_less(self) -> bool:
        """Whether a level can be left out."""
        return self.lowest < self._tree.height

    def show_tree(self, tree: DocumentTree, title: str = "") -> None:
        """Show another document's tree, opened as far as there is not too much to see."""
        self._title, self._tree = title, tree
        self._passages.clear()
        self._asked.clear()
        self._at = tree.tops[0] if tree.tops else -1
        self.horizontalScrollBar().setValue(0)
        self.verticalScrollBar().setValue(0)
        self.open_down_to(tree.deepest(_AT_FIRST))
        self._choose(self._at)

    def open_down_to(self, level: int) -> None:
        """Show all levels down to one, and none below it."""
        self.lowest = max(0, min(level, self._tree.height))
        points = self._tree.points
        self._arrange({at for at, each in enumerate(points) if each.level > self.lowest})
        self.depth_changed.emit()

    @Slot()
    def open_more(self) -> None:
        """Show a level more."""
        self.open_down_to(self.lowest - 1)

    @Slot()
    def open_less(self) -> None:
        """Show a level less."""
        self.open_down_to(self.lowest + 1)

    def take_passages(self, passages: Iterable[SourcePassage]) -> None:
        """Take in texts that were asked for."""
        was_known = self.chosen is not None
        self._passages |= {each.chunk_id: each for each in passages}
        self.viewport().update()
        if not was_known and self.chosen is not None:
            self._choose(self._at)

    def draw(self, painter: QPainter, seen: QRectF) -> None:
        """Paint the lines and boxes in sight."""
        del seen
        view = self.seen()
        shown = list(self.layout_of_all.in_sight(view))
        boxes = {each.point: self.layout_of_all.box(each, view) for each in shown}
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.setPen(QPen(self._theme.colors.of("accent_line"), 1.0))
        others = QPainterPath()
        painter.drawPath(self._lines(boxes, view, others))
        painter.setPen(QPen(self._theme.colors.of("faint"), 1.0, Qt.PenStyle.DashLine))
        painter.drawPath(others)
        painter.setFont(self._font())
        for point, box in boxes.items():
            self._draw_box(painter, point, box)
        self._reading.ask()

    def tip_at(self, at: QPointF) -> str:
        """Return the beginning of a node's text."""
        found = self._content(self._index_at(at))
        if found is None:
            return ""
        words = " ".join(found.text[: 2 * _TIP].split())
        return words if len(words) <= _TIP else f"{words[:_TIP].rstrip()}…"

    def can_click(self, at: QPointF) -> bool:
        """Tell whether a node is there."""
        return self._index_at(at) >= 0

    def click(self, at: QPointF) -> None:
        """Choose a node and open it, or close it again; open a passage in its document."""
        found = self._index_at(at)
        if found < 0:
            return
        if self._tree.points[found].children and (found == self._at or found not in self._opened):
            self._toggle(found, keeps=self._box(found).left() - self.seen().left())
        self._choose(found)
        self._open_passage()

    def keyPressEvent(self, event: QKeyEvent) -> None:  # noqa: N802 - Qt's
        """Go along the lines with the arrows; Return opens, + and - show a level more or less."""
        key = event.key()
        if key in (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Space):
            if self._at >= 0 and self._tree.points[self._at].children:
                self._toggle(self._at)
            self._open_passage()
        elif key in (Qt.Key.Key_Left, Qt.Key.Key_Right):
            self._beside(1 if key == Qt.Key.Key_Right else -1)
        elif key == Qt.Key.Key_Up:
            self._up()
        elif key == Qt.Key.Key_Down:
            self._down()
        elif key in (Qt.Key.Key_Plus, Qt.Key.Key_Minus):
            self.open_down_to(self.lowest + (1 if key == Qt.Key.Key_Minus else -1))
        else:
            super().keyPressEvent(event)

    def _arrange(self, opened: set[int]) -> None:
        """Lay all out anew; what is chosen and no longer shown gives way to what stands over it."""
        self._opened = set(opened)
        high = round(2 * QFontMetrics(self._font()).height() + 1.5 * _INNER)
        self.layout_of_all = lay_out_tree(self._tree, self._opened, high)
        self.set_extent(self.layout_of_all.width, self.layout_of_all.height)
        at = self._at
        while at >= 0 and at not in self.layout_of_all.spans:
            above = self._tree.points[at].parents
            at = above[0] if above else -1
        if at != self._at:
            self._choose(at)

    def _toggle(self, point: int, keeps: float | None = None) -> None:
        """Open or close a node; it stays where it is in sight, `keeps` pixels from the left."""
        place = self._box(point).left() - self.seen().left() if keeps is None else keeps
        self._arrange(self._opened ^ {point})
        span = self.layout_of_all.spans.get(point)
        if span is not None:
            middle = (span.left + span.right - span.wide) / 2
            self.horizontalScrollBar().setValue(round(middle - place))

    def _choose(self, at: int) -> None:
        self._at = at
        if at >= 0:
            self.reveal(self._box(at))
            if self._content(at) is None:
                self._reading.ask()
            found = self._content(at)
            text = "" if found is None else found.text[:_TIP]
            self.tell(f"{self._kind(at)}. {text}")
        self.viewport().update()
        self.chosen_changed.emit()

    def _open_passage(self) -> None:
        chosen = self.chosen
        if isinstance(chosen, SourcePassage):
            self.passage_asked.emit(chosen)

    def _beside(self, by: int) -> None:
        if self._at < 0:
            return
        row = self.layout_of_all.rows[self._tree.points[self._at].level]
        to = row.index(self.layout_of_all.spans[self._at]) + by
        if 0 <= to < len(row):
            self._choose(row[to].point)

    def _up(self) -> None:
        shown = self.layout_of_all.spans
        above = [each for each in self._parents(self._at) if each in shown]
        if above:
            self._choose(above[0])

    def _down(self) -> None:
        below = self._tree.points[self._at].children if self._at >= 0 else ()
        if below and self._at not in self._opened:
            self._toggle(self._at)
        if below:
            self._choose(min(below, key=lambda each: self.layout_of_all.spans[each].left))

    def _parents(self, at: int) -> tuple[int, ...]:
        """Return what a node is shown under: first what it is placed under."""
        if at < 0:
            return ()
        own = self.layout_of_all.spans[at]
        opened = [each for each in self._tree.points[at].parents if each in self._opened]
        shown = [each for each in opened if each in self.layout_of_all.spans]
        return tuple(sorted(shown, key=lambda each: not self._holds(each, own)))

    def _holds(self, above: int, span: NodeSpan) -> bool:
        over = self.layout_of_all.spans[above]
        return over.left <= span.left and span.right <= over.right

    def _content(self, at: int) -> DerivedText | SourcePassage | None:
        if at < 0:
            return None
        content = self._tree.points[at].content
        return content if isinstance(content, DerivedText) else self._passages.get(content)

    def _box(self, at: int) -> QRectF:
        return self.layout_of_all.box(self.layout_of_all.spans[at], self.seen())

    def _index_at(self, at: QPointF) -> int:
        level = self.layout_of_all.row_at(at.y())
        spot = QRectF(at.x(), at.y(), 1, 1)
        for span in self.layout_of_all.in_sight(spot):
            is_here = self._tree.points[span.point].level == level
            if is_here and self._box(span.point).contains(at):
                return span.point
        return -1

    @Slot()
    def _want(self) -> None:
        """Ask for the passages in sight, and the chosen one."""
        shown = [each.point for each in self.layout_of_all.in_sight(self.seen())]
        contents = [self._tree.points[at].content for at in [*shown, self._at] if at >= 0]
        chunks = [each for each in contents if not isinstance(each, DerivedText)]
        wanted = tuple(dict.fromkeys(each for each in chunks if each not in self._asked))[:_READ]
        if wanted:
            self._asked.update(wanted)
            self.passages_wanted.emit(wanted)

    def _font(self) -> QFont:
        return scaled(self.font(), _SIZE)

    def _kind(self, at: int) -> str:
        point = self._tree.points[at]
        if not point.level:
            found = self._content(at)
            if isinstance(found, SourcePassage):
                return locator_text(found.place)
            return self.tr("Passage")
        layer = fill(self.tr("Layer %1"), point.level)
        return f"{layer} · {len(point.children)}"

    def _lines(self, boxes: dict[int, QRectF], view: QRectF, others: QPainterPath) -> QPainterPath:
        """Return the lines to what nodes are placed under; those to others go into `others`."""
        path = QPainterPath()
        for above, below in self._pairs(boxes):
            is_own = self._holds(above, self.layout_of_all.spans[below])
            start, end = self._end(above, boxes, view), self._end(below, boxes, view)
            begin = QPointF(start.center().x(), start.bottom())
            finish = QPointF(end.center().x(), end.top())
            middle = (begin.y() + finish.y()) / 2
            into = path if is_own else others
            into.moveTo(begin)
            into.cubicTo(QPointF(begin.x(), middle), QPointF(finish.x(), middle), finish)
        return path

    def _pairs(self, boxes: dict[int, QRectF]) -> Iterator[tuple[int, int]]:
        """Yield each line that has an end in sight, once."""
        points = self._tree.points
        for at in boxes:
            if at in self._opened:
                yield from ((at, child) for child in points[at].children)
            for above in points[at].parents:
                is_shown = above in self._opened and above in self.layout_of_all.spans
                if is_shown and above not in boxes:
                    yield above, at

    def _end(self, at: int, boxes: dict[int, QRectF], view: QRectF) -> QRectF:
        """Return the box at a line's end, not farther out of sight than it need be."""
        if at in boxes:
            return boxes[at]
        box = self.layout_of_all.box(self.layout_of_all.spans[at], view)
        box.moveLeft(min(max(box.left(), view.left() - _FAR), view.right() + _FAR))
        return box

    def _draw_box(self, painter: QPainter, at: int, box: QRectF) -> None:
        colors, point = self._theme.colors, self._tree.points[at]
        is_chosen, is_open = at == self._at, at in self._opened
        painter.setBrush(colors.of("soft" if is_chosen else "raised" if point.level else "base"))
        line = "accent" if is_chosen else "accent_line" if point.level else "border"
        painter.setPen(QPen(colors.of(line), 2.0 if is_chosen and self.hasFocus() else 1.0))
        painter.drawRoundedRect(box.adjusted(0.5, 0.5, -0.5, -0.5), 5, 5)
        metrics = painter.fontMetrics()
        room = box.adjusted(_INNER, _INNER / 2, -_INNER, -box.height() / 2)
        sign = "" if not point.children else "▾ " if is_open else "▸ "
        painter.setPen(colors.of("muted"))
        above = metrics.elidedText(f"{sign}{self._kind(at)}", _CUT, int(room.width()))
        painter.drawText(room, _LEFT, above)
        room.moveTop(box.center().y() - _INNER / 4)
        painter.setPen(colors.of("text"))
        painter.drawText(room, _LEFT, metrics.elidedText(self._words(at), _CUT, int(room.width())))

    def _words(self, at: int) -> str:
        found = self._content(at)
        if found is None:
            return "…"
        words = " ".join(found.text[: 2 * _SHORT + len(self._title)].split())
        return sanitize_name(words.removeprefix(f"{self._title}: ")[:_SHORT])
