"""The list of passages that a search test found, each with its scores and how its rank changed.

The delegate paints a passage's rank, movement, title, place, text and scores; the model and the
list follow.
"""

from __future__ import annotations

from enum import IntEnum
from typing import Any

from PySide6.QtCore import (
    QAbstractListModel,
    QModelIndex,
    QObject,
    QPoint,
    QRect,
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
    QStyleOptionViewItem,
    QWidget,
)

from desktop_rag.core.sanitize import sanitize_name
from desktop_rag.core.types import Passage
from desktop_rag.gui.lab import search_test_text as phrases
from desktop_rag.gui.lab.search_test_values import RankChange, SearchTestResult
from desktop_rag.gui.theme import SMALL, Theme, scaled
from desktop_rag.gui.viewer.source_list_model import matched_locator, source_location
from desktop_rag.gui.widgets.card_delegate import CardDelegate, CardHead, Index
from desktop_rag.gui.widgets.text_painting import height_of, paint_line

_TITLE = 22
_CUT_HEIGHT = 30
_SEEN = 600  # characters of a passage that are looked at for two lines


class SearchTestResultRole(IntEnum):
    """What a row is: a `RankChange`, or None for the line of the cut; whether it is used."""

    ROW = Qt.ItemDataRole.UserRole + 1
    IS_GIVEN = Qt.ItemDataRole.UserRole + 2


class SearchTestResultDelegate(CardDelegate):
    """Paints a passage as a card, and the line behind the last one that is used."""

    badge, lines = 26, 2

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:  # noqa: N802 - Qt's
        """Return the same height for all passages."""
        if index.data(SearchTestResultRole.ROW) is None:
            return QSize(0, _CUT_HEIGHT)
        small = QFontMetrics(scaled(option.font, SMALL)).height()
        title = max(QFontMetrics(option.font).height(), _TITLE)
        text = height_of(self.lines, option.font)
        return QSize(0, title + 2 * small + text + 2 * (self.edge + self.inner) + 8)

    def paint_row(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        """Paint a passage, or the line of the cut."""
        row: RankChange | None = index.data(SearchTestResultRole.ROW)
        if row is None:
            self._paint_cut(painter, option, str(index.data()))
            return
        is_given = bool(index.data(SearchTestResultRole.IS_GIVEN))
        self.paint_frame(painter, option, "raised")
        box, color = self.inside(option), "text" if is_given else "muted"
        width = self._paint_movement(painter, option, row)
        title = QRect(box.left(), box.top(), box.width() - width - 11, _TITLE)
        head = CardHead(row.passage.rank, sanitize_name(row.passage.title), is_given, color)
        self.paint_head(painter, option.font, title, head)
        below = box.adjusted(0, _TITLE + 3, 0, 0)
        self.use(painter, "muted", scaled(option.font, SMALL))
        small = painter.fontMetrics().height()
        paint_line(painter, below, source_location(row.passage, matched_locator(row.passage)))
        last = below.adjusted(0, below.height() - small, 0, 0)
        paint_line(painter, last, phrases.scores(row.passage))
        self.use(painter, color)
        text = below.adjusted(0, small + 2, 0, 0)
        self.paint_text(painter, option.font, text, row.passage.matched[:_SEEN])

    def _paint_movement(
        self, painter: QPainter, option: QStyleOptionViewItem, row: RankChange
    ) -> int:
        """Paint at the right how the passage moved; return how wide that is."""
        box, moved = self.inside(option), phrases.movement(row)
        color = "warn" if row.by is not None and row.by < 0 else "good"
        self.use(painter, color, scaled(option.font, 1.0, bold=True))
        width = painter.fontMetrics().horizontalAdvance(moved)
        right = QRect(box.right() - width, box.top(), width + 1, _TITLE)
        painter.drawText(right, Qt.AlignmentFlag.AlignVCenter, moved)
        return width

    def _paint_cut(self, painter: QPainter, option: QStyleOptionViewItem, text: str) -> None:
        self.use(painter, "muted", scaled(option.font, SMALL))
        metrics = painter.fontMetrics()
        room = option.rect.adjusted(self.edge + 2, 0, -self.edge - 2, 0)
        shown = metrics.elidedText(text, Qt.TextElideMode.ElideRight, room.width() - 24)
        painter.drawText(room, Qt.AlignmentFlag.AlignVCenter, shown)
        begin = room.left() + metrics.horizontalAdvance(shown) + 10
        self.use(painter, "border")
        painter.drawLine(begin, room.center().y(), room.right(), room.center().y())


class SearchTestResultModel(QAbstractListModel):
    """The passages of a search, with a line behind the last one that is used."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._rows: list[RankChange | None] = []
        self._k = 0

    def show_result(self, tested: SearchTestResult | None) -> None:
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
        if role == SearchTestResultRole.ROW:
            return row
        if role == SearchTestResultRole.IS_GIVEN:
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


class SearchTestResultList(QListView):
    """The list. `opened` and `why_asked` carry the `Passage` that was chosen for it."""

    opened = Signal(object)
    why_asked = Signal(object)

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.rows = SearchTestResultModel(self)
        self.setModel(self.rows)
        self.setItemDelegate(SearchTestResultDelegate(theme, self))
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
        row: RankChange | None = index.data(SearchTestResultRole.ROW) if index.isValid() else None
        return row.passage if row is not None else None

    @Slot(QModelIndex)
    def _open(self, index: QModelIndex) -> None:
        row: RankChange | None = index.data(SearchTestResultRole.ROW)
        if row is not None:
            self.opened.emit(row.passage)

    @Slot(QPoint)
    def _offer(self, at: QPoint) -> None:
        index = self.indexAt(at)
        if not index.isValid() or index.data(SearchTestResultRole.ROW) is None:
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
