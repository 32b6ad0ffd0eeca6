"""What was derived from documents, looked at in the window: open a row, read it, open a passage."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtCore import QModelIndex, QRectF, Qt
from PySide6.QtGui import QInputMethodEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from desktop_rag.core.catalog_records import DerivedText
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
from desktop_rag.gui.library.derived_tree_view import DerivedTreeView
from desktop_rag.gui.library.drawing_area import DrawingArea
from desktop_rag.gui.library.preparation_card import PreparationCard
from desktop_rag.gui.library.preparation_dialog import PreparationDialog
from desktop_rag.gui.library.tree_layout import NodeSpan
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
    QTest.mouseClick(page.list, Qt.MouseButton.LeftButton)
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


def test_a_tree_is_drawn_and_clicked_through_down_to_the_passage(
    driver: Driver, tmp_path: Path
) -> None:
    page = _prepared(driver, _book(tmp_path / "book.md"), "raptor")
    view = page.drawing
    assert view.isVisibleTo(page)
    assert not page.tree.isVisibleTo(page)
    view.open_down_to(1)
    top = narrow(view.chosen, DerivedText)
    assert page.text.toPlainText() == top.text
    shown = len(view.layout_of_all.spans)
    lowest = next(
        each for each in view.layout_of_all.in_sight(view.seen()) if _level(view, each) == 1
    )
    _click_in(view, view.layout_of_all.box(lowest, view.seen()))
    assert len(view.layout_of_all.spans) > shown, "its passages"
    assert narrow(view.chosen, DerivedText).level == 1
    QTest.keyClick(view, Qt.Key.Key_Down)
    wait_for(lambda: isinstance(view.chosen, SourcePassage))
    passage = narrow(view.chosen, SourcePassage)
    assert page.text.toPlainText() == passage.text
    assert page.kind.text().startswith("Passage")
    leaf = next(
        each for each in view.layout_of_all.in_sight(view.seen()) if _level(view, each) == 0
    )
    _click_in(view, view.layout_of_all.box(leaf, view.seen()))
    wait_for(lambda: driver.window.sources.is_reading)


def _level(view: DerivedTreeView, span: NodeSpan) -> int:
    return view.layout_of_all.tree.points[span.point].level


def _click_in(view: DrawingArea, box: QRectF) -> None:
    """Click in the middle of a part of a drawing that is in sight."""
    at = (box.center() - view.seen().topLeft()).toPoint()
    assert view.viewport().rect().contains(at)
    QTest.mouseClick(view.viewport(), Qt.MouseButton.LeftButton, pos=at)


LIGHTS = (
    "The Halden lighthouse was designed by Marta Ekeland in 1880. Boats pass Halden at night.",
    "Marta Ekeland was born in Bergen, where the Halden Society printed her letters.",
    "《海港章程》由玛尔塔基金会起草。玛尔塔基金会设在卑尔根。",
)


def _lights(folder: Path) -> Path:
    """Write documents that share names."""
    folder.mkdir()
    for number, text in enumerate(LIGHTS):
        (folder / f"{number}.md").write_text(f"# Part {number}\n\n{text}\n", "utf-8")
    return folder


def test_a_graph_of_entities_is_walked_through_down_to_the_passage(
    driver: Driver, tmp_path: Path
) -> None:
    driver.drop(_lights(tmp_path / "lights"))
    driver.wait_until_read(3)
    page = _looked_at(driver, "entity_graph")
    panel, view = page.entities, page.entities.view
    wait_for(lambda: view.around.name)
    assert panel.isVisibleTo(page)
    assert view.around.name == "Marta Ekeland", "the most connected one"
    wait_for(lambda: panel.passages.count() == 2)
    assert "Named in 2" in panel.told.text()
    bergen = next(each for each in view.layout_of_all.places if each.neighbour.name == "Bergen")
    _click_in(view, bergen.row)
    assert view.around.name == "Marta Ekeland", "a click on the line chooses the pair"
    wait_for(lambda: panel.passages.count() == 1)
    assert "Marta Ekeland – Bergen" in panel.told.text()
    assert "Bergen" in view.accessibleDescription()
    _click_in(view, bergen.box)
    wait_for(lambda: view.around.name == "Bergen")
    QTest.keyClick(view, Qt.Key.Key_Backspace)
    wait_for(lambda: view.around.name == "Marta Ekeland")
    assert not panel.back.isEnabled()
    QTest.keyClick(view, Qt.Key.Key_Down)
    name = present(view.chosen).name
    QTest.keyClick(view, Qt.Key.Key_Return)
    wait_for(lambda: view.around.name == name)
    wait_for(lambda: panel.passages.count() > 0)
    item = panel.passages.visualItemRect(panel.passages.item(0)).center()
    QTest.mouseClick(panel.passages.viewport(), Qt.MouseButton.LeftButton, pos=item)
    wait_for(lambda: driver.window.sources.is_reading)


def test_an_entity_is_looked_up_by_a_part_of_its_name(driver: Driver, tmp_path: Path) -> None:
    driver.drop(_lights(tmp_path / "lights"))
    driver.wait_until_read(3)
    page = _looked_at(driver, "entity_graph")
    panel = page.entities
    wait_for(lambda: panel.view.around.name)
    panel.name.setFocus()
    panel.name.selectAll()
    typed = QInputMethodEvent()
    typed.setCommitString("玛尔塔")
    QApplication.sendEvent(panel.name, typed)
    wait_for(lambda: panel.offered == ("玛尔塔基金会",))
    QTest.keyClick(panel.name, Qt.Key.Key_Return)
    wait_for(lambda: panel.view.around.name == "玛尔塔基金会")
    panel.name.setText("zeppelin")
    QTest.keyClick(panel.name, Qt.Key.Key_Return)
    wait_for(lambda: "zeppelin" in panel.told.text())
    assert panel.view.around.name == "玛尔塔基金会", "what is shown stays"


def test_documents_without_entities_say_so(driver: Driver, tmp_path: Path) -> None:
    driver.drop(_lights(tmp_path / "lights"))
    driver.wait_until_read(3)
    page = _looked_at(driver, "entity_graph")
    wait_for(lambda: page.entities.view.around.name)
    of = PreparedWay(driver.window.context.library.snapshot.current, "raptor")
    page.entities.look_at(of)
    wait_for(lambda: page.entities.told.text().startswith("No entity was found"))
    assert page.entities.view.around.name == ""
    assert page.entities.passages.count() == 0
