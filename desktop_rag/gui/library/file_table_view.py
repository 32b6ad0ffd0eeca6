"""The table of files: Qt's model of a `FileListing`, and the view with its selection and keys."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import (
    QAbstractTableModel,
    QByteArray,
    QItemSelection,
    QItemSelectionModel,
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    Qt,
    Signal,
    Slot,
)
from PySide6.QtGui import QIcon, QKeyEvent, QResizeEvent
from PySide6.QtWidgets import (
    QAbstractItemView,
    QHeaderView,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QTableView,
    QWidget,
)

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
from desktop_rag.gui.controllers.folder_nodes import bare
from desktop_rag.gui.controllers.library_snapshot import is_passed_over, is_problem, is_ready
from desktop_rag.gui.icons import icon
from desktop_rag.gui.library import library_text
from desktop_rag.gui.library.column_widths import BOUNDS, fitted_widths, wanted_widths
from desktop_rag.gui.library.file_facts import changed_text
from desktop_rag.gui.library.file_kinds import kind_of
from desktop_rag.gui.library.file_menu import FileTarget
from desktop_rag.gui.message_translation import translate_message
from desktop_rag.gui.theme import Theme

Index = QModelIndex | QPersistentModelIndex
_NUMBERS = (FileColumn.PASSAGES, FileColumn.PAGES, FileColumn.SIZE, FileColumn.SECONDS)
_LEFT = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
_RIGHT = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
_ORDER = (
    FileColumn.NAME,
    FileColumn.STATE,
    FileColumn.REASON,
    FileColumn.PASSAGES,
    FileColumn.FOLDER,
    FileColumn.TYPE,
    FileColumn.PAGES,
    FileColumn.SIZE,
    FileColumn.CHANGED,
    FileColumn.SECONDS,
)
_SAMPLE = 60  # rows whose texts say how wide columns are
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
        if role == Qt.ItemDataRole.DecorationRole:
            return self._decoration(row, column)
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
        """Return a file's folder, from the chosen one's, or the followed one's, name on."""
        folder, chosen = folder_of(row), self._listing.query.place.path
        if chosen and is_below(folder, chosen):
            below = folder[len(bare(chosen)) - len(library_text.last_name(chosen)) :]
            return sanitize_name(below)
        for source in self._listing.folders:
            if is_below(folder, source):
                above = max(source.rstrip("/\\").rfind("/"), source.rstrip("/\\").rfind("\\"))
                return sanitize_name(folder[above + 1 :])
        return sanitize_name(folder)

    def _is_away(self, row: FileRow) -> bool:
        return any(is_below(row.path, folder) for folder in self._listing.away)

    def texts(self, column: FileColumn) -> list[str]:
        """Return what a column says: its name, and texts of rows from all over the table."""
        step = max(1, len(self.rows) // _SAMPLE)
        return [self.title(column), *(self._text(row, column) for row in self.rows[::step])]

    def _decoration(self, row: FileRow, column: int) -> QIcon | None:
        if column == FileColumn.NAME:
            return self._drawn(kind_of(row.path), "muted")
        if column != FileColumn.STATE:
            return None
        is_away = self._is_away(row)
        return self._drawn(*(("away", "muted") if is_away else library_text.icon_and_color(row)))

    def _drawn(self, name: str, role: str) -> QIcon:
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
    return changed_text(row)


class _ElidedText(QStyledItemDelegate):
    """Cuts a text that is too long elsewhere than at its end."""

    def __init__(self, mode: Qt.TextElideMode, parent: QWidget) -> None:
        super().__init__(parent)
        self._mode = mode

    def initStyleOption(  # noqa: N802 - Qt's
        self, option: QStyleOptionViewItem, index: Index
    ) -> None:
        """Say where to cut."""
        super().initStyleOption(option, index)
        option.textElideMode = self._mode


class FileTableView(QTableView):
    """A table of whole rows; what is chosen and the place in it outlive a new listing.

    Columns are as wide as what they hold, until the user makes one wider or narrower; then all
    stay as they are but that of reasons, which is there while there are any, and takes the room
    that the others leave. `entered_row` and `space_pressed` say that these keys were pressed.
    """

    entered_row = Signal()
    space_pressed = Signal()

    def __init__(self, model: FileTableModel, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._model = model
        self._is_fitting = False
        self.has_own_widths = False
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
        for column, mode in (
            (FileColumn.NAME, Qt.TextElideMode.ElideMiddle),
            (FileColumn.FOLDER, Qt.TextElideMode.ElideLeft),
        ):
            self.setItemDelegateForColumn(column, _ElidedText(mode, self))
        self._set_headers()

    def show_listing(self, listing: FileListing) -> None:
        """Show a listing, with the same files chosen as before."""
        self._show_reasons(shown=listing.has_reasons)
        if listing.is_same:
            self._model.show_listing(listing)
            self._fit_columns()
            return
        chosen = {row.id for row in self.chosen_rows()}
        current, column = self._current(), self.currentIndex().column()
        top = self.verticalScrollBar().value()
        self._model.show_listing(listing)
        self._fit_columns()
        if chosen or current is not None:
            self._choose_again(chosen, current, max(0, column))
        self.verticalScrollBar().setValue(min(top, self.verticalScrollBar().maximum()))

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802 - Qt's
        """Let the reasons have what room there is."""
        super().resizeEvent(event)
        self._fit_columns()

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
        self._fit_columns()

    def chosen(self, most: int | None = None) -> tuple[FileTarget, ...]:
        """Return the chosen files, at most so many, as what actions are about."""
        return tuple(FileTarget(row.path, row) for row in self.chosen_rows()[:most])

    def keyPressEvent(self, event: QKeyEvent) -> None:  # noqa: N802 - Qt's
        """Let Enter open the row."""
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.entered_row.emit()
            return
        is_plain = event.modifiers() == Qt.KeyboardModifier.NoModifier
        if event.key() == Qt.Key.Key_Space and is_plain:
            self.space_pressed.emit()
            return
        super().keyPressEvent(event)

    def restore_columns(self, kept: QByteArray, *, is_own: bool) -> bool:
        """Bring columns to where their user had them; False where that can't be read.

        `is_own` says that it was the user who chose their widths.
        """
        self._is_fitting = True
        is_restored = self.horizontalHeader().restoreState(kept)
        self._is_fitting = False
        self.has_own_widths = is_restored and is_own
        return is_restored

    def _show_reasons(self, *, shown: bool) -> None:
        self.horizontalHeader().setStretchLastSection(not shown)  # else it ends amid the table
        self.setColumnHidden(FileColumn.REASON, not shown)

    def _fit_columns(self) -> None:
        """Make columns as wide as what they hold; where the user did that, widen the reasons."""
        across, room = self.horizontalHeader(), self.viewport().width()
        shown = [each for each in FileColumn if not self.isColumnHidden(each)]
        if self.has_own_widths:
            widths = {each: across.sectionSize(each) for each in shown}
            if FileColumn.REASON not in widths:
                return
            others = sum(widths.values()) - widths[FileColumn.REASON]
            widths = {FileColumn.REASON: max(BOUNDS[FileColumn.REASON].least, room - others)}
        else:
            texts, metrics = {each: self._model.texts(each) for each in shown}, self.fontMetrics()
            widths = fitted_widths(wanted_widths(texts, metrics), room, metrics)
        self._is_fitting = True
        for column, width in widths.items():
            across.resizeSection(column, width)
        self._is_fitting = False

    @Slot(int, int, int)
    def _note_width(self, column: int, before: int, now: int) -> None:
        """Keep the widths from now on where it was the user who changed one."""
        is_last = self.horizontalHeader().stretchLastSection() and column == self._last_column()
        is_changed = before != now and before > 0 and now > 0  # else it was shown or hidden
        if is_changed and not self._is_fitting and not is_last:
            self.has_own_widths = True

    def _last_column(self) -> int:
        across = self.horizontalHeader()
        shown = [each for each in FileColumn if not self.isColumnHidden(each)]
        return max(shown, key=across.visualIndex)

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
        for place, column in enumerate(_ORDER):
            across.moveSection(across.visualIndex(column), place)
        across.sectionResized.connect(self._note_width)
        self.setColumnHidden(FileColumn.REASON, True)
        across.setStretchLastSection(True)
        across.setSortIndicator(FileColumn.FOLDER, Qt.SortOrder.AscendingOrder)
