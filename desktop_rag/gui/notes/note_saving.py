"""Saves as notes what is wanted anywhere in the window, and says so with a way to the note."""

from __future__ import annotations

from dataclasses import replace

from PySide6.QtCore import QEvent, QObject, QTimer, Signal, Slot
from PySide6.QtWidgets import (
    QApplication,
    QFrame,
    QHBoxLayout,
    QLabel,
    QPushButton,
    QSizePolicy,
    QWidget,
)

from desktop_rag.core.note_records import Note
from desktop_rag.core.requests import NoteRequest
from desktop_rag.gui.controllers.app_context import AppContext
from desktop_rag.gui.theme import HEAD, Theme
from desktop_rag.gui.widgets.announcements import announce
from desktop_rag.gui.widgets.buttons import IconButton

_SHOWN_MS = 7000
_WIDEST, _EDGE = 380, 12


class SavedNotice(QFrame):
    """Lies over the head of a pane for a few seconds; `opened` asks to see the note."""

    opened = Signal()

    def __init__(self, theme: Theme, over: QWidget) -> None:
        super().__init__(over)
        self._over = over
        self.setObjectName("card")
        self._text = QLabel(self.tr("Saved as a note."))
        self._text.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        self.open = QPushButton(self.tr("Open the note"))
        self.open.setObjectName("quiet")
        dismiss = IconButton(theme, "close", self.tr("Dismiss"))
        row = QHBoxLayout(self)
        row.setContentsMargins(12, 2, 4, 2)
        row.addWidget(self._text, 1)
        row.addWidget(self.open)
        row.addWidget(dismiss)
        self._ending = QTimer(self)
        self._ending.setSingleShot(True)
        self._ending.setInterval(_SHOWN_MS)
        self._ending.timeout.connect(self._end)
        self.open.clicked.connect(self.opened)
        self.open.clicked.connect(self.hide)
        dismiss.clicked.connect(self.hide)
        over.installEventFilter(self)
        self.hide()

    def tell(self) -> None:
        """Say that something was saved."""
        self._place()
        self.show()
        self.raise_()
        self._ending.start()
        announce(self, self._text.text())

    @Slot()
    def _end(self) -> None:
        """Go, but not from under the mouse or the keyboard."""
        focus = QApplication.focusWidget()
        if self.underMouse() or (focus is not None and self.isAncestorOf(focus)):
            self._ending.start()
        else:
            self.hide()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:  # noqa: N802 - Qt's
        """Stay in the middle."""
        if event.type() == QEvent.Type.Resize and self.isVisible():
            self._place()
        return super().eventFilter(watched, event)

    def _place(self) -> None:
        room = self._over.width()
        width = min(_WIDEST, room - 2 * _EDGE)
        height = self.sizeHint().height()
        self.setGeometry((room - width) // 2, max(0, (HEAD - height) // 2), width, height)


class NoteSaving(QObject):
    """Takes `NoteRequest`s of the panes; `open_wanted` asks for the page of notes."""

    open_wanted = Signal()

    def __init__(self, theme: Theme, context: AppContext, over: QWidget) -> None:
        super().__init__(over)
        self._context = context
        self._saved: Note | None = None
        self.notice = SavedNotice(theme, over)
        self.notice.opened.connect(self._open)
        context.notes.added.connect(self._tell)

    @Slot(object)
    def save(self, request: NoteRequest) -> None:
        """Save what a pane wants saved, of the conversation and knowledge base that are shown."""
        if request.answer_id and not request.chat_id:
            request = replace(request, chat_id=self._context.chat.transcript.chat_id or 0)
        if not request.answer_id:
            request = replace(request, kbs=(self._context.library.snapshot.current,))
        self._context.notes.add(request)

    @Slot(object)
    def _tell(self, note: Note) -> None:
        self._saved = note
        self.notice.tell()

    @Slot()
    def _open(self) -> None:
        self.open_wanted.emit()
        if self._saved is not None:
            self._context.notes.open(self._saved.id)
