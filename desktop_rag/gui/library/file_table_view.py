"""The table of files: Qt's model of a `FileListing`, and the view with its selection and keys."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import (
    QAbstractTableModel,
    QDateTime,
    QItemSelection,
    QItemSelectionModel,
    QLocale,
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    Qt,
    Signal,
    Slot,
)
from PySide6.QtGui import QIcon, QKeyEvent, QResizeEvent
from PySide6.QtWidgets import QAbstractItemView, QHeaderView, QTableView, QWidget

from desktop_rag.core.catalog_records import FileRow
from desktop_rag.core.sanitize import sanitize_name
from desktop_rag.core.types import FileId, FileStatus
from desktop_rag.gui.controllers.file_query import (
    FileColumn,
    FileQuery,
    folder_of,
    is_below,
    name_of,
    type_of,
)
from desktop_rag.gui.controllers.file_table import FileListing
from desktop_rag.gui.controllers.library_snapshot import is_passed_over, is_problem, is_ready
from desktop_rag.gui.icons import icon
from desktop_rag.gui.library import library_text
from desktop_rag.gui.library.file_menu import FileTarget
from desktop_rag.gui.message_translation import translate_message
from desktop_rag.gui.theme import Theme

Index = QModelIndex | QPersistentModelIndex
_NUMBERS = (FileColumn.PASSAGES, FileColumn.PAGES, FileColumn.SIZE, FileColumn.SECONDS)
_LEFT = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
_RIGHT = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
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


class FileTableModel(QAbstractTableModel):
    """Shows a listing. What changed in place is told as a change, all else as a new table."""

    def __init__(self, theme: Theme, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._icons: dict[tuple[str, str], QIcon] = {}
        self._listing = FileListing(FileQuery(), "")
        theme.changed.connect(self._dress)

    @property
    def rows(self) -> tuple[FileRow, ...]:
        """The files, in the order that they are shown in."""
        return self._listing.rows

    def show_listing(self, listing: FileListing) -> None:
        """Show a listing."""
        if listing.is_same and len(listing.rows) == len(self.rows):
            self._listing = listing
            if listing.changed is not None:
                first, last = listing.changed
                self.dataChanged.emit(self.index(first, 0), self.index(last, len(FileColumn) - 1))
            return
        self.beginResetModel()
        self._listing = listing
        self.endResetModel()

    def rowCount(self, parent: Index | None = None) -> int:  # noqa: N802 - Qt's
        """Return the number of files."""
        return 0 if parent is not None and parent.isValid() else len(self._listing.rows)

    def columnCount(self, parent: Index | None = None) -> int:  # noqa: N802 - Qt's
        """Return the number of columns."""
        return 0 if parent is not None and parent.isValid() else len(FileColumn)

    def headerData(  # noqa: N802 - Qt's
        self,
        section: int,
        orientation: Qt.Orientation,
        role: int = Qt.ItemDataRole.DisplayRole,
    ) -> Any:
        """Return a column's name."""
        if orientation is not Qt.Orientation.Horizontal:
            return None
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return _RIGHT if section in _NUMBERS else _LEFT
        return self.title(FileColumn(section)) if role == Qt.ItemDataRole.DisplayRole else None

    def title(self, column: FileColumn) -> str:
        """Return a column's name."""
        return {
            FileColumn.NAME: self.tr("Name"),
            FileColumn.FOLDER: self.tr("Folder"),
            FileColumn.TYPE: self.tr("Type"),
            FileColumn.STATE: self.tr("State"),
            FileColumn.PASSAGES: self.tr("Passages"),
            FileColumn.PAGES: self.tr("Pages"),
            FileColumn.SIZE: self.tr("Size"),
            FileColumn.CHANGED: self.tr("Changed"),
            FileColumn.SECONDS: self.tr("Reading time"),
            FileColumn.REASON: self.tr("Reason"),
        }[column]

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        """Return what a cell shows, how, and what is said of it."""
        if not index.isValid() or index.row() >= len(self._listing.rows):
            return None
        row, column = self._listing.rows[index.row()], index.column()
        if role == Qt.ItemDataRole.DisplayRole:
            return self._text(row, column)
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return _RIGHT if column in _NUMBERS else None
        if role == Qt.ItemDataRole.ForegroundRole:
            return self._theme.colors.of(self._role(row, column))
        if role == Qt.ItemDataRole.DecorationRole and column == FileColumn.STATE:
            return self._sign(row)
        if role == Qt.ItemDataRole.ToolTipRole:
            return library_text.file_tooltip(row)
        if role == Qt.ItemDataRole.AccessibleTextRole:
            return f"{self.title(FileColumn(column))}: {self._text(row, column)}"
        return None

    def _text(self, row: FileRow, column: int) -> str:
        if column == FileColumn.NAME:
            return sanitize_name(name_of(row))
        if column == FileColumn.FOLDER:
            return self._place(row)
        if column == FileColumn.TYPE:
            return type_of(row)
        if column == FileColumn.STATE:
            return library_text.state_label(row, is_away=self._is_away(row))
        if column == FileColumn.REASON:
            return translate_message(row.reason)
        return _figure(row, column)

    def _place(self, row: FileRow) -> str:
        """Return a file's folder, from the followed folder's name on."""
        folder = folder_of(row)
        for source in self._listing.folders:
            if is_below(folder, source):
                above = max(source.rstrip("/\\").rfind("/"), source.rstrip("/\\").rfind("\\"))
                return folder[above + 1 :]
        return folder

    def _is_away(self, row: FileRow) -> bool:
        return any(is_below(row.path, folder) for folder in self._listing.away)

    def _sign(self, row: FileRow) -> QIcon:
        name, role = ("away", "muted") if self._is_away(row) else library_text.icon_and_color(row)
        color = getattr(self._theme.colors, role)
        if (name, color) not in self._icons:
            made = icon(name, color)
            for size in made.availableSizes():  # a chosen row keeps the colours of its state
                made.addPixmap(made.pixmap(size), QIcon.Mode.Selected)
            self._icons[name, color] = made
        return self._icons[name, color]

    def _role(self, row: FileRow, column: int) -> str:
        """Return the colour of a cell: grey for what is left out, a warning's for a problem."""
        if row.status is FileStatus.EXCLUDED:
            return "faint"
        if column == FileColumn.NAME:
            return "text"
        is_warned = column == FileColumn.STATE or (
            column == FileColumn.PASSAGES and row.chunks == 0
        )
        if is_warned and is_problem(row) and not self._is_away(row):
            return library_text.icon_and_color(row)[1]
        return "text" if column == FileColumn.STATE and is_ready(row) else "muted"

    @Slot()
    def _dress(self) -> None:
        self._icons.clear()
        if self.rows:
            last = self.index(len(self.rows) - 1, len(FileColumn) - 1)
            self.dataChanged.emit(self.index(0, 0), last)


def _figure(row: FileRow, column: int) -> str:
    """Return a number as people read it, nothing where there is none."""
    if column == FileColumn.PASSAGES:
        is_open = row.status in (FileStatus.QUEUED, FileStatus.EXCLUDED) or is_passed_over(row)
        return "" if is_open and not row.chunks else f"{row.chunks:,}"
    if column == FileColumn.PAGES:
        return f"{row.pages:,}" if row.pages else ""
    if column == FileColumn.SECONDS:
        return library_text.tr("%1 s", f"{row.seconds:.1f}") if row.seconds else ""
    if row.stamp is None:
        return ""
    if column == FileColumn.SIZE:
        return library_text.size(row.stamp.size)
    moment = QDateTime.fromMSecsSinceEpoch(row.stamp.mtime_ns // 1_000_000)
    return QLocale().toString(moment, QLocale.FormatType.ShortFormat)


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

    def show_figures(self, *, shown: bool) -> None:
        """Show the columns of what only experts ask for: passages, and the time of reading."""
        for column in (FileColumn.PASSAGES, FileColumn.SECONDS):
            self.setColumnHidden(column, not shown)

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
