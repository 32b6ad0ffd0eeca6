"""A question that one knowledge base does not answer is asked of another, or chooses its own."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtWidgets import QApplication

from desktop_rag.core.cancel import CancelToken
from desktop_rag.core.requests import IndexRequest
from desktop_rag.gui.chat.kb_chips import KbChips
from desktop_rag.gui.chat.transcript_links import ELSEWHERE, PREPARE, TurnAction
from desktop_rag.gui.theme import Theme
from testing.window_driver import Driver, wait_for

RENT = "The tenant pays the rent of 940 euros by the third working day of each month."
WHALES = "The blue whale is the largest animal that has ever lived. It feeds on krill."
ON_RENT = "By which working day of the month does the tenant pay the rent?"


@pytest.fixture
def driver(qapp: QApplication, tmp_path: Path) -> Iterator[Driver]:
    from desktop_rag.commands.dispatch import perform

    made = Driver(qapp, tmp_path / "home")
    made.open()
    workspace = made.context.folder.get(CancelToken())
    for kb, text in (("Animals", WHALES), ("Contracts", RENT)):
        file = tmp_path / f"{kb}.txt"
        file.write_text(text, "utf-8")
        list(perform(workspace, IndexRequest(kb, (str(file),)), CancelToken()))
    made.context.library.refresh()
    wait_for(lambda: len(made.context.library.snapshot.kbs) >= 2)
    show(made, "Animals")
    yield made
    made.close()


def show(driver: Driver, name: str) -> None:
    library = driver.context.library
    wait_for(lambda: name in [kb.name for kb in library.snapshot.kbs])
    library.switch(name)
    wait_for(lambda: library.snapshot.current == name and chips(driver).chosen() == (name,))


def chips(driver: Driver) -> KbChips:
    return driver.window.chat.composer.chips


def test_a_refusal_leads_to_the_base_that_knows(driver: Driver) -> None:
    driver.ask(ON_RENT)
    driver.wait_for_answer()
    chat = driver.context.chat
    first = chat.transcript
    assert first.turns[0].refused
    assert first.turns[0].elsewhere == "Contracts"
    shown = driver.window.chat.view.document().toPlainText()
    assert "The knowledge base “Contracts” may know." in shown
    assert "Ask there" in shown
    driver.window.chat.view.wished.emit(TurnAction(ELSEWHERE, 0))
    driver.wait_for_answer()
    assert chat.transcript.chat_id != first.chat_id
    assert chat.transcript.kbs == ("Contracts",)
    assert chat.transcript.turns[0].question == ON_RENT
    assert "third working day" in chat.transcript.turns[0].text
    assert chips(driver).chosen() == ("Contracts",)
    assert "may know" not in driver.window.chat.view.document().toPlainText()
    chat.open(first.chat_id or 0)
    wait_for(lambda: chat.transcript.chat_id == first.chat_id)
    assert chat.transcript.turns[0].elsewhere == "Contracts", "it is kept with the answer"


def test_a_question_chooses_and_its_conversation_goes_on_there(driver: Driver) -> None:
    chips(driver).by_question.click()
    assert chips(driver).chooses
    assert chips(driver).chosen() == ()
    driver.ask(ON_RENT)
    driver.wait_for_answer()
    transcript = driver.context.chat.transcript
    assert transcript.kbs == ("Contracts",)
    assert "third working day" in transcript.turns[0].text
    assert chips(driver).chosen() == ("Contracts",)
    assert not chips(driver).chooses
    driver.context.chat.new()
    wait_for(lambda: chips(driver).chooses)
    chips(driver).chip("Animals").click()
    assert chips(driver).chosen() == ("Animals",)
    driver.context.chat.new()
    assert not chips(driver).chooses


def test_one_base_leaves_nothing_to_choose(qapp: QApplication) -> None:
    made = KbChips(Theme(qapp), offers_choice=True)
    made.resize(600, 30)
    made.offer(("A",), "A")
    assert made.by_question.isHidden()
    made.choose_by_question()
    assert not made.chooses
    made.offer(("A", "B"), "A")
    assert not made.by_question.isHidden()
    made.by_question.click()
    assert made.chooses
    made.by_question.click()
    assert made.chosen() == ("A",)


def test_the_menu_of_a_narrow_window_offers_it_too(qapp: QApplication) -> None:
    made = KbChips(Theme(qapp), offers_choice=True)
    made.offer(("A long name of a base", "Another long name"), "Another long name")
    made.resize(60, 30)
    menu = made.more.menu()
    menu.aboutToShow.emit()
    menu.actions()[-1].trigger()
    assert made.chooses
    assert made.more.text() == "By question ▾"
    menu.aboutToShow.emit()
    menu.actions()[0].trigger()
    assert made.chosen() == ("A long name of a base",)


def test_what_is_compared_is_asked_of_bases_that_are_named(qapp: QApplication) -> None:
    made = KbChips(Theme(qapp))
    made.offer(("A", "B"), "A")
    assert made.by_question.isHidden()
    made.choose_by_question()
    assert made.chosen() == ("A",)


def test_an_unprepared_way_leads_from_its_answer_to_the_preparations(driver: Driver) -> None:
    from desktop_rag.gui.library.preparation_dialog import PreparationDialog

    driver.context.chat.ask(ON_RENT, ("Contracts",), "propositions")
    driver.wait_for_answer()
    shown = driver.window.chat.view.document().toPlainText()
    assert "Nothing is prepared for “Propositions” yet" in shown
    assert "Prepare…" in shown
    driver.window.chat.view.wished.emit(TurnAction(PREPARE, 0))
    wait_for(lambda: driver.window.findChildren(PreparationDialog))
    dialog = driver.window.findChildren(PreparationDialog)[-1]
    assert "Contracts" in dialog.windowTitle(), "the one that was asked, not the one that is shown"
    dialog.close()
