"""Sentences and quotes find each other, and what is said of them."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QAccessible, QAccessibleInterface, QGuiApplication, QHelpEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QToolTip
from pytestqt.qtbot import QtBot

from desktop_rag.core.events import Token
from desktop_rag.gui.chat import source_tooltips
from desktop_rag.gui.chat.sentence_highlights import HoveredSentence
from desktop_rag.gui.chat.transcript_view import CitationClick, TranscriptView
from desktop_rag.gui.controllers.transcript import Transcript, Turn, fold, fold_all
from desktop_rag.gui.theme import Theme
from testing.sample_answers import answer
from testing.window_driver import pause, wait_for

TEXT = (
    "Fuel **cost** less in 2024 [1]. Crews sailed `slower` [2].\n\n"
    "- The *Ingrid* was refitted in March [1].\n- 二〇二四年燃料费用下降 [3]。还有别的。\n\n"
    "Nobody knows the rest."
)
SENTENCES = [
    "Fuel cost less in 2024",
    "Crews sailed slower",
    "The Ingrid was refitted in March",
    "二〇二四年燃料费用下降",
    "还有别的。",
    "Nobody knows the rest.",
]


def told(text: str = TEXT) -> Transcript:
    begun = Transcript(chat_id=1).begun("Why?", "single_pass")
    return fold(begun, replace(answer(text, 1, 2, 1, 3), from_model=(5,)))


@pytest.fixture
def view(qtbot: QtBot, theme: Theme) -> TranscriptView:
    made = TranscriptView(theme)
    qtbot.addWidget(made)
    made.resize(700, 600)
    made.show()
    made.show_transcript(told())
    pause(50)
    return made


def marked(view: TranscriptView) -> list[str]:
    made = [selection.cursor.selectedText() for selection in view.extraSelections()]
    return [text.replace("\u2009", "") for text in made]


def where(view: TranscriptView, text: str) -> QPoint:
    found = view.document().find(text)
    found.setPosition(found.selectionStart() + 2)
    return view.cursorRect(found).center() + QPoint(2, 0)


def hover(view: TranscriptView, at: QPoint) -> None:
    QTest.mouseMove(view.viewport(), at)
    pause(30)


def test_every_sentence_is_found_in_what_is_shown(view: TranscriptView) -> None:
    (writer,) = view.sheet.writers
    shown = view.document()
    for claim, sentence in zip(writer.claims(), SENTENCES, strict=True):
        text = "".join(shown.characterAt(at) for at in range(claim.start, claim.end))
        assert text.replace("\u2009", "").startswith(sentence)
        assert claim.sentence == SENTENCES.index(sentence)
    assert [claim.citations for claim in writer.claims()] == [(0,), (1,), (2,), (3,), (), ()]


def test_a_sentence_reaches_to_the_sign_behind_its_last_number(view: TranscriptView) -> None:
    view.show_transcript(told("Fuel fell by 71 %. It cost 5. $20 were left. So 3\u202f€ [1]."))
    (writer,) = view.sheet.writers
    signs = view.document().characterAt
    whole = ["".join(signs(at) for at in range(c.start, c.end)) for c in writer.claims()]
    ended = ["Fuel fell by 71 %.", "It cost 5.", "20 were left.", "So 3 € \u20091\u2009."]
    assert [re.sub("[\u00a0\u202f]", " ", each) for each in whole] == ended


def test_the_mouse_on_a_sentence_points_at_its_quotes_until_it_leaves(
    view: TranscriptView, qtbot: QtBot
) -> None:
    with qtbot.waitSignal(view.sentence_pointed) as heard:
        hover(view, where(view, "Crews"))
    assert heard.args == [HoveredSentence(0, 1, (1,))]
    assert marked(view) == ["Crews sailed slower 2."]
    with qtbot.waitSignal(view.sentence_pointed) as heard:
        hover(view, QPoint(5, 5))
    assert heard.args == [None]
    assert marked(view) == []


def test_a_source_that_is_picked_marks_every_sentence_that_cites_it(view: TranscriptView) -> None:
    view.mark_source(0, 1)
    assert marked(view) == ["Fuel cost less in 2024 1.", "The Ingrid was refitted in March 1."]
    view.mark_source(0, None)
    assert marked(view) == []


def test_marks_are_there_again_after_the_conversation_was_written_anew(
    view: TranscriptView, theme: Theme
) -> None:
    view.mark_source(0, 2)
    theme.changed.emit()
    assert marked(view) == ["Crews sailed slower 2."]


def test_another_conversation_has_no_marks(view: TranscriptView) -> None:
    view.mark_source(0, 1)
    view.show_transcript(replace(told("Something else [1]."), chat_id=2))
    assert marked(view) == []


def tip_at(view: TranscriptView, at: QPoint) -> str:
    event = QHelpEvent(QHelpEvent.Type.ToolTip, at, view.viewport().mapToGlobal(at))
    QApplication.sendEvent(view.viewport(), event)
    return QToolTip.text()


def test_a_citation_says_its_place_its_quote_and_what_a_click_does(view: TranscriptView) -> None:
    found = view.document().find("\u20092\u2009")
    found.setPosition(found.selectionStart() + 1)
    tip = tip_at(view, view.cursorRect(found).center())
    for said in ("Report 2", "quote 2", "page 2", "Click to open it there"):
        assert said in tip
    QToolTip.hideText()


def test_a_quote_with_signs_of_html_is_shown_as_it_is() -> None:
    said = answer("So [1].", 1)
    source = replace(said.sources[0], title="<img src='file:///x'> & co")
    turn = Turn("?", "", sources=(source,), citations=said.citations)
    assert "&lt;img" in source_tooltips.of_source(turn, 1)
    assert "<img" not in source_tooltips.of_source(turn, 1)


def test_a_sentence_without_a_source_is_explained(view: TranscriptView) -> None:
    assert "No quote was found" in tip_at(view, where(view, "Nobody knows"))
    QToolTip.hideText()
    wait_for(lambda: not QToolTip.text())  # it is there for a moment after it is hidden
    assert tip_at(view, where(view, "Fuel cost")) == ""
    QToolTip.hideText()


def test_the_tab_key_goes_through_the_citations_and_enter_opens_one(
    view: TranscriptView, qtbot: QtBot
) -> None:
    view.setFocus()
    shown = []
    for _ in range(8):
        QTest.keyClick(view, Qt.Key.Key_Tab)
        shown.append(view.textCursor().charFormat().anchorHref())
        if shown[-1] == "cite:2":
            break
    assert shown[-1] == "cite:2"
    assert "quote 2" in QToolTip.text()
    with qtbot.waitSignal(view.cited) as heard:
        QTest.keyClick(view, Qt.Key.Key_Return)
    assert heard.args == [CitationClick(0, 2)]
    QToolTip.hideText()


def interface(view: TranscriptView) -> QAccessibleInterface:
    found = QAccessible.queryAccessibleInterface(view)
    assert found is not None
    return found


def test_a_screen_reader_reads_the_answer_as_text(view: TranscriptView) -> None:
    text = interface(view).textInterface()
    assert text is not None
    said = text.text(0, text.characterCount())
    assert "Fuel cost less in 2024" in said
    assert interface(view).text(QAccessible.Text.Name) == "Conversation"


def test_a_screen_reader_reads_the_end_of_a_long_conversation(view: TranscriptView) -> None:
    shown = told()
    for n in range(100):
        shown = fold(shown.begun(f"Question {n}?", ""), answer(f"Answer {n} [1].", 1))
    view.show_transcript(fold_all(shown.begun("Last?", ""), [Token("The last word")]))
    wait_for(lambda: "The last word" in view.toPlainText())
    text = interface(view).textInterface()
    assert "The last word" in text.text(0, text.characterCount())


@pytest.mark.parametrize(
    ("address", "copied"),
    [
        ("copy:0", "Run it [1].\n\n```python\nx = 1\n```\n\n| a | b |\n|---|---|\n| 1 | 2 |"),
        ("code:0.0", "x = 1"),
        ("table:0.0", "a\tb\n1\t2\n"),
    ],
)
def test_an_answer_its_code_and_its_table_can_be_copied(
    view: TranscriptView, address: str, copied: str
) -> None:
    text = "Run it [1].\n\n```python\nx = 1\n```\n\n| a | b |\n|---|---|\n| 1 | 2 |"
    view.show_transcript(replace(told(text), chat_id=2))
    pause(50)
    said: list[str] = []
    view.speaker.said.connect(said.append)
    click(view, address)
    assert QGuiApplication.clipboard().text() == copied
    assert said == ["Copied"]
    assert QToolTip.text() == "Copied"
    QToolTip.hideText()


def test_a_web_link_says_where_it_leads(view: TranscriptView) -> None:
    text = "See [my bank](https://evil.example/?a=1&b=<x>)."
    view.show_transcript(replace(told(text), chat_id=2))
    pause(50)
    assert "https://evil.example/?a=1&amp;b=" in tip_at(view, where(view, "my bank"))
    QToolTip.hideText()


def test_an_answer_is_copied_with_its_sources_and_quotes(view: TranscriptView) -> None:
    click(view, "quoted:0")
    copied = QGuiApplication.clipboard().text()
    assert copied.startswith(TEXT)
    assert "**Sources**" in copied
    assert "[2] Report 2, page 2 (/tmp/report.pdf)\n> quote 2" in copied


def click(view: TranscriptView, address: str) -> None:
    for y in range(0, view.viewport().height(), 3):
        for x in range(0, view.viewport().width(), 3):
            if view.anchorAt(QPoint(x, y)) == address:
                at = QPoint(x + 2, y + 2)
                QTest.mouseClick(view.viewport(), Qt.MouseButton.LeftButton, pos=at)
                return
    raise AssertionError(address)
