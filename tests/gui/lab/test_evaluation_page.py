"""Measuring in the window, over a real data folder."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
import shiboken6
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QDialogButtonBox
from pytestqt.modeltest import ModelTester
from pytestqt.qtbot import QtBot

from desktop_rag.core.cancel import CancelToken
from desktop_rag.core.evaluation_records import GoldPassage, SavedQuestion
from desktop_rag.core.types import DocumentId, Locator, LocatorKind
from desktop_rag.gui.lab import evaluation_text
from desktop_rag.gui.lab.evaluation_jobs import QuestionSource
from desktop_rag.gui.lab.evaluation_page import EvaluationPage
from desktop_rag.gui.lab.evaluation_plots import (
    CorpusSizePlot,
    IntervalBar,
    IntervalPlot,
    curve_lines,
)
from desktop_rag.gui.lab.lab_tabs import LAB_PAGES
from desktop_rag.gui.lab.metrics_table import MetricsTableModel
from desktop_rag.gui.lab.proposals_dialog import ProposalsDialog
from desktop_rag.gui.lab.question_dialog import QuestionDialog
from desktop_rag.gui.lab.question_form import PassageChoice, QuestionForm
from desktop_rag.gui.lab.question_set_dialog import QuestionSetDialog
from desktop_rag.gui.theme import Theme
from testing.narrowing import narrow, present
from testing.window_driver import Driver, wait_for

TEXTS = {
    "whale.md": "# Blue whale\n\nThe blue whale is the largest animal, and feeds on krill.\n",
    "bread.md": "# Sourdough\n\nSourdough bread rises by wild yeast and needs a night.\n",
}


@pytest.fixture
def driver(qapp: QApplication, tmp_path: Path) -> Iterator[Driver]:
    docs = tmp_path / "docs"
    docs.mkdir()
    for name, text in TEXTS.items():
        (docs / name).write_text(text, "utf-8")
    made = Driver(qapp, tmp_path / "data")
    made.open()
    made.drop(docs)
    made.wait_until_read(2)
    yield made
    if shiboken6.isValid(made.window):
        made.close()


def sheet_of(driver: Driver) -> EvaluationPage:
    driver.window.centre.show_bench()
    bench = driver.window.centre.bench
    sheet = narrow(bench.sheet(EvaluationPage), EvaluationPage)
    bench.show_sheet(LAB_PAGES.index(EvaluationPage))
    wait_for(lambda: sheet.row.ways.menu().actions())
    return sheet


def dialog_of(driver: Driver) -> QuestionDialog:
    wait_for(lambda: driver.window.findChildren(QuestionDialog))
    return driver.window.findChildren(QuestionDialog)[-1]


def press(dialog: QuestionDialog) -> None:
    button = dialog.buttons.button(QDialogButtonBox.StandardButton.Save)
    QTest.mouseClick(button, Qt.MouseButton.LeftButton)


def measure(driver: Driver, sheet: EvaluationPage) -> None:
    runs = len(driver.context.measuring.record.runs)
    QTest.mouseClick(sheet.row.go, Qt.MouseButton.LeftButton)
    wait_for(lambda: len(driver.context.measuring.record.runs) == runs + 1)


def said(sheet: EvaluationPage) -> list[str]:
    return [sheet.results.list.item(n).text().strip() for n in range(sheet.results.list.count())]


def test_an_answer_becomes_a_question_that_two_runs_are_compared_on(
    driver: Driver, tmp_path: Path
) -> None:
    driver.ask("What does the blue whale feed on?")
    turn = driver.wait_for_answer()
    assert turn.citations
    driver.click_link("test:0")
    dialog = dialog_of(driver)
    assert dialog.question.toPlainText() == "What does the blue whale feed on?"
    assert "krill" in dialog.passages.item(0).text()
    assert "krill" in dialog.answers.toPlainText()
    press(dialog)
    sheet = sheet_of(driver)
    wait_for(lambda: sheet.row.chosen == QuestionSource("My questions"))
    assert sheet.empty.isVisible()
    measure(driver, sheet)
    table = sheet.results.model
    assert [table.index(n, 0).data() for n in range(2)] == ["Words alone (BM25)", "Balanced"]
    assert table.index(1, 2).data() == "100.0"
    assert "for the first time" in sheet.results.gained.text()
    assert "Balanced: 100.0, between" in sheet.results.plot.accessibleDescription()
    lose_passage(driver)
    measure(driver, sheet)
    assert "-100.0 points since" in sheet.results.gained.text()
    assert sheet.results.gained.text().endswith("now right: 0, lost: 1")
    assert said(sheet) == ["Lost (1)", "What does the blue whale feed on?"]
    assert sheet.results.settings.text().startswith("No setting")
    sheet.files._run = sheet.results.run
    sheet.files._export_figures(str(tmp_path / "figures.csv"))
    wait_for((tmp_path / "figures.csv").exists)
    assert (tmp_path / "figures.csv").read_text("utf-8").startswith("dataset,strategy,questions")


def test_a_way_that_is_not_prepared_is_told_and_leads_to_its_preparation(driver: Driver) -> None:
    from desktop_rag.gui.library.preparation_dialog import PreparationDialog

    driver.ask("What does the blue whale feed on?")
    driver.wait_for_answer()
    driver.click_link("test:0")
    press(dialog_of(driver))
    sheet = sheet_of(driver)
    wait_for(lambda: sheet.row.chosen == QuestionSource("My questions"))
    way = next(each for each in sheet.row.ways.menu().actions() if each.data() == "propositions")
    way.trigger()
    measure(driver, sheet)
    assert "is not measured: nothing is prepared for it" in sheet.notice.text
    table = sheet.results.model
    shown = [table.index(n, 0).data() for n in range(table.rowCount())]
    assert shown == ["Words alone (BM25)", "Balanced"]
    QTest.mouseClick(sheet.notice.button, Qt.MouseButton.LeftButton)
    wait_for(lambda: driver.window.findChildren(PreparationDialog))
    driver.window.findChildren(PreparationDialog)[-1].close()


def lose_passage(driver: Driver) -> None:
    """Let the question's passage be one that no search for it finds: it is in no document."""
    catalog = driver.context.folder.get(CancelToken()).catalog
    (question,) = catalog.questions.all("My questions")
    gold = replace(question.passages[0], start=90_000, stop=90_020)
    catalog.questions.save("My questions", [replace(question, passages=(gold,))])


def test_a_run_that_is_stopped_keeps_nothing(driver: Driver) -> None:
    sheet = sheet_of(driver)
    save(driver, *(SavedQuestion(0, f"Question {n}?", ("x",), KRILL, KB) for n in range(40)))
    wait_for(sheet.row.go.isEnabled)
    QTest.mouseClick(sheet.row.go, Qt.MouseButton.LeftButton)
    wait_for(lambda: present(driver.context.measuring.underway).progress is not None)
    assert sheet.progress.isVisible()
    assert not sheet.row.go.isEnabled()
    QTest.mouseClick(sheet.progress.stop, Qt.MouseButton.LeftButton)
    assert driver.context.measuring.underway is None
    assert not sheet.progress.isVisible()
    assert sheet.row.go.isEnabled()
    driver.context.measuring.refresh()
    wait_for(lambda: driver.context.measuring._reading is None)
    assert driver.context.measuring.record.runs == ()


def test_a_set_in_files_is_measured_and_offered_from_then_on(
    driver: Driver, tmp_path: Path
) -> None:
    corpus = [{"id": str(n), "title": t, "text": t} for n, t in enumerate(("krill", "yeast"))]
    asked = [{"id": "q", "question": "krill?", "answers": [], "gold": ["0"]}]
    for name, rows in (("corpus.jsonl", corpus), ("dev.jsonl", asked)):
        (tmp_path / name).write_text("\n".join(map(json.dumps, rows)), "utf-8")
    sheet = sheet_of(driver)
    files = QuestionSource("", str(tmp_path / "corpus.jsonl"), str(tmp_path / "dev.jsonl"))
    sheet.row.choose(files)
    assert not sheet.row.questions.isVisible()
    measure(driver, sheet)
    wait_for(lambda: driver.context.measuring.known.files == ((files.corpus, files.questions),))
    assert sheet.results.model.index(1, 2).data() == "100.0"


def test_presets_are_measured_beside_strategies(driver: Driver) -> None:
    driver.ask("What does the blue whale feed on?")
    driver.wait_for_answer()
    driver.click_link("test:0")
    press(dialog_of(driver))
    sheet = sheet_of(driver)
    wait_for(lambda: sheet.row.chosen == QuestionSource("My questions"))
    tick(sheet, "Fast")
    tick(sheet, "Single pass")
    assert sheet.row.strategies() == ("fast", "balanced", "single_pass")
    measure(driver, sheet)
    table = sheet.results.model
    named = [table.index(n, 0).data() for n in range(table.rowCount())]
    assert named == ["Words alone (BM25)", "Fast", "Balanced", "Single pass"]
    assert {table.index(n, 2).data() for n in range(4)} == {"100.0"}


def tick(sheet: EvaluationPage, text: str) -> None:
    """Tick a way in the menu, as a person does."""
    menu = sheet.row.ways.menu()
    menu.popup(sheet.row.ways.mapToGlobal(sheet.row.ways.rect().bottomLeft()))
    action = next(each for each in menu.actions() if each.text() == text)
    QTest.mouseClick(menu, Qt.MouseButton.LeftButton, pos=menu.actionGeometry(action).center())


def test_what_goes_wrong_is_told_in_words(driver: Driver, tmp_path: Path) -> None:
    sheet = sheet_of(driver)
    sheet.row.choose(QuestionSource("", str(tmp_path / "none"), str(tmp_path / "none")))
    QTest.mouseClick(sheet.row.go, Qt.MouseButton.LeftButton)
    wait_for(lambda: "cannot be read" in sheet.complaint.text)
    assert sheet.row.go.isEnabled()


def test_an_export_that_fails_leaves_the_file_that_is_there(driver: Driver, tmp_path: Path) -> None:
    sheet, file = sheet_of(driver), tmp_path / "mine.jsonl"
    file.write_text("the last export", "utf-8")
    sheet.row.choose(QuestionSource("gone"))
    sheet.files._export(str(file))
    wait_for(lambda: "no question set" in sheet.complaint.text)
    assert file.read_text("utf-8") == "the last export"
    save(driver, SavedQuestion(0, "Krill?", ("x",), KRILL, KB))
    sheet.row.choose(QuestionSource("Mine"))
    sheet.files._export(str(file))
    wait_for(lambda: "Krill?" in file.read_text("utf-8"))


def test_questions_are_written_found_changed_and_deleted(driver: Driver) -> None:
    sheet = sheet_of(driver)
    QTest.mouseClick(sheet.write, Qt.MouseButton.LeftButton)
    dialog = dialog_of(driver)
    save_button = dialog.buttons.button(QDialogButtonBox.StandardButton.Save)
    assert not save_button.isEnabled()
    dialog.question.setPlainText("How long does sourdough need?")
    assert "right to say so" in dialog.status.text()
    QTest.mouseClick(dialog.find_button, Qt.MouseButton.LeftButton)
    wait_for(lambda: dialog.passages.count() > 0)
    assert "wild yeast" in dialog.passages.item(0).text()
    dialog.passages.item(0).setCheckState(Qt.CheckState.Checked)
    assert "ticked passages answer" in dialog.status.text()
    dialog.sets.setEditText("a=b")
    press(dialog)
    assert "needs a name" in dialog.problem.text()
    dialog.sets.setEditText("Baking")
    press(dialog)
    wait_for(lambda: sheet.row.chosen == QuestionSource("Baking"))
    QTest.mouseClick(sheet.row.questions, Qt.MouseButton.LeftButton)
    wait_for(lambda: driver.window.findChildren(QuestionSetDialog))
    (listed,) = driver.window.findChildren(QuestionSetDialog)
    wait_for(lambda: listed.list.count() == 1)
    assert "bread.md" in listed.list.item(0).text()
    opened: list[object] = []
    listed.document_wanted.connect(opened.append)
    QTest.mouseClick(listed.delete, Qt.MouseButton.LeftButton)
    wait_for(lambda: listed.list.count() == 0)
    assert listed.empty.isVisible()
    listed.reject()


KB = ("default",)
KRILL = (GoldPassage("/nowhere/else.md"),)


def save(driver: Driver, *questions: SavedQuestion) -> None:
    """Save questions about the first file that there is, in the knowledge base that is shown."""
    current, row = driver.context.library.snapshot.current, driver.context.library.snapshot.files[0]
    place = Locator(LocatorKind.PART, "")
    piece = PassageChoice(row.path, "", "", place, DocumentId(int(row.document_id or 0)), (0, 10))
    forms = [QuestionForm("Mine", replace(each, kbs=(current,)), (piece,)) for each in questions]
    driver.context.measuring.save(forms)
    wait_for(lambda: any(each.questions for each in driver.context.measuring.known.own))


def test_the_table_keeps_qts_rules(qtmodeltester: ModelTester) -> None:
    model = MetricsTableModel()
    qtmodeltester.check(model)
    rows = [{"strategy": "crag", "recall@5": 50.0, "interval": [40.0, 60.0], "llm_calls": 1.5}]
    model.show_rows("retrieval", rows, {"crag": "Corrective"})
    qtmodeltester.check(model)
    assert [model.index(0, n).data() for n in range(4)] == [
        "Corrective",
        "50.0",
        "1.5",
        "40.0 – 60.0",
    ]


@pytest.mark.parametrize("choice", ["light", "dark", "contrast"])
def test_the_plot_is_painted_in_the_theme_s_colours(
    qtbot: QtBot, theme: Theme, choice: str
) -> None:
    theme._choice = choice
    theme.dress()
    plot = IntervalPlot(theme)
    qtbot.addWidget(plot)
    plot.show_bars("R@5", [IntervalBar("One way", 50.0, 40.0, 60.0, 45.0)])
    plot.resize(400, plot.sizeHint().height())
    image = plot.grab().toImage()
    seen = {image.pixelColor(x, 13).name() for x in range(image.width())}
    assert theme.colors.accent in seen, "the dot"
    assert theme.colors.accent_line in seen, "the interval"
    assert plot.accessibleDescription() == "One way: 50.0, between 40.0 and 60.0, before: 45.0"


def test_proposed_questions_are_kept_only_where_they_are_ticked(driver: Driver) -> None:
    sheet = sheet_of(driver)
    QTest.mouseClick(sheet.make_up, Qt.MouseButton.LeftButton)
    (dialog,) = driver.window.findChildren(ProposalsDialog)
    save = dialog.buttons.button(QDialogButtonBox.StandardButton.Save)
    assert not save.isEnabled()
    QTest.mouseClick(dialog.go, Qt.MouseButton.LeftButton)
    wait_for(lambda: dialog._job is None)
    assert "No question could be made" in dialog.status.text(), "the texts have a title alone"
    docs = Path(driver.context.library.snapshot.files[0].path).parent
    for name in ("Paint", "Crew"):
        text = f"# Ferry\n\n## {name}\n\n" + "It is seen to by the people aboard each spring. " * 3
        (docs / f"{name}.md").write_text(text, "utf-8")
    driver.drop(docs)
    driver.wait_until_read(4)
    QTest.mouseClick(dialog.go, Qt.MouseButton.LeftButton)
    wait_for(lambda: dialog._job is None and dialog.list.count() == 2)
    assert "made of headings" in dialog.status.text()
    dialog.list.item(0).setCheckState(Qt.CheckState.Unchecked)
    kept = dialog.list.item(1).text().partition("\n")[0]
    assert save.text() == "Save ticked (1)"
    QTest.mouseClick(save, Qt.MouseButton.LeftButton)
    wait_for(lambda: sheet.row.chosen == QuestionSource("My questions"))
    questions = driver.context.folder.get(CancelToken()).catalog.questions.all("My questions")
    assert [each.question for each in questions] == [kept]


def test_a_curve_is_told_in_words_and_tells_the_stages_apart(qtbot: QtBot, theme: Theme) -> None:
    rows = [
        {"strategy": "crag", "size": size, "second_stage": stage, "recall@5": 90.0 - size / 100}
        for size in (1000, 2000)
        for stage in (True, False)
    ]
    names = [evaluation_text.row_name(row, {}) for row in rows]
    curve = CorpusSizePlot(theme)
    qtbot.addWidget(curve)
    curve.show_lines("R@5", curve_lines(rows, "recall@5", names))
    assert curve.accessibleDescription() == (
        "Crag: 80.0 at 1,000, 70.0 at 2,000; Crag, first stage alone: 80.0 at 1,000, 70.0 at 2,000"
    )
    assert [line.is_reread for line in curve.lines] == [True, False]
    curve.resize(500, curve.sizeHint().height())
    assert not curve.grab().isNull()
