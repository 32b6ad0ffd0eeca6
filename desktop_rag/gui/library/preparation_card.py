"""The card of a way that a knowledge base can be prepared for."""

from __future__ import annotations

from PySide6.QtCore import Signal, Slot
from PySide6.QtWidgets import QPushButton

from desktop_rag.gui.controllers.preparations import PreparationRow
from desktop_rag.gui.display_text import fill
from desktop_rag.gui.library.background_work_card import BackgroundWorkCard
from desktop_rag.gui.message_translation import translate_message
from desktop_rag.gui.widgets.cards import text_label


class PreparationCard(BackgroundWorkCard):
    """One way. `asked` carries its name and `prepare`, `pause` or `remove`.

    `look_asked` carries the row of one of which there is something to see.
    """

    asked = Signal(str, str)
    look_asked = Signal(object)

    def __init__(self, way: str) -> None:
        self.remark = text_label("", "small")
        self.look = QPushButton()
        super().__init__((self.remark,), (self.look,))
        self.way = way
        self._row: PreparationRow | None = None
        self.remove.setText(self.tr("Remove"))
        self.look.setText(self.tr("Look at it…"))
        self.look.clicked.connect(self._look)

    def show_row(self, row: PreparationRow, *, uses_model: bool) -> None:
        """Show how far it is; of one that is not begun, what is told with a model, or without."""
        self._row = row
        self.title.setText(translate_message(row.title))
        self.effect.setText(translate_message(row.effect))
        is_new = row.state == "none"
        remark = row.remark_with_model if is_new and uses_model else row.remark
        self.remark.setText(translate_message(remark))
        self.remark.setVisible(bool(remark))
        self.state.setText(self._told(row))
        is_at_work = row.state == "waiting"
        self.action = "pause" if is_at_work else "prepare"
        goes_on = row.state == "paused"
        self.go.setText(
            self.tr("Pause") if is_at_work else self.tr("Go on") if goes_on else self.tr("Prepare")
        )
        self.go.setVisible(row.state != "ready")
        self.go.setEnabled(bool(row.documents))
        self.remove.setVisible(not is_new)
        self.look.setVisible(not is_new and row.texts > 0)
        self.show_progress(row.prepared, row.documents, is_shown=is_at_work or goes_on)
        self.name_buttons()

    def decide(self, action: str) -> None:
        """Ask for what was chosen."""
        self.asked.emit(self.way, action)

    def _told(self, row: PreparationRow) -> str:
        if not row.documents:
            return self.tr("There is nothing to prepare yet.")
        if row.state == "none":
            passages = f"{row.passages_left:,}"
            return fill(self.tr("Not prepared · %1 passages to go through"), passages)
        counts = fill(
            self.tr("%1 of %2 documents, %3 derived texts"),
            f"{row.prepared:,}",
            f"{row.documents:,}",
            f"{row.texts:,}",
        )
        by = fill(self.tr("by %1"), row.model) if row.model else self.tr("without a language model")
        states = {
            "ready": self.tr("Prepared"),
            "paused": self.tr("Paused"),
            "waiting": self.tr("Being prepared when nothing else is read"),
        }
        return f"{states[row.state]} · {counts} · {by}"

    @Slot()
    def _look(self) -> None:
        self.look_asked.emit(self._row)
