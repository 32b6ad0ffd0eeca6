"""Whole documents in the real window: from the library's menu to an answer, a table, a citation."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QItemSelectionModel
from PySide6.QtWidgets import QApplication

from desktop_rag.gui.chat.table_dialog import TableDialog
from desktop_rag.gui.controllers.document_scope import EACH, ONLY
from desktop_rag.gui.controllers.file_query import FileGroup
from desktop_rag.gui.controllers.transcript import Stopped
from desktop_rag.gui.library.compare_dialog import CompareDialog
from desktop_rag.gui.library.file_menu import FileActions
from testing.narrowing import present
from testing.ollama_double import OllamaDouble
from testing.ollama_double.recorded import Recorded
from testing.ollama_double.script import Script
from testing.window_driver import Driver, wait_for
from tests.whole_documents.documents_setup import write_documents
from tests.whole_documents.test_summarise import told_of_each

pytestmark = pytest.mark.timeout(180)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    write_documents(tmp_path / "documents")
    return tmp_path / "documents"


@pytest.fixture
def driver(qapp: QApplication, tmp_path: Path, folder: Path) -> Iterator[Driver]:
    made = Driver(qapp, tmp_path / "data")
    made.window.resize(1320, 1000)
    made.open()
    made.drop(folder)
    made.wait_until_read(5)
    yield made
    made.close()


def choose(driver: Driver, *names: str) -> FileActions:
    """Choose files in the table, or the folder in the tree; return what can be done with them."""
    pane, page = driver.window.side.library, driver.window.centre.files
    if names == ("documents",):
        pane.tree.setCurrentIndex(pane.model.index(0, 0))
        pane.file_actions.refresh()
        return pane.file_actions
    driver.window.centre.show_files()
    page.show_only(FileGroup.ALL)
    wait_for(lambda: page.model.rowCount() == len(driver.context.library.snapshot.files))
    page.view.clearSelection()
    flags = QItemSelectionModel.SelectionFlag
    for number, row in enumerate(page.model.rows):
        if Path(row.path).name in names:
            chosen = page.model.index(number, 0)
            page.view.selectionModel().select(chosen, flags.Select | flags.Rows)
    page.actions_of_files.refresh()
    return page.actions_of_files


def test_a_summary_is_an_answer_whose_citations_open_the_document(driver: Driver) -> None:
    choose(driver, "first.md").summarise.trigger()
    turn = driver.wait_for_answer()
    assert turn.question == "Summarise: first.md"
    assert "1,200 EUR" in turn.text
    driver.click_citation(1)
    wait_for(lambda: driver.window.sources.is_reading)
    number = turn.answer_id
    driver.click_link("retry:0")
    wait_for(lambda: driver.turn is not None and driver.turn.answer_id not in (0, number))
    again = driver.wait_for_answer()
    assert again.text == turn.text
    assert len(again.versions) == 2


def test_what_was_noted_until_a_stop_is_shown(
    qapp: QApplication, tmp_path: Path, folder: Path
) -> None:
    with OllamaDouble() as ollama:
        calls = 0

        def notes(request: Recorded) -> Script:
            nonlocal calls
            calls += 1
            return Script(told_of_each(request), wait=0.0 if calls == 1 else 60.0)

        ollama.otherwise = notes
        driver = Driver(qapp, tmp_path / "data", ollama__host=ollama.url)
        driver.open()
        driver.drop(folder / "long.md")
        driver.wait_until_read(1)
        choose(driver, "long.md").summarise.trigger()
        wait_for(lambda: driver.turn is not None and calls == 2)
        driver.context.chat.stop()
        wait_for(lambda: driver.turn is not None and bool(driver.turn.text))
        turn = present(driver.turn)
        assert turn.outcome == Stopped()
        assert "In year 1900 the crane number 0 was repaired for 100 crowns. [1]" in turn.text
        driver.close()


def test_two_chosen_are_compared_and_one_asks_with_which(driver: Driver, folder: Path) -> None:
    both = choose(driver, "first.md", "second.md")
    assert both.compare.text() == "Compare"
    both.compare.trigger()
    assert "(30 → 60)" in driver.wait_for_answer().text
    alone = choose(driver, "first.md")
    assert alone.compare.text() == "Compare with…"
    alone.compare.trigger()
    dialog = present(driver.window.findChild(CompareDialog))
    names = [dialog.list.item(at).text() for at in range(dialog.list.count())]
    assert "first.md" not in names
    dialog.filter.setText("seco")
    assert [dialog.list.item(at).text() for at in range(dialog.list.count())] == ["second.md"]
    dialog.list.item(0).setSelected(True)
    dialog.accept()
    turn = driver.wait_for_answer()
    assert turn.task is not None
    assert turn.task.paths == (str(folder / "first.md"), str(folder / "second.md"))


def test_each_is_asked_a_question_and_its_table_is_saved(
    driver: Driver, folder: Path, tmp_path: Path
) -> None:
    choose(driver, "first.md", "second.md").each.trigger()
    scope = present(driver.window.chat.composer.scope.scope)
    assert (scope.kind, len(scope.paths)) == (EACH, 2)
    driver.ask("How high is the monthly rent?")
    turn = driver.wait_for_answer()
    assert "1,200" in turn.text.splitlines()[2]
    assert "1,350" in turn.text.splitlines()[3]
    assert driver.window.chat.composer.scope.scope is None
    chat = present(driver.context.chat.transcript.chat_id)
    driver.context.chat.new()
    driver.context.chat.open(chat)
    wait_for(lambda: driver.turn is not None)
    driver.click_link("rows:0")
    dialog = present(driver.window.findChild(TableDialog))
    dialog.settled.emit(str(tmp_path / "rows.csv"))
    dialog.reject()
    wait_for((tmp_path / "rows.csv").exists)
    rows = (tmp_path / "rows.csv").read_text("utf-8-sig").splitlines()
    assert rows[0] == "Document,Answer,Quote,Place,File"
    assert rows[1].startswith("first.md,")
    assert rows[2].endswith(str(folder / "second.md"))


def test_only_this_is_asked_until_the_user_leaves_it(driver: Driver, folder: Path) -> None:
    choose(driver, "second.md").only.trigger()
    scope = present(driver.window.chat.composer.scope.scope)
    assert scope.kind == ONLY
    driver.ask("How high is the monthly rent?")
    turn = driver.wait_for_answer()
    assert {each.path for each in turn.sources} == {str(folder / "second.md")}
    driver.window.chat.composer.scope.chips[0].cross.click()
    driver.ask("How many apple trees were planted?")
    wait_for(lambda: len(driver.context.chat.transcript.turns) == 2)
    assert "twelve apple trees" in driver.wait_for_answer().text


def test_only_a_folder_is_asked(driver: Driver) -> None:
    choose(driver, "documents").only.trigger()
    driver.ask("How many apple trees were planted?")
    assert "twelve apple trees" in driver.wait_for_answer().text
