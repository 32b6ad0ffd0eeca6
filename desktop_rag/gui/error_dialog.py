"""The report of errors, and the one dialog that tells of them, however many there are.

The report may be given to anybody: it has no text of documents, no names, no paths.
"""

from __future__ import annotations

import platform
from collections.abc import Mapping
from pathlib import Path

from PySide6.QtCore import QLocale, QSysInfo, Qt, Slot, qVersion
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import (
    QDialog,
    QDialogButtonBox,
    QHBoxLayout,
    QLabel,
    QPushButton,
    QStyle,
    QVBoxLayout,
    QWidget,
)

from desktop_rag.core import version
from desktop_rag.core.errors import UserError
from desktop_rag.gui import desktop_services
from desktop_rag.gui.controllers.path_reachability import locate
from desktop_rag.gui.message_translation import translate_message

_WIDTH = 460
_SIGN = 40


def error_report(errors: Mapping[str, int]) -> str:
    """Return the report of errors, each as `safe_traceback` tells it, with how often it came."""
    head = (
        f"Desktop RAG {version.installed()}",
        f"System: {QSysInfo.prettyProductName()}, {QSysInfo.currentCpuArchitecture()}",
        f"Python {platform.python_version()}, Qt {qVersion()}, {QGuiApplication.platformName()}",
        f"Language: {QLocale().name()}, scale {_scale()}",
    )
    parts = [f"{times} ×\n{told}" for told, times in errors.items()]
    return "\n\n".join(["\n".join(head), *parts]) + "\n"


def _scale() -> str:
    screen = QGuiApplication.primaryScreen()
    return f"{screen.devicePixelRatio():g}" if screen is not None else "unknown"


class ErrorDialog(QDialog):
    """Says what went wrong and what to do. `tell` says it again, or of another error.

    The report is what goes to the clipboard; it is empty for an error that the user can mend.
    """

    def __init__(self, logs: Path, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._logs = logs
        self.report = ""
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle(self.tr("Something went wrong"))
        self.what = _text("heading")
        self.remedy = _text("")
        self.times = _text("muted")
        self.done_note = _text("muted")
        self.copy = QPushButton(self.tr("Copy report"))
        self.copy.setToolTip(
            self.tr("Version, system and places in the code; no text, names or paths of yours")
        )
        self.folder = QPushButton(self.tr("Open log folder"))
        self._buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Close)
        self._buttons.addButton(self.copy, QDialogButtonBox.ButtonRole.ActionRole)
        self._buttons.addButton(self.folder, QDialogButtonBox.ButtonRole.ActionRole)
        self._lay_out()
        self._buttons.rejected.connect(self.reject)
        self.copy.clicked.connect(self._copy)
        self.folder.clicked.connect(self._open_folder)

    def tell(self, error: Exception, times: int, report: str) -> None:
        """Show the first error; how often errors came; what there is to copy."""
        if not self.what.text():
            self._say(error)
        self.report = report
        self.times.setText(self.tr("This came up %n time(s).", "", times))
        self.times.setVisible(times > 1)
        self.copy.setVisible(bool(report))
        self.done_note.clear()

    def _say(self, error: Exception) -> None:
        if isinstance(error, UserError):
            self.what.setText(translate_message(error.what))
            self.remedy.setText(translate_message(error.remedy))
        else:
            self.what.setText(self.tr("Something went wrong in the program itself."))
            self.remedy.setText(
                self.tr(
                    "You can go on working; what is finished is safe. “Copy report” copies "
                    "details that help to repair this, for you to pass on."
                )
            )
        self.setAccessibleName(self.what.text())
        self.setAccessibleDescription(self.remedy.text())

    @Slot()
    def _copy(self) -> None:
        QGuiApplication.clipboard().setText(self.report)
        self.done_note.setText(self.tr("The report is on the clipboard."))

    @Slot()
    def _open_folder(self) -> None:
        try:
            desktop_services.open_file(locate(str(self._logs)))
        except UserError as error:
            self.done_note.setText(translate_message(f"{error.what} {error.remedy}"))

    def _lay_out(self) -> None:
        sign = QLabel()
        drawn = self.style().standardIcon(QStyle.StandardPixmap.SP_MessageBoxWarning)
        sign.setPixmap(drawn.pixmap(_SIGN, _SIGN))
        texts = QVBoxLayout()
        texts.setSpacing(8)
        for label in (self.what, self.remedy, self.times, self.done_note):
            texts.addWidget(label)
        top = QHBoxLayout()
        top.setSpacing(14)
        top.addWidget(sign, 0, Qt.AlignmentFlag.AlignTop)
        top.addLayout(texts, 1)
        column = QVBoxLayout(self)
        column.setContentsMargins(20, 18, 20, 16)
        column.setSpacing(16)
        column.addLayout(top)
        column.addWidget(self._buttons)
        self.setMinimumWidth(_WIDTH)


def _text(role: str) -> QLabel:
    """Return a label that wraps and can be copied from."""
    made = QLabel()
    made.setObjectName(role)
    made.setWordWrap(True)
    made.setTextFormat(Qt.TextFormat.PlainText)
    made.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
    return made
