"""Files that a file manager hands over: read, or asked; what the library lacks may be added."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import PurePath

from PySide6.QtCore import QObject, Qt, Slot
from PySide6.QtWidgets import QMessageBox

from desktop_rag.core.errors import UserError
from desktop_rag.core.phrases import Phrase
from desktop_rag.core.requests import OpenRequest
from desktop_rag.core.sanitize import sanitize_name
from desktop_rag.gui.controllers.app_context import AppContext
from desktop_rag.gui.controllers.document_scope import ONLY, DocumentScope, ScopeItem
from desktop_rag.gui.controllers.file_opening import FileOpeningController, NamedFiles
from desktop_rag.gui.controllers.library_snapshot import LibrarySnapshot, is_ready
from desktop_rag.gui.display_text import join_list, shown_name
from desktop_rag.gui.main_window import MainWindow

_ASK = "ask"
_MOST_NAMES = 5


class FileRequests(QObject):
    """Does in a window what `open --read` and `open --ask` want."""

    def __init__(self, window: MainWindow, context: AppContext) -> None:
        super().__init__(window)
        self._window = window
        self._context = context
        self._awaited = ""
        self._offered: tuple[str, ...] = ()
        self._purpose = ""
        self._opening = FileOpeningController(context.jobs, context.folder, self)
        self._opening.found.connect(self._show)
        window.visits.files_named.connect(self._look)
        context.library.snapshot_changed.connect(self._heed)

    @Slot(object)
    def _look(self, wanted: OpenRequest) -> None:
        self._opening.look_for(wanted, self._context.library.snapshot.current)

    @Slot(object)
    def _show(self, found: NamedFiles) -> None:
        """Open or ask what is there, and offer to add the rest."""
        if found.ready:
            self._use(found.purpose, found.ready)
        elif found.folders:
            self._show_base(found.folders[0].kb)
        if found.unread and not found.ready:
            name = PurePath(found.unread[0].path).name
            self._context.library.complained.emit(
                UserError(
                    Phrase("“{0}” is in the library, but it has not been read.", name),
                    "Look at it in the library: it says why.",
                )
            )
        if found.unknown:
            self._offer(found.purpose, found.unknown)

    def _use(self, purpose: str, files: Sequence[ScopeItem]) -> None:
        kb = files[0].kb
        paths = tuple(each.path for each in files if each.kb == kb)
        if purpose == _ASK:
            self._ask(kb, paths)
        else:
            self._window.sources.read_file(paths[0], kb)

    def _show_base(self, kb: str) -> None:
        if kb != self._context.library.snapshot.current:
            self._context.library.switch(kb)
        self._window.centre.show_files()

    def _ask(self, kb: str, paths: tuple[str, ...]) -> None:
        """Let what is asked next go to these files alone."""
        self._window.centre.show_chat()
        items = tuple(ScopeItem(path, kb) for path in paths)
        self._window.chat.composer.ask_documents(DocumentScope(ONLY, items))

    def _offer(self, purpose: str, paths: tuple[str, ...]) -> None:
        """Ask whether files are to be added to the knowledge base that is shown."""
        self._purpose, self._offered = purpose, paths
        base = shown_name(self._context.library.snapshot.current)
        names = [sanitize_name(PurePath(path).name or path) for path in paths[:_MOST_NAMES]]
        several = self.tr("%1 files are not in your library.").replace("%1", f"{len(paths):,}")
        one = self.tr("“%1” is not in your library.").replace("%1", names[0])
        box = QMessageBox(self._window)
        box.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        box.setIcon(QMessageBox.Icon.Question)
        box.setWindowTitle(self._window.windowTitle())
        box.setTextFormat(Qt.TextFormat.PlainText)
        box.setText(one if len(paths) == 1 else several)
        question = self.tr("Add it to “%1”? The file stays where it is.")
        if len(paths) > 1:
            more = "…" if len(paths) > _MOST_NAMES else ""
            question = f"{join_list(names)}{more}\n\n" + self.tr(
                "Add them to “%1”? The files stay where they are."
            )
        box.setInformativeText(question.replace("%1", base))
        add = box.addButton(self.tr("Add"), QMessageBox.ButtonRole.AcceptRole)
        box.addButton(QMessageBox.StandardButton.Cancel)
        box.setDefaultButton(add)
        box.accepted.connect(self._add)
        box.open()

    @Slot()
    def _add(self) -> None:
        """Add what was offered; it is shown as soon as it is read, or can be asked about now."""
        current = self._context.library.snapshot.current
        self._context.library.add(self._offered)
        if self._purpose == _ASK:
            self._ask(current, self._offered)
        else:
            self._awaited = self._offered[0]

    @Slot(object)
    def _heed(self, snapshot: LibrarySnapshot) -> None:
        """Show the file that was added, now that it is read."""
        if not self._awaited:
            return
        rows = (row for row in snapshot.files if row.path == self._awaited)
        if (row := next(rows, None)) is not None and is_ready(row):
            self._awaited = ""
            self._window.sources.read_file(row.path, snapshot.current)
