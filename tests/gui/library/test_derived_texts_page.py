"""What was derived from documents, looked at in the window: open a row, read it, open a passage."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtCore import QModelIndex, Qt
from PySide6.QtTest import QTest

from desktop_rag.core.derived_events import DerivedOutline, SourcePassage
from desktop_rag.core.errors import UserError
from desktop_rag.gui.controllers.derived_texts import (
    DerivedDocuments,
    DerivedProblem,
    DocumentOutline,
    PreparedWay,
)
from desktop_rag.gui.controllers.document_tree import DocumentTree
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


def _table(path: Path) -> Path:
    """Write a table."""
    rows = [f"{topic},{2015 + n},{n * 70}" for n, topic in enumerate(_TOPICS)]
    path.write_text("\n".join(["work,year,crowns", *rows]), "utf-8")
    return path


def _prepared(driver: Driver, document: Path, way: str) -> DerivedTextsPage:
    """Read a document, prepare it for a way in the dialog, and look at it."""
    driver.drop(document)
    driver.wait_until_read(1)
    return _looked_at(driver, way)


def _looked_at(driver: Driver, way: str) -> DerivedTextsPage:
    """Prepare what is read for a way in the dialog, and look at it."""
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
    page = _prepared(driver, _book(tmp_path / "book.md"), "raptor")
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


@pytest.mark.parametrize(
    ("way", "write"),
    [
        ("hypothetical_questions", _book),
        ("propositions", _book),
        ("summaries", _book),
        ("tables", _table),
    ],
)
def test_what_was_derived_leads_to_its_passages_by_keys(
    driver: Driver, tmp_path: Path, way: str, write: Callable[[Path], Path]
) -> None:
    ending = "csv" if way == "tables" else "md"
    page = _prepared(driver, write(tmp_path / f"works.{ending}"), way)
    assert page.text.toPlainText()
    QTest.keyClick(page.tree, Qt.Key.Key_Right)
    first = page.model.index(0, 0)
    wait_for(lambda: page.model.rowCount(first) > 0)
    QTest.keyClick(page.tree, Qt.Key.Key_Down)
    assert page.kind.text().startswith("Passage")
    QTest.keyClick(page.tree, Qt.Key.Key_Return)
    wait_for(lambda: driver.window.sources.is_reading)


def test_what_comes_late_is_not_shown_under_another_way(driver: Driver, tmp_path: Path) -> None:
    page = _prepared(driver, _book(tmp_path / "book.md"), "hypothetical_questions")
    before = PreparedWay(driver.window.context.library.snapshot.current, "hypothetical_questions")
    late = page.documents.itemData(0), page.model.rowCount()
    page = _looked_at(driver, "propositions")
    now = page.documents.itemData(0)
    texts = driver.window.context.library.derived_texts
    shown, told = page.model.rowCount(), page.origin.text()
    nothing = DerivedOutline(now.document_id, before.way, (), ())
    texts.documents_came.emit(DerivedDocuments(before, (late[0],)))
    texts.outline_came.emit(DocumentOutline(before, nothing, DocumentTree()))
    texts.complained.emit(DerivedProblem(before, UserError("Too late.", "")))
    assert page.documents.itemData(0) == now
    assert (page.model.rowCount(), page.origin.text()) == (shown, told)


def test_a_card_tells_before_it_begins_what_a_way_is_prepared_with(
    driver: Driver, tmp_path: Path
) -> None:
    driver.drop(_book(tmp_path / "book.md"))
    driver.wait_until_read(1)
    pick_for_base(driver.window.side.library, "Prepare…")
    dialog = present(driver.window.findChild(PreparationDialog))
    wait_for(lambda: "raptor" in dialog.cards)
    card = dialog.cards["raptor"]
    assert card.state.text().startswith("Not prepared")
    assert card.remark.isVisibleTo(card)
    assert "without a language model" in card.remark.text()
    dialog.uses_model.click()
    assert "written by the language model" in card.remark.text()
