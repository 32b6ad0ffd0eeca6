"""Outlines of PDFs and of texts, in the pane: shown where there are any, and gone to."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import QModelIndex, Qt
from PySide6.QtTest import QTest

from desktop_rag.gui.viewer.outline_panel import OutlinePanel
from testing.qt_wait import wait_for
from tests.gui.viewer.viewer_driver import Reading, page
from tests.parsing.sample_files import Pdf

HOSTILE = "<b>bold</b><img src='file:///etc/passwd'>\u202e\nfdp.exe"
LINES = (
    ("1 The harbour", 0, 1, 800),
    ("1.1 Its lights 灯塔", 1, 3, 500),
    (HOSTILE, 2, 4, 800),
    ("2 The ferry", 0, 7, 800),
    ("2.1 The last page", 1, 9, 100),
)


def shown(panel: OutlinePanel, above: QModelIndex | None = None) -> list[object]:
    """Return the tree as titles, each with those below it behind it."""
    above = QModelIndex() if above is None else above
    found: list[object] = []
    for row in range(panel.model.rowCount(above)):
        index = panel.model.index(row, 0, above)
        found.append(index.data())
        if below := shown(panel, index):
            found.append(below)
    return found


def chosen(panel: OutlinePanel) -> object:
    return panel.tree.currentIndex().data()


@pytest.fixture
def outlined(reading: Reading) -> Path:
    pages = tuple(page(f"Page {n} says something of its own.") for n in range(1, 10))
    path = Pdf(pages, outline=LINES).write(reading.library.docs / "harbour.pdf")
    reading.pdf("plain.pdf", page("Nothing is outlined here."))
    reading.library.index()
    return path


def test_the_outline_of_a_pdf_is_shown_and_gone_to(reading: Reading, outlined: Path) -> None:
    viewer, panel = reading.viewer, reading.viewer.outline.panel
    reading.read(outlined)
    wait_for(viewer.bar.outline.isVisible)
    assert not panel.isVisible(), "until it is asked for"
    viewer.bar.outline.click()
    harmless = HOSTILE.replace("\n", " ").replace("\u202e", "\ufffd")
    assert shown(panel) == [
        LINES[0][0], [LINES[1][0], [harmless]], LINES[3][0], [LINES[4][0]]
    ]  # fmt: skip
    assert chosen(panel) == LINES[0][0]
    tree = panel.tree
    tree.setFocus()
    QTest.keyClick(tree, Qt.Key.Key_Down)
    assert viewer.page == 1, "the keys choose, Enter goes"
    QTest.keyClick(tree, Qt.Key.Key_Return)
    view = viewer.page_view
    assert view._place[0] == 3
    assert view._place[2] == pytest.approx(300, abs=2), "points from the top"
    assert chosen(panel) == LINES[1][0]
    view.go(8)
    assert chosen(panel) == LINES[3][0], "where one reads is told"
    last = panel.model.index(0, 0, panel.model.index(1, 0))
    at = tree.visualRect(last).center()
    QTest.mouseClick(tree.viewport(), Qt.MouseButton.LeftButton, pos=at)
    assert chosen(panel) == LINES[4][0], "though it can't be scrolled to the top"
    assert 9 in view.in_sight()


def test_a_document_without_an_outline_offers_none(reading: Reading, outlined: Path) -> None:
    viewer = reading.viewer
    reading.read(outlined)
    wait_for(viewer.bar.outline.isVisible)
    viewer.bar.outline.click()
    assert viewer.outline.panel.isVisible()
    reading.read(outlined.with_name("plain.pdf"))
    wait_for(lambda: not reading.reader.pages._outline_wanted)
    assert not viewer.bar.outline.isVisible()
    assert not viewer.outline.panel.isVisible()
    reading.read(outlined)
    wait_for(viewer.outline.panel.isVisible)


def test_the_headings_of_a_text_are_its_outline(reading: Reading) -> None:
    path = reading.library.docs / "码头.md"
    said = "\n\n".join(f"The pier is mended in year {n}." for n in range(1900, 1925))
    path.write_text(
        f"# 码头\n\n{said}\n\n## 冬天\n\n{said}\n\n## Summer\n\n{said}\n", encoding="utf-8"
    )
    reading.library.index()
    viewer, panel = reading.viewer, reading.viewer.outline.panel
    reading.read(path)
    wait_for(viewer.bar.outline.isVisible)
    viewer.bar.outline.click()
    assert shown(panel) == ["冬天", "Summer"], "the title is above"
    second = panel.model.index(1, 0)
    panel.tree.setCurrentIndex(second)
    QTest.keyClick(panel.tree, Qt.Key.Key_Return)
    view = viewer.text_view
    wait_for(lambda: view.cursorForPosition(view.viewport().rect().topLeft()).block().text())
    text = view.toPlainText()
    assert "Summer" in text
    top = view.cursorForPosition(view.viewport().rect().topLeft()).block().text()
    assert top == "Summer"
    assert chosen(panel) == "Summer"
    viewer.text_view.show_top(0)
    assert chosen(panel) is None
