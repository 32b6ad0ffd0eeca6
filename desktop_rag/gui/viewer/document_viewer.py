"""A document inside the window: pages, text or tables, with the cited passages marked.

A line says when the file is gone, has changed since it was read, or has no text in the index.
"""

from __future__ import annotations

from dataclasses import replace

from PySide6.QtCore import Qt, QTimer, Signal, Slot
from PySide6.QtGui import QHideEvent, QKeySequence, QResizeEvent, QShortcut
from PySide6.QtWidgets import QSplitter, QStackedWidget, QVBoxLayout, QWidget

from desktop_rag.core.requests import NoteRequest
from desktop_rag.core.types import TableShare
from desktop_rag.gui.controllers.document_scope import ScopeItem
from desktop_rag.gui.controllers.open_document import (
    FileState,
    ListedChunk,
    LocatedDocument,
    OpenDocument,
    ViewError,
)
from desktop_rag.gui.controllers.reading_places import ReadingPlace
from desktop_rag.gui.controllers.viewer import ViewerController
from desktop_rag.gui.display_text import fill, locator_text
from desktop_rag.gui.message_translation import join_sentences, translate_message
from desktop_rag.gui.shortcuts import NEXT_FOUND, NEXT_MARK, PREVIOUS_FOUND, PREVIOUS_MARK
from desktop_rag.gui.theme import Theme
from desktop_rag.gui.viewer.chunk_list import ChunksList
from desktop_rag.gui.viewer.document_find_bar import DocumentFindBar
from desktop_rag.gui.viewer.file_state_text import file_state_action, file_state_text
from desktop_rag.gui.viewer.metadata_text import metadata_lines
from desktop_rag.gui.viewer.outline_presenter import OutlinePresenter
from desktop_rag.gui.viewer.pdf_view import PdfView
from desktop_rag.gui.viewer.presenters import PdfPresenter, TextPresenter
from desktop_rag.gui.viewer.table_presenter import TablePresenter
from desktop_rag.gui.viewer.table_view import DocumentTableView
from desktop_rag.gui.viewer.text_view import TextView
from desktop_rag.gui.viewer.viewer_toolbar import ViewerToolbar
from desktop_rag.gui.widgets.banner import Banner

DocumentPresenter = PdfPresenter | TextPresenter | TablePresenter
_AS_READ = (FileState.SAME, FileState.FOUND_AGAIN, FileState.SIMILAR, FileState.FOREIGN)
_REST_MS = 2000  # without a movement before the place is kept
_BESIDE = 620  # pixels from which the passages stand beside the document, not below it


class DocumentViewer(QWidget):
    """Shows an `OpenDocument`, its `document`. `left` is the way back to the list of sources.

    `external_asked` and `folder_asked` carry the path that the user wants to see elsewhere,
    `ask_wanted` the selected text that is to be asked about, `only_wanted` the
    `ScopeItem` that is to be asked, `note_wanted` the `NoteRequest` that saves a selected text.
    """

    left = Signal()
    external_asked = Signal(object)
    folder_asked = Signal(object)
    ask_wanted = Signal(object)
    only_wanted = Signal(object)
    note_wanted = Signal(object)

    def __init__(
        self, theme: Theme, reader: ViewerController, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self._reader = reader
        self.document: OpenDocument | None = None
        self._length = 0
        self._kb, self._takes_keyboard = "", True
        self._said: tuple[str, ...] = ()
        self._placed: LocatedDocument | None = None
        self._wants_table: bool | None = None  # what the user chose for this document
        self._keeping = QTimer(self, singleShot=True, interval=_REST_MS)
        self._keeping.timeout.connect(self.keep_place)
        self.bar = ViewerToolbar(theme)
        self.finder = DocumentFindBar(theme)
        self.page_view = PdfView(theme)
        self.text_view = TextView(theme)
        self.table_view = DocumentTableView(theme)
        self.chunks = ChunksList(theme)
        self.outline = OutlinePresenter(reader, self.bar.outline, self.page_view, self.text_view)
        self.note = Banner(theme, "banner")
        self._pages = PdfPresenter(self.page_view, reader)
        self._text = TextPresenter(self.text_view, reader)
        self._tables = TablePresenter(self.table_view, reader)
        self._side: DocumentPresenter = self._text
        self._stack = QStackedWidget()
        self._split = QSplitter()
        self._lay_out()
        self._connect()
        self._set_keys()

    def open(self, opened: OpenDocument) -> None:
        """Show a document at its current mark; the list of passages is closed with another one."""
        if self.document is None or self.document.path != opened.path:
            self._forget()
            self.bar.passages.setChecked(False)
        self._kb, self._takes_keyboard = "", True
        self.document = opened
        self._tell_document()
        self._reader.want_place(opened)

    def open_file(self, path: str, kb: str = "") -> None:
        """Show a file of a knowledge base without a mark, its passages listed beside."""
        self.read_file(path, kb)
        self._takes_keyboard = True
        self.bar.passages.setChecked(True)

    def read_file(self, path: str, kb: str = "") -> None:
        """Show a file of a knowledge base where it was left; the keyboard stays where it is."""
        if self.document is None or self.document.path != path:
            self.bar.passages.setChecked(False)
        self._forget()
        self._kb, self._takes_keyboard = kb, False
        self.document = OpenDocument(path, "", None)
        self._tell_document()
        self._reader.want_file(path, kb)

    @Slot()
    def search(self) -> None:
        """Let the user search this document."""
        self.finder.begin()

    @property
    def page(self) -> int:
        """The page that is looked at."""
        return self.page_view.page

    @Slot(object)
    def _note(self, text: str) -> None:
        """Have a selected text saved, with about where it stands: it may be there several times."""
        document = self.document
        if document is None:
            return
        near = document.mark.start if document.mark is not None else 0
        if self._side is self._text:
            near = self.text_view.place
        elif self._side is self._pages and (pages := len(self.page_view.stack)):
            near = self._length * (self.page - 1) // pages
        number = int(document.document_id or 0)
        request = NoteRequest("add", text=text, document_id=number, path=document.path)
        self.note_wanted.emit(replace(request, near=near or 0))

    @Slot(object)
    def _show(self, placed: LocatedDocument) -> None:
        """Show what was found: the pages if the file is as it was read, else the text."""
        if self.document is None or self.document.path != placed.asked_path:
            return
        if self.document.document_id != placed.opened.document_id:
            self.chunks.show_chunks(())
        is_new = self._placed is None
        self.document, self._length = placed.opened, placed.length
        self._placed, self._said = placed, metadata_lines(placed.metadata)
        if is_new and not placed.opened.marks:
            self._wants_table = self._left().as_table
        self._say_standing(placed)
        self._show_side()
        self._tell_document()  # the side that shows it counts its marks
        self._list_chunks()

    def _left(self) -> ReadingPlace:
        """Return where the document was left."""
        return self._reader.places.of(self._content())

    def _content(self) -> str:
        """Return by what the document is known; empty where the library does not hold it."""
        return "" if self._placed is None else self._placed.content

    @Slot()
    def keep_place(self) -> None:
        """Keep where the document is looked at, and how."""
        if not self._content():
            return  # what was removed leaves no trace
        left = self._side.left_at(self._left())
        if self._wants_table is not None:
            left = replace(left, as_table=self._wants_table)
        self._reader.places.keep(self._content(), left)

    def hideEvent(self, event: QHideEvent) -> None:  # noqa: N802 - Qt's
        """Keep the place: the window may be closed, or made anew."""
        super().hideEvent(event)
        self.keep_place()

    def _show_side(self) -> None:
        """Show tables where the document is one, or an answer comes from them; else pages, text."""
        placed = self._placed
        if placed is None:
            return
        as_pages = placed.opened.is_paged and placed.file_state in _AS_READ
        has_tables = placed.tables is not TableShare.NONE
        is_table = self._wants_table
        if is_table is None:
            is_asked = bool(placed.opened.used) and not as_pages
            is_table = placed.tables is TableShare.SHEETS or is_asked
        is_table = is_table and has_tables
        self.bar.show_shapes(has_tables=has_tables, is_table=is_table, has_pages=as_pages)
        if is_table:
            self._use(self._tables, paged=False)
            self._tables.open(placed.opened, self._left())
        elif as_pages:
            self._show_pages()
        else:
            self._show_text()

    @Slot(object)
    def _choose_shape(self, is_table: bool) -> None:  # noqa: FBT001 - a signal's value
        """Show the document as a table, or as what else it is."""
        self.keep_place()
        self._wants_table = is_table
        self.finder.forget()
        self._show_side()
        self._tell_document()

    @Slot()
    def _show_no_table(self) -> None:
        """Show the document without tables: none could be read in it."""
        if self._placed is not None:
            self._placed = replace(self._placed, tables=TableShare.NONE)
            self._show_side()

    @Slot(object)
    def _want_only(self, path: str) -> None:
        self.only_wanted.emit(ScopeItem(path, self._kb))

    def _show_pages(self) -> None:
        if self.document is not None:
            self._use(self._pages, paged=True)
            self._pages.open(self.document, self._left())

    def _show_text(self) -> None:
        if self.document is not None:
            self._use(self._text, paged=False)
            self._text.open(self.document, self._length, self._left())

    def _use(self, side: DocumentPresenter, *, paged: bool) -> None:
        had_focus = self.finder.edit.hasFocus() or self.chunks.list.hasFocus()
        self._side = side
        self._stack.setCurrentWidget(side.widget)
        self.bar.set_paged(paged)
        in_text = self.document if side is self._text else None
        self.outline.follow(in_text, are_pages=paged)
        if self._takes_keyboard and not had_focus:
            side.widget.setFocus()

    def _forget(self) -> None:
        self.keep_place()
        self._keeping.stop()
        self._said, self._placed, self._wants_table = (), None, None
        self.bar.show_shapes(has_tables=False, is_table=False, has_pages=False)
        self.finder.forget()
        self.finder.hide()
        self.note.hide()
        self._pages.leave()
        self._text.leave()
        self._tables.leave()
        self.chunks.show_chunks(())
        self.outline.forget()
        self._reader.forget()

    def _say_standing(self, placed: LocatedDocument) -> None:
        mark = placed.opened.mark
        sentence = file_state_text(placed.file_state)
        if sentence:
            place = locator_text(mark) if mark is not None else ""
            self.note.say(fill(sentence, place), file_state_action(placed.file_state))
        else:
            self.note.hide()

    @Slot(object)
    def _show_trouble(self, trouble: ViewError) -> None:
        """Say why something can't be shown; where pages can't be, show the text."""
        if self.document is None:
            return
        self.note.say(
            join_sentences(translate_message(trouble.what), translate_message(trouble.remedy))
        )
        if self._side is self._pages and self._length:
            self._show_text()

    @Slot()
    def _next_mark(self) -> None:
        self._to_mark(1)

    @Slot()
    def _previous_mark(self) -> None:
        self._to_mark(-1)

    def _to_mark(self, by: int) -> None:
        if self._side is self._tables:
            self._tables.step_mark(by)
        elif self.document is not None and self.document.marks:
            at = (self.document.current + by) % len(self.document.marks)
            self.open(self.document.at(at))

    @Slot()
    def _next_found(self) -> None:
        self._step_or_mark(1)

    @Slot()
    def _previous_found(self) -> None:
        self._step_or_mark(-1)

    def _step_or_mark(self, by: int) -> None:
        """Go over what was searched for while that is shown, else over the marks."""
        if self.finder.isVisible() and self._side.found.places:
            self._side.step(by)
        else:
            self._to_mark(by)

    @Slot(object)
    def _search(self, words: str) -> None:
        self._side.find(words)

    @Slot(object)
    def _step(self, by: int) -> None:
        self._side.step(by)

    @Slot()
    def _tell_found(self) -> None:
        found = self._side.found
        self.finder.tell(found.index, len(found.places), done=found.done)

    @Slot()
    def _focus_document(self) -> None:
        self._side.widget.setFocus()

    @Slot(object)
    def _go_to_chunk(self, chunk: ListedChunk) -> None:
        """Mark a passage that was picked from the list, and go there."""
        if self.document is not None:
            self.open(replace(self.document, marks=(chunk.place,), current=0, used=()))

    @Slot()
    def _list_chunks(self) -> None:
        listed = self.bar.passages.isChecked()
        self.chunks.setVisible(listed)
        if not listed or self.document is None or self.document.document_id is None:
            return
        if self.chunks.model.rowCount():
            self._choose_chunk()
        else:
            self._reader.want_chunks(self.document)

    @Slot()
    def _choose_chunk(self) -> None:
        mark = self.document.mark if self.document is not None else None
        if mark is not None and mark.start is not None:
            self.chunks.choose(mark.start)

    @Slot()
    def leave(self) -> None:
        """Let go of the document and of what is marked in it."""
        self._forget()
        self.document = None
        self.bar.passages.setChecked(False)
        self.left.emit()

    @Slot()
    def _tell_place(self) -> None:
        """Say where one is."""
        self._keeping.start()
        if self._side is self._pages:
            self.bar.show_page(self.page_view.page, len(self.page_view.stack))
            self.bar.show_zoom(self.page_view.percent)
        elif self._side is self._tables:
            self.bar.show_place(self.table_view.place)
            self.bar.show_marks(*self._tables.marks)
        else:
            self.bar.show_place(self.text_view.percent)

    def _tell_document(self) -> None:
        if self.document is not None:
            self.bar.show_title(self.document.title, self.document.path, self._said)
            if self._side is not self._tables:
                self.bar.show_marks(self.document.current, len(self.document.marks))

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802 - Qt's
        """Put the passages beside the document where there is room."""
        super().resizeEvent(event)
        beside = event.size().width() >= _BESIDE
        way = Qt.Orientation.Horizontal if beside else Qt.Orientation.Vertical
        if self._split.orientation() != way:
            self._split.setOrientation(way)

    def _lay_out(self) -> None:
        self._stack.addWidget(self.page_view)
        self._stack.addWidget(self.text_view)
        self._stack.addWidget(self.table_view)
        self._split.setChildrenCollapsible(False)
        self._split.addWidget(self.outline.panel)
        self._split.addWidget(self._stack)
        self._split.addWidget(self.chunks)
        for at, share in enumerate((1, 3, 2)):
            self._split.setStretchFactor(at, share)
        self.chunks.hide()
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        for widget in (self.bar, self.finder, self.note):
            column.addWidget(widget)
        column.addWidget(self._split, 1)

    def _connect(self) -> None:
        self._reader.placed.connect(self._show)
        self._reader.failed.connect(self._show_trouble)
        self._reader.listed.connect(self.chunks.show_chunks)
        self._reader.listed.connect(self._choose_chunk)
        for side in (self._pages, self._text, self._tables):
            side.counted.connect(self._tell_found)
            side.shown.connect(self._tell_place)
        self._pages.failed.connect(self._show_trouble)
        self._tables.empty.connect(self._show_no_table)
        for view in (self.page_view, self.text_view, self.table_view):
            view.moved.connect(self._tell_place)
            view.asking.about.connect(self.ask_wanted)
            view.asking.note.connect(self._note)
        bar = self.bar
        self.outline.offered.connect(bar.show_outline)
        bar.serve(self.page_view)
        bar.external_asked.connect(self.external_asked)
        bar.folder_asked.connect(self.folder_asked)
        bar.as_table_asked.connect(self._choose_shape)
        bar.back.clicked.connect(self.leave)
        bar.search.clicked.connect(self.search)
        bar.passages.toggled.connect(self._list_chunks)
        bar.only_asked.connect(self._want_only)
        bar.previous_mark.clicked.connect(self._previous_mark)
        bar.next_mark.clicked.connect(self._next_mark)
        self.finder.searched.connect(self._search)
        self.finder.stepped.connect(self._step)
        self.finder.left.connect(self._focus_document)
        self.note.acted.connect(bar.ask_outside)
        self.chunks.picked.connect(self._go_to_chunk)

    def _set_keys(self) -> None:
        keys = {
            NEXT_MARK: self._next_mark,
            PREVIOUS_MARK: self._previous_mark,
            NEXT_FOUND: self._next_found,
            PREVIOUS_FOUND: self._previous_found,
        }
        for key, act in keys.items():
            shortcut = QShortcut(QKeySequence(key), self)
            shortcut.setContext(Qt.ShortcutContext.WidgetWithChildrenShortcut)
            shortcut.activated.connect(act)
