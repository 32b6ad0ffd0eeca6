"""What is measured of a language model that reads passages: four abilities, and what is right.

They are RGB's (Chen et al. 2024, arXiv 2309.01431).
"""

from __future__ import annotations

from collections.abc import Mapping

from PySide6.QtCore import Qt, Slot
from PySide6.QtWidgets import QLabel, QVBoxLayout, QWidget

from desktop_rag.gui.controllers.llm_health import Health, Missing, NoModel
from desktop_rag.gui.lab.eval_words import tr
from desktop_rag.gui.message_translation import join_sentences, translate_message
from desktop_rag.gui.theme import scaled

NOISE, REJECTION = "noise_robustness", "negative_rejection"
INTEGRATION, COUNTERFACTUAL = "information_integration", "counterfactual_robustness"

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
        for ability, said in _names().items():
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


def is_ability(ability: str) -> bool:
    """Say whether this is the name of an ability."""
    return ability in _names()


def ability_name(ability: str) -> str:
    """Return an ability's name for people."""
    return _names().get(ability, ability)


def ability_text(ability: str) -> str:
    """Return what an ability is, as the question that is put."""
    return {
        NOISE: tr(
            "The answer stands in one passage, the others are about something else: is it given?"
        ),
        REJECTION: tr(
            "No passage holds the answer: does the model say so, instead of making one up?"
        ),
        INTEGRATION: tr(
            "Two questions at once, each with its own passage: are both answers given?"
        ),
        COUNTERFACTUAL: tr(
            "Beside the passage stands a copy with another answer: is the right one still given?"
        ),
    }.get(ability, "")


def criterion_text(ability: str) -> str:
    """Return by what a reply is judged."""
    holds = tr("Right is a reply that holds the saved answer word for word, whatever else it says.")
    return {
        REJECTION: tr("Right is a reply that says that nothing was found."),
        INTEGRATION: tr("Right is a reply that holds both saved answers word for word."),
    }.get(ability, holds)


def ability_row_text(figures: Mapping[str, object], before: Mapping[str, object]) -> str:
    """Return what a row of figures is about: the ability, by what it was judged, and the model.

    `before` are the figures of the run before, empty where there are none.
    """
    ability, model = str(figures["ability"]), figures["model"]
    was = tr("The model was %1.", model)
    if before.get("model", model) != model:
        was = tr("The model was %1; in the run before it was %2.", model, before["model"])
    return join_sentences(
        ability_text(ability), criterion_text(ability), tr("No model judges."), was
    )


def _made() -> str:
    return tr(
        "Made of the questions of this set that have an answer and one passage; 3 are needed. "
        "Nothing is searched: up to five passages are put before the model, in up to four calls "
        "for each question. Words are compared; no model judges. After RGB (Chen et al. 2024)."
    )


def _names() -> dict[str, str]:
    return {
        NOISE: tr("Finds the answer among noise"),
        REJECTION: tr("Says when there is none"),
        INTEGRATION: tr("Joins two answers"),
        COUNTERFACTUAL: tr("Withstands a false copy"),
    }


def _muted(text: str) -> QLabel:
    label = _label(text)
    label.setObjectName("muted")
    return label


def _label(text: str) -> QLabel:
    label = QLabel(text)
    label.setTextFormat(Qt.TextFormat.PlainText)
    label.setWordWrap(True)
    return label
