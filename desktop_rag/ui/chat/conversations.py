"""The kept conversations, newest first: open, rename, delete."""

from __future__ import annotations

from enum import IntEnum
from typing import Any

from PySide6.QtCore import (
    QAbstractListModel,
    QDate,
    QDateTime,
    QLocale,
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    QPoint,
    Qt,
    Signal,
    Slot,
)
from PySide6.QtGui import QAction, QKeySequence
from PySide6.QtWidgets import QInputDialog, QLabel, QListView, QMenu, QVBoxLayout, QWidget

from desktop_rag.app.chat import ChatController
from desktop_rag.app.transcript import Transcript
from desktop_rag.store.records import Conversation
from desktop_rag.ui.chat.conversation_delegate import ConversationDelegate
from desktop_rag.ui.theme import Theme

Index = QModelIndex | QPersistentModelIndex


class Role(IntEnum):
    """`CHAT` is a row's `Conversation`, `WHEN` when it was last changed."""

    CHAT = Qt.ItemDataRole.UserRole + 1
    WHEN = Qt.ItemDataRole.UserRole + 2


class ConversationsModel(QAbstractListModel):
    """The list of conversations."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._rows: tuple[Conversation, ...] = ()

    def show_conversations(self, rows: tuple[Conversation, ...]) -> None:
        """Show these."""
        if rows != self._rows:
            self.beginResetModel()
            self._rows = rows
            self.endResetModel()

    def row_of(self, chat_id: int | None) -> int:
        """Return a conversation's row, -1 where it is not shown."""
        return next((row for row, each in enumerate(self._rows) if each.id == chat_id), -1)

    def rowCount(self, parent: Index | None = None) -> int:  # noqa: N802 - Qt's
        """Return how many there are."""
        return 0 if parent is not None and parent.isValid() else len(self._rows)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        """Return a title, or what `Role` says."""
        if not index.isValid():
            return None
        row = self._rows[index.row()]
        if role in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.ToolTipRole):
            return row.title
        if role == Role.CHAT:
            return row
        if role == Role.WHEN:
            return when(row.changed)
        return None


class ConversationsPane(QWidget):
    """Shows the conversations of a `ChatController`. `opened` says that one was chosen."""

    opened = Signal()

    def __init__(self, theme: Theme, chat: ChatController, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._chat = chat
        self.model = ConversationsModel(self)
        self.list = QListView()
        self.list.setModel(self.model)
        self.list.setItemDelegate(ConversationDelegate(theme, self.list))
        self.list.setMouseTracking(True)
        self.list.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        self.list.setAccessibleName(self.tr("Conversations"))
        self._empty = QLabel(self.tr("Your conversations are kept here, on this computer only."))
        self._empty.setObjectName("muted")
        self._empty.setWordWrap(True)
        self._empty.setAlignment(Qt.AlignmentFlag.AlignTop)
        column = QVBoxLayout(self)
        column.setContentsMargins(10, 6, 8, 10)
        column.addWidget(self._empty, 1)
        column.addWidget(self.list, 1)
        self._make_actions()
        self.list.clicked.connect(self._open)
        self.list.activated.connect(self._open)
        self.list.customContextMenuRequested.connect(self._menu)
        chat.conversations_changed.connect(self._show)
        chat.transcript_changed.connect(self._select)
        self._show(())

    @Slot(object)
    def _show(self, rows: tuple[Conversation, ...]) -> None:
        self.model.show_conversations(rows)
        self._empty.setVisible(not rows)
        self.list.setVisible(bool(rows))
        self._select(self._chat.transcript)

    @Slot(object)
    def _select(self, transcript: Transcript) -> None:
        row = self.model.row_of(transcript.chat_id)
        index = self.model.index(row) if row >= 0 else QModelIndex()
        if self.list.currentIndex() != index:
            self.list.setCurrentIndex(index)

    @Slot(QModelIndex)
    def _open(self, index: QModelIndex) -> None:
        self._chat.open(index.data(Role.CHAT).id)
        self.opened.emit()

    @Slot()
    def _delete(self) -> None:
        index = self.list.currentIndex()
        if index.isValid():
            self._chat.delete(index.data(Role.CHAT).id)

    @Slot()
    def _rename(self) -> None:
        index = self.list.currentIndex()
        if not index.isValid():
            return
        dialog = QInputDialog(self)
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.setWindowTitle(self.tr("Rename conversation"))
        dialog.setLabelText(self.tr("Title:"))
        dialog.setTextValue(index.data(Role.CHAT).title)
        dialog.textValueSelected.connect(self._renamed)
        dialog.open()

    @Slot(str)
    def _renamed(self, title: str) -> None:
        index = self.list.currentIndex()
        if title.strip() and index.isValid():
            self._chat.rename(index.data(Role.CHAT).id, title.strip())

    @Slot(QPoint)
    def _menu(self, at: QPoint) -> None:
        if not self.list.indexAt(at).isValid():
            return
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        menu.addActions(self._actions)
        menu.popup(self.list.viewport().mapToGlobal(at))

    def _make_actions(self) -> None:
        renaming = QAction(self.tr("Rename …"), self)
        renaming.setShortcut(QKeySequence(Qt.Key.Key_F2))
        renaming.triggered.connect(self._rename)
        deleting = QAction(self.tr("Delete"), self)
        deleting.setShortcut(QKeySequence(QKeySequence.StandardKey.Delete))
        deleting.triggered.connect(self._delete)
        self._actions = [renaming, deleting]
        for action in self._actions:
            action.setShortcutContext(Qt.ShortcutContext.WidgetShortcut)
            self.list.addAction(action)


def when(seconds: float) -> str:
    """Return a time as people say it: the hour today, else the day."""
    moment = QDateTime.fromSecsSinceEpoch(int(seconds))
    locale, short = QLocale(), QLocale.FormatType.ShortFormat
    if moment.date() == QDate.currentDate():
        return locale.toString(moment.time(), short)
    return locale.toString(moment.date(), short)
