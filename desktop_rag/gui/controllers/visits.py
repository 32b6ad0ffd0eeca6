"""Going to a knowledge base by its name, as `desktop-rag open --kb NAME` wants it."""

from __future__ import annotations

from PySide6.QtCore import QObject, Qt, Slot

from desktop_rag.core.errors import UserError
from desktop_rag.core.requests import OpenRequest
from desktop_rag.gui.controllers.library import LibraryController


class OpenRequestHandler(QObject):
    """Shows the knowledge base that was named last, as soon as it is known which there are.

    A name that none has is the library's to complain of.
    """

    def __init__(self, library: LibraryController, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._library = library
        self._wanted = ""
        self._may_be_new = False
        library.shelf_changed.connect(self._go, Qt.ConnectionType.QueuedConnection)

    def begin(self, wanted: OpenRequest) -> None:
        """Show a knowledge base and add paths; where there are some, one is made."""
        kb = wanted.kb or self._library.shelf.current
        self._library.adding.add(kb, wanted.paths)
        self._wanted, self._may_be_new = wanted.kb, bool(wanted.paths)
        self._go()

    @Slot()
    def _go(self) -> None:
        shelf, name = self._library.shelf, self._wanted
        if not name or not shelf.kbs:
            return
        self._wanted = ""
        names = [kb.name for kb in shelf.kbs]
        if name not in names and not self._may_be_new:
            self._library.complained.emit(
                UserError(
                    f"There is no knowledge base named “{name}”.",
                    f"There are: {', '.join(names)}.",
                )
            )
        elif name != shelf.current:
            self._library.switch(name)
