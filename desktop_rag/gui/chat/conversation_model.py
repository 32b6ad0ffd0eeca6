"""The list of conversations as Qt sees it: rows under headings, a title that can be changed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import date
from enum import IntEnum
from typing import Any

from PySide6.QtCore import (
    QCoreApplication,
    QDate,
    QDateTime,
    QLocale,
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    QStringListModel,
    Qt,
    Signal,
    Slot,
)

from desktop_rag.core.catalog_records import Conversation
from desktop_rag.gui.controllers.conversation_groups import ConversationRow, GroupHeading, Period
from desktop_rag.gui.widgets.tooltips import tip

Index = QModelIndex | QPersistentModelIndex

_WEEK = 6  # days back to which a weekday says more than a date


class ConversationRole(IntEnum):
    """`ROW` is a `ConversationRow`, `WHEN` when a conversation was last gone on with."""

    ROW = Qt.ItemDataRole.UserRole + 1
    WHEN = Qt.ItemDataRole.UserRole + 2


class ConversationsModel(QStringListModel):
    """The rows of the list. `renamed` carries a `Conversation` with the title that was typed.

    Qt's list of texts keeps only their number: a view asks that once a row whenever it lays itself
    out, and 10,000 calls of Python would take it 30 ms.
    """

    renamed = Signal(object)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._rows: list[ConversationRow] = []
        self._coming: Sequence[ConversationRow] = ()
        self.rowsInserted.connect(self._put)  # before any view is told of it
        self.rowsRemoved.connect(self._drop)

    def show_rows(self, rows: Sequence[ConversationRow]) -> None:
        """Show these; what stays in its place keeps its selection."""
        shown = self._rows
        shorter = min(len(shown), len(rows))
        first = next((n for n in range(shorter) if shown[n] != rows[n]), shorter)
        room = shorter - first
        last = next((n for n in range(room) if shown[-1 - n] != rows[-1 - n]), room)
        self._replace(first, len(shown) - last, rows[first : len(rows) - last])

    def conversation(self, row: int) -> Conversation | None:
        """Return a row's conversation, None for a heading."""
        found = self._rows[row] if 0 <= row < len(self._rows) else None
        return found if isinstance(found, Conversation) else None

    def row_of(self, chat_id: int | None) -> int:
        """Return a conversation's row, -1 where it is not shown."""
        for number, row in enumerate(self._rows):
            if isinstance(row, Conversation) and row.id == chat_id:
                return number
        return -1

    def flags(self, index: Index) -> Qt.ItemFlag:
        """Let conversations be chosen and renamed, headings neither."""
        if self.conversation(index.row()) is None:
            return Qt.ItemFlag.NoItemFlags
        flags = Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsSelectable
        return flags | Qt.ItemFlag.ItemIsEditable | Qt.ItemFlag.ItemNeverHasChildren

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        """Return a title or a heading's words, or what `ConversationRole` says."""
        if not 0 <= index.row() < len(self._rows):
            return None
        row = self._rows[index.row()]
        if role == ConversationRole.ROW:
            return row
        if isinstance(row, GroupHeading):
            return heading_text(row) if role == Qt.ItemDataRole.DisplayRole else None
        if role in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.EditRole):
            return row.title
        if role == Qt.ItemDataRole.ToolTipRole:
            return tip(row.title, _in_full(row.changed))
        if role == ConversationRole.WHEN:
            return when(row.changed)
        return None

    def setData(  # noqa: N802 - Qt's
        self, index: Index, value: Any, role: int = Qt.ItemDataRole.EditRole
    ) -> bool:
        """Take a new title; a blank one is none."""
        row = self.conversation(index.row())
        title = " ".join(str(value).split())
        if role != Qt.ItemDataRole.EditRole or row is None or not title or title == row.title:
            return False
        self._rows[index.row()] = renamed = replace(row, title=title)
        self.dataChanged.emit(index, index)
        self.renamed.emit(renamed)
        return True

    def _replace(self, first: int, end: int, rows: Sequence[ConversationRow]) -> None:
        if end > first:
            self.removeRows(first, end - first)
        if rows:
            self._coming = rows
            self.insertRows(first, len(rows))

    @Slot(QModelIndex, int, int)
    def _drop(self, _parent: QModelIndex, first: int, last: int) -> None:
        del self._rows[first : last + 1]

    @Slot(QModelIndex, int, int)
    def _put(self, _parent: QModelIndex, first: int, _last: int) -> None:
        self._rows[first:first] = self._coming


def heading_text(heading: GroupHeading) -> str:
    """Return how a part of the list is called."""
    if heading.month is not None:
        return _month(heading.month)
    return {
        Period.PINNED: QCoreApplication.translate("Conversations", "Pinned"),
        Period.TODAY: QCoreApplication.translate("Conversations", "Today"),
        Period.YESTERDAY: QCoreApplication.translate("Conversations", "Yesterday"),
        Period.WEEK: QCoreApplication.translate("Conversations", "Last 7 days"),
    }[heading.period]


def when(seconds: float) -> str:
    """Return a time as people say it: the hour of today or yesterday, the weekday, the day."""
    moment = QDateTime.fromSecsSinceEpoch(int(seconds))
    locale, short = QLocale(), QLocale.FormatType.ShortFormat
    days = moment.date().daysTo(QDate.currentDate())
    if days <= 1:
        return locale.toString(moment.time(), short)
    if days <= _WEEK:
        return locale.dayName(moment.date().dayOfWeek(), short)
    return locale.toString(
        moment.date(), QCoreApplication.translate("Conversations", "d MMM", "a day, without year")
    )


def _month(first: date) -> str:
    form = QCoreApplication.translate("Conversations", "MMMM yyyy", "a month and its year")
    return QLocale().toString(QDate(first.year, first.month, 1), form)


def _in_full(seconds: float) -> str:
    moment = QDateTime.fromSecsSinceEpoch(int(seconds))
    return QLocale().toString(moment, QLocale.FormatType.LongFormat)
