"""Long answers are laid out in parts: nothing is lost between them, and none takes long."""

from __future__ import annotations

import re

import pytest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from desktop_rag.core.events import Draft, Step, Token
from desktop_rag.gui import language
from desktop_rag.gui.chat.answer_parts import LARGEST, AnswerSplitter, DisplayPart
from desktop_rag.gui.chat.markdown_blocks import blocks_of_kind
from desktop_rag.gui.chat.transcript_links import TranscriptLink
from desktop_rag.gui.chat.transcript_view import TranscriptView
from desktop_rag.gui.controllers.transcript import Transcript, fold, fold_all
from desktop_rag.gui.theme import Theme
from testing.long_conversations import Stalls
from testing.qt_wait import pause, wait_for
from testing.sample_answers import answer

PROSE = "The *Sula* cost **30 % less** than before [1]. There are two reasons for that.\n\n"
LONG = {
    "prose": PROSE * 4000,
    "a word": "x" * 300_000,
    "a paragraph": "All is said in one go [1] and goes on and on. " * 7000,
    "Chinese": "渡轮的成本比去年低了百分之三十，有两个原因。" * 14_000,
    "links": "[link](https://example.org/a) " * 5000,
    "citations": "[1] " * 75_000,
    "code": "```python\n" + "x = 1\n" * 50_000 + "```\n",
    "a line of code": "```\n" + "x" * 300_000,
    "short lines": "a\n" * 100_000,
    "a list": "- a\n" * 75_000,
    "a table": "|a|b|\n|-|-|\n" + "|1|2|\n" * 50_000,
    "a wide table": "|a" * 300 + "|\n" + "|-" * 300 + "|\n" + ("|1" * 300 + "|\n") * 400,
    "brackets": "[" * 300_000,
    "bars": "|" * 300_000,
}
LONGEST = 0.25  # seconds of the GUI thread's own work; it takes 0.06, and took from 10 to 180


@pytest.fixture
def view(qtbot: QtBot, theme: Theme) -> TranscriptView:
    made = TranscriptView(theme)
    qtbot.addWidget(made)
    made.resize(800, 600)
    made.show()
    return made


def all_of(text: str) -> list[DisplayPart]:
    parts = AnswerSplitter()
    made: list[DisplayPart] = []
    while not made or not made[-1].is_last:
        made.append(parts.get(text, len(made)))
    return made


def answered(text: str) -> Transcript:
    return fold(Transcript().begun("Why?", "single_pass"), answer(text, 1))


@pytest.mark.parametrize("name", ["prose", "a word", "a paragraph", "Chinese", "links", "a list"])
def test_the_parts_together_are_the_answer(name: str) -> None:
    made = all_of(LONG[name])
    assert "".join(part.text for part in made) == LONG[name]
    assert max(len(part.text) for part in made) <= LARGEST
    assert [part.number for part in made] == list(range(len(made)))


def test_an_answer_of_the_usual_length_is_one_part() -> None:
    text = PROSE * 70
    assert all_of(text) == [DisplayPart(0, text, all_of("")[0].before, is_last=True)]


def test_prose_is_cut_between_paragraphs() -> None:
    assert all(part.text.endswith(".\n\n") for part in all_of(LONG["prose"]))


def test_a_word_that_ends_is_not_cut() -> None:
    words = [part.text.split() for part in all_of("letters " * 20_000)]
    assert {word for each in words for word in each} == {"letters"}


def test_code_goes_on_as_code_and_is_copied_whole() -> None:
    first, *others = all_of("Look:\n\n```python\n" + "x = 1\n" * 9000 + "```\n\nSo it is.\n")
    assert len(others) > 2
    assert all(part.text.startswith("```python\nx = 1\n") for part in others[:-1])
    assert [blocks_of_kind(part.text, "code")[0].language for part in others[:-1]]
    assert {part.before.code for part in others[:-1]} == {0}
    assert first.before.code == 0
    assert others[-1].text.endswith("So it is.\n")


def test_a_table_goes_on_under_its_head() -> None:
    made = all_of(PROSE * 200 + "|a|b|\n|-|-|\n" + "".join(f"|{n}|2|\n" for n in range(3000)))
    rows = [
        row
        for part in made
        for table in blocks_of_kind(part.text, "table")
        for row in _rows(table.text)
    ]
    assert rows == [str(n) for n in range(3000)]
    assert made[-1].before.table == 0


def _rows(table: str) -> list[str]:
    return re.findall(r"^\|(\d+)\|", table, re.MULTILINE)


def test_what_was_cut_stays_cut_while_the_answer_grows() -> None:
    text, parts = LONG["prose"][:60_000], AnswerSplitter()
    grown = [parts.get(text[:end], 1) for end in range(0, len(text), 997)]
    second = all_of(text)[1]
    starts = [each for each in grown if each.number == 1]
    assert all(second.text.startswith(each.text) or each == second for each in starts)
    assert starts[-1] == second


@pytest.mark.parametrize("name", LONG)
def test_a_long_answer_does_not_hold_up_the_window(view: TranscriptView, name: str) -> None:
    stalls = Stalls()
    stalls.start()
    view.show_transcript(answered(LONG[name]))
    pause(60)
    view.show_part(0, 1)
    pause(60)
    view.resize(700, 600)
    pause(60)
    assert stalls.stop().worked < LONGEST


def test_a_long_answer_that_grows_does_not_hold_up_the_window(view: TranscriptView) -> None:
    shown = Transcript().begun("Why?", "single_pass")
    stalls = Stalls()
    stalls.start()
    for at in range(0, 300_000, 500):
        shown = fold(shown, Token(LONG["prose"][at : at + 500]))
        view.show_transcript(shown)
        if not at % 5000:
            pause(5)
    view.show_transcript(fold(shown, answer(LONG["prose"][:300_000], 1)))
    pause(60)
    assert stalls.stop().worked < LONGEST


def test_a_long_draft_among_the_steps_does_not_hold_up_the_window(view: TranscriptView) -> None:
    words = tuple((f" w{n % 10}", 0.1) for n in range(30_000))
    draft = Draft("".join(word for word, _ in words), kept=False, tokens=words)
    shown = fold_all(Transcript().begun("Why?", ""), [draft, Step("thought", LONG["prose"])])
    stalls = Stalls()
    stalls.start()
    view.show_transcript(fold(shown, answer("It is so [1].", 1)))
    view.toggle_steps(0)
    pause(60)
    assert stalls.stop().worked < LONGEST


def test_the_parts_are_leafed_through(view: TranscriptView) -> None:
    text = "".join(f"Sentence number {n} stands here.\n\n" for n in range(3000))
    view.show_transcript(answered(text))
    assert "Part 1 of a long answer" in view.toPlainText()
    assert "Sentence number 0 stands" in view.toPlainText()
    assert "Sentence number 2999 stands" not in view.toPlainText()
    view._do(TranscriptLink("part:", 0, 1), view._transcript.turns[0])
    assert "Part 2 of a long answer" in view.toPlainText()
    assert "Sentence number 0 stands" not in view.toPlainText()
    view.show_part(0, 10**6)
    assert "Sentence number 2999 stands" in view.toPlainText()
    assert "Next part" not in view.toPlainText()
    view.show_transcript(fold(Transcript().begun("Other?", ""), answer(text, 1)))
    assert "Part 1 of a long answer" in view.toPlainText()


def numbered(count: int) -> str:
    return "".join(f"Sentence number {n} stands here.\n\n" for n in range(count))


def in_sight(view: TranscriptView) -> str:
    edge = view.viewport().rect()
    first, last = (view.cursorForPosition(at) for at in (edge.topLeft(), edge.bottomRight()))
    first.setPosition(last.position(), first.MoveMode.KeepAnchor)
    return first.selectedText().replace("\u00a0", " ")


@pytest.mark.parametrize("question", ["Why?", "And why is it so? " * 300])
def test_a_part_that_was_gone_to_begins_in_sight_and_says_which_it_is(
    view: TranscriptView, question: str
) -> None:
    text = numbered(3000)
    shown = fold(Transcript().begun(question, ""), answer(text, 1)).begun("Other?", "")
    view.show_transcript(fold(shown, answer("It is so [1].", 1)))
    for number, part in enumerate(all_of(text)):
        view.show_part(0, number)
        pause(20)
        seen = in_sight(view)
        assert part.text.partition("\n")[0] in seen
        if number:
            assert f"Part {number + 1}" in seen.partition("Sentence")[0]
            assert "‹ Previous part" in seen.partition("Sentence")[0]
    assert f"Part {number + 1}, the last of a long answer" in seen


def test_the_ways_to_other_parts_are_not_broken(view: TranscriptView) -> None:
    view.show_transcript(answered(numbered(3000)))
    view.show_part(0, 1)
    raw = view.document().toRawText()
    assert raw.count("‹\u00a0Previous\u00a0part") == raw.count("Next\u00a0part\u00a0›") == 2


def test_the_line_above_a_part_goes_along_with_an_answer_that_grows(view: TranscriptView) -> None:
    text, step = numbered(3000), 4000
    second = all_of(text)[1]
    shown = fold(Transcript().begun("Why?", "single_pass"), Token(text[:12_000]))
    view.show_transcript(shown)
    view.show_part(0, 1)
    assert view.toPlainText().count("Part 2 of a long answer") == 2
    assert "Next part" not in view.toPlainText()
    for at in range(12_000, 32_000, step):
        shown = fold(shown, Token(text[at : at + step]))
        view.show_transcript(shown)
        pause(50)
    wait_for(lambda: view.toPlainText().replace("\u00a0", " ").count("Next part ›") == 2)
    assert second.text.rstrip().rpartition("\n")[2] in view.toPlainText()
    view.show_part(0, 10**6)
    view.show_transcript(fold(shown, answer(text[:32_000], 1)))
    assert view.toPlainText().count("the last of a long answer") == 2


def test_the_parts_are_told_of_in_chinese(view: TranscriptView, qapp: QApplication) -> None:
    language.speak(qapp, "zh")
    view.show_transcript(answered(LONG["Chinese"]))
    assert "长回答的第 1 部分" in view.toPlainText()
    assert "下一部分" in view.toPlainText()
    view.show_part(0, 10**6)
    assert "部分（最后一部分）" in view.toPlainText()
    assert "上一部分" in view.toPlainText()
