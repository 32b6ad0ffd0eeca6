"""Ctrl+K in a real window: documents, conversations and commands by a few letters."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from desktop_rag.gui.command_palette import CommandPalette
from desktop_rag.gui.controllers.path_search import PathSearch
from desktop_rag.gui.mode_rail import Mode
from testing.sample_folder import copied
from testing.window_driver import Driver, wait_for


@pytest.fixture
def driver(qapp: QApplication, tmp_path: Path, read_samples: Path) -> Iterator[Driver]:
    made = Driver(qapp, copied(read_samples, tmp_path / "home"), window__expert_tools="false")
    made.open()
    made.wait_until_read(7)
    yield made
    made.close()


def opened(driver: Driver) -> CommandPalette:
    QTest.keyClick(driver.window, Qt.Key.Key_K, Qt.KeyboardModifier.ControlModifier)
    (box,) = driver.window.findChildren(CommandPalette)
    return box


def names(box: CommandPalette) -> list[str]:
    return [box.list.item(row).text() for row in range(box.list.count())]


def test_a_document_is_found_by_letters_of_its_name_and_shown(driver: Driver) -> None:
    box = opened(driver)
    QTest.keyClicks(box.field, "NOTES meet")
    assert names(box) == ["Meeting notes.md"]
    QTest.keyClick(box.field, Qt.Key.Key_Return)
    viewer = driver.window.sources.viewer
    wait_for(lambda: "library" in viewer.text_view.toPlainText())
    assert driver.window.centre.mode is Mode.ASK, "the page stays that was there"


def test_commands_are_listed_and_done_by_arrows_and_enter(driver: Driver) -> None:
    box = opened(driver)
    assert "Library" in names(box)
    assert "Workbench" not in names(box), "it is for experts"
    at = names(box).index("Library")
    for _ in range(at):
        QTest.keyClick(box.field, Qt.Key.Key_Down)
    assert box.list.currentRow() == at
    QTest.keyClick(box.field, Qt.Key.Key_Return)
    assert driver.window.centre.shows_files


def test_a_conversation_is_opened_by_its_name(driver: Driver) -> None:
    driver.ask("Why did fuel costs fall in 2024?")
    driver.wait_for_answer()
    wait_for(lambda: driver.context.conversations.rows)
    driver.window._new_chat()
    driver.window.centre.show_files()
    box = opened(driver)
    QTest.keyClicks(box.field, "fuel")
    assert names(box)[0] == "Why did fuel costs fall in 2024?"
    QTest.keyClick(box.field, Qt.Key.Key_Return)
    wait_for(lambda: driver.context.chat.transcript.turns)
    assert driver.window.centre.mode is Mode.ASK


@pytest.mark.parametrize(
    ("words", "found"),
    [
        (["report"], ["/d/Report 1.md", "/d/a/REPORT.pdf", "/d/report/x.md"]),
        (["md", "report"], ["/d/Report 1.md", "/d/report/x.md"]),
        (["1.md/d"], []),
        (["b"], ["/d/a\nb.md"]),
        (["x.md"], ["/d/report/x.md"]),
    ],
)
def test_paths_are_searched_as_one_text_and_found_one_by_one(
    words: list[str], found: list[str]
) -> None:
    paths = ["/d/Report 1.md", "/d/a/REPORT.pdf", "/d/a\nb.md", "/d/report/x.md"]
    assert list(PathSearch(paths).holding(words)) == found


def test_what_nothing_is_called_says_so_and_escape_leaves(driver: Driver) -> None:
    box = opened(driver)
    assert not box.nothing.isVisible()
    QTest.keyClicks(box.field, "qqq")
    assert box.nothing.isVisible()
    QTest.keyClick(box.field, Qt.Key.Key_Return)
    assert box.isVisible(), "there is nothing to go to"
    QTest.keyClick(box.field, Qt.Key.Key_Escape)
    wait_for(lambda: not driver.window.findChildren(CommandPalette))
