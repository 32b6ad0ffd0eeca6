"""What only experts need is not shown until it is asked for, and then at once."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from desktop_rag.core.settings import Settings
from desktop_rag.gui.controllers.file_query import FileColumn
from desktop_rag.gui.mode_rail import Mode
from desktop_rag.gui.settings.settings_dialog import SettingsDialog
from testing.narrowing import present
from testing.window_driver import SAMPLES, Driver, wait_for

QUESTION = "How much did fuel and power cost in 2024?"


@pytest.fixture
def simple(qapp: QApplication, tmp_path: Path) -> Iterator[Driver]:
    made = Driver(qapp, tmp_path / "home", window__expert_tools="false")
    made.open()
    made.drop(SAMPLES / "Annual report 2024.pdf", SAMPLES / "Meeting notes.md")
    made.wait_until_read(2)
    yield made
    made.close()


def _switch(driver: Driver, *, on: bool) -> None:
    driver.context.settings.change("window.expert_tools", on)


def _shown(driver: Driver) -> str:
    return driver.window.chat.view.toPlainText().replace("\u00a0", " ")


def _ways(driver: Driver) -> list[str]:
    strategies = driver.window.chat.composer.strategies
    return [strategies.itemText(row) for row in range(strategies.count())]


def _pages(driver: Driver) -> set[str]:
    dialog = present(driver.window.findChild(SettingsDialog))
    return {
        page.heading.section
        for row, page in enumerate(dialog.pages)
        if not dialog.navigation.isRowHidden(row)
    }


def test_it_is_off_unless_it_is_switched_on() -> None:
    assert not Settings().window.expert_tools


def test_an_answer_has_no_figures_until_they_are_wanted(simple: Driver) -> None:
    simple.ask(QUESTION)
    simple.wait_for_answer()
    wait_for(lambda: "Quotes from your documents" in _shown(simple))
    for word in ("Steps", "search", "passages", "Balanced", "test question", " s\n"):
        assert word not in _shown(simple), word
    assert "Copy with sources" in _shown(simple)
    _switch(simple, on=True)
    for word in ("Steps", "1 search", "passages", "Single pass", "Save as test question"):
        assert word in _shown(simple), word


def test_a_source_has_no_scores_until_they_are_wanted(simple: Driver) -> None:
    simple.ask(QUESTION)
    simple.wait_for_answer()
    simple.window.panes.open_sources()
    sources = simple.window.sources.list
    wait_for(lambda: sources.model().rowCount() > 1)
    first = sources.model().index(0, 0)
    wait_for(lambda: sources.visualRect(first).height() > 0)
    low = sources.visualRect(first).height()
    _switch(simple, on=True)
    wait_for(lambda: sources.visualRect(first).height() > low)
    _switch(simple, on=False)
    wait_for(lambda: sources.visualRect(first).height() == low)


def test_a_person_chooses_among_three_ways_with_the_model_in_one_choice(simple: Driver) -> None:
    controls = simple.window.chat.composer.controls
    wait_for(lambda: bool(_ways(simple)))
    assert _ways(simple) == ["Fast", "Balanced", "Thorough"]
    assert controls.how.isVisible()
    assert not controls.strategies.isVisible()
    assert not controls.options.isVisible()
    _switch(simple, on=True)
    assert "Linked hops" in _ways(simple)
    assert controls.strategies.currentText() == "Balanced"
    assert controls.strategies.isVisible()
    assert not controls.how.isVisible()
    controls.strategies.choose("linked_hops")
    _switch(simple, on=False)
    assert controls.strategies.currentText() == "Balanced"  # not in force unseen, but the usual


def test_a_way_that_the_settings_name_stays_to_be_seen(qapp: QApplication, tmp_path: Path) -> None:
    driver = Driver(
        qapp,
        tmp_path / "home",
        window__expert_tools="false",
        answering__strategy="linked_hops",
    )
    driver.open()
    wait_for(lambda: bool(_ways(driver)))
    assert _ways(driver) == ["Fast", "Balanced", "Thorough", "Linked hops"]
    assert driver.window.chat.composer.strategies.currentText() == "Linked hops"
    driver.close()


def test_the_workbench_and_its_key_come_with_it(simple: Driver) -> None:
    window = simple.window
    assert not window.panes.rail.modes[Mode.BENCH].isVisible()
    QTest.keyClicks(window, "")
    window._show_bench()
    assert not window.centre.shows_bench
    _switch(simple, on=True)
    assert window.panes.rail.modes[Mode.BENCH].isVisible()
    window._show_bench()
    assert window.centre.shows_bench


def test_the_table_has_fewer_columns(simple: Driver) -> None:
    simple.window.centre.show_files()
    view = simple.window.centre.files.view
    figures = (FileColumn.PASSAGES, FileColumn.SECONDS)
    assert [view.isColumnHidden(each) for each in figures] == [True, True]
    _switch(simple, on=True)
    assert [view.isColumnHidden(each) for each in figures] == [False, False]


def test_the_settings_list_fewer_pages_and_find_all(simple: Driver) -> None:
    simple.window.settings.open()
    dialog = present(simple.window.findChild(SettingsDialog))
    assert not {"retrieval", "chunking"} & _pages(simple)
    assert {"window", "answering", "ollama", "privacy", "models", "ingest"} <= _pages(simple)
    dialog.field.setText("chunk size")
    assert dialog.row("chunking.small_tokens").isVisible()
    dialog.field.clear()
    simple.context.settings.change("retrieval.candidates", 80)  # in force, so to be seen
    dialog.close()
    wait_for(lambda: simple.window.findChild(SettingsDialog) is None)
    simple.window.settings.open()
    assert "retrieval" in _pages(simple)
    _switch(simple, on=True)
    assert {"retrieval", "chunking"} <= _pages(simple)
