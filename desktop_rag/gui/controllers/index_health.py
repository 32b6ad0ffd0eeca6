"""What the shown knowledge base's files lack, kept up to date while somebody looks."""

from __future__ import annotations

import time
from functools import partial

from PySide6.QtCore import QObject, QTimer, Signal, Slot

from desktop_rag.core.cancel import CancelToken
from desktop_rag.core.index_health import IndexHealth
from desktop_rag.gui.controllers.data_folder import DataFolder
from desktop_rag.gui.controllers.jobs import Job, Jobs, Lane, Operation

_REST_MS = 400
_SHARE_OF_TIME = 10  # a count may take a second where there are very many files


class IndexHealthController(QObject):
    """Counts anew when the library changed; `health_changed` carries an `IndexHealth`.

    What changes while it counts, or shortly after, is counted once later.
    """

    health_changed = Signal(object)

    def __init__(self, jobs: Jobs, folder: DataFolder, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._jobs = jobs
        self._folder = folder
        self._kb = ""
        self._job: Job | None = None
        self._is_watched = False
        self._is_stale = False
        self._asked_at = 0.0
        self._rest = QTimer(self)
        self._rest.setSingleShot(True)
        self._rest.timeout.connect(self._catch_up)
        self.health: IndexHealth | None = None

    def watch(self, kb: str, *, is_watched: bool) -> None:
        """Begin or end to follow a knowledge base."""
        self._is_watched = is_watched
        self.look(kb)

    def look(self, kb: str) -> None:
        """Count, if somebody looks; at once where it is another knowledge base."""
        if kb != self._kb and self._job is not None:
            self._job.cancel()
            self._job = None
        if kb != self._kb:
            self._rest.stop()
            self.health = None
        self._kb = kb
        self._is_stale = True
        self._catch_up()

    @Slot()
    def _catch_up(self) -> None:
        if not (self._is_watched and self._is_stale) or self._job or self._rest.isActive():
            return
        self._is_stale = False
        self._asked_at = time.monotonic()
        counting = Operation(partial(count_health, self._folder, self._kb))
        counting.on_end(self._end).on_success(self._take)
        self._job = counting.start(self._jobs, Lane.READ)

    @Slot()
    def _end(self) -> None:
        self._job = None
        took_ms = int((time.monotonic() - self._asked_at) * 1000)
        self._rest.start(max(_REST_MS, took_ms * _SHARE_OF_TIME))

    @Slot(object)
    def _take(self, health: IndexHealth) -> None:
        if health != self.health:
            self.health = health
            self.health_changed.emit(health)


def count_health(folder: DataFolder, kb: str, token: CancelToken) -> IndexHealth:
    """Count; a knowledge base that is not there yet has no files."""
    from desktop_rag.commands.index_health import index_health

    workspace = folder.get(token)
    if kb not in workspace.catalog.kbs.names():
        return IndexHealth(kb, 0, recognizes_text=True)
    return index_health(workspace, workspace.catalog.kbs.get(kb))
