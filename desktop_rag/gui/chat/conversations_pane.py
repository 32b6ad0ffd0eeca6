"""The left pane's conversations: undoing a deletion, a search over all, and the list."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QEvent, Qt, QTimer, Signal, Slot
from PySide6.QtGui import (
    QAction,
    QKeyEvent,
    QKeySequence,
)
from PySide6.QtWidgets import (
    QLabel,
    QLineEdit,
    QStackedWidget,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from desktop_rag.core.catalog_records import MAX_HITS, Conversation, MessageHit
from desktop_rag.gui.chat.conversation_hits import ConversationHitList
from desktop_rag.gui.chat.conversation_list import ConversationList
from desktop_rag.gui.chat.export_dialog import ExportDialog, export_labels
from desktop_rag.gui.controllers.conversation_export import ConversationExport
from desktop_rag.gui.controllers.conversation_groups import ConversationRow, conversations_of
from desktop_rag.gui.controllers.conversations import ConversationHits, ConversationsController
from desktop_rag.gui.controllers.transcript import Transcript
from desktop_rag.gui.theme import Theme
from desktop_rag.gui.widgets.undo_bar import UndoBar

_PAUSE_MS = 120  # after the last key, before everything is searched


class SearchField(QLineEdit):
    """Where words are typed; `left` is Esc, `down` goes on to what was found."""

    left = Signal()
    down = Signal()

    def event(self, event: QEvent) -> bool:
        """Keep Esc from the window, which would stop an answer by it."""
        if event.type() == QEvent.Type.ShortcutOverride and _is_escape(event):
            event.accept()
            return True
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:  # noqa: N802 - Qt's
        """Leave by Esc, go to the list by the arrow."""
        if event.key() == Qt.Key.Key_Escape:
            self.left.emit()
        elif event.key() == Qt.Key.Key_Down:
            self.down.emit()
        else:
            super().keyPressEvent(event)


class ConversationsPane(QWidget):
    """Shows a `ConversationsController`. `opened` says that a conversation was chosen."""

    opened = Signal()

    def __init__(
        self, theme: Theme, conversations: ConversationsController, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self._conversations = conversations
        self._exporting: tuple[int, ...] = ()
        self._shown_query = ""
        self._picking = False
        self.field = SearchField()
        self.list = ConversationList(theme)
        self.found = ConversationHitList(theme)
        self.undo_bar = UndoBar(theme)
        self.status = QLabel()
        self.empty = QLabel(self.tr("Your conversations are kept here, in the data folder."))
        self._typing = QTimer(self)
        self._typing.setSingleShot(True)
        self._typing.setInterval(_PAUSE_MS)
        self._pages = QStackedWidget()
        self._lay_out()
        self._connect()
        self._show(conversations.rows)
        self._offer_undo(conversations.deleted)

    @Slot()
    def go_to_search(self) -> None:
        """Let words be typed that are looked for in all conversations."""
        self.field.setFocus(Qt.FocusReason.ShortcutFocusReason)
        self.field.selectAll()

    @Slot(object)
    def export(self, chat_ids: tuple[int, ...]) -> None:
        """Ask for a file, and write conversations to it."""
        kept = {int(each.id): each for each in conversations_of(self._conversations.rows)}
        first = kept.get(chat_ids[0]) if chat_ids else None
        if first is None:
            return
        self._exporting = chat_ids
        title = first.title if len(chat_ids) == 1 else self.tr("Conversations")
        dialog = ExportDialog(title, self.window())
        dialog.settled.connect(self._export_to)
        dialog.open()

    @Slot(object)
    def _offer_undo(self, count: int) -> None:
        """Offer to bring so many conversations back."""
        several = self.tr("%n conversations deleted.", "", count)
        told = self.tr("Conversation deleted.") if count == 1 else several
        self.undo_bar.offer(told if count else "")

    @Slot(object)
    def _export_to(self, settled: tuple[Path, str]) -> None:
        path, form = settled
        self._conversations.export(ConversationExport(self._exporting, path, form, export_labels()))

    @Slot(object)
    def _show(self, rows: tuple[ConversationRow, ...]) -> None:
        """Show the list; where the last conversation went, the keyboard goes to its way back."""
        self.list.show_rows(rows)
        if not rows and self.list.hasFocus() and self.undo_bar.isVisible():
            self.undo_bar.button.setFocus()
        self.field.setVisible(bool(rows))
        if self.field.text().strip():
            self._search()  # what was found may be gone, or more of it be there
        self._turn_page()
        self._choose(self._conversations.chat.transcript)

    @Slot(object)
    def _choose(self, transcript: Transcript) -> None:
        self.list.choose(transcript.chat_id)

    @Slot(object)
    def _open(self, chat_id: int) -> None:
        self._conversations.open(chat_id)
        self.opened.emit()

    @Slot(object)
    def _go_to(self, said: MessageHit) -> None:
        self._conversations.open(int(said.chat_id), said.message_id)
        self.opened.emit()

    @Slot(object)
    def _rename(self, renamed: Conversation) -> None:
        self._conversations.rename(int(renamed.id), renamed.title)

    @Slot(object)
    def _pin(self, chat_ids: tuple[int, ...]) -> None:
        self._conversations.pin(chat_ids, pinned=True)

    @Slot(object)
    def _unpin(self, chat_ids: tuple[int, ...]) -> None:
        self._conversations.pin(chat_ids, pinned=False)

    @Slot()
    def _search(self) -> None:
        self._typing.stop()
        self._conversations.search(self.field.text())

    @Slot(object)
    def _show_found(self, found: ConversationHits | None) -> None:
        """Show what was found, or the list again; what is late for the field is not shown."""
        if found is not None and found.query != self.field.text():
            return
        places = found.places if found is not None else ()
        self.found.places.show_places(places)
        self.status.setText(self._told(len(places)))
        self._turn_page()
        self._shown_query = found.query if found is not None else ""
        picking, self._picking = self._picking, False
        if picking:
            self.found.pick(self.found.places.index(0))

    @Slot()
    def _turn_page(self) -> None:
        searching = bool(self.field.text().strip())
        self.status.setVisible(searching and bool(self.status.text()))
        if searching:
            self._pages.setCurrentWidget(self.found)
        else:
            has_rows = self.list.rows.rowCount() > 0
            self._pages.setCurrentWidget(self.list if has_rows else self.empty)

    @Slot()
    def _leave_search(self) -> None:
        self.field.clear()
        self._search()
        self.list.setFocus()

    @Slot()
    def _to_list(self) -> None:
        target = self._pages.currentWidget()
        if isinstance(target, ConversationHitList) and not target.currentIndex().isValid():
            target.setCurrentIndex(target.places.index(0))
        if target is not None:
            target.setFocus()

    @Slot()
    def _pick_first(self) -> None:
        """Go to the first place, on Enter: now, or when it is found."""
        if self._shown_query == self.field.text():
            self.found.pick(self.found.places.index(0))
        else:
            self._picking = True
            self._search()

    def _told(self, count: int) -> str:
        if not count:
            return self.tr("Nothing found.")
        if count >= MAX_HITS:
            return self.tr("The first %n places", "", count)
        return self.tr("1 place") if count == 1 else self.tr("%n places", "", count)

    def _connect(self) -> None:
        source, rows = self._conversations, self.list
        rows.opened.connect(self._open)
        rows.renamed.connect(self._rename)
        rows.pinned.connect(self._pin)
        rows.unpinned.connect(self._unpin)
        rows.deleted.connect(source.delete)
        rows.exported.connect(self.export)
        self.found.picked.connect(self._go_to)
        self.undo_bar.undone.connect(source.undo)
        self.undo_bar.dismissed.connect(source.bury)
        self._typing.timeout.connect(self._search)
        self.field.textChanged.connect(self._typing.start)
        self.field.returnPressed.connect(self._pick_first)
        self.field.left.connect(self._leave_search)
        self.field.down.connect(self._to_list)
        source.listed.connect(self._show)
        source.found.connect(self._show_found)
        source.undoable.connect(self._offer_undo)
        undo = QAction(self.tr("Undo"), self)
        undo.setShortcut(QKeySequence(QKeySequence.StandardKey.Undo))
        undo.setShortcutContext(Qt.ShortcutContext.WidgetWithChildrenShortcut)
        undo.triggered.connect(source.undo)
        self.addAction(undo)
        source.chat.transcript_changed.connect(self._choose)

    def _lay_out(self) -> None:
        self.field.setPlaceholderText(self.tr("Search all conversations"))
        self.field.setToolTip(self.tr("Search all conversations (Ctrl+Shift+F)"))
        self.field.setAccessibleName(self.tr("Search all conversations"))
        self.field.setClearButtonEnabled(True)
        for button in self.field.findChildren(QToolButton):
            button.setAccessibleName(self.tr("Clear the search"))
            button.setToolTip(self.tr("Clear the search (Esc)"))
        for label in (self.status, self.empty):
            label.setObjectName("muted")
            label.setWordWrap(True)
        self.status.setIndent(10)
        self.empty.setAlignment(Qt.AlignmentFlag.AlignTop)
        for page in (self.empty, self.list, self.found):
            self._pages.addWidget(page)
        column = QVBoxLayout(self)
        column.setContentsMargins(10, 6, 8, 10)
        column.setSpacing(6)
        column.addWidget(self.field)
        column.addWidget(self.status)
        column.addWidget(self._pages, 1)
        column.addWidget(self.undo_bar)


def _is_escape(event: QEvent) -> bool:
    return isinstance(event, QKeyEvent) and event.key() == Qt.Key.Key_Escape
