"""One note: its title, what it is, and its text as an answer is shown, or as it is written."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QMimeData, Qt, Signal, Slot
from PySide6.QtGui import QKeyEvent, QResizeEvent
from PySide6.QtWidgets import (
    QHBoxLayout,
    QLineEdit,
    QPlainTextEdit,
    QPushButton,
    QStackedWidget,
    QVBoxLayout,
    QWidget,
)

from desktop_rag.core.note_records import NoteKind
from desktop_rag.gui.chat.answer_view import AnswerView
from desktop_rag.gui.chat.transcript_view import CitationClick
from desktop_rag.gui.chat.virtual_transcript import side_of
from desktop_rag.gui.controllers.note_jobs import OpenNote
from desktop_rag.gui.controllers.open_document import document_of_citation, document_of_passage
from desktop_rag.gui.notes import note_text
from desktop_rag.gui.theme import READING, Theme, scaled
from desktop_rag.gui.widgets.buttons import IconButton
from desktop_rag.gui.widgets.elided_label import ElidedLabel
from desktop_rag.gui.widgets.separator import separator

_INSIDE = 9  # pixels between a field's edge and its text
_ABOVE = 12  # pixels above a text that is written


class NoteView(AnswerView):
    """A note as an answer is shown, with room beside it."""

    least_side = 16


class NoteEdit(QPlainTextEdit):
    """Where a note is written, as Markdown; `left` is Esc."""

    left = Signal()

    def event(self, event: QEvent) -> bool:
        """Keep Esc from the window, which would leave the page by it."""
        if event.type() == QEvent.Type.ShortcutOverride and _is_escape(event):
            event.accept()
            return True
        return super().event(event)

    def canInsertFromMimeData(self, source: QMimeData) -> bool:  # noqa: N802 - Qt's
        """Take no files: what is dropped goes to the window, which adds it."""
        has_files = any(url.isLocalFile() for url in source.urls())
        return not has_files and super().canInsertFromMimeData(source)

    def set_side(self, side: int) -> None:
        """Leave so much room beside the text."""
        inside = round(self.document().documentMargin())
        self.setViewportMargins(side - inside, _ABOVE, side - inside, 0)

    def keyPressEvent(self, event: QKeyEvent) -> None:  # noqa: N802 - Qt's
        """Leave by Esc."""
        if event.key() == Qt.Key.Key_Escape:
            self.left.emit()
        else:
            super().keyPressEvent(event)


class NotePanel(QWidget):
    """Shows an `OpenNote`. `written` carries its id, its title and its text as they are typed.

    `document_wanted` carries the `OpenDocument` of a citation that was clicked, `web_asked` a web
    address, `exported` and `deleted` the note's id; `finished` says that nothing more is typed.
    """

    written = Signal(object)
    finished = Signal()
    document_wanted = Signal(object)
    web_asked = Signal(object)
    exported = Signal(object)
    deleted = Signal(object)

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._opened: OpenNote | None = None
        self._is_filling = False
        self.title = QLineEdit()
        self.title.setObjectName("note_title")
        self.title.setPlaceholderText(self.tr("Untitled"))
        self.title.setAccessibleName(self.tr("Title of the note"))
        self._details = ElidedLabel(Qt.TextElideMode.ElideRight)
        self._details.setObjectName("muted")
        self.edit_button = QPushButton()
        self.edit_button.setObjectName("quiet")
        self.export = IconButton(theme, "export", self.tr("Export this note…"))
        self.delete = IconButton(theme, "remove", self.tr("Delete this note"))
        self.view = NoteView(theme)
        self.view.setAccessibleName(self.tr("Note"))
        self.edit = NoteEdit()
        self.edit.setObjectName("note_edit")
        self.edit.setAccessibleName(self.tr("Text of the note, as Markdown"))
        self.edit.setPlaceholderText(self.tr("Write here. [1] stands for the first source."))
        self.edit.setTabChangesFocus(True)
        self.edit.setFont(scaled(self.edit.font(), READING))
        self._pages = QStackedWidget()
        self._head, self._below = QHBoxLayout(), QHBoxLayout()
        self._lay_out()
        self._connect()
        self._tell_mode()

    @property
    def note(self) -> OpenNote | None:
        """The note that is shown."""
        return self._opened

    @property
    def is_editing(self) -> bool:
        """Whether the text is being written."""
        return self._pages.currentWidget() is self.edit

    def show_note(self, opened: OpenNote) -> None:
        """Show a note; of the one that is being written only what stands around its text."""
        before, self._opened = self._opened, opened
        is_other = before is None or before.note.id != opened.note.id
        self._is_filling = True
        if is_other:
            self._pages.setCurrentWidget(self.view)
        if not self.title.hasFocus() or is_other:
            self.title.setText(note_text.shown_title(opened.note) if opened.note.title else "")
            self.title.setCursorPosition(0)
        if not self.is_editing:
            self.edit.setPlainText(opened.note.text)
        self._is_filling = False
        self._details.set_text(note_text.details(opened.note))
        self.view.show_transcript(opened.transcript)
        if is_other and opened.note.kind is NoteKind.OWN and not opened.note.text:
            self.begin_editing()
        self._tell_mode()

    def forget(self) -> None:
        """Show no note any more."""
        self._opened = None
        self._pages.setCurrentWidget(self.view)
        self._tell_mode()

    @Slot()
    def begin_editing(self) -> None:
        """Let the text be written."""
        self._pages.setCurrentWidget(self.edit)
        self._tell_mode()
        self.edit.setFocus()

    @Slot()
    def end_editing(self) -> None:
        """Show what was written."""
        if self.is_editing:
            self._pages.setCurrentWidget(self.view)
            self._tell_mode()
            self.finished.emit()
            self.edit_button.setFocus()

    @Slot()
    def _toggle(self) -> None:
        if self.is_editing:
            self.end_editing()
        else:
            self.begin_editing()

    def _tell_mode(self) -> None:
        self.edit_button.setText(self.tr("Done") if self.is_editing else self.tr("Edit"))

    @Slot()
    def _type(self) -> None:
        if self._opened is not None and not self._is_filling:
            note = self._opened.note
            self.written.emit((note.id, self._typed_title(), self.edit.toPlainText()))

    def _typed_title(self) -> str:
        """Return the title; as it was kept where it is only shown in another language."""
        note = self._opened.note if self._opened is not None else None
        typed = self.title.text()
        if note is not None and typed == note_text.shown_title(note):
            return note.title
        return typed

    @Slot(object)
    def _cite(self, pointed: CitationClick) -> None:
        """Ask for the document of a citation: at its quote, else at what matched."""
        if self._opened is None:
            return
        turn = self._opened.turn
        source = turn.sources[pointed.n - 1]
        if not source.path:  # what stands in place of a removed one has no document
            return
        places = [each.locator for each in turn.citations if each.n == pointed.n]
        matched = source.place_of(*source.match)
        opened = (
            document_of_citation(turn, source, places[0])
            if places
            else document_of_passage(source, matched)
        )
        self.document_wanted.emit(opened)

    @Slot()
    def _export(self) -> None:
        if self._opened is not None:
            self.exported.emit(self._opened.note.id)

    @Slot()
    def _delete(self) -> None:
        if self._opened is not None:
            self.deleted.emit(self._opened.note.id)

    def _connect(self) -> None:
        self.edit_button.clicked.connect(self._toggle)
        self.export.clicked.connect(self._export)
        self.delete.clicked.connect(self._delete)
        self.title.textEdited.connect(self._type)
        self.title.editingFinished.connect(self.finished)
        self.edit.textChanged.connect(self._type)
        self.edit.left.connect(self.end_editing)
        self.view.cited.connect(self._cite)
        self.view.web_asked.connect(self.web_asked)

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802 - Qt's
        """Let title and text begin where the text of the note does when it is shown."""
        super().resizeEvent(event)
        bar = self.view.verticalScrollBar().sizeHint().width()
        side = side_of(event.size().width() - bar, self.view.least_side)
        self._head.setContentsMargins(side - _INSIDE, 8, side + bar - _INSIDE, 0)
        self._below.setContentsMargins(side, 0, side + bar - _INSIDE, 4)
        self.edit.set_side(side)

    def _lay_out(self) -> None:
        self._head.addWidget(self.title, 1)
        self._below.setSpacing(2)
        self._below.addWidget(self._details, 1)
        self._below.addWidget(self.edit_button)
        self._below.addWidget(self.export)
        self._below.addWidget(self.delete)
        self._pages.addWidget(self.view)
        self._pages.addWidget(self.edit)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addLayout(self._head)
        column.addLayout(self._below)
        column.addWidget(separator())
        column.addWidget(self._pages, 1)


def _is_escape(event: QEvent) -> bool:
    return isinstance(event, QKeyEvent) and event.key() == Qt.Key.Key_Escape
