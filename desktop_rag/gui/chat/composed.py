"""What is being written in a composer, for another one to go on with."""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtWidgets import QComboBox

from desktop_rag.gui.chat.composer import ComposedQuestion, Composer


@dataclass(frozen=True, slots=True)
class ComposerState:
    """The question so far with what is chosen for it, what waits behind it, and the cursor."""

    asked: ComposedQuestion
    aside: str
    cursor: int


def composed(composer: Composer) -> ComposerState:
    """Return what is being written."""
    edit = composer.edit
    return ComposerState(
        composer.asked(edit.toPlainText()), composer.aside, edit.textCursor().position()
    )


def compose_again(composer: Composer, before: ComposerState) -> None:
    """Let a new composer go on with what was being written."""
    asked = before.asked
    if asked.place is None:
        composer.put_draft(asked.text)
    else:
        composer.put_draft(before.aside)
        composer.edit_question(asked.place, asked.text)
    cursor = composer.edit.textCursor()
    cursor.setPosition(before.cursor)
    composer.edit.setTextCursor(cursor)
    composer.chips.choose(asked.kbs)
    _choose(composer.controls.strategies, asked.strategy)
    _choose(composer.controls.models, asked.model)


def _choose(box: QComboBox, value: str) -> None:
    if (row := box.findData(value)) >= 0:
        box.setCurrentIndex(row)
