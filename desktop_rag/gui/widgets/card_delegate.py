"""How rows are painted as cards: frame, number, title, text; a list says what stands in one."""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QRect, QRectF, Qt
from PySide6.QtGui import QFont, QPainter
from PySide6.QtWidgets import QStyle, QStyledItemDelegate, QStyleOptionViewItem, QWidget

from desktop_rag.gui.theme import SMALL, Theme, scaled
from desktop_rag.gui.widgets.text_painting import height_of, lines_of, paint_lines

Index = QModelIndex | QPersistentModelIndex
_BADGE_HEIGHT, _BADGE_GAP = 20, 8


@dataclass(frozen=True, slots=True)
class CardHead:
    """The first line of a card: a number, which may stand out, and a title in a colour's role."""

    number: int | None
    title: str
    stands_out: bool
    color: str = "text"


class CardDelegate(QStyledItemDelegate):
    """Paints rows in a theme's colours; a kind of row says in `paint_row` what stands in it.

    `edge` is the room around a card, `inner` that between its frame and what stands in it, `corner`
    the radius of its corners, `badge` the width of its number; `lines` are the most of its text.
    """

    edge, inner, corner, badge, lines = 4, 10, 8, 22, 4

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        """Paint one row."""
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        self.paint_row(painter, option, index)
        painter.restore()

    def paint_row(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        """Paint what stands in a row."""
        raise NotImplementedError

    def inside(self, option: QStyleOptionViewItem) -> QRect:
        """Return where a card's content is."""
        gap = self.edge + self.inner
        return option.rect.adjusted(gap, gap, -gap, -gap)

    def text_height(self, text: str, font: QFont, width: int) -> int:
        """Return the height that a text takes in a width."""
        return height_of(len(lines_of(_joined(text), font, width, self.lines)), font)

    def use(self, painter: QPainter, color: str, font: QFont | None = None) -> None:
        """Write in a colour from now on, and in a font."""
        painter.setPen(self._theme.colors.of(color))
        if font is not None:
            painter.setFont(font)

    def paint_ground(self, painter: QPainter, box: QRectF, ground: str, line: str) -> None:
        """Paint a box with round corners."""
        painter.setPen(self._theme.colors.of(line))
        painter.setBrush(self._theme.colors.of(ground))
        painter.drawRoundedRect(box, self.corner, self.corner)

    def paint_frame(
        self, painter: QPainter, option: QStyleOptionViewItem, ground: str, line: str = ""
    ) -> None:
        """Paint a card's ground and frame, which says, unless told, whether it is chosen."""
        gap = self.edge + 0.5
        if not line and option.state & QStyle.StateFlag.State_Selected:
            line = "accent"
        elif not line:
            hovered = option.state & QStyle.StateFlag.State_MouseOver
            line = "accent_line" if hovered else "border"
        box = QRectF(option.rect).adjusted(gap, gap, -gap, -gap)
        self.paint_ground(painter, box, ground, line)

    def paint_head(self, painter: QPainter, font: QFont, box: QRect, head: CardHead) -> None:
        """Paint a card's first line, in the middle of a box."""
        if head.number is not None:
            top = box.top() + (box.height() - _BADGE_HEIGHT) / 2
            badge = QRectF(box.left(), top, self.badge, _BADGE_HEIGHT)
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(self._theme.colors.of("soft" if head.stands_out else "hover"))
            painter.drawRoundedRect(badge, 6, 6)
            color = "accent_text" if head.stands_out else "muted"
            self.use(painter, color, scaled(font, SMALL, bold=True))
            painter.drawText(badge, Qt.AlignmentFlag.AlignCenter, str(head.number))
            box = box.adjusted(self.badge + _BADGE_GAP, 0, 0, 0)
        self.use(painter, head.color, scaled(font, 1.0, bold=True))
        room = box.adjusted(0, 0, -1, 0)
        shown = painter.fontMetrics().elidedText(
            head.title, Qt.TextElideMode.ElideRight, room.width()
        )
        painter.drawText(room, Qt.AlignmentFlag.AlignVCenter, shown)

    def paint_text(self, painter: QPainter, font: QFont, box: QRect, text: str) -> None:
        """Paint how a text begins, from the top of a box."""
        paint_lines(painter, box, lines_of(_joined(text), font, box.width(), self.lines), font)


def view_width(option: QStyleOptionViewItem) -> int:
    """Return how wide a list's rows are; a list asks for heights without telling widths."""
    viewport = getattr(option.widget, "viewport", None)
    return int(viewport().width()) if viewport is not None else option.rect.width()


def _joined(text: str) -> str:
    return " ".join(text.split())
