"""A question is changed, an answer is made again, and nothing is lost: in the real window."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from desktop_rag.gui.controllers.transcript import Stopped
from testing.narrowing import present
from testing.ollama_double.script import Script
from testing.ollama_double.server import OllamaDouble
from testing.window_driver import Driver, pause, wait_for

TEXT = """# Ferries

Fuel for the ferries cost 41 million in 2024. Crews were trained to sail slower.

The ferry Ingrid was refitted in March. The ferry Solveig runs on shore power in port.
"""


@pytest.fixture
def ollama() -> Iterator[OllamaDouble]:
    with OllamaDouble() as double:
        yield double


@pytest.fixture
def driver(qapp: QApplication, tmp_path: Path, ollama: OllamaDouble) -> Iterator[Driver]:
    made = Driver(qapp, tmp_path / "home", ollama__host=ollama.url)
    made.open()
    made.window.resize(1100, 760)
    (tmp_path / "ferries.md").write_text(TEXT, encoding="utf-8")
    made.drop(tmp_path / "ferries.md")
    made.wait_until_read(1)
    yield made
    made.close()


def asked(driver: Driver, ollama: OllamaDouble, question: str, answer: str) -> None:
    if driver.context.chat.transcript.turns:
        ollama.say(question)  # what the follow-up is taken to mean
    ollama.say(answer)
    driver.ask(question)
    driver.wait_for_answer()


def click(driver: Driver, address: str) -> None:
    """Click on a link of the conversation, wherever it is in sight."""
    view = driver.window.chat.view
    pause(100)
    for y in range(0, view.viewport().height(), 3):
        for x in range(0, view.viewport().width(), 3):
            if view.anchorAt(QPoint(x, y)) == address:
                at = QPoint(x + 2, y + 2)
                QTest.mouseClick(view.viewport(), Qt.MouseButton.LeftButton, pos=at)
                return
    raise AssertionError(f"no link {address} in {view.toPlainText()}")


def shown(driver: Driver) -> list[tuple[str, str]]:
    return [(turn.question, turn.text) for turn in driver.context.chat.transcript.turns]


def texts(driver: Driver) -> list[str]:
    return [text.split(".")[0] for _question, text in shown(driver)]


def test_a_question_is_changed_and_both_versions_stay(driver: Driver, ollama: OllamaDouble) -> None:
    asked(driver, ollama, "What did fuel cost?", "It cost 41 million [1].")
    asked(driver, ollama, "And the Ingrid?", "She was refitted in March [1].")
    click(driver, "edit:0")
    composer = driver.window.chat.composer
    assert composer.is_editing
    assert composer.editing.isVisible()
    assert composer.edit.toPlainText() == "What did fuel cost?"
    ollama.say("Crews sailed slower [1].")
    driver.ask("Why did fuel cost less?")
    driver.wait_for_answer()
    assert not composer.is_editing
    assert [question for question, _ in shown(driver)] == ["Why did fuel cost less?"]
    assert "2 / 2" in driver.window.chat.view.toPlainText()
    first = driver.context.chat.transcript.turns[0].versions[0]
    click(driver, f"version:{first}")
    wait_for(lambda: len(shown(driver)) == 2)
    assert texts(driver)[1].startswith("She was refitted")
    assert "1 / 2" in driver.window.chat.view.toPlainText()
    again = driver.context.chat.transcript.turns[0].versions[1]
    click(driver, f"version:{again}")
    wait_for(lambda: texts(driver) == ["Crews sailed slower [1]"])


def test_a_question_in_the_middle_is_asked_after_what_was_said_before_it(
    driver: Driver, ollama: OllamaDouble
) -> None:
    asked(driver, ollama, "What did fuel cost?", "It cost 41 million [1].")
    asked(driver, ollama, "And the Ingrid?", "She was refitted in March [1].")
    asked(driver, ollama, "And the Solveig?", "She runs on shore power [1].")
    click(driver, "edit:1")
    ollama.say("Were crews trained to sail slower?")
    ollama.say("Crews were trained [1].")
    driver.ask("And the crews?")
    driver.wait_for_answer()
    assert [question for question, _ in shown(driver)] == ["What did fuel cost?", "And the crews?"]
    said = [
        m for each in ollama.requests if each.path == "/api/chat" for m in each.body["messages"]
    ]
    assert not any("And the crews?" in m["content"] and "Solveig" in m["content"] for m in said)
    chat_id = present(driver.context.chat.transcript.chat_id)
    driver.context.chat.new()
    driver.context.chat.open(chat_id)
    wait_for(lambda: len(shown(driver)) == 2)
    assert shown(driver)[1][0] == "And the crews?"


def test_an_answer_is_made_again_and_the_one_before_stays(
    driver: Driver, ollama: OllamaDouble
) -> None:
    asked(driver, ollama, "What did fuel cost?", "It cost 41 million [1].")
    ollama.say("Fuel cost 41 million in 2024 [1].")
    click(driver, "retry:0")
    wait_for(lambda: driver.turn is not None and driver.turn.running)
    driver.wait_for_answer()
    (turn,) = driver.context.chat.transcript.turns
    assert turn.question == "What did fuel cost?"
    assert turn.text.startswith("Fuel cost 41 million in 2024")
    assert len(turn.versions) == 2
    click(driver, f"version:{turn.versions[0]}")
    wait_for(lambda: texts(driver) == ["It cost 41 million [1]"])


def test_a_stopped_answer_can_be_made_again(driver: Driver, ollama: OllamaDouble) -> None:
    ollama.say(Script("It cost 41 million, and that was far less than the year before.", pace=0.3))
    driver.ask("What did fuel cost?")
    wait_for(lambda: driver.turn is not None and driver.turn.text)
    driver.context.chat.stop()
    assert driver.turn is not None
    assert driver.turn.outcome == Stopped()
    ollama.say("It cost 41 million [1].")
    click(driver, "retry:0")
    turn = driver.wait_for_answer()
    wait_for(
        lambda: driver.turn is not None and driver.turn.text.startswith("It cost 41 million [")
    )
    assert len(turn.versions) == 2


def test_what_a_follow_up_is_taken_to_mean_is_shown_and_can_be_refused(
    driver: Driver, ollama: OllamaDouble
) -> None:
    asked(driver, ollama, "What did fuel cost?", "It cost 41 million [1].")
    ollama.say("What did crews cost in 2024?")
    ollama.say("Crews were trained [1].")
    driver.ask("And crews?")
    driver.wait_for_answer()
    assert "Searched as: “What did crews cost in 2024?”" in driver.window.chat.view.toPlainText()
    ollama.say("Crews were trained to sail slower [1].")
    click(driver, "written:1")
    wait_for(lambda: driver.turn is not None and driver.turn.running)
    turn = driver.wait_for_answer()
    assert turn.question == "And crews?"
    assert turn.condensed == ""
    assert turn.text.startswith("Crews were trained to sail slower")
    assert len(turn.versions) == 2
    assert "Searched as" not in driver.window.chat.view.toPlainText()


def test_escape_leaves_the_editing_and_brings_back_what_was_typed(
    driver: Driver, ollama: OllamaDouble
) -> None:
    asked(driver, ollama, "What did fuel cost?", "It cost 41 million [1].")
    composer = driver.window.chat.composer
    QTest.keyClicks(composer.edit, "Half a ques")
    click(driver, "edit:0")
    assert composer.edit.toPlainText() == "What did fuel cost?"
    QTest.keyClick(composer.edit, Qt.Key.Key_Escape)
    pause(50)
    assert not composer.is_editing
    assert composer.edit.toPlainText() == "Half a ques"


def test_the_up_arrow_in_an_empty_field_takes_the_last_question_back(
    driver: Driver, ollama: OllamaDouble
) -> None:
    asked(driver, ollama, "What did fuel cost?", "It cost 41 million [1].")
    edit = driver.window.chat.composer.edit
    QTest.keyClick(edit, Qt.Key.Key_Up)
    assert driver.window.chat.composer.is_editing
    assert edit.toPlainText() == "What did fuel cost?"


def test_another_conversation_ends_the_editing(driver: Driver, ollama: OllamaDouble) -> None:
    asked(driver, ollama, "What did fuel cost?", "It cost 41 million [1].")
    click(driver, "edit:0")
    driver.context.chat.new()
    assert not driver.window.chat.composer.is_editing
    assert driver.window.chat.composer.edit.toPlainText() == ""


def test_the_steps_of_an_answer_are_there_again_when_its_conversation_is_opened(
    driver: Driver, ollama: OllamaDouble
) -> None:
    asked(driver, ollama, "What did fuel cost?", "It cost 41 million [1].")
    view = driver.window.chat.view
    view.toggle_steps(0)
    before = view.toPlainText()
    chat_id = present(driver.context.chat.transcript.chat_id)
    driver.context.chat.new()
    driver.context.chat.open(chat_id)
    wait_for(lambda: shown(driver))
    view.toggle_steps(0)
    assert view.toPlainText() == before


def test_a_question_follows_what_is_shown_also_while_another_version_is_on_its_way(
    driver: Driver, ollama: OllamaDouble
) -> None:
    asked(driver, ollama, "What did fuel cost?", "It cost 41 million [1].")
    asked(driver, ollama, "And the Ingrid?", "She was refitted in March [1].")
    click(driver, "retry:1")
    wait_for(lambda: driver.context.chat.transcript.running)
    driver.wait_for_answer()
    chat = driver.context.chat
    seen = chat.transcript.turns[-1]
    other = next(each for each in seen.versions if each != seen.question_id)
    chat.branch(other)
    chat.ask("And the Solveig?", ("default",), "single_pass")  # before the other one has come
    driver.wait_for_answer()
    chat.open_at(present(chat.transcript.chat_id), chat.transcript.turns[-1].question_id)
    pause(300)
    assert [turn.question_id for turn in chat.transcript.turns][1] == seen.question_id
