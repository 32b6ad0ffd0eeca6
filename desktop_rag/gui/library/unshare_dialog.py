"""The question before a knowledge base is shared no more: whether others keep what is there."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtWidgets import (
    QButtonGroup,
    QDialog,
    QDialogButtonBox,
    QRadioButton,
    QVBoxLayout,
    QWidget,
)

from desktop_rag.core.catalog_records import Share
from desktop_rag.core.requests import KbRequest
from desktop_rag.gui.display_text import fill, shown_name
from desktop_rag.gui.library import library_text
from desktop_rag.gui.message_translation import join_sentences
from desktop_rag.gui.widgets.dialog_size import fit_height
from desktop_rag.gui.widgets.paragraph import paragraph

_WIDTH = 460


class UnshareDialog(QDialog):
    """Asks; `agreed` carries the request. Show it with `open()`."""

    agreed = Signal(object)

    def __init__(self, kb: str, share: Share, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self._kb = kb
        self._share = share
        self.setWindowTitle(self.tr("Stop sharing"))
        self.stay = QRadioButton(self.tr("Leave it on the server for the others"))
        self.withdraw = QRadioButton(self.tr("Take it off the server, for everybody"))
        self._buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Cancel)
        role = QDialogButtonBox.ButtonRole.AcceptRole
        self._buttons.addButton(self.tr("Stop sharing"), role).setAutoDefault(False)
        self._buttons.button(QDialogButtonBox.StandardButton.Cancel).setDefault(True)
        self._lay_out()
        self._buttons.accepted.connect(self._agree)
        self._buttons.rejected.connect(self.reject)

    @Slot()
    def _agree(self) -> None:
        request = KbRequest("unshare", self._kb, withdraws=self.withdraw.isChecked())
        self.accept()
        self.agreed.emit(request)

    def _lay_out(self) -> None:
        column = QVBoxLayout(self)
        column.setContentsMargins(20, 18, 20, 16)
        column.setSpacing(10)
        heading = fill(self.tr("Stop sharing “%1”?"), shown_name(self._kb))
        column.addWidget(paragraph(heading, "heading"))
        column.addWidget(paragraph(self._told(), "muted"))
        if self._share.writer:
            choice = QButtonGroup(self)
            for button in (self.stay, self.withdraw):
                choice.addButton(button)
                column.addWidget(button)
        self.stay.setChecked(True)
        column.addSpacing(6)
        column.addWidget(self._buttons)
        self.setFixedWidth(_WIDTH)
        fit_height(self, _WIDTH)

    def _told(self) -> str:
        share = self._share
        where = fill(self.tr("It is “%1” on %2."), share.shared_name, share.server)
        told = [where, self.tr("All of it stays on this computer.")]
        if share.synced:
            in_step = self.tr("Both were last in step %1.")
            told.insert(1, fill(in_step, library_text.moment(share.synced)))
        return join_sentences(*told)
