"""Sentences and quotes find each other: what is pointed at in the answer, what is marked in it."""

from __future__ import annotations

from typing import NamedTuple

from PySide6.QtGui import QTextCharFormat, QTextCursor
from PySide6.QtWidgets import QTextEdit

from desktop_rag.gui.chat.sentence_positions import ShownSentence
from desktop_rag.gui.chat.turn_writer import TurnWriter
from desktop_rag.gui.chat.visible_turns import VisibleTurns
from desktop_rag.gui.colors import Colors


class HoveredSentence(NamedTuple):
    """A sentence of a turn's answer, and the indexes of the turn's citations it rests on."""

    turn: int
    sentence: int
    citations: tuple[int, ...]


class SentenceHighlights:
    """Which sentences are marked: one that is pointed at, and those that cite a source."""

    def __init__(self) -> None:
        self.pointed: HoveredSentence | None = None
        self.source: tuple[int, int] | None = None

    def selections(self, sheet: VisibleTurns, colors: Colors) -> list[QTextEdit.ExtraSelection]:
        """Return what is to be painted behind the text, of the turns that are written."""
        made: list[QTextEdit.ExtraSelection] = []
        for number, writer in enumerate(sheet.writers, sheet.first):
            turn = writer.turn
            is_cited = self.source is not None and self.source[0] == number
            is_pointed = self.pointed is not None and self.pointed.turn == number
            if turn is None or not (is_cited or is_pointed):
                continue
            for claim in writer.claims():
                cites = {turn.citations[i].n for i in claim.citations}
                if is_cited and self.source is not None and self.source[1] in cites:
                    made.append(_behind(writer, claim, colors, "mark"))
                elif self.pointed == HoveredSentence(number, claim.sentence, claim.citations):
                    made.append(_behind(writer, claim, colors, "hover"))
        return made


def sentence_at(sheet: VisibleTurns, position: int) -> HoveredSentence | None:
    """Return the sentence of an answer at a place in the document."""
    found = sheet.writer_at(position)
    if found is None:
        return None
    for claim in found[1].claims():
        if claim.start <= position < claim.end:
            return HoveredSentence(found[0], claim.sentence, claim.citations)
    return None


def _behind(
    writer: TurnWriter, claim: ShownSentence, colors: Colors, role: str
) -> QTextEdit.ExtraSelection:
    look = QTextCharFormat()
    look.setBackground(colors.of(role))
    made = QTextEdit.ExtraSelection()
    cursor = writer.frame.firstCursorPosition()
    cursor.setPosition(claim.start)
    cursor.setPosition(claim.end, QTextCursor.MoveMode.KeepAnchor)
    made.cursor = cursor
    made.format = look
    return made
