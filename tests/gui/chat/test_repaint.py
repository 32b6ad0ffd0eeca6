"""Of a growing answer only what changed is painted, and what is on screen is what it should be."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QEvent, QObject, QPoint
from PySide6.QtGui import QImage, QPaintEvent
from pytestqt.qtbot import QtBot

from desktop_rag.core.events import Token
from desktop_rag.gui.chat.transcript_view import TranscriptView
from desktop_rag.gui.controllers.transcript import Transcript, fold
from desktop_rag.gui.theme import Theme
from testing.long_conversations import ANSWER, long_conversation
from testing.sample_answers import answer
from testing.window_driver import pause, wait_for


class Highest(QObject):
    """Notes the highest part of a widget that was painted."""

    pixels = 0

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:  # noqa: N802 - Qt's
        if isinstance(event, QPaintEvent):
            self.pixels = max(self.pixels, event.rect().height())
        return super().eventFilter(watched, event)


@pytest.fixture
def view(qtbot: QtBot, theme: Theme) -> TranscriptView:
    made = TranscriptView(theme)
    qtbot.addWidget(made)
    made.resize(700, 600)
    made.show()
    return made


def on_screen(view: TranscriptView) -> QImage:
    at, seen = view.viewport().mapTo(view, QPoint(0, 0)), view.viewport().size()
    picture = view.screen().grabWindow(view.winId(), at.x(), at.y(), seen.width(), seen.height())
    return picture.toImage()


def show(view: TranscriptView, shown: Transcript) -> None:
    """Show a conversation, and compare what is on screen with what is painted all anew."""
    view.show_transcript(shown)
    view._throttle.now()
    wait_for(lambda: not view._later.isActive())
    pause(60)  # what is asked to be painted is painted a little later
    before = on_screen(view)
    view.viewport().repaint()
    assert on_screen(view) == before


def test_a_word_more_paints_the_end_only(view: TranscriptView) -> None:
    shown = fold(long_conversation(2).begun("And now?", ""), Token("One.\n\nTwo.\n\nThree "))
    view.show_transcript(shown)
    wait_for(lambda: not view._later.isActive())
    pause(300)
    highest = Highest()
    view.viewport().installEventFilter(highest)
    view.show_transcript(fold(shown, Token("words ")))
    wait_for(lambda: highest.pixels > 0)
    assert highest.pixels < view.viewport().height() / 2


def test_what_is_on_screen_is_what_would_be_painted_anew(view: TranscriptView) -> None:
    shown = long_conversation(2).begun("And now?", "")
    show(view, shown)
    text = ANSWER + "\n\nSo much for that."
    for at in range(0, len(text), 23):
        shown = fold(shown, Token(text[at : at + 23]))
        if at == 230:
            view.verticalScrollBar().setValue(view.verticalScrollBar().maximum() - 150)
        if at == 460:
            view.verticalScrollBar().setValue(view.verticalScrollBar().maximum())
        show(view, shown)
    show(view, fold(shown, answer(text, 1, 2)))
    show(view, long_conversation(1))
