"""The sources of several answers in one table: a row a source, a column a way."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import (
    QAbstractTableModel,
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    Qt,
    Signal,
    Slot,
)
from PySide6.QtWidgets import (
    QAbstractItemView,
    QHeaderView,
    QLabel,
    QTableView,
    QVBoxLayout,
    QWidget,
)

from desktop_rag.core.sanitize import sanitize_name
from desktop_rag.gui.lab import comparison_text
from desktop_rag.gui.lab.shared_sources import SharedSource, SourceUse
from desktop_rag.gui.theme import Theme
from desktop_rag.gui.viewer.source_list_model import (
    localize_removed,
    matched_locator,
    source_location,
)
from desktop_rag.gui.widgets.tooltips import tip

_ROWS = 6
_WIDEST = 240  # pixels of a way's title

Index = QModelIndex | QPersistentModelIndex


class SharedSourcesModel(QAbstractTableModel):
    """Shows sources; the first column says where each stands, the others what a way makes of it."""

    def __init__(self, theme: Theme, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._titles: tuple[str, ...] = ()
        self.sources: tuple[SharedSource, ...] = ()

    def show_sources(self, sources: tuple[SharedSource, ...], titles: tuple[str, ...]) -> None:
        """Show other sources, under the titles of the ways."""
        if (sources, titles) == (self.sources, self._titles):
            return
        self.beginResetModel()
        self.sources, self._titles = sources, titles
        self.endResetModel()

    def rowCount(self, parent: Index | None = None) -> int:  # noqa: N802 - Qt's
        """Return how many sources there are."""
        return 0 if parent is not None and parent.isValid() else len(self.sources)

    def columnCount(self, parent: Index | None = None) -> int:  # noqa: N802 - Qt's
        """Return one more than there are ways."""
        return 0 if parent is not None and parent.isValid() else 1 + len(self._titles)

    def headerData(  # noqa: N802 - Qt's
        self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole
    ) -> Any:
        """Return a column's name."""
        if orientation != Qt.Orientation.Horizontal or role != Qt.ItemDataRole.DisplayRole:
            return None
        return self._titles[section - 1] if section else self.tr("Source")

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        """Return a cell's text, its colour, or where the source lies as a tooltip."""
        if not index.isValid():
            return None
        source = self.sources[index.row()]
        if role == Qt.ItemDataRole.DisplayRole:
            return self._text(source, index.column())
        if role == Qt.ItemDataRole.ToolTipRole:
            return tip(source.passage.path) if source.passage.path else None
        if role == Qt.ItemDataRole.ForegroundRole and index.column():
            return self._theme.colors.of(_ROLES[source.uses[index.column() - 1]])
        return None

    def _text(self, source: SharedSource, column: int) -> str:
        if column:
            return comparison_text.use_text(source, column - 1)
        passage = localize_removed(source.passage)
        where = source_location(passage, matched_locator(passage)) if passage.path else ""
        return " · ".join(filter(None, (sanitize_name(passage.title), where)))


_ROLES = {SourceUse.CITED: "accent_text", SourceUse.READ: "muted", SourceUse.NOT_FOUND: "faint"}


class SharedSourcesTable(QWidget):
    """The table under a line that counts. `cited` carries a column's number and a source's."""

    cited = Signal(object)

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.model = SharedSourcesModel(theme, self)
        self.said = QLabel()
        self.said.setObjectName("small")
        self.said.setTextFormat(Qt.TextFormat.PlainText)  # models' names come into it
        self.said.setWordWrap(True)
        self.view = QTableView()
        self._most = _ROWS
        self._dress()
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 4, 0, 0)
        column.setSpacing(4)
        column.addWidget(self.said)
        column.addWidget(self.view, 1)
        self.view.clicked.connect(self._open)
        self.view.activated.connect(self._open)

    def show_sources(
        self, sources: tuple[SharedSource, ...], titles: tuple[str, ...], whole: tuple[int, ...]
    ) -> None:
        """Show what the answers rest on; `whole` are the columns whose answers are there."""
        self.said.setText(comparison_text.shared_text(sources, titles, whole))
        self.model.show_sources(sources, titles)
        header, mode = self.view.horizontalHeader(), QHeaderView.ResizeMode
        for section in range(self.model.columnCount()):
            kind = mode.ResizeToContents if section else mode.Stretch
            header.setSectionResizeMode(section, kind)
        self._fit()

    def set_most(self, rows: int) -> None:
        """Show so many rows at once, at most."""
        self._most = rows
        self._fit()

    def _fit(self) -> None:
        """Be as high as the rows, and no higher."""
        rows = min(self._most, max(1, len(self.model.sources)))
        header = self.view.horizontalHeader().sizeHint().height()
        high = self.view.verticalHeader().defaultSectionSize()
        self.view.setFixedHeight(rows * high + header + 2 * self.view.frameWidth())

    @Slot(QModelIndex)
    def _open(self, index: QModelIndex) -> None:
        """Open the source of a cell as its way cites it; else as the first does that has it."""
        if not index.isValid():
            return
        source = self.model.sources[index.row()]
        at = index.column() - 1
        holder = at if at in source.holders else source.holders[0]
        self.cited.emit((holder, source.numbers[holder]))

    def _dress(self) -> None:
        view = self.view
        view.setObjectName("list")
        view.setModel(self.model)
        view.setAccessibleName(self.tr("Sources of the answers"))
        view.setShowGrid(False)
        view.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        view.setTabKeyNavigation(False)
        view.setWordWrap(False)
        view.verticalHeader().hide()
        view.verticalHeader().setDefaultSectionSize(view.fontMetrics().height() + 10)
        view.horizontalHeader().setHighlightSections(False)
        view.horizontalHeader().setDefaultAlignment(Qt.AlignmentFlag.AlignLeft)
        view.horizontalHeader().setMaximumSectionSize(_WIDEST)
        view.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
