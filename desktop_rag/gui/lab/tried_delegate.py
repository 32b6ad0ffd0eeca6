"""How a passage of a tried search is painted: rank, movement, title, place, text, scores."""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QRect, QRectF, QSize, Qt
from PySide6.QtGui import QFontMetrics, QPainter
from PySide6.QtWidgets import QStyle, QStyledItemDelegate, QStyleOptionViewItem, QWidget

from desktop_rag.core.sanitize import sanitize_name
from desktop_rag.gui.lab import search_test_text as phrases
from desktop_rag.gui.lab.search_trial import RankChange
from desktop_rag.gui.theme import SMALL, Theme, scaled
from desktop_rag.gui.viewer.source_list_model import matched_locator, source_location
from desktop_rag.gui.widgets.text_painting import height_of, lines_of, paint_line, paint_lines

_EDGE, _INNER, _BADGE, _TITLE, _LINES = 4, 10, 26, 22, 2
_CUT_HEIGHT = 30
_SEEN = 600  # characters of a passage that are looked at for two lines


class TrialResultRole(IntEnum):
    """What a row is: a `RankChange`, or None for the line of the cut; whether it is used."""

    ROW = Qt.ItemDataRole.UserRole + 1
    IS_GIVEN = Qt.ItemDataRole.UserRole + 2


@dataclass(frozen=True, slots=True)
class _Card:
    """A row and where it is painted."""

    row: RankChange
    is_given: bool
    option: QStyleOptionViewItem
    box: QRect


class TrialResultDelegate(QStyledItemDelegate):
    """Paints a passage as a card, and the line behind the last one that is used."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme

    def sizeHint(  # noqa: N802 - Qt's
        self, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> QSize:
        """Return the same height for all passages."""
        if index.data(TrialResultRole.ROW) is None:
            return QSize(0, _CUT_HEIGHT)
        small = QFontMetrics(scaled(option.font, SMALL)).height()
        title = max(QFontMetrics(option.font).height(), _TITLE)
        text = height_of(_LINES, option.font)
        return QSize(0, title + 2 * small + text + 2 * (_EDGE + _INNER) + 8)

    def paint(
        self,
        painter: QPainter,
        option: QStyleOptionViewItem,
        index: QModelIndex | QPersistentModelIndex,
    ) -> None:
        """Paint one row."""
        row: RankChange | None = index.data(TrialResultRole.ROW)
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        if row is None:
            self._paint_cut(painter, option, str(index.data()))
        else:
            gap = _EDGE + _INNER
            box = option.rect.adjusted(gap, gap, -gap, -gap)
            card = _Card(row, bool(index.data(TrialResultRole.IS_GIVEN)), option, box)
            self._paint_frame(painter, option)
            self._paint_rank(painter, card)
            self._paint_title(painter, card)
            self._paint_body(painter, card)
        painter.restore()

    def _paint_cut(self, painter: QPainter, option: QStyleOptionViewItem, text: str) -> None:
        colors, font = self._theme.colors, scaled(option.font, SMALL)
        painter.setFont(font)
        metrics = QFontMetrics(font)
        room = option.rect.adjusted(_EDGE + 2, 0, -_EDGE - 2, 0)
        shown = metrics.elidedText(text, Qt.TextElideMode.ElideRight, room.width() - 24)
        painter.setPen(colors.of("muted"))
        painter.drawText(room, Qt.AlignmentFlag.AlignVCenter, shown)
        begin = room.left() + metrics.horizontalAdvance(shown) + 10
        painter.setPen(colors.of("border"))
        painter.drawLine(begin, room.center().y(), room.right(), room.center().y())

    def _paint_frame(self, painter: QPainter, option: QStyleOptionViewItem) -> None:
        colors, state = self._theme.colors, option.state
        card = QRectF(option.rect).adjusted(_EDGE + 0.5, _EDGE + 0.5, -_EDGE - 0.5, -_EDGE - 0.5)
        line = "border"
        if state & QStyle.StateFlag.State_Selected:
            line = "accent"
        elif state & QStyle.StateFlag.State_MouseOver:
            line = "accent_line"
        painter.setPen(colors.of(line))
        painter.setBrush(colors.of("raised"))
        painter.drawRoundedRect(card, 8, 8)

    def _paint_rank(self, painter: QPainter, card: _Card) -> None:
        colors, box = self._theme.colors, card.box
        badge = QRectF(box.left(), box.top() + 1, _BADGE, 20)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(colors.of("soft" if card.is_given else "hover"))
        painter.drawRoundedRect(badge, 6, 6)
        painter.setPen(colors.of("accent_text" if card.is_given else "muted"))
        painter.setFont(scaled(card.option.font, SMALL, bold=True))
        painter.drawText(badge, Qt.AlignmentFlag.AlignCenter, str(card.row.passage.rank))

    def _paint_title(self, painter: QPainter, card: _Card) -> None:
        """Paint the title, and at the right how the passage moved."""
        colors, box, by = self._theme.colors, card.box, card.row.by
        painter.setFont(scaled(card.option.font, 1.0, bold=True))
        metrics, moved = painter.fontMetrics(), phrases.movement(card.row)
        width = metrics.horizontalAdvance(moved)
        painter.setPen(colors.of("warn" if by is not None and by < 0 else "good"))
        right = QRect(box.right() - width, box.top(), width + 1, _TITLE)
        painter.drawText(right, Qt.AlignmentFlag.AlignVCenter, moved)
        painter.setPen(colors.of("text" if card.is_given else "muted"))
        room = QRect(box.left() + _BADGE + 8, box.top(), box.width() - _BADGE - width - 20, _TITLE)
        title = sanitize_name(card.row.passage.title)
        shown = metrics.elidedText(title, Qt.TextElideMode.ElideRight, room.width())
        painter.drawText(room, Qt.AlignmentFlag.AlignVCenter, shown)

    def _paint_body(self, painter: QPainter, card: _Card) -> None:
        """Paint place, text and scores below each other."""
        colors, passage, font = self._theme.colors, card.row.passage, card.option.font
        box = card.box.adjusted(0, _TITLE + 3, 0, 0)
        painter.setFont(scaled(font, SMALL))
        small = painter.fontMetrics().height()
        painter.setPen(colors.of("muted"))
        paint_line(painter, box, source_location(passage, matched_locator(passage)))
        below = box.adjusted(0, box.height() - small, 0, 0)
        paint_line(painter, below, phrases.scores(passage))
        painter.setPen(colors.of("text" if card.is_given else "muted"))
        lines = lines_of(" ".join(passage.matched[:_SEEN].split()), font, box.width(), _LINES)
        paint_lines(painter, box.adjusted(0, small + 2, 0, 0), lines, font)
