"""A long conversation: only what is in sight is laid out, and nobody notices."""

from __future__ import annotations

import random
import time

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QGuiApplication, QKeySequence, QTextCursor, QTextDocument
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QStackedWidget, QWidget
from pytestqt.qtbot import QtBot

from desktop_rag.core.events import Token
from desktop_rag.gui.chat.transcript_view import TranscriptView
from desktop_rag.gui.chat.visible_turns import TOP
from desktop_rag.gui.controllers.transcript import Transcript, fold
from desktop_rag.gui.theme import Theme
from testing.long_conversations import Stalls, long_conversation
from testing.window_driver import pause
from tests.gui.chat.transcript_stalls import DEEDS, long

LONG = long()
WRITTEN_AT_MOST = 40


@pytest.fixture
def view(qtbot: QtBot, theme: Theme) -> TranscriptView:
    made = TranscriptView(theme)
    qtbot.addWidget(made)
    made.resize(900, 700)
    made.show()
    made.show_transcript(LONG)
    return made


def top_line(view: TranscriptView) -> str:
    for y in range(0, view.height(), 5):
        text = view.cursorForPosition(view.viewport().rect().topLeft() + pointed(y)).block().text()
        if text.strip():
            return text
    return ""


def pointed(y: int) -> QPoint:
    from PySide6.QtCore import QPoint

    return QPoint(200, y)


def test_the_end_of_a_long_conversation_is_there_at_once(qtbot: QtBot, theme: Theme) -> None:
    view = TranscriptView(theme)
    qtbot.addWidget(view)
    view.resize(900, 700)
    view.show()
    began = time.thread_time()
    view.show_transcript(LONG)
    view.grab()
    assert time.thread_time() - began < 0.3
    assert "Question 499" in view.toPlainText()
    bar = view.verticalScrollBar()
    assert bar.value() == bar.maximum() > 100 * view.height()


def test_no_more_is_laid_out_than_is_in_sight_and_around(view: TranscriptView) -> None:
    pause(200)
    assert 2 <= len(view.sheet.writers) < WRITTEN_AT_MOST
    bar = view.verticalScrollBar()
    for step in range(40):
        bar.setValue(bar.maximum() * step // 40)
        pause(5)
    pause(200)
    assert len(view.sheet.writers) < WRITTEN_AT_MOST


def test_wherever_one_scrolls_there_are_the_turns_in_order(view: TranscriptView) -> None:
    bar = view.verticalScrollBar()
    for part in (0.0, 0.5, 0.25, 0.9, 0.1):
        bar.setValue(int(bar.maximum() * part))
        pause(100)
        text = view.toPlainText()
        places = [text.find(f"Question {n}:") for n in range(view.sheet.first, view.sheet.end)]
        assert places == sorted(places)
        assert -1 not in places
        shown = int(top_turn(view))
        assert abs(shown - 500 * part) < 40


def top_turn(view: TranscriptView) -> int:
    here = view.here()
    return 499 if here is None else here.turn


def test_what_is_in_sight_stays_there_while_turns_are_written_above_it(
    view: TranscriptView,
) -> None:
    bar = view.verticalScrollBar()
    bar.setValue(bar.maximum() // 2)
    before = top_line(view)
    pause(300)
    assert top_line(view) == before


def test_page_up_goes_through_all_of_it_without_a_jump(view: TranscriptView) -> None:
    seen: set[int] = set()
    for _ in range(60):
        seen.update(range(view.sheet.first, view.sheet.end))
        QTest.keyClick(view, Qt.Key.Key_PageUp)
        pause(5)
    first = min(seen)
    assert first < 490
    assert seen == set(range(first, 500))


def test_another_width_keeps_the_place(view: TranscriptView) -> None:
    view.go_to(250)
    pause(50)
    view.resize(560, 700)
    pause(200)
    assert top_turn(view) == 250
    assert view.document().size().width() <= view.viewport().width() + 1


def height_of(view: TranscriptView, cursor: QTextCursor) -> int:
    return view.cursorRect(cursor).top()


@pytest.mark.parametrize("turn", [3, 250, 499])
def test_a_line_that_was_clicked_stays_at_its_height_in_other_widths(
    view: TranscriptView, turn: int
) -> None:
    view.go_to(turn)
    pause(100)
    clicked = view.cursorForPosition(QPoint(300, 420))
    before = height_of(view, clicked)
    view.setTextCursor(clicked)
    view.hold_line()
    for width in (1100, 480, 620):  # as panes come and go
        view.resize(width, 700)
        pause(60)
        assert abs(height_of(view, clicked) - before) <= 2, width
    view.verticalScrollBar().setValue(view.verticalScrollBar().value() - 200)
    moved = height_of(view, clicked)
    assert moved > before + 100
    view.resize(900, 700)
    pause(60)
    assert height_of(view, clicked) != before, "who scrolled is not pulled back"


def test_the_line_at_the_top_stays_there_in_another_width(view: TranscriptView) -> None:
    view.go_to(250)
    view.verticalScrollBar().setValue(view.verticalScrollBar().value() + 300)
    pause(100)
    read = view.cursorForPosition(QPoint(200, 0))
    before = height_of(view, read)
    for width in (480, 900):
        view.resize(width, 700)
        pause(100)
        assert abs(height_of(view, read) - before) <= 30, width  # the line, wherever it breaks


def test_find_goes_to_turns_that_are_not_laid_out_and_comes_around(view: TranscriptView) -> None:
    view.moveCursor(QTextCursor.MoveOperation.Start)
    assert view.find("Question 321")
    assert view.textCursor().selectedText() == "Question 321"
    assert view.sheet.first <= 321 < view.sheet.end
    assert not view.find("Question 321")
    view.moveCursor(QTextCursor.MoveOperation.End)
    assert view.find("question 77:", QTextDocument.FindFlag.FindBackward)
    assert view.sheet.first <= 77 < view.sheet.end


def test_what_stands_nowhere_is_not_found_and_the_place_is_kept(view: TranscriptView) -> None:
    view.go_to(100)
    pause(50)
    assert not view.find("Xylophone")
    assert top_turn(view) == 100


def test_select_all_copies_the_whole_conversation(view: TranscriptView) -> None:
    QTest.keySequence(view, QKeySequence(QKeySequence.StandardKey.SelectAll))
    pause(100)
    QTest.keySequence(view, QKeySequence(QKeySequence.StandardKey.Copy))
    copied = QGuiApplication.clipboard().text()
    assert (
        copied.index("Question 0:") < copied.index("Question 250:") < copied.index("Question 499")
    )


def test_a_selection_is_kept_when_it_is_scrolled_out_of_sight(view: TranscriptView) -> None:
    view.moveCursor(QTextCursor.MoveOperation.Start)
    assert view.find("Question 100")
    bar = view.verticalScrollBar()
    for _ in range(30):
        bar.setValue(bar.value() + 300)
        pause(5)
    pause(200)
    assert view.textCursor().selectedText() == "Question 100"


@pytest.mark.parametrize("what", DEEDS)
def test_nothing_that_is_done_with_a_long_conversation_stalls(
    view: TranscriptView, theme: Theme, what: str
) -> None:
    pause(300)
    stalls = Stalls(view)
    stalls.start()
    DEEDS[what](view, theme)
    felt = stalls.stop()
    assert felt.worked < 0.25  # two processors that share one core both count its time
    assert felt.usual < 1.0  # a machine that is busy with something else delays all


def test_an_answer_that_grows_stays_in_sight_at_the_end(view: TranscriptView) -> None:
    shown = LONG.begun("And now?", "")
    for n in range(80):
        shown = fold(shown, Token(f"Line {n}.\n\n"))
        view.show_transcript(shown)
        pause(5)
    pause(100)
    bar = view.verticalScrollBar()
    assert bar.value() == bar.maximum()
    assert "Line 79." in view.toPlainText()


def test_who_reads_above_is_not_pulled_down_by_an_answer_that_grows(view: TranscriptView) -> None:
    shown = LONG.begun("And now?", "")
    view.show_transcript(shown)
    view.go_to(490)
    pause(200)
    before = top_line(view)
    for n in range(40):
        shown = fold(shown, Token(f"Line {n}.\n\n"))
        view.show_transcript(shown)
        pause(5)
    pause(100)
    assert top_line(view) == before


@pytest.mark.parametrize("seed", range(4))
def test_whatever_is_done_in_whatever_order_the_sheet_stays_whole(
    view: TranscriptView, theme: Theme, seed: int
) -> None:
    chance = random.Random(seed)
    shown = LONG
    for _ in range(120):
        shown = act(view, theme, shown, chance)
        if chance.random() < 0.4:
            pause(chance.choice((0, 1, 15)))
        assert_whole(view)
    pause(200)
    assert_whole(view)
    assert len(view.sheet.writers) < WRITTEN_AT_MOST


def act(view: TranscriptView, theme: Theme, shown: Transcript, chance: random.Random) -> Transcript:
    """Do one thing of many; return what is shown after it."""
    bar = view.verticalScrollBar()
    deed = chance.randrange(10)
    if deed == 0:
        view.resize(chance.randrange(330, 1300), chance.randrange(200, 900))
    elif deed == 1:
        bar.setValue(chance.randrange(bar.maximum() + 1))
    elif deed == 2:
        bar.setValue(bar.value() + chance.choice((-700, -90, 90, 700)))
    elif deed == 3:
        theme.changed.emit()
    elif deed == 4:
        view.toggle_steps(chance.randrange(len(shown.turns)))
    elif deed == 5:
        view.find(f"Question {chance.randrange(500)}:")
    elif deed == 6:
        view.selectAll()
    elif deed == 7:
        number = chance.randrange(len(shown.turns))
        shown = shown.begun_at(number, f"Question {number}: anew?", "")
        view.show_transcript(shown)
    elif deed == 8:
        shown = LONG if shown is not LONG else long_conversation(3)
        view.show_transcript(shown)
    else:
        shown = shown if shown.running else shown.begun(f"Question {len(shown.turns)}: on?", "")
        shown = fold(shown, Token("word " * chance.randrange(200) + "\n\n"))
        view.show_transcript(shown)
    return shown


def assert_whole(view: TranscriptView) -> None:
    """Check that the turns written lie behind each other, where the bar says that they are."""
    sheet, layout = view.sheet, view.document().documentLayout()
    assert sheet.writers
    tops = [layout.frameBoundingRect(writer.frame).top() for writer in sheet.writers]
    wanted = [TOP + sheet.heights.top(n) for n in range(sheet.first, sheet.end)]
    assert all(abs(top - there) < 3 for top, there in zip(tops, wanted, strict=True))
    ends = TOP + sheet.heights.top(len(sheet.heights))
    bar = view.verticalScrollBar()
    assert abs(bar.maximum() - max(0, ends + 8 - view.viewport().height())) < 6
    low, high = bar.value(), bar.value() + view.viewport().height()
    bottom = layout.frameBoundingRect(sheet.writers[-1].frame).bottom()
    assert tops[0] <= low + TOP + 1
    assert bottom >= min(high, ends) - 20


@pytest.mark.parametrize("turns", [1, 2, 5])
def test_a_conversation_that_is_the_first_thing_shown_stands_at_its_end(
    qtbot: QtBot, theme: Theme, turns: int
) -> None:
    """It is written while the welcome is still in sight."""
    stack, view = QStackedWidget(), TranscriptView(theme)
    qtbot.addWidget(stack)
    stack.addWidget(QWidget())
    stack.addWidget(view)
    stack.resize(430, 300)
    stack.show()
    view.show_transcript(long_conversation(turns))
    stack.setCurrentIndex(1)
    pause(100)
    bar = view.verticalScrollBar()
    assert 0 < bar.maximum() == bar.value()
