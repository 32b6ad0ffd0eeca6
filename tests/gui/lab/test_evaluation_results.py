from __future__ import annotations

from pytestqt.qtbot import QtBot

from desktop_rag.core.evaluation_records import EvaluationResult, EvaluationRun
from desktop_rag.gui.lab.evaluation_jobs import QuestionSource, RunHistory
from desktop_rag.gui.lab.evaluation_results import EvaluationResults
from desktop_rag.gui.lab.evaluation_text import RETRIEVAL
from desktop_rag.gui.theme import Theme


def run(number: int, way: str, share: float) -> EvaluationRun:
    figures = {"strategy": way, "recall@5": 100 * share, "interval": (0.0, 100.0)}
    ways = (EvaluationResult(figures, {"1": share}),)
    return EvaluationRun("set:1", RETRIEVAL, ways, {}, 100.0 + number, number)


def test_a_way_is_compared_with_the_last_run_that_measured_it(qtbot: QtBot, theme: Theme) -> None:
    results = EvaluationResults(theme)
    qtbot.addWidget(results)
    runs = (run(3, "crag", 1.0), run(2, "flare_direct", 1.0), run(1, "crag", 0.0))
    results.show_record(
        RunHistory(QuestionSource("mine"), RETRIEVAL, runs, {}), {"crag": "Corrective"}
    )
    assert "+100.0 points since" in results.gained.text()
    assert results.plot.bars[0].before == 0.0


def test_a_question_with_tags_stays_text_in_its_tooltip(qtbot: QtBot, theme: Theme) -> None:
    results = EvaluationResults(theme)
    qtbot.addWidget(results)
    texts = {"1": "<img src='file:///tmp/a.png'>Who pays?"}
    runs = (run(2, "crag", 0.0), run(1, "crag", 1.0))
    results.show_record(
        RunHistory(QuestionSource("mine"), RETRIEVAL, runs, texts), {"crag": "Corrective"}
    )
    tips = [results.list.item(row).toolTip() for row in range(results.list.count())]
    asked = [each for each in tips if "Who pays?" in each]
    assert asked
    assert not any("<img" in each for each in asked)
