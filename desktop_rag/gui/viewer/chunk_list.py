"""The passages that the index made of a document, as a list beside it."""

from __future__ import annotations

from enum import IntEnum
from typing import Any

from PySide6.QtCore import (
    QAbstractListModel,
    QCoreApplication,
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    QRect,
    QRectF,
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
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QVBoxLayout,
    QWidget,
)

from desktop_rag.core.types import BlockKind
from desktop_rag.gui.controllers.open_document import ListedChunk
from desktop_rag.gui.display_text import locator_text
from desktop_rag.gui.theme import Theme
from desktop_rag.gui.widgets.text_painting import height_of, lines_of, paint_line, paint_lines
from desktop_rag.gui.widgets.tooltips import tip

Index = QModelIndex | QPersistentModelIndex

_EDGE, _INNER, _LINES = 4, 9, 3


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


class ChunkDelegate(QStyledItemDelegate):
    """Paints a passage: a line about it, and how it begins."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme

    def sizeHint(  # noqa: N802 - Qt's
        self, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> QSize:
        """Return the same height for all: thousands are laid out at once."""
        del index
        metrics = QFontMetrics(option.font)
        lines = height_of(_LINES, option.font)
        return QSize(0, metrics.height() + lines + 2 * (_EDGE + _INNER) + 4)

    def paint(
        self,
        painter: QPainter,
        option: QStyleOptionViewItem,
        index: QModelIndex | QPersistentModelIndex,
    ) -> None:
        """Paint one passage."""
        chunk: ListedChunk = index.data(ChunkRole.CHUNK)
        colors, state = self._theme.colors, option.state
        chosen = bool(state & QStyle.StateFlag.State_Selected)
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        card = QRectF(option.rect).adjusted(_EDGE + 0.5, _EDGE + 0.5, -_EDGE - 0.5, -_EDGE - 0.5)
        painter.setPen(colors.of("accent" if chosen else "border"))
        painter.setBrush(colors.of("soft" if chosen else "raised"))
        painter.drawRoundedRect(card, 6, 6)
        gap = _EDGE + _INNER
        box = option.rect.adjusted(gap, gap, -gap, -gap)
        metrics = QFontMetrics(option.font)
        painter.setFont(option.font)
        painter.setPen(colors.of("muted"))
        paint_line(painter, box, chunk_heading(chunk))
        painter.setPen(colors.of("text"))
        lines = lines_of(" ".join(chunk.text[:500].split()), option.font, box.width(), _LINES)
        top = box.top() + metrics.height() + 4
        paint_lines(painter, QRect(box.left(), top, box.width(), 0), lines, option.font)
        painter.restore()


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
