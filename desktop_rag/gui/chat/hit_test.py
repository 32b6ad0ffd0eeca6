"""What lies under a point of a conversation, or at a place in its text, and what is told of it."""

from __future__ import annotations

from PySide6.QtCore import QPoint, Qt

from desktop_rag.gui.chat import source_tooltips, transcript_links
from desktop_rag.gui.chat.safe_markdown import CITE, is_web
from desktop_rag.gui.chat.sentence_highlights import HoveredSentence, sentence_at
from desktop_rag.gui.chat.transcript_background import TranscriptBackground
from desktop_rag.gui.chat.transcript_links import CitationClick
from desktop_rag.gui.chat.virtual_transcript import VirtualTranscript
from desktop_rag.gui.controllers.transcript import Turn
from desktop_rag.gui.widgets.tooltips import tip


class HitTest:
    """Looks into one roll, and at what is painted behind its words."""

    def __init__(self, roll: VirtualTranscript, ground: TranscriptBackground) -> None:
        self._roll = roll
        self._ground = ground

    @property
    def _turns(self) -> tuple[Turn, ...]:
        return self._roll.sheet.content.turns

    def sentence(self, at: QPoint) -> HoveredSentence | None:
        """Return the sentence of an answer under a point."""
        position = self._position(at)
        return sentence_at(self._roll.sheet, position) if position >= 0 else None

    def is_passage(self, at: QPoint) -> bool:
        """Say whether a passage of a graph lies under a point."""
        node = self._ground.node_at(at)
        return node is not None and bool(node.address)

    def reference(self, address: str, position: int) -> CitationClick | None:
        """Return the source that a citation's link means, at a place in the text."""
        link, found = transcript_links.parsed(address), self._roll.sheet.writer_at(position)
        if link is None or link.kind != CITE or found is None:
            return None
        turn = found[0]
        if not 1 <= link.number <= len(self._turns[turn].sources):
            return None
        return CitationClick(turn, link.number)

    def tip(self, at: QPoint) -> str:
        """Return what is told of what lies under a point, "" for nothing."""
        address, sentence = self._roll.anchorAt(at), self.sentence(at)
        pointed = self.reference(address, self._roll.cursorForPosition(at).position())
        if pointed is not None:
            turn = self._turns[pointed.turn]
            return source_tooltips.of_source(
                turn, pointed.n, sentence.sentence if sentence else None
            )
        if is_web(address):
            return source_tooltips.of_address(address)
        if sentence is not None and sentence.sentence in self._turns[sentence.turn].from_model:
            return source_tooltips.unsupported()
        node = self._ground.node_at(at)
        told = node.title if node is not None else self._told(self._position(at))
        return tip(told) if told else ""

    def _told(self, position: int) -> str:
        """Return what is told of a word of a draft: how probable the model found it."""
        if position < 0:
            return ""
        cursor = self._roll.textCursor()
        cursor.setPosition(position)
        cursor.movePosition(cursor.MoveOperation.NextCharacter)
        return cursor.charFormat().toolTip()

    def _position(self, at: QPoint) -> int:
        """Return the place in the document of a letter on screen, -1 for none."""
        roll = self._roll
        bars = QPoint(roll.horizontalScrollBar().value(), roll.verticalScrollBar().value())
        layout = roll.document().documentLayout()
        return layout.hitTest((at + bars).toPointF(), Qt.HitTestAccuracy.ExactHit)
