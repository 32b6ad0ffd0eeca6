"""What a change of chunking means for what is indexed already."""

from __future__ import annotations

from PySide6.QtCore import Slot
from PySide6.QtWidgets import QHBoxLayout, QPushButton, QWidget

from desktop_rag.gui.controllers.app_context import AppContext
from desktop_rag.gui.widgets.cards import text_label


class RechunkRow(QWidget):
    """Says when documents are cut anew, and does it on request."""

    def __init__(self, desk: AppContext) -> None:
        super().__init__()
        self._desk = desk
        self._asked = False
        self.said = text_label("", "muted")
        self.now = QPushButton(self.tr("Do it now"))
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 12, 0, 0)
        row.addWidget(self.said, 1)
        row.addWidget(self.now)
        self.now.clicked.connect(self._cut)
        desk.settings.settings_changed.connect(self._show)
        self._show()

    @Slot()
    def _show(self) -> None:
        self._asked = False
        self._say()

    @Slot()
    def _cut(self) -> None:
        """Bring every knowledge base up to date under today's settings."""
        self._desk.library.look_everywhere()
        self._asked = True
        self._say()

    def _say(self) -> None:
        later = self.tr(
            "After a change, documents are cut anew when they are next indexed: at the latest "
            "when the program starts again. Until then they are found as they are."
        )
        begun = self.tr("Documents are being looked through; you can close the settings.")
        self.said.setText(begun if self._asked else later)
        self.now.setEnabled(not self._asked)
