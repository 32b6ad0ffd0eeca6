"""The page of RGB's abilities: what would be measured of a language model that reads passages.

RGB: Chen et al. 2024, arXiv 2309.01431.
"""

from __future__ import annotations

from PySide6.QtCore import Qt, Slot
from PySide6.QtWidgets import QLabel, QVBoxLayout, QWidget

from desktop_rag.gui.controllers.llm_health import Health, Missing, NoModel
from desktop_rag.gui.lab.evaluation_text import ability_names, ability_text, criterion_text, tr
from desktop_rag.gui.message_translation import join_sentences, translate_message
from desktop_rag.gui.theme import scaled

_WIDEST = 620  # pixels of a line that is read


class RgbPage(QWidget):
    """Says what would be measured, before there is a run; and what is missing for one."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("desk")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.missing = _label("")
        self.missing.setObjectName("note")
        read = QWidget()
        read.setMaximumWidth(_WIDEST)
        inner = QVBoxLayout(read)
        inner.setContentsMargins(0, 0, 0, 0)
        inner.setSpacing(3)
        heading = _label(tr("How does the language model read what it is given?"))
        heading.setObjectName("heading")
        inner.addWidget(heading)
        inner.addWidget(self.missing)
        for ability, said in ability_names().items():
            inner.addSpacing(6)
            named = _label(said)
            named.setFont(scaled(named.font(), 1.0, bold=True))
            inner.addWidget(named)
            inner.addWidget(_label(ability_text(ability)))
            inner.addWidget(_muted(criterion_text(ability)))
        inner.addSpacing(10)
        inner.addWidget(_muted(_made()))
        inner.addStretch(1)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 8, 0, 8)
        column.addWidget(read)
        self.missing.hide()

    @Slot(object)
    def show_health(self, health: Health) -> None:
        """Say so where there is no language model, and what to do about it."""
        without = tr("This needs a language model, and there is none now.")
        if isinstance(health, Missing):
            self.missing.setText(
                join_sentences(
                    without, translate_message(health.what), translate_message(health.remedy)
                )
            )
        elif isinstance(health, NoModel):
            remedy = tr("Get Ollama a model, for example: ollama pull qwen3:4b")
            self.missing.setText(join_sentences(without, remedy))
        self.missing.setVisible(isinstance(health, (Missing, NoModel)))


def _made() -> str:
    return tr(
        "Made of the questions of this set that have an answer and one passage; 3 are needed. "
        "Nothing is searched: up to five passages are put before the model, in up to four calls "
        "for each question. Words are compared; no model judges. After RGB (Chen et al. 2024)."
    )


def _muted(text: str) -> QLabel:
    label = _label(text)
    label.setObjectName("muted")
    return label


def _label(text: str) -> QLabel:
    label = QLabel(text)
    label.setTextFormat(Qt.TextFormat.PlainText)
    label.setWordWrap(True)
    return label
