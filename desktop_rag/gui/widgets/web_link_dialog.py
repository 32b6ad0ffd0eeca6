"""The question before a web address from an answer is opened: it may come from a document."""

from __future__ import annotations

from PySide6.QtCore import Qt, Slot
from PySide6.QtGui import QTextOption
from PySide6.QtWidgets import (
    QDialog,
    QDialogButtonBox,
    QLabel,
    QPlainTextEdit,
    QVBoxLayout,
    QWidget,
)

from desktop_rag.gui.desktop_services import full_address, open_web
from desktop_rag.gui.widgets.text_painting import height_of, lines_of

_WIDTH = 460
_MOST_LINES = 16  # a longer address is scrolled


class WebLinkDialog(QDialog):
    """Shows an address to its end; only Open opens it. Show it with `open()`."""

    def __init__(self, address: str, parent: QWidget) -> None:
        super().__init__(parent)
        self._address = address
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle(self.tr("Open in the browser?"))
        self._lead = QLabel(self.tr("This link leads to the internet:"))
        self.shown = QPlainTextEdit(full_address(address))
        choices = QDialogButtonBox.StandardButton
        self.buttons = QDialogButtonBox(choices.Cancel | choices.Open)
        self.buttons.accepted.connect(self.accept)
        self.buttons.rejected.connect(self.reject)
        self.accepted.connect(self._open_it)
        self._lay_out()
        cancel = self.buttons.button(choices.Cancel)
        cancel.setDefault(True)
        cancel.setFocus()

    @Slot()
    def _open_it(self) -> None:
        open_web(self._address)

    def _lay_out(self) -> None:
        """Break the address wherever a line ends: Qt's message box would cut it off there."""
        shown = self.shown
        shown.setReadOnly(True)
        shown.setTabChangesFocus(True)
        shown.setWordWrapMode(QTextOption.WrapMode.WrapAnywhere)
        shown.setAccessibleName(self._lead.text())
        self.setAccessibleDescription(f"{self._lead.text()} {shown.toPlainText()}")
        lines = lines_of(shown.toPlainText(), shown.font(), _WIDTH, _MOST_LINES)
        shown.setFixedHeight(height_of(len(lines) + 1, shown.font()))
        shown.setMinimumWidth(_WIDTH)
        column = QVBoxLayout(self)
        for widget in (self._lead, shown, self.buttons):
            column.addWidget(widget)
