"""The view of the conversations: opens, renames in place, pins, deletes, exports."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from PySide6.QtCore import (
    QItemSelectionModel,
    QModelIndex,
    QPoint,
    Qt,
    Signal,
    Slot,
)
from PySide6.QtGui import QAction, QKeySequence, QMouseEvent
from PySide6.QtWidgets import QAbstractItemView, QListView, QMenu, QWidget

from desktop_rag.core.catalog_records import Conversation
from desktop_rag.gui.chat.conversation_delegate import ConversationDelegate
from desktop_rag.gui.chat.conversation_model import ConversationsModel
from desktop_rag.gui.controllers.conversation_groups import ConversationRow
from desktop_rag.gui.theme import Theme


class ConversationList(QListView):
    """Says what is wanted of the chosen conversations.

    `opened` carries an id, `renamed` a `Conversation` with its new title; `pinned`, `unpinned`,
    `deleted` and `exported` carry a tuple of ids.
    """

    opened = Signal(object)
    renamed = Signal(object)
    pinned = Signal(object)
    unpinned = Signal(object)
    deleted = Signal(object)
    exported = Signal(object)

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.rows = ConversationsModel(self)
        self._waiting: Sequence[ConversationRow] | None = None
        self._shown: int | None = None
        self._deleted_at: int | None = None
        self._delegate = ConversationDelegate(theme, self)
        self.setModel(self.rows)
        self.setItemDelegate(self._delegate)
        self.setUniformItemSizes(True)
        self.setMouseTracking(True)
        self.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setAccessibleName(self.tr("Conversations"))
        self._make_actions()
        self.clicked.connect(self._open)
        self.activated.connect(self._open)
        self.customContextMenuRequested.connect(self._menu)
        self.rows.renamed.connect(self.renamed)
        self._delegate.closeEditor.connect(self._catch_up)
        theme.changed.connect(self.viewport().update)

    def show_rows(self, rows: Sequence[ConversationRow]) -> None:
        """Show these; while a title is being changed they wait."""
        if self.state() == QAbstractItemView.State.EditingState:
            self._waiting = rows
            return
        before = self.rows.rowCount()
        self.rows.show_rows(rows)
        if self._deleted_at is not None and self.rows.rowCount() < before:
            near = self.rows.index(min(self._deleted_at, self.rows.rowCount() - 1))
            self.selectionModel().setCurrentIndex(near, QItemSelectionModel.SelectionFlag.NoUpdate)
            self._deleted_at = None

    def choose(self, chat_id: int | None) -> None:
        """Mark one conversation as the one that is shown; what is chosen beside it stays so."""
        is_other, self._shown = chat_id != self._shown, chat_id
        row = self.rows.row_of(chat_id)
        if is_other and row < 0:
            self.clearSelection()
        elif row >= 0 and (is_other or not self.selectionModel().hasSelection()):
            self.setCurrentIndex(self.rows.index(row))

    def chosen(self) -> tuple[Conversation, ...]:
        """Return the chosen conversations, in their order."""
        rows = sorted(index.row() for index in self.selectedIndexes())
        found = (self.rows.conversation(row) for row in rows)
        return tuple(each for each in found if each is not None)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:  # noqa: N802 - Qt's
        """Open a row's menu at its button, else do as lists do."""
        at = event.position().toPoint()
        index = self.indexAt(at)
        is_left = event.button() == Qt.MouseButton.LeftButton
        more = self._delegate.more_rect(self.visualRect(index)).adjusted(-6, -6, 6, 6)
        if is_left and index.isValid() and more.contains(at):
            event.accept()
            self.setState(QAbstractItemView.State.NoState)
            self._menu(at)
            return
        super().mouseReleaseEvent(event)

    @Slot(QModelIndex)
    def _open(self, index: QModelIndex) -> None:
        """Open a row; while several are being chosen, none."""
        row = self.rows.conversation(index.row())
        if row is not None and len(self.selectedIndexes()) <= 1:
            self.opened.emit(int(row.id))

    @Slot(QPoint)
    def _menu(self, at: QPoint) -> None:
        chosen = self.chosen()
        if not chosen:
            return
        self._rename.setEnabled(len(chosen) == 1)
        self._pin.setVisible(not all(each.pinned for each in chosen))
        self._unpin.setVisible(any(each.pinned for each in chosen))
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        menu.addActions([self._rename, self._pin, self._unpin, self._export])
        menu.addSeparator()
        menu.addAction(self._delete)
        menu.popup(self.viewport().mapToGlobal(at))

    @Slot()
    def rename_chosen(self) -> None:
        """Change the title of the chosen conversation in its row."""
        if len(self.chosen()) == 1:
            self.edit(self.selectedIndexes()[0])

    @Slot()
    def delete_chosen(self) -> None:
        """Delete what is chosen; the keyboard stays where that was."""
        self._deleted_at = min((index.row() for index in self.selectedIndexes()), default=None)
        self._tell(self.deleted)

    @Slot()
    def _pin_chosen(self) -> None:
        self._tell(self.pinned)

    @Slot()
    def _unpin_chosen(self) -> None:
        self._tell(self.unpinned)

    @Slot()
    def _export_chosen(self) -> None:
        self._tell(self.exported)

    def _tell(self, signal: object) -> None:
        ids = tuple(int(each.id) for each in self.chosen())
        if ids:
            signal.emit(ids)  # type: ignore[attr-defined] # a bound signal has no type of its own

    @Slot()
    def _catch_up(self) -> None:
        """Show what came while a title was being changed."""
        if self._waiting is not None:
            rows, self._waiting = self._waiting, None
            self.rows.show_rows(rows)  # the view itself is still in the state of editing

    def _make_actions(self) -> None:
        self._rename = self._action(self.tr("Rename"), self.rename_chosen, Qt.Key.Key_F2)
        self._pin = self._action(self.tr("Pin"), self._pin_chosen)
        self._unpin = self._action(self.tr("Unpin"), self._unpin_chosen)
        self._export = self._action(self.tr("Export…"), self._export_chosen)
        self._delete = self._action(
            self.tr("Delete"), self.delete_chosen, QKeySequence.StandardKey.Delete
        )

    def _action(
        self,
        text: str,
        act: Callable[[], None],
        key: Qt.Key | QKeySequence.StandardKey | None = None,
    ) -> QAction:
        action = QAction(text, self)
        if key is not None:
            action.setShortcut(QKeySequence(key))
        action.setShortcutContext(Qt.ShortcutContext.WidgetShortcut)
        action.triggered.connect(act)
        self.addAction(action)
        return action
