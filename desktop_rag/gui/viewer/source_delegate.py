"""How a source is painted: number, title, place, quote, scores, as a card."""

from __future__ import annotations

from PySide6.QtCore import (
    QCoreApplication,
    QModelIndex,
    QPersistentModelIndex,
    QPoint,
    QRect,
    QRectF,
    QSize,
    Qt,
)
from PySide6.QtGui import QFont, QFontMetrics, QPainter
from PySide6.QtWidgets import QStyle, QStyledItemDelegate, QStyleOptionViewItem, QWidget

from desktop_rag.core.sanitize import sanitize_name
from desktop_rag.core.types import Passage
from desktop_rag.gui.theme import SMALL, Theme, scaled
from desktop_rag.gui.viewer.source_list_model import SourceRole, SourceRow, heading, source_location
from desktop_rag.gui.widgets.text_painting import height_of, lines_of, paint_line, paint_lines

_EDGE, _INNER, _GAP, _BADGE = 5, 12, 5, 22
_QUOTE_LINES = 4
_FOLD_HEIGHT = 36


class SourceDelegate(QStyledItemDelegate):
    """Paints the rows of a `SourceListModel`."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme

    def sizeHint(  # noqa: N802 - Qt's
        self, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> QSize:
        """Return the height that the entry's quote takes at the view's width."""
        entry: SourceRow = index.data(SourceRole.ENTRY)
        width = _width(option)
        if entry.passage is None:
            return QSize(width, _FOLD_HEIGHT)
        lines = QFontMetrics(option.font).height()
        small = QFontMetrics(scaled(option.font, SMALL)).height()
        quote = self._quote_height(entry, option.font, width)
        text = max(lines, _BADGE) + small + quote + (small if _scores(entry.passage) else 0)
        return QSize(width, text + 3 * _GAP + 2 * _INNER + 2 * _EDGE)

    def paint(
        self,
        painter: QPainter,
        option: QStyleOptionViewItem,
        index: QModelIndex | QPersistentModelIndex,
    ) -> None:
        """Paint one row."""
        entry: SourceRow = index.data(SourceRole.ENTRY)
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        if entry.passage is None:
            self._paint_fold(painter, option, entry)
        else:
            self._paint_card(painter, option, entry, entry.passage)
        painter.restore()

    def _paint_fold(
        self, painter: QPainter, option: QStyleOptionViewItem, entry: SourceRow
    ) -> None:
        colors = self._theme.colors
        hovered = option.state & (
            QStyle.StateFlag.State_MouseOver | QStyle.StateFlag.State_HasFocus
        )
        painter.setPen(colors.of("accent_text" if hovered and not entry.read else "muted"))
        painter.setFont(scaled(option.font, 1.0, bold=True))
        sign = "" if entry.read else "▾  " if entry.open else "▸  "
        box = option.rect.adjusted(_EDGE + 4, 4, -_EDGE, 0)
        painter.drawText(box, Qt.AlignmentFlag.AlignVCenter, sign + heading(entry))

    def _paint_card(
        self, painter: QPainter, option: QStyleOptionViewItem, entry: SourceRow, passage: Passage
    ) -> None:
        self._paint_frame(painter, option, pointed=entry.pointed)
        box = option.rect.adjusted(_EDGE + _INNER, _EDGE + _INNER, -_EDGE - _INNER, -_EDGE - _INNER)
        colors = self._theme.colors
        top = self._paint_head(painter, option, entry, box)
        small = scaled(option.font, SMALL)
        painter.setFont(small)
        painter.setPen(colors.of("muted"))
        metrics = QFontMetrics(small)
        paint_line(
            painter, QRect(box.left(), top, box.width(), 0), source_location(passage, entry.mark)
        )
        top += metrics.height() + _GAP
        painter.setPen(colors.of("text"))
        lines = lines_of(_quote(entry), option.font, box.width(), _QUOTE_LINES)
        paint_lines(painter, QRect(box.left(), top, box.width(), 0), lines, option.font)
        painter.setFont(small)
        painter.setPen(colors.of("muted"))
        scores = painter.fontMetrics().elidedText(
            _scores(passage), Qt.TextElideMode.ElideRight, box.width()
        )
        painter.drawText(QPoint(box.left(), box.bottom() - 1), scores)

    def _paint_frame(
        self, painter: QPainter, option: QStyleOptionViewItem, *, pointed: bool
    ) -> None:
        colors = self._theme.colors
        state = option.state
        card = QRectF(option.rect).adjusted(_EDGE + 0.5, _EDGE + 0.5, -_EDGE - 0.5, -_EDGE - 0.5)
        line = "border"
        if state & QStyle.StateFlag.State_Selected:
            line = "accent"
        elif state & QStyle.StateFlag.State_MouseOver:
            line = "accent_line"
        painter.setPen(colors.of(line))
        painter.setBrush(colors.of("soft" if pointed else "raised"))
        painter.drawRoundedRect(card, 8, 8)

    def _paint_head(
        self, painter: QPainter, option: QStyleOptionViewItem, entry: SourceRow, box: QRect
    ) -> int:
        """Paint the number and the title; return the y below them."""
        colors = self._theme.colors
        font = scaled(option.font, 1.0, bold=True)
        metrics = QFontMetrics(font)
        height = max(metrics.height(), _BADGE)
        left = box.left()
        if entry.number is not None:
            badge = QRectF(left, box.top() + (height - 20) / 2, _BADGE, 20)
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(colors.of("soft" if entry.cited else "hover"))
            painter.drawRoundedRect(badge, 6, 6)
            painter.setPen(colors.of("accent_text" if entry.cited else "muted"))
            painter.setFont(scaled(option.font, SMALL, bold=True))
            painter.drawText(badge, Qt.AlignmentFlag.AlignCenter, str(entry.number))
            left += _BADGE + 8
        painter.setFont(font)
        painter.setPen(colors.of("text"))
        room = QRect(left, box.top(), box.right() - left, height)
        title = sanitize_name(entry.passage.title) if entry.passage is not None else ""
        shown = metrics.elidedText(title, Qt.TextElideMode.ElideRight, room.width())
        painter.drawText(room, Qt.AlignmentFlag.AlignVCenter, shown)
        return box.top() + height + 2

    def _quote_height(self, entry: SourceRow, font: QFont, width: int) -> int:
        room = width - 2 * (_EDGE + _INNER)
        return height_of(len(lines_of(_quote(entry), font, room, _QUOTE_LINES)), font)


def _quote(entry: SourceRow) -> str:
    """Return what is shown of the passage: the quote, else the beginning of what matched."""
    text = entry.quote or (entry.passage.matched if entry.passage is not None else "")
    return " ".join(text[:600].split())


def _scores(passage: Passage) -> str:
    """Return the scores that brought the passage here."""
    tr = QCoreApplication.translate
    parts = [tr("SourceDelegate", "score %1").replace("%1", f"{passage.score:.2f}")]
    if passage.rerank_score is not None:
        text = tr("SourceDelegate", "reranked %1")
        parts.append(text.replace("%1", f"{passage.rerank_score:.2f}"))
    if passage.dense_rank is not None:
        parts.append(tr("SourceDelegate", "meaning #%1").replace("%1", str(passage.dense_rank)))
    if passage.lexical_rank is not None:
        parts.append(tr("SourceDelegate", "words #%1").replace("%1", str(passage.lexical_rank)))
    if passage.age_weight is not None:
        parts.append(tr("SourceDelegate", "age ×%1").replace("%1", f"{passage.age_weight:.2f}"))
    return "  ·  ".join(parts)


def _width(option: QStyleOptionViewItem) -> int:
    view = option.widget
    viewport = getattr(view, "viewport", None)
    return int(viewport().width()) if viewport is not None else option.rect.width()
