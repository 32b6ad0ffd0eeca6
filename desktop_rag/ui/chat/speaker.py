"""What a screen reader is told of a conversation: politely, when it has ended its sentence."""

from __future__ import annotations

from PySide6.QtCore import QObject, Signal
from PySide6.QtGui import QAccessible, QAccessibleAnnouncementEvent

from desktop_rag.app.transcript import Answered, Running, Turn
from desktop_rag.ui.chat import phrases
from desktop_rag.ui.chat.phrases import tr
from desktop_rag.ui.spoken import joined, spoken

_SAID = 400  # characters of an answer that are announced; the rest is read where it stands


class Speaker(QObject):
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
    if isinstance(outcome, Running):
        return phrases.stage(outcome)
    word = tr("%1.").replace("%1", phrases.badge(turn)[0])
    if isinstance(outcome, Answered) and outcome.mode != "refused" and not turn.broken_off:
        word = joined(tr("The answer is there."), word)
    failure = spoken(getattr(outcome, "what", ""))
    text = phrases.answer(turn)
    cut = text[:_SAID] + ("…" if len(text) > _SAID else "")
    return joined(word, failure, cut)
