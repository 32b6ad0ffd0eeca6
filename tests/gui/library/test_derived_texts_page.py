"""What was derived from documents, looked at in the window: open a row, read it, open a passage."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import QModelIndex, Qt
from PySide6.QtTest import QTest

from desktop_rag.gui.controllers.derived_texts import SourcePassage
from desktop_rag.gui.library.derived_texts_page import DerivedTextsPage
from desktop_rag.gui.library.preparation_dialog import PreparationCard, PreparationDialog
from testing.narrowing import narrow, present
from testing.window_driver import Driver, wait_for
from tests.gui.menu_clicks import pick_for_base

_TOPICS = ("bridges", "harbours", "forests", "railways", "museums", "orchards")


def _book(path: Path) -> Path:
    """Write a text that is long enough for a tree."""
    parts = []
    for number in range(36):
        topic = _TOPICS[number % len(_TOPICS)]
        told = " ".join(
            f"Inspection {number}-{n} of the {topic} took {n + 3} days and cost {n * 7 + number} "
            f"crowns for the {topic} of the district."
            for n in range(8)
        )
        parts.append(f"# Report {number} on {topic}\n\n{told}\n")
    path.write_text("\n".join(parts), "utf-8")
    return path


def _prepared(driver: Driver, tmp_path: Path, way: str) -> DerivedTextsPage:
    """Read a book, prepare it for a way in the dialog, and look at it."""
    driver.drop(_book(tmp_path / "book.md"))
    driver.wait_until_read(1)
    pick_for_base(driver.window.side.library, "Prepare…")
    dialog = present(driver.window.findChild(PreparationDialog))
    wait_for(lambda: way in dialog.cards)
    card = dialog.cards[way]
    assert not card.look.isVisibleTo(card), "nothing to see yet"
    _click(card, "go")
    wait_for(lambda: card.state.text().startswith("Prepared"), 60)
    assert card.look.accessibleName().startswith("Look at it…: ")
    _click(card, "look")
    page = driver.window.centre.derived
    wait_for(lambda: page.model.rowCount() > 0)
    assert driver.window.centre.currentWidget() is page
    return page


def _click(card: PreparationCard, name: str) -> None:
    """Click a button as soon as it is laid out: before that a click goes nowhere."""
    button = getattr(card, name)
    wait_for(lambda: button.isVisible() and button.isEnabled() and button.height() > 0)
    QTest.mouseClick(button, Qt.MouseButton.LeftButton)


def _opened(page: DerivedTextsPage, index: QModelIndex) -> QModelIndex:
    """Click on a row; return the first row under it."""
    at = page.tree.visualRect(index).center()
    QTest.mouseClick(page.tree.viewport(), Qt.MouseButton.LeftButton, pos=at)
    wait_for(lambda: page.model.rowCount(index) > 0)
    return page.model.index(0, 0, index)


def test_a_tree_is_clicked_through_down_to_the_passage_in_its_document(
    driver: Driver, tmp_path: Path
) -> None:
    page = _prepared(driver, tmp_path, "raptor")
    assert "made without a language model" in page.origin.text()
    index, layers = page.model.index(0, 0), []
    while page.model.hasChildren(index):
        layers.append(present(page.model.node(index)).content)
        page.tree.setCurrentIndex(index)
        assert page.text.toPlainText() == layers[-1].text
        assert not page.open.isVisibleTo(page)
        index = _opened(page, index)
    assert layers
    passage = narrow(present(page.model.node(index)).content, SourcePassage)
    assert passage.text.strip()
    page.tree.setCurrentIndex(index)
    assert page.open.isVisibleTo(page)
    QTest.mouseClick(page.open, Qt.MouseButton.LeftButton)
    viewer = driver.window.sources.viewer
    wait_for(lambda: driver.window.sources.is_reading and viewer.document is not None)
    mark = present(present(viewer.document).mark)
    assert (mark.start, mark.end) == (passage.place.start, passage.place.end)
    assert driver.window.centre.currentWidget() is page, "the tree stays beside the document"


@pytest.mark.parametrize("way", ["hypothetical_questions", "propositions"])
def test_questions_and_propositions_lead_to_their_passages_by_keys(
    driver: Driver, tmp_path: Path, way: str
) -> None:
    page = _prepared(driver, tmp_path, way)
    QTest.keyClick(page.tree, Qt.Key.Key_Right)
    first = page.model.index(0, 0)
    wait_for(lambda: page.model.rowCount(first) > 0)
    QTest.keyClick(page.tree, Qt.Key.Key_Down)
    assert page.kind.text().startswith("Passage")
    QTest.keyClick(page.tree, Qt.Key.Key_Return)
    wait_for(lambda: driver.window.sources.is_reading)
