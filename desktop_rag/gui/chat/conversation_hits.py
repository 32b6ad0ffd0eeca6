"""What a search over all conversations found: titles with a snippet, the words marked."""

from __future__ import annotations

from collections.abc import Sequence
from enum import IntEnum
from typing import Any

from PySide6.QtCore import (
    QAbstractListModel,
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    QPointF,
    QRect,
    QSize,
    Qt,
    Signal,
    Slot,
)
from PySide6.QtGui import QFont, QFontMetrics, QPainter, QTextCharFormat, QTextLayout, QTextOption
from PySide6.QtWidgets import (
    QListView,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QWidget,
)

from desktop_rag.core.catalog_records import MessageHit
from desktop_rag.gui.chat.conversation_model import when
from desktop_rag.gui.theme import Theme
from desktop_rag.gui.widgets.row_background import paint_row_background
from desktop_rag.gui.widgets.tooltips import tip

_PAD, _EDGE, _GAP, _LINES = 7, 10, 2, 2

_Index = QModelIndex | QPersistentModelIndex


class HitRole(IntEnum):
    """`SAID` is a row's `MessageHit`."""

    SAID = Qt.ItemDataRole.UserRole + 1


class ConversationHitModel(QAbstractListModel):
    """The places that a search gave."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._places: tuple[MessageHit, ...] = ()

    def show_places(self, places: Sequence[MessageHit]) -> None:
        """Show these."""
        if tuple(places) == self._places:
            return
        self.beginResetModel()
        self._places = tuple(places)
        self.endResetModel()

    def rowCount(self, parent: _Index | None = None) -> int:  # noqa: N802 - Qt's
        """Return how many there are."""
        return 0 if parent is not None and parent.isValid() else len(self._places)

    def data(self, index: _Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        """Return a title, or what `HitRole` says."""
        if not index.isValid():
            return None
        said = self._places[index.row()]
        if role == HitRole.SAID:
            return said
        if role == Qt.ItemDataRole.DisplayRole:
            return said.title
        if role == Qt.ItemDataRole.AccessibleTextRole:
            return f"{said.title}. {self.said_by(said)} {said.snippet}"
        return tip(*said.snippet.splitlines()) if role == Qt.ItemDataRole.ToolTipRole else None

    def said_by(self, said: MessageHit) -> str:
        """Return what kind of text the words stand in."""
        kinds = {
            "title": self.tr("Title"),
            "user": self.tr("Question"),
            "assistant": self.tr("Answer"),
        }
        return kinds[said.role]


class ConversationHitDelegate(QStyledItemDelegate):
    """Paints a place: title and time, then what was said there."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme

    def sizeHint(self, option: QStyleOptionViewItem, index: _Index) -> QSize:  # noqa: N802 - Qt's
        """Return the height of a title and of the lines of a snippet."""
        del index
        title = QFontMetrics(option.font).height()
        small = QFontMetrics(_scaled(option.font)).lineSpacing()
        return QSize(60, title + _GAP + _LINES * small + 2 * _PAD)

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: _Index) -> None:
        """Paint one row."""
        said: MessageHit = index.data(HitRole.SAID)
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        paint_row_background(painter, option, self._theme.colors)
        box = option.rect.adjusted(_EDGE, _PAD, -_EDGE, -_PAD)
        self._paint_title(painter, option, box, said)
        top = box.top() + QFontMetrics(option.font).height() + _GAP
        self._paint_snippet(painter, option.font, QRect(box.left(), top, box.width(), 0), said)
        painter.restore()

    def _paint_title(
        self, painter: QPainter, option: QStyleOptionViewItem, box: QRect, said: MessageHit
    ) -> None:
        text, small = when(said.when), _scaled(option.font)
        painter.setFont(small)
        painter.setPen(self._theme.colors.of("muted"))
        right = Qt.AlignmentFlag.AlignTop | Qt.AlignmentFlag.AlignRight
        painter.drawText(box, right, text)
        room = box.width() - QFontMetrics(small).horizontalAdvance(text) - 8
        bold = QFont(option.font)
        bold.setWeight(QFont.Weight.DemiBold)
        painter.setFont(bold)
        painter.setPen(self._theme.colors.of("text"))
        title = QFontMetrics(bold).elidedText(said.title, Qt.TextElideMode.ElideRight, room)
        painter.drawText(box, Qt.AlignmentFlag.AlignTop | Qt.AlignmentFlag.AlignLeft, title)

    def _paint_snippet(self, painter: QPainter, font: QFont, box: QRect, said: MessageHit) -> None:
        """Paint two lines of what was said, its words marked."""
        layout = QTextLayout(said.snippet, _scaled(font))
        option = QTextOption()
        option.setWrapMode(QTextOption.WrapMode.WrapAtWordBoundaryOrAnywhere)
        layout.setTextOption(option)
        layout.setFormats([self._mark(said.snippet, mark) for mark in said.marks])
        layout.beginLayout()
        height = 0.0
        for _ in range(_LINES):
            line = layout.createLine()
            if not line.isValid():
                break
            line.setLineWidth(box.width())
            line.setPosition(QPointF(0, height))
            height += line.height()
        layout.endLayout()
        painter.setPen(self._theme.colors.of("muted"))
        layout.draw(painter, QPointF(box.left(), box.top()))

    def _mark(self, text: str, mark: tuple[int, int]) -> QTextLayout.FormatRange:
        made = QTextLayout.FormatRange()
        made.start = _units(text[: mark[0]])
        made.length = _units(text[mark[0] : mark[1]])
        form = QTextCharFormat()
        form.setBackground(self._theme.colors.of("mark"))
        form.setForeground(self._theme.colors.of("text"))
        made.format = form
        return made


class ConversationHitList(QListView):
    """The view of what was found; `picked` carries a `MessageHit`."""

    picked = Signal(object)

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.places = ConversationHitModel(self)
        self.setModel(self.places)
        self.setItemDelegate(ConversationHitDelegate(theme, self))
        self.setUniformItemSizes(True)
        self.setMouseTracking(True)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setAccessibleName(self.tr("What was found"))
        self.clicked.connect(self.pick)
        self.activated.connect(self.pick)
        theme.changed.connect(self.viewport().update)

    @Slot(QModelIndex)
    def pick(self, index: QModelIndex) -> None:
        """Go to a place."""
        if index.isValid():
            self.setCurrentIndex(index)
            self.picked.emit(index.data(HitRole.SAID))


def _scaled(font: QFont) -> QFont:
    made = QFont(font)
    made.setPointSizeF(font.pointSizeF() * 0.9)
    return made


def _units(text: str) -> int:
    """Return a length as Qt counts it, in UTF-16 units."""
    return len(text) if text.isascii() else len(text.encode("utf-16-le", "surrogatepass")) // 2
