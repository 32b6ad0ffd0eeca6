"""What happens when a slot raises: the log keeps it, and one dialog says so."""

from __future__ import annotations

import logging
import sys
from types import TracebackType

from PySide6.QtCore import QObject, Qt, Signal, Slot
from PySide6.QtWidgets import QMessageBox, QWidget

from desktop_rag.core.errors import Cancelled, UserError

_log = logging.getLogger(__name__)


class Faults(QObject):
    """Takes over `sys.excepthook`. Errors may come from any thread; the dialog is the GUI's."""

    _raised = Signal(object)

    def __init__(self, window: QWidget) -> None:
        super().__init__(window)
        self._window = window
        self._before = sys.excepthook
        self.dialog: QMessageBox | None = None
        self._raised.connect(self._show, Qt.ConnectionType.QueuedConnection)

    def install(self) -> None:
        """Catch what nobody else does, from now on."""
        self._before = sys.excepthook
        sys.excepthook = self.caught

    def uninstall(self) -> None:
        """Give the hook back."""
        sys.excepthook = self._before

    def caught(
        self, kind: type[BaseException], error: BaseException, trace: TracebackType | None
    ) -> None:
        """Log an error and show it; a stop by the user is none."""
        if isinstance(error, Cancelled):
            return
        if not isinstance(error, Exception):
            self._before(kind, error, trace)
            return
        _log.error("not caught", exc_info=(kind, error, trace))
        self._raised.emit(error)

    @Slot(object)
    def _show(self, error: Exception) -> None:
        """Show one dialog at a time: many errors at once are mostly one."""
        if self.dialog is not None:
            return
        box = QMessageBox(self._window)
        box.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        if isinstance(error, UserError):
            box.setIcon(QMessageBox.Icon.Warning)
            box.setText(error.what)
            box.setInformativeText(error.remedy)
        else:
            box.setIcon(QMessageBox.Icon.Critical)
            box.setText(self.tr("Something went wrong in the program itself."))
            box.setInformativeText(
                self.tr("You can go on. The log in the data folder has the details.")
            )
            box.setDetailedText(f"{type(error).__name__}: {error}")
        box.finished.connect(self._closed)
        self.dialog = box
        box.open()

    @Slot(int)
    def _closed(self, result: int) -> None:
        del result
        self.dialog = None
