"""What can be done with the text that is selected in a document."""

from __future__ import annotations

from PySide6.QtCore import QObject, Signal, Slot
from PySide6.QtWidgets import QMenu


class SelectionMenu(QObject):
    """Puts its actions into the menus of a view; its signals carry the selected text.

    `about` is wanted in a question, `note` as a note, `why` is said not to have been found.
    """

    about = Signal(object)
    note = Signal(object)
    why = Signal(object)

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self._text = ""

    def offer(self, menu: QMenu, text: str) -> None:
        """Offer what can be done with a text; nothing where none is selected."""
        self._text = text
        ask = menu.addAction(self.tr("Ask about this"))
        ask.triggered.connect(self._ask_about)
        note = menu.addAction(self.tr("Save as note"))
        note.triggered.connect(self._save)
        why = menu.addAction(self.tr("Why was this not found?"))
        why.triggered.connect(self._ask_why)
        for action in (ask, note, why):
            action.setEnabled(bool(text))

    @Slot()
    def _ask_about(self) -> None:
        self.about.emit(self._text)

    @Slot()
    def _save(self) -> None:
        self.note.emit(self._text)

    @Slot()
    def _ask_why(self) -> None:
        self.why.emit(self._text)
