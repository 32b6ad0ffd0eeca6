"""The table's view: what is chosen in it, and keys."""

from __future__ import annotations

from PySide6.QtCore import QItemSelection, QItemSelectionModel, QModelIndex, Qt, Signal
from PySide6.QtGui import QKeyEvent, QResizeEvent
from PySide6.QtWidgets import QAbstractItemView, QHeaderView, QTableView, QWidget

from desktop_rag.catalog.records import FileRow
from desktop_rag.core.types import FileId
from desktop_rag.gui.controllers.file_query import FileColumn
from desktop_rag.gui.controllers.file_table import FileListing
from desktop_rag.gui.library.file_menu import FileTarget
from desktop_rag.gui.library.table import FileTableModel

_WIDTHS = {  # in the order that they are shown in
    FileColumn.NAME: 184,
    FileColumn.STATE: 146,
    FileColumn.REASON: 200,
    FileColumn.PASSAGES: 78,
    FileColumn.FOLDER: 112,
    FileColumn.TYPE: 54,
    FileColumn.PAGES: 58,
    FileColumn.SIZE: 72,
    FileColumn.CHANGED: 122,
    FileColumn.SECONDS: 66,
}
_ROW_PADDING = 10


class FileTableView(QTableView):
    """A table of whole rows; what is chosen and the place in it outlive a new listing.

    The column of reasons is there while there are any, and takes the room that the others leave.
    `entered_row` says that Enter was pressed.
    """

    entered_row = Signal()

    def __init__(self, model: FileTableModel, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._model = model
        self.setModel(model)
        self.setObjectName("files")
        self.setAccessibleName(self.tr("Files"))
        self.setShowGrid(False)
        self.setWordWrap(False)
        self.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
        self.setHorizontalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        self.setTabKeyNavigation(False)
        self.setCornerButtonEnabled(False)
        self._set_headers()

    def show_listing(self, listing: FileListing) -> None:
        """Show a listing, with the same files chosen as before."""
        self._show_reasons(shown=listing.has_reasons)
        if listing.is_same:
            self._model.show_listing(listing)
            return
        chosen = {row.id for row in self.chosen_rows()}
        current, column = self._current(), self.currentIndex().column()
        top = self.verticalScrollBar().value()
        self._model.show_listing(listing)
        if chosen or current is not None:
            self._choose_again(chosen, current, max(0, column))
        self.verticalScrollBar().setValue(min(top, self.verticalScrollBar().maximum()))

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802 - Qt's
        """Let the reasons have what room there is."""
        super().resizeEvent(event)
        self._widen_reasons()

    def chosen_rows(self) -> list[FileRow]:
        """Return the chosen files, in the order that they are shown in."""
        rows = self._model.rows
        selection = self.selectionModel().selection()
        ranges = [selection.at(number) for number in range(selection.size())]
        spans = sorted((each.top(), each.bottom()) for each in ranges)
        return [row for first, last in spans for row in rows[first : last + 1]]

    def chosen(self, most: int | None = None) -> tuple[FileTarget, ...]:
        """Return the chosen files, at most so many, as what actions are about."""
        return tuple(FileTarget(row.path, row) for row in self.chosen_rows()[:most])

    def keyPressEvent(self, event: QKeyEvent) -> None:  # noqa: N802 - Qt's
        """Let Enter open the row."""
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.entered_row.emit()
            return
        super().keyPressEvent(event)

    def _show_reasons(self, *, shown: bool) -> None:
        self.horizontalHeader().setStretchLastSection(not shown)  # else it ends amid the table
        if shown == self.isColumnHidden(FileColumn.REASON):
            self.setColumnHidden(FileColumn.REASON, not shown)
            self._widen_reasons()

    def _widen_reasons(self) -> None:
        across = self.horizontalHeader()
        if not self.isColumnHidden(FileColumn.REASON):
            others = across.length() - across.sectionSize(FileColumn.REASON)
            room = self.viewport().width() - others
            across.resizeSection(FileColumn.REASON, max(_WIDTHS[FileColumn.REASON], room))

    def _current(self) -> FileId | None:
        index = self.currentIndex()
        return self._model.rows[index.row()].id if index.isValid() else None

    def _choose_again(self, chosen: set[FileId], current: FileId | None, column: int) -> None:
        """Choose files again by their numbers, run by run."""
        selection, start = QItemSelection(), -1
        at = QModelIndex()
        last = len(FileColumn) - 1
        for number, row in enumerate(self._model.rows):
            if row.id == current:
                at = self._model.index(number, column)
            is_chosen = row.id in chosen
            if is_chosen and start < 0:
                start = number
            elif not is_chosen and start >= 0:
                selection.select(self._model.index(start, 0), self._model.index(number - 1, last))
                start = -1
        if start >= 0:
            end = len(self._model.rows) - 1
            selection.select(self._model.index(start, 0), self._model.index(end, last))
        flags = QItemSelectionModel.SelectionFlag
        self.selectionModel().setCurrentIndex(at, flags.NoUpdate)
        self.selectionModel().select(selection, flags.ClearAndSelect)

    def _set_headers(self) -> None:
        across, down = self.horizontalHeader(), self.verticalHeader()
        down.hide()
        down.setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        down.setDefaultSectionSize(self.fontMetrics().height() + _ROW_PADDING)
        for header in (across, down):  # else it asks of every row whether it is chosen
            header.setSelectionModel(QItemSelectionModel(self._model, header))
        across.setSectionsClickable(True)
        across.setSortIndicatorShown(True)
        across.setHighlightSections(False)
        across.setSectionsMovable(True)
        across.setMinimumSectionSize(44)
        for place, (column, width) in enumerate(_WIDTHS.items()):
            across.moveSection(across.visualIndex(column), place)
            across.resizeSection(column, width)
        self.setColumnHidden(FileColumn.REASON, True)
        across.setStretchLastSection(True)
        across.setSortIndicator(FileColumn.FOLDER, Qt.SortOrder.AscendingOrder)
