"""What `@` and some letters in the question offer: files, folders and knowledge bases."""

from __future__ import annotations

from PySide6.QtCore import (
    QEvent,
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    QPoint,
    QRect,
    Qt,
    Signal,
    Slot,
)
from PySide6.QtGui import QKeyEvent, QPainter, QTextCursor
from PySide6.QtWidgets import (
    QFrame,
    QListWidget,
    QListWidgetItem,
    QStyle,
    QStyleOptionViewItem,
    QVBoxLayout,
    QWidget,
)

from desktop_rag.core.language import scripts
from desktop_rag.core.sanitize import sanitize_name
from desktop_rag.gui.chat.question_edit import QuestionEdit
from desktop_rag.gui.chat.scope_chip import ICONS, item_name, kind_text
from desktop_rag.gui.command_palette import EntryKind, PaletteDelegate, PaletteEntry
from desktop_rag.gui.controllers.document_scope import ScopeItem, ScopeKind
from desktop_rag.gui.controllers.library_snapshot import LibrarySnapshot
from desktop_rag.gui.controllers.name_suggestions import NameSuggestions
from desktop_rag.gui.controllers.scope_names import folder_of
from desktop_rag.gui.display_text import fill, join_details, shown_name
from desktop_rag.gui.icons import icon
from desktop_rag.gui.theme import Theme
from desktop_rag.gui.widgets.announcements import announce
from desktop_rag.gui.widgets.tooltips import tip

Index = QModelIndex | QPersistentModelIndex

_MOST, _MOST_BASES = 40, 5  # names that are offered
_ROWS = 8  # that are seen at once
_WIDTH, _AROUND, _SIGN = 480, 5, 16  # pixels
_LONGEST = 60  # letters behind an @
_SIGNS = "@＠"
_OF_ADDRESSES = "._%+-"
_ITEM = Qt.ItemDataRole.UserRole + 1


def typed_name(before: str) -> str | None:
    """Return the @ and what stands behind it, up to the cursor; None where no name is begun.

    An @ behind a letter or a number is that of an address, unless the letter is one of a script
    that is written without spaces.
    """
    at = max(before.rfind(sign) for sign in _SIGNS)
    typed = before[at + 1 :]
    if at < 0 or not typed or typed[0].isspace() or len(typed) > _LONGEST:
        return None
    last = before[at - 1 : at]
    if last.isalnum() and scripts(last) != {"cjk"}:
        return None
    return None if last and last in _OF_ADDRESSES else before[at:]


class NameDelegate(PaletteDelegate):
    """Paints the sign of a kind, a name, and quietly behind it what it is and where it lies."""

    def __init__(self, theme: Theme, parent: QWidget) -> None:
        super().__init__(theme, parent)
        self._colors_of = theme

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        """Paint one line."""
        item: ScopeItem = index.data(_ITEM)
        colors, box = self._colors_of.colors, option.rect
        if option.state & QStyle.StateFlag.State_Selected:
            painter.fillRect(box, colors.of("soft"))
        at = QPoint(box.left() + 10, box.center().y() - _SIGN // 2 + 1)
        place = QRect(at, at + QPoint(_SIGN - 1, _SIGN - 1))
        icon(ICONS[item.kind], colors.muted).paint(painter, place)
        beside = QStyleOptionViewItem(option)
        beside.rect = box.adjusted(_SIGN + 6, 0, 0, 0)
        super().paint(painter, beside, index)


class NameCompleter(QObject):
    """A list over the field, which keeps the keyboard; `picked` carries the `ScopeItem`.

    What was typed goes from the question when a name is picked.
    """

    picked = Signal(object)

    def __init__(self, theme: Theme, edit: QuestionEdit, frame: QWidget) -> None:
        super().__init__(edit)
        self._edit = edit
        self._frame = frame
        self._names: NameSuggestions | None = None
        self._snapshot = LibrarySnapshot((), "")
        self._left = ""
        self.box = QFrame(frame)
        self.box.setObjectName("offered")
        self.list = QListWidget()
        self.list.setObjectName("offered")
        self.list.setAccessibleName(self.tr("Names that fit"))
        self.list.setItemDelegate(NameDelegate(theme, self.list))
        self.list.setUniformItemSizes(True)
        self.list.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.list.setMouseTracking(True)
        column = QVBoxLayout(self.box)
        column.setContentsMargins(_AROUND, _AROUND, _AROUND, _AROUND)
        column.addWidget(self.list)
        self.box.hide()
        edit.installEventFilter(self)
        frame.installEventFilter(self)
        edit.destroyed.connect(self.box.deleteLater)  # the window has it by then
        edit.textChanged.connect(self._look)
        edit.cursorPositionChanged.connect(self._look)
        self.list.itemEntered.connect(self.list.setCurrentItem)
        self.list.itemClicked.connect(self._pick)
        self.list.currentItemChanged.connect(self._say)

    def serve(self, names: NameSuggestions) -> None:
        """Offer these files and folders."""
        self._names = names
        names.ready.connect(self._look)

    def show_shelf(self, snapshot: LibrarySnapshot) -> None:
        """Offer the snapshot's knowledge bases."""
        self._snapshot = snapshot

    @Slot()
    def leave(self) -> None:
        """Take the list away."""
        self.box.hide()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:  # noqa: N802 - Qt's
        """Let keys go to the list while it is shown, unless an input method needs them."""
        if self.box.isHidden():
            return False
        if event.type() == QEvent.Type.Resize and watched is self._frame:
            self._place(self.list.count())
        elif event.type() == QEvent.Type.Resize and watched is self.box.parent():
            self.leave()
        if watched is not self._edit:
            return False
        if event.type() in (QEvent.Type.FocusOut, QEvent.Type.Hide):
            self.leave()
        if not isinstance(event, QKeyEvent) or self._edit.is_composing:
            return False
        if event.type() == QEvent.Type.ShortcutOverride and event.key() == Qt.Key.Key_Escape:
            event.accept()  # else Escape would be the window's
            return True
        return event.type() == QEvent.Type.KeyPress and self._take(event)

    def _take(self, event: QKeyEvent) -> bool:
        """Do what a key says, and say whether it says something here."""
        plain = event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier
        if plain != Qt.KeyboardModifier.NoModifier:
            return False
        key = event.key()
        if key in (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Tab):
            self._pick()
        elif key == Qt.Key.Key_Escape:
            self._left = self._typed() or ""
            self.leave()
        elif key in (Qt.Key.Key_Up, Qt.Key.Key_Down):
            step = 1 if key == Qt.Key.Key_Down else -1
            self.list.setCurrentRow((self.list.currentRow() + step) % self.list.count())
        elif key in (Qt.Key.Key_PageUp, Qt.Key.Key_PageDown):
            self.list.event(event)
        else:
            return False
        return True

    def _typed(self) -> str | None:
        cursor = self._edit.textCursor()
        if cursor.hasSelection():
            return None
        kept = QTextCursor.MoveMode.KeepAnchor
        cursor.movePosition(QTextCursor.MoveOperation.StartOfBlock, kept)
        return typed_name(cursor.selectedText())

    @Slot()
    def _look(self) -> None:
        """Offer what fits what stands before the cursor, or nothing."""
        typed = self._typed() if self._edit.hasFocus() else None
        if typed is None:
            self._left = ""
        is_left = bool(self._left) and (typed or "").startswith(self._left)
        found = [] if typed is None or is_left else self._fitting(typed[1:])
        if not found:
            self.leave()
            return
        self._fill(found)
        self._place(len(found))
        self._say()

    def _fitting(self, typed: str) -> list[ScopeItem]:
        """Return what is called so: knowledge bases, then folders and files."""
        sought = typed.casefold()
        names = [kb.name for kb in self._snapshot.kbs if sought in shown_name(kb.name).casefold()]
        bases = [ScopeItem("", name) for name in names[:_MOST_BASES]]
        return bases + (self._names.fitting(typed, _MOST) if self._names is not None else [])

    def _fill(self, found: list[ScopeItem]) -> None:
        self.list.blockSignals(True)
        self.list.clear()
        for each in found:
            line = QListWidgetItem(item_name(each), self.list)
            kind = kind_text(each.kind)
            folder = sanitize_name(folder_of(each.path))
            detail = fill(self.tr("%1 in %2"), kind, folder) if folder else kind
            entry = PaletteEntry(EntryKind.DOCUMENT, line.text(), detail, each.path)
            line.setData(Qt.ItemDataRole.UserRole, entry)
            line.setData(_ITEM, each)
            line.setData(Qt.ItemDataRole.AccessibleTextRole, join_details(line.text(), detail))
            line.setToolTip(tip(each.path) if each.kind is not ScopeKind.BASE else "")
        self.list.setCurrentRow(0)
        self.list.blockSignals(False)

    def _place(self, count: int) -> None:
        """Show the list over the field, or below it where there is more room."""
        window = self._edit.window()
        if self.box.parent() is not window:
            self.box.setParent(window)
            window.installEventFilter(self)
        top = self._frame.mapTo(window, QPoint(0, 0))
        below = window.height() - top.y() - self._frame.height()
        row = self.list.sizeHintForRow(0)
        wanted = row * min(count, _ROWS) + 2 * (_AROUND + 1)
        height = min(wanted, max(top.y(), below) - 2 * _AROUND)
        is_above = top.y() >= min(wanted, below)
        y = top.y() - height - _AROUND if is_above else top.y() + self._frame.height() + _AROUND
        self.box.setGeometry(top.x(), y, min(_WIDTH, self._frame.width()), height)
        self.box.show()
        self.box.raise_()

    @Slot()
    def _say(self) -> None:
        """Let a screen reader say what Enter would pick."""
        line = self.list.currentItem()
        if line is not None and self.box.isVisible():
            place = fill(self.tr("%1 of %2"), self.list.currentRow() + 1, self.list.count())
            said = line.data(Qt.ItemDataRole.AccessibleTextRole)
            announce(self._edit, join_details(said, place))

    @Slot()
    def _pick(self) -> None:
        line, typed = self.list.currentItem(), self._typed()
        if line is None or typed is None:
            self.leave()
            return
        item: ScopeItem = line.data(_ITEM)
        cursor = self._edit.textCursor()
        units = len(typed.encode("utf-16-le", "surrogatepass")) // 2
        cursor.setPosition(cursor.position() - units, QTextCursor.MoveMode.KeepAnchor)
        cursor.removeSelectedText()  # what stands before it may be looked at now
        self.leave()
        self.picked.emit(item)
