"""Notices what others write to the catalog beside the window: commands that it serves."""

from __future__ import annotations

from PySide6.QtCore import QObject, QTimer, Signal, Slot

from desktop_rag.core.cancel import CancelToken
from desktop_rag.gui.controllers.data_folder import DataFolder
from desktop_rag.gui.controllers.jobs import Jobs, Lane, Operation

_EVERY_MS = 2_000


class CatalogWatch(QObject):
    """Asks the catalog now and then for its version; `changed` says that somebody wrote."""

    changed = Signal()

    def __init__(self, jobs: Jobs, folder: DataFolder, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._jobs = jobs
        self._folder = folder
        self._known: object = None
        self._again = QTimer(self)
        self._again.setSingleShot(True)
        self._again.setInterval(_EVERY_MS)
        self._again.timeout.connect(self.look)

    @Slot()
    def look(self) -> None:
        """Ask now, and again a while after the answer."""
        asking = Operation(self._ask).on_end(self._again.start).on_success(self._learn)
        asking.start(self._jobs, Lane.READ)

    def stop(self) -> None:
        """Ask no more."""
        self._again.stop()

    @Slot(object)
    def _learn(self, version: int) -> None:
        known, self._known = self._known, version
        if known is not None and version != known:
            self.changed.emit()

    def _ask(self, token: CancelToken) -> int:
        return self._folder.get(token).catalog.database.version()
