"""What a language model does with passages is measured in the window, over real documents."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from desktop_rag.core.cancel import CancelToken
from desktop_rag.core.evaluation_records import SavedQuestion
from desktop_rag.core.types import DocumentId, Locator, LocatorKind
from desktop_rag.gui.controllers.llm_health import Missing, Ready
from desktop_rag.gui.lab import evaluation_text
from desktop_rag.gui.lab.evaluation_jobs import QuestionSource
from desktop_rag.gui.lab.evaluation_page import EvaluationPage
from desktop_rag.gui.lab.lab_tabs import LAB_PAGES
from desktop_rag.gui.lab.question_form import PassageChoice, QuestionForm
from testing.narrowing import narrow
from testing.ollama_double import OllamaDouble, Recorded, Script
from testing.window_driver import Driver, pause, wait_for

FACTS = {
    "ferry.md": ("What colour is the ferry?", "white", "The ferry Sula is white all over."),
    "rent.md": ("How high is the rent?", "1,450 francs", "The rent is 1,450 francs a month."),
    "whale.md": ("What does the whale eat?", "krill", "The whale eats krill in the cold sea."),
}
ROWS = (
    "Finds the answer among noise",
    "Says when there is none",
    "Joins two answers",
    "Withstands a false copy",
)


@pytest.fixture(scope="module")
def driver(
    qapp: QApplication, ollama: OllamaDouble, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Driver]:
    """A window with three documents, and a question about each."""
    home = tmp_path_factory.mktemp("abilities")
    docs = home / "docs"
    docs.mkdir()
    for name, (_, _, text) in FACTS.items():
        (docs / name).write_text(text, "utf-8")
    made = Driver(qapp, home / "data", ollama__host=ollama.url)
    made.open()
    made.window.resize(1320, 900)
    made.drop(docs)
    made.wait_until_read(len(FACTS))
    save_questions(made, "Mine", *FACTS)
    wait_for(lambda: isinstance(made.context.health.health, Ready))
    yield made
    made.close()


def save_questions(driver: Driver, name: str, *files: str) -> None:
    """Save the questions about files, each with its passage."""
    snapshot = driver.context.library.snapshot
    forms = []
    for row in (each for each in snapshot.files if Path(each.path).name in files):
        question, answer, text = FACTS[Path(row.path).name]
        span, place = (0, len(text)), Locator(LocatorKind.PART, "")
        piece = PassageChoice(
            row.path, "", text, place, DocumentId(int(row.document_id or 0)), span
        )
        saved = SavedQuestion(0, question, (answer,), kbs=(snapshot.current,))
        forms.append(QuestionForm(name, saved, (piece,)))
    driver.context.measuring.save(forms)
    wait_for(lambda: any(each.name == name for each in driver.context.measuring.known.own))


@pytest.fixture
def sheet(driver: Driver, ollama: OllamaDouble) -> Iterator[EvaluationPage]:
    """The sheet where reading is to be measured on all three questions."""
    driver.window.centre.show_bench()
    bench = driver.window.centre.bench
    bench.show_sheet(LAB_PAGES.index(EvaluationPage))
    made = narrow(bench.sheet(EvaluationPage), EvaluationPage)
    wait_for(made.row.sets.count)
    made.row.choose(QuestionSource("Mine"))
    made.row.task.setCurrentIndex(made.row.task.findData(evaluation_text.RGB))
    wait_for(lambda: driver.context.measuring._reading is None)
    ollama.requests.clear()
    yield made
    driver.context.measuring.stop()
    forget_runs(driver)


def forget_runs(driver: Driver) -> None:
    """Delete what was measured, so that every test begins with the same set."""
    measuring = driver.context.measuring
    wait_for(lambda: measuring.underway is None and measuring._reading is None)
    catalog = driver.context.folder.get(CancelToken()).catalog
    catalog.measured.delete([each.id for each in measuring.record.runs])
    measuring.choose(QuestionSource("Mine"), evaluation_text.RETRIEVAL)
    wait_for(lambda: measuring._reading is None)


def reading(request: Recorded) -> str:
    """Say what the passages say of what is asked."""
    told = request.messages[-1]["content"]
    asked = told.rpartition("Question:")[2]
    said = [a for q, a, text in FACTS.values() if q in asked and text in told]
    return f"{' and '.join(said)} [1]." if said else "This is not found in your documents."


def press_measure(sheet: EvaluationPage) -> None:
    QTest.mouseClick(sheet.row.go, Qt.MouseButton.LeftButton)


def measure(driver: Driver, sheet: EvaluationPage) -> list[list[str]]:
    """Measure, and return the table as it is read."""
    runs = len(driver.context.measuring.record.runs)
    press_measure(sheet)
    wait_for(lambda: len(driver.context.measuring.record.runs) == runs + 1)
    pause(30)
    table = sheet.results.model
    columns = range(table.columnCount())
    return [[table.index(n, m).data() for m in columns] for n in range(table.rowCount())]


def test_what_is_measured_and_by_what_is_told_before_there_is_a_run(sheet: EvaluationPage) -> None:
    assert sheet.abilities.isVisible()
    assert not sheet.abilities.missing.isVisible()
    assert not sheet.row.ways.isVisible()
    assert sheet.row.go.isEnabled()


def test_each_ability_has_its_share_of_the_questions_and_runs_are_compared(
    driver: Driver, ollama: OllamaDouble, sheet: EvaluationPage
) -> None:
    ollama.otherwise = "It is krill [1]."
    rows = measure(driver, sheet)
    assert [row[0] for row in rows] == list(ROWS)
    assert [row[1:3] for row in rows] == [["3", "33.3"], ["3", "0.0"], ["3", "0.0"], ["3", "33.3"]]
    assert len(ollama.chats) == 12
    results = sheet.results
    assert "is it given?" in results.about.text()
    assert f"The model was {ollama.chats[0].model}." in results.about.text()
    assert "holds the saved answer word for word" in results.about.text()
    assert [results.list.item(n).text().strip() for n in range(2)] == [
        "Not right (2)", "What colour is the ferry?",
    ]  # fmt: skip
    ollama.otherwise = reading
    assert {row[2] for row in measure(driver, sheet)} == {"100.0"}
    assert results.gained.text().startswith(
        "Finds the answer among noise, right replies: +66.7 points"
    )
    results.table.selectRow(1)
    assert "instead of making one up?" in results.about.text()
    assert "Right is a reply that says that nothing was found." in results.about.text()
    assert results.list.item(0).text() == "Right now (3)"
    assert "Right, in percent" in results.plot.accessibleName()


def test_a_run_is_stopped_in_the_middle_of_a_reply_and_keeps_nothing(
    driver: Driver, ollama: OllamaDouble, sheet: EvaluationPage
) -> None:
    ollama.say("It is krill [1].")
    ollama.otherwise = Script("A long story about krill. " * 40, pace=0.05)
    press_measure(sheet)
    wait_for(lambda: len(ollama.chats) == 2 and ollama.chats[1].sent)
    assert sheet.progress.status.text() == "Says when there is none: reply 2 of 12"
    QTest.mouseClick(sheet.progress.stop, Qt.MouseButton.LeftButton)
    assert sheet.row.go.isEnabled()
    wait_for(lambda: ollama.chats[1].abandoned)
    pause(100)
    assert len(ollama.chats) == 2
    assert sheet.abilities.isVisible()


def test_too_few_questions_are_told_with_what_to_do(driver: Driver, sheet: EvaluationPage) -> None:
    save_questions(driver, "Few", "rent.md", "whale.md")
    sheet.row.choose(QuestionSource("Few"))
    press_measure(sheet)
    wait_for(lambda: "has 2 questions with an answer" in sheet.complaint.text)
    assert sheet.complaint.text.endswith("Save more of them, or have some proposed.")


def test_without_a_model_it_is_told_before_and_when_it_is_tried(
    driver: Driver, ollama: OllamaDouble, sheet: EvaluationPage
) -> None:
    ollama.stop()
    try:
        driver.context.health.look()
        wait_for(lambda: isinstance(driver.context.health.health, Missing))
        assert sheet.abilities.missing.isVisible()
        assert sheet.abilities.missing.text().startswith("This needs a language model")
        press_measure(sheet)
        wait_for(lambda: sheet.complaint.isVisible() and "Ollama" in sheet.complaint.text)
        assert sheet.row.go.isEnabled()
    finally:
        ollama.start()
    driver.context.health.look()
    wait_for(lambda: not sheet.abilities.missing.isVisible())
    assert driver.context.measuring.record.runs == ()


def test_a_set_in_files_has_no_passages_of_its_own_to_read(
    sheet: EvaluationPage, tmp_path: Path
) -> None:
    sheet.row.choose(QuestionSource("", str(tmp_path / "c.jsonl"), str(tmp_path / "q.jsonl")))
    assert sheet.row.task.findData(evaluation_text.RGB) < 0
    assert sheet.row.ways.isVisible()
    sheet.row.choose(QuestionSource("Mine"))
    assert sheet.row.task.findData(evaluation_text.RGB) >= 0
