"""The log of connections as a table."""

from __future__ import annotations

import time
from typing import Any

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QPersistentModelIndex, Qt, Slot

from desktop_rag.core.connection_audit import Purpose
from desktop_rag.core.formula_escape import escape_formula
from desktop_rag.gui.controllers.privacy import ConnectionGroup, is_this_computer
from desktop_rag.gui.theme import Theme
from desktop_rag.gui.widgets.tooltips import tip

_Index = QModelIndex | QPersistentModelIndex
_NOWHERE = QModelIndex()


class ConnectionLogModel(QAbstractTableModel):
    """A row for each connection, the newest first; the same one made again is one row."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self._rows: tuple[ConnectionGroup, ...] = ()

    @Slot(object)
    def show_rows(self, rows: tuple[ConnectionGroup, ...]) -> None:
        """Show these contacts."""
        if rows == self._rows:
            return
        self.beginResetModel()
        self._rows = rows
        self.endResetModel()

    def rowCount(self, parent: _Index = _NOWHERE) -> int:  # noqa: N802 - Qt's
        """Return how many there are."""
        return 0 if parent.isValid() else len(self._rows)

    def columnCount(self, parent: _Index = _NOWHERE) -> int:  # noqa: N802 - Qt's
        """Return how many columns there are."""
        return 0 if parent.isValid() else 4

    def headerData(  # noqa: N802 - Qt's
        self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole
    ) -> Any:
        """Return the columns' names."""
        if orientation != Qt.Orientation.Horizontal or role != Qt.ItemDataRole.DisplayRole:
            return None
        names = (self.tr("Last time"), self.tr("To"), self.tr("For"), self.tr("Outcome"))
        return names[section]

    def data(self, index: _Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        """Return a cell."""
        if not index.isValid():
            return None
        row = self._rows[index.row()]
        if role == Qt.ItemDataRole.DisplayRole:
            return self.cells(row)[index.column()]
        if role == Qt.ItemDataRole.ToolTipRole:
            return tip(self.cells(row)[index.column()])
        if role == Qt.ItemDataRole.ForegroundRole and not row.last.allowed:
            return self._theme.colors.of("bad")
        return None

    def cells(self, row: ConnectionGroup) -> tuple[str, str, str, str]:
        """Return what a row says."""
        last = row.last
        when = _clock(last.when)
        host = f"[{last.host}]" if ":" in last.host else last.host
        where = f"{host}:{last.port}" if last.port else host
        if is_this_computer(last.host):
            where = self.tr("%1 (this computer)").replace("%1", where)
        outcome = self.tr("allowed") if last.allowed else self.tr("refused")
        times = f" × {row.times:,}" if row.times > 1 else ""
        return when, where, self._purpose(last.purpose, named=bool(last.port)), outcome + times

    def as_text(self) -> str:
        """Return all rows, tabs between the cells."""
        return "\n".join("\t".join(map(escape_formula, self.cells(row))) for row in self._rows)

    def _purpose(self, purpose: Purpose, *, named: bool) -> str:
        words = {
            Purpose.ANSWER: self.tr("Ollama: an answer"),
            Purpose.MODELS: self.tr("Ollama: which models it has"),
            Purpose.PULL: self.tr("Ollama: fetching a model"),
            Purpose.FETCH: self.tr("Hugging Face: fetching a model"),
            Purpose.EMBED: self.tr("Ollama: embedding"),
            Purpose.VECTORS: self.tr("Shared Chroma: vectors"),
        }
        unknown = self.tr("unknown: a library's own") if named else self.tr("looking up a name")
        return words.get(purpose, unknown)


def _clock(when: float) -> str:
    """Return a time of today as the clock shows it, an earlier one with its day."""
    then, now = time.localtime(when), time.localtime()
    is_today = then[:3] == now[:3]
    return time.strftime("%H:%M:%S" if is_today else "%Y-%m-%d %H:%M", then)
