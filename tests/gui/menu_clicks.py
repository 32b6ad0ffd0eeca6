"""Clicks on what menus offer."""

from __future__ import annotations

from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QContextMenuEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QMenu, QTableView, QWidget

from desktop_rag.gui.controllers.file_query import FileColumn
from desktop_rag.gui.library.library_pane import LibraryPane
from testing.narrowing import narrow
from testing.window_driver import wait_for


def pick_for_row(view: QTableView, row: int, *texts: str) -> None:
    """Click on a row with the right button, on a line of its menu, and on one of the menu in it."""
    view.scrollTo(view.model().index(row, 0))
    at = view.visualRect(view.model().index(row, FileColumn.NAME)).center()
    QTest.mouseClick(view.viewport(), Qt.MouseButton.LeftButton, pos=at)
    above = view.viewport().mapToGlobal(at)
    asked = QContextMenuEvent(QContextMenuEvent.Reason.Mouse, at, above)
    QApplication.sendEvent(view.viewport(), asked)
    menu = QApplication.activePopupWidget()
    assert isinstance(menu, QMenu)
    within = menu
    for text in texts:
        wait_for(within.isVisible)
        within = _click(within, text) or within
    assert not menu.isVisible()


def pick_line(widget: QWidget, text: str, at: QPoint | None = None) -> None:
    """Ask a widget for its menu, at a place of it, and click on a line."""
    place = at or widget.rect().center()
    asked = QContextMenuEvent(QContextMenuEvent.Reason.Mouse, place, widget.mapToGlobal(place))
    QApplication.sendEvent(widget, asked)
    wait_for(lambda: isinstance(QApplication.activePopupWidget(), QMenu))
    _click(narrow(QApplication.activePopupWidget(), QMenu), text)


def pick_for_base(pane: LibraryPane, text: str) -> None:
    """Click on a line of the menu of knowledge bases."""
    menu = pane.bases.menu
    menu.popup(pane.more.mapToGlobal(QPoint(0, pane.more.height())))
    _click(menu, text)
    assert not menu.isVisible()


def _click(menu: QMenu, text: str) -> QMenu | None:
    """Click on a line; return the menu that it opens, if it does."""
    (action,) = [each for each in menu.actions() if each.text() == text and each.isVisible()]
    assert action.isEnabled()
    inner = next((each for each in menu.findChildren(QMenu) if each.title() == text), None)
    QTest.mouseClick(menu, Qt.MouseButton.LeftButton, pos=menu.actionGeometry(action).center())
    return inner
