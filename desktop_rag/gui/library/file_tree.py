"""The tree of folders and files: how a row is painted, and what stays open.

A row has a state icon, a name and a second line. A folder that is open stays open, whatever comes
and goes.
"""

from __future__ import annotations

from collections.abc import Iterator

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QRect, QSize, Qt, Slot
from PySide6.QtGui import QFont, QFontMetrics, QPainter, QResizeEvent
from PySide6.QtWidgets import (
    QAbstractItemView,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QTreeView,
    QWidget,
)

from desktop_rag.gui.controllers.library_snapshot import LibrarySnapshot, is_problem
from desktop_rag.gui.icons import icon
from desktop_rag.gui.library import library_text
from desktop_rag.gui.library.file_tree_model import (
    MOST_FILES,
    FileTreeModel,
    TreeRole,
    TreeRow,
    second_line,
)
from desktop_rag.gui.theme import SMALL, Theme, scaled
from desktop_rag.gui.widgets.row_background import paint_row_background
from desktop_rag.gui.widgets.text_painting import height_of, lines_of, paint_line, paint_lines

_ICON = 17
_PAD = 5
_EDGE, _RIGHT = 6, 8
_LEFT = _EDGE + _ICON + 7
_MOST_LINES = 3  # that say what is wrong with a file, and what helps
_FEW_SOURCES = 3
_SHARED = "shared"  # no path: these are absolute


class FileTreeDelegate(QStyledItemDelegate):
    """Paints the rows of a `FileTreeModel`."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._measured: tuple[QFont, int] | None = None

    def sizeHint(  # noqa: N802 - Qt's
        self, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> QSize:
        """Return two lines' height, or more where a problem says more."""
        place: TreeRow = index.data(TreeRole.PLACE)
        if not _is_problem(place):
            return QSize(80, self._two_lines(option.font))
        small, room = _small(option.font), _width(option, index) - _LEFT - _RIGHT
        below = height_of(len(lines_of(second_line(place), small, room, _MOST_LINES)), small)
        return QSize(80, QFontMetrics(option.font).height() + below + 2 * _PAD)

    def _two_lines(self, font: QFont) -> int:
        """Return the height of most rows, measured once: a tree asks for a thousand at a time."""
        if self._measured is None or self._measured[0] != font:
            lines = QFontMetrics(font).height() + QFontMetrics(_small(font)).height()
            self._measured = QFont(font), lines + 2 * _PAD
        return self._measured[1]

    def paint(
        self,
        painter: QPainter,
        option: QStyleOptionViewItem,
        index: QModelIndex | QPersistentModelIndex,
    ) -> None:
        """Paint one row."""
        place: TreeRow = index.data(TreeRole.PLACE)
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        paint_row_background(painter, option, self._theme.colors)
        name, role = self._sign(place)
        box = option.rect.adjusted(_EDGE, _PAD, -_RIGHT, -_PAD)
        color = getattr(self._theme.colors, role)
        top = box.top() + (box.height() - _ICON) // 2
        icon(name, color).paint(painter, QRect(box.left(), top, _ICON, _ICON))
        self._paint_text(painter, option, place, box.adjusted(_LEFT - _EDGE, 0, 0, 0))
        painter.restore()

    def _paint_text(
        self, painter: QPainter, option: QStyleOptionViewItem, place: TreeRow, box: QRect
    ) -> None:
        colors = self._theme.colors
        metrics = QFontMetrics(option.font)
        painter.setFont(option.font)
        painter.setPen(colors.of("text"))
        name = metrics.elidedText(place.name, Qt.TextElideMode.ElideMiddle, box.width())
        painter.drawText(box, Qt.AlignmentFlag.AlignTop | Qt.AlignmentFlag.AlignLeft, name)
        small = _small(option.font)
        painter.setFont(small)
        below = box.adjusted(0, metrics.height(), 0, 0)
        if _is_problem(place):
            painter.setPen(colors.of(self._sign(place)[1]))
            lines = lines_of(second_line(place), small, box.width(), _MOST_LINES)
            paint_lines(painter, below, lines, small)
        else:
            painter.setPen(colors.of("muted"))
            paint_line(painter, below, second_line(place))

    def _sign(self, place: TreeRow) -> tuple[str, str]:
        if place.is_away:
            return "away", "muted"
        if place.row is None:
            return "folder", "muted"
        return library_text.icon_and_color(place.row)


def _is_problem(place: TreeRow) -> bool:
    return place.row is not None and is_problem(place.row) and not place.is_away


def _width(option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex) -> int:
    """Return a row's width in its tree, which asks for heights without telling widths."""
    tree = option.widget
    if not isinstance(tree, QTreeView):
        return option.rect.width()
    levels, above = 1, index.parent()
    while above.isValid():
        levels, above = levels + 1, above.parent()
    return tree.viewport().width() - levels * tree.indentation()


def _small(font: QFont) -> QFont:
    return scaled(font, SMALL)


class FileTree(QTreeView):
    """Shows a snapshot's folders and files, or only those that need attention.

    A folder is open or closed as the user left it, in each of the two ways apart. One that was not
    seen before is open where that keeps the tree in view.
    """

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.places = FileTreeModel(self)
        self._only_problems = False
        self._is_small = True
        self._open: dict[tuple[bool, str], bool] = {}
        self.setModel(self.places)
        self.setItemDelegate(FileTreeDelegate(theme, self))
        self.setHeaderHidden(True)
        self.setIndentation(16)
        self.setMouseTracking(True)
        self.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        self.expanded.connect(self._note_open)
        self.collapsed.connect(self._note_closed)

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802 - Qt's
        """Lay out anew: what is wrong with a file takes as many lines as it needs."""
        super().resizeEvent(event)
        if event.size().width() != event.oldSize().width():
            self.scheduleDelayedItemsLayout()

    @property
    def opened(self) -> dict[tuple[bool, str], bool]:
        """Which folders are open and which closed, for another tree to be so."""
        return dict(self._open)

    def open_as(self, opened: dict[tuple[bool, str], bool]) -> None:
        """Be open and closed where another tree was."""
        self._open = dict(opened)
        self._open_again()

    def show_shelf(self, snapshot: LibrarySnapshot) -> None:
        """Show a knowledge base's content."""
        self._is_small = (
            len(snapshot.branches) <= _FEW_SOURCES and len(snapshot.files) <= MOST_FILES
        )
        self.places.show_shelf(snapshot)
        self._open_again()

    def show_only_problems(self, *, only: bool) -> None:
        """Show nothing but the files that need attention, and the folders that hold them."""
        self._only_problems = only
        self.places.show_only_problems(only=only)
        self._open_again()

    def _open_again(self) -> None:
        is_new_open = self._is_small or self._only_problems
        for index in self._folders():
            key = self._key(index)
            self.setExpanded(index, self._open.setdefault(key, is_new_open))

    def _folders(self) -> Iterator[QModelIndex]:
        """Yield the rows of folders; they come before those of single files."""
        for row in range(self.places.rowCount()):
            index = self.places.index(row, 0)
            if index.data(TreeRole.PLACE).row is not None:
                return
            yield index

    def _key(self, index: QModelIndex) -> tuple[bool, str]:
        place: TreeRow = index.data(TreeRole.PLACE)
        return self._only_problems, _SHARED if place.is_shared else place.path

    @Slot(QModelIndex)
    def _note_open(self, index: QModelIndex) -> None:
        if not index.parent().isValid():  # `expandAll` tells of every file, too
            self._open[self._key(index)] = True

    @Slot(QModelIndex)
    def _note_closed(self, index: QModelIndex) -> None:
        self._open[self._key(index)] = False
