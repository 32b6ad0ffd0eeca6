"""How a kept conversation is painted: its title, and when it was last gone on with."""

from __future__ import annotations

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QSize, Qt
from PySide6.QtGui import QFont, QFontMetrics, QPainter
from PySide6.QtWidgets import QStyle, QStyledItemDelegate, QStyleOptionViewItem, QWidget

from desktop_rag.ui.theme import Theme

_PAD = 6
_WHEN = Qt.ItemDataRole.UserRole + 2


class ConversationDelegate(QStyledItemDelegate):
    """Paints the rows of a `ConversationsModel`."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme

    def sizeHint(  # noqa: N802 - Qt's
        self, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> QSize:
        """Return two lines' height."""
        del index
        lines = QFontMetrics(option.font).height() + QFontMetrics(_small(option.font)).height()
        return QSize(60, lines + 2 * _PAD)

    def paint(
        self,
        painter: QPainter,
        option: QStyleOptionViewItem,
        index: QModelIndex | QPersistentModelIndex,
    ) -> None:
        """Paint one row."""
        colors = self._theme.colors
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        chosen = option.state & QStyle.StateFlag.State_Selected
        if chosen or option.state & QStyle.StateFlag.State_MouseOver:
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(colors.of("soft" if chosen else "hover"))
            painter.drawRoundedRect(option.rect.adjusted(0, 1, -2, -1), 6, 6)
        box = option.rect.adjusted(8, _PAD, -10, -_PAD)
        painter.setFont(option.font)
        painter.setPen(colors.of("text"))
        title = QFontMetrics(option.font).elidedText(
            str(index.data()), Qt.TextElideMode.ElideRight, box.width()
        )
        painter.drawText(box, Qt.AlignmentFlag.AlignTop, title)
        painter.setFont(_small(option.font))
        painter.setPen(colors.of("muted"))
        painter.drawText(box, Qt.AlignmentFlag.AlignBottom, str(index.data(_WHEN)))
        painter.restore()


def _small(font: QFont) -> QFont:
    made = QFont(font)
    made.setPointSizeF(font.pointSizeF() * 0.86)
    return made
