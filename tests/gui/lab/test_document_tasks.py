"""Tasks made of the user's own documents, in the window's lab, over a real data folder."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from desktop_rag.core.cancel import CancelToken
from desktop_rag.core.evaluation_records import QUOTES
from desktop_rag.gui.lab.evaluation_jobs import QuestionSource
from desktop_rag.gui.lab.evaluation_page import EvaluationPage
from desktop_rag.gui.lab.evaluation_text import CRUD, DENSE
from desktop_rag.gui.lab.lab_tabs import LAB_PAGES
from testing.narrowing import narrow, present
from testing.ollama_double.server import refused_url
from testing.window_driver import Driver, wait_for
from tests.commands.test_evaluate_crud import TEXTS

TASKS = QuestionSource(tasks_of="default")


@pytest.fixture
def driver(qapp: QApplication, tmp_path: Path) -> Iterator[Driver]:
    docs = tmp_path / "docs"
    docs.mkdir()
    for name, text in TEXTS.items():
        (docs / name).write_text(text, "utf-8")
    made = Driver(qapp, tmp_path / "data", ollama__host=refused_url())
    made.open()
    made.window.resize(1320, 900)
    made.drop(docs)
    made.wait_until_read(len(TEXTS))
    yield made
    made.close()


def sheet_of(driver: Driver) -> EvaluationPage:
    driver.window.centre.show_bench()
    bench = driver.window.centre.bench
    sheet = narrow(bench.sheet(EvaluationPage), EvaluationPage)
    bench.show_sheet(LAB_PAGES.index(EvaluationPage))
    wait_for(lambda: sheet.row.ways.menu().actions() and driver.context.measuring.known.kbs)
    return sheet


def tick(sheet: EvaluationPage, *names: str) -> None:
    for action in sheet.row.ways.menu().actions():
        action.setChecked(action.data() in names)
    sheet.row.ways.menu().triggered.emit(sheet.row.ways.menu().actions()[0])


def test_they_are_measured_without_a_model_and_go_with_their_knowledge_base(
    driver: Driver,
) -> None:
    sheet = sheet_of(driver)
    assert sheet.row.chosen == QuestionSource(), "what is offered first is one's own questions"
    sheet.row.choose(TASKS)
    assert sheet.row.sets.currentText() == "Tasks made of “My documents”"
    assert [sheet.row.task.itemData(n) for n in range(sheet.row.task.count())] == [CRUD]
    ways = {each.data(): each for each in sheet.row.ways.menu().actions()}
    assert ways[QUOTES].isVisible()
    assert not ways[DENSE].isEnabled()
    assert "CRUD-RAG" in sheet.empty.text()
    tick(sheet, QUOTES)
    QTest.mouseClick(sheet.row.go, Qt.MouseButton.LeftButton)
    wait_for(lambda: driver.context.measuring.record.runs)
    table = sheet.results.model
    names = [table.index(n, 0).data() for n in range(table.rowCount())]
    assert "Correct: Quotes, without a model" in names
    assert len(names) == len(set(names)) >= 3
    assert sheet.results.about.text() == "Measured without a language model."
    assert not sheet.results.list.isVisible()
    assert not sheet.results.all_well.isVisible()
    QTest.mouseClick(sheet.results.copy, Qt.MouseButton.LeftButton)
    assert "| update | quotes, without a model |" in QGuiApplication.clipboard().text()
    run = present(sheet.results.run)
    bars = {bar.name: bar.value for bar in sheet.results.plot.bars}
    for each in run.ways:
        assert round(100 * sum(each.scores.values()) / len(each.scores), 1) == pytest.approx(
            each.figures["rouge_l"], abs=0.1
        )
    assert len(bars) == len(run.ways)

    QTest.mouseClick(sheet.row.go, Qt.MouseButton.LeftButton)
    wait_for(lambda: len(driver.context.measuring.record.runs) == 2)
    assert "unchanged since" in sheet.results.gained.text()
    catalog = driver.context.folder.get(CancelToken()).catalog
    catalog.kbs.delete("default")
    left = catalog.database.read().execute("SELECT count(*) FROM measured_runs").fetchone()
    assert left == (0,)
