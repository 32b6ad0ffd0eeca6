"""A document's table for Qt: its cells as far as they were read, and which of them are marked."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Collection, Sequence
from typing import Any

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QObject, QPersistentModelIndex, Qt
from PySide6.QtGui import QColor, QFont

from desktop_rag.gui.controllers.table_outline import CellHit, TableOutline, TableRows
from desktop_rag.gui.viewer.pdf_painting import HIT, HIT_NOW, MARK, MARK_NOW
from desktop_rag.gui.widgets.tooltips import tip

_Index = QModelIndex | QPersistentModelIndex
_LEFT = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
_RIGHT = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
_MOST_HELD = 4000  # rows
SHOWN, _TOLD = 300, 1500  # characters of a cell, in its place and when it is pointed at
_HEADING = 80  # characters


class DocumentTableModel(QAbstractTableModel):
    """Shows the table of an outline; a row that was not read yet is empty."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.outline: TableOutline | None = None
        self._rows: dict[int, tuple[str, ...]] = {}
        self._marked: Collection[int] = ()
        self._current = -1
        self._hits: Sequence[CellHit] = ()
        self._hit: CellHit | None = None

    def show_table(self, outline: TableOutline | None) -> None:
        """Show a table, none of whose cells is there yet."""
        self.beginResetModel()
        self.outline, self._rows = outline, {}
        self._marked, self._current = (), -1
        self._hits, self._hit = (), None
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
        """Mark cells that hold what is looked for; the current one is drawn stronger.

        The hits are of all tables, in their order.
        """
        self._hits, self._hit = hits, current
        self._tell(0, self.rowCount() - 1)

    def cell(self, row: int, column: int) -> str:
        """Return a cell's text, nothing where it was not read yet."""
        cells = self._rows.get(row, ())
        return cells[column] if column < len(cells) else ""

    @property
    def digits(self) -> int:
        """How many digits the largest number of a row has."""
        numbers = self.outline.numbers if self.outline is not None else ()
        return len(str(max(numbers[-1:], default=0)))

    def is_numeric(self, column: int) -> bool:
        """Say whether a column holds numbers."""
        return self.outline is not None and column in self.outline.numeric

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
            return self.cell(row, column)[:SHOWN]
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return _RIGHT if column in self.outline.numeric else _LEFT
        if role == Qt.ItemDataRole.BackgroundRole:
            color = self.color(row, column)
            return QColor(color) if color else None
        if role == Qt.ItemDataRole.ToolTipRole:
            return tip(self.cell(row, column)[:_TOLD])
        return None

    def color(self, row: int, column: int) -> str:
        """Return the marker's colour of a cell, nothing where it is not marked."""
        hit = self._hit_at(row, column) if self._hits else None
        if hit is not None:
            return HIT_NOW if hit == self._hit else HIT
        if row == self._current:
            return MARK_NOW
        is_used = self._is_used(column) and self._is_covered(row)
        return MARK if row in self._marked or is_used else ""

    def _hit_at(self, row: int, column: int) -> CellHit | None:
        """Return what was found in a cell."""
        order = (self.outline.starts[row], column) if self.outline is not None else (0, 0)
        at = bisect_left(self._hits, order, key=_order)
        return self._hits[at] if at < len(self._hits) and self._hits[at].order == order else None

    def _is_used(self, column: int) -> bool:
        """Say whether a column is marked, in place of rows that are too many."""
        used = self.outline.used if self.outline is not None else None
        return used is not None and not used.by_row and column in used.columns

    def _is_covered(self, row: int) -> bool:
        used = self.outline.used if self.outline is not None else None
        return used is not None and used.covers(row)

    def _tell(self, first: int, last: int) -> None:
        if 0 <= first <= last < self.rowCount() and self.columnCount():
            self.dataChanged.emit(self.index(first, 0), self.index(last, self.columnCount() - 1))


def _order(hit: CellHit) -> tuple[int, int]:
    return hit.order
