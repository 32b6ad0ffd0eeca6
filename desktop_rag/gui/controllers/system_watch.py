"""Looks now and then whether followed folders can be reached, and whether there is mains power."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from PySide6.QtCore import QObject, QTimer, Signal, Slot

from desktop_rag.core.cancel import CancelToken
from desktop_rag.core.filesystem import is_away
from desktop_rag.gui.controllers.data_folder import DataFolder
from desktop_rag.gui.controllers.jobs import Jobs, Lane

_EVERY_MS = 10_000


@dataclass(frozen=True, slots=True)
class SystemState:
    """`away` are the sources that can't be reached; `saves_power` says that reading should rest."""

    away: frozenset[str] = frozenset()
    saves_power: bool = False


class SystemWatch(QObject):
    """Asks the system every ten seconds; `changed` carries the `SystemState`."""

    changed = Signal(object)

    def __init__(self, jobs: Jobs, folder: DataFolder, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._jobs = jobs
        self._folder = folder
        self.known = SystemState()
        self._again = QTimer(self)
        self._again.setSingleShot(True)
        self._again.setInterval(_EVERY_MS)
        self._again.timeout.connect(self.look)

    @Slot()
    def look(self) -> None:
        """Ask now, and again a while after the answer. A drive that hangs keeps only its lane."""
        self._again.stop()
        job = self._jobs.start(Lane.LOOK, self._work)
        job.yielded.connect(self._learn)
        job.failed.connect(self._rest)

    @Slot(object)
    def _learn(self, found: SystemState) -> None:
        self._again.start()
        if found != self.known:
            self.known = found
            self.changed.emit(found)

    @Slot(object)
    def _rest(self, error: Exception) -> None:
        """Try again later; whatever it is, the lanes that need the folder say it themselves."""
        del error
        self._again.start()

    def _work(self, token: CancelToken) -> Iterator[object]:
        workspace = self._folder.get(token)
        kbs = workspace.catalog.kbs
        sources = [source for kb in kbs.names().values() for source in kbs.sources(kb)]
        away = frozenset(
            source.path for source in sources if is_away(source.path, is_folder=source.is_folder)
        )
        saves = workspace.settings.ingest.pause_on_battery and is_on_battery()
        yield SystemState(away, saves)


def is_on_battery() -> bool:
    """Say whether the computer runs on its battery; False where that can't be known."""
    import psutil  # not needed to show a window

    sensors = getattr(psutil, "sensors_battery", None)  # not on every system
    if sensors is None:
        return False
    battery = sensors()
    return battery is not None and battery.power_plugged is False
