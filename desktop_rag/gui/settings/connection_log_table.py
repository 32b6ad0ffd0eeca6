"""The log of connections on the page about privacy: its table, with copy and clear."""

from __future__ import annotations

import time
from typing import Any

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QPersistentModelIndex, Qt, QTimer, Slot
from PySide6.QtGui import QGuiApplication, QHideEvent, QShowEvent
from PySide6.QtWidgets import (
    QAbstractItemView,
    QHBoxLayout,
    QHeaderView,
    QLabel,
    QPushButton,
    QTableView,
    QVBoxLayout,
    QWidget,
)

from desktop_rag.core.connection_audit import Purpose
from desktop_rag.core.formula_escape import escape_formula
from desktop_rag.gui.controllers.privacy import ConnectionGroup, PrivacyController, is_this_computer
from desktop_rag.gui.theme import Theme
from desktop_rag.gui.widgets.cards import heading_label, text_label
from desktop_rag.gui.widgets.tooltips import tip

_Index = QModelIndex | QPersistentModelIndex
_NOWHERE = QModelIndex()
_EVERY_MS = 1500
_MOST_ROWS = 8


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
            Purpose.ANSWER: self.tr("Language model: an answer"),
            Purpose.MODELS: self.tr("Language model: which models there are"),
            Purpose.PULL: self.tr("Ollama: fetching a model"),
            Purpose.FETCH: self.tr("Hugging Face: fetching a model"),
            Purpose.EMBED: self.tr("Ollama: embedding"),
            Purpose.VECTORS: self.tr("Shared knowledge base"),
        }
        unknown = self.tr("unknown: a library's own") if named else self.tr("looking up a name")
        return words.get(purpose, unknown)


def _clock(when: float) -> str:
    """Return a time of today as the clock shows it, an earlier one with its day."""
    then, now = time.localtime(when), time.localtime()
    is_today = then[:3] == now[:3]
    return time.strftime("%H:%M:%S" if is_today else "%Y-%m-%d %H:%M", then)


class ConnectionLogTable(QWidget):
    """Reads the log again now and then while it is seen."""

    def __init__(self, theme: Theme, privacy: PrivacyController) -> None:
        super().__init__()
        self._privacy = privacy
        self.model = ConnectionLogModel(theme)
        self.table = QTableView()
        self.empty = QLabel(self.tr("No connection has been made yet."))
        self.empty.setObjectName("muted")
        self.copy_all = QPushButton(self.tr("Copy"))
        self.clear = QPushButton(self.tr("Clear"))
        self._again = QTimer(self)
        self._again.setInterval(_EVERY_MS)
        self._again.timeout.connect(privacy.read_log)
        self._lay_out()
        self.copy_all.clicked.connect(self._copy)
        self.clear.clicked.connect(privacy.clear_log)
        privacy.log_changed.connect(self._show)
        self._show(())

    def showEvent(self, event: QShowEvent) -> None:  # noqa: N802 - Qt's
        """Begin to read."""
        super().showEvent(event)
        self._privacy.read_log()
        self._again.start()

    def hideEvent(self, event: QHideEvent) -> None:  # noqa: N802 - Qt's
        """Read no more."""
        self._again.stop()
        super().hideEvent(event)

    @Slot(object)
    def _show(self, rows: tuple[ConnectionGroup, ...]) -> None:
        self.model.show_rows(rows)
        self.table.setVisible(bool(rows))
        self._fit(min(len(rows), _MOST_ROWS))
        self.empty.setVisible(not rows)
        self.copy_all.setEnabled(bool(rows))
        self.clear.setEnabled(bool(rows))

    def _fit(self, rows: int) -> None:
        """Make the table as high as its rows, as far as it need not scroll."""
        header = self.table.horizontalHeader().sizeHint().height()
        height = self.table.verticalHeader().defaultSectionSize()
        self.table.setFixedHeight(header + rows * height + 6)

    @Slot()
    def _copy(self) -> None:
        QGuiApplication.clipboard().setText(self.model.as_text())

    def _lay_out(self) -> None:
        self._set_up_table()
        buttons = QHBoxLayout()
        buttons.addStretch(1)
        buttons.addWidget(self.copy_all)
        buttons.addWidget(self.clear)
        about = self.tr(
            "Every connection that this program makes: when, to where, what for, and whether it "
            "was let through. It is kept in the data folder and holds no text of your documents "
            "or questions."
        )
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        for widget in (
            heading_label(self.tr("Connections")),
            text_label(about, "muted"),
            self.table,
            self.empty,
        ):
            column.addWidget(widget)
        column.addLayout(buttons)

    def _set_up_table(self) -> None:
        table = self.table
        table.setModel(self.model)
        table.setObjectName("list")
        table.setAccessibleName(self.tr("Connections"))
        table.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        table.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        table.setShowGrid(False)
        table.setWordWrap(False)
        table.setTabKeyNavigation(False)
        table.verticalHeader().hide()
        header = table.horizontalHeader()
        header.setHighlightSections(False)
        header.setDefaultAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
        header.setSectionResizeMode(QHeaderView.ResizeMode.ResizeToContents)
        header.setSectionResizeMode(2, QHeaderView.ResizeMode.Stretch)
        header.setMinimumSectionSize(60)
