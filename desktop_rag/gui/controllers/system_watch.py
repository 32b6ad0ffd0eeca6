"""Looks now and then whether followed folders can be reached, and whether there is mains power."""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtCore import QObject, QTimer, Signal, Slot

from desktop_rag.core.cancel import CancelToken
from desktop_rag.core.errors import UserError
from desktop_rag.core.filesystem import is_away
from desktop_rag.gui.controllers.data_folder import DataFolder
from desktop_rag.gui.controllers.jobs import Jobs, Lane, Operation

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
        asking = Operation(self._ask).on_end(self._again.start).on_success(self._learn)
        asking.on_user_error(self._ignore).start(self._jobs, Lane.LOOK)

    @Slot(object)
    def _learn(self, found: SystemState) -> None:
        if found != self.known:
            self.known = found
            self.changed.emit(found)

    @Slot(object)
    def _ignore(self, error: UserError) -> None:
        """Try again later; the lanes that need the folder say it themselves."""

    def _ask(self, token: CancelToken) -> SystemState:
        workspace = self._folder.get(token)
        kbs = workspace.catalog.kbs
        sources = [source for kb in kbs.names().values() for source in kbs.sources(kb)]
        away = frozenset(
            source.path for source in sources if is_away(source.path, is_folder=source.is_folder)
        )
        saves = workspace.settings.ingest.pause_on_battery and is_on_battery()
        return SystemState(away, saves)


def is_on_battery() -> bool:
    """Say whether the computer runs on its battery; False where that can't be known."""
    import psutil  # not needed to show a window

    sensors = getattr(psutil, "sensors_battery", None)  # not on every system
    if sensors is None:
        return False
    try:
        battery = sensors()
    except (OSError, RuntimeError, ValueError, psutil.Error):  # no folder of batteries, no right
        return False
    return battery is not None and battery.power_plugged is False
