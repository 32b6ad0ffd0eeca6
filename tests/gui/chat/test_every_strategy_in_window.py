"""Every way to answer that can be chosen, each strategy and each preset, in the real window.

A way is covered as soon as it is registered. The language model is the double of Ollama; what it is
sent, and how often, is its own count.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from desktop_rag.gui.controllers import timeline
from desktop_rag.gui.controllers.transcript import Answered, Stopped, Turn
from desktop_rag.strategies import registry
from desktop_rag.strategies.presets import PRESETS
from testing.ollama_double import OllamaDouble, Recorded, Script
from testing.ollama_double.quoting import passages_in, quote_first
from testing.timeouts import SOON
from testing.window_driver import Driver, pause, wait_for
from tests.gui.chat.timeline_setup import DOCUMENTS, HALDEN, unfold, write_documents

WAYS = [*(each.name for each in PRESETS), *(each.name for each in registry.STRATEGIES)]
KNOWN = "The Halden lighthouse stands on a rock in the fjord."
UNSURE = (
    "The lighthouse is very tall and was built by Marta Ekeland a long time ago. "
    "There is more [Search(Marta Ekeland)]. And more."
)
LONG = "The lighthouse has a very long story to tell, and it goes on and on. " * 80
POORLY_FOUND = {"crag": "Which storm broke the windows of the lighthouse?"}
"""Questions for ways that call the model a second time only where little was found."""
ONE_CALL = {"single_pass", "fast", "balanced", "linked_hops", "single_pass_cot", "direct",
            "chain_of_thought", "efficient_rag", "prompt_rag", "study_balanced",
            "tables", "hypothetical_questions", "propositions", "raptor",
            "multi_head", "entity_graph"}  # fmt: skip
A_TOKEN = 0.03  # seconds between two words of the model


@pytest.fixture(scope="module")
def driver(
    qapp: QApplication, ollama: OllamaDouble, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Driver]:
    """A window that has read four short documents."""
    home = tmp_path_factory.mktemp("ways")
    made = Driver(qapp, home / "data", answering__reuse="false", ollama__host=ollama.url)
    made.open()
    made.window.resize(1320, 900)
    made.drop(write_documents(home / "documents"))
    made.wait_until_read(len(DOCUMENTS))
    wait_for(made.window.chat.composer.strategies.count)
    yield made
    made.close()


@pytest.fixture(autouse=True)
def as_it_was(driver: Driver, ollama: OllamaDouble) -> Iterator[None]:
    ollama.otherwise = knowing
    ollama.requests.clear()
    yield
    driver.context.chat.stop()
    ollama.scripted.queue.clear()
    driver.context.chat.new()
    pause(30)


def every(names: list[str]) -> pytest.MarkDecorator:
    return pytest.mark.parametrize("way", names)


def knowing(request: Recorded) -> str:
    """Quote the first passage; without any, say what the documents say as well."""
    return quote_first(request) if passages_in(request.prompt) else KNOWN


def calls(ollama: OllamaDouble) -> list[Recorded]:
    """Return the calls of the model that the double was asked for, whatever their form."""
    asked = (*ollama.chats, *ollama.to("/api/generate"))
    return [each for each in asked if each.messages or each.body.get("prompt")]


def choose(driver: Driver, way: str) -> None:
    """Choose a way as a person does: open the list, and click on its row."""
    choice = driver.window.chat.composer.strategies
    assert choice.isVisible()
    QTest.keyClick(choice, Qt.Key.Key_F4)
    rows, row = choice.view(), choice.model().index(choice.findData(way), 0)
    rows.scrollTo(row)
    at = rows.visualRect(row).center()
    QTest.mouseMove(rows.viewport(), at)
    QTest.mouseClick(rows.viewport(), Qt.MouseButton.LeftButton, pos=at)
    assert choice.currentData() == way


def takes_shortcuts(driver: Driver) -> bool:
    """Whether the window has the keys: a list that was clicked on a moment ago may keep them."""
    return QApplication.activePopupWidget() is None and driver.window.isActiveWindow()


def ask(driver: Driver, way: str, question: str = HALDEN) -> None:
    """Choose a way, type the question and press Enter."""
    choose(driver, way)
    driver.ask(question)


def anchors(driver: Driver) -> set[str]:
    """Return the addresses of all links in the conversation."""
    found = set()
    block = driver.window.chat.view.document().begin()
    while block.isValid():
        each = block.begin()
        while not each.atEnd():
            found.add(each.fragment().charFormat().anchorHref())
            each += 1
        block = block.next()
    return found


def shown(driver: Driver) -> str:
    return driver.window.chat.view.toPlainText().replace("\u00a0", " ")


@every(WAYS)
def test_every_way_that_is_chosen_answers_with_citations_and_counts_its_calls(
    driver: Driver, ollama: OllamaDouble, way: str
) -> None:
    ask(driver, way)
    turn = driver.wait_for_answer()
    assert isinstance(turn.outcome, Answered)
    assert turn.outcome.mode == "generated"
    assert way in (turn.preset, turn.strategy)
    _is_shown_with_its_citations(driver, turn)
    said = len(calls(ollama))
    assert said == 1 or way not in ONE_CALL, "Stop must be tried in a later call, too"
    assert turn.outcome.llm_calls == timeline.sums(turn).calls == said
    assert (f"{said} model calls" if said > 1 else "1 model call ") in shown(driver)
    text = unfold(driver)
    assert len(re.findall(r"\tModel call  ", text)) == said
    assert len(re.findall(r"\tSearch  ", text)) == turn.outcome.searches


def _is_shown_with_its_citations(driver: Driver, turn: Turn) -> None:
    """Check that the answer can be read, and that each of its citations leads to what it quotes."""
    assert re.sub(r"\s*\[\d+\]", "", turn.text) in re.sub(r"\s*\[?\d+\]?(?=\s)", "", shown(driver))
    assert turn.citations
    assert {f"cite:{n}" for n in turn.cited()} <= anchors(driver)
    for each in turn.citations:
        assert each.quote in DOCUMENTS[turn.sources[each.n - 1].title]


@pytest.mark.parametrize("call", [1, 2], ids=["in its first call", "in a later call"])
@every([way for way in WAYS if way not in ONE_CALL])
def test_esc_ends_a_way_of_several_calls_at_once(
    driver: Driver, ollama: OllamaDouble, way: str, call: int
) -> None:
    ollama.say(*[Script(UNSURE, probabilities=(0.5,))] * (call - 1))
    ollama.otherwise = Script(LONG, pace=A_TOKEN)
    ask(driver, way, POORLY_FOUND.get(way, HALDEN))
    wait_for(lambda: len(calls(ollama)) == call and calls(ollama)[-1].sent)
    wait_for(lambda: takes_shortcuts(driver))
    QTest.keyClick(driver.window.chat.composer.edit, Qt.Key.Key_Escape)
    assert driver.turn is not None
    assert driver.turn.outcome == Stopped()
    assert "Stopped" in shown(driver)
    wait_for(lambda: calls(ollama)[-1].abandoned, SOON)  # else the model goes on writing
    pause(100)
    assert len(calls(ollama)) == call, "it went on behind the window"
