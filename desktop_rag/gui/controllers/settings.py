"""The settings of the window: kept when changed, and in force for what begins next."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import partial
from pathlib import Path
from typing import Any

from PySide6.QtCore import QObject, Signal, Slot

from desktop_rag.core import settings_file as stored
from desktop_rag.core.cancel import CancelToken
from desktop_rag.core.errors import UserError
from desktop_rag.core.settings import Settings
from desktop_rag.core.settings_file import SettingDeclaration
from desktop_rag.gui.controllers.data_folder import DataFolder
from desktop_rag.gui.controllers.jobs import Jobs, Lane, Operation

__all__ = ["SettingDeclaration", "SettingsController", "declared"]

declared = {each.key: each for each in stored.setting_declarations()}


class SettingsController(QObject):
    """Holds the settings in force.

    `settings_changed` carries the new `Settings`, at once; `complained` the `UserError` of a file
    that can't be written. `applied` carries the settings that what begins from now on finds in
    force. `overrides` (`--set`) are in force until they are changed here, and
    never kept. `restart_wanted` says that the program is to start again.
    """

    settings_changed = Signal(object)
    complained = Signal(object)
    applied = Signal(object)
    restart_wanted = Signal()

    def __init__(
        self,
        data_dir: Path,
        overrides: Mapping[str, str],
        jobs: Jobs,
        folder: DataFolder,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._data_dir = data_dir
        self.overrides = dict(overrides)
        self.restarts = False
        self._jobs, self._folder = jobs, folder
        self._kept, self.settings = _read(data_dir, overrides)
        self.opened = self.settings
        self._written = self._kept
        self._is_saving = False

    def change(self, key: str, value: Any) -> None:
        """Give a setting another value; a `UsageError` when it is not one."""
        self._be({key: value})

    def reset(self, *keys: str) -> None:
        """Give settings back their defaults."""
        self._be({key: declared[key].default for key in keys})

    def value(self, key: str) -> Any:
        """Return the value in force, or, where that needs a new start, the one that will be."""
        return stored.value_of(self.settings, key)

    def is_changed(self, key: str) -> bool:
        """Say whether a setting differs from its default."""
        return bool(self.value(key) != declared[key].default)

    def waits(self, key: str) -> bool:
        """Say whether a change takes effect only when the program starts again."""
        return declared[key].restart and self.value(key) != stored.value_of(self.opened, key)

    def restart(self) -> None:
        """Have the program start again, for what takes effect only then."""
        self.restarts = True
        self.restart_wanted.emit()

    def close(self) -> None:
        """Write what is not written yet: the last work of the lanes."""
        if self._kept != self._written:
            stored.save(self._data_dir, self._kept)

    def _be(self, values: Mapping[str, Any]) -> None:
        kept, now = self._kept, self.settings
        for key, value in values.items():
            kept = stored.with_value(kept, key, value)
            now = stored.with_value(now, key, value)
        if (kept, now) == (self._kept, self.settings):
            return
        self._kept, self.settings = kept, now
        self.overrides = {k: v for k, v in self.overrides.items() if not _names(k, values)}
        self._save()
        self.settings_changed.emit(now)

    def _save(self) -> None:
        """Write the newest settings; while one writing runs, the next one waits."""
        if self._is_saving:
            return
        self._is_saving = True
        work = partial(self._write, self._kept, self.settings)
        saving = Operation(work).on_end(self._end_saving).on_success(self._go_on)
        saving.on_user_error(self.complained).start(self._jobs, Lane.READ)

    def _write(
        self, kept: Settings, now: Settings, token: CancelToken
    ) -> tuple[Settings, Settings]:
        self._folder.get(token)  # the folder is ours only then
        stored.save(self._data_dir, kept)
        self._folder.use(now, token)
        return kept, now

    @Slot()
    def _end_saving(self) -> None:
        self._is_saving = False

    @Slot(object)
    def _go_on(self, done: tuple[Settings, Settings]) -> None:
        self._written, now = done
        self.applied.emit(now)
        if (self._kept, self.settings) != done:
            self._save()


def _names(override: str, keys: Iterable[str]) -> bool:
    """Say whether `--set` names one of these settings, in full or without its section."""
    return any(key == override or key.endswith(f".{override}") for key in keys)


def _read(data_dir: Path, overrides: Mapping[str, str]) -> tuple[Settings, Settings]:
    """Return the kept settings and those in force; opening the folder tells what is wrong."""
    try:
        return stored.load(data_dir), stored.load(data_dir, overrides)
    except UserError:
        return Settings(), Settings()
