"""Answers that come again, and answers that are kept: in the real window."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtWidgets import QApplication

from desktop_rag.core.events import NoticeCode
from desktop_rag.core.phrases import has_code
from desktop_rag.gui.controllers.transcript import Turn
from testing.narrowing import present
from testing.window_driver import Driver, pause, wait_for

QUESTION = "How many cars does the ferry Solveig carry?"
NEAR = "How many cars can be carried by the ferry Solveig?"


@pytest.fixture
def driver(qapp: QApplication, tmp_path: Path) -> Iterator[Driver]:
    made = Driver(qapp, tmp_path / "home")
    made.open()
    made.window.resize(1100, 760)
    path = tmp_path / "ferry.md"
    path.write_text("# Ferry\n\nThe ferry Solveig carries forty cars across the fjord.\n")
    made.drop(path)
    made.wait_until_read(1)
    yield made
    made.close()


def asked(driver: Driver, question: str) -> Turn:
    driver.context.chat.new()
    driver.ask(question)
    driver.wait_for_answer()
    return present(driver.turn)


def is_earlier(turn: Turn) -> bool:
    return any(has_code(each, NoticeCode.ANSWERED_BEFORE) for each in turn.notices)


def text(driver: Driver) -> str:
    pause(200)
    return driver.window.chat.view.toPlainText()


def test_an_answer_that_comes_again_says_so_and_is_asked_anew_by_a_click(driver: Driver) -> None:
    first = asked(driver, QUESTION)
    again = asked(driver, QUESTION.lower())
    assert (again.text, is_earlier(first), is_earlier(again)) == (first.text, False, True)
    assert "Answered before, on 20" in text(driver)
    assert "Ask anew" in text(driver)
    driver.click_link("retry:0")
    driver.wait_for_answer()
    assert not is_earlier(present(driver.turn))
    assert len(present(driver.turn).versions) == 2


def test_a_kept_answer_is_told_of_and_opened_by_a_click(driver: Driver) -> None:
    chat = driver.context.chat
    asked(driver, QUESTION)
    first = chat.transcript.chat_id
    assert "Keep this answer" in text(driver)
    driver.click_link("keep:0")
    wait_for(lambda: chat.transcript.turns[0].is_kept)
    assert "Keep no longer" in text(driver)
    assert [each.question for each in asked(driver, NEAR).earlier] == [QUESTION]
    assert f"“{QUESTION}”" in text(driver)
    driver.click_link("earlier:0.0")
    wait_for(lambda: chat.transcript.chat_id == first)
    assert chat.transcript.turns[0].is_kept
    driver.click_link("keep:0")
    wait_for(lambda: not chat.transcript.turns[0].is_kept)
