"""Asks where the rows of an answer are written to."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtWidgets import QFileDialog, QWidget

from desktop_rag.gui.chat.export_dialog import file_name


class TableDialog(QFileDialog):
    """A file picker; `settled` carries the path. Open it with `open()`."""

    settled = Signal(object)

    def __init__(self, title: str, parent: QWidget | None = None) -> None:
        super().__init__(parent, "", str(Path.home()))
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle(self.tr("Save as table"))
        self.setAcceptMode(QFileDialog.AcceptMode.AcceptSave)
        self.setFileMode(QFileDialog.FileMode.AnyFile)
        self._endings = {
            self.tr("Table for any program (*.csv)"): "csv",
            self.tr("Excel workbook (*.xlsx)"): "xlsx",
        }
        self.setNameFilters(list(self._endings))
        self.selectFile(f"{file_name(title)}.csv")
        self._suffix()
        self.filterSelected.connect(self._suffix)
        self.fileSelected.connect(self._settle)

    @Slot()
    def _suffix(self) -> None:
        """Let a name without an ending have that of the form."""
        self.setDefaultSuffix(self._ending)

    @property
    def _ending(self) -> str:
        return self._endings.get(self.selectedNameFilter(), "csv")

    @Slot(str)
    def _settle(self, path: str) -> None:
        known = path.lower().endswith((".csv", ".xlsx"))
        self.settled.emit(path if known else f"{path}.{self._ending}")
