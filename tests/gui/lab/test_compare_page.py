"""The page that compares ways to answer: in the real window, over real documents, with the double.

Every test begins with two ways and nothing asked.
"""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from PySide6.QtCore import QModelIndex, QPoint, Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QWidget

from desktop_rag.core.cancel import CancelToken
from desktop_rag.gui.controllers.transcript import Answered, Failed, Stopped, Turn
from desktop_rag.gui.lab.compare_controller import AnswerMethod, Comparison, ComparisonColumn
from desktop_rag.gui.lab.compare_page import ComparePage
from desktop_rag.gui.lab.comparison_column import ComparisonColumnView
from desktop_rag.gui.lab.lab_tabs import LAB_PAGES
from desktop_rag.gui.lab.shared_sources import SourceUse
from testing.narrowing import narrow, present
from testing.ollama_double import OllamaDouble
from testing.ollama_double.script import Script, fail
from testing.window_driver import Driver, pause, wait_for

pytestmark = pytest.mark.timeout(240)

QUESTION = "How high is the monthly rent?"
RENT = "The monthly rent is 1,450 francs [1]."
TEXTS = {
    "lease.md": "# Rent\n\nThe monthly rent of the flat is 1,450 francs. It is due on the first.",
    "heating.md": "# Heating\n\nThe rent of the monthly heating meter is nine francs.",
    "garage.md": "# Garage\n\nThe monthly rent of the garage is 120 francs.",
    "notes.md": "# Notes\n\nThe monthly meeting spoke of the rent and of the roof.",
}


class Page:
    """The page with hands on it."""

    def __init__(self, driver: Driver, double: OllamaDouble) -> None:
        self.driver = driver
        self.double = double
        driver.window.centre.show_bench()
        driver.window.centre.bench.show_sheet(LAB_PAGES.index(ComparePage))
        self.sheet = narrow(driver.window.centre.bench.sheet(ComparePage), ComparePage)
        wait_for(self.sheet.isVisible)

    @property
    def now(self) -> Comparison:
        return self.driver.context.comparing.comparison

    @property
    def columns(self) -> list[ComparisonColumnView]:
        return self.sheet.columns

    def turn(self, number: int) -> Turn:
        turn = self.now.columns[number].turn
        assert turn is not None
        return turn

    def begin(self, question: str = QUESTION) -> None:
        self.sheet.question.edit.setPlainText(question)
        QTest.keyClick(self.sheet.question.edit, Qt.Key.Key_Return)

    def compare(self, question: str = QUESTION) -> None:
        self.begin(question)
        self.wait()

    def wait(self) -> None:
        wait_for(lambda: not self.now.is_running)
        pause(60)

    def clean(self) -> None:
        """Be as at the beginning."""
        self.double.scripted.queue.clear()
        comparing = self.driver.context.comparing
        comparing.stop()
        while len(self.now.columns) > 2:
            comparing.remove(2)
        for number, name in enumerate(("fast", "balanced")):
            comparing.choose(number, AnswerMethod("single_pass"))
            comparing.choose(number, AnswerMethod(name))
        comparing.comparison = Comparison(
            tuple(ComparisonColumn(each.way) for each in self.now.columns)
        )
        comparing.changed.emit(comparing.comparison)
        self.driver.window.sources.close_document()
        self.driver.context.chat.new()
        self.driver.context.settings.reset("answering.strategy")
        self.sheet.question.edit.clear()
        pause(20)


@pytest.fixture(scope="module")
def double() -> Iterator[OllamaDouble]:
    with OllamaDouble() as running:
        yield running


@pytest.fixture(scope="module")
def driver(
    qapp: QApplication, tmp_path_factory: pytest.TempPathFactory, double: OllamaDouble
) -> Iterator[Driver]:
    folder = tmp_path_factory.mktemp("documents")
    for name, text in TEXTS.items():
        (folder / name).write_text(text, encoding="utf-8")
    made = Driver(
        qapp,
        tmp_path_factory.mktemp("compare") / "data",
        answering__reuse="false",
        ollama__host=double.url,
    )
    made.window.resize(1320, 840)
    made.open()
    made.drop(folder)
    made.wait_until_read(len(TEXTS))
    wait_for(lambda: made.context.offers.presets)
    yield made
    made.close()


@pytest.fixture
def page(driver: Driver, double: OllamaDouble) -> Iterator[Page]:
    made = Page(driver, double)
    made.clean()
    yield made
    made.clean()


def test_two_ways_answer_one_after_the_other_and_stand_side_by_side(page: Page) -> None:
    page.double.say(RENT, "It is 1,450 francs [1].")
    page.begin()
    assert page.now.running == 0
    assert page.now.waiting == (1,)
    assert page.columns[1].state.text() == "Waits for its turn"
    page.wait()
    assert [page.turn(n).text for n in (0, 1)] == [RENT, "It is 1,450 francs [1]."]
    assert [each.state.text() for each in page.columns] == ["Written by the language model"] * 2
    for n, title in enumerate(("Fast", "Balanced")):
        figures = page.columns[n].figures.text().replace("\u00a0", " ")
        assert figures.startswith(f"{title}: Single pass · llama3.2:3b · 1 search · ")
        assert "1 model call" in figures
        assert "tokens" in figures


def test_an_answer_is_seen_while_it_is_written(page: Page) -> None:
    page.double.say(Script(f"{RENT} " * 20, pace=0.03), RENT)
    page.begin()
    wait_for(lambda: page.columns[0].view.toPlainText().count("1,450") > 1)
    assert page.turn(0).running
    assert page.columns[0].state.text() == "Is answering…"
    page.sheet.stop()


def test_fast_reads_fewer_passages_and_the_table_says_which_are_shared(page: Page) -> None:
    page.double.say(RENT, f"{RENT} The meeting spoke of it [4].")
    page.compare()
    sources = page.sheet.table.model.sources
    assert [len(each.holders) for each in sources] == [2, 2, 2, 1]
    assert sources[0].uses == (SourceUse.CITED, SourceUse.CITED)
    assert sources[-1].uses[0] is SourceUse.NOT_FOUND
    said = page.sheet.table.said.text()
    assert said == "Sources in all answers: 3 · only in “Fast”: 0 · only in “Balanced”: 1"
    model = page.sheet.table.model
    assert model.data(model.index(0, 1)) == "[1] cited"
    assert model.data(model.index(3, 1)) == "–"


def test_a_click_on_a_citation_opens_the_passage_in_its_document(page: Page) -> None:
    page.double.say(RENT, RENT)
    page.compare()
    click_link(page.columns[1], "cite:1")
    viewer = page.driver.window.sources.viewer
    wait_for(lambda: viewer.document is not None and viewer.isVisible())
    assert viewer.document is not None
    assert viewer.document.path.endswith("lease.md")
    assert viewer.document.mark is not None


def test_a_source_in_the_table_opens_where_a_way_cites_it(page: Page) -> None:
    page.double.say(RENT, f"The garage: 120 francs [{2}].")
    page.compare()
    table = page.sheet.table
    index = table.model.index(table.model.rowCount() - 1, 1)
    assert table.model.sources[index.row()].holders == (1,)
    table.view.clicked.emit(index)
    wait_for(lambda: page.driver.window.sources.is_reading)
    table.view.clicked.emit(QModelIndex())


def test_escape_stops_the_answer_and_the_ways_that_wait(page: Page) -> None:
    page.double.say(Script(f"{RENT} " * 50, pace=0.05))
    page.begin()
    wait_for(lambda: len(page.turn(0).text) > 20)
    page.driver.window._stop()
    assert isinstance(page.turn(0).outcome, Stopped)
    assert page.turn(0).text.startswith("The monthly")
    assert page.now.columns[1].turn is None
    assert page.driver.window.centre.shows_bench
    pause(200)
    assert not page.now.is_running
    page.driver.window._stop()
    assert not page.driver.window.centre.shows_bench


def test_a_column_is_stopped_by_itself_and_the_next_goes_on(page: Page) -> None:
    page.double.say(Script(f"{RENT} " * 50, pace=0.05), RENT)
    page.begin()
    wait_for(lambda: len(page.turn(0).text) > 20)
    page.columns[0].end.click()
    page.wait()
    assert isinstance(page.turn(0).outcome, Stopped)
    assert page.turn(1).text == RENT


def test_what_fails_in_one_way_is_told_there_and_the_next_goes_on(page: Page) -> None:
    page.driver.context.comparing.choose(0, AnswerMethod("single_pass", model="gone:7b"))
    page.double.say(RENT)
    page.compare()
    assert isinstance(page.turn(0).outcome, (Answered, Failed))
    assert "gone:7b" in page.columns[0].view.toPlainText()
    assert page.turn(1).text == RENT


def test_nothing_of_it_is_kept(page: Page) -> None:
    page.double.say(RENT, RENT)
    page.compare("How high is the quartzxylophone rent?")
    catalog = page.driver.context.folder.get(_token()).catalog
    assert all("quartzxylophone" not in each.title for each in catalog.chats.all())
    assert page.driver.context.chat.transcript.turns == ()


def test_a_way_can_be_used_from_now_on(page: Page) -> None:
    page.double.say(RENT, RENT)
    page.compare()
    assert not page.columns[1].use.isEnabled()  # the settings have it already
    page.columns[0].use.click()
    assert page.driver.context.settings.settings.answering.strategy == "fast"
    assert page.columns[0].use.text() == "In use"
    assert page.columns[1].use.isEnabled()
    strategies = page.driver.window.chat.composer.strategies
    wait_for(lambda: strategies.currentData() == "fast")


def test_a_way_with_changes_can_not_be_kept_in_the_settings_and_says_why(page: Page) -> None:
    page.columns[0].how.chosen.emit(AnswerMethod("fast", ("rewrite",)))
    assert page.now.columns[0].way.transforms == ("rewrite",)
    assert not page.columns[0].use.isEnabled()
    assert "no changes to the question" in page.columns[0].use.toolTip()


def test_a_way_is_asked_in_the_conversation_and_kept_there(page: Page) -> None:
    page.columns[0].how.chosen.emit(AnswerMethod("fast", ("rewrite",)))
    page.double.say("monthly rent", RENT, RENT)
    page.compare()
    page.double.say("monthly rent", RENT)
    page.columns[0].ask.click()
    assert not page.driver.window.centre.shows_bench
    turn = page.driver.wait_for_answer()
    assert (turn.question, turn.preset, turn.text) == (QUESTION, "fast", RENT)
    assert isinstance(turn.outcome, Answered)
    assert turn.outcome.llm_calls == 2
    assert turn.question_id


def test_it_is_not_asked_while_the_conversation_is_answered(page: Page) -> None:
    page.double.say(RENT, RENT)
    page.compare()
    page.double.say(Script(f"{RENT} " * 50, pace=0.05))
    page.driver.context.chat.ask(QUESTION, ("default",), "fast")
    wait_for(lambda: page.driver.turn is not None and len(page.driver.turn.text) > 5)
    page.columns[1].ask.click()
    assert page.driver.window.centre.shows_bench
    assert "still being answered" in page.sheet.banner.text
    page.driver.context.chat.stop()


def test_the_comparison_is_copied_as_a_table(page: Page) -> None:
    page.double.say(RENT, "It is 1,450 francs [1].")
    page.compare()
    page.sheet.question.copy.click()
    copied = QGuiApplication.clipboard().mimeData()
    rows = [line.split("\t") for line in copied.text().rstrip("\n").split("\n")]
    assert rows[0] == [QUESTION, "Fast", "Balanced"]
    assert rows[1] == ["Answer", RENT, "It is 1,450 francs [1]."]
    named = {row[0]: row[1:] for row in rows}
    assert named["Model calls"] == ["1", "1"]
    assert any("lease.md" in name and said[0] == "[1] cited" for name, said in named.items())
    assert copied.html().count("<tr>") == len(rows)


def test_another_way_clears_only_its_own_answer_and_alone_is_asked_again(page: Page) -> None:
    page.double.say(RENT, RENT)
    page.compare()
    ways = page.columns[1].ways
    ways.choose("single_pass")
    ways.activated.emit(ways.currentIndex())
    assert page.now.columns[1].turn is None
    assert page.columns[1].state.text() == "Not asked yet"
    before = page.turn(0)
    page.double.say("Asked alone [1].")
    page.compare()
    assert page.turn(0) is before
    assert page.turn(1).text == "Asked alone [1]."


def test_a_third_way_comes_and_goes(page: Page) -> None:
    page.sheet.question.more.click()
    assert [each.way.name for each in page.now.columns] == ["fast", "balanced", "thorough"]
    assert not page.sheet.question.more.isVisible()
    assert len(page.columns) == 3
    page.columns[1].end.click()
    assert [each.way.name for each in page.now.columns] == ["fast", "thorough"]
    assert [each.ways.currentText() for each in page.columns] == ["Fast", "Thorough"]
    assert not page.columns[0].end.isVisible()


def test_what_was_answered_is_named_when_another_question_is_typed(page: Page) -> None:
    page.double.say(RENT, RENT)
    page.compare()
    assert not page.sheet.asked.isVisible()
    page.sheet.question.edit.setPlainText("And the garage?")
    assert page.sheet.asked.isVisible()
    assert page.sheet.asked.whole == f"Answered below: “{QUESTION}”"


def test_another_language_shows_the_same_comparison(page: Page) -> None:
    page.double.say(RENT, RENT)
    page.compare()
    page.sheet.question.edit.setPlainText("And then?")
    page.driver.window.speak_anew()
    page.sheet = narrow(page.driver.window.centre.bench.sheet(ComparePage), ComparePage)
    assert page.sheet.isVisible()
    assert page.sheet.question.edit.toPlainText() == "And then?"
    assert "1,450" in page.columns[0].view.toPlainText()
    assert page.columns[1].ways.currentText() == "Balanced"


def test_three_ways_stay_readable_in_a_small_window(page: Page) -> None:
    page.sheet.question.more.click()
    page.double.say(RENT, RENT, '{"questions": []}', RENT, '{"questions": []}')
    page.driver.window.resize(900, 600)
    page.compare()
    for column in page.columns:
        assert column.width() >= 270
        assert column.view.viewport().height() >= 60
        for part in (column.ways, column.how, column.end, column.use, column.ask):
            assert _is_within(part, column)
        for button in (column.use, column.ask):
            assert button.width() >= button.sizeHint().width()
    inside = page.columns[0].parentWidget()
    assert inside is not None
    assert page.columns[0].height() <= present(inside.parentWidget()).height()
    page.driver.window.resize(1320, 840)


def test_every_part_has_a_name_for_a_screen_reader(page: Page) -> None:
    page.double.say(RENT, RENT)
    said: list[str] = []
    page.columns[0].view.speaker.said.connect(said.append)
    page.compare()
    column = page.columns[0]
    assert column.view.accessibleName() == "Answer: Fast"
    assert column.ways.accessibleName() == "Way to answer"
    assert "llama3.2:3b" in column.how.accessibleName()
    assert page.sheet.question.edit.accessibleName() == "Question to compare"
    assert page.sheet.table.view.accessibleName() == "Sources of the answers"
    assert len(said) == 1
    assert said[0].startswith("Fast. Written by the language model.")


def test_a_model_that_breaks_leaves_quotes_and_says_so(page: Page) -> None:
    page.double.say(fail(500, "busy"), RENT)
    page.compare()
    outcome = page.turn(0).outcome
    assert isinstance(outcome, Answered)
    assert outcome.mode == "extracted"
    assert page.columns[0].state.text() == "Quotes from your documents, no language model"
    assert page.turn(1).text == RENT


def test_nothing_is_asked_of_an_empty_field(page: Page) -> None:
    assert not page.sheet.question.go.isEnabled()
    page.begin("   ")
    assert not page.now.is_running
    assert page.sheet.hint.isVisible()
    assert not page.sheet.table.isVisible()


def test_a_way_that_is_not_prepared_says_so_and_leads_to_its_preparation(page: Page) -> None:
    from desktop_rag.gui.library.preparation_dialog import PreparationDialog

    page.driver.context.comparing.choose(0, AnswerMethod("propositions"))
    assert page.columns[0].prepare.isHidden()
    page.double.say(RENT, RENT)
    page.compare()
    assert any("Nothing is prepared" in each for each in page.turn(0).notices)
    assert not page.columns[0].prepare.isHidden()
    assert page.columns[1].prepare.isHidden()
    QTest.mouseClick(page.columns[0].prepare, Qt.MouseButton.LeftButton)
    wait_for(lambda: page.driver.window.findChildren(PreparationDialog))
    for dialog in page.driver.window.findChildren(PreparationDialog):
        dialog.close()


def click_link(column: ComparisonColumnView, address: str) -> None:
    """Click on a link of an answer."""
    view = column.view
    for y in range(0, view.viewport().height(), 4):
        for x in range(0, view.viewport().width(), 4):
            if view.anchorAt(QPoint(x, y)) == address:
                QTest.mouseClick(view.viewport(), Qt.MouseButton.LeftButton, pos=QPoint(x, y))
                return
    raise AssertionError(f"{address} is not in sight")


def _is_within(part: QWidget, whole: QWidget) -> bool:
    corner = part.mapTo(whole, part.rect().bottomRight())
    return whole.rect().contains(corner)


def _token() -> CancelToken:
    from desktop_rag.core.cancel import CancelToken

    return CancelToken()
