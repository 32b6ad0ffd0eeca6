"""A document's table for Qt: its cells as far as they were read, and which of them are marked."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Any

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QObject, QPersistentModelIndex, Qt
from PySide6.QtGui import QBrush, QColor, QFont

from desktop_rag.gui.controllers.table_outline import CellHit, TableOutline, TableRows
from desktop_rag.gui.viewer.pdf_painting import HIT, HIT_NOW, MARK, MARK_NOW
from desktop_rag.gui.widgets.tooltips import tip

_Index = QModelIndex | QPersistentModelIndex
_LEFT = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
_RIGHT = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
_INK = "#1d2321"  # on a marker's colour, whatever the theme
_MOST_HELD = 4000  # rows
_SHOWN, _TOLD = 300, 1500  # characters of a cell, in its place and when it is pointed at
_HEADING = 80  # characters


class DocumentTableModel(QAbstractTableModel):
    """Shows the table of an outline; a row that was not read yet is empty."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.outline: TableOutline | None = None
        self._rows: dict[int, tuple[str, ...]] = {}
        self._marked: Collection[int] = ()
        self._current = -1
        self._hits: frozenset[tuple[int, int]] = frozenset()
        self._hit: tuple[int, int] | None = None

    def show_table(self, outline: TableOutline | None) -> None:
        """Show a table, none of whose cells is there yet."""
        self.beginResetModel()
        self.outline, self._rows = outline, {}
        self._marked, self._current = (), -1
        self._hits, self._hit = frozenset(), None
        self.endResetModel()

    def add(self, came: TableRows) -> None:
        """Take cells that were read; of many, those that were read before are dropped."""
        if len(self._rows) > _MOST_HELD:
            self._rows = {}
        self._rows |= dict(enumerate(came.rows, start=came.first))
        self._tell(came.first, came.first + len(came.rows) - 1)

    def missing(self, rows: range) -> bool:
        """Say whether one of these rows was not read yet."""
        return any(row not in self._rows for row in rows)

    def mark(self, rows: Collection[int], current: int) -> None:
        """Mark rows; the current one is drawn stronger."""
        self._marked, self._current = rows, current
        self._tell(0, self.rowCount() - 1)

    def set_hits(self, hits: Sequence[CellHit], current: CellHit | None) -> None:
        """Mark cells that hold what is looked for; the current one is drawn stronger."""
        at = self.outline.index if self.outline is not None else -1
        self._hits = frozenset((each.row, each.column) for each in hits if each.table == at)
        is_here = current is not None and current.table == at
        self._hit = (current.row, current.column) if current is not None and is_here else None
        self._tell(0, self.rowCount() - 1)

    def cell(self, row: int, column: int) -> str:
        """Return a cell's text, nothing where it was not read yet."""
        cells = self._rows.get(row, ())
        return cells[column] if column < len(cells) else ""

    def rowCount(self, parent: _Index | None = None) -> int:  # noqa: N802 - Qt's
        """Return the number of rows."""
        is_below = parent is not None and parent.isValid()
        return 0 if is_below or self.outline is None else self.outline.size

    def columnCount(self, parent: _Index | None = None) -> int:  # noqa: N802 - Qt's
        """Return the number of columns."""
        is_below = parent is not None and parent.isValid()
        return 0 if is_below or self.outline is None else len(self.outline.names)

    def headerData(  # noqa: N802 - Qt's
        self,
        section: int,
        orientation: Qt.Orientation,
        role: int = Qt.ItemDataRole.DisplayRole,
    ) -> Any:
        """Return a column's name, or a row's number in its sheet."""
        if self.outline is None:
            return None
        if orientation is Qt.Orientation.Vertical:
            number = self.outline.numbers[section] if section < self.outline.size else 0
            return str(number or "") if role == Qt.ItemDataRole.DisplayRole else None
        name = self.outline.names[section] if section < len(self.outline.names) else ""
        if role == Qt.ItemDataRole.DisplayRole:
            return name[:_HEADING]
        if role == Qt.ItemDataRole.ToolTipRole:
            return tip(name) if name else None
        if role == Qt.ItemDataRole.FontRole and self._is_used(section):
            font = QFont()
            font.setWeight(QFont.Weight.Bold)
            return font
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return _RIGHT if section in self.outline.numeric else _LEFT
        return None

    def data(self, index: _Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        """Return what a cell shows, and how."""
        if not index.isValid() or self.outline is None:
            return None
        row, column = index.row(), index.column()
        if role == Qt.ItemDataRole.DisplayRole:
            return self.cell(row, column)[:_SHOWN]
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return _RIGHT if column in self.outline.numeric else _LEFT
        if role in (Qt.ItemDataRole.BackgroundRole, Qt.ItemDataRole.ForegroundRole):
            color = self._color(row, column)
            ink = _INK if role == Qt.ItemDataRole.ForegroundRole else color
            return QBrush(QColor(ink)) if color else None
        if role == Qt.ItemDataRole.ToolTipRole:
            return tip(self.cell(row, column)[:_TOLD])
        return None

    def _color(self, row: int, column: int) -> str:
        """Return the marker's colour of a cell, nothing where it is not marked."""
        if (row, column) == self._hit:
            return HIT_NOW
        if (row, column) in self._hits:
            return HIT
        if row == self._current:
            return MARK_NOW
        return MARK if row in self._marked or self._is_used(column) else ""

    def _is_used(self, column: int) -> bool:
        """Say whether a column is marked, in place of rows that are too many."""
        used = self.outline.used if self.outline is not None else None
        return used is not None and not used.rows and column in used.columns

    def _tell(self, first: int, last: int) -> None:
        if 0 <= first <= last < self.rowCount() and self.columnCount():
            self.dataChanged.emit(self.index(first, 0), self.index(last, self.columnCount() - 1))
