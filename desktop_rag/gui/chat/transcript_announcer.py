"""What a screen reader is told of a conversation: politely, when it has ended its sentence."""

from __future__ import annotations

from PySide6.QtCore import QObject, Signal
from PySide6.QtGui import QAccessible, QAccessibleAnnouncementEvent

from desktop_rag.gui.chat import transcript_text
from desktop_rag.gui.chat.transcript_text import tr
from desktop_rag.gui.controllers.transcript import Answered, InProgress, Turn
from desktop_rag.gui.message_translation import join_sentences, translate_message

_SAID = 400  # characters of an answer that are announced; the rest is read where it stands


class TranscriptAnnouncer(QObject):
    """Announces for the object it belongs to; `said` carries what was announced."""

    said = Signal(object)

    def __init__(self, of: QObject) -> None:
        super().__init__(of)
        self._of = of

    def say(self, text: str) -> None:
        """Have something said when the screen reader has finished its sentence."""
        event = QAccessibleAnnouncementEvent(self._of, text)
        event.setPoliteness(QAccessible.AnnouncementPoliteness.Polite)
        QAccessible.updateAccessibility(event)
        self.said.emit(text)

    def tell(self, turn: Turn) -> None:
        """Say that an answer is sought, or how it ended and how it begins."""
        self.say(summary(turn))


def summary(turn: Turn) -> str:
    """Return what is said of a turn."""
    outcome = turn.outcome
    if isinstance(outcome, InProgress):
        return transcript_text.stage(outcome)
    word = "" if turn.refused else tr("%1.").replace("%1", transcript_text.badge(turn)[0])
    if isinstance(outcome, Answered) and not (turn.refused or turn.broken_off):
        word = join_sentences(tr("The answer is there."), word)
    failure = translate_message(getattr(outcome, "what", ""))
    text = transcript_text.answer(turn)
    cut = text[:_SAID] + ("…" if len(text) > _SAID else "")
    return join_sentences(word, failure, cut)
