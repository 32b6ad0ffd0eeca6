"""The tree of folders: how a row is painted, which one is chosen, and what stays open.

A row has an icon, a name and a line of counts. A folder that is open stays open, whatever comes
and goes, and over a restart.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from pathlib import Path

from PySide6.QtCore import (
    QItemSelectionModel,
    QModelIndex,
    QPersistentModelIndex,
    QRect,
    QSettings,
    QSize,
    Qt,
    Signal,
    Slot,
)
from PySide6.QtGui import QFont, QFontMetrics, QPainter
from PySide6.QtWidgets import (
    QAbstractItemView,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QTreeView,
    QWidget,
)

from desktop_rag.gui.controllers.folder_nodes import EVERYWHERE, FilePlace
from desktop_rag.gui.controllers.library_snapshot import LibrarySnapshot
from desktop_rag.gui.icons import icon
from desktop_rag.gui.library.folder_tree_model import (
    FolderTreeModel,
    TreeRole,
    TreeRow,
    counts_of,
)
from desktop_rag.gui.theme import SMALL, Theme, scaled
from desktop_rag.gui.widgets.row_background import paint_row_background
from desktop_rag.gui.widgets.text_painting import paint_line

_ICON = 17
_PAD = 5
_EDGE, _RIGHT = 6, 8
_LEFT = _EDGE + _ICON + 7
_FEW_FOLDERS = 3  # that are open when they are first seen
_KEPT = "open folders"
_MOST_KEPT = 500


class FolderTreeDelegate(QStyledItemDelegate):
    """Paints the rows of a `FolderTreeModel`."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._measured: tuple[QFont, int] | None = None

    def sizeHint(  # noqa: N802 - Qt's
        self, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> QSize:
        """Return two lines' height, measured once."""
        del index
        font = option.font
        if self._measured is None or self._measured[0] != font:
            lines = QFontMetrics(font).height() + QFontMetrics(scaled(font, SMALL)).height()
            self._measured = QFont(font), lines + 2 * _PAD
        return QSize(80, self._measured[1])

    def paint(
        self,
        painter: QPainter,
        option: QStyleOptionViewItem,
        index: QModelIndex | QPersistentModelIndex,
    ) -> None:
        """Paint one row."""
        row: TreeRow = index.data(TreeRole.FOLDER)
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        paint_row_background(painter, option, self._theme.colors)
        box = option.rect.adjusted(_EDGE, _PAD, -_RIGHT, -_PAD)
        top = box.top() + (box.height() - _ICON) // 2
        sign = icon("away" if row.is_away else "folder", self._theme.colors.muted)
        sign.paint(painter, QRect(box.left(), top, _ICON, _ICON))
        self._paint_text(painter, option, row, box.adjusted(_LEFT - _EDGE, 0, 0, 0))
        painter.restore()

    def _paint_text(
        self, painter: QPainter, option: QStyleOptionViewItem, row: TreeRow, box: QRect
    ) -> None:
        colors, metrics = self._theme.colors, QFontMetrics(option.font)
        painter.setFont(option.font)
        painter.setPen(colors.of("text"))
        name = metrics.elidedText(row.name, Qt.TextElideMode.ElideMiddle, box.width())
        painter.drawText(box, Qt.AlignmentFlag.AlignTop | Qt.AlignmentFlag.AlignLeft, name)
        painter.setFont(scaled(option.font, SMALL))
        painter.setPen(colors.of("warn" if row.problems and not row.is_away else "muted"))
        paint_line(painter, box.adjusted(0, metrics.height(), 0, 0), counts_of(row))


class FolderTree(QTreeView):
    """Shows a snapshot's folders; `picked` carries the `FilePlace` of the one that is chosen.

    A folder is open or closed as the user left it. One that was not seen before is open where it
    is one of few at the top.
    """

    picked = Signal(object)

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.folders = FolderTreeModel(self)
        self._place = EVERYWHERE
        self._is_renewed = False
        self._chosen: tuple[FilePlace, ...] = ()  # before the model was made anew
        self._open: dict[str, bool] = {}
        self.setModel(self.folders)
        self.setItemDelegate(FolderTreeDelegate(theme, self))
        self.setHeaderHidden(True)
        self.setIndentation(16)
        self.setMouseTracking(True)
        self.setUniformRowHeights(True)
        self.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        self.expanded.connect(self._note_open)
        self.collapsed.connect(self._note_closed)
        self.folders.modelAboutToBeReset.connect(self._begin_anew)
        self.folders.modelReset.connect(self._open_all_again)
        self.folders.rowsInserted.connect(self._open_inserted)
        self.selectionModel().selectionChanged.connect(self._tell_place)

    @property
    def opened(self) -> dict[str, bool]:
        """Which folders are open and which closed, for another tree to be so."""
        return dict(self._open)

    def open_as(self, opened: dict[str, bool]) -> None:
        """Be open and closed where another tree was."""
        self._open = dict(opened)
        self._open_all_again()

    def restore(self, data_dir: Path) -> None:
        """Open the folders that were open when the program was closed."""
        kept = QSettings(str(data_dir / "window.ini"), QSettings.Format.IniFormat).value(_KEPT)
        try:
            self.open_as({str(path): bool(how) for path, how in json.loads(str(kept)).items()})
        except (ValueError, AttributeError):
            return

    def keep(self, data_dir: Path) -> None:
        """Keep which folders are open, and which of the first ones closed."""
        kept = QSettings(str(data_dir / "window.ini"), QSettings.Format.IniFormat)
        kept.setValue(_KEPT, json.dumps(dict(list(self._open.items())[-_MOST_KEPT:])))
        kept.sync()

    def show_shelf(self, snapshot: LibrarySnapshot) -> None:
        """Show a knowledge base's folders."""
        self.folders.show_shelf(snapshot)

    def choose(self, place: FilePlace) -> None:
        """Show a folder as the chosen one, wherever it lies; none for all files."""
        if place == self._place:
            return
        self._place = place
        self._choose_again()

    def _choose_again(self) -> None:
        """Choose what was chosen before, as far as it is there."""
        if len(self._chosen) > 1:
            found = [self.folders.find(place) for place in self._chosen]
            for each in found:
                flag = QItemSelectionModel.SelectionFlag.Select
                self.selectionModel().select(each, flag)
            return
        index = QModelIndex() if self._place.is_everywhere else self.folders.find(self._place)
        flags = QItemSelectionModel.SelectionFlag
        if index.isValid():
            self.selectionModel().setCurrentIndex(index, flags.ClearAndSelect)
            self.scrollTo(index)
        else:
            self.clearSelection()

    @Slot()
    def _tell_place(self) -> None:
        """Say which folder is chosen; of several, that none is left to itself."""
        chosen = self.selectionModel().selectedIndexes()
        if self._is_renewed or len(chosen) > 1:
            return
        place = chosen[0].data(TreeRole.FOLDER).place if chosen else EVERYWHERE
        if place != self._place:
            self._place = place
            self.picked.emit(place)

    @Slot()
    def _begin_anew(self) -> None:
        self._is_renewed = True
        chosen = self.selectionModel().selectedIndexes()
        self._chosen = tuple(each.data(TreeRole.FOLDER).place for each in chosen)

    @Slot()
    def _open_all_again(self) -> None:
        self._open_rows(self._rows(QModelIndex()))
        wanted = self._place
        self._choose_again()
        self._is_renewed, self._chosen = False, ()
        if not wanted.is_everywhere:
            self._tell_place()

    @Slot(QModelIndex, int, int)
    def _open_inserted(self, above: QModelIndex, first: int, last: int) -> None:
        """Open those of new rows that were open; the others of the folder stay as they are."""
        self._open_rows(self._rows(above, first, last))

    def _open_rows(self, rows: Iterable[QModelIndex]) -> None:
        """Open what was open of these and below; of what was not seen before, the few at the top.

        Those stay open however many come later.
        """
        is_few = self.folders.rowCount() <= _FEW_FOLDERS
        left = list(rows)
        while left:
            each = left.pop()
            if is_few and not each.parent().isValid():
                self._open.setdefault(_key(each), True)
            if self._open.get(_key(each), False):
                self.setExpanded(each, True)
                left += self._rows(each)

    def _rows(
        self, above: QModelIndex, first: int = 0, last: int | None = None
    ) -> Iterator[QModelIndex]:
        end = self.folders.rowCount(above) if last is None else last + 1
        for row in range(first, end):
            yield self.folders.index(row, 0, above)

    @Slot(QModelIndex)
    def _note_open(self, index: QModelIndex) -> None:
        self._note(index, is_open=True)

    @Slot(QModelIndex)
    def _note_closed(self, index: QModelIndex) -> None:
        self._note(index, is_open=False)

    def _note(self, index: QModelIndex, *, is_open: bool) -> None:
        if not self._is_renewed:
            self._open.pop(_key(index), None)
            self._open[_key(index)] = is_open


def _key(index: QModelIndex) -> str:
    place: FilePlace = index.data(TreeRole.FOLDER).place
    return place.path or f" {place.kind}"  # no path: these are absolute
