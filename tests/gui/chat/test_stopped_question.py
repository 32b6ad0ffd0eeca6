"""A question is stopped before anybody knows where it is kept, and the conversation stays one."""

from __future__ import annotations

import time

import pytest

from desktop_rag.gui.controllers.conversation_groups import conversations_of
from desktop_rag.gui.controllers.transcript import Answered, Stopped
from desktop_rag.retrieval.query import Query, SearchResult
from desktop_rag.retrieval.two_stage import TwoStageRetriever
from testing.window_driver import Driver, pause, wait_for


@pytest.fixture(autouse=True)
def searches_take_a_while(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let no question be answered before it is stopped: of no documents one is in 30 ms."""
    search = TwoStageRetriever.search

    def slow(self: TwoStageRetriever, query: Query) -> SearchResult:
        time.sleep(1.0)
        return search(self, query)

    monkeypatch.setattr(TwoStageRetriever, "search", slow)


@pytest.fixture
def driver(driver: Driver) -> Driver:
    """Have something to ask."""
    driver.add_a_file()
    return driver


def titles(driver: Driver) -> list[str]:
    return [each.title for each in conversations_of(driver.context.conversations.rows)]


def ask_and_stop(driver: Driver, question: str) -> None:
    driver.ask(question)
    assert driver.context.chat.transcript.chat_id is None
    driver.context.chat.stop()
    assert driver.turn is not None
    assert driver.turn.outcome == Stopped()


def test_the_next_question_goes_on_with_a_conversation_whose_first_was_stopped_at_once(
    driver: Driver,
) -> None:
    ask_and_stop(driver, "Why did fuel fall?")
    driver.ask("Who paid for the ferry?")
    driver.wait_for_answer()
    chat = driver.context.chat
    first, second = chat.transcript.turns
    assert isinstance(second.outcome, Answered)
    assert 0 < first.question_id < first.answer_id < second.question_id
    wait_for(lambda: titles(driver) == ["Why did fuel fall?"])
    number = chat.transcript.chat_id
    assert number is not None
    chat.new()
    chat.open(number)
    wait_for(lambda: chat.transcript.chat_id == number)
    assert [turn.question for turn in chat.transcript.turns] == [first.question, second.question]
    assert isinstance(chat.transcript.turns[0].outcome, Stopped)


def test_what_waits_for_the_stopped_question_can_be_stopped_too(driver: Driver) -> None:
    ask_and_stop(driver, "Why did fuel fall?")
    ask_and_stop(driver, "Who paid for the ferry?")
    wait_for(lambda: titles(driver) == ["Why did fuel fall?"])
    pause(200)
    assert not driver.context.chat.transcript.running
    assert driver.context.chat.transcript.chat_id is not None


def test_a_question_that_was_stopped_at_once_can_be_asked_again_and_has_two_versions(
    driver: Driver,
) -> None:
    ask_and_stop(driver, "Why did fuel fall?")
    driver.window.chat.composer.edit_question(0, "Why did it fall?")
    driver.ask("Why did it fall?")
    turn = driver.wait_for_answer()
    assert turn.question == "Why did it fall?"
    assert len(turn.versions) == 2
    wait_for(lambda: len(titles(driver)) == 1)


def test_a_question_that_was_stopped_and_left_is_kept_and_does_not_come_back(
    driver: Driver,
) -> None:
    ask_and_stop(driver, "Why did fuel fall?")
    driver.context.chat.new()
    driver.ask("Who paid for the ferry?")
    driver.wait_for_answer()
    assert [turn.question for turn in driver.context.chat.transcript.turns] == [
        "Who paid for the ferry?"
    ]
    wait_for(lambda: sorted(titles(driver)) == ["Who paid for the ferry?", "Why did fuel fall?"])


def test_what_is_typed_after_the_stop_belongs_to_its_conversation(driver: Driver) -> None:
    ask_and_stop(driver, "Why did fuel fall?")
    driver.window.chat.composer.edit.setPlainText("And why")
    chat = driver.context.chat
    wait_for(lambda: chat.transcript.chat_id is not None)
    number = chat.transcript.chat_id
    assert number is not None
    assert driver.window.chat.composer.edit.toPlainText() == "And why"
    chat.new()
    wait_for(lambda: not driver.window.chat.composer.edit.toPlainText())
    chat.open(number)
    wait_for(lambda: driver.window.chat.composer.edit.toPlainText() == "And why")
