"""Conversations in the whole window, over a real data folder."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from desktop_rag.catalog.facade import Catalog
from desktop_rag.commands.conversation_recorder import ConversationLog
from desktop_rag.core.catalog_records import Conversation
from desktop_rag.gui.chat.export_dialog import ExportDialog
from desktop_rag.gui.controllers.catalog_watch import CatalogWatch
from desktop_rag.gui.controllers.conversations import ConversationsController
from desktop_rag.gui.controllers.library import LibraryController
from testing.narrowing import present
from testing.sample_answers import answer
from testing.window_driver import Driver, pause, wait_for
from tests.catalog.stored_documents import bytes_hold

SECRET = "xylophonequartz"
BOTH = Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.ShiftModifier


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """A data folder with two conversations, the older a long one."""
    folder = tmp_path / "data"
    catalog = Catalog.open(folder)
    catalog.kbs.ensure("default")
    ferry = catalog.chats.create("Ferries", ("default",))
    for number in range(30):
        record = ConversationLog(catalog, ferry).asked(f"Question {number}?")
        record.answered(answer(f"Answer {number} of many [1].", 1))
    secret = catalog.chats.create(f"Where is the {SECRET}?", ("default",))
    ConversationLog(catalog, secret).asked("Where?").answered(answer(f"The {SECRET} is [1].", 1))
    catalog.close()
    return folder


@pytest.fixture
def driver(qapp: QApplication, home: Path) -> Iterator[Driver]:
    made = Driver(qapp, home)
    made.open()
    wait_for(lambda: made.window.side.conversations.list.rows.rowCount() == 3)
    yield made
    made.close()


def test_a_search_from_anywhere_goes_to_the_turn_and_esc_comes_back(driver: Driver) -> None:
    pane = driver.window.side.conversations
    QTest.keyClick(driver.window, Qt.Key.Key_F, BOTH)
    assert pane.isVisible()
    QTest.keyClicks(pane.field, "answer 3 many")
    wait_for(lambda: pane.status.text() == "3 places")
    QTest.keyClicks(pane.field, " of")
    pause(10)
    QTest.keyClick(pane.field, Qt.Key.Key_Return)
    wait_for(lambda: len(driver.context.chat.transcript.turns) == 30)
    pane.found.pick(pane.found.places.index(2))
    wait_for(lambda: driver.window.sources.turn is driver.context.chat.transcript.turns[3])
    pause(100)
    here = driver.window.chat.view.here()
    assert here is not None
    assert here.turn == 3
    QTest.keyClick(pane.field, Qt.Key.Key_Escape)
    wait_for(pane.list.isVisible)


def test_what_is_deleted_is_gone_from_the_disk_when_the_window_closes(
    qapp: QApplication, home: Path, driver: Driver
) -> None:
    pane = driver.window.side.conversations
    driver.window.centre.back_to_chat()
    row = next(n for n in range(3) if SECRET in str(pane.list.rows.index(n).data()))
    pane.list.setCurrentIndex(pane.list.rows.index(row))
    pane.list.setFocus()
    QTest.keyClick(pane.list, Qt.Key.Key_Delete)
    wait_for(pane.undo_bar.isVisible)
    wait_for(lambda: pane.list.rows.rowCount() == 2)
    assert bytes_hold(home, SECRET)
    driver.window.close()
    assert driver.window.ended_well
    assert bytes_hold(home, SECRET) == []


@pytest.fixture
def begun(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """What a window that opens does with the catalog, in its order."""
    told: list[str] = []

    def note(owner: type, name: str) -> None:
        own = getattr(owner, name)

        def noted(self: object) -> None:
            told.append(name)
            own(self)

        monkeypatch.setattr(owner, name, noted)

    note(CatalogWatch, "look")
    note(LibraryController, "follow")
    note(ConversationsController, "refresh")
    return told


def test_what_is_written_while_a_window_reads_its_lists_is_noticed(
    begun: list[str], driver: Driver
) -> None:
    """All three wait in one queue: what comes after the first look makes the second differ."""
    assert driver.window.isVisible()
    assert begun[:3] == ["look", "follow", "refresh"]


def test_what_a_command_writes_appears_by_itself(driver: Driver, home: Path) -> None:
    catalog = Catalog.open(home)
    catalog.chats.create("asked by a command", ("default",))
    catalog.close()
    rows = driver.window.side.conversations.list.rows
    wait_for(lambda: "asked by a command" in [rows.index(n).data() for n in range(rows.rowCount())])


def test_an_export_is_written_by_the_lane(driver: Driver, home: Path, tmp_path: Path) -> None:
    target = tmp_path / "all.json"
    pane = driver.window.side.conversations
    pane.list.selectAll()
    pane.export(tuple(int(chat.id) for chat in pane.list.chosen()))
    dialog = present(driver.window.findChild(ExportDialog))
    dialog.selectNameFilter("JSON, with all branches (*.json)")
    dialog.fileSelected.emit(str(target))
    dialog.reject()
    wait_for(target.exists)
    assert len(json.loads(target.read_text(encoding="utf-8"))["conversations"]) == 2


def test_the_conversation_that_is_shown_can_be_exported_from_its_head(driver: Driver) -> None:
    assert not driver.window.chat.export.isVisible()
    rows = driver.context.conversations.rows
    (first, *_rest) = (row for row in rows if isinstance(row, Conversation))
    driver.context.conversations.open(int(first.id))
    wait_for(driver.window.chat.export.isVisible)
    driver.window.chat.export.click()
    dialog = present(driver.window.findChild(ExportDialog))
    assert SECRET in dialog.selectedFiles()[0]
    dialog.reject()
