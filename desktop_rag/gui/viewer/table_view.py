"""A document's tables on the screen: one at a time, its rows read as they come into sight."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import (
    QCoreApplication,
    QItemSelectionModel,
    QItemSelectionRange,
    QModelIndex,
    QPersistentModelIndex,
    QPoint,
    QRect,
    QSize,
    Qt,
    Signal,
    Slot,
)
from PySide6.QtGui import QColor, QFontMetrics, QKeyEvent, QKeySequence, QPainter, QResizeEvent
from PySide6.QtWidgets import (
    QAbstractItemView,
    QComboBox,
    QHBoxLayout,
    QHeaderView,
    QLabel,
    QMenu,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QTableView,
    QVBoxLayout,
    QWidget,
)

from desktop_rag.gui.controllers.table_outline import CellArea, TableOutline, TableRows, UsedTable
from desktop_rag.gui.display_text import fill, locator_text
from desktop_rag.gui.message_translation import join_sentences
from desktop_rag.gui.theme import READING, Theme, scaled
from desktop_rag.gui.viewer.pdf_painting import INK
from desktop_rag.gui.viewer.selection_menu import SelectionMenu
from desktop_rag.gui.viewer.table_model import SHOWN, DocumentTableModel

_OF_AVERAGE = 0.95  # of an average letter's width, a cell's letters
_INDENT = 5  # pixels between a cell's edge and its text
_LEFT = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
_RIGHT = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
_SELECTED = QStyle.StateFlag.State_Selected
_SHADE = QColor(0, 0, 0, 40)  # over a marker's colour
_PADDING = 18  # pixels beside a cell's text
_NARROWEST, _WIDEST = 34, 300
_MOST_SIZED = 300  # columns whose widths follow what they hold
_NEAR, _READ = 30, 150  # rows around those in sight that have to be there, and that are read
_MOST_KNOWN = 8192  # texts of which it is known how much of them fits
_MOST_ASKED = 4000  # characters of a selection about which is asked
_TITLE = 60  # characters of a table's name


class CellDelegate(QStyledItemDelegate):
    """Paints a cell in one go: asking the model role by role costs more than the painting."""

    def __init__(self, theme: Theme, model: DocumentTableModel, parent: QWidget) -> None:
        super().__init__(parent)
        self._theme = theme
        self._model = model
        self._known: dict[tuple[str, int], str] = {}

    def paint(
        self,
        painter: QPainter,
        option: QStyleOptionViewItem,
        index: QModelIndex | QPersistentModelIndex,
    ) -> None:
        """Paint the marker's colour or that of the selection, and the text, cut where it ends."""
        row, column = index.row(), index.column()
        rect: QRect = option.rect
        color, colors = self._model.color(row, column), self._theme.colors
        is_selected = bool(option.state & _SELECTED)
        if color or is_selected:
            painter.fillRect(rect, QColor(color or colors.soft))
        if is_selected and color:
            painter.fillRect(rect, _SHADE)
        text = self._model.cell(row, column)[:SHOWN]
        if not text:
            return
        room = rect.adjusted(_INDENT, 0, -_INDENT, 0)
        painter.setPen(QColor(INK if color else colors.text))
        align = _RIGHT if self._model.is_numeric(column) else _LEFT
        painter.drawText(room, align, self._fitting(text, room.width(), option))

    def _fitting(self, text: str, width: int, option: QStyleOptionViewItem) -> str:
        """Return a text as far as it fits: telling that costs half of what painting does."""
        known = self._known.get((text, width))
        if known is None:
            metrics: QFontMetrics = option.fontMetrics
            known = metrics.elidedText(text, Qt.TextElideMode.ElideRight, width)
            if len(self._known) > _MOST_KNOWN:
                self._known.clear()
            self._known[text, width] = known
        return known


class RowNumbers(QHeaderView):
    """The numbers of rows; as wide as the largest, where Qt would ask for hundreds of them."""

    def __init__(self, model: DocumentTableModel, parent: QWidget) -> None:
        super().__init__(Qt.Orientation.Vertical, parent)
        self._model = model
        self.setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        self.setDefaultAlignment(_RIGHT)

    def sizeHint(self) -> QSize:  # noqa: N802 - Qt's
        """Return the room of the largest number."""
        return QSize(self.fontMetrics().horizontalAdvance("0" * self._model.digits) + _PADDING, 0)


class CellsView(QTableView):
    """The cells. `scrolled` comes when others are in sight, `copy_asked` carries a `CellArea`."""

    scrolled = Signal()
    copy_asked = Signal(object)

    def __init__(
        self, theme: Theme, model: DocumentTableModel, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self._model = model
        self.asking = SelectionMenu(self)
        self.setModel(model)
        self.setVerticalHeader(RowNumbers(model, self))
        self.setItemDelegate(CellDelegate(theme, model, self))
        for header in (self.horizontalHeader(), self.verticalHeader()):
            # With the view's own, a header goes over all rows for each section that it paints.
            header.setSectionsClickable(True)
            header.setHighlightSections(False)
            header.setSelectionModel(QItemSelectionModel(model, header))
        self.setObjectName("cells")
        self.setAccessibleName(self.tr("Table of the document"))
        self.setWordWrap(False)
        self.setSelectionMode(QAbstractItemView.SelectionMode.ContiguousSelection)
        self.setHorizontalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setTabKeyNavigation(False)
        self.setCornerButtonEnabled(False)
        self.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        columns = self.horizontalHeader()
        columns.setMinimumSectionSize(_NARROWEST)
        columns.setTextElideMode(Qt.TextElideMode.ElideRight)
        self.customContextMenuRequested.connect(self._offer)
        self.verticalScrollBar().valueChanged.connect(self.scrolled)

    def fit(self, outline: TableOutline) -> None:
        """Give the columns the widths of what they hold, within bounds."""
        letter = self.fontMetrics().averageCharWidth()
        header = self.horizontalHeader()
        self.verticalHeader().setDefaultSectionSize(self.fontMetrics().height() + 10)
        header.setDefaultSectionSize(110)
        for at, width in enumerate(outline.widths[:_MOST_SIZED]):
            name = self.fontMetrics().horizontalAdvance(outline.names[at][:40])
            wanted = max(round(width * letter * _OF_AVERAGE), name) + _PADDING
            header.resizeSection(at, min(max(wanted, _NARROWEST), _WIDEST))

    def around(self, margin: int) -> range:
        """Return the rows that are in sight, and so many above and below."""
        size, last = self._model.rowCount(), self.rowAt(self.viewport().height() - 1)
        end = size if last < 0 else last + 1
        return range(max(0, self.rowAt(0) - margin), min(size, end + margin))

    @property
    def selected(self) -> str:
        """The text of the cells that are selected, as far as it was read."""
        area = self._area()
        if area is None:
            return ""
        rows = (
            "\t".join(self._model.cell(row, column) for column in area.columns)
            for row in area.rows[:_READ]
        )
        return "\n".join(rows)[:_MOST_ASKED].strip()

    @Slot()
    def copy(self) -> None:
        """Ask for what is selected as texts for the clipboard."""
        area = self._area()
        if area is not None:
            self.copy_asked.emit(area)

    def keyPressEvent(self, event: QKeyEvent) -> None:  # noqa: N802 - Qt's
        """Copy cells; Qt's own way copies one."""
        if event.matches(QKeySequence.StandardKey.Copy):
            self.copy()
        else:
            super().keyPressEvent(event)

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802 - Qt's
        """Tell that more rows may be in sight."""
        super().resizeEvent(event)
        self.scrolled.emit()

    def _area(self) -> CellArea | None:
        selection = self.selectionModel().selection()
        ranges: list[QItemSelectionRange] = [selection.at(n) for n in range(selection.count())]
        if not ranges:
            return None
        rows = range(min(r.top() for r in ranges), max(r.bottom() for r in ranges) + 1)
        left, right = min(r.left() for r in ranges), max(r.right() for r in ranges)
        return CellArea(rows, tuple(range(left, right + 1)))

    @Slot(QPoint)
    def _offer(self, at: QPoint) -> None:
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        menu.addAction(self.tr("Copy the cells")).triggered.connect(self.copy)
        self.asking.offer(menu, self.selected)
        menu.popup(self.viewport().mapToGlobal(at))


class DocumentTableView(QWidget):
    """One table of a document, chosen from its tables; above it a line says what is marked.

    `rows_wanted` carries the `range` of rows that come into sight, `chosen` the number of the table
    that is picked.
    """

    rows_wanted = Signal(object)
    chosen = Signal(object)
    moved = Signal()

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._asked = range(0)  # rows that are being read
        self.model = DocumentTableModel(self)
        self.cells = CellsView(theme, self.model)
        self.cells.setFont(scaled(self.font(), READING))
        self.asking = self.cells.asking
        self.chooser = QComboBox()
        self.chooser.setAccessibleName(self.tr("Tables of the document"))
        self.note = QLabel()
        self.note.setObjectName("muted")
        self.note.setWordWrap(True)
        self.note.setContentsMargins(12, 6, 12, 6)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        above = QHBoxLayout()
        above.setContentsMargins(10, 6, 10, 0)
        above.addWidget(self.chooser, 1)
        column.addLayout(above)
        column.addWidget(self.note)
        column.addWidget(self.cells, 1)
        self.setFocusProxy(self.cells)
        self.chooser.activated.connect(self._choose)
        self.cells.scrolled.connect(self._look)
        self.show_tables(())

    def show_tables(self, tables: Sequence[TableOutline]) -> None:
        """Offer these tables; none of them is shown yet."""
        self.chooser.clear()
        self.chooser.addItems([table_label(each) for each in tables])
        self.chooser.setVisible(len(tables) > 1)
        self.show_table(None)

    def show_table(self, outline: TableOutline | None) -> None:
        """Show a table from its beginning."""
        self._asked = range(0)
        self.model.show_table(outline)
        if outline is None:
            self.say("")
            return
        self.chooser.setCurrentIndex(outline.index)
        self.cells.fit(outline)
        self.cells.scrollToTop()
        self._look()

    def add(self, came: TableRows) -> None:
        """Show cells that were read."""
        self._asked = range(0)
        self.model.add(came)

    def say(self, sentence: str) -> None:
        """Say above the table what is marked in it."""
        self.note.setText(sentence)
        self.note.setVisible(bool(sentence))

    def show_row(self, row: int, column: int = -1) -> None:
        """Scroll to a row, and to a column where one is named."""
        at = max(0, column if column >= 0 else self.cells.columnAt(0))
        index = self.model.index(row, at)
        self.cells.scrollTo(index, QAbstractItemView.ScrollHint.PositionAtCenter)
        self._look()

    def show_corner(self, row: int, column: int) -> None:
        """Scroll a cell to the upper left corner; the last one where there is no such cell."""
        rows, columns = self.model.rowCount(), self.model.columnCount()
        if not rows or not columns:
            return
        index = self.model.index(min(row, rows - 1), min(column, columns - 1))
        self.cells.scrollTo(index, QAbstractItemView.ScrollHint.PositionAtTop)
        left = self.cells.horizontalHeader().sectionPosition(index.column())
        self.cells.horizontalScrollBar().setValue(left)
        self._look()

    @property
    def row(self) -> int:
        """The row that is at the top of the view."""
        return max(0, self.cells.rowAt(0))

    @property
    def column(self) -> int:
        """The column that is at the left of the view."""
        return max(0, self.cells.columnAt(0))

    @property
    def place(self) -> str:
        """How many rows the table has."""
        return fill(self.tr("Rows: %1"), f"{self.model.rowCount():,}")

    @Slot(int)
    def _choose(self, index: int) -> None:
        self.chosen.emit(index)

    @Slot()
    def _look(self) -> None:
        """Ask for rows in sight that were not read yet."""
        self.moved.emit()
        near, asked = self.cells.around(_NEAR), self._asked
        if not near or not self.model.missing(near):
            return
        if near.start not in asked or near.stop - 1 not in asked:
            self._asked = self.cells.around(_READ)
            self.rows_wanted.emit(self._asked)


def table_label(table: TableOutline) -> str:
    """Return what a table is called: by its sheet or section, else by its place."""
    name = table.title or locator_text(table.place)
    return name if len(name) <= _TITLE else f"{name[:_TITLE]} …"


def used_text(used: UsedTable) -> str:
    """Return on which rows of a table a result rests, and what of them is marked."""
    tr = QCoreApplication.translate
    rows = tr("Tables", "The result rests on all %1 rows.")
    if used.count < max(2, used.total):
        rows = tr("Tables", "The result rests on %1 of %2 rows.")
    marked = tr("Tables", "The columns that were read are marked.") if used.columns else ""
    if used.by_row:
        marked = tr("Tables", "They are marked.")
    said = fill(rows, f"{used.count:,}", f"{used.total:,}")
    return join_sentences(said, marked)
