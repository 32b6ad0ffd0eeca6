"""In the real window: the first knowledge base, which nobody named, has one name everywhere.

All that can be read in the window and its dialogs is looked through, in both languages.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QAbstractItemModel, QAbstractListModel, QModelIndex, Qt
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractItemView,
    QApplication,
    QComboBox,
    QDialog,
    QInputDialog,
    QLabel,
    QLineEdit,
    QMenu,
    QPlainTextEdit,
    QTextEdit,
    QWidget,
)

from desktop_rag.core.phrases import KbName, Phrase, dump, load
from desktop_rag.core.requests import KbRequest, OpenRequest
from desktop_rag.gui import language
from desktop_rag.gui.controllers.library import Idle
from desktop_rag.gui.message_translation import translate_message
from desktop_rag.gui.settings.settings_dialog import SettingsDialog
from testing.narrowing import narrow, present
from testing.window_driver import Driver, pause, wait_for

pytestmark = pytest.mark.timeout(180)

RAW = "default"
NAMES = {"en": "My documents", "zh": "我的文档"}
_STORED = re.compile(rf"(?<!the )\b{RAW}\b(?! (?:value|model|is|way))")
_ROLES = (
    Qt.ItemDataRole.DisplayRole,
    Qt.ItemDataRole.ToolTipRole,
    Qt.ItemDataRole.AccessibleTextRole,
    Qt.ItemDataRole.EditRole,
)


@pytest.fixture(params=["en", "zh"])
def driver(request: pytest.FixtureRequest, qapp: QApplication, tmp_path: Path) -> Iterator[Driver]:
    """A window in a language, with two knowledge bases, the first of which is read and asked."""
    docs = tmp_path / "docs"
    docs.mkdir()
    (docs / "tea.md").write_text("# Tea\n\nTea is grown in the hills of Nuwara.\n")
    made = Driver(qapp, tmp_path / "data", window__language=request.param)
    made.open()
    made.drop(docs)
    made.wait_until_read(1)
    made.ask("Where is tea grown?")
    made.wait_for_answer()
    library = made.context.library
    library.change_base(KbRequest("serve", RAW, switch="on"))
    library.change_base(KbRequest("create", "Ships"))
    wait_for(lambda: library.snapshot.current == "Ships" and library.activity == Idle())
    wait_for(lambda: len(library.snapshot.kbs) == 2)
    yield made
    made.close()


@pytest.fixture
def name(driver: Driver) -> str:
    """What the first knowledge base is called in the language that the window speaks."""
    del driver
    return NAMES[language.code()]


def texts(root: QWidget) -> Iterator[str]:
    """Yield all that can be read, or heard, of a widget and what is in it."""
    for each in (root, *root.findChildren(QWidget)):
        yield from (each.windowTitle(), each.toolTip(), each.statusTip())
        yield from (each.accessibleName(), each.accessibleDescription())
        if isinstance(each, (QLabel, QAbstractButton, QLineEdit)):
            yield each.text()
        if isinstance(each, QLineEdit):
            yield each.placeholderText()
        if isinstance(each, (QTextEdit, QPlainTextEdit)):
            yield each.toPlainText()
            yield each.placeholderText()
        if isinstance(each, QComboBox):
            yield from map(each.itemText, range(each.count()))
        if isinstance(each, QMenu):
            each.aboutToShow.emit()
            yield from (action.text() for action in each.actions())
        if isinstance(each, QAbstractItemView):
            yield from cells(each.model(), QModelIndex())


def cells(model: QAbstractItemModel | None, parent: QModelIndex) -> Iterator[str]:
    if model is None:
        return
    for row in range(model.rowCount(parent)):
        columns = 1 if isinstance(model, QAbstractListModel) else model.columnCount(parent)
        for column in range(columns):
            index = model.index(row, column, parent)
            yield from (str(index.data(role) or "") for role in _ROLES)
        yield from cells(model, model.index(row, 0, parent))


def others(root: QWidget) -> list[str]:
    """Return what is read of a window that calls the first knowledge base by what it is stored."""
    read = (re.sub(r"<[^>]*>", "", each) for each in texts(root))
    return sorted({each for each in read if _STORED.search(each)})


def dialog(driver: Driver, show: Callable[[], object]) -> QDialog:
    """Open a dialog and return it."""
    before = set(driver.window.findChildren(QDialog))
    show()
    wait_for(lambda: set(driver.window.findChildren(QDialog)) - before, seconds=20)
    (opened,) = set(driver.window.findChildren(QDialog)) - before
    pause(60)
    return opened


def test_the_window_and_its_pages_call_it_by_its_name(driver: Driver, name: str) -> None:
    window = driver.window
    wait_for(lambda: any(name in each for each in texts(window.chat.scope)), seconds=20)
    assert others(window) == []
    driver.context.library.switch(RAW)
    wait_for(lambda: driver.context.library.snapshot.current == RAW)
    for show in (window.centre.show_files, window.centre.show_health, window.centre.show_bench):
        show()
        pause(60)
        assert others(window) == []
        assert any(name in each for each in texts(window))
    for tab in window.centre.bench.tabs.buttons():
        tab.click()
        pause(60)
        assert others(window) == []


def test_its_dialogs_and_the_settings_do(driver: Driver, name: str) -> None:
    window, bases = driver.window, driver.window.side.library.bases
    driver.context.library.switch(RAW)
    wait_for(lambda: driver.context.library.snapshot.current == RAW)
    for show in (
        bases.ask_for_new_name,
        bases.ask_before_deleting,
        bases.ask_how_to_share,
        bases.show_preparations,
        bases.serving_wanted.emit,
    ):
        box = dialog(driver, show)
        assert any(name in each for each in texts(box)), show
        assert others(box) == []
        box.reject()
        pause(20)
    window.settings.open()
    settings = present(window.findChild(SettingsDialog))
    wait_for(lambda: any(f"“{name}”" in each for each in texts(settings)), seconds=20)
    assert others(settings) == []


def test_messages_do(driver: Driver, name: str) -> None:
    """That the name is taken is said of the name, whichever of the two was typed."""
    bases, said = driver.window.side.library.bases, driver.window.chat.complaint
    for ask in (bases.ask_for_name, bases.ask_for_new_name):
        for typed in (RAW, name):
            said.hide()
            box = narrow(dialog(driver, ask), QInputDialog)
            box.setTextValue(typed)
            box.accept()
            wait_for(said.isVisible, seconds=20)
            assert f"“{name}”" in said.text
            assert others(said) == []
    wait_for(lambda: driver.context.library.activity == Idle())
    assert {kb.name for kb in driver.context.library.snapshot.kbs} == {RAW, "Ships"}
    driver.window.show_wanted(OpenRequest(kb="Nowhere"))
    wait_for(lambda: "Nowhere" in said.text, seconds=20)
    assert name in said.text
    assert others(said) == []


def test_what_an_answer_says_of_it_is_so_in_old_conversations_too(name: str) -> None:
    told = Phrase("From your knowledge base “{0}”: {1}.", KbName(RAW), "Tea")
    assert f"“{name}”" in translate_message(told)
    assert f"“{name}”" in translate_message(load(dump(told)))
    assert RAW in told, "to be typed on the command line"
