"""Copied answers as other programs take them: HTML beside the text, without the window's looks."""

from __future__ import annotations

import re
from collections.abc import Iterator
from html.parser import HTMLParser

import pytest
from PySide6.QtCore import QMimeData
from PySide6.QtGui import QGuiApplication, QKeySequence, QTextCursor
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from desktop_rag.gui import language
from desktop_rag.gui.chat import clipboard
from desktop_rag.gui.chat.transcript_view import TranscriptView
from desktop_rag.gui.controllers.transcript import Transcript, fold
from desktop_rag.gui.theme import Theme
from testing.sample_answers import answer
from testing.window_driver import pause

TEXT = """## Fuel & wages

Fuel **cost** *less* in 2024 [1]. Crews sailed `slower` [2]. <script>alert(1)</script>
[local](file:///etc/passwd) [bank](https://example.org/?a=1&b=2) ![p](file:///p.png)

- The *Ingrid* was refitted [1].
  - inner [3]
- 二〇二四年燃料费用下降 [3]。

1. one
2. two

> quoted

| a | n |
|---|---|
| =HYPERLINK("x") | -3.5 [1] |
| **=1+1** | x |

```python
x = 1 < 2 [1]
```

Last.
"""
TAGS = ["meta", "h2", "p", "strong", "em", "p", "code", "a", "ul", "ol", "li", "table", "pre"]
SOURCES = ["[1] report.pdf, page 1", "[2] report.pdf, page 2", "[3] report.pdf, page 3"]


class Page(HTMLParser):
    """What a program that takes HTML finds in it."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.given: list[tuple[str, str | None]] = []
        self.text = ""
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.given += attrs

    def handle_data(self, data: str) -> None:
        self.text += data


@pytest.fixture(params=["dark", "light"])
def view(
    qtbot: QtBot, qapp: QApplication, request: pytest.FixtureRequest
) -> Iterator[TranscriptView]:
    theme = Theme(qapp, request.param, is_expert=True)
    made = TranscriptView(theme)
    qtbot.addWidget(made)
    made.resize(700, 900)
    made.show()
    made.show_transcript(told())
    pause(50)
    yield made
    theme.deleteLater()


def told() -> Transcript:
    begun = Transcript(chat_id=1).begun("Why <b>?", "single_pass")
    return fold(begun, answer(TEXT, 1, 2, 1, 3))


def select(view: TranscriptView, first: str, last: str) -> None:
    cursor = view.document().find(first)
    begin = cursor.selectionStart()
    end = (
        view.document().find(last, cursor).selectionEnd()
        if last != first
        else cursor.selectionEnd()
    )
    cursor.setPosition(begin)
    cursor.setPosition(end, QTextCursor.MoveMode.KeepAnchor)
    view.setTextCursor(cursor)


def copied(view: TranscriptView) -> QMimeData:
    view.setFocus()
    QTest.keySequence(view, QKeySequence(QKeySequence.StandardKey.Copy))
    return QGuiApplication.clipboard().mimeData()


def is_plain(page: Page) -> None:
    """Check that nothing runs, nothing is loaded, nothing has our looks."""
    assert not {"script", "img", "style", "link", "font", "span"} & set(page.tags)
    assert {name for name, _ in page.given} <= {
        *("charset", "href", "border", "cellspacing", "cellpadding", "start", "class"),
    }
    assert {value for name, value in page.given if name == "href"} <= {
        "https://example.org/?a=1&b=2"
    }


def test_a_copied_answer_brings_its_forms_numbers_and_sources() -> None:
    made = clipboard.answer(told().turns[0])
    page = Page(made.html())
    assert not set(TAGS) - set(page.tags)
    is_plain(page)
    assert "Fuel cost less in 2024 [1]." in page.text
    assert page.text.splitlines()[-3:] == SOURCES
    assert "x = 1 < 2 [1]" in page.text
    assert "<script>alert(1)</script>" in page.text
    assert "file:///" not in made.html()
    assert made.text() == TEXT


def test_no_cell_of_a_copied_answer_is_a_formula() -> None:
    html = clipboard.answer(told().turns[0]).html()
    cells = [re.sub("<[^>]+>", "", each) for each in re.findall(r"<td>(.*?)</td>", html)]
    assert cells == ["'=HYPERLINK(&quot;x&quot;)", "-3.5 [1]", "'=1+1", "x"]


def test_with_sources_the_quotes_come_along() -> None:
    turn = told().turns[0]
    page = Page(clipboard.with_quotes(turn).html())
    assert "quote 2" in page.text
    assert page.tags.count("blockquote") == 1 + len({each.quote for each in turn.citations})


def test_what_is_selected_of_an_answer_has_its_forms_and_no_buttons(view: TranscriptView) -> None:
    select(view, "Fuel & wages", "Last.")
    made = copied(view)
    page = Page(made.html())
    is_plain(page)
    wanted = {"h2", "b", "i", "code", "a", "ul", "ol", "li", "blockquote", "table", "td", "pre"}
    assert not wanted - set(page.tags)
    assert "Copy table" not in page.text
    assert "Copy code" not in page.text
    assert "Fuel cost less in 2024 [1]. Crews sailed slower [2]." in page.text.replace("\u2009", "")
    assert page.text.splitlines()[-3:] == SOURCES
    assert "'=HYPERLINK" in page.text
    assert "'=1+1" in page.text
    assert made.text().startswith("Fuel & wages\n")
    nested = made.html().replace("\n", "")
    assert "<li>The <i>Ingrid</i> was refitted [1].<ul><li>inner [3]</li></ul></li>" in nested


def test_a_few_words_bring_only_the_sources_that_they_cite(view: TranscriptView) -> None:
    select(view, "Crews sailed", "slower \u20092\u2009")
    assert Page(copied(view).html()).text.splitlines()[-1:] == SOURCES[1:2]
    select(view, "Crews", "Crews")
    assert Page(copied(view).html()).text.strip() == "Crews"


def test_a_list_that_is_selected_from_its_first_line_on_is_one(view: TranscriptView) -> None:
    select(view, "Ingrid", "inner")
    assert copied(view).html().count("<li>") == 2


def test_ctrl_a_copies_all_questions_answers_and_sources(view: TranscriptView) -> None:
    view.setFocus()
    QTest.keySequence(view, QKeySequence(QKeySequence.StandardKey.SelectAll))
    page = Page(copied(view).html())
    is_plain(page)
    assert "Why <b>?" in page.text
    assert page.text.splitlines()[-3:] == SOURCES


def test_the_sources_are_headed_in_the_language_of_the_window(qapp: QApplication) -> None:
    language.speak(qapp, "zh")
    page = Page(clipboard.answer(told().turns[0]).html())
    assert "来源" in page.text
    assert "[2] report.pdf" in page.text
    assert "第 2 页" in page.text


def test_all_of_a_very_long_conversation_is_copied_as_text() -> None:
    turn = told().turns[0]
    made = clipboard.whole_conversation((turn,) * (100_000 // len(turn.text) + 1))
    assert made.text().count("Last.") > 100
    assert not made.hasFormat("text/html")
