"""The card of a knowledge base's adaptation, in the dialog of its preparations."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from desktop_rag.core.cancel import CancelToken
from desktop_rag.core.catalog_records import RetrieverAdaptation
from desktop_rag.gui.controllers.adaptation import AdaptationRow, AdaptationStatus
from desktop_rag.gui.library.adaptation_card import AdaptationCard
from desktop_rag.gui.library.preparation_dialog import PreparationDialog
from testing.narrowing import present
from testing.window_driver import Driver, wait_for
from tests.gui.menu_clicks import pick_for_base


def _read(driver: Driver, tmp_path: Path) -> None:
    text = tmp_path / "terms.md"
    text.write_text("# Terms\n\n## Delivery\n\n" + "The seller ships all goods by rail. " * 9)
    driver.drop(text)
    driver.wait_until_read(1)


def _opened(driver: Driver) -> PreparationDialog:
    """Look at what the knowledge base is prepared for."""
    pick_for_base(driver.window.side.library, "Prepare…")
    dialog = present(driver.window.findChild(PreparationDialog))
    wait_for(lambda: dialog.adaptation.isVisible() and dialog.adaptation.go.height() > 0)
    return dialog


def test_what_cannot_be_measured_is_told_in_the_dialog(driver: Driver, tmp_path: Path) -> None:
    _read(driver, tmp_path)
    dialog = _opened(driver)
    card = dialog.adaptation
    assert card.title.text() == "Retriever adaptation"
    assert card.state.text().startswith("Not adapted")
    assert not card.figures.isVisibleTo(card)
    assert card.go.accessibleName() == "Adapt: Retriever adaptation"
    QTest.mouseClick(card.go, Qt.MouseButton.LeftButton)
    wait_for(dialog.complaint.isVisible, 60)
    assert "too few questions" in dialog.complaint.text()
    wait_for(lambda: card.go.text() == "Adapt")


def test_a_verdict_is_shown_with_its_figures_and_taken_back(driver: Driver, tmp_path: Path) -> None:
    _read(driver, tmp_path)
    workspace = driver.window.context.folder.get(CancelToken())
    kb, model = workspace.catalog.kbs.get("default").id, workspace.models.embedder
    told = RetrieverAdaptation(model.fingerprint, "", 3, 154, 146, 19.2, 21.7, 0.4, 6.3, 14.7, 21.8)
    kept = np.zeros((model.dimensions, model.dimensions), np.float16)
    workspace.catalog.adaptations.store(kb, told, kept)
    card = _opened(driver).adaptation
    assert card.state.text() == "Adapted: more is found"
    assert "146 held-out questions: 19.2 → 21.7" in card.figures.text()
    assert "+0.4 to +6.3" in card.figures.text()
    assert "there were 3 documents; now there are 1" in card.figures.text()
    assert card.go.text() == "Adapt anew"
    QTest.mouseClick(card.remove, Qt.MouseButton.LeftButton)
    wait_for(lambda: card.state.text().startswith("Not adapted"))
    assert workspace.catalog.adaptations.find(kb) is None
    assert not card.remove.isVisibleTo(card)


def test_a_run_is_shown_with_how_far_it_is_and_can_be_stopped(driver: Driver) -> None:
    del driver  # which has the application
    card = AdaptationCard()
    asked: list[str] = []
    card.asked.connect(asked.append)
    row = AdaptationRow("default", "Retriever adaptation", "…", "none", 9)
    card.show_status(AdaptationStatus(row, (0, 0)))
    assert card.state.text().startswith("Questions are being proposed")
    card.show_status(AdaptationStatus(row, (12, 300)))
    assert card.state.text() == "At work · 12 of 300 questions"
    assert (card.progress.value(), card.progress.maximum()) == (12, 300)
    card.go.click()
    assert asked == ["stop"]
