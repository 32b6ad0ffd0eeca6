"""The dialog of a catalog that turns out damaged while it is open: a new start recovers it."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QDialog, QDialogButtonBox, QLabel, QPushButton, QVBoxLayout, QWidget

from desktop_rag.core.errors import CatalogDamaged
from desktop_rag.gui.message_translation import translate_message
from desktop_rag.gui.widgets.dialog_size import fit_height

_WIDTH = 520


class CatalogDamagedDialog(QDialog):
    """Asks whether the program may start again; rejected, it is to end."""

    def __init__(self, error: CatalogDamaged, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle(self.tr("The catalog is damaged"))
        self.what = _label(translate_message(error.what), "heading")
        self.text = _label(
            self.tr(
                "It can be recovered while it is not in use. “Restart” closes Desktop RAG and "
                "opens it again; it then offers the recovery, as it does whenever you open it "
                "next. Your own files are not touched."
            ),
            "",
        )
        self.restart = QPushButton(self.tr("Restart"))
        self.restart.setObjectName("primary")
        self.leave = QPushButton(self.tr("Quit"))
        self._lay_out()
        self.restart.clicked.connect(self.accept)
        self.leave.clicked.connect(self.reject)

    def _lay_out(self) -> None:
        buttons = QDialogButtonBox()
        buttons.addButton(self.leave, QDialogButtonBox.ButtonRole.RejectRole)
        buttons.addButton(self.restart, QDialogButtonBox.ButtonRole.AcceptRole)
        self.restart.setDefault(True)
        column = QVBoxLayout(self)
        column.setContentsMargins(20, 18, 20, 16)
        column.setSpacing(12)
        column.addWidget(self.what)
        column.addWidget(self.text)
        column.addStretch(1)
        column.addWidget(buttons)
        self.setMinimumWidth(_WIDTH)
        fit_height(self, _WIDTH)
        self.setAccessibleName(self.what.text())
        self.setAccessibleDescription(self.text.text())
        self.restart.setFocus()


def _label(text: str, role: str) -> QLabel:
    made = QLabel(text)
    made.setObjectName(role)
    made.setWordWrap(True)
    made.setTextFormat(Qt.TextFormat.PlainText)
    made.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
    return made
