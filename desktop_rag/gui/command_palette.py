"""Ctrl+K: documents, conversations and commands, found by a few letters of their names."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from pathlib import PurePath

from PySide6.QtCore import (
    QCoreApplication,
    QModelIndex,
    QPersistentModelIndex,
    QSize,
    Qt,
    Signal,
    Slot,
)
from PySide6.QtGui import QKeyEvent, QPainter
from PySide6.QtWidgets import (
    QDialog,
    QLabel,
    QLineEdit,
    QListWidget,
    QListWidgetItem,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QVBoxLayout,
    QWidget,
)

from desktop_rag.core.catalog_records import Conversation, FileRow
from desktop_rag.core.sanitize import sanitize_name
from desktop_rag.gui.controllers.library_snapshot import is_ready
from desktop_rag.gui.controllers.path_search import PathSearch
from desktop_rag.gui.theme import Theme
from desktop_rag.gui.widgets.text_painting import elided_pair
from desktop_rag.gui.widgets.tooltips import tip

Index = QModelIndex | QPersistentModelIndex

_MOST = 40  # entries that are shown
_MOST_CONVERSATIONS = 5  # while nothing is typed
_WIDTH, _HEIGHT, _ROW = 560, 420, 32  # pixels
_KEYS = (Qt.Key.Key_Up, Qt.Key.Key_Down, Qt.Key.Key_PageUp, Qt.Key.Key_PageDown)


class EntryKind(StrEnum):
    """What an entry leads to."""

    COMMAND = "command"
    CONVERSATION = "conversation"
    DOCUMENT = "document"


@dataclass(frozen=True, slots=True)
class PaletteCommand:
    """Something the window can do: its name, its keys, and the doing."""

    name: str
    keys: str
    act: Callable[[], object]


@dataclass(frozen=True, slots=True)
class PaletteEntry:
    """A line of the list: what it is called, what is said behind that, and what it leads to.

    `target` is the number of a command, the number of a conversation, or the path of a document.
    """

    kind: EntryKind
    name: str
    detail: str
    target: int | str


class PaletteDelegate(QStyledItemDelegate):
    """Paints a name and, quietly behind it, where it leads."""

    def __init__(self, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        self._theme = theme

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        """Paint one line."""
        entry: PaletteEntry = index.data(Qt.ItemDataRole.UserRole)
        colors, box = self._theme.colors, option.rect.adjusted(10, 0, -10, 0)
        painter.save()
        if option.state & QStyle.StateFlag.State_Selected:
            painter.fillRect(option.rect, colors.of("soft"))
        name, detail = elided_pair(painter.fontMetrics(), entry.name, entry.detail, box.width())
        painter.setPen(colors.of("text"))
        painter.drawText(box, Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft, name)
        painter.setPen(colors.of("muted"))
        painter.drawText(box, Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignRight, detail)
        painter.restore()

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:  # noqa: N802
        """Return a line's size."""
        del index
        return QSize(option.rect.width(), max(_ROW, option.fontMetrics.height() + 12))


class CommandPalette(QDialog):
    """A field and what fits it; Enter, or a click, goes there. Open it with `open()`.

    `document_picked` carries a path, `conversation_picked` a conversation's number.
    """

    document_picked = Signal(str)
    conversation_picked = Signal(object)

    def __init__(
        self,
        theme: Theme,
        commands: Sequence[PaletteCommand],
        conversations: Sequence[Conversation],
        files: Sequence[FileRow],
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent, Qt.WindowType.FramelessWindowHint)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle(self.tr("Go to…"))
        self.setModal(True)
        self._commands = tuple(commands)
        self._fixed = [*_command_entries(commands), *_conversation_entries(conversations)]
        self._paths = PathSearch([row.path for row in files if is_ready(row)])
        self.field = QLineEdit()
        self.field.setPlaceholderText(self.tr("A document, a conversation, or what to do"))
        self.field.setAccessibleName(self.windowTitle())
        self.list = QListWidget()
        self.list.setObjectName("plain")
        self.list.setAccessibleName(self.tr("What fits"))
        self.list.setItemDelegate(PaletteDelegate(theme, self.list))
        self.list.setUniformItemSizes(True)
        self.list.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.nothing = QLabel(self.tr("Nothing is called so."))
        self.nothing.setObjectName("muted")
        column = QVBoxLayout(self)
        column.setContentsMargins(10, 10, 10, 10)
        for widget in (self.field, self.nothing, self.list):
            column.addWidget(widget)
        self.resize(_WIDTH, _HEIGHT)
        self.field.textChanged.connect(self._fill)
        self.field.returnPressed.connect(self._go)
        self.list.itemClicked.connect(self._go)
        self._fill()

    def keyPressEvent(self, event: QKeyEvent) -> None:  # noqa: N802 - Qt's
        """Let the arrows go through the list while the field is written in."""
        if event.key() in _KEYS:
            self.list.event(event)
            return
        super().keyPressEvent(event)

    @Slot()
    def _fill(self) -> None:
        words = self.field.text().casefold().split()
        self.list.clear()
        for number, entry in enumerate(self._fitting(words)):
            if number == _MOST:
                break
            item = QListWidgetItem(entry.name, self.list)
            item.setData(Qt.ItemDataRole.UserRole, entry)
            item.setToolTip(tip(str(entry.target)) if entry.kind is EntryKind.DOCUMENT else "")
        self.list.setCurrentRow(0)
        self.nothing.setVisible(not self.list.count())

    def _fitting(self, words: list[str]) -> Iterator[PaletteEntry]:
        """Yield what holds all words: commands and conversations, then documents."""
        if not words:
            yield from _first(self._fixed)
            return
        for entry in self._fixed:
            if all(word in entry.name.casefold() for word in words):
                yield entry
        for found in self._paths.holding(words):
            path = PurePath(found)
            folder = sanitize_name(path.parent.name)
            yield PaletteEntry(EntryKind.DOCUMENT, sanitize_name(path.name), folder, found)

    @Slot()
    def _go(self) -> None:
        if self.list.currentRow() < 0:
            return
        entry: PaletteEntry = self.list.currentItem().data(Qt.ItemDataRole.UserRole)
        self.accept()
        if isinstance(entry.target, str):
            self.document_picked.emit(entry.target)
        elif entry.kind is EntryKind.CONVERSATION:
            self.conversation_picked.emit(entry.target)
        else:
            self._commands[entry.target].act()


def _first(entries: Sequence[PaletteEntry]) -> Iterator[PaletteEntry]:
    """Yield all commands, and the last few conversations before them."""
    talks = [each for each in entries if each.kind is EntryKind.CONVERSATION]
    yield from talks[:_MOST_CONVERSATIONS]
    yield from (each for each in entries if each.kind is EntryKind.COMMAND)


def _command_entries(commands: Sequence[PaletteCommand]) -> Iterator[PaletteEntry]:
    for number, each in enumerate(commands):
        yield PaletteEntry(EntryKind.COMMAND, each.name, each.keys, number)


def _conversation_entries(conversations: Sequence[Conversation]) -> Iterator[PaletteEntry]:
    told = QCoreApplication.translate("CommandPalette", "Conversation")
    for each in conversations:
        yield PaletteEntry(EntryKind.CONVERSATION, sanitize_name(each.title), told, int(each.id))
