"""The passages that the index made of a document, as a list beside it."""

from __future__ import annotations

from enum import IntEnum
from typing import Any

from PySide6.QtCore import (
    QAbstractListModel,
    QCoreApplication,
    QModelIndex,
    QObject,
    QSize,
    Qt,
    Signal,
    Slot,
)
from PySide6.QtGui import QAction, QFontMetrics, QPainter
from PySide6.QtWidgets import (
    QAbstractItemView,
    QLabel,
    QListView,
    QStyle,
    QStyleOptionViewItem,
    QVBoxLayout,
    QWidget,
)

from desktop_rag.core.types import BlockKind
from desktop_rag.gui.controllers.open_document import ListedChunk
from desktop_rag.gui.display_text import locator_text
from desktop_rag.gui.theme import Theme
from desktop_rag.gui.widgets.card_delegate import CardDelegate, Index
from desktop_rag.gui.widgets.text_painting import height_of, paint_line
from desktop_rag.gui.widgets.tooltips import tip

_GAP = 4


class ChunkRole(IntEnum):
    """What a row is: a `ListedChunk`."""

    CHUNK = Qt.ItemDataRole.UserRole + 1


def kind_text(kind: BlockKind) -> str:
    """Return a kind of passage in the reader's language."""
    tr = QCoreApplication.translate
    words = {
        BlockKind.TITLE: tr("Chunks", "title"),
        BlockKind.HEADING: tr("Chunks", "heading"),
        BlockKind.TEXT: tr("Chunks", "text"),
        BlockKind.LIST: tr("Chunks", "list"),
        BlockKind.TABLE: tr("Chunks", "table"),
        BlockKind.CODE: tr("Chunks", "code"),
        BlockKind.META: tr("Chunks", "head and foot"),
    }
    return words[kind]


class ChunksModel(QAbstractListModel):
    """The passages of one document, in order."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._rows: tuple[ListedChunk, ...] = ()

    def show_chunks(self, chunks: tuple[ListedChunk, ...]) -> None:
        """Show a document's passages."""
        self.beginResetModel()
        self._rows = chunks
        self.endResetModel()

    def row_at(self, start: int) -> int:
        """Return the row of the passage that holds a place of the text, -1 where none does."""
        for row, chunk in enumerate(self._rows):
            place = chunk.place
            if place.start is not None and place.start <= start < (place.end or 0):
                return row
        return -1

    def rowCount(self, parent: Index | None = None) -> int:  # noqa: N802 - Qt's
        """Return how many passages there are."""
        return 0 if parent is not None and parent.isValid() else len(self._rows)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        """Return a row's text, what the embedder read as its tooltip, or the `ListedChunk`."""
        if not index.isValid():
            return None
        chunk = self._rows[index.row()]
        if role == ChunkRole.CHUNK:
            return chunk
        if role == Qt.ItemDataRole.DisplayRole:
            return chunk.text
        if role == Qt.ItemDataRole.AccessibleTextRole:
            return f"{chunk_heading(chunk)}. {chunk.text[:300]}"
        if role == Qt.ItemDataRole.ToolTipRole and chunk.context:
            text = self.tr("Searched together with:\n%1")
            return tip(*text.replace("%1", chunk.context).splitlines())
        return None


def chunk_heading(chunk: ListedChunk) -> str:
    """Return the line above a passage: its number, kind, place and tokens."""
    tokens = QCoreApplication.translate("Chunks", "%n token(s)", "", chunk.tokens)
    where = locator_text(chunk.place)
    return f"{chunk.ordinal + 1}  ·  {kind_text(chunk.kind)}  ·  {where}  ·  {tokens}"


class ChunkDelegate(CardDelegate):
    """Paints a passage: a line about it, and how it begins."""

    inner, corner, lines = 9, 6, 3

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:  # noqa: N802 - Qt's
        """Return the same height for all: thousands are laid out at once."""
        del index
        text = QFontMetrics(option.font).height() + _GAP + height_of(self.lines, option.font)
        return QSize(0, text + 2 * (self.edge + self.inner))

    def paint_row(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        """Paint one passage."""
        chunk: ListedChunk = index.data(ChunkRole.CHUNK)
        if option.state & QStyle.StateFlag.State_Selected:
            self.paint_frame(painter, option, "soft", "accent")
        else:
            self.paint_frame(painter, option, "raised", "border")
        box = self.inside(option)
        self.use(painter, "muted", option.font)
        paint_line(painter, box, chunk_heading(chunk))
        self.use(painter, "text")
        below = box.adjusted(0, painter.fontMetrics().height() + _GAP, 0, 0)
        self.paint_text(painter, option.font, below, chunk.text[:500])


class ChunksList(QWidget):
    """The list with its heading. `picked` carries the `ListedChunk` that was chosen.

    `why_asked` carries the one that is said not to have been found, once `offer_why` was called.
    """

    picked = Signal(object)
    why_asked = Signal(object)

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.model = ChunksModel(self)
        self.list = QListView()
        self.list.setModel(self.model)
        self.list.setItemDelegate(ChunkDelegate(theme, self.list))
        self.list.setUniformItemSizes(True)
        self.list.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.list.setResizeMode(QListView.ResizeMode.Adjust)
        self.list.setAccessibleName(self.tr("Passages of the document in the index"))
        self.heading = QLabel()
        self.heading.setObjectName("muted")
        self.heading.setContentsMargins(12, 4, 8, 4)
        column = QVBoxLayout(self)
        column.setContentsMargins(2, 0, 2, 0)
        column.setSpacing(0)
        column.addWidget(self.heading)
        column.addWidget(self.list, 1)
        self.list.selectionModel().currentChanged.connect(self._pick)

    def offer_why(self) -> None:
        """Offer, in a menu, to say why a passage was not found."""
        why = QAction(self.tr("Why was this not found?"), self.list)
        why.triggered.connect(self._ask_why)
        self.list.addAction(why)
        self.list.setContextMenuPolicy(Qt.ContextMenuPolicy.ActionsContextMenu)

    @Slot()
    def _ask_why(self) -> None:
        index = self.list.currentIndex()
        if index.isValid():
            self.why_asked.emit(index.data(ChunkRole.CHUNK))

    @Slot(object)
    def show_chunks(self, chunks: tuple[ListedChunk, ...]) -> None:
        """Show a document's passages."""
        self.model.show_chunks(chunks)
        if chunks:
            self.heading.setText(self.tr("%n passage(s)", "", len(chunks)))
        else:
            self.heading.setText(self.tr("The index holds no passage of this file."))

    def choose(self, start: int) -> None:
        """Choose the passage that holds a place of the text, without telling anybody."""
        row = self.model.row_at(start)
        if row >= 0:
            self.list.selectionModel().blockSignals(True)
            self.list.setCurrentIndex(self.model.index(row))
            self.list.selectionModel().blockSignals(False)
            self.list.scrollTo(self.model.index(row))
            self.list.viewport().update()

    @Slot(QModelIndex, QModelIndex)
    def _pick(self, index: QModelIndex, before: QModelIndex) -> None:
        del before
        if index.isValid():
            self.picked.emit(index.data(ChunkRole.CHUNK))
