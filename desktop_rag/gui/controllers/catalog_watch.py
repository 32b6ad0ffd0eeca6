"""Notices what others write to the catalog beside the window: commands that it serves."""

from __future__ import annotations

from collections.abc import Iterator

from PySide6.QtCore import QObject, QTimer, Signal, Slot

from desktop_rag.core.cancel import CancelToken
from desktop_rag.gui.controllers.data_folder import DataFolder
from desktop_rag.gui.controllers.jobs import Jobs, Lane

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
        job = self._jobs.start(Lane.READ, self._work)
        job.yielded.connect(self._learn)
        job.failed.connect(self._rest)

    def stop(self) -> None:
        """Ask no more."""
        self._again.stop()

    @Slot(object)
    def _learn(self, version: int) -> None:
        self._again.start()
        known, self._known = self._known, version
        if known is not None and version != known:
            self.changed.emit()

    @Slot(object)
    def _rest(self, error: Exception) -> None:
        """Look again later, whatever it is; the error is shown."""
        self._again.start()
        raise error

    def _work(self, token: CancelToken) -> Iterator[object]:
        yield self._folder.get(token).catalog.database.version()
