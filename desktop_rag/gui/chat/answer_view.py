"""An answer that stands by itself, outside of a conversation."""

from __future__ import annotations

from PySide6.QtCore import QSize
from PySide6.QtWidgets import QFrame, QWidget

from desktop_rag.gui.chat.transcript_view import TranscriptView
from desktop_rag.gui.chat.virtual_transcript import ScrollAnchor
from desktop_rag.gui.chat.visible_turns import TOP
from desktop_rag.gui.controllers.transcript import Transcript
from desktop_rag.gui.theme import Theme

_LOWEST = 90  # pixels


class AnswerView(TranscriptView):
    """Shows a transcript of one turn; unlike a conversation's, its end is not followed."""

    alone = True
    least_side = 0

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(theme, parent)
        self.setMinimumHeight(_LOWEST)
        self.setFrameShape(QFrame.Shape.NoFrame)

    def sizeHint(self) -> QSize:  # noqa: N802 - Qt's
        """Ask for little: it takes what room there is."""
        return QSize(super().sizeHint().width(), _LOWEST)

    def here(self) -> ScrollAnchor:
        """Return where the view is, also at the end; at the beginning, with the room above it."""
        top = None if self.verticalScrollBar().value() <= TOP else self.top_line()
        return top or ScrollAnchor(0, -float(TOP))

    def _where(self, before: Transcript, after: Transcript) -> ScrollAnchor | None:
        del before, after
        return self.here()
