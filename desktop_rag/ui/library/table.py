"""The table of files as Qt's model: what a `Listing` holds, column by column."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import (
    QAbstractTableModel,
    QDateTime,
    QLocale,
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    Qt,
    Slot,
)
from PySide6.QtGui import QIcon

from desktop_rag.app.listing import Listing
from desktop_rag.app.query import Column, Query, folder_of, is_below, name_of, type_of
from desktop_rag.app.shelf import is_passed_over, is_problem, is_ready
from desktop_rag.core.legible import legible
from desktop_rag.core.types import FileStatus
from desktop_rag.store.records import FileRow
from desktop_rag.ui.icons import icon
from desktop_rag.ui.library import phrases
from desktop_rag.ui.spoken import spoken
from desktop_rag.ui.theme import Theme

Index = QModelIndex | QPersistentModelIndex
_NUMBERS = (Column.PASSAGES, Column.PAGES, Column.SIZE, Column.SECONDS)
_LEFT = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
_RIGHT = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter


class FilesModel(QAbstractTableModel):
    """Shows a listing. What changed in place is told as a change, all else as a new table."""

    def __init__(self, theme: Theme, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._icons: dict[tuple[str, str], QIcon] = {}
        self._listing = Listing(Query(), "")
        theme.changed.connect(self._dress)

    @property
    def rows(self) -> tuple[FileRow, ...]:
        """The files, in the order that they are shown in."""
        return self._listing.rows

    def show_listing(self, listing: Listing) -> None:
        """Show a listing."""
        if listing.is_same and len(listing.rows) == len(self.rows):
            self._listing = listing
            if listing.changed is not None:
                first, last = listing.changed
                self.dataChanged.emit(self.index(first, 0), self.index(last, len(Column) - 1))
            return
        self.beginResetModel()
        self._listing = listing
        self.endResetModel()

    def rowCount(self, parent: Index | None = None) -> int:  # noqa: N802 - Qt's
        """Return the number of files."""
        return 0 if parent is not None and parent.isValid() else len(self._listing.rows)

    def columnCount(self, parent: Index | None = None) -> int:  # noqa: N802 - Qt's
        """Return the number of columns."""
        return 0 if parent is not None and parent.isValid() else len(Column)

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
        return self.title(Column(section)) if role == Qt.ItemDataRole.DisplayRole else None

    def title(self, column: Column) -> str:
        """Return a column's name."""
        return {
            Column.NAME: self.tr("Name"),
            Column.FOLDER: self.tr("Folder"),
            Column.TYPE: self.tr("Type"),
            Column.STATE: self.tr("State"),
            Column.PASSAGES: self.tr("Passages"),
            Column.PAGES: self.tr("Pages"),
            Column.SIZE: self.tr("Size"),
            Column.CHANGED: self.tr("Changed"),
            Column.SECONDS: self.tr("Reading time"),
            Column.REASON: self.tr("Reason"),
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
        if role == Qt.ItemDataRole.DecorationRole and column == Column.STATE:
            return self._sign(row)
        if role == Qt.ItemDataRole.ToolTipRole:
            return phrases.told(row)
        if role == Qt.ItemDataRole.AccessibleTextRole:
            return f"{self.title(Column(column))}: {self._text(row, column)}"
        return None

    def _text(self, row: FileRow, column: int) -> str:
        if column == Column.NAME:
            return legible(name_of(row))
        if column == Column.FOLDER:
            return self._place(row)
        if column == Column.TYPE:
            return type_of(row)
        if column == Column.STATE:
            return phrases.word(row, is_away=self._is_away(row))
        if column == Column.REASON:
            return spoken(row.reason)
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
        name, role = ("away", "muted") if self._is_away(row) else phrases.sign(row)
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
        if column == Column.NAME:
            return "text"
        is_warned = column == Column.STATE or (column == Column.PASSAGES and row.chunks == 0)
        if is_warned and is_problem(row) and not self._is_away(row):
            return phrases.sign(row)[1]
        return "text" if column == Column.STATE and is_ready(row) else "muted"

    @Slot()
    def _dress(self) -> None:
        self._icons.clear()
        if self.rows:
            last = self.index(len(self.rows) - 1, len(Column) - 1)
            self.dataChanged.emit(self.index(0, 0), last)


def _figure(row: FileRow, column: int) -> str:
    """Return a number as people read it, nothing where there is none."""
    if column == Column.PASSAGES:
        is_open = row.status in (FileStatus.QUEUED, FileStatus.EXCLUDED) or is_passed_over(row)
        return "" if is_open and not row.chunks else f"{row.chunks:,}"
    if column == Column.PAGES:
        return f"{row.pages:,}" if row.pages else ""
    if column == Column.SECONDS:
        return phrases.tr("%1 s", f"{row.seconds:.1f}") if row.seconds else ""
    if row.stamp is None:
        return ""
    if column == Column.SIZE:
        return phrases.size(row.stamp.size)
    moment = QDateTime.fromMSecsSinceEpoch(row.stamp.mtime_ns // 1_000_000)
    return QLocale().toString(moment, QLocale.FormatType.ShortFormat)
