"""The tree of folders and files: what is open in it stays open, whatever comes and goes."""

from __future__ import annotations

from collections.abc import Iterator

from PySide6.QtCore import QModelIndex, Qt, Slot
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QAbstractItemView, QTreeView, QWidget

from desktop_rag.gui.controllers.library_snapshot import LibrarySnapshot
from desktop_rag.gui.library.delegate import FileTreeDelegate
from desktop_rag.gui.library.file_tree_model import MOST_FILES, FileTreeModel, TreeRole
from desktop_rag.gui.theme import Theme

_FEW_SOURCES = 3


class FileTree(QTreeView):
    """Shows a shelf's folders and files, or only those that need attention.

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

    def show_shelf(self, shelf: LibrarySnapshot) -> None:
        """Show a knowledge base's content."""
        self._is_small = len(shelf.branches) <= _FEW_SOURCES and len(shelf.files) <= MOST_FILES
        self.places.show_shelf(shelf)
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
        return self._only_problems, str(index.data(TreeRole.PATH))

    @Slot(QModelIndex)
    def _note_open(self, index: QModelIndex) -> None:
        if not index.parent().isValid():  # `expandAll` tells of every file, too
            self._open[self._key(index)] = True

    @Slot(QModelIndex)
    def _note_closed(self, index: QModelIndex) -> None:
        self._open[self._key(index)] = False
