"""In the real window: another language in the middle of a conversation mixes nothing.

Each answer keeps its own paragraphs, and what is said around it is in the language spoken now.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from desktop_rag.gui.controllers.document_scope import SUMMARISE, DocumentScope, ScopeItem
from desktop_rag.gui.controllers.ingest_worker import DEFAULT_KB
from testing.narrowing import present
from testing.ollama_double import OllamaDouble, Script
from testing.window_driver import Driver, pause, wait_for

pytestmark = pytest.mark.timeout(180)

THINGS = {
    "harbour": "The harbour master of Vard is called Edda Vinter.",
    "valley": "The valley of Brunn was painted by Olaf Kvist.",
    "island": "The island of Skarv belongs to Signe Aas.",
    "kennel": "The dogs of the kennel in Tolne are fed by Marit Holm.",
}
QUESTIONS = {
    "harbour": "What is the harbour master of Vard called?",
    "valley": "Who painted the valley of Brunn?",
    "island": "To whom does the island of Skarv belong?",
    "kennel": "Who feeds the dogs of the kennel in Tolne?",
}
NOWHERE = "How many cars does the ferry Solveig carry?"
NOWHERE_ZH = "渡轮索尔维格能载多少辆汽车？"
_LATIN = re.compile(r"[A-Za-z]{2,}")
_HAN = re.compile(r"[\u4e00-\u9fff]")


@pytest.fixture
def docs(tmp_path: Path) -> Path:
    made = tmp_path / "docs"
    made.mkdir()
    for name, sentence in THINGS.items():
        (made / f"{name}.md").write_text(f"# {name}\n\n{sentence}\n", encoding="utf-8")
    return made


@pytest.fixture
def driver(qapp: QApplication, tmp_path: Path, docs: Path) -> Iterator[Driver]:
    """A window without a language model and without experts' tools, which has read the folder."""
    made = Driver(qapp, tmp_path / "data", window__expert_tools="false")
    made.open()
    made.drop(docs)
    made.wait_until_read(len(THINGS))
    yield made
    made.close()


def speak(driver: Driver, choice: str) -> None:
    """Choose another language, and wait until the window is made anew in it."""
    before = driver.window.panes
    driver.context.settings.change("window.language", choice)
    wait_for(lambda: driver.window.panes is not before)
    pause(80)


def shown(driver: Driver, number: int) -> str:
    """Return what stands in a turn's frame, as it is on screen."""
    view = driver.window.chat.view
    view.go_to(number)
    pause(40)
    writer = present(view.sheet.writer(number))
    cursor = writer.frame.firstCursorPosition()
    cursor.setPosition(writer.frame.lastPosition(), cursor.MoveMode.KeepAnchor)
    return cursor.selection().toPlainText()


def around(driver: Driver, number: int) -> str:
    """Return what is said around an answer: all but the question, the answer and names of files."""
    turn = driver.context.chat.transcript.turns[number]
    text = shown(driver, number).replace(turn.question, "")
    own = turn.text if not turn.refused else ""
    for line in re.split(r"\n|(?<=[.。])\s", own):
        words = re.sub(r"\[\d+\]|[*>#_`]", "", line).strip()
        text = text.replace(words, "") if words else text
    return re.sub(r"\b\w+\.md\b", "", text)


def has_only_its_own(text: str, name: str) -> bool:
    others = (each for each in THINGS if each != name)
    return THINGS[name] in text and not any(THINGS[other] in text for other in others)


def escape(driver: Driver) -> Callable[[], None]:
    return lambda: QTest.keyClick(driver.window, Qt.Key.Key_Escape)


def check(driver: Driver, order: list[str]) -> None:
    """Let each answer show its own paragraph, and be what a view made afresh would show."""
    for number, name in enumerate(order):
        assert has_only_its_own(shown(driver, number), name), (number, name)


def test_each_answer_keeps_its_own_paragraphs(driver: Driver) -> None:
    order: list[str] = []
    for name, choice in zip(THINGS, ("zh", "en", "zh", "en"), strict=True):
        driver.ask(QUESTIONS[name])
        driver.wait_for_answer()
        order.append(name)
        speak(driver, choice)
        check(driver, order)
    assert len(driver.context.chat.transcript.turns) == len(order)


def test_an_answer_that_is_being_written_stays_itself(
    qapp: QApplication, tmp_path: Path, docs: Path, ollama: OllamaDouble
) -> None:
    """While it is searched, in its first words, and behind whole paragraphs of it."""
    driver = Driver(qapp, tmp_path / "data", ollama__host=ollama.url, answering__condense="false")
    driver.open()
    driver.drop(docs)
    driver.wait_until_read(len(THINGS))
    order: list[str] = []
    moments = ((0, "zh"), (5, "en"), (400, "zh"))
    for name, (letters, choice) in zip(THINGS, moments, strict=False):
        paragraphs = (f"{THINGS[name]} [1]\n\nAbout {name}, no. {n}." for n in range(8))
        ollama.say(Script("\n\n".join(paragraphs), pace=0.004))
        driver.ask(QUESTIONS[name])
        wait_for(lambda: len(present(driver.turn).text) >= letters)  # noqa: B023
        assert present(driver.turn).running
        speak(driver, choice)
        order.append(name)
        turn = driver.wait_for_answer()
        assert turn.text.count("no. ") == 8
        written = shown(driver, len(order) - 1)
        assert [written.count(f"About {name}, no. {n}.") for n in range(8)] == [1] * 8
        check(driver, order)
    driver.close()


def test_what_is_said_around_answers_is_in_the_language_that_is_spoken(
    driver: Driver, docs: Path
) -> None:
    driver.context.library.pause_reading()
    (docs / "ferry.md").write_text("# Ferry\n\nIt is not read yet.\n", encoding="utf-8")
    driver.context.library.update_all()
    wait_for(lambda: len(driver.context.library.snapshot.files) == len(THINGS) + 1)
    asked = (QUESTIONS["harbour"], NOWHERE, NOWHERE_ZH)
    for question in asked:
        driver.ask(question)
        driver.wait_for_answer()
    for choice, foreign in (("zh", _LATIN), ("en", _HAN)):
        speak(driver, choice)
        for number in range(len(asked)):
            said = around(driver, number)
            assert foreign.findall(said) == [], said
            assert said.strip()


def test_what_is_done_with_documents_is_asked_in_the_language_that_is_spoken(
    driver: Driver, docs: Path
) -> None:
    scope = DocumentScope(SUMMARISE, (ScopeItem(str(docs / "valley.md"), DEFAULT_KB),))
    driver.window.chat.take_documents(scope)
    driver.wait_for_answer()
    assert shown(driver, 0).strip().startswith("Summarise: valley.md")
    speak(driver, "zh")
    assert shown(driver, 0).strip().startswith("概括：valley.md")
    assert THINGS["valley"] in shown(driver, 0)


def test_what_was_marked_goes_when_the_document_is_closed(driver: Driver) -> None:
    driver.ask(QUESTIONS["valley"])
    turn = driver.wait_for_answer()
    window = driver.window
    back = window.sources.viewer.bar.back.click
    for leave in (window.sources.close_document, escape(driver), back):
        driver.click_citation(turn.citations[0].n)
        wait_for(window.sources.viewer.text_view.extraSelections)
        wait_for(window.chat.view.extraSelections)
        leave()
        pause(40)
        assert not window.sources.is_reading
        assert window.chat.view.extraSelections() == []
        assert window.sources.viewer.text_view.extraSelections() == []
        assert window.sources.model.pointed_rows() == []
