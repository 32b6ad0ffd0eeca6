"""A conversation goes on asking what it asked, whichever knowledge base is shown beside it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtWidgets import QApplication

from desktop_rag.core.requests import KbRequest
from desktop_rag.core.types import ChatId
from desktop_rag.workspace import Workspace
from testing.window_driver import Driver, pause, wait_for


@pytest.fixture
def driver(qapp: QApplication, tmp_path: Path) -> Iterator[Driver]:
    made = Driver(qapp, tmp_path / "home")
    made.open()
    for name in ("Ferries", "Tea"):
        made.context.library.change_base(KbRequest("create", name))
        wait_for(lambda: made.context.library.snapshot.current == name and name in names(made))  # noqa: B023 - called at once
        made.add_a_file()
    show(made, "Ferries")
    yield made
    made.close()


def names(driver: Driver) -> list[str]:
    return [kb.name for kb in driver.context.library.snapshot.kbs]


def show(driver: Driver, name: str) -> None:
    """Switch the knowledge base in the side bar."""
    wait_for(lambda: has(driver, name))
    driver.context.library.switch(name)
    wait_for(
        lambda: (
            driver.context.library.snapshot.kbs and driver.context.library.snapshot.current == name
        )
    )
    pause(100)


def has(driver: Driver, name: str) -> bool:
    return name in names(driver)


def ticked(driver: Driver) -> tuple[str, ...]:
    return driver.window.chat.composer.chips.chosen()


def workspace(driver: Driver) -> Workspace:
    from desktop_rag.core.cancel import CancelToken

    return driver.context.folder.get(CancelToken())


def asked(driver: Driver, question: str) -> int:
    driver.ask(question)
    driver.wait_for_answer()
    number = driver.context.chat.transcript.chat_id
    assert number is not None
    return number


def test_before_the_first_question_the_knowledge_base_that_is_shown_is_asked(
    driver: Driver,
) -> None:
    assert ticked(driver) == ("Ferries",)
    show(driver, "Tea")
    assert ticked(driver) == ("Tea",)
    assert driver.window.chat.scope.isHidden()


def test_a_knowledge_base_that_was_just_made_is_asked(driver: Driver) -> None:
    """It is shown before it is among the names."""
    library, asked_at_once = driver.context.library, []
    library.snapshot_changed.connect(
        lambda snapshot: asked_at_once.append((snapshot.current, ticked(driver)))
    )
    library.change_base(KbRequest("create", "Maps"))
    wait_for(lambda: has(driver, "Maps"))
    pause(100)
    assert ticked(driver) == ("Maps",)
    assert {kbs for shown, kbs in asked_at_once if shown == "Maps"} == {("Maps",)}


def test_a_knowledge_base_that_was_just_made_leaves_a_conversation_as_it_is(
    driver: Driver,
) -> None:
    asked(driver, "What do the ferries burn?")
    driver.context.library.change_base(KbRequest("create", "Maps"))
    wait_for(lambda: has(driver, "Maps"))
    pause(100)
    assert ticked(driver) == ("Ferries",)
    assert driver.window.chat.scope.isVisible()
    driver.context.chat.new()
    assert ticked(driver) == ("Maps",)


def test_a_conversation_keeps_what_it_asks_and_says_so_beside_another_knowledge_base(
    driver: Driver,
) -> None:
    number = asked(driver, "What do the ferries burn?")
    show(driver, "Tea")
    scope = driver.window.chat.scope
    assert ticked(driver) == ("Ferries",)
    assert scope.isVisible()
    assert scope.text.startswith("This conversation asks “Ferries”. Tick “Tea”")
    asked(driver, "And who pays?")
    assert workspace(driver).catalog.chats.get(ChatId(number)).kbs == ("Ferries",)
    show(driver, "Ferries")
    assert scope.isHidden()


def test_what_is_said_leads_to_a_new_conversation_about_what_is_shown(driver: Driver) -> None:
    asked(driver, "What do the ferries burn?")
    show(driver, "Tea")
    driver.window.chat.scope.button.click()
    assert driver.context.chat.transcript.turns == ()
    assert ticked(driver) == ("Tea",)
    assert driver.window.chat.scope.isHidden()
    assert QApplication.focusWidget() is driver.window.chat.composer.edit


def test_ticking_the_other_one_ends_the_difference_and_is_kept_with_the_next_question(
    driver: Driver,
) -> None:
    number = asked(driver, "What do the ferries burn?")
    show(driver, "Tea")
    chips = driver.window.chat.composer.chips
    chips.chip("Tea").click()
    assert driver.window.chat.scope.isHidden()
    asked(driver, "And what do they drink?")
    assert workspace(driver).catalog.chats.get(ChatId(number)).kbs == ("Ferries", "Tea")


def test_a_conversation_that_is_opened_asks_what_it_asked_before(driver: Driver) -> None:
    number = asked(driver, "What do the ferries burn?")
    show(driver, "Tea")
    driver.context.chat.new()
    assert ticked(driver) == ("Tea",)
    driver.context.chat.open(number)
    wait_for(lambda: ticked(driver) == ("Ferries",))
    assert driver.window.chat.scope.isVisible()


def test_a_conversation_about_a_knowledge_base_that_is_gone_asks_what_is_shown(
    driver: Driver,
) -> None:
    number = asked(driver, "What do the ferries burn?")
    driver.context.chat.new()
    driver.context.library.change_base(KbRequest("delete", "Ferries"))
    wait_for(lambda: not has(driver, "Ferries"))
    driver.context.chat.open(number)
    wait_for(lambda: driver.context.chat.transcript.chat_id == number)
    assert ticked(driver) == (driver.context.library.snapshot.current,)
    assert driver.window.chat.scope.isHidden()


def test_a_renamed_knowledge_base_is_asked_by_its_new_name(driver: Driver) -> None:
    asked(driver, "What do the ferries burn?")
    driver.context.library.change_base(KbRequest("rename", "Ferries", new_name="Ships"))
    wait_for(lambda: has(driver, "Ships"))
    wait_for(lambda: ticked(driver) == ("Ships",))
    assert driver.window.chat.scope.isHidden()


def test_the_keyboard_goes_to_the_question_when_the_conversation_it_was_in_goes(
    driver: Driver,
) -> None:
    asked(driver, "What do the ferries burn?")
    driver.window.activateWindow()
    driver.window.chat.view.setFocus()
    driver.context.chat.new()
    assert QApplication.focusWidget() is driver.window.chat.composer.edit
