"""What happens when a slot raises: the log keeps where it was, and one dialog says so."""

from __future__ import annotations

import logging
import sys
import time
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Qt, Signal, Slot
from PySide6.QtWidgets import QWidget

from desktop_rag.core import safe_traceback
from desktop_rag.core.errors import Cancelled, CatalogDamaged, UserError

if TYPE_CHECKING:
    from desktop_rag.gui.error_dialog import ErrorDialog

_log = logging.getLogger(__name__)
_QUIET_SECONDS = 5.0  # an error that comes on its own again so soon after is not shown anew


@dataclass(frozen=True, slots=True)
class _Key:
    """By what an error is known again: what it says to the user, or where in the code it was."""

    message: str
    is_bug: bool


class ExceptionHook(QObject):
    """Takes over `sys.excepthook`. Errors may come from any thread; the dialog is the GUI's."""

    catalog_damaged = Signal(object)
    """A damaged catalog was met, by its error: the window has a dialog of its own for it."""

    _raised = Signal(object)

    def __init__(self, window: QWidget, logs: Path) -> None:
        super().__init__(window)
        self._window = window
        self._logs = logs
        self._before = sys.excepthook
        self._seen: dict[_Key, int] = {}
        self._closed_at: dict[_Key, float] = {}
        self.dialog: ErrorDialog | None = None
        self._raised.connect(self._show, Qt.ConnectionType.QueuedConnection)

    def install(self) -> None:
        """Catch what nobody else does, from now on."""
        self._before = sys.excepthook
        sys.excepthook = self.caught

    def uninstall(self) -> None:
        """Give the hook back."""
        sys.excepthook = self._before

    def caught(
        self, kind: type[BaseException], error: BaseException, traced: TracebackType | None
    ) -> None:
        """Log an error and show it; a stop by the user is none."""
        if isinstance(error, Cancelled):
            return
        if not isinstance(error, Exception):
            self._before(kind, error, traced)
            return
        _log.error("not caught\n%s", safe_traceback.format_error(error))
        self._raised.emit(error)

    @Slot(object)
    def _show(self, error: Exception) -> None:
        """Show one dialog; what comes while it is open, or just after, is counted."""
        if isinstance(error, CatalogDamaged):
            self.catalog_damaged.emit(error)
            return
        key = _known_as(error)
        if self.dialog is None and self._was_just_shown(key):
            return
        self._seen[key] = self._seen.get(key, 0) + 1
        is_new = self.dialog is None
        if self.dialog is None:
            from desktop_rag.gui.error_dialog import ErrorDialog  # no start needs it

            self.dialog = ErrorDialog(self._logs, self._window)
            self.dialog.finished.connect(self._closed)
        self.dialog.tell(error, sum(self._seen.values()), self._report())
        if is_new:
            self.dialog.open()

    def _was_just_shown(self, key: _Key) -> bool:
        """Say whether an error comes on its own, again and again; each time is told to the log."""
        now = time.monotonic()
        last = self._closed_at.get(key)
        if last is None or now - last > _QUIET_SECONDS:
            return False
        self._closed_at[key] = now
        return True

    def _report(self) -> str:
        """Return the report of the bugs that were seen; empty when there are none."""
        from desktop_rag.gui.error_dialog import error_report

        bugs = {key.message: times for key, times in self._seen.items() if key.is_bug}
        return error_report(bugs) if bugs else ""

    @Slot(int)
    def _closed(self, result: int) -> None:
        del result
        self._closed_at |= dict.fromkeys(self._seen, time.monotonic())
        self._seen = {}
        self.dialog = None


def _known_as(error: Exception) -> _Key:
    if isinstance(error, UserError):
        return _Key(error.what, is_bug=False)
    return _Key(safe_traceback.format_error(error), is_bug=True)
