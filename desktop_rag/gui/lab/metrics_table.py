"""The table of a run: a way in each row, its figures in the columns."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from PySide6.QtCore import (
    QAbstractTableModel,
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    Qt,
    Slot,
)
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QAbstractItemView, QHeaderView, QTableView, QWidget

from desktop_rag.gui.lab import evaluation_text
from desktop_rag.gui.widgets.tooltips import tip

Index = QModelIndex | QPersistentModelIndex
_LEFT = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
_RIGHT = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
_MOST_ROWS = 12
_NAME_WIDTH, _WIDEST_NAME = 150, 240


class MetricsTableModel(QAbstractTableModel):
    """Shows rows of figures."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.rows: tuple[Mapping[str, Any], ...] = ()
        self._columns: tuple[str, ...] = ()
        self._titles: Mapping[str, str] = {}

    def show_rows(
        self, task: str, rows: Sequence[Mapping[str, Any]], titles: Mapping[str, str]
    ) -> None:
        """Show the rows of a task; `titles` are the strategies' by their names."""
        columns = evaluation_text.columns(task, rows)
        if (tuple(rows), columns, titles) == (self.rows, self._columns, self._titles):
            return
        self.beginResetModel()
        self.rows, self._columns, self._titles = tuple(rows), columns, titles
        self.endResetModel()

    def rowCount(self, parent: Index | None = None) -> int:  # noqa: N802 - Qt's
        """Return the number of ways."""
        return 0 if parent is not None and parent.isValid() else len(self.rows)

    def columnCount(self, parent: Index | None = None) -> int:  # noqa: N802 - Qt's
        """Return the number of figures, and one for the way's name."""
        return 0 if parent is not None and parent.isValid() else len(self._columns) + 1

    def headerData(  # noqa: N802 - Qt's
        self,
        section: int,
        orientation: Qt.Orientation,
        role: int = Qt.ItemDataRole.DisplayRole,
    ) -> Any:
        """Return a figure's name, and what it says."""
        if orientation is not Qt.Orientation.Horizontal or section > len(self._columns):
            return None
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return _RIGHT if section else _LEFT
        column = self._columns[section - 1] if section else ""
        if role == Qt.ItemDataRole.ToolTipRole and section:
            return tip(evaluation_text.metric_text(column))
        if role != Qt.ItemDataRole.DisplayRole:
            return None
        return evaluation_text.metric_name(column) if section else self._of_names()

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        """Return a cell."""
        if not index.isValid() or index.row() >= len(self.rows):
            return None
        if role == Qt.ItemDataRole.DisplayRole:
            return self._text(index.row(), index.column())
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return _RIGHT if index.column() else _LEFT
        if role == Qt.ItemDataRole.AccessibleTextRole:
            head = self.headerData(index.column(), Qt.Orientation.Horizontal)
            return f"{head}: {self._text(index.row(), index.column())}"
        return None

    def _of_names(self) -> str:
        is_of_model = any("ability" in row for row in self.rows)
        return self.tr("Ability") if is_of_model else self.tr("Way")

    def _text(self, row: int, column: int) -> str:
        figures = self.rows[row]
        if not column:
            return evaluation_text.row_name(figures, self._titles)
        name = self._columns[column - 1]
        return evaluation_text.metric_value(name, figures.get(name))


class MetricsTableView(QTableView):
    """The table as high as its rows; whole rows are chosen."""

    def __init__(self, model: MetricsTableModel, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setModel(model)
        self.setObjectName("list")
        self.setAccessibleName(self.tr("Figures"))
        self.setShowGrid(False)
        self.setWordWrap(False)
        self.setTabKeyNavigation(False)
        self.setCornerButtonEnabled(False)
        self.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.setHorizontalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.verticalHeader().hide()
        self.verticalHeader().setDefaultSectionSize(self.fontMetrics().height() + 12)
        across = self.horizontalHeader()
        across.setHighlightSections(False)
        across.setSectionResizeMode(QHeaderView.ResizeMode.ResizeToContents)
        across.setMinimumSectionSize(48)
        model.modelReset.connect(self._fit)
        self._fit()

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802 - Qt's
        """Let the names have what room there is."""
        super().resizeEvent(event)
        self._fit()

    @Slot()
    def _fit(self) -> None:
        """Widen the names to the room that is left; be as high as the rows, and a bar if needed."""
        across = self.horizontalHeader()
        if not across.count():
            return
        across.setSectionResizeMode(0, QHeaderView.ResizeMode.Fixed)
        others = across.length() - across.sectionSize(0)
        room = self.viewport().width() - others
        needed = min(_WIDEST_NAME, max(_NAME_WIDTH, self.sizeHintForColumn(0)))
        across.resizeSection(0, max(needed, room))
        rows = min(_MOST_ROWS, max(1, self.model().rowCount()))
        bar = self.horizontalScrollBar().sizeHint().height() if room < needed else 0
        height = across.sizeHint().height() + bar + 4
        self.setFixedHeight(height + rows * self.verticalHeader().defaultSectionSize())
