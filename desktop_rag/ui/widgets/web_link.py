"""The question before a web address from an answer is opened: it may come from a document."""

from __future__ import annotations

from PySide6.QtCore import Qt, Slot
from PySide6.QtWidgets import QMessageBox, QWidget

from desktop_rag.ui.widgets.outside import in_full, open_web


class WebLinkBox(QMessageBox):
    """Shows an address; only Open opens it. Show it with `open()`."""

    def __init__(self, address: str, parent: QWidget) -> None:
        super().__init__(parent)
        self._address = address
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle(self.tr("Open in the browser?"))
        self.setTextFormat(Qt.TextFormat.PlainText)
        self.setText(self.tr("This link leads to the internet:"))
        self.setInformativeText(in_full(address))
        self.setStandardButtons(QMessageBox.StandardButton.Cancel | QMessageBox.StandardButton.Open)
        self.setDefaultButton(QMessageBox.StandardButton.Cancel)
        self.accepted.connect(self._open_it)

    @Slot()
    def _open_it(self) -> None:
        open_web(self._address)
