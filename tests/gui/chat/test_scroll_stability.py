"""Nothing that is being read moves: not by a hover, not while an answer grows, not at its end."""

from __future__ import annotations

import time
from dataclasses import replace

import pytest
from PySide6.QtCore import QEvent, QPointF, Qt
from PySide6.QtGui import QMouseEvent, QTextCursor
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from desktop_rag.core.events import Event, Notice, PassagesFound, SearchStarted, Step, Token
from desktop_rag.gui.chat.transcript_view import TranscriptView
from desktop_rag.gui.controllers.transcript import Stopped, Transcript, fold
from desktop_rag.gui.theme import Theme
from testing.long_conversations import ANSWER, Paints, long_conversation
from testing.sample_answers import answer, passage
from testing.window_driver import pause

WORDS = "Fuel cost less in the year of the second ferry, and power a little more. "
FRAME_MS = 60


@pytest.fixture
def view(qtbot: QtBot, theme: Theme) -> TranscriptView:
    made = TranscriptView(theme)
    qtbot.addWidget(made)
    made.resize(700, 420)
    made.show()
    return made


class Asked:
    """A question whose events are shown as they come."""

    def __init__(self, view: TranscriptView, before: Transcript | None = None) -> None:
        self.view = view
        self.transcript = (before or Transcript(1)).begun("Why did fuel fall?", "single_pass")
        view.show_transcript(self.transcript)

    def take(self, *events: Event) -> None:
        for event in events:
            self.transcript = fold(self.transcript, event)
        self.view.show_transcript(self.transcript)
        pause(FRAME_MS)

    def search(self) -> None:
        found = (passage(1), passage(2))
        kept = frozenset(each.chunk_id for each in found)
        self.take(SearchStarted("fuel", "the question"), PassagesFound("fuel", found, kept))

    def stop(self) -> None:
        self.transcript = self.transcript.ended(Stopped())
        self.view.show_transcript(self.transcript)
        pause(FRAME_MS)


def height_of(view: TranscriptView, words: str) -> float:
    """Return how far below the view's upper edge some words stand, the last of their kind."""
    cursor = QTextCursor(view.document())
    cursor.movePosition(QTextCursor.MoveOperation.End)
    back = view.document().FindFlag.FindBackward
    found = view.document().find(words, cursor, back)
    assert not found.isNull(), words
    return view.cursorRect(found).top()


def at_end(view: TranscriptView) -> bool:
    bar = view.verticalScrollBar()
    return bar.value() == bar.maximum()


@pytest.mark.parametrize("ending", ["answered", "stopped"])
@pytest.mark.parametrize("condensed", [False, True])
def test_an_answer_stays_where_it_is_when_it_ends(
    view: TranscriptView, ending: str, condensed: bool
) -> None:
    asked = Asked(view)
    if condensed:
        asked.take(Step("condensed", "Why did the ferries' fuel cost fall?"))
    asked.search()
    asked.take(Token("Fuel fell by 30 %, for two reasons."))
    before = height_of(view, "two reasons")
    if ending == "stopped":
        asked.stop()
    else:
        asked.take(answer("Fuel fell by 30 %, for two reasons. [1]", 1))
    assert "Edit" in view.toPlainText()
    assert height_of(view, "two reasons") == before


def test_of_several_paragraphs_none_moves_when_the_answer_ends(view: TranscriptView) -> None:
    text = (
        "One paragraph is here.\n\n## A heading\n\nTwo paragraphs are here.\n\n"
        "```\nfuel = 3\n```\n\nThree of them.\n\n- a list\n- of two\n\nThe last of all."
    )
    view.resize(700, 900)
    asked = Asked(view)
    asked.search()
    for at in range(0, len(text), 9):
        asked.take(Token(text[at : at + 9]))
    parts = ("One par", "A heading", "Two par", "fuel = 3", "Three of", "of two", "The last")
    before = [height_of(view, part) for part in parts]
    asked.take(answer(text, 1))
    assert [height_of(view, part) for part in parts] == before


TABLE = "\n\n| a | b |\n|---|---|\n| 1 | 2 |\n"
CODE = "\n\n```\nfuel = 3\n```\n"


@pytest.mark.parametrize("end", [TABLE, CODE, "\n\nNobody knows who paid."])
def test_what_was_read_at_the_end_of_a_long_answer_stays_there(
    view: TranscriptView, end: str
) -> None:
    asked = Asked(view, long_conversation(3))
    asked.search()
    asked.take(Token(WORDS * 30 + "Here it ends." + end))
    assert at_end(view)
    before = height_of(view, "Here it ends.")
    last = height_of(view, "fuel = 3") if end == CODE else before
    whole = answer(WORDS * 30 + "Here it ends." + end, 1)
    asked.take(replace(whole, from_model=(30, 31)))
    assert height_of(view, "Here it ends.") == before
    assert (height_of(view, "fuel = 3") if end == CODE else before) == last


def test_a_notice_that_comes_while_one_reads_moves_nothing(view: TranscriptView) -> None:
    asked = Asked(view)
    asked.search()
    asked.take(Token("Fuel fell by 30 %."))
    before = height_of(view, "Fuel fell")
    asked.take(Notice("The language model went away. What came until then is kept."))
    assert "What came until then is kept." in view.toPlainText()
    assert height_of(view, "Fuel fell") == before


def test_who_scrolled_up_reads_on_while_the_answer_grows_and_ends(view: TranscriptView) -> None:
    asked = Asked(view, long_conversation(3))
    asked.search()
    asked.take(Token("It begins here. " + WORDS * 30))
    bar = view.verticalScrollBar()
    bar.setValue(bar.maximum() - 150)
    pause(FRAME_MS)
    place, before = bar.value(), height_of(view, "It begins here.")
    for _ in range(5):
        asked.take(Token(WORDS * 3))
    asked.take(answer("It begins here. " + WORDS * 45, 1))
    assert bar.value() == place
    assert height_of(view, "It begins here.") == before


def test_the_end_is_followed_while_it_grows_and_again_once_scrolled_back_to(
    view: TranscriptView,
) -> None:
    asked = Asked(view, long_conversation(3))
    asked.search()
    for _ in range(5):
        asked.take(Token(WORDS * 8))
        assert at_end(view)
    bar = view.verticalScrollBar()
    bar.setValue(bar.maximum() - 200)
    asked.take(Token(WORDS * 8))
    assert not at_end(view)
    bar.setValue(bar.maximum())
    asked.take(Token(WORDS * 8))
    assert at_end(view)


def test_an_answer_that_comes_whole_is_read_from_its_question_on(view: TranscriptView) -> None:
    asked = Asked(view, long_conversation(3))
    asked.search()
    asked.take(answer(ANSWER * 4, 1, mode="extracted"))
    assert 0 <= height_of(view, "Why did fuel fall?") < 60


def test_a_retry_shows_its_question_and_waits_for_the_answer_there(view: TranscriptView) -> None:
    asked = Asked(view, long_conversation(3))
    asked.search()
    asked.take(answer(ANSWER * 2, 1, 2))
    asked.transcript = asked.transcript.begun_at(3, "Why did fuel fall?", "single_pass")
    view.show_transcript(asked.transcript)
    pause(FRAME_MS)
    height = height_of(view, "Why did fuel fall?")
    assert 0 <= height < view.height()
    asked.search()
    assert height_of(view, "Why did fuel fall?") == height
    asked.take(Token("Because of the ferry."))
    assert height_of(view, "Why did fuel fall?") == height


def test_the_mouse_over_an_answer_moves_nothing(view: TranscriptView) -> None:
    asked = Asked(view)
    asked.search()
    asked.take(answer(ANSWER, 1, 2, 3))
    pause(FRAME_MS)
    high, place = view.document().size(), view.verticalScrollBar().value()
    before = height_of(view, "Crews were")
    for y in range(0, view.viewport().height(), 7):
        point = QPointF(120, y)
        where = view.viewport().mapToGlobal(point)
        none = Qt.MouseButton.NoButton
        keys = Qt.KeyboardModifier.NoModifier
        event = QMouseEvent(QEvent.Type.MouseMove, point, where, none, none, keys)
        QApplication.sendEvent(view.viewport(), event)
        assert view.document().size() == high
        assert height_of(view, "Crews were") == before
    assert view.verticalScrollBar().value() == place


@pytest.mark.parametrize("before", [0, 3])
def test_a_growing_answer_is_painted_at_most_thirty_times_a_second(
    view: TranscriptView, before: int
) -> None:
    asked = Asked(view, long_conversation(before) if before else None)
    asked.search()
    pause(300)
    paints = Paints()
    view.viewport().installEventFilter(paints)
    began = time.monotonic()
    tokens = 0
    while time.monotonic() - began < 2.0 or paints.count < 10:
        for _ in range(3):  # more than may be painted, however slow the machine is
            asked.transcript = fold(asked.transcript, Token("ferry, "))
            view.show_transcript(asked.transcript)
            tokens += 1
        pause(4)
    seconds = time.monotonic() - began
    assert paints.count < tokens / 2
    assert paints.count <= 30 * seconds + 1
