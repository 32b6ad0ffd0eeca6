"""The transcript on screen."""

from __future__ import annotations

import time
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, Qt, QUrl
from PySide6.QtGui import QColor, QImage, QTextDocument
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from desktop_rag.core.events import (
    Notice,
    NoticeCode,
    PassagesFound,
    SearchStarted,
    Token,
    answer_broken_off,
)
from desktop_rag.core.phrases import Phrase, joined
from desktop_rag.gui import language
from desktop_rag.gui.chat.transcript_view import CitationClick, TranscriptView
from desktop_rag.gui.controllers.transcript import Stopped, Transcript, fold, fold_all
from desktop_rag.gui.theme import Theme
from testing.sample_answers import answer, passage
from testing.window_driver import pause


@pytest.fixture
def view(qtbot: QtBot, theme: Theme) -> TranscriptView:
    made = TranscriptView(theme)
    qtbot.addWidget(made)
    made.resize(700, 600)
    made.show()
    return made


def asked(text: str = "Why did fuel fall?") -> Transcript:
    return Transcript().begun(text, "single_pass")


def answered(text: str, *cited: int) -> Transcript:
    return fold_all(asked(), [SearchStarted("fuel", ""), answer(text, *cited)])


def where_is(view: TranscriptView, address: str) -> QPoint:
    for y in range(0, view.viewport().height(), 4):
        for x in range(0, view.viewport().width(), 4):
            if view.anchorAt(QPoint(x, y)) == address:
                return QPoint(x + 2, y + 2)
    raise AssertionError(f"no link {address}")


def test_question_and_answer_are_shown_as_markdown(view: TranscriptView) -> None:
    view.show_transcript(answered("Fuel **fell** [2].", 2))
    shown = view.toPlainText()
    assert "Why did fuel fall?" in shown
    assert "Fuel fell" in shown
    assert "**" not in shown


def test_a_click_on_a_citation_says_which(view: TranscriptView, qtbot: QtBot) -> None:
    view.show_transcript(answered("Fuel fell [2].", 2))
    with qtbot.waitSignal(view.cited) as heard:
        QTest.mouseClick(view.viewport(), Qt.MouseButton.LeftButton, pos=where_is(view, "cite:2"))
    assert heard.args == [CitationClick(0, 2)]


def test_a_citation_of_a_later_turn_points_to_that_turn(view: TranscriptView, qtbot: QtBot) -> None:
    shown = answered("One [1].", 1).begun("And now?", "")
    view.show_transcript(fold(shown, answer("Two [3].", 3)))
    with qtbot.waitSignal(view.cited) as heard:
        QTest.mouseClick(view.viewport(), Qt.MouseButton.LeftButton, pos=where_is(view, "cite:3"))
    assert heard.args == [CitationClick(1, 3)]


def test_tokens_are_written_at_most_thirty_times_a_second(view: TranscriptView) -> None:
    shown = asked()
    view.show_transcript(shown)
    began = time.monotonic()
    for n in range(300):
        shown = fold(shown, Token(f"word{n} "))
        view.show_transcript(shown)
        pause(1)
    pause(120)
    seconds = time.monotonic() - began
    assert "word299" in view.toPlainText()
    assert 1 < view.times_written <= seconds * 31 + 2


def test_stop_is_shown_with_the_partial_answer(view: TranscriptView) -> None:
    view.show_transcript(fold(asked(), Token("Fuel fe")).ended(Stopped()))
    assert "Fuel fe" in view.toPlainText()
    assert "Stopped" in view.toPlainText()


def test_steps_unfold_and_fold(view: TranscriptView) -> None:
    view.show_transcript(answered("Fuel fell [2].", 2))
    assert "“fuel”" not in view.toPlainText()
    view.toggle_steps(0)
    assert "“fuel”" in view.toPlainText()
    view.toggle_steps(0)
    assert "“fuel”" not in view.toPlainText()


@pytest.mark.parametrize("name", ["[a[b]]", "\\`[x]", "[x]"])
def test_no_picture_of_this_computer_is_shown_however_it_is_written(
    view: TranscriptView, tmp_path: Path, name: str
) -> None:
    red = QImage(80, 80, QImage.Format.Format_RGB32)
    red.fill(QColor("#ff0000"))
    red.save(str(tmp_path / "red.png"))
    picture = f"{name}({tmp_path}/red.png)".replace("[", "![", 1)
    view.show_transcript(answered(f"Look: {picture}\\` well."))
    pause(50)
    seen = view.grab().toImage()
    points = ((x, y) for x in range(0, seen.width(), 10) for y in range(0, seen.height(), 10))
    assert QColor("#ff0000") not in [seen.pixelColor(x, y) for x, y in points]


def test_a_link_that_an_answer_forged_does_nothing(view: TranscriptView, qtbot: QtBot) -> None:
    view.show_transcript(answered("Fuel fell [2].", 2))
    for address in ("cite:abc", "cite:99", "cite:0", "steps:7", "steps:-1", "copy:9", "file:///x"):
        with qtbot.assertNotEmitted(view.cited), qtbot.assertNotEmitted(view.web_asked):
            view._follow(QUrl(address))


def test_no_resource_is_ever_loaded(view: TranscriptView) -> None:
    kind = QTextDocument.ResourceType.ImageResource.value
    for address in ("file:///etc/passwd", "http://127.0.0.1:9/x.png", "resources/icons/app.svg"):
        loaded = view.loadResource(kind, QUrl(address))
        assert (loaded.width(), loaded.height(), loaded.pixelColor(0, 0).alpha()) == (1, 1, 0)
    style = QTextDocument.ResourceType.StyleSheetResource.value
    assert view.loadResource(style, QUrl("file:///etc/passwd")) == ""


def test_html_in_an_answer_stays_text(view: TranscriptView) -> None:
    view.show_transcript(answered("<b>bold</b> <img src='x'> fell [2].", 2))
    assert "<b>bold</b>" in view.toPlainText()


@pytest.mark.parametrize(
    "end",
    ["| a | b |\n|---|---|\n| 1 | 2 |", "```\ncode\n```", "- one\n- two", "> said", "---", "\n\n"],
)
def test_whatever_an_answer_ends_with_the_footer_follows(view: TranscriptView, end: str) -> None:
    view.show_transcript(answered(f"Fuel fell [2].\n\n{end}", 2))
    assert "Written by the language model" in view.toPlainText()


def test_another_conversation_replaces_the_one_before(view: TranscriptView) -> None:
    view.show_transcript(answered("Fuel fell [2].", 2))
    view.show_transcript(fold(Transcript().begun("Who?", ""), answer("Ingrid [1].", 1)))
    assert "Fuel" not in view.toPlainText()
    assert "Ingrid" in view.toPlainText()


def test_a_click_on_an_earlier_turn_picks_it(view: TranscriptView, qtbot: QtBot) -> None:
    shown = answered("One [1].", 1).begun("And now?", "")
    view.show_transcript(fold(shown, answer("Two [3].", 3)))
    at = where_is(view, "cite:1")
    with qtbot.waitSignal(view.picked) as heard:
        QTest.mouseClick(
            view.viewport(), Qt.MouseButton.LeftButton, pos=QPoint(at.x() + 200, at.y())
        )
    assert heard.args == [0]


def test_a_notice_is_told_once_in_a_conversation(view: TranscriptView) -> None:
    notice = Notice("Ollama does not answer.")
    shown = fold_all(asked(), [notice, answer("One [1].", 1)])
    view.show_transcript(fold_all(shown.begun("And?", ""), [notice, answer("Two [1].", 1)]))
    assert view.toPlainText().count("Ollama does not answer") == 1


def test_what_the_banner_says_is_only_among_the_steps(view: TranscriptView) -> None:
    view.leave_out("Ollama does not answer.")
    said = [Notice(joined("Ollama does not answer.", "Start it.")), Notice("The match is weak.")]
    view.show_transcript(fold_all(asked(), [*said, SearchStarted("fuel", ""), answer("Quote.")]))
    assert "Ollama" not in view.toPlainText()
    assert "The match is weak." in view.toPlainText()
    view.toggle_steps(0)
    assert "Ollama does not answer. Start it." in view.toPlainText()


def test_what_stands_for_removed_quotes_is_said_in_the_window_s_language(
    view: TranscriptView, qapp: QApplication
) -> None:
    left = "This answer was made of quotes from a document that was taken out. They were removed."
    language.speak(qapp, "zh")
    view.show_transcript(fold_all(asked(), [answer(left, mode="extracted")]))
    assert "made of quotes" not in view.toPlainText()
    assert "这些引文已被移除" in view.toPlainText()


def test_a_quote_that_reads_like_the_engine_is_not_translated(
    view: TranscriptView, qapp: QApplication
) -> None:
    quote = "This answer was made of quotes from a document that was taken out. They were removed."
    language.speak(qapp, "zh")
    view.show_transcript(fold_all(asked(), [answer(quote, 1, mode="extracted")]))
    assert quote in view.toPlainText()


def test_an_answer_that_broke_off_is_called_unfinished(view: TranscriptView) -> None:
    broke = answer_broken_off("Ollama went away.")
    view.show_transcript(fold_all(asked(), [Token("Fuel"), broke, answer("Fuel")]))
    assert "Unfinished" in view.toPlainText()
    assert "Written by" not in view.toPlainText()


def test_an_answer_from_an_empty_knowledge_base_says_that_there_is_nothing_to_search(
    view: TranscriptView,
) -> None:
    refusal = answer("Not found in your documents.", sources=0, mode="refused")
    view.show_transcript(fold(asked(), refusal))
    assert "There is nothing to search yet: add files" in view.toPlainText()
    waiting = Notice(Phrase("One file is not read yet.", code=NoticeCode.UNREAD_FILES))
    view.show_transcript(fold_all(asked(), [refusal, waiting]))
    assert "Nothing of your documents has been read yet." in view.toPlainText()
    found = PassagesFound("fuel", (passage(1),), frozenset())
    view.show_transcript(fold(fold(asked(), found), refusal))
    assert "nothing to search" not in view.toPlainText()
    assert "Not found in your documents." in view.toPlainText()
    assert "No passage answers this" not in view.toPlainText(), "it would say the same once more"
