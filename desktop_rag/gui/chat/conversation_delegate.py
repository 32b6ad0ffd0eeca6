"""How the list of conversations is painted: a title and its time on a line, headings between."""

from __future__ import annotations

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QRect, QSize, Qt
from PySide6.QtGui import QFont, QFontMetrics, QPainter
from PySide6.QtWidgets import (
    QLineEdit,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QWidget,
)

from desktop_rag.gui.chat.conversation_model import ConversationRole
from desktop_rag.gui.controllers.conversation_groups import GroupHeading
from desktop_rag.gui.icons import icon
from desktop_rag.gui.theme import SMALL, Theme, scaled
from desktop_rag.gui.widgets.row_background import paint_row_background

_PAD, _EDGE, _GAP, _ICON = 7, 10, 8, 16

_Index = QModelIndex | QPersistentModelIndex


class ConversationDelegate(QStyledItemDelegate):
    """Paints the rows of a `ConversationsModel`, all of one height."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme

    def sizeHint(self, option: QStyleOptionViewItem, index: _Index) -> QSize:  # noqa: N802 - Qt's
        """Return one line's height."""
        del index
        return QSize(60, QFontMetrics(option.font).height() + 2 * _PAD)

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: _Index) -> None:
        """Paint one row."""
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        box = option.rect.adjusted(_EDGE, 0, -_EDGE, 0)
        if isinstance(index.data(ConversationRole.ROW), GroupHeading):
            self._paint_heading(painter, option, box, str(index.data()))
        else:
            paint_row_background(painter, option, self._theme.colors)
            box.setRight(self._paint_end(painter, option, index) - _GAP)
            self._paint_title(painter, option, box, str(index.data()))
        painter.restore()

    def createEditor(  # noqa: N802 - Qt's
        self, parent: QWidget, option: QStyleOptionViewItem, index: _Index
    ) -> QWidget:
        """Return the field in which a title is changed."""
        del option, index
        editor = QLineEdit(parent)
        editor.setAccessibleName(self.tr("Title of the conversation"))
        return editor

    def updateEditorGeometry(  # noqa: N802 - Qt's
        self, editor: QWidget, option: QStyleOptionViewItem, index: _Index
    ) -> None:
        """Let the field take the whole row."""
        del index
        editor.setGeometry(option.rect.adjusted(0, 0, -2, 0))

    def more_rect(self, row: QRect) -> QRect:
        """Return where a row under the mouse has the button of its menu."""
        top = row.center().y() - _ICON // 2
        return QRect(row.right() - _EDGE - _ICON, top, _ICON, _ICON)

    def _paint_heading(
        self, painter: QPainter, option: QStyleOptionViewItem, box: QRect, text: str
    ) -> None:
        font = _small(option.font)
        font.setWeight(QFont.Weight.DemiBold)
        painter.setFont(font)
        painter.setPen(self._theme.colors.of("muted"))
        place = box.adjusted(0, 0, 0, -_PAD // 2)
        painter.drawText(place, Qt.AlignmentFlag.AlignBottom | Qt.AlignmentFlag.AlignLeft, text)

    def _paint_end(self, painter: QPainter, option: QStyleOptionViewItem, index: _Index) -> int:
        """Paint the time, or under the mouse the menu's button; return where that begins."""
        if option.state & QStyle.StateFlag.State_MouseOver:
            place = self.more_rect(option.rect)
            icon("more", self._theme.colors.muted).paint(painter, place)
            return place.left()
        text, font = str(index.data(ConversationRole.WHEN)), _small(option.font)
        box = option.rect.adjusted(_EDGE, 0, -_EDGE, 0)
        painter.setFont(font)
        painter.setPen(self._theme.colors.of("muted"))
        painter.drawText(box, Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignRight, text)
        return box.right() - QFontMetrics(font).horizontalAdvance(text)

    def _paint_title(
        self, painter: QPainter, option: QStyleOptionViewItem, box: QRect, title: str
    ) -> None:
        painter.setFont(option.font)
        painter.setPen(self._theme.colors.of("text"))
        shown = QFontMetrics(option.font).elidedText(
            title, Qt.TextElideMode.ElideRight, box.width()
        )
        painter.drawText(box, Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft, shown)


def _small(font: QFont) -> QFont:
    return scaled(font, SMALL)
