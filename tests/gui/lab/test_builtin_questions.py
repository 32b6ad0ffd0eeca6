"""The built-in questions in the window's lab, over a real data folder and the Ollama double."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
import shiboken6
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from desktop_rag.core.cancel import CancelToken
from desktop_rag.core.evaluation_records import QUOTES
from desktop_rag.evaluation.builtin_questions import builtin_questions
from desktop_rag.gui.lab import evaluation_text
from desktop_rag.gui.lab.evaluation_jobs import QuestionSource
from desktop_rag.gui.lab.evaluation_page import EvaluationPage
from desktop_rag.gui.lab.evaluation_text import ANSWERS, RETRIEVAL
from desktop_rag.gui.lab.lab_tabs import LAB_PAGES
from testing.narrowing import narrow, present
from testing.ollama_double import OllamaDouble
from testing.window_driver import Driver, wait_for

BUILTIN = QuestionSource(builtin=True)


@pytest.fixture
def ollama() -> Iterator[OllamaDouble]:
    with OllamaDouble() as running:
        running.otherwise = "It is not found in your documents."
        yield running


@pytest.fixture
def driver(qapp: QApplication, tmp_path: Path, ollama: OllamaDouble) -> Iterator[Driver]:
    made = Driver(qapp, tmp_path / "data", ollama__host=ollama.url)
    made.open()
    yield made
    if shiboken6.isValid(made.window):
        made.close()


def sheet_of(driver: Driver) -> EvaluationPage:
    driver.window.centre.show_bench()
    bench = driver.window.centre.bench
    sheet = narrow(bench.sheet(EvaluationPage), EvaluationPage)
    bench.show_sheet(LAB_PAGES.index(EvaluationPage))
    wait_for(lambda: sheet.row.ways.menu().actions() and sheet.row.sets.count())
    return sheet


def tick(sheet: EvaluationPage, *names: str) -> None:
    for action in sheet.row.ways.menu().actions():
        action.setChecked(action.data() in names)
    sheet.row.ways.menu().triggered.emit(sheet.row.ways.menu().actions()[0])


def leave(driver: Driver, number: int) -> int:
    """Let all but so many of the questions be answered, as the first was; return how many."""
    (path,) = (driver.context.folder.get(CancelToken()).data_dir / "evaluation/answers").iterdir()
    first = json.loads(path.read_bytes().split(b"\n")[1])
    for each in builtin_questions()[:-number]:
        with path.open("a", encoding="utf-8") as file:
            file.write(json.dumps(first | {"question": each.id}) + "\n")
    return number


def test_they_are_offered_and_measure_answers_alone(driver: Driver) -> None:
    sheet = sheet_of(driver)
    assert sheet.row.chosen == QuestionSource()
    assert [sheet.row.sets.itemText(n) for n in range(sheet.row.sets.count())] == [
        "100 built-in questions"
    ]
    assert sheet.row.task.findData(RETRIEVAL) >= 0
    sheet.row.choose(BUILTIN)
    tasks = [sheet.row.task.itemData(n) for n in range(sheet.row.task.count())]
    assert tasks == [ANSWERS]
    assert not sheet.row.judge.isVisible()
    assert not sheet.write.isVisible()
    assert "invented documents" in sheet.empty.text()
    quotes = next(a for a in sheet.row.ways.menu().actions() if a.data() == QUOTES)
    assert quotes.isVisible()


def test_a_run_that_is_stopped_goes_on_and_ends_in_a_table(
    driver: Driver, ollama: OllamaDouble
) -> None:
    sheet = sheet_of(driver)
    sheet.row.choose(BUILTIN)
    tick(sheet, "single_pass")
    QTest.mouseClick(sheet.row.go, Qt.MouseButton.LeftButton)
    wait_for(lambda: len(ollama.chats) >= 3)
    QTest.mouseClick(sheet.progress.stop, Qt.MouseButton.LeftButton)
    assert "goes on from there" in sheet.notice.text
    wait_for(lambda: driver.context.measuring.underway is None)
    asked, left = len(ollama.chats), leave(driver, 4)
    QTest.mouseClick(sheet.row.go, Qt.MouseButton.LeftButton)
    wait_for(lambda: driver.context.measuring.record.runs)
    assert sheet.notice.text.startswith(f"{100 - left} of 100 were answered before")
    assert len(ollama.chats) - asked == left
    table = sheet.results.model
    heads = [
        table.headerData(n, Qt.Orientation.Horizontal, Qt.ItemDataRole.DisplayRole)
        for n in range(table.columnCount())
    ]
    row = {head: table.index(0, n).data() for n, head in enumerate(heads)}
    assert row["Rightly refused"] == row["Wrongly refused"] == row["Refused"] == "100.0"
    assert row["F1, Chinese"] == "0.0"
    assert "llama3.2:3b (3.2B, Q4_K_M)" in sheet.results.about.text()
    assert sheet.results.copy.isVisible()
    QTest.mouseClick(sheet.results.copy, Qt.MouseButton.LeftButton)
    assert "| single_pass | 100 |" in QGuiApplication.clipboard().text()
    (bar,) = sheet.results.plot.bars
    assert bar.value == 0.0
    assert present(sheet.results.run).ways[0].figures["questions"] == 100


@pytest.mark.parametrize(
    ("seconds", "told"),
    [(30.0, "less than a minute left"), (600.0, "about 10 min left"), (9000.0, "about 2.5 h left")],
)
def test_what_is_left_is_told_in_few_words(seconds: float, told: str) -> None:
    assert evaluation_text._left(seconds) == told
