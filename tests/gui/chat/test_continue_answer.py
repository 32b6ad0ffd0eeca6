"""A cut answer is written on by a click on the link under it: in the real window."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from desktop_rag.gui.controllers.transcript import Answered, Stopped, Turn
from testing.narrowing import present
from testing.ollama_double.script import Script
from testing.ollama_double.server import OllamaDouble
from testing.window_driver import Driver, wait_for

TEXT = """# Ferries

Fuel for the ferries cost 41 million in 2024. The ferry Ingrid was refitted in March at the yard.
"""
FIRST = "Fuel cost 41 million in 2024 [1]. The ferry"
REST = " Ingrid was refitted in March at the yard [1]."


@pytest.fixture
def ollama() -> Iterator[OllamaDouble]:
    with OllamaDouble() as double:
        yield double


@pytest.fixture
def driver(qapp: QApplication, tmp_path: Path, ollama: OllamaDouble) -> Iterator[Driver]:
    made = Driver(qapp, tmp_path / "home", ollama__host=ollama.url, ollama__answer_tokens="16")
    made.open()
    made.window.resize(1100, 760)
    (tmp_path / "ferries.md").write_text(TEXT, encoding="utf-8")
    made.drop(tmp_path / "ferries.md")
    made.wait_until_read(1)
    yield made
    made.close()


def turn(driver: Driver) -> Turn:
    return present(driver.turn)


def asked(driver: Driver, ollama: OllamaDouble) -> Turn:
    ollama.say(FIRST + REST)
    driver.ask("What did fuel cost, and what became of the Ingrid?")
    driver.wait_for_answer()
    return turn(driver)


def text(driver: Driver) -> str:
    return driver.window.chat.view.toPlainText()


def link(driver: Driver, address: str) -> bool:
    return f'href="{address}"' in driver.window.chat.view.toHtml()


def shown_again(driver: Driver) -> Turn:
    """Leave the conversation, and open it as it is kept."""
    chat = driver.context.chat
    number = present(chat.transcript.chat_id)
    chat.new()
    chat.open(number)
    wait_for(lambda: chat.transcript.chat_id == number)
    return turn(driver)


def test_the_link_goes_on_with_the_same_answer(driver: Driver, ollama: OllamaDouble) -> None:
    first = asked(driver, ollama)
    assert first.text == f"{FIRST} Ingrid"
    wait_for(lambda: "was cut at" in text(driver))
    ollama.say(REST)
    driver.click_link("more:0")
    wait_for(lambda: turn(driver).text.endswith("at the yard [1].") and not turn(driver).running)
    whole = turn(driver)
    assert whole.text == FIRST + REST
    assert isinstance(whole.outcome, Answered)
    assert whole.sources == first.sources
    assert {each.sentence for each in whole.citations} == {0, 1}
    assert len(driver.context.chat.transcript.turns) == 1
    wait_for(lambda: "was cut at" not in text(driver))
    assert not link(driver, "more:0")
    again = shown_again(driver)
    assert (again.text, again.citations) == (whole.text, whole.citations)
    assert again.notices == whole.notices == ()
    assert again.trace == whole.trace


def test_escape_stops_it_and_it_can_go_on(driver: Driver, ollama: OllamaDouble) -> None:
    asked(driver, ollama)
    ollama.say(Script(REST, pace=0.3))
    driver.click_link("more:0")
    wait_for(lambda: "was refit" in turn(driver).text and driver.window.isActiveWindow())
    assert turn(driver).running
    QTest.keyClick(driver.window.chat.composer.edit, Qt.Key.Key_Escape)
    wait_for(lambda: not turn(driver).running)
    assert isinstance(turn(driver).outcome, Stopped)
    assert turn(driver).is_unfinished
    assert turn(driver).citations, "what was cited before still is"
    wait_for(lambda: link(driver, "more:0"))
    again = shown_again(driver)
    assert isinstance(again.outcome, Stopped)
    assert again.is_unfinished
    assert again.text.startswith(f"{FIRST} Ingrid was refit")


def test_a_server_that_is_gone_leaves_the_answer_and_says_why(
    driver: Driver, ollama: OllamaDouble
) -> None:
    first = asked(driver, ollama)
    ollama.say(Script(status=500, error="out of memory"))
    driver.click_link("more:0")
    wait_for(driver.window.chat.complaint.isVisible)
    assert turn(driver) == first
    assert shown_again(driver).text == first.text


def test_only_the_last_answer_is_offered(driver: Driver, ollama: OllamaDouble) -> None:
    asked(driver, ollama)
    ollama.say("And the yard?", "The yard is at the port [1].")
    driver.ask("And the yard?")
    driver.wait_for_answer()
    assert not link(driver, "more:0")
    assert link(driver, "retry:0")
    assert not any(each.is_unfinished for each in driver.context.chat.transcript.turns)
    shown_again(driver)
    assert not any(each.is_unfinished for each in driver.context.chat.transcript.turns)
