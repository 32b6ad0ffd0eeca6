"""The right pane: the list of sources, and the document that one of them was opened in.

While there are no sources, it says what will be here and what it is for.
"""

from __future__ import annotations

from dataclasses import replace

from PySide6.QtCore import QEvent, QModelIndex, QObject, QPoint, Qt, Signal, Slot
from PySide6.QtGui import QGuiApplication, QKeySequence, QPixmap, QShortcut
from PySide6.QtWidgets import (
    QAbstractItemView,
    QHBoxLayout,
    QLabel,
    QListView,
    QMenu,
    QStackedWidget,
    QVBoxLayout,
    QWidget,
)

from desktop_rag.core.requests import NoteRequest
from desktop_rag.core.types import Locator, Passage
from desktop_rag.gui.controllers.document_scope import ScopeItem
from desktop_rag.gui.controllers.open_document import (
    ListedChunk,
    OpenDocument,
    document_of_citation,
)
from desktop_rag.gui.controllers.transcript import Turn
from desktop_rag.gui.controllers.viewer import ViewerController
from desktop_rag.gui.display_text import ask_about_text
from desktop_rag.gui.icons import picture
from desktop_rag.gui.lab.search_test_values import PassageTarget, passage_label, target_of
from desktop_rag.gui.theme import HEAD, Theme
from desktop_rag.gui.viewer.document_viewer import DocumentViewer
from desktop_rag.gui.viewer.source_delegate import SourceDelegate
from desktop_rag.gui.viewer.source_list_model import (
    SourceListModel,
    SourceRole,
    SourceRow,
    matched_locator,
    quote_with_source,
)
from desktop_rag.gui.widgets.buttons import IconButton
from desktop_rag.gui.widgets.separator import separator

_SIGN = 28
_SHARPNESS = 3  # sharp up to 300 %


class EmptySources(QWidget):
    """A sign and two sentences, in the middle."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._sign = QLabel()
        self._sign.setAlignment(Qt.AlignmentFlag.AlignCenter)
        text = QLabel(
            self.tr(
                "The quotes that an answer rests on appear here.\n\n"
                "Click one to see it marked in its document."
            )
        )
        text.setObjectName("muted")
        text.setWordWrap(True)
        text.setAlignment(Qt.AlignmentFlag.AlignCenter)
        column = QVBoxLayout(self)
        column.setContentsMargins(24, 14, 24, 14)
        column.setSpacing(12)
        column.addStretch(2)
        column.addWidget(self._sign)
        column.addWidget(text)
        column.addStretch(3)
        theme.changed.connect(self._dress)
        self._dress()

    @Slot()
    def _dress(self) -> None:
        drawn = picture("quote", self._theme.colors.faint, _SIGN * _SHARPNESS)
        drawn.setDevicePixelRatio(_SHARPNESS)
        self._sign.setPixmap(QPixmap.fromImage(drawn))


class SourcesPane(QWidget):
    """Shows one turn's sources. `reading` carries True when a document is opened, False after.

    `source_pointed` carries the number of the source that the mouse or the choice is on, or None;
    `why_asked` the `PassageTarget` at a passage of which is asked why it was, or was not, found.
    `note_wanted` carries the `NoteRequest` that saves a quote. `began` says that there is a turn
    whose sources can be shown, or with False that there is none, `dismissed` that the list is not
    to be shown any more.
    """

    reading = Signal(object)
    source_pointed = Signal(object)
    why_asked = Signal(object)
    began = Signal(bool)
    dismissed = Signal()
    note_wanted = Signal(object)

    def __init__(
        self, theme: Theme, reader: ViewerController, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self.setObjectName("pane")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self._theme = theme
        self._turn: Turn | None = None
        self._pointed: int | None = None
        self.model = SourceListModel(self)
        self.list = QListView()
        self.list.setModel(self.model)
        self.close_list = IconButton(theme, "close", self.tr("Hide the sources"))
        self.viewer = DocumentViewer(theme, reader)
        self._empty = EmptySources(theme)
        self._stack = QStackedWidget()
        self._dress_list(theme)
        self._lay_out()
        self._connect()

    def _dress_list(self, theme: Theme) -> None:
        self.list.setItemDelegate(SourceDelegate(theme, self.list))
        self.list.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.list.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAsNeeded)
        self.list.setResizeMode(QListView.ResizeMode.Adjust)
        self.list.setMouseTracking(True)
        self.list.setAccessibleName(self.tr("Sources of the answer"))
        self.list.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        self.list.viewport().installEventFilter(self)

    @Slot()
    def _measure_again(self) -> None:
        """Give every row the height that it needs now."""
        self.list.scheduleDelayedItemsLayout()

    def _connect(self) -> None:
        self._theme.changed.connect(self._measure_again)
        self.list.clicked.connect(self._pick)
        self.list.activated.connect(self._pick)
        self.list.entered.connect(self._point)
        self.list.selectionModel().currentChanged.connect(self._point)
        self.list.customContextMenuRequested.connect(self._offer)
        copy = QShortcut(QKeySequence(QKeySequence.StandardKey.Copy), self.list)
        copy.setContext(Qt.ShortcutContext.WidgetShortcut)
        copy.activated.connect(self._copy)
        self.close_list.clicked.connect(self.dismissed)
        self.viewer.left.connect(self._back)
        self.viewer.note_wanted.connect(self.note_wanted)
        self.viewer.chunks.offer_why()
        self.viewer.chunks.why_asked.connect(self._ask_of_chunk)
        viewer = self.viewer
        for view in (viewer.page_view, viewer.text_view, viewer.table_view):
            view.asking.why.connect(self._ask_of_text)

    def show_turn(self, turn: Turn | None) -> None:
        """Show a turn's sources; a document that is open stays open."""
        if turn is not self._turn:
            self._tell_pointed(None)  # the source of that number is another one now
        has_begun = (turn is None) != (self._turn is None)
        self._turn = turn
        self.model.show_turn(turn)
        empty = self.model.rowCount() == 0
        self._empty.setVisible(empty)
        self.list.setVisible(not empty)
        if has_begun:
            self.began.emit(turn is not None)

    def open_citation(self, turn: Turn, n: int) -> None:
        """Open source n of a turn at the quote that the answer cites."""
        self.show_turn(turn)
        row = self.model.row_of(n)
        if row >= 0:
            self.list.setCurrentIndex(self.model.index(row))
            self._point(self.model.index(row))  # also where it is the current one already
        passage = turn.sources[n - 1]
        places = [c.locator for c in turn.citations if c.n == n]
        self._open(passage, places[0] if places else matched_locator(passage))

    def open_passage(self, turn: Turn, passage: Passage) -> None:
        """Open a passage that a turn found, at what matched."""
        self.show_turn(turn)
        self._open(passage, matched_locator(passage))

    def open_file(self, path: str, kb: str = "") -> None:
        """Open a file of the knowledge base named, with its passages listed beside it."""
        self._tell_pointed(None)  # it is no source of the answer
        self._stack.setCurrentWidget(self.viewer)
        self.reading.emit(True)
        self.viewer.open_file(path, kb)

    def read_file(self, path: str, kb: str = "") -> None:
        """Open a file of the knowledge base named."""
        self._stack.setCurrentWidget(self.viewer)
        self.reading.emit(True)
        self.viewer.read_file(path, kb)

    def open_again(self, document: OpenDocument) -> None:
        """Open a document that was open before, at its current mark."""
        self._stack.setCurrentWidget(self.viewer)
        self.reading.emit(True)
        self.viewer.open(document)

    def mark_quotes(self, citations: tuple[int, ...] | None) -> None:
        """Mark the sources of these citations of the turn, each with its quote; None marks none."""
        self.model.point_at(citations or ())
        rows = self.model.pointed_rows()
        if rows:
            self.list.scrollTo(self.model.index(rows[0]))

    @property
    def turn(self) -> Turn | None:
        """The turn whose sources are shown."""
        return self._turn

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:  # noqa: N802 - Qt's
        """Notice when the mouse leaves the list, but not when the list makes way for a document."""
        if event.type() == QEvent.Type.Leave and not self.is_reading:
            self._tell_pointed(None)
        return super().eventFilter(watched, event)

    @property
    def is_wanted(self) -> bool:
        """Whether there is anything to show: a turn's sources, or a document."""
        return self._turn is not None or self.is_reading

    @property
    def is_reading(self) -> bool:
        """Whether a document is open."""
        return self._stack.currentWidget() is self.viewer

    def close_document(self) -> None:
        """Go back to the list."""
        if self.is_reading:
            self.viewer.leave()

    @Slot(QModelIndex)
    def _pick(self, index: QModelIndex) -> None:
        entry: SourceRow = index.data(SourceRole.ENTRY)
        if entry.passage is None and not entry.read:
            self.model.toggle()
        elif entry.passage is not None:
            self._point(index)
            self._open(entry.passage, entry.mark or entry.passage.locator)

    @Slot(QModelIndex)
    def _point(self, index: QModelIndex) -> None:
        entry: SourceRow | None = index.data(SourceRole.ENTRY) if index.isValid() else None
        self._tell_pointed(entry.number if entry is not None else None)

    def _tell_pointed(self, number: int | None) -> None:
        if number != self._pointed:
            self._pointed = number
            self.source_pointed.emit(number)

    @Slot(QPoint)
    def _offer(self, at: QPoint) -> None:
        """Show what can be done with a source."""
        index = self.list.indexAt(at)
        entry: SourceRow | None = index.data(SourceRole.ENTRY) if index.isValid() else None
        if entry is None or entry.passage is None:
            return
        self.list.setCurrentIndex(index)
        menu = QMenu(self.list)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        menu.addAction(self.tr("Open in its document")).triggered.connect(self._open_current)
        if self._theme.is_expert:
            beside = menu.addAction(self.tr("Show among the passages of its document"))
            beside.triggered.connect(self._open_among)
        menu.addAction(self.tr("Copy the quote with its source")).triggered.connect(self._copy)
        if entry.passage.path and self._turn is not None and self._turn.answer_id:
            menu.addAction(self.tr("Save as note")).triggered.connect(self._note)
        if entry.passage.path:
            menu.addAction(ask_about_text([False])).triggered.connect(self._ask_only)
        if self._theme.is_expert:
            self._offer_why(menu, entry)
        menu.popup(self.list.viewport().mapToGlobal(at))

    def _offer_why(self, menu: QMenu, entry: SourceRow) -> None:
        asked = self.tr("Why was this found?") if entry.cited else self.tr("Why was this not used?")
        menu.addAction(asked).triggered.connect(self._ask_why)

    @Slot()
    def _ask_only(self) -> None:
        """Have the document asked that the chosen passage is of."""
        entry: SourceRow | None = self.list.currentIndex().data(SourceRole.ENTRY)
        if entry is not None and entry.passage is not None:
            self.viewer.only_wanted.emit(ScopeItem(entry.passage.path, ""))

    @Slot()
    def _note(self) -> None:
        """Have the chosen passage saved, as the answer quotes it."""
        entry: SourceRow | None = self.list.currentIndex().data(SourceRole.ENTRY)
        turn = self._turn
        if turn is not None and entry is not None and entry.passage is not None:
            chunk, quote = int(entry.passage.chunk_id), entry.quote or None
            request = NoteRequest("add", text=quote, answer_id=turn.answer_id, chunk_id=chunk)
            self.note_wanted.emit(request)

    @Slot()
    def _ask_why(self) -> None:
        """Ask what the answer that is shown did with the chosen passage."""
        entry: SourceRow | None = self.list.currentIndex().data(SourceRole.ENTRY)
        turn = self._turn
        if turn is not None and entry is not None and entry.passage is not None:
            asked = turn.condensed or turn.question
            aim = target_of(entry.passage)
            self.why_asked.emit(replace(aim, question=asked, answer_id=turn.answer_id))

    @Slot(object)
    def _ask_of_chunk(self, chunk: ListedChunk) -> None:
        if (document := self.viewer.document) is not None:
            name = passage_label(chunk.text)
            self.why_asked.emit(
                PassageTarget(path=document.path, chunk_id=chunk.chunk_id, name=name)
            )

    @Slot(object)
    def _ask_of_text(self, text: str) -> None:
        if (document := self.viewer.document) is not None:
            self.why_asked.emit(PassageTarget(text=" ".join(text.split()), path=document.path))

    @Slot()
    def _open_current(self) -> None:
        self._pick(self.list.currentIndex())

    @Slot()
    def _open_among(self) -> None:
        self._pick(self.list.currentIndex())
        self.viewer.bar.passages.setChecked(True)

    @Slot()
    def _copy(self) -> None:
        """Put the chosen source's quote, with its number, title and place, on the clipboard."""
        index = self.list.currentIndex()
        entry: SourceRow | None = index.data(SourceRole.ENTRY) if index.isValid() else None
        if entry is not None and entry.passage is not None:
            QGuiApplication.clipboard().setText(quote_with_source(entry, entry.passage))

    def _open(self, passage: Passage, mark: Locator) -> None:
        if self._turn is None or not passage.path:  # a removed one has no document
            return
        self._stack.setCurrentWidget(self.viewer)
        self.reading.emit(True)
        self.viewer.open(document_of_citation(self._turn, passage, mark))

    @Slot()
    def _back(self) -> None:
        self._stack.setCurrentIndex(0)
        self._tell_pointed(None)  # what was marked for it in the answer goes with it
        self.reading.emit(False)

    def _lay_out(self) -> None:
        heading = QLabel(self.tr("Sources"))
        heading.setObjectName("heading")
        heading.setMinimumHeight(HEAD)
        top = QHBoxLayout()
        top.setContentsMargins(18, 0, 10, 0)
        top.addWidget(heading, 1)
        top.addWidget(self.close_list)
        page = QWidget()
        column = QVBoxLayout(page)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addLayout(top)
        column.addWidget(separator())
        inside = QVBoxLayout()
        inside.setContentsMargins(4, 4, 4, 4)
        inside.addWidget(self._empty, 1)
        inside.addWidget(self.list, 1)
        column.addLayout(inside, 1)
        self.list.hide()
        self._stack.addWidget(page)
        self._stack.addWidget(self.viewer)
        around = QVBoxLayout(self)
        around.setContentsMargins(0, 0, 0, 0)
        around.addWidget(self._stack)
