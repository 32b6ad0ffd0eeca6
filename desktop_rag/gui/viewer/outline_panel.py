"""The headings of a document as a tree beside it; where one reads is chosen in it."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence

from PySide6.QtCore import QModelIndex, QSize, Qt, Signal, Slot
from PySide6.QtGui import QStandardItem, QStandardItemModel
from PySide6.QtWidgets import QAbstractItemView, QLabel, QTreeView, QVBoxLayout, QWidget

from desktop_rag.gui.controllers.document_outline import OutlineItem
from desktop_rag.gui.widgets.tooltips import tip

_ITEM = Qt.ItemDataRole.UserRole + 1
_UNFOLDED = 60  # headings up to which all are shown from the start
_INDENT = 14
_NARROWEST = 150
_WIDTH, _HEIGHT = 210, 170


class OutlinePanel(QWidget):
    """`picked` carries the `OutlineItem` that the user wants to go to."""

    picked = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._items: tuple[OutlineItem, ...] = ()
        self._places: list[tuple[float, float]] = []
        self._ordered: list[QStandardItem] = []
        self.model = QStandardItemModel(self)
        self.tree = QTreeView()
        self.tree.setModel(self.model)
        self.tree.setObjectName("outline")
        self.tree.setHeaderHidden(True)
        self.tree.setIndentation(_INDENT)
        self.tree.setUniformRowHeights(True)
        self.tree.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.tree.setTextElideMode(Qt.TextElideMode.ElideRight)
        self.tree.setExpandsOnDoubleClick(False)
        self.tree.setAccessibleName(self.tr("Outline of the document"))
        heading = QLabel(self.tr("Outline"))
        heading.setObjectName("muted")
        heading.setContentsMargins(12, 4, 8, 4)
        column = QVBoxLayout(self)
        column.setContentsMargins(2, 0, 2, 0)
        column.setSpacing(0)
        column.addWidget(heading)
        column.addWidget(self.tree, 1)
        self.setMinimumWidth(_NARROWEST)
        self.tree.clicked.connect(self._pick)
        self.tree.activated.connect(self._pick)

    def sizeHint(self) -> QSize:  # noqa: N802 - Qt's
        """Ask for a column beside the document, or a few lines above it."""
        return QSize(_WIDTH, _HEIGHT)

    def show_items(self, items: Sequence[OutlineItem]) -> None:
        """Show a document's headings, each below the last one of a lower level."""
        if tuple(items) == self._items:
            return
        self._items = tuple(items)
        self.model.clear()
        above: list[tuple[int, QStandardItem]] = []
        made: list[QStandardItem] = []
        for each in self._items:
            row = QStandardItem(each.title)
            row.setData(each, _ITEM)
            row.setToolTip(tip(each.title))
            while above and above[-1][0] >= each.level:
                above.pop()
            parent = above[-1][1] if above else self.model.invisibleRootItem()
            parent.appendRow(row)
            above.append((each.level, row))
            made.append(row)
        order = sorted(range(len(made)), key=lambda at: self._items[at].place)
        self._ordered = [made[at] for at in order]
        self._places = [self._items[at].place for at in order]
        if len(made) <= _UNFOLDED:
            self.tree.expandAll()
        else:
            self.tree.expandToDepth(0)

    def show_place(self, place: tuple[float, float]) -> None:
        """Choose the last heading at or before a place; before the first of them, none."""
        at = bisect_right(self._places, place) - 1
        if at < 0:
            self.tree.setCurrentIndex(QModelIndex())
        else:
            self.show_item(self._ordered[at].data(_ITEM), at)

    def show_item(self, item: OutlineItem, at: int | None = None) -> None:
        """Choose a heading, or what it is folded into."""
        if at is None:
            at = next(n for n, row in enumerate(self._ordered) if row.data(_ITEM) == item)
        index = self._ordered[at].index()
        while index.parent().isValid() and not self.tree.isExpanded(index.parent()):
            index = index.parent()
        if index != self.tree.currentIndex():
            self.tree.setCurrentIndex(index)

    @Slot(QModelIndex)
    def _pick(self, index: QModelIndex) -> None:
        self.picked.emit(index.data(_ITEM))
