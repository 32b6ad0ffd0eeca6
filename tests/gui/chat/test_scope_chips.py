"""What a question is asked of, as chips above it, in a real window."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QMenu

from desktop_rag.core.requests import KbRequest, RemoveRequest
from desktop_rag.gui.chat.scope_row import ScopeRow
from desktop_rag.gui.controllers.document_scope import (
    EACH,
    ONLY,
    DocumentScope,
    ScopeItem,
    ScopeKind,
    decode_scope,
    encode_scope,
    folder_item,
)
from desktop_rag.gui.controllers.ingest_worker import DEFAULT_KB
from testing.narrowing import present
from testing.sample_folder import copied
from testing.window_driver import Driver, pause, wait_for
from tests.gui.menu_clicks import pick_for_row

FUEL = "Why did fuel costs fall in 2024?"


@pytest.fixture
def driver(qapp: QApplication, tmp_path: Path, read_samples: Path) -> Iterator[Driver]:
    yield from opened(qapp, copied(read_samples, tmp_path / "home"))


def opened(app: QApplication, home: Path) -> Iterator[Driver]:
    made = Driver(app, home, window__expert_tools="false")
    made.open()
    made.wait_until_read(7)
    yield made
    made.close()


def row(driver: Driver) -> ScopeRow:
    return driver.window.chat.composer.scope


def shown(driver: Driver) -> list[str]:
    return [chip.words.text() for chip in row(driver).chips if chip.isVisible()]


def item(driver: Driver, name: str) -> ScopeItem:
    rows = driver.context.library.snapshot.files
    path = next(each.path for each in rows if each.path.endswith(name))
    return ScopeItem(path, driver.context.library.snapshot.current)


def ask_of(driver: Driver, *names: str) -> None:
    items = tuple(item(driver, name) for name in names)
    driver.window.chat.composer.ask_documents(DocumentScope(ONLY, items))


def found_in(driver: Driver) -> set[str]:
    return {Path(each.path).name for each in driver.wait_for_answer().retrieved}


def test_nothing_chosen_takes_no_room(driver: Driver) -> None:
    composer = driver.window.chat.composer
    pause(50)
    before = composer.height()
    assert row(driver).isHidden()
    ask_of(driver, "notes.md")
    wait_for(lambda: composer.height() > before)
    QTest.mouseClick(row(driver).chips[0].cross, Qt.MouseButton.LeftButton)
    wait_for(lambda: composer.height() == before)
    assert row(driver).scope is None
    assert composer.chips.isVisible()


def test_several_files_are_asked_and_no_other(driver: Driver) -> None:
    ask_of(driver, "notes.md", "delayed.eml")
    pause(30)
    assert shown(driver) == ["Meeting notes.md", "Delivery delayed.eml"]
    assert not driver.window.chat.composer.chips.isVisible(), "the chips above say what is asked"
    driver.ask(FUEL)
    assert found_in(driver) == {"Meeting notes.md", "Delivery delayed.eml"}
    assert shown(driver) == ["Meeting notes.md", "Delivery delayed.eml"], "the next goes there, too"
    row(driver).chips[0].cross.click()
    row(driver).chips[0].cross.click()
    driver.ask(FUEL)
    assert len(found_in(driver)) > 2


def test_a_chip_says_what_it_is(driver: Driver) -> None:
    (one,) = [item(driver, "notes.md")]
    scope = (one, folder_item(str(Path(one.path).parent), one.kb), ScopeItem("", one.kb))
    driver.window.chat.composer.ask_documents(DocumentScope(ONLY, scope))
    chips = row(driver).chips
    assert [each.accessibleName().split(" “")[0] for each in chips] == [
        "File",
        "Folder",
        "Knowledge base",
    ]
    assert one.path in chips[0].toolTip()
    assert chips[2].words.text() == "My documents"
    assert chips[0].cross.accessibleName() == "Do not ask this: File “Meeting notes.md”"


def test_a_whole_knowledge_base_is_asked_beside_a_file_of_another_one(driver: Driver) -> None:
    one = item(driver, "notes.md")
    library = driver.context.library
    library.change_base(KbRequest("create", "Letters"))
    wait_for(lambda: any(kb.name == "Letters" for kb in library.snapshot.kbs))
    wait_for(lambda: library.snapshot.current == "Letters")
    driver.drop(Path(one.path).parent / "Delivery delayed.eml")
    driver.wait_until_read(1)
    scope = DocumentScope(ONLY, (one, ScopeItem("", "Letters")))
    driver.window.chat.composer.ask_documents(scope)
    driver.ask(FUEL)
    assert found_in(driver) == {"Meeting notes.md", "Delivery delayed.eml"}
    assert set(driver.context.chat.transcript.kbs) == {DEFAULT_KB, "Letters"}


def test_each_conversation_has_its_own_chips_also_after_a_restart(
    qapp: QApplication, driver: Driver, tmp_path: Path
) -> None:
    ask_of(driver, "notes.md")
    driver.ask(FUEL)
    driver.wait_for_answer()
    first = present(driver.context.chat.transcript.chat_id)
    driver.window._new_chat()
    pause(30)
    assert shown(driver) == []
    ask_of(driver, "delayed.eml")
    driver.context.chat.open(first)
    wait_for(lambda: shown(driver) == ["Meeting notes.md"])
    driver.window.centre.show_home()
    pause(30)
    assert shown(driver) == ["Delivery delayed.eml"], "what is asked next begins a conversation"
    driver.window.centre.show_chat()
    pause(30)
    assert shown(driver) == ["Meeting notes.md"]
    driver.window.close()
    again = Driver(qapp, tmp_path / "home")
    again.open()
    wait_for(lambda: shown(again) == ["Delivery delayed.eml"])
    again.context.chat.open(first)
    wait_for(lambda: shown(again) == ["Meeting notes.md"])
    again.close()


def test_what_is_gone_says_so_and_the_question_is_not_asked_of_everything(driver: Driver) -> None:
    ask_of(driver, "notes.md")
    gone = item(driver, "notes.md").path
    driver.context.library.commands.carry_out(RemoveRequest(DEFAULT_KB, (gone,)))
    wait_for(lambda: shown(driver) == ["Meeting notes.md (not there any more)"])
    assert "not in the library any more" in row(driver).chips[0].toolTip()
    driver.ask(FUEL)
    pause(50)
    assert driver.turn is None
    assert driver.window.chat.complaint.text.startswith("What this question is asked of is not in")
    assert driver.window.chat.composer.edit.toPlainText() == FUEL
    row(driver).chips[0].cross.click()
    QTest.keyClick(driver.window.chat.composer.edit, Qt.Key.Key_Return)
    assert found_in(driver)


def test_what_does_not_fit_in_two_rows_is_in_a_menu(driver: Driver) -> None:
    many = tuple(ScopeItem(f"/nowhere/很长的名字 number {n}.pdf", "away") for n in range(40))
    driver.window.resize(900, 600)
    driver.window.chat.composer.ask_documents(DocumentScope(ONLY, many))
    pause(50)
    inside = row(driver).rect()
    visible = [chip for chip in row(driver).chips if chip.isVisible()]
    assert len({chip.y() for chip in visible}) == 2
    assert all(inside.contains(chip.geometry()) for chip in visible)
    assert row(driver).more.text() == f"+{40 - len(visible)}"
    assert inside.contains(row(driver).more.geometry())
    menu = row(driver).more.menu()
    menu.aboutToShow.emit()
    named = [each for each in menu.actions() if isinstance(each.data(), ScopeItem)]
    assert len(named) == 40 - len(visible)
    named[-1].trigger()
    assert len(present(row(driver).scope).items) == 39
    menu.aboutToShow.emit()
    menu.actions()[-1].trigger()
    assert row(driver).scope is None


def test_chips_are_reached_and_taken_away_with_the_keyboard(driver: Driver) -> None:
    ask_of(driver, "notes.md", "delayed.eml")
    edit = driver.window.chat.composer.edit
    wait_for(edit.hasFocus)
    QTest.keyClick(edit, Qt.Key.Key_Tab)
    assert row(driver).chips[0].cross.hasFocus()
    QTest.keyClick(row(driver).chips[0].cross, Qt.Key.Key_Space)
    assert shown(driver) == ["Delivery delayed.eml"]


def test_a_scope_is_read_as_it_was_written() -> None:
    scope = DocumentScope(ONLY, (ScopeItem("/a/b|c [1].md", "x"), ScopeItem("", "知识库")))
    assert decode_scope(encode_scope(scope)) == scope
    for broken in ("", "{}", "[1]", "[[1]]", "no", '[["",""]]', "null"):
        assert decode_scope(broken) is None


def test_a_renamed_knowledge_base_is_asked_under_its_new_name(driver: Driver) -> None:
    ask_of(driver, "notes.md")
    driver.ask(FUEL)
    driver.wait_for_answer()
    number = present(driver.context.chat.transcript.chat_id)
    driver.window._new_chat()
    pause(50)
    driver.context.library.change_base(KbRequest("rename", DEFAULT_KB, new_name="Work"))
    wait_for(lambda: driver.context.library.snapshot.current == "Work")
    driver.context.chat.open(number)
    wait_for(lambda: row(driver).scope is not None)
    assert present(row(driver).scope).kbs == ("Work",)
    assert shown(driver) == ["Meeting notes.md"]


def test_what_is_chosen_in_the_table_is_asked_from_its_menu(driver: Driver) -> None:
    files = driver.window.centre.files
    driver.window.centre.show_files()
    wait_for(lambda: files.model.rowCount() == 7)
    pause(50)
    pick_for_row(files.view, 0, "Ask about this file")
    assert len(shown(driver)) == 1
    driver.window.centre.show_files()
    files.view.selectAll()
    menu = files.actions_of_files.popup(QPoint(200, 200))
    wait_for(menu.isVisible)
    (action,) = [each for each in menu.actions() if each.text() == "Ask about these"]
    action.trigger()
    menu.close()
    assert len(present(row(driver).scope).items) == 7, "it takes the place of what was asked"


def test_a_folder_is_asked_from_the_menu_of_the_tree(driver: Driver) -> None:
    pane = driver.window.side.library
    driver.window.centre.show_files()
    pane.tree.setCurrentIndex(pane.tree.model().index(0, 0))
    pane.file_actions.refresh()
    assert pane.file_actions.only.text() == "Ask about this folder"
    pane.file_actions.only.trigger()
    (chosen,) = present(row(driver).scope).items
    assert chosen.kind is ScopeKind.FOLDER
    driver.ask(FUEL)
    assert len(found_in(driver)) > 1


def test_the_document_of_a_source_is_asked_from_its_menu(driver: Driver) -> None:
    driver.ask(FUEL)
    first = driver.wait_for_answer().retrieved[0]
    sources = driver.window.sources
    driver.window._show_all_sources(0)
    wait_for(sources.list.isVisible)
    index = sources.list.model().index(0, 0)
    sources._offer(sources.list.visualRect(index).center())
    (menu,) = sources.list.findChildren(QMenu)
    (action,) = [each for each in menu.actions() if each.text() == "Ask about this file"]
    action.trigger()
    menu.close()
    assert present(row(driver).scope).items == (ScopeItem(first.path, DEFAULT_KB),)


def test_no_way_to_answer_looks_into_other_knowledge_bases(driver: Driver) -> None:
    chat = driver.window.chat
    assert not chat._options_of(chat.composer.asked(FUEL)).only_these
    ask_of(driver, "notes.md")
    assert chat._options_of(chat.composer.asked(FUEL)).only_these


def test_an_offered_question_is_asked_of_everything_and_no_chip_says_otherwise(
    driver: Driver,
) -> None:
    ask_of(driver, "notes.md")
    driver.window.chat.ask_offered(FUEL)
    assert "Annual report 2024.pdf" in found_in(driver)
    assert row(driver).scope is None
    assert driver.context.chat.scope(is_new=False) is None


def test_documents_of_one_question_give_way_to_what_the_conversation_asks(driver: Driver) -> None:
    chips = row(driver)
    ask_of(driver, "notes.md")
    kept = chips.scope
    driver.ask(FUEL)
    driver.wait_for_answer()
    each = DocumentScope(EACH, (item(driver, "report 2024.pdf"), item(driver, "agreement.docx")))
    driver.window.chat.composer.ask_documents(each)
    chips.change(None)
    assert chips.scope == kept
    assert driver.context.chat.scope(is_new=False) == kept


def test_a_name_that_is_no_unicode_is_kept() -> None:
    scope = DocumentScope(ONLY, (ScopeItem("/docs/\udcb2\udce2.pdf", "default"),))
    kept = encode_scope(scope)
    assert kept.isascii()
    assert decode_scope(kept) == scope
