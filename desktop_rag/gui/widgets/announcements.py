"""Telling those who can't see the window what changed in it."""

from __future__ import annotations

from PySide6.QtCore import QObject, Signal, Slot
from PySide6.QtGui import QAccessible, QAccessibleAnnouncementEvent
from PySide6.QtWidgets import QWidget

from desktop_rag.core.events import IndexDone
from desktop_rag.gui.controllers.library import LibraryController
from desktop_rag.gui.controllers.library_snapshot import problems_among


def announce(widget: QWidget, text: str) -> None:
    """Let a screen reader say a text when it has said what it is saying."""
    if text:
        QAccessible.updateAccessibility(QAccessibleAnnouncementEvent(widget, text))


class IndexingAnnouncer(QObject):
    """Says when files were read, and how many of them with a problem; `said` carries the words."""

    said = Signal(object)

    def __init__(self, window: QWidget, library: LibraryController) -> None:
        super().__init__(window)
        self._window = window
        library.indexed.connect(self._tell)

    @Slot(object)
    def _tell(self, done: IndexDone) -> None:
        total = sum(done.files.values())
        if not total:
            return
        problems = problems_among(done.files)
        text = self.tr("%n file(s) looked at.", "", total)
        if problems:
            text += " " + self.tr("%n with a problem.", "", problems)
        announce(self._window, text)
        self.said.emit(text)
