"""Texts on screen: what is marked, tables, and long ones shown in stretches."""

from __future__ import annotations

import pytest
from pytestqt.qtbot import QtBot

from desktop_rag.catalog.document_queries import ChunkOutline
from desktop_rag.core.types import BlockKind, DocumentId, Locator, LocatorKind
from desktop_rag.gui.controllers.document_blocks import blocks_of
from desktop_rag.gui.controllers.open_document import DocumentText, OpenDocument, TextHit, TextRange
from desktop_rag.gui.theme import Theme
from desktop_rag.gui.viewer.text_view import STRETCH, TextView


@pytest.fixture
def view(qtbot: QtBot, theme: Theme) -> TextView:
    made = TextView(theme)
    qtbot.addWidget(made)
    made.resize(400, 300)
    made.show()
    return made


def opened(*ranges: tuple[int, int]) -> OpenDocument:
    marks = tuple(Locator(LocatorKind.LINE, 1, start, end) for start, end in ranges)
    return OpenDocument("/tmp/notes.md", "Notes", DocumentId(1), marks)


def stretch(
    text: str, start: int = 0, length: int = 0, pieces: tuple[ChunkOutline, ...] = ()
) -> DocumentText:
    blocks = tuple(blocks_of(text, start, pieces, frozenset()))
    return DocumentText(text, start, length or start + len(text), blocks)


def marked(view: TextView) -> list[str]:
    return [each.cursor.selectedText() for each in view.extraSelections()]


def test_the_passage_is_marked_in_the_text_whatever_stands_before_it(view: TextView) -> None:
    text = "🚢🚢 差旅 " + "line\n" * 300 + "the very words" + "\nmore" * 50
    start = text.index("the very words")
    view.begin(opened((start, start + 14)), len(text))
    view.add(stretch(text))
    assert marked(view) == ["the very words"]
    assert view.verticalScrollBar().value() > 0


def test_a_text_that_begins_later_is_counted_from_there(view: TextView) -> None:
    view.begin(opened((1004, 1013)), 2000)
    view.add(stretch("abc the words def", 1000, 2000))
    assert marked(view) == ["the words"]


def test_a_mark_outside_the_shown_text_marks_nothing(view: TextView) -> None:
    view.begin(opened((5, 9)), 2000)
    view.add(stretch("abc", 1000, 2000))
    assert marked(view) == []


def test_a_stretch_goes_on_where_the_last_one_ended_or_began(view: TextView) -> None:
    wanted: list[TextRange] = []
    view.stretch_wanted.connect(wanted.append)
    whole = "".join(f"line {n:05d} 🚢\n" for n in range(1000))
    view.begin(opened((6500, 6510)), len(whole))
    view.add(stretch(whole[5200:7800], 5200, len(whole)))
    bar = view.verticalScrollBar()
    for end in (bar.minimum, bar.maximum):
        bar.setValue(end())
        want = wanted[-1]
        assert want.fixed in (view.setting.start, view.setting.end)
        view.add(stretch(whole[want.start : want.end], want.start, len(whole)))
        bar.setValue(bar.maximum())
    assert (view.setting.start, view.setting.end) == (0, len(whole))
    view.set_hits([TextHit(26, 36), TextHit(10_400, 10_410)], None)
    assert marked(view)[-2:] == [whole[26:36], whole[10_400:10_410]]
    assert view.toPlainText().count("line") == 1000


def test_what_is_held_of_a_very_long_text_stays_small(view: TextView) -> None:
    wanted: list[TextRange] = []
    view.stretch_wanted.connect(wanted.append)
    whole = "".join(f"line {n:05d} 🚢\n" for n in range(40_000))
    view.begin(opened(), len(whole))
    for _ in range(40):
        want = wanted[-1]
        view.add(stretch(whole[want.start : want.end], want.start, len(whole)))
        bar = view.verticalScrollBar()
        place = view.place
        bar.setValue(bar.maximum())
        assert view.place >= place
    assert view.place > 100_000
    assert view.setting.end - view.setting.start < 60_000


def test_a_far_place_is_asked_for_and_shown_alone(view: TextView) -> None:
    wanted: list[TextRange] = []
    view.stretch_wanted.connect(wanted.append)
    whole = "word\n" * 200_000
    view.begin(opened(), len(whole))
    view.add(stretch(whole[: STRETCH // 2], 0, len(whole)))
    wanted.clear()
    view.show_place((600_000, 600_004))
    (want,) = wanted
    assert want.start < 600_000 < want.end
    view.add(stretch(whole[want.start : want.end], want.start, len(whole)))
    assert view.setting.start == want.start
    assert abs(view.place - 600_000) < 2000


def test_rows_stand_in_a_table_and_their_cells_are_marked(view: TextView) -> None:
    text = "Port | Cars\nPort: Stava; Cars: 12\nPort: Skudevik; Cars: 345\nThe end"
    row = Locator(LocatorKind.SHEET, "Ports", 0, text.index("The end"), cells="A1:B3")
    pieces = (ChunkOutline(0, BlockKind.TABLE, "", row),)
    at = text.index("345")
    view.begin(opened((at, at + 3)), len(text))
    view.add(stretch(text, pieces=pieces))
    assert marked(view) == ["345"]
    table = view.setting.cursors(at, at + 3).__next__().currentTable()
    assert table is not None
    cells = [
        [table.cellAt(row, column).firstCursorPosition().block().text() for column in range(3)]
        for row in range(table.rows())
    ]
    assert cells == [
        ["1", "Port", "Cars"],
        ["2", "Stava", "12"],
        ["3", "Skudevik", "345"],
    ]
