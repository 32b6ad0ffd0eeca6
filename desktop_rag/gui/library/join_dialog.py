"""The choice of a knowledge base on the shared Chroma server, to be fetched and followed."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtWidgets import (
    QDialog,
    QDialogButtonBox,
    QListWidget,
    QListWidgetItem,
    QVBoxLayout,
    QWidget,
)

from desktop_rag.core.errors import UserError
from desktop_rag.core.requests import KbRequest
from desktop_rag.core.sanitize import sanitize_name
from desktop_rag.gui.controllers.library_commands import LibraryCommands
from desktop_rag.gui.controllers.library_previews import JoinableBase
from desktop_rag.gui.display_text import fill, shown_name
from desktop_rag.gui.message_translation import translate_message
from desktop_rag.gui.widgets.dialog_size import fit_height
from desktop_rag.gui.widgets.paragraph import paragraph

_WIDTH = 460
_LIST_HEIGHT = 150  # pixels
_NAME = Qt.ItemDataRole.UserRole


class JoinDialog(QDialog):
    """Lists what is there as soon as the server told it; `agreed` carries the request."""

    agreed = Signal(object)

    def __init__(self, commands: LibraryCommands, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle(self.tr("Join a shared knowledge base"))
        self.bases = QListWidget()
        self.bases.setObjectName("plain")
        self.bases.setAccessibleName(self.tr("Shared knowledge bases"))
        self.bases.setFixedHeight(_LIST_HEIGHT)
        self.told = paragraph(self.tr("Asking the server…"), "muted")
        self._buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Cancel)
        self.go = self._buttons.addButton(self.tr("Join"), QDialogButtonBox.ButtonRole.AcceptRole)
        self.go.setObjectName("primary")
        self.go.setDefault(True)
        self.go.setEnabled(False)
        self._lay_out()
        self.bases.currentItemChanged.connect(self._refresh)
        self.bases.itemActivated.connect(self._agree)
        self._buttons.accepted.connect(self._agree)
        self._buttons.rejected.connect(self.reject)
        commands.server_listed.connect(self._list)
        commands.server_refused.connect(self._complain)
        commands.list_server()

    @Slot(object)
    def _list(self, bases: tuple[JoinableBase, ...]) -> None:
        self.bases.clear()
        for base in bases:
            self._add(base)
        joinable = [row for row, base in enumerate(bases) if not base.here]
        if joinable:
            self.bases.setCurrentRow(joinable[0])
            self.bases.setFocus()
            self._say(self.tr("All of it is fetched to this computer, and followed from then on."))
        elif bases:
            self._say(self.tr("You have all that is shared there."))
        else:
            self._say(self.tr("Nothing is shared there yet."))

    @Slot(object)
    def _complain(self, error: UserError) -> None:
        self._say(translate_message(error.sentence))

    def _add(self, base: JoinableBase) -> None:
        name = sanitize_name(base.shared_name)
        if not base.here:
            item = QListWidgetItem(name, self.bases)
            item.setData(_NAME, base.shared_name)
            return
        here = fill(self.tr("%1 – here as “%2”"), name, shown_name(base.here))
        QListWidgetItem(here, self.bases).setFlags(Qt.ItemFlag.NoItemFlags)

    def _say(self, text: str) -> None:
        self.told.setText(text)
        fit_height(self, _WIDTH)

    @Slot()
    def _refresh(self) -> None:
        self.go.setEnabled(bool(self._chosen()))

    @Slot()
    def _agree(self) -> None:
        if name := self._chosen():
            self.accept()
            self.agreed.emit(KbRequest("join", name))

    def _chosen(self) -> str:
        item = self.bases.currentItem()
        return str(item.data(_NAME) or "") if item is not None else ""

    def _lay_out(self) -> None:
        column = QVBoxLayout(self)
        column.setContentsMargins(20, 18, 20, 16)
        column.setSpacing(10)
        heading = self.tr("What is shared on the server of your settings?")
        column.addWidget(paragraph(heading, "heading"))
        column.addWidget(self.bases)
        column.addWidget(self.told)
        column.addSpacing(6)
        column.addWidget(self._buttons)
        self.setFixedWidth(_WIDTH)
        fit_height(self, _WIDTH)
