"""The page of notes: their list at the left, the one that is looked at beside it."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtGui import QAction, QKeySequence, QResizeEvent, QShowEvent
from PySide6.QtWidgets import (
    QHBoxLayout,
    QLabel,
    QPushButton,
    QSplitter,
    QStackedWidget,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from desktop_rag.core.errors import UserError
from desktop_rag.core.note_records import Note, NoteId
from desktop_rag.core.requests import NoteRequest
from desktop_rag.gui.chat.conversations_pane import SearchField
from desktop_rag.gui.chat.export_dialog import export_labels
from desktop_rag.gui.controllers.note_export import NoteExport
from desktop_rag.gui.controllers.note_jobs import OpenNote
from desktop_rag.gui.controllers.notes import NotesController
from desktop_rag.gui.message_translation import join_sentences, translate_message
from desktop_rag.gui.notes.note_list import NoteList
from desktop_rag.gui.notes.note_panel import NotePanel
from desktop_rag.gui.notes.note_text import found_in, shown_title
from desktop_rag.gui.theme import HEAD, Theme
from desktop_rag.gui.widgets.banner import Banner
from desktop_rag.gui.widgets.buttons import IconButton
from desktop_rag.gui.widgets.scroll_areas import PageScrollArea
from desktop_rag.gui.widgets.separator import separator
from desktop_rag.gui.widgets.undo_bar import UndoBar

_NARROWEST, _WIDE = 150, 260  # pixels that the list takes
_NARROW = 400  # pixels of the page in which there is no room for both
_SHARE = 0.3  # of the page that the list takes, where it is not moved
_WIDEST = 560  # pixels in which sentences are read well


class EmptyNotes(QWidget):
    """Says what notes are and how they come to be; `begun` asks for one of one's own."""

    begun = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        heading = QLabel(self.tr("Keep what you find"))
        heading.setObjectName("heading")
        told = QLabel(
            self.tr(
                "Notes hold answers, quotes and passages, with their sources: a click on a number "
                "opens the document at its place. They stay when a conversation is deleted.\n\n"
                "“Save as note” is under every answer, and in the menu of a source (right click), "
                "of text selected in an answer, and of text selected in a document."
            )
        )
        told.setObjectName("muted")
        told.setWordWrap(True)
        self.setObjectName("desk")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.begin = QPushButton(self.tr("Write a note"))
        self.begin.clicked.connect(self.begun)
        column = QVBoxLayout()
        column.setSpacing(12)
        column.addStretch(2)
        column.addWidget(heading)
        column.addWidget(told)
        column.addSpacing(4)
        column.addWidget(self.begin, 0, Qt.AlignmentFlag.AlignLeft)
        column.addStretch(3)
        inside = QWidget()
        inside.setObjectName("clear")
        inside.setMaximumWidth(_WIDEST)
        inside.setLayout(column)
        row = QHBoxLayout(self)
        row.setContentsMargins(32, 24, 32, 24)
        row.addStretch(1)
        row.addWidget(inside, 1000)
        row.addStretch(1)


class NotesPage(QWidget):
    """Shows a `NotesController`.

    `document_wanted` carries the `OpenDocument` of a citation, `web_asked` a web address.
    """

    document_wanted = Signal(object)
    web_asked = Signal(object)

    def __init__(self, theme: Theme, notes: NotesController, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("desk")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self._notes = notes
        self.kbs: tuple[str, ...] = ()
        self.new = IconButton(theme, "add", self.tr("Write a note"))
        self.export = IconButton(theme, "export", self.tr("Export all notes…"))
        self.field = SearchField()
        self.list = NoteList(theme)
        self.panel = NotePanel(theme)
        self.undo_bar = UndoBar(theme)
        self._complaint = Banner(theme, "complaint")
        self._said = Banner(theme, "banner")
        self._exporting: tuple[NoteId, ...] = ()
        self._is_divided = False
        self.empty = EmptyNotes()
        self._nothing = QLabel()
        self._found = QStackedWidget()
        self._beside = QStackedWidget()
        self._pages = QStackedWidget()
        self._split = QSplitter()
        self._side = QWidget()
        self._strips = QWidget()
        self._lay_out()
        self._connect()
        self._show(notes.rows)
        self._show_note(notes.shown)
        self._offer_undo(notes.deleted)

    def showEvent(self, event: QShowEvent) -> None:  # noqa: N802 - Qt's
        """Read the notes, and look at the first one where none is."""
        super().showEvent(event)
        self._notes.refresh()
        if self.panel.note is None and self._notes.rows:
            self._notes.open(self._notes.rows[0].id)
        (self.list if self._notes.rows else self.empty.begin).setFocus()

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802 - Qt's
        """Give the list its share, until the user gives it another; beside a document in a small
        window there is room for the note alone.
        """
        super().resizeEvent(event)
        width = event.size().width()
        self._side.setVisible(width >= _NARROW)
        if not self._is_divided:
            share = max(_NARROWEST, min(_WIDE, round(width * _SHARE)))
            self._split.setSizes([share, width - share])

    @Slot()
    def _keep_division(self) -> None:
        self._is_divided = True

    def complain(self, error: UserError) -> None:
        """Say what went wrong and what to do."""
        told = (translate_message(error.what), translate_message(error.remedy))
        self._complaint.say(join_sentences(*told))
        self._show_strips()

    def leave_editing(self) -> bool:
        """End the writing of a note; say whether one was being written."""
        was_editing = self.panel.is_editing
        self.panel.end_editing()
        return was_editing

    @Slot(object)
    def _show(self, rows: tuple[Note, ...]) -> None:
        is_searching = bool(self.field.text().strip())
        found = found_in(rows, self.field.text())
        self.list.show_notes(found, is_ordered=not is_searching)
        has_come = bool(rows) and self._pages.currentWidget() is not self._split
        self._pages.setCurrentWidget(self._split if rows else self._start)
        if has_come and self.isVisible():
            self.list.setFocus()
        self._found.setCurrentWidget(self.list if found else self._nothing)
        self.export.setVisible(bool(rows))
        if rows and self.isVisible() and self.panel.note is None:
            self._notes.open(rows[0].id)

    @Slot()
    def _search(self) -> None:
        self._show(self._notes.rows)

    @Slot()
    def _leave_search(self) -> None:
        self.field.clear()
        self.list.setFocus()

    @Slot()
    def _to_list(self) -> None:
        self.list.setFocus()

    @Slot(object)
    def _show_note(self, opened: OpenNote | None) -> None:
        if opened is None:
            self.panel.forget()
        else:
            self.panel.show_note(opened)
        self._beside.setCurrentIndex(int(opened is not None))
        self.list.choose(opened.note.id if opened is not None else None)

    @Slot()
    def _write_new(self) -> None:
        self.field.clear()
        self._notes.write_new(NoteRequest("add", kbs=self.kbs))

    @Slot(object)
    def _keep(self, typed: tuple[NoteId, str, str]) -> None:
        self._notes.write(*typed)

    @Slot(object)
    def _move(self, moved: tuple[NoteId, int]) -> None:
        self._notes.move(*moved)

    @Slot(object)
    def _delete(self, note_id: NoteId) -> None:
        self._notes.delete((note_id,))

    @Slot()
    def _delete_shown(self) -> None:
        self.list.delete_chosen()

    @Slot(object)
    def _export(self, note_id: NoteId) -> None:
        note = next((each for each in self._notes.rows if each.id == note_id), None)
        if note is not None:
            self._ask_for_file((note_id,), shown_title(note))

    @Slot()
    def _export_all(self) -> None:
        every = tuple(each.id for each in self._notes.rows)
        self._ask_for_file(every, self.tr("Notes"))

    def _ask_for_file(self, note_ids: tuple[NoteId, ...], title: str) -> None:
        """Ask for a file, and write notes to it."""
        from desktop_rag.gui.notes.note_export_dialog import NoteExportDialog

        self._exporting = note_ids
        dialog = NoteExportDialog(title, self.window())
        dialog.settled.connect(self._export_to)
        dialog.open()

    @Slot(object)
    def _export_to(self, settled: tuple[Path, str]) -> None:
        path, form = settled
        self._notes.export(NoteExport(self._exporting, path, form, export_labels()))

    @Slot(object)
    def _tell_exported(self, path: Path) -> None:
        self._said.say(self.tr("Exported to %1.").replace("%1", str(path)))
        self._show_strips()

    @Slot(object)
    def _offer_undo(self, count: int) -> None:
        """Offer to bring so many notes back."""
        several = self.tr("%n notes deleted.", "", count)
        told = self.tr("Note deleted.") if count == 1 else several
        self.undo_bar.offer(told if count else "")
        self._show_strips()

    @Slot()
    def _show_strips(self) -> None:
        """Take no room below where nothing is said."""
        said = (self._complaint, self._said, self.undo_bar)
        self._strips.setVisible(not all(each.isHidden() for each in said))

    def _connect(self) -> None:
        notes, panel = self._notes, self.panel
        self.new.clicked.connect(self._write_new)
        self.empty.begun.connect(self._write_new)
        self.export.clicked.connect(self._export_all)
        self.field.textChanged.connect(self._search)
        self.field.left.connect(self._leave_search)
        self.field.down.connect(self._to_list)
        self.list.opened.connect(notes.open)
        self.list.deleted.connect(self._delete)
        self.list.exported.connect(self._export)
        self.list.notes.moved.connect(self._move)
        panel.written.connect(self._keep)
        panel.finished.connect(notes.flush)
        panel.exported.connect(self._export)
        panel.deleted.connect(self._delete_shown)
        panel.document_wanted.connect(self.document_wanted)
        panel.web_asked.connect(self.web_asked)
        for strip in (self._complaint, self._said):
            strip.dismiss.clicked.connect(self._show_strips)
        notes.exported.connect(self._tell_exported)
        self.undo_bar.undone.connect(notes.undo)
        self.undo_bar.dismissed.connect(notes.bury)
        notes.listed.connect(self._show)
        notes.opened.connect(self._show_note)
        notes.undoable.connect(self._offer_undo)
        undo = QAction(self.tr("Undo"), self.list)
        undo.setShortcut(QKeySequence(QKeySequence.StandardKey.Undo))
        undo.setShortcutContext(Qt.ShortcutContext.WidgetShortcut)
        undo.triggered.connect(notes.undo)
        self.list.addAction(undo)

    def _lay_out(self) -> None:
        heading = QLabel(self.tr("Notes"))
        heading.setObjectName("heading")
        heading.setMinimumHeight(HEAD)
        top = QHBoxLayout()
        top.setContentsMargins(20, 0, 12, 0)
        top.addWidget(heading)
        top.addStretch(1)
        top.addWidget(self.export)
        top.addWidget(self.new)
        self._dress_search()
        self._lay_out_side()
        self._start = PageScrollArea(self.empty)
        self._split.addWidget(self._side)
        self._split.addWidget(self._beside)
        self._split.setChildrenCollapsible(False)
        self._split.setStretchFactor(1, 1)
        self._split.splitterMoved.connect(self._keep_division)
        self._pages.addWidget(self._start)
        self._pages.addWidget(self._split)
        strips = QVBoxLayout(self._strips)
        strips.setContentsMargins(10, 4, 10, 8)
        strips.setSpacing(6)
        strips.addWidget(self._complaint)
        strips.addWidget(self._said)
        strips.addWidget(self.undo_bar)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addLayout(top)
        column.addWidget(separator())
        column.addWidget(self._pages, 1)
        column.addWidget(self._strips)

    def _lay_out_side(self) -> None:
        """Put the list under its search, and make the place beside it."""
        self._nothing.setText(self.tr("Nothing found."))
        for label in (self._nothing, choose := QLabel(self.tr("Choose a note."))):
            label.setObjectName("muted")
            label.setAlignment(Qt.AlignmentFlag.AlignTop | Qt.AlignmentFlag.AlignHCenter)
            label.setContentsMargins(10, 10, 10, 10)
        self._beside.addWidget(choose)
        self._beside.addWidget(self.panel)
        self._found.addWidget(self.list)
        self._found.addWidget(self._nothing)
        self._side.setMinimumWidth(_NARROWEST)
        column = QVBoxLayout(self._side)
        column.setContentsMargins(8, 8, 6, 4)
        column.setSpacing(6)
        column.addWidget(self.field)
        column.addWidget(self._found, 1)

    def _dress_search(self) -> None:
        self.field.setPlaceholderText(self.tr("Search notes"))
        self.field.setAccessibleName(self.tr("Search notes"))
        self.field.setClearButtonEnabled(True)
        for button in self.field.findChildren(QToolButton):
            button.setAccessibleName(self.tr("Clear the search"))
            button.setToolTip(self.tr("Clear the search (Esc)"))
