"""Asks where conversations are written to, and in what form."""

from __future__ import annotations

import re
from pathlib import Path

from PySide6.QtCore import QCoreApplication, QLocale, Qt, Signal, Slot
from PySide6.QtWidgets import QFileDialog, QWidget

from desktop_rag.gui.controllers.conversation_export import FORMS
from desktop_rag.gui.controllers.export_labels import ExportLabels
from desktop_rag.gui.display_text import locator_text

_NOT_IN_NAMES = re.compile(r'[<>:"/\\|?*\x00-\x1f]+')
_LONGEST = 80


class ExportDialog(QFileDialog):
    """A file picker; `settled` carries the path and the form. Open it with `open()`.

    `endings` are the forms, the first of them chosen, with how their files' names end.
    """

    settled = Signal(object)
    endings = FORMS

    def __init__(self, title: str, parent: QWidget | None = None) -> None:
        super().__init__(parent, "", str(Path.home()))
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle(self.tr("Export"))
        self.setAcceptMode(QFileDialog.AcceptMode.AcceptSave)
        self.setFileMode(QFileDialog.FileMode.AnyFile)
        self._forms = self.offered()
        self.setNameFilters(list(self._forms))
        self.selectFile(file_name(title) + next(iter(self.endings.values())))
        self._suffix()
        self.filterSelected.connect(self._suffix)
        self.fileSelected.connect(self._settle)

    def offered(self) -> dict[str, str]:
        """Return the forms by what they are called."""
        return {
            self.tr("Markdown (*.md)"): "markdown",
            self.tr("Web page (*.html)"): "html",
            self.tr("JSON, with all branches (*.json)"): "json",
        }

    @Slot()
    def _suffix(self) -> None:
        """Let a name without an ending have that of the form."""
        self.setDefaultSuffix(self.endings[self._form()].removeprefix("."))

    @Slot(str)
    def _settle(self, path: str) -> None:
        self.settled.emit((Path(path), self._form()))

    def _form(self) -> str:
        return self._forms.get(self.selectedNameFilter(), next(iter(self.endings)))


def file_name(title: str) -> str:
    """Return a title as a file may be named."""
    plain = " ".join(_NOT_IN_NAMES.sub(" ", title).split())[:_LONGEST].strip(" .")
    return plain or "conversation"


def export_labels() -> ExportLabels:
    """Return the words that an exported conversation has between what was said."""
    return ExportLabels(
        sources=QCoreApplication.translate("Export", "Sources"),
        stopped=QCoreApplication.translate("Export", "Stopped"),
        language=QLocale().bcp47Name(),
        place=locator_text,
    )
