"""An answer that was written word by word is, at its end, what it is when it is written at once."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import pytest
from PySide6.QtGui import QTextBlock, QTextCursor, QTextDocument, QTextFormat, QTextFrameFormat

from desktop_rag.core.events import Event, Notice, PassagesFound, SearchStarted, Step, Token
from desktop_rag.gui.chat.timeline_writer import FOLDED, Expansion
from desktop_rag.gui.chat.turn_writer import TurnWriter
from desktop_rag.gui.controllers.transcript import Stopped, Transcript, Turn, fold, fold_all
from testing.narrowing import narrow
from testing.sample_answers import answer, passage
from tests.gui.chat.test_markdown_writer import document, look

pytestmark = pytest.mark.usefixtures("qapp")
PROSE = "Fuel cost **less** [1].\n\nThere were [2] two reasons.\n\nSo it was [3]."
MIXED = (
    "One [1].\n\n## Why\n\n- a [2]\n- b\n\nTwo **bold** and `code`.\n\n```python\nx\n\ny\n```\n\n"
    "Between them.\n\n| a | b |\n|---|---|\n| 1 | 2 [1] |\n\nAfter [2, 3] it.\n\n1. x\n2. y\n\nEnd."
)
CHINESE = (
    "费用下降了30%[1]。原因有二：\n\n新船更省油[2]。\n\n"
    "|年|费用|\n|---|---|\n|2024|4亿[1]|\n\n柴油价格也下降了[3]。"
)
SPLIT = "He left [1][2] at once.\n\n[3] says so.\n\nNobody else [1, 2] does. 🚢 It sailed [1].\n"


def ended(text: str, *, sources: int = 3, from_model: tuple[int, ...] = ()) -> Event:
    return replace(answer(text, 1, 2, sources=sources), from_model=from_model)


def grown(text: str, start: Transcript, step: int = 1) -> Iterator[Transcript]:
    """Yield a conversation again and again while its answer grows."""
    for at in range(0, len(text), step):
        start = fold(start, Token(text[at : at + step]))
        yield start


def searched(sources: int = 3) -> Transcript:
    found = tuple(passage(n) for n in range(1, sources + 1))
    kept = frozenset(each.chunk_id for each in found)
    events = [
        Step("condensed", "Why did the cost of fuel fall?"),
        SearchStarted("fuel", "the question"),
        PassagesFound("fuel", found, kept),
    ]
    begun = Transcript(1).begun("Why?", "single_pass")
    first = replace(begun.turns[0], versions=(4, 7, 9), question_id=7)
    return fold_all(begun.with_last(first), events)


def told(block: QTextBlock) -> tuple[object, ...]:
    """Return all that is to be told of a paragraph, its text's forms piece by piece."""
    each, texts = block.begin(), []
    while not each.atEnd():
        chars = each.fragment().charFormat()
        texts.append((each.fragment().text(), plain(chars)))
        each += 1
    item = block.textList()
    numbered = (item.itemText(block), item.format().style()) if item else None
    return block.text(), plain(block.blockFormat()), plain(block.charFormat()), texts, numbered


def plain(form: QTextFormat) -> QTextFormat:
    """Return a form without the number of the list or frame that it belongs to."""
    form.clearProperty(QTextFormat.Property.ObjectIndex)
    return form


def paragraphs(made: QTextDocument) -> list[tuple[object, ...]]:
    block, found = made.begin(), []
    while block.isValid():
        found.append(told(block))
        block = block.next()
    return found


def laid_out(made: QTextDocument) -> list[tuple[float, ...]]:
    """Return where each paragraph stands."""
    made.setTextWidth(700)
    block, layout, found = made.begin(), made.documentLayout(), []
    while block.isValid():
        found.append(narrow(layout.blockBoundingRect(block).getRect(), tuple))
        block = block.next()
    return found


def writer(made: QTextDocument) -> TurnWriter:
    return TurnWriter(QTextCursor(made).insertFrame(QTextFrameFormat()), 0)


def check_same(turns: list[Turn], unfolded: Expansion = FOLDED) -> None:
    """Write states of a turn one upon the other, and the last alone: no difference."""
    going, alone = document(), document()
    writers = writer(going), writer(alone)
    going.setTextWidth(700)
    for turn in turns:
        writers[0].write(turn, look(), unfolded)
    writers[1].write(turns[-1], look(), unfolded)
    assert paragraphs(going) == paragraphs(alone)
    assert going.toHtml() == alone.toHtml()
    assert going.toPlainText() == alone.toPlainText()
    assert going.toMarkdown() == alone.toMarkdown()
    assert laid_out(going) == laid_out(alone)
    assert writers[0].claims() == writers[1].claims()


CHANGES = {
    "nothing": ("", ""),
    "a number more, in the first paragraph": ("less** [1]", "less** [1][2]"),
    "a number more, at the end": ("End.", "End [3]."),
    "other numbers": ("[2]", "[3]"),
    "a sentence less": ("Two **bold** and `code`.\n\n", ""),
    "a paragraph that becomes a list": ("Between them.", "- Between them."),
    "a table's cell": ("| 2 [1] |", "| 2 [1][3] |"),
    "code": ("x\n\ny", "x\n\nz"),
    "two paragraphs that become one": ("reasons.\n\nSo", "reasons.\nSo"),
}


@pytest.mark.parametrize("text", [PROSE, MIXED, CHINESE, SPLIT])
@pytest.mark.parametrize("change", CHANGES)
def test_an_answer_that_grew_ends_as_one_that_came_at_once(text: str, change: str) -> None:
    states = list(grown(text, searched(), step=5))
    whole = fold(states[-1], ended(text.replace(*CHANGES[change]).strip()))
    check_same([each.turns[-1] for each in (*states, whole)])


@pytest.mark.parametrize("sources", [0, 1, 2, 4])
def test_it_ends_so_with_more_or_fewer_sources(sources: int) -> None:
    text = f"{MIXED}\n\nAnd [4].\n\n~~~\n```\n~~~\n\nLast [2]."
    states = list(grown(text, searched(), step=7))
    last = states[-1].turns[-1]
    found = tuple(passage(n) for n in range(1, sources + 1))
    whole = fold(states[-1].with_last(replace(last, sources=found)), ended(text, sources=sources))
    check_same([each.turns[-1] for each in (*states, whole)])


@pytest.mark.parametrize("unfolded", [FOLDED, Expansion(True, frozenset({2}))])
def test_it_ends_so_with_dots_notices_and_steps(unfolded: Expansion) -> None:
    states = list(grown(MIXED, searched(), step=9))
    told_of = fold(states[-1], Notice("The match is weak."))
    whole = fold(told_of, ended(MIXED, from_model=(2, 3, 6)))
    check_same([each.turns[-1] for each in (*states, told_of, whole)], unfolded)


def test_one_that_is_stopped_ends_so() -> None:
    states = list(grown(MIXED[:-3], searched(), step=4))
    check_same([each.turns[-1] for each in (*states, states[-1].ended(Stopped()))])


def test_what_is_the_same_at_the_end_is_not_written_again_so_a_selection_stays() -> None:
    *states, last = grown(MIXED, searched(), step=30)
    made = document()
    kept = writer(made)
    for each in (*states, last):
        kept.write(each.turns[-1], look())
    chosen = made.find("Between them.")
    kept.write(fold(last, ended(MIXED)).turns[-1], look())
    assert chosen.selectedText() == "Between them."
