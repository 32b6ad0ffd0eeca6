"""`@` in the question names files, folders and knowledge bases, in a real window."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtCore import QObject, Qt
from PySide6.QtGui import QInputMethodEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from desktop_rag.core.catalog_records import FileRow
from desktop_rag.core.requests import KbRequest
from desktop_rag.core.types import FileId, FileStatus, KbId
from desktop_rag.gui.chat.composer import Composer
from desktop_rag.gui.chat.name_completer import typed_name
from desktop_rag.gui.controllers.jobs import JobRunner
from desktop_rag.gui.controllers.library_snapshot import LibrarySnapshot, make_snapshot
from desktop_rag.gui.controllers.name_suggestions import NameSuggestions
from desktop_rag.gui.controllers.scope_names import ScopeNames
from testing.narrowing import present
from testing.sample_folder import copied
from testing.window_driver import Driver, wait_for


@pytest.fixture
def driver(qapp: QApplication, tmp_path: Path, read_samples: Path) -> Iterator[Driver]:
    made = Driver(qapp, copied(read_samples, tmp_path / "home"), window__expert_tools="false")
    made.open()
    made.wait_until_read(7)
    made.window.chat.composer.edit.setFocus()
    wait_for(made.window.chat.composer.edit.hasFocus)
    yield made
    made.close()


def composer(driver: Driver) -> Composer:
    return driver.window.chat.composer


def offered(driver: Driver) -> list[str]:
    names = composer(driver).names
    if not names.box.isVisible():
        return []
    return [names.list.item(n).text() for n in range(names.list.count())]


def chips(driver: Driver) -> list[str]:
    return [chip.words.text() for chip in composer(driver).scope.chips]


@pytest.mark.parametrize(
    ("before", "found"),
    [
        ("@rep", "@rep"),
        ("What says @annual rep", "@annual rep"),
        ("请概括@年报", "@年报"),
        ("请概括＠年报", "＠年报"),
        ("(@rep", "(@rep"[1:]),
        ("me@example", None),
        ("m.e_@example", None),
        ("ü@example", None),
        ("write to me@example.org about @rep", "@rep"),
        ("@", None),
        ("@ 5 pm", None),
        ("no sign", None),
        ("@" + "a" * 61, None),
    ],
)
def test_a_name_begins_with_an_at_that_is_of_no_address(before: str, found: str | None) -> None:
    assert typed_name(before) == found


def test_letters_behind_an_at_offer_names_and_enter_makes_a_chip(driver: Driver) -> None:
    edit = composer(driver).edit
    QTest.keyClicks(edit, "Compare @NOTES")
    assert offered(driver) == ["Meeting notes.md"]
    QTest.keyClick(edit, Qt.Key.Key_Return)
    assert edit.toPlainText() == "Compare "
    assert chips(driver) == ["Meeting notes.md"]
    assert offered(driver) == []
    assert driver.turn is None, "Enter picked the name and sent nothing"
    QTest.keyClicks(edit, "with @deliv")
    QTest.keyClick(edit, Qt.Key.Key_Tab)
    assert edit.toPlainText() == "Compare with "
    assert chips(driver) == ["Meeting notes.md", "Delivery delayed.eml"]
    assert edit.hasFocus()


def test_arrows_go_through_the_names_and_escape_leaves_them(driver: Driver) -> None:
    edit, names = composer(driver).edit, composer(driver).names
    QTest.keyClicks(edit, "@l")
    many = offered(driver)
    assert len(many) > 3
    QTest.keyClick(edit, Qt.Key.Key_Up)
    assert names.list.currentRow() == len(many) - 1
    QTest.keyClick(edit, Qt.Key.Key_Down)
    QTest.keyClick(edit, Qt.Key.Key_Down)
    assert names.list.currentRow() == 1
    QTest.keyClick(edit, Qt.Key.Key_Escape)
    assert offered(driver) == []
    QTest.keyClicks(edit, "e")
    assert offered(driver) == [], "it was left"
    assert edit.toPlainText() == "@le"
    QTest.keyClicks(edit, " @le")
    assert offered(driver), "another one is another matter"


def test_a_click_picks_a_name(driver: Driver) -> None:
    edit, names = composer(driver).edit, composer(driver).names
    QTest.keyClicks(edit, "@sales")
    at = names.list.visualItemRect(names.list.item(0)).center()
    QTest.mouseClick(names.list.viewport(), Qt.MouseButton.LeftButton, pos=at)
    assert chips(driver) == ["Sales by region.xlsx"]
    assert edit.hasFocus()


@pytest.mark.parametrize("typed", ["me@notes", "@zzz", "@ notes", "plain notes"])
def test_what_names_nothing_opens_nothing(driver: Driver, typed: str) -> None:
    QTest.keyClicks(composer(driver).edit, typed)
    assert offered(driver) == []


def test_chinese_names_are_found_and_an_input_method_is_not_disturbed(driver: Driver) -> None:
    edit = composer(driver).edit
    edit.insertPlainText("请概括🙂@")
    QApplication.sendEvent(edit, QInputMethodEvent("baoxiao", []))
    assert offered(driver) == []
    done = QInputMethodEvent("", [])
    done.setCommitString("报销")
    QApplication.sendEvent(edit, done)
    assert offered(driver) == ["差旅报销制度.md"]
    QApplication.sendEvent(edit, QInputMethodEvent("zhi", []))
    QTest.keyClick(edit, Qt.Key.Key_Down)
    assert chips(driver) == [], "keys are the input method's"
    QApplication.sendEvent(edit, QInputMethodEvent("", []))
    QTest.keyClick(edit, Qt.Key.Key_Return)
    assert chips(driver) == ["差旅报销制度.md"]
    assert edit.toPlainText() == "请概括🙂"


def test_folders_and_knowledge_bases_are_offered(driver: Driver) -> None:
    library = driver.context.library
    library.change_base(KbRequest("create", "Samples of tea"))
    wait_for(lambda: any(kb.name == "Samples of tea" for kb in library.snapshot.kbs))
    library.switch("default")
    wait_for(lambda: library.snapshot.current == "default" and library.snapshot.files)
    composer(driver).edit.setFocus()
    QTest.keyClicks(composer(driver).edit, "@samples")
    assert offered(driver) == ["Samples of tea", "samples"]
    QTest.keyClick(composer(driver).edit, Qt.Key.Key_Down)
    QTest.keyClick(composer(driver).edit, Qt.Key.Key_Return)
    scope = present(composer(driver).scope.scope)
    assert scope.items[0].path.endswith("samples/")
    QTest.keyClicks(composer(driver).edit, "@my doc")
    assert offered(driver) == ["My documents"]


def test_the_list_lies_in_the_window_above_the_field_or_below_it(driver: Driver) -> None:
    driver.window.resize(900, 600)
    QTest.keyClicks(composer(driver).edit, "@e")
    box = composer(driver).names.box
    assert driver.window.rect().contains(box.geometry())
    driver.window.centre.show_home()
    wait_for(lambda: not box.isVisible() and composer(driver).edit.hasFocus())
    QTest.keyClicks(composer(driver).edit, " @e")
    assert box.isVisible()
    assert driver.window.rect().contains(box.geometry())
    QTest.keyClick(composer(driver).edit, Qt.Key.Key_Return)
    assert composer(driver).edit.toPlainText() == "@e "
    composer(driver).edit.setPlainText("When is the next meeting?")
    QTest.keyClick(composer(driver).edit, Qt.Key.Key_Return)
    driver.wait_for_answer()
    assert len(chips(driver)) == 1


def test_a_draft_with_an_at_opens_nothing(driver: Driver) -> None:
    composer(driver).put_draft("Ask @notes")
    assert offered(driver) == []


def large_snapshot(files: int) -> LibrarySnapshot:
    row = FileRow(FileId(0), KbId(1), "", None, FileStatus.READY, "", None, 3, None, 0.0, 0.0)
    rows = (
        replace(row, id=FileId(n), path=f"/d/team {n % 90}/Report {n}.md") for n in range(files)
    )
    return make_snapshot((), "large", (), rows)


def test_of_very_many_files_the_names_are_made_beside_the_window(qapp: QApplication) -> None:
    owner = QObject()
    jobs = JobRunner(owner)
    names = NameSuggestions(jobs, owner)
    names.follow(large_snapshot(20_000))
    assert names.fitting("report 19999", 5) == []
    wait_for(lambda: bool(names.fitting("report 19999", 5)))
    assert [Path(each.path).name for each in names.fitting("TEAM 8", 2)] == ["team 8", "team 80"]
    jobs.close()


def test_names_that_begin_so_come_first() -> None:
    row = FileRow(FileId(0), KbId(1), "", None, FileStatus.READY, "", None, 3, None, 0.0, 0.0)
    paths = ("/d/a/the plan.md", "/d/a/x.md", "/d/plans/plan b.md", "/d/unread plan.md")
    rows = [replace(row, id=FileId(n), path=each) for n, each in enumerate(paths)]
    rows[3] = replace(rows[3], chunks=0)
    names = ScopeNames(make_snapshot((), "x", (), rows).branches)
    assert names.fitting("plan", 9) == ["/d/plans/", "/d/plans/plan b.md", "/d/a/the plan.md"]
