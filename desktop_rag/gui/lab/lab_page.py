"""What every page of the workbench is: a widget made from the theme and the context."""

from __future__ import annotations

from abc import abstractmethod

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QWidget

from desktop_rag.gui.controllers.app_context import AppContext
from desktop_rag.gui.theme import Theme


class LabPage(QWidget):
    """One tab's page.

    `document_wanted` carries an `OpenDocument` that is to be shown in the pane of sources; `left`
    asks for the conversation, `preparations_wanted` carries the name of a knowledge base whose
    preparations are to be shown.
    """

    document_wanted = Signal(object)
    left = Signal()
    preparations_wanted = Signal(str)

    def __init__(self, theme: Theme, context: AppContext, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.theme = theme
        self.context = context

    @classmethod
    @abstractmethod
    def title(cls) -> str:
        """Return the tab's text, in the window's language."""

    @abstractmethod
    def begin(self) -> None:
        """Take the keyboard to where one begins; called whenever the sheet is shown."""

    def stop(self) -> bool:
        """End what the sheet is at; say whether it was at anything."""
        return False
