"""The window over a damaged catalog: it says so, recovers it, and opens it."""

from __future__ import annotations

from pathlib import Path

import pytest
import shiboken6
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLabel

from desktop_rag.catalog import integrity
from desktop_rag.catalog.facade import Catalog
from desktop_rag.core.errors import CatalogDamaged
from desktop_rag.gui.controllers.catalog_recovery import (
    RecoveredKind,
    RecoveryController,
    RecoveryResult,
)
from desktop_rag.gui.controllers.library_previews import ImportPreview
from desktop_rag.gui.controllers.transcript import failure
from desktop_rag.gui.library.import_dialog import ImportDialog
from desktop_rag.gui.recovery_dialog import CatalogDamagedDialog, RecoveryDialog
from testing.narrowing import present
from testing.window_driver import Driver, wait_for
from tests.catalog.stored_documents import many, put


def made(home: Path) -> None:
    """Make a catalog with a document and a conversation."""
    catalog = Catalog.open(home)
    put(catalog, catalog.kbs.ensure("default").id, "/d/a", many("a", 30))
    chat = catalog.chats.create("Harbour", ("default",))
    catalog.chats.append(chat, "user", "What is it?")
    catalog.close()


def opened(driver: Driver) -> RecoveryDialog:
    driver.window.show()
    driver.context.begin()
    wait_for(lambda: driver.window.findChildren(RecoveryDialog))
    (box,) = driver.window.findChildren(RecoveryDialog)
    return box


def test_a_damaged_catalog_is_recovered_at_a_press_and_opened(
    qapp: QApplication, tmp_path: Path
) -> None:
    home = tmp_path / "home"
    made(home)
    path = home / "catalog.sqlite"
    content = bytearray(path.read_bytes())
    content[16:20] = b"none"
    path.write_bytes(content)
    driver = Driver(qapp, home)
    box = opened(driver)
    assert "damaged" in box.what.text()
    box.recover.click()
    wait_for(box.go_on.isVisible)
    assert "nothing is lost" in box.what.text()
    told = [label.text() for label in box._table.findChildren(QLabel)]
    assert "conversations" in told
    assert str(next(home.glob("catalog-damaged-*"))) in box.note.text()
    box.go_on.click()
    wait_for(lambda: driver.context.library.snapshot.kbs)
    wait_for(lambda: not shiboken6.isValid(box))
    assert driver.window.isVisible()
    driver.close()


def test_closed_unrecovered_the_window_goes_and_the_catalog_is_as_it_was(
    qapp: QApplication, tmp_path: Path
) -> None:
    home = tmp_path / "home"
    made(home)
    path = home / "catalog.sqlite"
    path.write_bytes(b"no catalog" * 1000)
    driver = Driver(qapp, home)
    box = opened(driver)
    box.leave.click()
    wait_for(lambda: not driver.window.isVisible())
    assert path.read_bytes() == b"no catalog" * 1000


def test_a_catalog_that_was_found_damaged_is_looked_through_at_the_next_start(
    qapp: QApplication, tmp_path: Path
) -> None:
    home = tmp_path / "home"
    made(home)
    catalog = Catalog.open(home)
    with catalog.database.write() as tx:
        tx.execute("UPDATE chunks SET locator = '{' WHERE id = 3")
    catalog.close()
    integrity.mark_damaged(home / "catalog.sqlite")
    driver = Driver(qapp, home)
    box = opened(driver)
    assert box.what.text() == CatalogDamaged(home / "catalog.sqlite").what
    box.leave.click()
    wait_for(lambda: not driver.window.isVisible())


def test_a_sound_catalog_that_was_doubted_opens(qapp: QApplication, tmp_path: Path) -> None:
    home = tmp_path / "home"
    made(home)
    integrity.mark_damaged(home / "catalog.sqlite")
    driver = Driver(qapp, home)
    driver.open()
    assert not integrity.is_marked_damaged(home / "catalog.sqlite")
    driver.close()


def zero_page(path: Path, number: int) -> None:
    content = bytearray(path.read_bytes())
    size = int.from_bytes(content[16:18], "big")
    content[(number - 1) * size : number * size] = bytes(size)
    path.write_bytes(content)


def met(driver: Driver) -> CatalogDamagedDialog:
    wait_for(lambda: driver.window.findChildren(CatalogDamagedDialog))
    (box,) = driver.window.findChildren(CatalogDamagedDialog)
    return box


def test_a_catalog_that_turns_out_damaged_once_it_is_open_is_recovered_at_a_new_start(
    qapp: QApplication, tmp_path: Path
) -> None:
    home = tmp_path / "home"
    made(home)
    zero_page(home / "catalog.sqlite", 3)
    driver = Driver(qapp, home)
    driver.window.show()
    driver.context.begin()
    box = met(driver)
    assert "damaged" in box.what.text()
    assert "Restart" in box.text.text()
    assert not driver.window.panes.isVisible()  # nothing there looks as at first use
    assert not driver.window.chat.complaint.isVisible()
    assert not any("`" in label.text() for label in box.findChildren(QLabel))
    box.restart.click()
    wait_for(lambda: not driver.window.isVisible())
    assert driver.context.settings.restarts
    driver.close()
    driver = Driver(qapp, home)
    again = opened(driver)
    again.recover.click()
    wait_for(again.go_on.isVisible)
    again.go_on.click()
    wait_for(lambda: driver.context.library.snapshot.kbs)
    assert driver.window.panes.isVisible()
    assert driver.window.focusWidget() is driver.window.chat.composer.edit
    driver.close()


def test_the_damage_that_a_run_meets_is_told_once_and_what_is_shown_stays(
    qapp: QApplication, tmp_path: Path
) -> None:
    home = tmp_path / "home"
    catalog = Catalog.open(home)
    base = catalog.kbs.ensure("default").id
    (tmp_path / "d").mkdir()
    catalog.kbs.add_source(base, str(tmp_path / "d"), is_folder=True)
    catalog.close()
    driver = Driver(qapp, home)
    driver.open()
    wait_for(lambda: driver.context.library.snapshot.branches)
    for _ in range(2):
        driver.context.library.complained.emit(CatalogDamaged("/d/catalog.sqlite"))
    box = met(driver)
    assert driver.window.panes.isVisible()
    assert not driver.window.chat.complaint.isVisible()
    assert integrity.is_marked_damaged(home / "catalog.sqlite")
    box.leave.click()
    wait_for(lambda: not driver.window.isVisible())
    assert not driver.context.settings.restarts


def test_a_question_that_meets_the_damage_names_no_command() -> None:
    assert failure(CatalogDamaged("/d/catalog.sqlite")).remedy == ""


def test_a_second_enter_does_not_stop_the_recovery(
    qapp: QApplication, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    home = tmp_path / "home"
    made(home)
    (home / "catalog.sqlite").write_bytes(b"no catalog" * 1000)
    driver = Driver(qapp, home)
    box = opened(driver)
    assert (box.recover.objectName(), box.go_on.objectName()) == ("primary", "primary")
    assert box.leave.text() == "Quit"
    monkeypatch.setattr(box._recovering, "begin", lambda: None)
    box.activateWindow()
    QTest.keyClick(box, Qt.Key.Key_Return)
    assert box.bar.isVisible()
    assert box.what.text() == "The catalog is being recovered."
    assert box.leave.text() == "Stop"
    assert not box.leave.isDefault()
    assert not box.leave.hasFocus()
    box._recovering.progressed.emit("")
    assert box.note.text() == "Looking through the catalog"
    box._recovering.progressed.emit("documents")
    assert box.note.text() == "Reading documents"
    QTest.keyClick(box, Qt.Key.Key_Return)
    assert box.bar.isVisible()
    box.leave.click()
    assert not box.bar.isVisible()
    assert box.recover.isVisible()
    assert box.recover.isDefault()
    assert box.leave.text() == "Quit"
    box.leave.click()
    wait_for(lambda: not driver.window.isVisible())


def test_what_cannot_be_recovered_names_no_command(qapp: QApplication, tmp_path: Path) -> None:
    driver = Driver(qapp, tmp_path / "home")
    box = shown(driver, RecoveredKind("files", 4, 0, 0, True))
    assert box.leave.text() == "Quit"
    box._recovering.failed.emit(CatalogDamaged("/d/catalog.sqlite"))
    assert "`" not in box.text.text()
    assert not box.go_on.isVisible()
    box.reject()
    driver.close()


LONG = "/home/me/.local/share/desktop-rag/catalog-damaged-20260101T000000000000Z.sqlite"


def shown(
    driver: Driver, *kinds: RecoveredKind, is_empty: bool = False, is_exact: bool = True
) -> RecoveryDialog:
    driver.open()
    recovering = RecoveryController(driver.context.jobs, driver.context.folder)
    box = RecoveryDialog(CatalogDamaged("/home/me/catalog.sqlite"), recovering, driver.window)
    box.open()
    recovering.ended.emit(RecoveryResult(kinds, True, LONG, 3, is_empty, is_exact))
    return box


def test_a_result_says_no_more_than_is_known(qapp: QApplication, tmp_path: Path) -> None:
    driver = Driver(qapp, tmp_path / "home")
    kinds = (RecoveredKind("files", 4, 0, 0, False), RecoveredKind("messages", 9, 2, 0, False))
    box = shown(driver, *kinds)
    told = [label.text() for label in box._table.findChildren(QLabel)]
    assert "unknown" in told
    assert "at least 2" in told
    assert "3 knowledge bases, conversations or question sets have new names." in box.text.text()
    box.reject()
    driver.close()


NO_FOLDER = RecoveredKind("followed folders", 0, 0, 0, False)


def test_headlines(qapp: QApplication, tmp_path: Path) -> None:
    driver = Driver(qapp, tmp_path / "home")
    whole = RecoveredKind("files", 4, 0, 0, True)
    unknown = "The catalog is recovered. It is not known whether anything is lost."
    box = shown(driver, whole, is_exact=False)
    assert box.what.text() == unknown
    box.reject()
    box = shown(driver, whole, RecoveredKind("documents", 4, 0, 0, False), is_exact=False)
    assert box.what.text() == unknown
    assert "were lost" not in box.text.text()
    box.reject()
    box = shown(driver, whole, RecoveredKind("documents", 4, 1, 0, True))
    assert "Not everything could be saved" in box.what.text()
    assert "Texts that were lost are read again" in box.text.text()
    told = [label.text() for label in box._table.findChildren(QLabel)]
    assert "of these, from a copy" in told
    box.reject()
    for folders in (RecoveredKind("followed folders", 0, 2, 0, True), NO_FOLDER):
        box = shown(driver, whole, folders, RecoveredKind("documents", 4, 1, 0, True))
        assert "add your folders again" in box.text.text()
        assert "are read again" not in box.text.text()
        box.reject()
    box = shown(driver, whole, RecoveredKind("vectors", 4, 9, 0, False))
    assert "nothing is lost" in box.what.text()
    box.reject()
    box = shown(driver, is_empty=True, is_exact=False)
    assert "Nothing could be read" in box.what.text()
    box.reject()
    driver.close()


def test_dialogs_are_as_high_as_their_content_as_far_as_the_screen_goes(
    qapp: QApplication, tmp_path: Path
) -> None:
    driver = Driver(qapp, tmp_path / "home")
    names = ("files", "documents", "messages", "drafts", "consents", "conversations")
    box = shown(driver, *(RecoveredKind(name, 4, 1, 0, True) for name in names * 4))
    room = box.screen().availableGeometry().height() - 32
    assert box.height() == min(room, present(box.layout()).totalHeightForWidth(box.width()))
    assert box.height() > box.screen().availableGeometry().height() * 2 // 3
    box.reject()
    asked = ImportDialog(
        ImportPreview("/tmp/a.ragkb", tuple(f"/d/{n}" for n in range(20))), driver.window
    )
    asked.open()
    row = asked.places.sizeHintForRow(0)
    assert asked.places.height() // row == 6
    assert asked.places.minimumHeight() // row == 2
    asked.reject()
    driver.close()
