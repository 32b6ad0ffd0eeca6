"""Above a question: what it is asked of, one chip each, in at most two rows."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from pathlib import PurePath

from PySide6.QtCore import QCoreApplication, QSize, Signal, Slot
from PySide6.QtGui import QAction, QResizeEvent
from PySide6.QtWidgets import QLabel, QMenu, QSizePolicy, QToolButton, QWidget

from desktop_rag.core.events import DocumentsTask
from desktop_rag.core.sanitize import sanitize_name
from desktop_rag.gui.chat.scope_chip import ScopeChip, item_name, kind_text
from desktop_rag.gui.controllers.document_scope import (
    COMPARE,
    EACH,
    MOST_ITEMS,
    ONLY,
    DocumentScope,
    ScopeItem,
    ScopeKind,
)
from desktop_rag.gui.controllers.library_snapshot import LibrarySnapshot
from desktop_rag.gui.controllers.scope_names import missing_items
from desktop_rag.gui.controllers.transcript import Turn
from desktop_rag.gui.display_text import join_details
from desktop_rag.gui.theme import Theme

_NAMED = 3  # documents
_ROWS = 2
_GAP = 6  # pixels


class ScopeRow(QWidget):
    """Hidden, and without height, until something is chosen.

    `changed` carries the `DocumentScope` after the user chose, or took away; None for all. What
    does not fit in two rows is in the menu of `more`.
    """

    changed = Signal(object)

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._snapshot = LibrarySnapshot((), "")
        self._missing: frozenset[ScopeItem] = frozenset()
        self.scope: DocumentScope | None = None
        self.chips: list[ScopeChip] = []
        self.lead = QLabel(self.tr("Each document is asked, a row each:"), self)
        self.lead.setObjectName("small")
        self.more = QToolButton(self)
        self.more.setObjectName("chip")
        self.more.setAccessibleName(self.tr("What is asked"))
        self.more.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        self.more.setMenu(QMenu(self.more))
        self.more.menu().aboutToShow.connect(self._list)
        self.more.menu().triggered.connect(self._leave_listed)
        self.setAccessibleName(self.tr("What is asked"))
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        self.hide()

    def take(self, scope: DocumentScope | None) -> None:
        """Show what is asked; None for all."""
        self.scope = scope
        self._make()

    def show_shelf(self, snapshot: LibrarySnapshot) -> None:
        """Mark what is no longer there."""
        self._snapshot = snapshot
        found = missing_items(self.scope, snapshot) if self.scope is not None else frozenset()
        if found != self._missing:
            self._make()

    def add(self, items: Iterable[ScopeItem]) -> None:
        """Let more be asked."""
        before = self.scope if self.scope is not None else DocumentScope(ONLY, ())
        every = tuple(dict.fromkeys((*before.items, *items)))[:MOST_ITEMS]
        has_base = any(each.kind is ScopeKind.BASE for each in every)
        self.change(replace(before, kind=ONLY if has_base else before.kind, items=every))

    def leave(self, item: ScopeItem) -> None:
        """Ask this no more."""
        if self.scope is not None:
            rest = tuple(each for each in self.scope.items if each != item)
            self.change(replace(self.scope, items=rest) if rest else None)

    def change(self, scope: DocumentScope | None) -> None:
        """Show what the user chose, and tell it."""
        self.take(scope)
        self.changed.emit(scope)

    @property
    def is_gone(self) -> bool:
        """Whether nothing of what was chosen is there any more."""
        return self.scope is not None and self._missing.issuperset(self.scope.items)

    def crosses(self) -> Sequence[QWidget]:
        """Return what takes chips away, in order."""
        return [each.cross for each in self.chips if not each.isHidden()]

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802 - Qt's
        """Fit the rows."""
        super().resizeEvent(event)
        if event.size().width() != event.oldSize().width():
            self._lay()

    def _make(self) -> None:
        for chip in self.chips:
            chip.hide()
            chip.deleteLater()
        scope = self.scope
        items = scope.items if scope is not None else ()
        self._missing = missing_items(scope, self._snapshot) if scope is not None else frozenset()
        self.chips = [self._chip(each) for each in items]
        self.setVisible(scope is not None)
        self._lay()

    def _chip(self, item: ScopeItem) -> ScopeChip:
        chip = ScopeChip(self._theme, item, self, is_missing=item in self._missing)
        chip.left.connect(self.leave)
        return chip

    def _lay(self) -> None:
        """Put the chips beside each other, and what finds no room into the menu."""
        if self.scope is None or self.width() <= 0:
            return
        flow = _Flow(self.width())
        self.lead.setVisible(self.scope.kind == EACH)
        if self.scope.kind == EACH:
            flow.put(self.lead, QSize(self.lead.sizeHint().width(), self.chips[0].wanted_height))
        shown = 0
        for number, chip in enumerate(self.chips):
            rest = len(self.chips) - number - 1
            size = chip.fit(self.width())
            if not flow.has_room(size, self._more_size(rest) if rest else QSize(-_GAP, 0)):
                break
            flow.put(chip, size)
            shown += 1
        for number, chip in enumerate(self.chips):
            chip.setVisible(number < shown)
        self._show_more(flow, len(self.chips) - shown)
        self.setFixedHeight(flow.height)

    def _more_size(self, rest: int) -> QSize:
        self.more.setText(f"+{rest}")
        return QSize(self.more.sizeHint().width(), self.chips[0].wanted_height)

    def _show_more(self, flow: _Flow, rest: int) -> None:
        self.more.setVisible(rest > 0)
        if rest > 0:
            flow.put(self.more, self._more_size(rest))
            said = self.tr("%n more", "", rest)
            self.more.setToolTip(said)
            self.more.setAccessibleName(said)

    @Slot()
    def _list(self) -> None:
        """List what found no room; a click takes it away."""
        menu = self.more.menu()
        menu.clear()
        menu.addSection(self.tr("Asked as well; a click takes it away"))
        for chip in self.chips:
            if chip.isHidden():
                said = join_details(item_name(chip.item), kind_text(chip.item.kind))
                menu.addAction(said.replace("&", "&&")).setData(chip.item)
        menu.addSeparator()
        menu.addAction(self.tr("Take all away"))

    @Slot(QAction)
    def _leave_listed(self, action: QAction) -> None:
        item = action.data()
        if isinstance(item, ScopeItem):
            self.leave(item)
        else:
            self.change(None)


class _Flow:
    """Puts widgets beside each other, in rows."""

    def __init__(self, width: int) -> None:
        self._width = width
        self._x = self._row = self._tallest = 0

    def has_room(self, size: QSize, after: QSize) -> bool:
        """Say whether there is room in one of the rows, with room for something after it."""
        x, row = self._place(size)
        if row >= _ROWS:
            return False
        return row < _ROWS - 1 or x + size.width() + _GAP + after.width() <= self._width

    def put(self, widget: QWidget, size: QSize) -> None:
        """Put a widget behind the one before, or at the beginning of the next row."""
        self._x, self._row = self._place(size)
        self._tallest = max(self._tallest, size.height())
        y = self._row * (self._tallest + _GAP)
        widget.setGeometry(self._x, y, min(size.width(), self._width), size.height())
        self._x += size.width() + _GAP

    def _place(self, size: QSize) -> tuple[int, int]:
        if self._x and self._x + size.width() > self._width:
            return 0, self._row + 1
        return self._x, self._row

    @property
    def height(self) -> int:
        """The height of all rows."""
        return (self._row + 1) * self._tallest + self._row * _GAP


def names(paths: tuple[str, ...]) -> str:
    """Return what files and folders are called, the first few."""
    told = [sanitize_name(PurePath(path).name) for path in paths]
    shown = ", ".join(told[:_NAMED])
    if len(told) <= _NAMED:
        return shown
    more = QCoreApplication.translate("ScopeRow", "%1 and %2 more")
    return more.replace("%1", shown).replace("%2", str(len(told) - _NAMED))


def question_text(turn: Turn) -> str:
    """Return what was asked: of whole documents in the window's language, else as it was typed."""
    if turn.task is None or not turn.task.paths:
        return turn.question
    return asked_text(turn.task)


def asked_text(task: DocumentsTask) -> str:
    """Return what a conversation says was asked."""
    if task.action == EACH:
        text = QCoreApplication.translate("ScopeRow", "%1 (each of: %2)")
        return text.replace("%2", names(task.paths)).replace("%1", task.question)
    if task.action == COMPARE:
        text = QCoreApplication.translate("ScopeRow", "Compare: %1")
    else:
        text = QCoreApplication.translate("ScopeRow", "Summarise: %1")
    return text.replace("%1", names(task.paths))
