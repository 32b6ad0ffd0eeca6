"""Files that a file manager hands over: read, or asked; what the library lacks may be added."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import PurePath

from PySide6.QtCore import QObject, Qt, Signal, Slot
from PySide6.QtWidgets import QMessageBox, QWidget

from desktop_rag.core.errors import UserError
from desktop_rag.core.phrases import Phrase
from desktop_rag.core.requests import OpenRequest
from desktop_rag.gui.chat.scope_chip import item_name
from desktop_rag.gui.controllers.app_context import AppContext
from desktop_rag.gui.controllers.document_scope import (
    MOST_ITEMS,
    ONLY,
    DocumentScope,
    ScopeItem,
)
from desktop_rag.gui.controllers.file_opening import FileOpeningController, NamedFiles
from desktop_rag.gui.controllers.library_snapshot import LibrarySnapshot, is_ready
from desktop_rag.gui.display_text import join_list, shown_name
from desktop_rag.gui.main_window import MainWindow

_ASK = "ask"
_MOST_NAMES = 5


class AddOffer(QMessageBox):
    """Asks whether files are to be added; `agreed` carries them, as `NamedFiles`."""

    agreed = Signal(object)

    def __init__(self, window: QWidget, found: NamedFiles) -> None:
        super().__init__(window)
        self._found = found
        names = [item_name(each) for each in found.unknown]
        many = len(names) > 1
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setIcon(QMessageBox.Icon.Question)
        self.setWindowTitle(window.windowTitle())
        self.setTextFormat(Qt.TextFormat.PlainText)
        several = self.tr("%1 files are not in your library.").replace("%1", f"{len(names):,}")
        one = self.tr("“%1” is not in your library.").replace("%1", names[0])
        self.setText(several if many else one)
        question = self.tr("Add it to “%1”? It stays where it is.")
        if many:
            more = "…" if len(names) > _MOST_NAMES else ""
            question = f"{join_list(names[:_MOST_NAMES])}{more}\n\n" + self.tr(
                "Add them to “%1”? They stay where they are."
            )
        self.setInformativeText(question.replace("%1", shown_name(found.kb)))
        add = self.addButton(self.tr("Add"), QMessageBox.ButtonRole.AcceptRole)
        self.addButton(QMessageBox.StandardButton.Cancel)
        self.setDefaultButton(add)
        self.accepted.connect(self._agree)

    @Slot()
    def _agree(self) -> None:
        self.agreed.emit(self._found)


class FileRequests(QObject):
    """Does in a window what `open --read` and `open --ask` want."""

    def __init__(self, window: MainWindow, context: AppContext) -> None:
        super().__init__(window)
        self._window = window
        self._context = context
        self._awaited = ("", "")
        self._early: list[OpenRequest] = []
        self._opening = FileOpeningController(context.jobs, context.folder, self)
        self._opening.found.connect(self._show)
        window.visits.files_named.connect(self._look)
        context.library.snapshot_changed.connect(self._heed)

    @Slot(object)
    def _look(self, wanted: OpenRequest) -> None:
        """Look for files, once it is known which knowledge base is shown."""
        snapshot = self._context.library.snapshot
        if snapshot.kbs:
            self._opening.look_for(wanted, snapshot.current)
        else:
            self._early.append(wanted)

    @Slot(object)
    def _show(self, found: NamedFiles) -> None:
        """Open or ask what is there, and offer to add the rest."""
        there = (*found.ready, *found.folders)
        if found.purpose == _ASK and there:
            self._ask(there)
        elif found.ready:
            self._window.sources.read_file(found.ready[0].path, found.ready[0].kb)
        elif found.folders:
            self._show_base(found.folders[0].kb)
        if found.unread:
            name = PurePath(found.unread[0].path).name
            self._context.library.complained.emit(
                UserError(
                    Phrase("“{0}” is in the library, but it has not been read.", name),
                    "Look at it in the library: it says why.",
                )
            )
        if found.unknown:
            offer = AddOffer(self._window, found)
            offer.agreed.connect(self._add)
            offer.open()

    def _show_base(self, kb: str) -> None:
        if kb != self._context.library.snapshot.current:
            self._context.library.switch(kb)
        self._window.centre.show_files()

    def _ask(self, items: Sequence[ScopeItem]) -> None:
        """Let what is asked next go to these files alone."""
        self._window.centre.show_chat()
        scope = DocumentScope(ONLY, tuple(items)[:MOST_ITEMS])
        self._window.chat.composer.ask_documents(scope)

    @Slot(object)
    def _add(self, found: NamedFiles) -> None:
        """Add what was offered; it is shown as soon as it is read, or can be asked about now."""
        scope = DocumentScope(ONLY, found.unknown)
        self._context.library.adding.add(found.kb, scope.paths)
        if found.purpose == _ASK:
            self._ask((*found.ready, *found.folders, *found.unknown))
        elif not found.ready:
            self._awaited = (found.kb, scope.paths[0])

    @Slot(object)
    def _heed(self, snapshot: LibrarySnapshot) -> None:
        """Show the file that was added, now that it is read, where nothing else is read."""
        early, self._early = self._early, []
        for wanted in early:
            self._look(wanted)
        kb, path = self._awaited
        if not path or kb != snapshot.current:
            return
        row = next((each for each in snapshot.files if each.path == path), None)
        if row is not None and is_ready(row):
            self._awaited = ("", "")
            if not self._window.sources.is_reading:
                self._window.sources.read_file(path, kb)
