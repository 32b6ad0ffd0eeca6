"""The passwords of files: entered, and asked for by the viewer; whether a key ring could keep them.

The key ring is asked on the lane of probes, never on the GUI thread, and not before it is needed.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from PySide6.QtCore import QObject, Signal

from desktop_rag.core.cancel import CancelToken
from desktop_rag.core.secret import NO_PASSWORD, Secret
from desktop_rag.gui.controllers.data_folder import DataFolder
from desktop_rag.gui.controllers.jobs import Jobs, Lane, Operation


@dataclass(frozen=True, slots=True)
class EnteredPassword:
    """A password for files, and whether the key ring is to keep it."""

    paths: tuple[str, ...]
    password: Secret
    keeps: bool


class PasswordController(QObject):
    """`key_ring_found` says that there is a key ring, `key_ring_away` carries why there is none.

    `entered` carries an `EnteredPassword`.
    """

    key_ring_found = Signal()
    key_ring_away = Signal(object)
    entered = Signal(object)

    def __init__(self, jobs: Jobs, folder: DataFolder, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._jobs = jobs
        self._folder = folder

    def look_for_key_ring(self) -> None:
        """Find out whether the system has a key ring; nothing that it keeps is asked for."""
        looking = Operation(self._require_key_ring).on_success(self._find)
        looking.on_user_error(self.key_ring_away).start(self._jobs, Lane.PROBE)

    def enter(self, entered: EnteredPassword) -> None:
        """Have files read with a password."""
        self.entered.emit(entered)

    def _require_key_ring(self, token: CancelToken) -> None:
        self._folder.get(token).passwords.key_ring.require(token)

    def _find(self, _: object) -> None:
        self.key_ring_found.emit()


def password_of(folder: DataFolder, path: Path) -> Secret:
    """Return what opens a file of any knowledge base, nothing where that is not known."""
    token = CancelToken()
    workspace = folder.get(token)
    for kb in workspace.catalog.kbs.names().values():
        row = workspace.catalog.files.get(kb, str(path))
        if row is None or row.stamp is None:
            continue
        if found := workspace.passwords.of(row.stamp.content_hash, token):
            return found
    return NO_PASSWORD
