"""The list of notes: a title, and below it what it was taken from and when; ordered by hand."""

from __future__ import annotations

from collections.abc import Sequence
from enum import IntEnum
from typing import Any

from PySide6.QtCore import (
    QAbstractListModel,
    QByteArray,
    QMimeData,
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    QPoint,
    QSize,
    Qt,
    Signal,
    Slot,
)
from PySide6.QtGui import QAction, QFontMetrics, QKeySequence, QPainter
from PySide6.QtWidgets import (
    QAbstractItemView,
    QListView,
    QMenu,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QWidget,
)

from desktop_rag.core.note_records import Note, NoteId
from desktop_rag.core.sanitize import sanitize_name
from desktop_rag.gui.notes.note_text import row_details, shown_title
from desktop_rag.gui.theme import SMALL, Theme, scaled
from desktop_rag.gui.widgets.row_background import paint_row_background
from desktop_rag.gui.widgets.text_painting import paint_line
from desktop_rag.gui.widgets.tooltips import tip

Index = QModelIndex | QPersistentModelIndex
_ROW = "application/x-desktop-rag-note"
_PAD, _EDGE, _BETWEEN = 7, 10, 2


class NoteRole(IntEnum):
    """`NOTE` is the `Note` itself."""

    NOTE = Qt.ItemDataRole.UserRole + 1


class NotesModel(QAbstractListModel):
    """The notes that are listed. `moved` carries a note's id and its new place.

    While `is_ordered` is false, as in what a search found, none can be dragged.
    """

    moved = Signal(object)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.is_ordered = True
        self._rows: tuple[Note, ...] = ()

    def show_rows(self, rows: Sequence[Note], *, is_ordered: bool) -> None:
        """Show these notes; where they are the same ones, only what is written in the rows."""
        self.is_ordered = is_ordered
        before, now = self._rows, tuple(rows)
        if [each.id for each in before] == [each.id for each in now]:
            self._rows = now
            if before != now:
                self.dataChanged.emit(self.index(0), self.index(len(now) - 1))
            return
        self.beginResetModel()
        self._rows = now
        self.endResetModel()

    def note(self, row: int) -> Note | None:
        """Return the note of a row."""
        return self._rows[row] if 0 <= row < len(self._rows) else None

    def row_of(self, note_id: NoteId | None) -> int:
        """Return a note's row, -1 where it is not listed."""
        return next((n for n, each in enumerate(self._rows) if each.id == note_id), -1)

    def move(self, row: int, by: int) -> None:
        """Ask for a note's place to be another one, so many rows further down."""
        note = self.note(row)
        if note is not None and self.is_ordered and 0 <= row + by < len(self._rows):
            self.moved.emit((note.id, row + by))

    def rowCount(self, parent: Index | None = None) -> int:  # noqa: N802 - Qt's
        """Return how many notes are listed."""
        return 0 if parent is not None and parent.isValid() else len(self._rows)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        """Return a title, the whole row for those who can't see it, or the `Note`."""
        note = self.note(index.row()) if index.isValid() else None
        if note is None:
            return None
        if role == NoteRole.NOTE:
            return note
        if role == Qt.ItemDataRole.DisplayRole:
            return shown_title(note)
        if role == Qt.ItemDataRole.ToolTipRole:
            return tip(shown_title(note), row_details(note))
        if role == Qt.ItemDataRole.AccessibleTextRole:
            return f"{shown_title(note)}, {row_details(note)}"
        return None

    def flags(self, index: Index) -> Qt.ItemFlag:
        """Let notes be dragged, and dropped between others."""
        can_drop = Qt.ItemFlag.ItemIsDropEnabled if self.is_ordered else Qt.ItemFlag.NoItemFlags
        if not index.isValid():
            return can_drop
        flags = Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsSelectable
        flags |= Qt.ItemFlag.ItemNeverHasChildren
        return flags | Qt.ItemFlag.ItemIsDragEnabled if self.is_ordered else flags

    def supportedDropActions(self) -> Qt.DropAction:  # noqa: N802 - Qt's
        """Move notes only."""
        return Qt.DropAction.MoveAction

    def mimeTypes(self) -> list[str]:  # noqa: N802 - Qt's
        """Take rows of this list alone."""
        return [_ROW]

    def mimeData(self, indexes: Sequence[QModelIndex]) -> QMimeData:  # noqa: N802 - Qt's
        """Return what is dragged: the row's number."""
        made = QMimeData()
        made.setData(_ROW, QByteArray(str(indexes[0].row() if indexes else -1).encode()))
        return made

    def dropMimeData(  # noqa: N802 - Qt's
        self, data: QMimeData, action: Qt.DropAction, row: int, column: int, parent: Index
    ) -> bool:
        """Ask for a note's new place; the list itself changes when the catalog has."""
        del action, column
        begun = bytes(data.data(_ROW).data())
        note = self.note(int(begun)) if begun.isdigit() else None
        if note is None or not self.is_ordered:
            return False
        wanted = parent.row() if parent.isValid() else row
        wanted = len(self._rows) if wanted < 0 else wanted
        place = wanted - 1 if int(begun) < wanted else wanted
        if place != int(begun):
            self.moved.emit((note.id, place))
        return False  # Qt would take the row away by itself


class NoteDelegate(QStyledItemDelegate):
    """Paints the rows of a `NotesModel`, all of one height."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:  # noqa: N802 - Qt's
        """Return two lines' height."""
        del index
        small = QFontMetrics(scaled(option.font, SMALL)).height()
        height = QFontMetrics(option.font).height() + small + _BETWEEN + 2 * _PAD
        return QSize(60, height)

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        """Paint one row."""
        note: Note = index.data(NoteRole.NOTE)
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        paint_row_background(painter, option, self._theme.colors)
        box = option.rect.adjusted(_EDGE, _PAD, -_EDGE, -_PAD)
        painter.setFont(option.font)
        painter.setPen(self._theme.colors.of("text"))
        paint_line(painter, box, sanitize_name(shown_title(note)))
        box.setTop(box.top() + painter.fontMetrics().height() + _BETWEEN)
        painter.setFont(scaled(option.font, SMALL))
        painter.setPen(self._theme.colors.of("muted"))
        paint_line(painter, box, sanitize_name(row_details(note)))
        painter.restore()


class NoteList(QListView):
    """Says what is wanted of the chosen note: `opened`, `deleted`, `exported` carry its id."""

    opened = Signal(object)
    deleted = Signal(object)
    exported = Signal(object)

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.notes = NotesModel(self)
        self._shown: NoteId | None = None
        self.setModel(self.notes)
        self.setItemDelegate(NoteDelegate(theme, self))
        self.setUniformItemSizes(True)
        self.setMouseTracking(True)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setDragDropMode(QAbstractItemView.DragDropMode.InternalMove)
        self.setDropIndicatorShown(True)
        self.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        self.setAccessibleName(self.tr("Notes"))
        self._up = self._action(self.tr("Move up"), "Alt+Up", self._move_up)
        self._down = self._action(self.tr("Move down"), "Alt+Down", self._move_down)
        self._export = self._action(self.tr("Export…"), "", self._export_chosen)
        self._delete = self._action(self.tr("Delete"), "Del", self.delete_chosen)
        self.selectionModel().currentChanged.connect(self._open)
        self.customContextMenuRequested.connect(self._menu)
        theme.changed.connect(self.viewport().update)

    def show_notes(self, rows: Sequence[Note], *, is_ordered: bool) -> None:
        """List these notes; the one that is shown stays chosen."""
        self.notes.show_rows(rows, is_ordered=is_ordered)
        self.choose(self._shown)

    def choose(self, note_id: NoteId | None) -> None:
        """Mark the note that is shown."""
        self._shown = note_id
        row = self.notes.row_of(note_id)
        if row < 0:
            self.clearSelection()
            self.setCurrentIndex(QModelIndex())
        elif row != self.currentIndex().row():
            self.setCurrentIndex(self.notes.index(row))

    @property
    def chosen(self) -> Note | None:
        """The note that is chosen."""
        return self.notes.note(self.currentIndex().row())

    @Slot()
    def delete_chosen(self) -> None:
        """Delete what is chosen; the one below it is chosen then, or that above."""
        if (note := self.chosen) is None:
            return
        row = self.currentIndex().row()
        near = self.notes.note(row + 1) or self.notes.note(row - 1)
        self.deleted.emit(note.id)
        if near is not None:
            self.opened.emit(near.id)

    @Slot(QModelIndex)
    def _open(self, index: QModelIndex) -> None:
        note = self.notes.note(index.row()) if index.isValid() else None
        if note is not None and note.id != self._shown:
            self.opened.emit(note.id)

    @Slot()
    def _move_up(self) -> None:
        self.notes.move(self.currentIndex().row(), -1)

    @Slot()
    def _move_down(self) -> None:
        self.notes.move(self.currentIndex().row(), 1)

    @Slot()
    def _export_chosen(self) -> None:
        if (note := self.chosen) is not None:
            self.exported.emit(note.id)

    @Slot(QPoint)
    def _menu(self, at: QPoint) -> None:
        index = self.indexAt(at)
        if not index.isValid():
            return
        self.setCurrentIndex(index)
        self._up.setEnabled(self.notes.is_ordered and index.row() > 0)
        self._down.setEnabled(self.notes.is_ordered and index.row() + 1 < self.notes.rowCount())
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        menu.addActions([self._up, self._down])
        menu.addSeparator()
        menu.addAction(self._export)
        menu.addSeparator()
        menu.addAction(self._delete)
        menu.popup(self.viewport().mapToGlobal(at))

    def _action(self, text: str, key: str, act: Any) -> QAction:
        action = QAction(text, self)
        action.setShortcut(QKeySequence(key))
        action.setShortcutContext(Qt.ShortcutContext.WidgetShortcut)
        action.triggered.connect(act)
        self.addAction(action)
        return action
