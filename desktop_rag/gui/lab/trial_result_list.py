"""The passages that a tried search gives, each with its scores and how it moved.

How a passage of a tried search is painted: rank, movement, title, place, text, scores.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum
from typing import Any

from PySide6.QtCore import (
    QAbstractListModel,
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    QPoint,
    QRect,
    QRectF,
    QSize,
    Qt,
    Signal,
    Slot,
)
from PySide6.QtGui import QFontMetrics, QPainter
from PySide6.QtWidgets import (
    QAbstractItemView,
    QListView,
    QMenu,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QWidget,
)

from desktop_rag.core.sanitize import sanitize_name
from desktop_rag.core.types import Passage
from desktop_rag.gui.lab import search_test_text as phrases
from desktop_rag.gui.lab.search_trial import RankChange, TrialResult
from desktop_rag.gui.theme import SMALL, Theme, scaled
from desktop_rag.gui.viewer.source_list_model import matched_locator, source_location
from desktop_rag.gui.widgets.text_painting import height_of, lines_of, paint_line, paint_lines

_EDGE, _INNER, _BADGE, _TITLE, _LINES = 4, 10, 26, 22, 2
_CUT_HEIGHT = 30
_SEEN = 600  # characters of a passage that are looked at for two lines
Index = QModelIndex | QPersistentModelIndex


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


class TrialResultModel(QAbstractListModel):
    """The passages of a search, with a line behind the last one that is used."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._rows: list[RankChange | None] = []
        self._k = 0

    def show_result(self, tested: TrialResult | None) -> None:
        """Show what a search gave."""
        self.beginResetModel()
        self._rows = list(tested.rows) if tested is not None else []
        self._k = tested.trial.k if tested is not None else 0
        if len(self._rows) > self._k:
            self._rows.insert(self._k, None)
        self.endResetModel()

    def rowCount(self, parent: Index | None = None) -> int:  # noqa: N802 - Qt's
        """Return how many rows there are."""
        return 0 if parent is not None and parent.isValid() else len(self._rows)

    def flags(self, index: Index) -> Qt.ItemFlag:
        """Let the line of the cut not be chosen."""
        known = super().flags(index)
        is_line = index.isValid() and self._rows[index.row()] is None
        return known & ~Qt.ItemFlag.ItemIsSelectable if is_line else known

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        """Return a row, its text, or what is said of it."""
        if not index.isValid():
            return None
        row = self._rows[index.row()]
        if role == TrialResultRole.ROW:
            return row
        if role == TrialResultRole.IS_GIVEN:
            return index.row() < self._k
        if role == Qt.ItemDataRole.DisplayRole:
            return self._cut() if row is None else row.passage.text
        if role == Qt.ItemDataRole.AccessibleTextRole:
            return self._cut() if row is None else _aloud(row)
        return None

    def _cut(self) -> str:
        return phrases.tr("The first %1 are used; these are not.", f"{self._k:,}")


def _aloud(row: RankChange) -> str:
    """Return a passage for those who hear it."""
    passage = row.passage
    parts = (
        f"{passage.rank}. {sanitize_name(passage.title)}",
        phrases.moved_aloud(row),
        source_location(passage, matched_locator(passage)),
        passage.text[:300],
        phrases.scores(passage),
    )
    return ". ".join(filter(None, parts))


class TrialResultList(QListView):
    """The list. `opened` and `why_asked` carry the `Passage` that was chosen for it."""

    opened = Signal(object)
    why_asked = Signal(object)

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.rows = TrialResultModel(self)
        self.setModel(self.rows)
        self.setItemDelegate(TrialResultDelegate(theme, self))
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setResizeMode(QListView.ResizeMode.Adjust)
        self.setMouseTracking(True)
        self.setAccessibleName(self.tr("Passages found"))
        self.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        self.clicked.connect(self._open)
        self.activated.connect(self._open)
        self.customContextMenuRequested.connect(self._offer)

    def chosen(self) -> Passage | None:
        """Return the passage that is chosen, None where none is."""
        index = self.currentIndex()
        row: RankChange | None = index.data(TrialResultRole.ROW) if index.isValid() else None
        return row.passage if row is not None else None

    @Slot(QModelIndex)
    def _open(self, index: QModelIndex) -> None:
        row: RankChange | None = index.data(TrialResultRole.ROW)
        if row is not None:
            self.opened.emit(row.passage)

    @Slot(QPoint)
    def _offer(self, at: QPoint) -> None:
        index = self.indexAt(at)
        if not index.isValid() or index.data(TrialResultRole.ROW) is None:
            return
        self.setCurrentIndex(index)
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        menu.addAction(self.tr("Open in its document")).triggered.connect(self._open_current)
        menu.addAction(self.tr("Why does it come here?")).triggered.connect(self._ask_why)
        menu.popup(self.viewport().mapToGlobal(at))

    @Slot()
    def _open_current(self) -> None:
        self._open(self.currentIndex())

    @Slot()
    def _ask_why(self) -> None:
        if (passage := self.chosen()) is not None:
            self.why_asked.emit(passage)
