"""What a knowledge base can be prepared for: a card a way, with what it gives, needs and has.

Last comes the card of its adaptation, which is no way of its own.
"""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtGui import QHideEvent, QShowEvent
from PySide6.QtWidgets import (
    QCheckBox,
    QDialog,
    QDialogButtonBox,
    QVBoxLayout,
    QWidget,
)

from desktop_rag.core.errors import UserError
from desktop_rag.gui.controllers.adaptation import AdaptationController, AdaptationStatus
from desktop_rag.gui.controllers.preparations import PreparationController, PreparationRow
from desktop_rag.gui.display_text import fill, shown_name
from desktop_rag.gui.library.adaptation_card import AdaptationCard
from desktop_rag.gui.library.preparation_card import PreparationCard
from desktop_rag.gui.message_translation import translate_message
from desktop_rag.gui.widgets.cards import text_label
from desktop_rag.gui.widgets.scroll_areas import ColumnScrollArea

_WIDTH, _HEIGHT = 560, 520


class PreparationDialog(QDialog):
    """Follows a knowledge base's preparations and adaptation while it is shown.

    `look_asked` carries the `PreparationRow` of what is to be shown in its place.
    """

    look_asked = Signal(object)

    def __init__(
        self,
        kb: str,
        preparations: PreparationController,
        adaptation: AdaptationController,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle(fill(self.tr("Prepare “%1”"), shown_name(kb)))
        self._kb = kb
        self._preparations = preparations
        self._adaptation = adaptation
        self.adaptation = AdaptationCard()
        self.adaptation.hide()
        self.cards: dict[str, PreparationCard] = {}
        self.uses_model = QCheckBox(self.tr("Let the language model write, where there is one"))
        self.uses_model.setChecked(False)
        self.uses_model.toggled.connect(self._show_again)
        self.complaint = text_label("", "warn")
        self.complaint.hide()
        self._area = ColumnScrollArea()
        self._lay_out()
        preparations.rows_changed.connect(self._show)
        preparations.complained.connect(self._complain)
        self.adaptation.asked.connect(self._adapt)
        adaptation.changed.connect(self._show_adaptation)
        adaptation.complained.connect(self._complain)

    def showEvent(self, event: QShowEvent) -> None:  # noqa: N802 - Qt's
        """Follow from now on."""
        super().showEvent(event)
        self._preparations.watch(self._kb)
        self._adaptation.watch(self._kb)

    def hideEvent(self, event: QHideEvent) -> None:  # noqa: N802 - Qt's
        """Follow no longer."""
        super().hideEvent(event)
        self._preparations.leave()
        self._adaptation.leave()

    @Slot(object)
    def _show(self, rows: tuple[PreparationRow, ...]) -> None:
        for row in rows:
            if row.way not in self.cards:
                card = self.cards[row.way] = PreparationCard(row.way)
                card.asked.connect(self._decide)
                card.look_asked.connect(self._look)
                self._area.column.insertWidget(len(self.cards) - 1, card)
            self.cards[row.way].show_row(row, uses_model=self.uses_model.isChecked())

    @Slot()
    def _show_again(self) -> None:
        self._show(self._preparations.rows)

    @Slot(str, str)
    def _decide(self, way: str, action: str) -> None:
        self.complaint.hide()
        if action == "prepare":
            self._preparations.prepare(way, uses_model=self.uses_model.isChecked())
        elif action == "pause":
            self._preparations.pause(way)
        else:
            self._preparations.remove(way)

    @Slot(object)
    def _show_adaptation(self, status: AdaptationStatus) -> None:
        self.adaptation.show_status(status)
        self.adaptation.show()

    @Slot(str)
    def _adapt(self, action: str) -> None:
        self.complaint.hide()
        if action == "adapt":
            self._adaptation.adapt(uses_model=self.uses_model.isChecked())
        elif action == "stop":
            self._adaptation.stop()
        else:
            self._adaptation.remove()

    @Slot(object)
    def _look(self, row: PreparationRow) -> None:
        self.accept()
        self.look_asked.emit(row)

    @Slot(object)
    def _complain(self, error: UserError) -> None:
        self.complaint.setText(translate_message(error.sentence))
        self.complaint.show()

    def _lay_out(self) -> None:
        told = self.tr(
            "Some ways to answer need work done beforehand. It is done in the background, goes on "
            "where it was stopped, and keeps up with your files. Answers cite the original "
            "passages."
        )
        inside = self._area.column
        inside.setContentsMargins(0, 0, 6, 0)
        inside.setSpacing(10)
        inside.addWidget(self.adaptation)
        inside.addStretch(1)
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Close)
        buttons.rejected.connect(self.reject)
        buttons.button(QDialogButtonBox.StandardButton.Close).setFocus()
        column = QVBoxLayout(self)
        column.setContentsMargins(20, 18, 20, 16)
        column.setSpacing(10)
        column.addWidget(text_label(told, "muted"))
        column.addWidget(self._area, 1)
        column.addWidget(self.complaint)
        column.addWidget(self.uses_model)
        column.addWidget(buttons)
        self.resize(_WIDTH, _HEIGHT)
