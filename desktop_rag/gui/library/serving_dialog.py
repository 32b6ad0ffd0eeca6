"""The question whether other programs may ask a knowledge base, and how they are told of it."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtGui import QFontDatabase, QGuiApplication
from PySide6.QtWidgets import (
    QDialog,
    QDialogButtonBox,
    QHBoxLayout,
    QPlainTextEdit,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from desktop_rag.core.requests import KbRequest
from desktop_rag.gui.display_text import fill, shown_name
from desktop_rag.gui.widgets.dialog_size import fit_height
from desktop_rag.gui.widgets.paragraph import paragraph

_WIDTH = 520
_LINES = 15


class ServingDialog(QDialog):
    """Asks; `agreed` carries the request. `configuration` is what such a program is given."""

    agreed = Signal(object)

    def __init__(
        self, kb: str, configuration: str, parent: QWidget | None = None, *, is_served: bool
    ) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle(self.tr("Other programs"))
        self._kb = kb
        self._is_served = is_served
        self.configuration = QPlainTextEdit(configuration)
        self.copy = QPushButton(self.tr("Copy"))
        self.done_note = paragraph("", "muted")
        self._buttons = QDialogButtonBox()
        self._make_buttons()
        self._lay_out()

    def _make_buttons(self) -> None:
        role = QDialogButtonBox.ButtonRole
        self.copy.setAutoDefault(False)
        self.copy.clicked.connect(self._copy)
        if self._is_served:
            self.decide = self._buttons.addButton(self.tr("No longer allow"), role.DestructiveRole)
            self.leave = self._buttons.addButton(self.tr("Close"), role.RejectRole)
        else:
            self.decide = self._buttons.addButton(self.tr("Allow"), role.ActionRole)
            self.leave = self._buttons.addButton(self.tr("Not now"), role.RejectRole)
        self.decide.setAutoDefault(False)
        self.leave.setDefault(True)
        self.decide.clicked.connect(self._decide)
        self._buttons.rejected.connect(self.reject)

    @Slot()
    def _decide(self) -> None:
        switch = "off" if self._is_served else "on"
        self.accept()
        self.agreed.emit(KbRequest("serve", self._kb, switch=switch))

    @Slot()
    def _copy(self) -> None:
        QGuiApplication.clipboard().setText(self.configuration.toPlainText())
        self.done_note.setText(self.tr("It is on the clipboard."))

    def _lay_out(self) -> None:
        column = QVBoxLayout(self)
        column.setContentsMargins(20, 18, 20, 16)
        column.setSpacing(10)
        asked = self.tr("Let other programs ask “%1”?")
        if self._is_served:
            asked = self.tr("Other programs may ask “%1”.")
        column.addWidget(paragraph(fill(asked, shown_name(self._kb)), "heading"))
        told = self.tr(
            "A program on this computer that speaks the Model Context Protocol can then search "
            "this knowledge base, ask it, and read the text of its documents. It can change "
            "nothing, and your other knowledge bases stay closed to it. What it reads it may send "
            "elsewhere: a program with a language model in the cloud does."
        )
        column.addWidget(paragraph(told, "muted"))
        column.addWidget(paragraph(self.tr("What such a program is configured with:"), ""))
        self._show_configuration()
        column.addWidget(self.configuration)
        row = QHBoxLayout()
        row.addWidget(self.copy)
        row.addWidget(self.done_note, 1)
        column.addLayout(row)
        column.addSpacing(4)
        column.addWidget(self._buttons)
        self.leave.setFocus()
        self.setFixedWidth(_WIDTH)
        fit_height(self, _WIDTH)

    def _show_configuration(self) -> None:
        box = self.configuration
        box.setReadOnly(True)
        box.setTabChangesFocus(True)
        box.setAccessibleName(self.tr("Configuration"))
        box.setFont(QFontDatabase.systemFont(QFontDatabase.SystemFont.FixedFont))
        box.setLineWrapMode(QPlainTextEdit.LineWrapMode.NoWrap)
        lines = min(_LINES, box.document().blockCount())
        box.setFixedHeight(lines * box.fontMetrics().lineSpacing() + 16)
