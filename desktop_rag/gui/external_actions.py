"""The ways out of the window: choosing files, programs of the system, addresses on the web."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import QObject, Qt, Signal, Slot
from PySide6.QtWidgets import QFileDialog, QWidget

from desktop_rag.core.errors import UserError
from desktop_rag.gui import desktop_services
from desktop_rag.gui.controllers.jobs import Jobs, Lane, Operation
from desktop_rag.gui.controllers.path_reachability import LocatedPath, locate
from desktop_rag.gui.widgets.web_link_dialog import WebLinkDialog


class ExternalActions(QObject):
    """Opens dialogs over `window`.

    `chosen` carries a tuple of paths to add, `complained` the `UserError` of a door that is shut.
    """

    chosen = Signal(object)
    complained = Signal(object)

    def __init__(self, window: QWidget, jobs: Jobs) -> None:
        super().__init__(window)
        self._window = window
        self._jobs = jobs

    @Slot()
    def choose_files(self) -> None:
        """Let the user choose files to add."""
        dialog = QFileDialog(self._window, self.tr("Add files"), str(Path.home()))
        dialog.setFileMode(QFileDialog.FileMode.ExistingFiles)
        self._choose(dialog)

    @Slot()
    def choose_folder(self) -> None:
        """Let the user choose a folder to add."""
        dialog = QFileDialog(self._window, self.tr("Add a folder"), str(Path.home()))
        dialog.setFileMode(QFileDialog.FileMode.Directory)
        self._choose(dialog)

    @Slot(object)
    def open_outside(self, path: str) -> None:
        """Open a file in the system's program for it."""
        self._locate(path, self._open)

    @Slot(object)
    def show_in_folder(self, path: str) -> None:
        """Show a file in the system's file manager."""
        self._locate(path, self._show)

    @Slot(object)
    def ask_for_web(self, address: str) -> None:
        """Show a web address in full before the browser gets it."""
        WebLinkDialog(address, self._window).open()

    def _locate(self, path: str, then: Callable[[LocatedPath], None]) -> None:
        looking = Operation(lambda _token: locate(path)).on_success(then)
        looking.on_user_error(self.complained).start(self._jobs, Lane.PROBE)

    @Slot(object)
    def _open(self, found: LocatedPath) -> None:
        try:
            desktop_services.open_file(found)
        except UserError as error:
            self.complained.emit(error)

    @Slot(object)
    def _show(self, found: LocatedPath) -> None:
        try:
            desktop_services.show_in_folder(found)
        except UserError as error:
            self.complained.emit(error)

    def _choose(self, dialog: QFileDialog) -> None:
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.filesSelected.connect(self._pass_on)
        dialog.open()

    @Slot("QStringList")
    def _pass_on(self, paths: list[str]) -> None:
        self.chosen.emit(tuple(paths))
