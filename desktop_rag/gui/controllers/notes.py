"""The user's notes: saved, read, edited, ordered, deleted with a way back, exported."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QTimer, Signal, Slot

from desktop_rag.core.cancel import CancelToken
from desktop_rag.core.note_records import Note, NoteId
from desktop_rag.core.requests import KbRequest, NoteRequest, RemoveRequest
from desktop_rag.gui.controllers import note_export, note_jobs
from desktop_rag.gui.controllers.conversations import UNDO_MS
from desktop_rag.gui.controllers.data_folder import DataFolder
from desktop_rag.gui.controllers.jobs import Job, Jobs, Lane, Operation, Work
from desktop_rag.gui.controllers.library_commands import CommandDone
from desktop_rag.gui.controllers.note_export import NoteExport
from desktop_rag.gui.controllers.note_jobs import OpenNote

if TYPE_CHECKING:
    from desktop_rag.catalog.notes import UserNotes

_SAVE_MS = 800


class NotesController(QObject):
    """Holds the list, the note that is looked at, and what may be undone.

    `listed` carries a tuple of `Note`, `opened` an `OpenNote` or None, `added` the `Note` that was
    saved, `undoable` how many deleted notes may be brought back, `exported` the file that was
    written, `complained` a `UserError`.
    """

    listed = Signal(object)
    opened = Signal(object)
    added = Signal(object)
    undoable = Signal(object)
    exported = Signal(object)
    complained = Signal(object)

    def __init__(self, jobs: Jobs, folder: DataFolder, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._jobs = jobs
        self._folder = folder
        self.rows: tuple[Note, ...] = ()
        self.shown: OpenNote | None = None
        self._wanted: NoteId | None = None
        self._away: tuple[NoteId, ...] = ()
        self._written: dict[NoteId, NoteRequest] = {}
        self._pending: dict[QObject, Work] = {}
        self._exports: list[NoteExport] = []
        self._listing: Job | None = None
        self._is_stale = self._is_wanted = False
        self._burying = _timer(self, UNDO_MS)
        self._burying.timeout.connect(self.bury)
        self._saving = _timer(self, _SAVE_MS)
        self._saving.timeout.connect(self.flush)

    @Slot()
    def refresh(self) -> None:
        """Read the list again; what is the same stays as it is."""
        self._is_wanted = True
        if self._listing is not None:
            self._is_stale = True
            return
        self._is_stale = False
        work = partial(note_jobs.list_notes, self._folder, self.rows)
        listing = Operation(work).on_end(self._end_listing).on_success(self._show)
        listing.on_user_error(self.complained)
        self._listing = listing.start(self._jobs, Lane.READ)

    @Slot(object)
    def heed(self, done: CommandDone) -> None:
        """Read again what may have lost quotes, or the name of its knowledge base."""
        if isinstance(done.decision, (RemoveRequest, KbRequest)):
            self.catch_up()

    @Slot()
    def catch_up(self) -> None:
        """Read again what a command may have changed: the list, and what is looked at.

        Nothing is read before somebody has looked at the notes.
        """
        if self._is_wanted:
            self.refresh()
        if self.shown is not None:
            self._read(self.shown.note.id)

    @Slot(object)
    def open(self, note_id: NoteId) -> None:
        """Look at a note."""
        self.flush()
        if note_id not in self._away:
            self._wanted = note_id
            self._read(note_id)

    def add(self, request: NoteRequest) -> None:
        """Save a note."""
        adding = Operation(partial(note_jobs.add, self._folder, request))
        adding.on_success(self._tell_added).on_user_error(self.complained)
        adding.start(self._jobs, Lane.READ)

    def write_new(self, request: NoteRequest) -> None:
        """Begin a note of the user's own, and look at it."""
        adding = Operation(partial(note_jobs.add, self._folder, request))
        adding.on_success(self._open_new).on_user_error(self.complained)
        adding.start(self._jobs, Lane.READ)

    def write(self, note_id: NoteId, title: str, text: str) -> None:
        """Keep what is typed in a note, soon."""
        self._written[note_id] = NoteRequest("edit", int(note_id), title, text)
        self._saving.start()

    @Slot()
    def flush(self) -> None:
        """Keep now what waits."""
        self._saving.stop()
        written, self._written = self._written, {}
        for request in written.values():
            work = partial(note_jobs.edit, self._folder, request)
            self._start(work, self._show_edited)

    def move(self, note_id: NoteId, place: int) -> None:
        """Put a note at another place of the list."""
        self._change(lambda notes: notes.move(note_id, place))

    def delete(self, note_ids: Sequence[NoteId]) -> None:
        """Take notes out of sight; `undo` brings them back for a while."""
        gone = tuple(each for each in note_ids if each not in self._away)
        if not gone:
            return
        self.flush()
        if self.shown is not None and self.shown.note.id in gone:
            self._show_note(None)
        self._away += gone
        self._change(lambda notes: notes.put_away(gone))
        self._burying.start()
        self.undoable.emit(len(self._away))

    @property
    def deleted(self) -> int:
        """How many notes `undo` would bring back."""
        return len(self._away)

    @Slot()
    def undo(self) -> None:
        """Bring back what was deleted last, and look at it again."""
        if not self._away:
            return
        away = self._away
        self._change(lambda notes: notes.bring_back(away))
        self._forget_deleted()
        self.open(away[-1])

    @Slot()
    def bury(self) -> None:
        """Delete for good what may still be undone."""
        if self._away:
            gone = self._away
            work = partial(note_jobs.change, self._folder, lambda notes: notes.delete(*gone))
            Operation(work).on_user_error(self.complained).start(self._jobs, Lane.READ)
            self._forget_deleted()

    def export(self, export: NoteExport) -> None:
        """Write notes to a file, with what was typed in them until now."""
        self.flush()
        self._exports.append(export)
        waiting = Operation(partial(note_jobs.list_notes, self._folder, self.rows))
        waiting.on_success(self._export_now).on_user_error(self.complained)
        waiting.start(self._jobs, Lane.READ)  # behind what was typed

    def close(self) -> None:
        """Keep what was typed, and delete for good what was deleted: the last work of the lanes."""
        token = CancelToken()
        for work in list(self._pending.values()):
            work(token)
        for request in self._written.values():
            note_jobs.edit(self._folder, request, token)
        self._folder.get(token).catalog.notes.bury()

    @Slot()
    def _export_now(self) -> None:
        writing = Operation(partial(note_export.write, self._folder, self._exports.pop(0)))
        writing.on_success(self.exported).on_user_error(self.complained)
        writing.start(self._jobs, Lane.CARRY)

    def _read(self, note_id: NoteId) -> None:
        reading = Operation(partial(note_jobs.load, self._folder, note_id))
        reading.on_success(self._show_read).on_user_error(self._lose)
        reading.start(self._jobs, Lane.READ)

    @Slot(object)
    def _show_read(self, read: OpenNote) -> None:
        if read.note.id == self._wanted and read.note.id not in self._written:
            self._show_note(read)

    @Slot(object)
    def _show_edited(self, read: OpenNote) -> None:
        self.rows = tuple(read.note if each.id == read.note.id else each for each in self.rows)
        self.listed.emit(self.rows)
        self._show_read(read)

    @Slot(object)
    def _lose(self, error: Exception) -> None:
        """Show no note any more: somebody else deleted it."""
        del error
        self._show_note(None)
        self.refresh()

    def _show_note(self, read: OpenNote | None) -> None:
        if read is None:
            self._wanted = None
        if read != self.shown:
            self.shown = read
            self.opened.emit(read)

    @Slot(object)
    def _tell_added(self, note: Note) -> None:
        self.added.emit(note)
        self.refresh()

    @Slot()
    def _end_listing(self) -> None:
        self._listing = None

    @Slot(object)
    def _show(self, rows: tuple[Note, ...]) -> None:
        if rows is not self.rows:
            self.rows = rows
            self.listed.emit(rows)
        if self._is_stale:
            self.refresh()

    @Slot(object)
    def _open_new(self, note: Note) -> None:
        self.refresh()
        self.open(note.id)

    def _forget_deleted(self) -> None:
        self._away = ()
        self._burying.stop()
        self.undoable.emit(0)

    def _change(self, how: Callable[[UserNotes], object]) -> None:
        """Do something in the catalog, and read the list after it."""
        self._start(partial(note_jobs.change, self._folder, how), self.refresh)

    def _start(self, work: Work, then: Callable[..., object]) -> None:
        """Begin work that is done at the end of the program where it had no turn before."""
        changing = Operation(work).on_end(self._forget_pending).on_success(then)
        job: Job = changing.on_user_error(self.complained).start(self._jobs, Lane.READ)
        self._pending[job] = work

    @Slot()
    def _forget_pending(self) -> None:
        self._pending.pop(self.sender(), None)


def _timer(parent: QObject, milliseconds: int) -> QTimer:
    timer = QTimer(parent)
    timer.setSingleShot(True)
    timer.setInterval(milliseconds)
    return timer
