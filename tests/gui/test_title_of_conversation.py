"""In the real window: a conversation is called by its first question that was answered."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from desktop_rag.gui.controllers.conversation_groups import conversations_of
from testing.narrowing import present
from testing.ollama_double import OllamaDouble, Script
from testing.window_driver import Driver, wait_for

pytestmark = pytest.mark.timeout(180)

TEA = "Where is tea grown?"
GROWN = "Tea is grown in the hills of Nuwara."
NOWHERE = "How many cars does the ferry Solveig carry?"


@pytest.fixture
def docs(tmp_path: Path) -> Path:
    made = tmp_path / "docs"
    made.mkdir()
    (made / "tea.md").write_text(f"# Tea\n\n{GROWN}\n", encoding="utf-8")
    return made


@pytest.fixture
def reading(driver: Driver, docs: Path) -> Driver:
    """The window with the folder read."""
    driver.drop(docs)
    driver.wait_until_read(1)
    return driver


def titles(driver: Driver) -> list[str]:
    """Return what the conversations are called in the list."""
    return [each.title for each in conversations_of(driver.context.conversations.rows)]


def wait_for_title(driver: Driver, title: str) -> None:
    wait_for(lambda: titles(driver) == [title], seconds=10)
    wait_for(lambda: driver.window.chat._title.accessibleName() == title, seconds=10)
    assert driver.context.chat.transcript.title == title


def test_a_refused_question_gives_its_name_to_the_one_that_is_answered(reading: Driver) -> None:
    reading.ask(NOWHERE)
    assert reading.wait_for_answer().refused
    wait_for_title(reading, NOWHERE)  # there is nothing better yet
    reading.ask(TEA)
    assert GROWN in reading.wait_for_answer().text
    wait_for_title(reading, TEA)
    reading.ask("What is grown in the hills of Nuwara?")
    reading.wait_for_answer()
    wait_for_title(reading, TEA)


def test_an_aborted_question_does_too(
    qapp: QApplication, tmp_path: Path, docs: Path, ollama: OllamaDouble
) -> None:
    driver = Driver(qapp, tmp_path / "data", ollama__host=ollama.url)
    driver.open()
    driver.drop(docs)
    driver.wait_until_read(1)
    ollama.say(Script(f"{GROWN} [1]. " * 20, pace=0.05))
    driver.ask("Tell me all of the hills of Nuwara")
    wait_for(lambda: len(present(driver.turn).text) > 20)
    QTest.keyClick(driver.window, Qt.Key.Key_Escape)
    wait_for(lambda: not present(driver.turn).running)
    wait_for_title(driver, "Tell me all of the hills of Nuwara")
    ollama.say(TEA, f"{GROWN[:-1]} [1].")
    driver.ask(TEA)
    driver.wait_for_answer()
    wait_for_title(driver, TEA)
    driver.close()


def test_a_greeting_is_no_question_that_names_it(reading: Driver) -> None:
    reading.ask("Hello")
    reading.wait_for_answer()
    wait_for_title(reading, "Hello")
    reading.ask(TEA)
    reading.wait_for_answer()
    wait_for_title(reading, TEA)


def test_what_its_user_called_it_stays(reading: Driver) -> None:
    reading.ask(NOWHERE)
    reading.wait_for_answer()
    chat_id = present(reading.context.chat.transcript.chat_id)
    reading.context.conversations.rename(chat_id, "Of ships and tea")
    wait_for_title(reading, "Of ships and tea")
    reading.ask(TEA)
    assert GROWN in reading.wait_for_answer().text
    wait_for(lambda: len(reading.context.chat.transcript.turns) == 2)
    wait_for_title(reading, "Of ships and tea")


def test_one_that_is_answered_by_itself_when_files_are_read_gives_its_name(
    driver: Driver, docs: Path
) -> None:
    driver.context.renewal._quiet.setInterval(50)
    driver.context.library.pause_reading()
    driver.drop(docs)
    wait_for(lambda: driver.context.library.snapshot.files)
    for question in (NOWHERE, TEA):
        driver.ask(question)
        assert driver.wait_for_answer().refused
    wait_for_title(driver, NOWHERE)
    driver.context.library.resume()
    wait_for(lambda: GROWN in present(driver.turn).text)
    wait_for_title(driver, TEA)
