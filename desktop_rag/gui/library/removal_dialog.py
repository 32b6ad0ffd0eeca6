"""The question before something is taken out: what goes, what stays, and what of its quotes."""

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

from desktop_rag.gui.controllers.library_previews import KEEP, LOSE, RemovalPreview
from desktop_rag.gui.display_text import fill, shown_name
from desktop_rag.gui.library import library_text
from desktop_rag.gui.message_translation import join_sentences
from desktop_rag.gui.widgets.dialog_size import fit_height
from desktop_rag.gui.widgets.paragraph import paragraph

_WIDTH = 460


class RemovalDialog(QDialog):
    """Asks; `agreed` carries the request. Show it with `open()`."""

    agreed = Signal(object)

    def __init__(self, removal: RemovalPreview, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self._removal = removal
        whole = not removal.paths
        self.setWindowTitle(
            self.tr("Delete knowledge base") if whole else self.tr("Remove from the knowledge base")
        )
        self.keep = QRadioButton(self.tr("Keep these quotes"))
        self.lose = QRadioButton(self.tr("Remove the quotes from the conversations, too"))
        if removal.notes:
            self.lose.setText(self.tr("Remove the quotes from conversations and notes, too"))
        if removal.questions:
            self.keep.setText(self.tr("Keep the quotes and the test questions"))
            self.lose.setText(self.tr("Remove the quotes and the test questions, too"))
        self._buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Cancel)
        self.go = self._buttons.addButton(
            self.tr("Delete") if whole else self.tr("Remove"),
            QDialogButtonBox.ButtonRole.AcceptRole,
        )
        self.go.setAutoDefault(False)
        self._buttons.button(QDialogButtonBox.StandardButton.Cancel).setDefault(True)
        self._lay_out()
        self._buttons.accepted.connect(self._agree)
        self._buttons.rejected.connect(self.reject)

    @Slot()
    def _agree(self) -> None:
        quotes = LOSE if self.lose.isChecked() else KEEP
        self.accept()
        self.agreed.emit(self._removal.request(quotes))

    def _lay_out(self) -> None:
        column = QVBoxLayout(self)
        column.setContentsMargins(20, 18, 20, 16)
        column.setSpacing(10)
        column.addWidget(paragraph(self._heading(), "heading"))
        column.addWidget(paragraph(self._told(), "muted"))
        if self._removal.quoting:
            column.addSpacing(4)
            column.addWidget(paragraph(self._quoted(), ""))
            choice = QButtonGroup(self)
            for button in (self.keep, self.lose):
                choice.addButton(button)
                column.addWidget(button)
        self.keep.setChecked(True)
        column.addSpacing(6)
        column.addWidget(self._buttons)
        self.setFixedWidth(_WIDTH)
        fit_height(self, _WIDTH)

    def _heading(self) -> str:
        removal = self._removal
        if not removal.paths:
            return self.tr("Delete the knowledge base “%1”?").replace("%1", shown_name(removal.kb))
        what = library_text.files(removal.files)
        if len(removal.paths) == 1:
            what = self.tr("“%1”").replace("%1", library_text.last_name(removal.paths[0]))
        said = self.tr("Remove %1 from “%2”?")
        return fill(said, what, shown_name(removal.kb))

    def _told(self) -> str:
        removal = self._removal
        said = self.tr(
            "What was read of %1 (%2) is deleted from this computer for good. "
            "The files themselves stay where they are."
        )
        passages = library_text.passages(removal.passages)
        return said.replace("%2", passages).replace("%1", library_text.files(removal.files))

    def _quoted(self) -> str:
        number, questions = self._removal.conversations, self._removal.questions
        told = []
        if number == 1:
            told.append(self.tr("One conversation quotes from them."))
        elif number:
            told.append(self.tr("%1 conversations quote from them.").replace("%1", f"{number:,}"))
        if self._removal.notes:
            text = self.tr("Notes that quote from them: %1.")
            told.append(text.replace("%1", f"{self._removal.notes:,}"))
        if questions:
            text = self.tr("Test questions that they answer: %1.")
            told.append(text.replace("%1", f"{questions:,}"))
        return join_sentences(*told)
