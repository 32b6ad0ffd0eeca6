"""Painting no more of a text than a change has altered: Qt would have all in sight painted anew."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from PySide6.QtCore import QObject, Qt, Slot
from PySide6.QtWidgets import QTextEdit

_MARGIN = 24  # pixels above a paragraph that may be its own
_NOWHERE = 2**31


class PartialRepaint(QObject):
    """Notes where an edit's document changes; what is above the first change looks as before."""

    def __init__(self, edit: QTextEdit) -> None:
        super().__init__(edit)
        self._edit = edit
        self._changed_at = _NOWHERE
        edit.document().contentsChange.connect(self._note)

    @contextmanager
    def held_back(self) -> Iterator[None]:
        """Have nothing painted for what is changed within, until `below` is called."""
        viewport, bar = self._edit.viewport(), self._edit.verticalScrollBar()
        before, self._changed_at = bar.value(), _NOWHERE
        viewport.setAttribute(Qt.WidgetAttribute.WA_UpdatesDisabled)
        try:
            yield
        finally:
            viewport.setAttribute(Qt.WidgetAttribute.WA_UpdatesDisabled, on=False)
            if bar.value() != before:  # nothing was scrolled on screen meanwhile
                self._changed_at = 0

    def below(self) -> None:
        """Have painted what stands where the first change was, and all below it."""
        if self._changed_at == _NOWHERE:
            return
        document, viewport = self._edit.document(), self._edit.viewport()
        block = document.findBlock(self._changed_at)
        top = document.documentLayout().blockBoundingRect(block).top()
        above = int(top) - self._edit.verticalScrollBar().value() - _MARGIN
        viewport.update(viewport.rect().adjusted(0, max(0, above), 0, 0))

    @Slot(int, int, int)
    def _note(self, position: int, removed: int, added: int) -> None:
        del removed, added
        self._changed_at = min(self._changed_at, position)
