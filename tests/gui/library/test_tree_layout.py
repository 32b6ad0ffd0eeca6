"""Where a document's tree is drawn, and the drawing of one that is made up."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

import pytest
from PySide6.QtCore import QRectF, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from desktop_rag.core.catalog_records import DerivedText
from desktop_rag.core.derived_events import DerivedOutline
from desktop_rag.core.types import ChunkId, DerivedId, DocumentId
from desktop_rag.gui.controllers.document_tree import DocumentTree, document_tree
from desktop_rag.gui.library.derived_tree_view import DerivedTreeView
from desktop_rag.gui.library.tree_layout import TreeLayout, lay_out_tree
from desktop_rag.gui.theme import Theme
from testing.narrowing import narrow
from testing.synthetic_trees import made_tree

BOX = 36.0


def text(number: int, level: int, sources: tuple[int, ...], *children: int) -> DerivedText:
    chunks = tuple(map(ChunkId, sources))
    under = tuple(map(DerivedId, children))
    return DerivedText(DerivedId(number), DocumentId(1), f"Text {number}", level, chunks, under)


def shared() -> DocumentTree:
    """Return a tree in which the passage 12 stands under two texts, and one stands over both."""
    texts = (text(1, 1, (11, 12)), text(2, 1, (12, 13)), text(3, 2, (11, 12, 13), 1, 2))
    return document_tree(DerivedOutline(DocumentId(1), "raptor", texts, (DerivedId(3),)))


def whole(tree: DocumentTree) -> TreeLayout:
    return lay_out_tree(tree, set(range(len(tree.points))), BOX)


def test_a_passage_of_two_texts_is_one_node_under_both() -> None:
    tree = shared()
    leaf = next(each for each in tree.points if each.content == 12)
    assert [narrow(tree.points[at].content, DerivedText).derived_id for at in leaf.parents] == [
        1,
        2,
    ]
    assert tree.counts == (3, 2, 1)
    assert len(whole(tree).rows[0]) == 3


@pytest.mark.parametrize("leaves", [1, 12, 500])
def test_spans_of_a_row_never_overlap_and_hold_what_they_were_opened_to(leaves: int) -> None:
    tree = made_tree(leaves)
    made = whole(tree)
    assert sum(map(len, made.rows.values())) == len(tree.points)
    for row in made.rows.values():
        assert all(one.right < other.left for one, other in pairwise(row))
    for at, point in enumerate(tree.points):
        span = made.spans[at]
        over = [made.spans[each] for each in point.parents]
        holding = [each for each in over if each.left <= span.left and span.right <= each.right]
        assert bool(holding) == bool(over)


def test_what_is_in_sight_is_found_and_stands_under_boxes_in_sight() -> None:
    tree = made_tree(5000)
    made = whole(tree)
    seen = QRectF(made.width / 3, 0, 900, made.height)
    shown = list(made.in_sight(seen))
    assert 5 < len(shown) < 60
    for span in shown:
        assert made.box(span, seen).intersects(seen)
        assert span.left - 1 <= made.box(span, seen).left() <= span.right
    assert {tree.points[each.point].level for each in shown} == set(range(tree.height + 1))


@pytest.fixture
def view(qapp: QApplication, qtbot: QtBot) -> Iterator[DerivedTreeView]:
    made = DerivedTreeView(Theme(qapp, "light"))
    qtbot.addWidget(made)
    made.resize(900, 420)
    made.show()
    yield made
    made.close()


def test_a_long_document_is_shown_by_its_upper_levels_at_first(view: DerivedTreeView) -> None:
    tree = made_tree(5000)
    view.show_tree(tree, "Ferries")
    assert len(view.layout_of_all.spans) <= 12
    while view.can_open_more:
        view.open_more()
    assert len(view.layout_of_all.spans) == len(tree.points)
    view.open_less()
    assert len(view.layout_of_all.spans) == len(tree.points) - 5000


def test_keys_go_along_the_lines(view: DerivedTreeView) -> None:
    asked: list[object] = []
    view.passages_wanted.connect(asked.append)
    view.show_tree(shared(), "Ferries")
    view.open_down_to(2)
    assert narrow(view.chosen, DerivedText).derived_id == 3
    assert len(view.layout_of_all.spans) == 1
    QTest.keyClick(view, Qt.Key.Key_Down)
    assert narrow(view.chosen, DerivedText).derived_id == 1
    assert "Text 1" in view.accessibleDescription()
    QTest.keyClick(view, Qt.Key.Key_Right)
    assert narrow(view.chosen, DerivedText).derived_id == 2
    QTest.keyClick(view, Qt.Key.Key_Down)
    assert view.chosen is None, "a passage that is not read yet"
    QTest.qWait(200)
    assert sorted(each for chunks in asked for each in narrow(chunks, tuple)) == [12, 13]
    QTest.keyClick(view, Qt.Key.Key_Up)
    QTest.keyClick(view, Qt.Key.Key_Up)
    QTest.keyClick(view, Qt.Key.Key_Return)
    assert len(view.layout_of_all.spans) == 1, "closed again"


def test_a_point_is_answered_by_the_node_there(view: DerivedTreeView) -> None:
    view.show_tree(shared(), "Ferries")
    view.open_down_to(1)
    for span in view.layout_of_all.in_sight(view.seen()):
        box = view.layout_of_all.box(span, view.seen())
        content = narrow(view.layout_of_all.tree.points[span.point].content, DerivedText)
        assert view.tip_at(box.center()) == content.text
        assert view.can_click(box.center())
    assert view.tip_at(view.seen().bottomRight()) == ""
