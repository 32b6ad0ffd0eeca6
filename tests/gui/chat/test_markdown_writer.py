"""Answers written into a document: what is kept of them, and what never is."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from PySide6.QtGui import (
    QFont,
    QTextCharFormat,
    QTextCursor,
    QTextDocument,
    QTextFrameFormat,
    QTextOption,
)

from desktop_rag.core.events import NO_QUOTE
from desktop_rag.gui.chat.markdown_blocks import blocks_of_kind, split_blocks
from desktop_rag.gui.chat.markdown_writer import BlockCounts, MarkdownWriter
from desktop_rag.gui.chat.text_style import TurnStyle
from desktop_rag.gui.chat.turn_writer import TurnWriter
from desktop_rag.gui.colors import LIGHT
from desktop_rag.gui.controllers.transcript import InProgress, Transcript, Turn, fold
from testing.sample_answers import answer

pytestmark = pytest.mark.usefixtures("qapp")
NASTY = (
    "[", "]", "(", ")", "!", "[a [b](javascript:x)](http://e.x)", "![p](file:///etc/passwd)",
    "[x](cite:1)", "[x](retry:0)", "[x](code:0.0)", "<javascript:alert(1)>", "[1]", "[2, 3]",
    "<file:///etc/passwd>", "[a]: file:///x", "[a][a]", "\\\\host\\share", "[u](\\\\host\\share)",
    "[d](data:text/html,hi)", "<img src='file:///x'>", "<a href='javascript:x'>y</a>", "`", "```",
    "\n", "\n\n", "| a | b |\n|---|---|\n| [x](file:///y) | ![z](//h/s) |\n", "- ", "> ", "# ",
    "www.example.org", "a@example.org", "mailto:a@b.de", "https://example.org/a", " ", "x",
    "&#106;avascript:x", "[n [![y](file:///z)](http://q)](ftp://w)", "\u2009", "\ufdd0", "\ufffc",
    "<//host/share>", "[v](version:7)", "$",
    "$$", "*", "**", "_", "~~", "\\", "\t", "1. ", "\u2028", "\0",
)  # fmt: skip


def look() -> TurnStyle:
    return TurnStyle(LIGHT, QFont("Sans Serif", 10))


def document() -> QTextDocument:
    made = QTextDocument()
    wrapped = QTextOption()
    wrapped.setWrapMode(QTextOption.WrapMode.WrapAtWordBoundaryOrAnywhere)
    made.setDefaultTextOption(wrapped)
    return made


def written(text: str, known: range = range(1, 4)) -> QTextDocument:
    """Return a document with an answer's prose alone."""
    made = document()
    frame = QTextCursor(made).insertFrame(QTextFrameFormat())
    writer, count = MarkdownWriter(frame, look(), known, 0), BlockCounts()
    for piece in split_blocks(text):
        writer.write(piece, count, finished=True)
    return made


def formats(made: QTextDocument) -> Iterator[tuple[str, QTextCharFormat]]:
    block = made.begin()
    while block.isValid():
        each = block.begin()
        while not each.atEnd():
            yield each.fragment().text(), each.fragment().charFormat()
            each += 1
        block = block.next()


def addresses(made: QTextDocument) -> list[str]:
    return [chars.anchorHref() for _text, chars in formats(made) if chars.isAnchor()]


@settings(max_examples=400, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.lists(st.sampled_from(NASTY) | st.text(max_size=6), max_size=14).map("".join))
def test_no_answer_makes_a_link_but_citations_and_web_addresses(text: str) -> None:
    made = written(text)
    own = [f"code:0.{n}" for n in range(len(blocks_of_kind(text, "code")))]
    own += [f"table:0.{n}" for n in range(len(blocks_of_kind(text, "table")))]
    for address in addresses(made):
        if address.startswith(("code:", "table:")):
            own.remove(address)
            continue
        assert address in ("cite:1", "cite:2", "cite:3") or address.startswith(
            ("http://", "https://")
        )
    assert not any(chars.isImageFormat() for _text, chars in formats(made))


@pytest.mark.parametrize(
    "text",
    [
        "[a [b](javascript:x)](http://e.x)",
        "[x](cite:1)",
        "[a](retry:0)",
        "mailto:a@b.de",
        "see a@b.de",
        "[q](\\\\host\\share)",
        "<file:///etc/passwd>",
    ],
)
def test_a_forged_link_becomes_plain_words(text: str) -> None:
    assert not [each for each in addresses(written(text)) if not each.startswith("http://e.x")]


def test_a_citation_is_a_link_to_its_source_and_others_are_words() -> None:
    assert addresses(written("So [2], and [9].")) == ["cite:2"]


@pytest.mark.parametrize("name", ["", "Anna Berg ", "Berg, Anna: ", "王小明 "])
def test_a_mail_address_keeps_its_brackets_and_is_no_link(name: str) -> None:
    made = written(f"From: {name}<anna@example.org> and <b.c+d@sub.example.org>.")
    assert f"From: {name}<anna@example.org> and <b.c+d@sub.example.org>." in made.toPlainText()
    assert addresses(made) == []


def test_a_web_link_stays() -> None:
    assert addresses(written("[here](https://example.org/a)")) == ["https://example.org/a"]


def test_a_picture_leaves_nothing_behind() -> None:
    made = written("before ![alt [x]](file:///etc/passwd) after")
    assert "\ufffc" not in made.toPlainText()


@pytest.mark.parametrize("width", [280, 760])
def test_a_wide_table_and_long_code_stay_within_the_column(width: int) -> None:
    wide = "|" + "|".join(f"heading{n}" * 3 for n in range(14)) + "|\n|" + "---|" * 14
    made = written(f"{wide}\n|" + "x" * 200 + "|" * 13 + f"\n\n```\n{'y' * 500}\n```")
    made.setTextWidth(width)
    assert made.size().width() <= width + 4


def turn_of(text: str) -> Turn:
    return fold(Transcript().begun("Why?", "single_pass"), answer(text, 1)).turns[0]


def test_an_answer_that_grew_looks_as_one_that_came_at_once() -> None:
    text = "One [1].\n\n- a\n- b\n\nTwo **bold**.\n\n```python\nx\n\ny\n```\n\n"
    text += "| a | b |\n|---|---|\n| 1 | 2 |\n\nEnd."
    whole = turn_of(text)
    grown, at_once = document(), document()
    writer = TurnWriter(QTextCursor(grown).insertFrame(QTextFrameFormat()), 0)
    for end in range(0, len(text), 3):
        writer.write(replace(whole, text=text[:end], outcome=InProgress("write")), look())
    running = replace(whole, text=text, outcome=InProgress("write"))
    writer.write(running, look())
    TurnWriter(QTextCursor(at_once).insertFrame(QTextFrameFormat()), 0).write(running, look())
    lines = [[line for line in each.toPlainText().split("\n") if line] for each in (grown, at_once)]
    drop = ("Copy code", "Copy table")
    bare = [
        [line.replace("python   Copy code", "python") for line in each if line not in drop]
        for each in lines
    ]
    assert bare[0] == bare[1]
    writer.write(whole, look())
    assert "Copy table" in grown.toPlainText()
    assert "python   Copy code" in grown.toPlainText()


def test_what_has_no_quote_is_dotted_and_said_once() -> None:
    text = "Fuel fell [1]. The moon is made of cheese. So be it.\n\n```\nprint(moon)\n```"
    turn = replace(turn_of(text), from_model=(1, 3, 4, 5))
    made = document()
    TurnWriter(QTextCursor(made).insertFrame(QTextFrameFormat()), 0).write(turn, look())
    dots = QTextCharFormat.UnderlineStyle.DotLine
    dotted = "".join(text for text, chars in formats(made) if chars.underlineStyle() == dots)
    assert dotted == "The moon is made of cheese."
    said = "No quote was found for the dotted sentence: check it yourself."
    assert said in made.toPlainText()
    unquoted, again = (
        replace(turn, notices=(NO_QUOTE,)),
        replace(look(), told=frozenset([NO_QUOTE])),
    )
    for seen, is_said in ((look(), False), (again, True)):
        made = document()
        TurnWriter(QTextCursor(made).insertFrame(QTextFrameFormat()), 0).write(unquoted, seen)
        assert (NO_QUOTE in made.toPlainText(), said in made.toPlainText()) == (
            not is_said,
            is_said,
        )


def test_a_refusal_says_what_to_do_where_something_was_found() -> None:
    advice = "look at what came nearest"
    for sources, is_said in ((3, True), (0, False)):
        ended = answer("Not found in your documents.", sources=sources, mode="refused")
        turn = fold(Transcript().begun("Why?", "single_pass"), ended).turns[0]
        made = document()
        TurnWriter(QTextCursor(made).insertFrame(QTextFrameFormat()), 0).write(turn, look())
        assert (advice in made.toPlainText()) == is_said
