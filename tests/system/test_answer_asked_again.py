"""In the real window: an answer that was given while files waited is asked again by itself."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtWidgets import QApplication

from desktop_rag.core.events import NoticeCode
from desktop_rag.core.phrases import has_code
from desktop_rag.gui.controllers.transcript import Answered, Turn
from testing.narrowing import narrow, present
from testing.ollama_double import OllamaDouble, Script
from testing.window_driver import Driver, pause, wait_for

pytestmark = [pytest.mark.timeout(180), pytest.mark.slow]

QUESTION = "How many cars does the ferry Solveig carry?"
FERRY = "# Ferry\n\nThe ferry Solveig carries forty cars across the fjord."
FOUND = "The ferry Solveig carries forty cars [1]."
SLOW = 0.4  # seconds a word


@pytest.fixture
def ollama() -> Iterator[OllamaDouble]:
    with OllamaDouble() as made:
        yield made


@pytest.fixture
def docs(tmp_path: Path) -> Path:
    made = tmp_path / "docs"
    made.mkdir()
    (made / "tea.md").write_text("# Tea\n\nTea is grown in the hills.", encoding="utf-8")
    return made


@pytest.fixture
def driver(
    qapp: QApplication, tmp_path: Path, docs: Path, ollama: OllamaDouble
) -> Iterator[Driver]:
    """A window over a folder that is read, which asked while a file waited."""
    made = Driver(qapp, tmp_path / "data", ollama__host=ollama.url)
    made.open()
    made.context.library.add((str(docs),))
    made.wait_until_read(1)
    made.context.renewal._quiet.setInterval(50)
    made.context.library.pause_reading()
    (docs / "ferry.md").write_text(FERRY, encoding="utf-8")
    made.context.library.update_all()
    wait_for(lambda: len(made.context.library.snapshot.files) == 2)
    made.ask(QUESTION)
    made.wait_for_answer()
    yield made
    made.close()


def turn_of(driver: Driver) -> Turn:
    return present(driver.turn)


def said_of(turn: Turn, code: NoticeCode) -> list[str]:
    return [str(each) for each in turn.notices if has_code(each, code)]


def shown(driver: Driver) -> str:
    return driver.window.chat.view.toPlainText()


def test_it_is_asked_when_the_file_is_read_and_says_what_changed(
    driver: Driver, ollama: OllamaDouble
) -> None:
    first = turn_of(driver)
    assert narrow(first.outcome, Answered).mode == "refused"
    (sentence,) = said_of(first, NoticeCode.UNREAD_FILES)
    assert sentence == "One file is not read yet, ferry.md: the answer may stand in it."
    assert "asked again by itself when more is read" in shown(driver)
    driver.window.chat.composer.edit.setPlainText("What I am typing")
    ollama.say(FOUND)
    driver.context.library.resume()
    wait_for(lambda: turn_of(driver).text == FOUND)
    turn = turn_of(driver)
    assert said_of(turn, NoticeCode.ASKED_AGAIN) == [
        "Asked again after one file was read. The answer now cites ferry.md."
    ]
    assert len(driver.context.chat.transcript.turns) == 1
    assert len(turn.versions) == 2
    assert driver.window.chat.composer.edit.toPlainText() == "What I am typing"
    assert "asked again by itself" not in shown(driver)
    driver.click_link(f"version:{turn.versions[0]}")
    wait_for(lambda: turn_of(driver).question_id == first.question_id)
    calls = len(ollama.chats)
    pause(400)
    assert turn_of(driver).awaits is None, "an older version is not asked again"
    assert len(ollama.chats) == calls


def test_do_not_ask_again_is_heeded(driver: Driver, ollama: OllamaDouble) -> None:
    first = turn_of(driver)
    driver.click_link("wait:0")
    wait_for(lambda: turn_of(driver).awaits is None)
    calls = len(ollama.requests)
    driver.context.library.resume()
    driver.wait_until_read(2)
    pause(400)
    assert turn_of(driver).text == first.text
    assert len(ollama.chats) == 0
    assert len(ollama.requests) >= calls
    chat_id = present(driver.context.chat.transcript.chat_id)
    driver.context.chat.new()
    driver.context.chat.open(chat_id)
    wait_for(lambda: driver.turn is not None)
    assert turn_of(driver).awaits is None, "it is kept"


def test_it_can_be_stopped_while_it_is_asked(driver: Driver, ollama: OllamaDouble) -> None:
    first = turn_of(driver)
    ollama.say(Script(FOUND, pace=SLOW))
    driver.context.library.resume()
    wait_for(lambda: turn_of(driver).is_asked_again and bool(ollama.chats))
    assert "the question is being asked again" in shown(driver)
    driver.click_link("wait:0")
    wait_for(lambda: turn_of(driver).awaits is None)
    pause(round(SLOW * 3000))
    assert turn_of(driver).text == first.text
    assert not turn_of(driver).is_asked_again


def test_a_new_question_goes_before_it(driver: Driver, ollama: OllamaDouble) -> None:
    ollama.say(Script(FOUND, pace=SLOW))
    driver.context.library.resume()
    wait_for(lambda: turn_of(driver).is_asked_again and bool(ollama.chats))
    ollama.say("Where does tea grow?", "Tea is grown in the hills [1].")
    driver.ask("And where is tea grown?")
    driver.wait_for_answer()
    pause(round(SLOW * 2000))
    turns = driver.context.chat.transcript.turns
    assert len(turns) == 2
    assert turns[0].text != FOUND
    assert turns[0].awaits is None
    assert turns[1].question == "And where is tea grown?"


def test_it_waits_over_a_restart_of_the_window(
    driver: Driver, ollama: OllamaDouble, qapp: QApplication, tmp_path: Path
) -> None:
    chat_id = present(driver.context.chat.transcript.chat_id)
    driver.window.close()
    again = Driver(qapp, tmp_path / "data", ollama__host=ollama.url)
    try:
        again.open()
        again.context.renewal._quiet.setInterval(50)
        again.context.chat.open(chat_id)
        wait_for(lambda: again.turn is not None)
        assert turn_of(again).awaits is not None
        ollama.say(FOUND)
        again.context.library.resume()
        wait_for(lambda: turn_of(again).text == FOUND)
    finally:
        again.close()
